//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
)

// cipherNumber is the number of a cipher and that of its mode in gcrypt.h
// (enum gcry_cipher_algos, enum gcry_cipher_modes); false where libgcrypt is not
// asked for it. One block is ECB of 16 bytes.
func cipherNumber(algorithm, mode string) (cipher, under uintptr, ok bool) {
	switch algorithm {
	case "AES-128":
		cipher = 7
	case "AES-192":
		cipher = 8
	case "AES-256":
		cipher = 9
	case "SM4":
		cipher = 318
	case "ChaCha20":
		return 316, 4, mode == "" // GCRY_CIPHER_MODE_STREAM
	case "ChaCha20-Poly1305":
		return 316, 10, mode == "" // GCRY_CIPHER_MODE_POLY1305
	default:
		return 0, 0, false
	}
	switch mode {
	case "ECB", "block":
		under = 1
	case "CFB":
		under = 2
	case "CBC":
		under = 3
	case "OFB":
		under = 5
	case "CTR":
		under = 6
	case "GCM":
		under = 9
	}
	return cipher, under, under != 0
}

// hashNumber is the number of a hash in gcrypt.h (enum gcry_md_algos); false
// where libgcrypt is not asked for it.
func hashNumber(algorithm string) (number uintptr, ok bool) {
	number, ok = map[string]uintptr{"MD5": 1, "SHA-1": 2, "SHA-256": 8, "SHA-512": 10, "SHA3-256": 313, "BLAKE2b-512": 318, "SM3": 326}[algorithm]
	return number, ok
}

// macNumber is that of a keyed hash (enum gcry_mac_algos).
func macNumber(algorithm string) (number uintptr, ok bool) {
	number, ok = map[string]uintptr{"HMAC-SHA-256": 101, "HMAC-SHA-512": 103, "HMAC-SM3": 128}[algorithm]
	return number, ok
}

// What libgcrypt's AEADs are asked beside encryption and decryption, and by which
// parameters.
var (
	sealingOperations = []string{"encrypt", "decrypt", "new", "new+encrypt", "stream", "arrival"}
	sealingParameters = []string{"call", "way", "sizes", "messages", "goroutines", "holding", "request", "load", "buffers", "heap",
		"chunk", "io", "data", "compress"}
)

// offers says whether libgcrypt is asked for a case.
func offers(c result.Case) bool {
	parameters, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return false
	}
	for name := range parameters {
		if !slices.Contains(sealingParameters, name) {
			return false
		}
	}
	_, hash := hashNumber(c.Algorithm)
	_, mac := macNumber(c.Algorithm)
	switch {
	case hash || mac:
		return c.Mode == "" && len(parameters) == 0 && (hash && c.Operation == "hash" || mac && c.Operation == "mac")
	case c.Operation == "schedule":
		_, _, ok := cipherNumber(c.Algorithm, "ECB")
		return ok && c.Mode == "" && len(parameters) == 0
	}
	if _, _, ok := cipherNumber(c.Algorithm, c.Mode); !ok {
		return false
	}
	if c.Mode == "GCM" || c.Algorithm == "ChaCha20-Poly1305" {
		return slices.Contains(sealingOperations, c.Operation)
	}
	return c.Operation == "encrypt" || c.Operation == "decrypt"
}
