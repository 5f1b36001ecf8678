package answer

import (
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// strengths are those against the best attacks known, in bits. RSA and curves: NIST
// SP 800-57 Part 1 Rev. 5, table 2; SM2 has a curve of 256 bits, as P-256 has. Of
// ML-DSA and ML-KEM it is the strength of the category that NIST claims: 2 as a
// collision in SHA-256, 3 and 5 as a key of AES-192 and AES-256 (FIPS 204 §4, FIPS
// 203 §8). Lengths between the lines of the table have the strength of the lower one:
// 4096 bits that of 3072, and 8192 that of 7680.
var strengths = map[string]int{
	"RSA-1024": 80, "RSA-2048": 112, "RSA-3072": 128, "RSA-4096": 128, "RSA-8192": 192,
	"ECDSA-P-256": 128, "ECDH-P-256": 128, "ECDSA-P-384": 192, "ECDH-P-384": 192,
	"Ed25519": 128, "X25519": 128, "SM2": 128, "SM2-exchange": 128,
	"ML-DSA-44": 128, "ML-DSA-65": 192, "ML-KEM-768": 192, "ML-KEM-1024": 256, "X25519MLKEM768": 192,
}

// StrengthOf is an algorithm's, 0 where the table does not know.
func StrengthOf(algorithm string) int { return strengths[algorithm] }

// PostQuantum says whether an algorithm is meant to withstand quantum computers.
func PostQuantum(algorithm string) layout.Text {
	switch algorithm {
	case "ML-DSA-44", "ML-DSA-65", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768":
		return Yes
	}
	return No
}
