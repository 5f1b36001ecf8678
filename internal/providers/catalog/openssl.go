package catalog

import "github.com/cryptogauge/cryptogauge/result"

// OpenSSLCipher is what OpenSSL calls a cipher in a mode (EVP_CIPHER-AES(7),
// EVP_CIPHER-SM4(7), EVP_CIPHER-CHACHA(7)); false where it is not asked for it.
func OpenSSLCipher(algorithm, mode string) (name string, ok bool) {
	switch algorithm {
	case "SM4", "AES-128", "AES-192", "AES-256":
		switch mode {
		case "ECB", "CBC", "CFB", "OFB", "CTR", "GCM":
			return algorithm + "-" + mode, true
		}
	case "ChaCha20-Poly1305":
		return "ChaCha20-Poly1305", mode == ""
	}
	return "", false
}

func hasOpenSSL(c result.Case) bool {
	_, cipher := OpenSSLCipher(c.Algorithm, c.Mode)
	return cipher && (c.Operation == "encrypt" || c.Operation == "decrypt") && c.Parameters == ""
}
