package document

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// Standards that cases implement, where the run does not say. A case that is
// not here has no standard in the report; none is guessed.
//
// GB/T 17964-2021 replaces the edition of 2008, and GB/T 15852.2-2024 that of
// 2012. GB/T 36624-2018 adopts ISO/IEC 19772:2009, modified. RFC 8998 is the
// use of SM4-GCM and SM4-CCM in TLS 1.3.
const (
	standardSM4 = "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021)"
	standardAES = "FIPS 197 (ISO/IEC 18033-3)"
)

var standardsOfModes = map[string]struct{ SM4, aes string }{
	"ECB": {"GB/T 17964-2021", "NIST SP 800-38A"},
	"CBC": {"GB/T 17964-2021", "NIST SP 800-38A"},
	"CFB": {"GB/T 17964-2021", "NIST SP 800-38A"},
	"OFB": {"GB/T 17964-2021", "NIST SP 800-38A"},
	"CTR": {"GB/T 17964-2021", "NIST SP 800-38A"},
	"GCM": {"GB/T 36624-2018; RFC 8998", "NIST SP 800-38D"},
	"CCM": {"GB/T 36624-2018; RFC 8998", "NIST SP 800-38C"},
}

// standardsOfAlgorithms are those without a mode, and the MACs of composites.
var standardsOfAlgorithms = map[string]string{
	"ChaCha20-Poly1305": "RFC 8439",
	"SM3":               "GB/T 32905-2016",
	"SHA-1":             "FIPS 180-4",
	"SHA-224":           "FIPS 180-4",
	"SHA-256":           "FIPS 180-4",
	"SHA-384":           "FIPS 180-4",
	"SHA-512":           "FIPS 180-4",
	"SHA3-256":          "FIPS 202",
	"SHA3-512":          "FIPS 202",
	"MD5":               "RFC 1321",
	"ChaCha20":          "RFC 8439",
	"BLAKE2b-512":       "RFC 7693",
	"HKDF-SHA-256":      "RFC 5869; FIPS 180-4",
	"ECDSA-P-256":       "FIPS 186-5; NIST SP 800-186",
	"ECDH-P-256":        "NIST SP 800-56A; NIST SP 800-186",
	"X25519":            "RFC 7748",
	"HMAC-SM3":          "GB/T 15852.2-2024; GB/T 32905-2016",
	"HMAC-SHA-256":      "RFC 2104; FIPS 180-4",
}

// standardsOfEnvelopes are those of the parts, by mode. What enveloped data must
// hold is in PKCS #7 (RFC 5652) and, with SM2 and SM4, in GB/T 35275-2017 and
// GM/T 0010-2023; the laboratory's framing is not theirs.
var standardsOfEnvelopes = map[string]string{
	"RSA-2048-OAEP+AES-256-GCM":        "RFC 8017 §7.1; " + standardAES + "; NIST SP 800-38D; cf. RFC 5652",
	"RSA-4096-OAEP+AES-256-GCM":        "RFC 8017 §7.1; " + standardAES + "; NIST SP 800-38D; cf. RFC 5652",
	"HPKE-X25519+AES-256-GCM":          "RFC 9180; RFC 7748",
	"HPKE-ML-KEM-768+AES-256-GCM":      "RFC 9180; FIPS 203; draft-ietf-hpke-pq",
	"HPKE-MLKEM768-X25519+AES-256-GCM": "RFC 9180; FIPS 203; RFC 7748; draft-ietf-hpke-pq",
	"SM2+SM4-GCM":                      "GB/T 32918.4-2016; " + standardSM4 + "; GB/T 36624-2018; cf. GB/T 35275-2017, GM/T 0010-2023",
	"AES-256-GCM":                      standardAES + "; NIST SP 800-38D",
	"SM4-GCM":                          standardSM4 + "; GB/T 36624-2018",
}

// standardsOfExchanges are TLS 1.3 with its key exchanges.
var standardsOfExchanges = map[string]string{
	"X25519":         "RFC 8446; RFC 7748",
	"P-256":          "RFC 8446; NIST SP 800-56A",
	"X25519MLKEM768": "RFC 8446; draft-ietf-tls-ecdhe-mlkem; FIPS 203",
}

// standardOf names what a case implements, "" where this table does not know.
func standardOf(c result.Case) string {
	if s, ok := standardsOfAlgorithms[c.Algorithm]; ok && c.Mode == "" {
		return s
	}
	switch {
	case c.Algorithm == "TLS 1.3":
		return standardsOfExchanges[strings.SplitN(c.Mode, "+", 2)[0]]
	case c.Algorithm == "Envelope":
		return standardsOfEnvelopes[c.Mode]
	}
	if s := standardOfKeyPair(c); s != "" {
		return s
	}
	sm4 := c.Algorithm == "SM4"
	var parts []string
	switch {
	case sm4:
		parts = append(parts, standardSM4)
	case strings.HasPrefix(c.Algorithm, "AES-"):
		parts = append(parts, standardAES)
	default:
		return ""
	}
	if c.Mode == "block" { // one block by itself is the cipher's standard alone
		return parts[0]
	}
	mode, mac, composite := strings.Cut(c.Mode, "+")
	if s, ok := standardsOfModes[mode]; ok {
		if sm4 {
			parts = append(parts, s.SM4)
		} else {
			parts = append(parts, s.aes)
		}
	} else if mode != "" {
		return ""
	}
	if composite {
		s, ok := standardsOfAlgorithms[mac]
		if !ok {
			return ""
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}
