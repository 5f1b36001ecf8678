package algorithm

import (
	"slices"
	"strings"
)

// Standards that several rows name. GB/T 15852.2-2024 replaces the edition of 2012.
const (
	standardSM4 = "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021)"
	standardAES = "FIPS 197 (ISO/IEC 18033-3)"
	fips180     = "FIPS 180-4"
	gbModes     = "GB/T 17964-2021"
	gbAEAD      = "GB/T 36624-2018; RFC 8998"
	nistModes   = "NIST SP 800-38A"

	standardRSAEnvelope = "RFC 8017 §7.1; " + standardAES + "; NIST SP 800-38D; cf. RFC 5652"
)

// Standard names what an operation of an algorithm in a mode implements, "" where the
// table does not know; none is guessed.
func Standard(name Name, mode Mode, operation Operation) string {
	a := Of(name)
	switch {
	case name == TLS13:
		exchange, _ := HandshakeParts(mode)
		return standardsOfExchanges[exchange]
	case name == Envelope:
		e, _ := EnvelopeOf(mode)
		return e.Standard
	case a.Kind == BlockCipher:
		return a.inMode(mode)
	case name == SM2 && (operation == Encrypt || operation == Decrypt):
		return "GB/T 32918.4-2016; GB/T 32918.5-2017" // 4 encryption, 5 the curve
	case name == SM2:
		return "GB/T 32918.2-2016; GB/T 32918.5-2017" // 2 signatures
	case RSABits(name) > 0:
		return standardOfRSA(mode, operation)
	case mode != "" && !a.KeyPair():
		return ""
	}
	return a.Standard
}

var standardsOfExchanges = map[Name]string{
	X25519:         "RFC 8446; RFC 7748",
	P256:           "RFC 8446; NIST SP 800-56A",
	X25519MLKEM768: "RFC 8446; draft-ietf-tls-ecdhe-mlkem; FIPS 203",
}

// inMode is the standard of a block cipher, then that of its mode, then that of the
// MAC that a composite has.
func (a Algorithm) inMode(name Mode) string {
	switch name {
	case "", OneBlock: // the cipher's standard alone
		return a.Standard
	case KeyWrap:
		return a.Standard + "; NIST SP 800-38F"
	}
	bare, mac, composite := strings.Cut(name, "+")
	m := modeOf(bare)
	parts := []string{a.Standard, m.aes}
	if a.Name == SM4 {
		parts[1] = m.sm4
	}
	if composite {
		parts = append(parts, Of(mac).Standard)
	}
	if slices.Contains(parts, "") {
		return ""
	}
	return strings.Join(parts, "; ")
}

// standardOfRSA: FIPS 186-5 has signatures and key generation, SP 800-56B rev. 2
// encryption.
func standardOfRSA(mode Mode, operation Operation) string {
	switch {
	case operation != Encrypt && operation != Decrypt && operation != Unwrap:
		return "RFC 8017; FIPS 186-5"
	case strings.HasPrefix(mode, PKCS1v15):
		return "RFC 8017 §7.2"
	}
	return "RFC 8017 §7.1; NIST SP 800-56B rev. 2"
}
