package algorithm

import (
	"slices"
	"strings"
)

// Strengths. Ciphers, RSA and curves: NIST SP 800-57 Part 1 Rev. 5, table 2; SM2 has a
// curve of 256 bits, as P-256 has. Of ML-DSA and ML-KEM it is the strength of the category that NIST claims:
// 2 as a collision in SHA-256, 3 and 5 as a key of AES-192 and AES-256 (FIPS 204 §4,
// FIPS 203 §8). Lengths between the lines of the table have the strength of the lower
// one: 4096 bits that of 3072, and 8192 that of 7680.
//
// Bytes. SM4: GB/T 32907-2016 §5; AES: FIPS 197 §5; ChaCha20: RFC 8439 §2.3 and §2.8.
// RSA: the modulus (RFC 8017 §4). Curves: points uncompressed (SEC 1 §2.3.3), and two
// numbers in DER, the most that these take. Ed25519: RFC 8032 §5.1. X25519: RFC 7748
// §5. ML-DSA: FIPS 204, table 2. ML-KEM: FIPS 203, table 3. The hybrid has both, one
// after the other (draft-ietf-tls-ecdhe-mlkem). The secret keys of MACs and of key
// derivation are the laboratory's choice: as long as the hash.
var table = []Algorithm{
	{Name: SM4, Kind: BlockCipher, Key: 16, Block: 16, Strength: 128, Standard: standardSM4},
	{Name: AES128, Kind: BlockCipher, Key: 16, Block: 16, Strength: 128, Standard: standardAES},
	{Name: AES192, Kind: BlockCipher, Key: 24, Block: 16, Strength: 192, Standard: standardAES},
	{Name: AES256, Kind: BlockCipher, Key: 32, Block: 16, Strength: 256, Standard: standardAES},
	{Name: ChaCha20, Kind: KeyStream, Key: 32, Nonce: 12, Strength: 256, Standard: "RFC 8439", Weakness: NoIntegrity},
	{Name: ChaCha20Poly1305, Kind: AEAD, Key: 32, Nonce: 12, Strength: 256, Standard: "RFC 8439"},

	{Name: MD5, Kind: HashFunction, Size: 16, Standard: "RFC 1321", Weakness: BrokenMD5},
	{Name: SHA1, Kind: HashFunction, Size: 20, Standard: fips180, Weakness: BrokenSHA1},
	{Name: SHA224, Kind: HashFunction, Size: 28, Standard: fips180},
	{Name: SHA256, Kind: HashFunction, Size: 32, Standard: fips180},
	{Name: SHA384, Kind: HashFunction, Size: 48, Standard: fips180},
	{Name: SHA512, Kind: HashFunction, Size: 64, Standard: fips180},
	{Name: SHA3of256, Kind: HashFunction, Size: 32, Standard: "FIPS 202"},
	{Name: SHA3of512, Kind: HashFunction, Size: 64, Standard: "FIPS 202"},
	{Name: SM3, Kind: HashFunction, Size: 32, Standard: "GB/T 32905-2016"},
	{Name: BLAKE2b512, Kind: HashFunction, Size: 64, Standard: "RFC 7693"},
	{Name: BLAKE3, Kind: HashFunction, Size: 32},

	{Name: HMACSHA256, Kind: KeyedHash, Key: 32, Size: 32, Standard: "RFC 2104; FIPS 180-4"},
	{Name: HMACSM3, Kind: KeyedHash, Key: 32, Size: 32, Standard: "GB/T 15852.2-2024; GB/T 32905-2016"},
	{Name: HKDFSHA256, Kind: KeyDerivation, Key: 32, Standard: "RFC 5869; FIPS 180-4"},

	{Name: Argon2id, Kind: PasswordHash, Standard: "RFC 9106"},
	{Name: Scrypt, Kind: PasswordHash, Standard: "RFC 7914"},
	{Name: Bcrypt, Kind: PasswordHash, Standard: "Provos and Mazières, USENIX 1999", Weakness: LittleMemory},
	{Name: PBKDF2SHA256, Kind: PasswordHash, Standard: "RFC 8018; FIPS 180-4", Weakness: LittleMemory},
	{Name: PBKDF2SM3, Kind: PasswordHash, Standard: "RFC 8018; GB/T 32905-2016", Weakness: LittleMemory},

	{Name: Random, Kind: RandomBytes},

	{Name: RSA512, Kind: RSA, Public: 64, Signature: 64, Uses: ofRSA},
	{Name: RSA1024, Kind: RSA, Public: 128, Signature: 128, Strength: 80, Uses: ofRSA, Weakness: ShortKey},
	{Name: RSA2048, Kind: RSA, Public: 256, Signature: 256, Strength: 112, Uses: ofRSA},
	{Name: RSA3072, Kind: RSA, Public: 384, Signature: 384, Strength: 128, Uses: ofRSA},
	{Name: RSA4096, Kind: RSA, Public: 512, Signature: 512, Strength: 128, Uses: ofRSA},
	{Name: RSA8192, Kind: RSA, Public: 1024, Signature: 1024, Strength: 192, Uses: ofRSA},

	{Name: ECDSA256, Kind: Signature, Public: 65, Signature: 72, Strength: 128, Uses: ofSignatures,
		Standard: "FIPS 186-5; NIST SP 800-186"},
	{Name: ECDSA384, Kind: Signature, Public: 97, Signature: 104, Strength: 192, Uses: ofSignatures,
		Standard: "FIPS 186-5; SP 800-186"},
	{Name: Ed25519, Kind: Signature, Public: 32, Signature: 64, Strength: 128, Uses: ofSignatures,
		Standard: "FIPS 186-5; RFC 8032"},
	{Name: SM2, Kind: Signature, Public: 65, Signature: 72, Strength: 128,
		Uses: slices.Concat(ofSignatures, []Use{{Operations: []Operation{Encrypt, Decrypt}}})},
	{Name: MLDSA44, Kind: Signature, Public: 1312, Signature: 2420, Strength: 128, PostQuantum: true, Uses: ofSignatures,
		Standard: "FIPS 204"},
	{Name: MLDSA65, Kind: Signature, Public: 1952, Signature: 3309, Strength: 192, PostQuantum: true, Uses: ofSignatures,
		Standard: "FIPS 204"},

	{Name: ECDH256, Kind: KeyExchange, Public: 65, Reply: 65, Strength: 128, Uses: slices.Concat(ofAgreement, ofExchanges),
		Standard: "NIST SP 800-56A; NIST SP 800-186"},
	{Name: ECDH384, Kind: KeyExchange, Public: 97, Reply: 97, Strength: 192, Uses: ofExchanges,
		Standard: "NIST SP 800-56A rev. 3; SP 800-186"},
	{Name: X25519, Kind: KeyExchange, Public: 32, Reply: 32, Strength: 128, Uses: slices.Concat(ofAgreement, ofExchanges),
		Standard: "RFC 7748"},
	{Name: SM2Exchange, Kind: KeyExchange, Public: 65, Reply: 65, Strength: 128, Uses: ofExchanges,
		Standard: "GB/T 32918.3-2016; GB/T 32918.5-2017"},
	{Name: MLKEM768, Kind: KeyExchange, Public: 1184, Reply: 1088, Strength: 192, PostQuantum: true, Uses: ofExchanges,
		Standard: "FIPS 203"},
	{Name: MLKEM1024, Kind: KeyExchange, Public: 1568, Reply: 1568, Strength: 256, PostQuantum: true, Uses: ofExchanges,
		Standard: "FIPS 203"},
	{Name: X25519MLKEM768, Kind: KeyExchange, Public: 1216, Reply: 1120, Strength: 192, PostQuantum: true, Uses: ofExchanges,
		Standard: "draft-ietf-tls-ecdhe-mlkem; FIPS 203; RFC 7748"},

	{Name: Envelope, Kind: Hybrid},
	{Name: TLS13, Kind: Protocol},
	{Name: HTTP, Kind: Protocol},

	{Name: Empty, Kind: Laboratory},
	{Name: Planted, Kind: Laboratory},
	{Name: Chain, Kind: Laboratory},
	{Name: Yardstick, Kind: Laboratory},
	{Name: Goroutine, Kind: Laboratory},
	{Name: Transaction, Kind: Laboratory},
}

var (
	ofRSA = []Use{
		{[]Operation{Sign, Verify}, []Mode{PKCS1v15Sign, PSS}},
		{[]Operation{Encrypt, Decrypt}, []Mode{OAEP, PKCS1v15}},
		{Operations: []Operation{Generate, Precompute}},
	}
	ofSignatures = []Use{{Operations: []Operation{Sign, Verify, Generate}}}
	ofAgreement  = []Use{{Operations: []Operation{Agree}}}
	ofExchanges  = []Use{{Operations: []Operation{Generate, Encapsulate, Decapsulate, Session, SessionKey}}}
)

type mode struct {
	name          Mode
	nonce         int // bytes
	authenticates bool
	sm4, aes      string // its standard with either
	weakness      Weakness
}

// modes. GB/T 17964-2021 replaces the edition of 2008. GB/T 36624-2018 adopts
// ISO/IEC 19772:2009, modified. RFC 8998 is the use of SM4-GCM and SM4-CCM in TLS 1.3.
var modes = []mode{
	{ECB, 0, false, gbModes, nistModes, EqualBlocks},
	{CBC, 16, false, gbModes, nistModes, NoIntegrity},
	{CFB, 16, false, gbModes, nistModes, NoIntegrity},
	{OFB, 16, false, gbModes, nistModes, NoIntegrity},
	{CTR, 16, false, gbModes, nistModes, NoIntegrity},
	{GCM, 12, true, gbAEAD, "NIST SP 800-38D", ""},
	{CCM, 12, true, gbAEAD, "NIST SP 800-38C", ""},
	{CBCHMACSM3, 16, true, "", "", ""}, // the standards are those of the parts
	{CBCHMACSHA256, 16, true, "", "", ""},
}

func modeOf(name Mode) mode {
	if i := slices.IndexFunc(modes, func(m mode) bool { return m.name == name }); i >= 0 {
		return modes[i]
	}
	return mode{}
}

// envelopes. An SM2 ciphertext is C1‖C3‖C2 (GB/T 32918.4-2016 §6.1). What enveloped
// data must hold is in PKCS #7 (RFC 5652) and, with SM2 and SM4, in GB/T 35275-2017
// and GM/T 0010-2023; the laboratory's framing is not theirs.
var envelopes = []EnvelopeScheme{
	{RSA2048Envelope, "RSA-2048-OAEP", AES256, AES256GCM, 2048 / 8, false, standardRSAEnvelope},
	{RSA4096Envelope, "RSA-4096-OAEP", AES256, AES256GCM, 4096 / 8, false, standardRSAEnvelope},
	{X25519Envelope, "HPKE-X25519", AES256, AES256GCM, 32, true, "RFC 9180; RFC 7748"},
	{MLKEM768Envelope, "HPKE-ML-KEM-768", AES256, AES256GCM, 1088, true, "RFC 9180; FIPS 203; draft-ietf-hpke-pq"},
	{HybridEnvelope, "HPKE-MLKEM768-X25519", AES256, AES256GCM, 1088 + 32, true,
		"RFC 9180; FIPS 203; RFC 7748; draft-ietf-hpke-pq"},
	{SM2Envelope, SM2Envelope, SM4, SM4GCM, 65 + 32 + 16, false,
		"GB/T 32918.4-2016; " + standardSM4 + "; GB/T 36624-2018; cf. GB/T 35275-2017, GM/T 0010-2023"},
	{AES256GCM, AES256GCM, AES256, AES256GCM, 0, false, standardAES + "; NIST SP 800-38D"},
	{SM4GCM, SM4GCM, SM4, SM4GCM, 0, false, standardSM4 + "; GB/T 36624-2018"},
}

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
