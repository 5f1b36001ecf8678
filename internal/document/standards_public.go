package document

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// Standards of what has a key pair. FIPS 186-5 has RSA's signatures and key
// generation, ECDSA and Ed25519; SP 800-56B rev. 2 RSA's encryption. GB/T 32918 has
// parts: 2 signatures, 3 key exchange, 4 encryption, 5 the curve.
var standardsOfKeyPairs = map[string]string{
	"ECDSA-P-256":    "FIPS 186-5; SP 800-186",
	"ECDSA-P-384":    "FIPS 186-5; SP 800-186",
	"ECDH-P-256":     "NIST SP 800-56A rev. 3; SP 800-186",
	"ECDH-P-384":     "NIST SP 800-56A rev. 3; SP 800-186",
	"Ed25519":        "FIPS 186-5; RFC 8032",
	"X25519":         "RFC 7748",
	"SM2-exchange":   "GB/T 32918.3-2016; GB/T 32918.5-2017",
	"ML-DSA-44":      "FIPS 204",
	"ML-DSA-65":      "FIPS 204",
	"ML-KEM-768":     "FIPS 203",
	"ML-KEM-1024":    "FIPS 203",
	"X25519MLKEM768": "draft-ietf-tls-ecdhe-mlkem; FIPS 203; RFC 7748",
}

// standardOfKeyPair names what a case with a key pair implements, "" where it is none.
func standardOfKeyPair(c result.Case) string {
	switch {
	case c.Algorithm == "SM2" && (c.Operation == "encrypt" || c.Operation == "decrypt"):
		return "GB/T 32918.4-2016; GB/T 32918.5-2017"
	case c.Algorithm == "SM2":
		return "GB/T 32918.2-2016; GB/T 32918.5-2017"
	case !strings.HasPrefix(c.Algorithm, "RSA-"):
		return standardsOfKeyPairs[c.Algorithm]
	case strings.HasPrefix(c.Mode, "PKCS1v15") && strings.Contains(c.Operation, "crypt"):
		return "RFC 8017 §7.2"
	case strings.Contains(c.Operation, "crypt"):
		return "RFC 8017 §7.1; NIST SP 800-56B rev. 2"
	}
	return "RFC 8017; FIPS 186-5"
}
