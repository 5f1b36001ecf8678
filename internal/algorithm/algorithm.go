// Package algorithm is what the laboratory knows of algorithms and their modes, in one
// table: what kind each is, the bytes of its keys and of what is sent, its strength,
// its standard and what is wrong with it. Plans, libraries, the judge and reports read
// it; a name of an algorithm or of a mode stands as text here and nowhere else, but in
// what binds a library to its own names.
//
// To add an algorithm: a name in names.go and a row in table.go.
package algorithm

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

type Kind int

// The kinds. Other is what the table does not know.
const (
	Other Kind = iota
	BlockCipher
	KeyStream // a cipher that makes a key stream by itself
	AEAD      // an authenticated cipher without modes
	HashFunction
	KeyedHash
	KeyDerivation
	PasswordHash
	RSA
	Signature
	KeyExchange
	Hybrid // an envelope
	Protocol
	RandomBytes // drawn from a generator
	Laboratory  // what is measured of the laboratory and of Go
)

// Algorithm is a row of the table. Bytes that do not apply are 0.
type Algorithm struct {
	Name Name
	Kind Kind

	Key   int // bytes of a secret key, or of the secret that keys are derived from
	Block int // bytes of a cipher's block
	Nonce int // bytes, of a cipher without modes
	Size  int // bytes of a digest

	Public    int // bytes of a public key as it is sent: points uncompressed (SEC 1 §2.3.3)
	Signature int // bytes at most, two numbers in DER
	Reply     int // bytes that the second party of an exchange sends

	// Strength is in bits, against the best attacks known; 0 where nobody has said.
	Strength    int
	PostQuantum bool // it is meant to withstand quantum computers

	Uses     []Use  // of key pairs
	Standard string // where it does not depend on mode or operation
	Weakness Weakness
}

// Use is some operations of a key pair and the modes that they have; no modes is
// the empty one.
type Use struct {
	Operations []Operation
	Modes      []Mode
}

// Weakness is why a security note stands beside a number. Reports word it.
type Weakness string

const (
	EqualBlocks   Weakness = "equal-blocks"   // equal blocks of plaintext show
	NoIntegrity   Weakness = "no-integrity"   // changed ciphertext goes unnoticed
	BrokenMD5     Weakness = "broken-md5"     // collisions in seconds
	BrokenSHA1    Weakness = "broken-sha1"    // collisions were made
	ShortKey      Weakness = "short-key"      // too short for any new use
	PaddingOracle Weakness = "padding-oracle" // Bleichenbacher
	ReusedKey     Weakness = "reused-key"     // one content key for many messages
	Compressed    Weakness = "compressed"     // before it was encrypted
	LittleMemory  Weakness = "little-memory"  // graphics cards guess many passwords at once
)

// All lists the algorithms in reading order.
func All() []Algorithm { return slices.Clone(table) }

// Of is the row of an algorithm; of one that is not in the table it has the name alone.
func Of(name Name) Algorithm {
	if i := slices.IndexFunc(table, func(a Algorithm) bool { return a.Name == name }); i >= 0 {
		return table[i]
	}
	return Algorithm{Name: name}
}

func Modes() (names []Mode) {
	for _, m := range modes {
		names = append(names, m.name)
	}
	return names
}

func (a Algorithm) KeyPair() bool {
	return a.Kind == RSA || a.Kind == Signature || a.Kind == KeyExchange
}

// Hashes says whether it is a hash, or a MAC or a derivation of keys made of one.
func (a Algorithm) Hashes() bool {
	return a.Kind == HashFunction || a.Kind == KeyedHash || a.Kind == KeyDerivation
}

func (a Algorithm) Does(operation Operation, mode Mode) bool {
	return slices.ContainsFunc(a.Uses, func(u Use) bool {
		return slices.Contains(u.Operations, operation) &&
			(slices.Contains(u.Modes, mode) || len(u.Modes) == 0 && mode == "")
	})
}

// Unwraps says whether a token unwraps keys by an algorithm in a mode. No library does: it decrypts, with a key that it
// holds.
func (a Algorithm) Unwraps(mode Mode) bool {
	return a.Kind == RSA && (mode == OAEP || mode == OAEPSHA1) || a.Kind == BlockCipher && mode == KeyWrap
}

// Draws says whether it is random bytes, for a purpose that the mode names.
func (a Algorithm) Draws(mode Mode) bool {
	return a.Kind == RandomBytes && (mode == ForNonce || mode == ForIV)
}

// RSABits is the length of the modulus that a name of RSA ends with; 0 for any other.
func RSABits(name Name) int {
	length, ok := strings.CutPrefix(name, "RSA-")
	if bits, err := strconv.Atoi(length); ok && err == nil && bits > 0 {
		return bits
	}
	return 0
}

// Authenticates says whether a cipher in a mode refuses what was tampered with.
func Authenticates(name Name, mode Mode) bool {
	return modeOf(mode).authenticates || mode == KeyWrap || mode == "" && Of(name).Kind == AEAD
}

func NonceBytes(name Name, mode Mode) int {
	if mode == "" {
		return Of(name).Nonce
	}
	return modeOf(mode).nonce
}

// TagBytes are those of the tag of GCM, CCM and ChaCha20-Poly1305 (NIST SP 800-38D §5.2.1.2, SP 800-38C appendix A.1,
// RFC 8439 §2.8), of which the laboratory takes the longest.
const TagBytes = 16

// Longest is how many bytes a message of a mode may have: in CCM what the length field beside the nonce can say
// (SP 800-38C, appendix A.1), and elsewhere more than anybody measures.
func Longest(name Name, mode Mode) int64 {
	if mode == CCM {
		return 1<<(8*(15-NonceBytes(name, mode))) - 1
	}
	return math.MaxInt64
}

// WholeBlocks says whether a mode takes nothing but whole blocks, where it is not padded.
func WholeBlocks(mode Mode) bool { return mode == ECB || mode == CBC }

// Composite is the mode that gives CBC integrity: of SM4 with the hash that belongs to it.
func Composite(cipher Name) Mode {
	if cipher == SM4 {
		return CBCHMACSM3
	}
	return CBCHMACSHA256
}

// Padding is a mode of RSA as people write it; any other mode is itself.
func Padding(mode Mode) string {
	names := map[Mode]string{PSS: "PSS", OAEP: "OAEP", OAEPSHA1: "OAEP, SHA-1", PKCS1v15: "PKCS #1 v1.5",
		PKCS1v15Sign: "PKCS #1 v1.5"}
	return cmp.Or(names[mode], mode)
}

// Weaknesses are those of a cipher or hash, and of the mode that it is used in.
func Weaknesses(name Name, mode Mode) []Weakness {
	return slices.DeleteFunc([]Weakness{modeOf(mode).weakness, Of(name).Weakness}, func(w Weakness) bool { return w == "" })
}

type EnvelopeScheme struct {
	Mode     Mode
	Wrapping string // the mode without the payload, where most have that payload; else the mode
	Cipher   Name   // of the payload, in GCM
	Payload  Mode   // the mode of the payload alone, its key wrapped before
	Wrapped  int    // bytes of the wrapped or encapsulated key; 0 where it was wrapped before
	Derived  bool   // key and nonce follow from what was encapsulated (HPKE)
	Standard string
}

// Envelopes lists them in reading order, the payloads alone last.
func Envelopes() []EnvelopeScheme { return slices.Clone(envelopes) }

// EnvelopeOf is the scheme of a mode; false where there is none.
func EnvelopeOf(mode Mode) (EnvelopeScheme, bool) {
	i := slices.IndexFunc(envelopes, func(e EnvelopeScheme) bool { return e.Mode == mode })
	if i < 0 {
		return EnvelopeScheme{}, false
	}
	return envelopes[i], true
}

// Exchanges are TLS's key exchanges, and Certificates the keys that servers prove
// themselves with.
func Exchanges() []Name { return []Name{X25519, P256, X25519MLKEM768} }

// Certificates lists them, what a Go server of today has first.
func Certificates() []Name { return []Name{ECDSA256, Ed25519, RSA2048, RSA4096} }

// HandshakeMode is the mode of a handshake, and HandshakeParts what it is made of.
func HandshakeMode(exchange, certificate Name) Mode { return exchange + "+" + certificate }

func HandshakeParts(mode Mode) (exchange, certificate Name) {
	exchange, certificate, _ = strings.Cut(mode, "+")
	return exchange, certificate
}

// FixedBytes returns the message size of what has no choice of one: a block's, or none
// where keys are worked with and not messages. What is drawn for a nonce is that of GCM, for an IV that of CBC. Signatures are of a digest, and public
// keys encrypt a key of 32 bytes.
func FixedBytes(name Name, mode Mode, operation Operation) (n int64, fixed bool) {
	a := Of(name)
	switch {
	case mode == OneBlock:
		return int64(a.Block), true
	case a.Kind == RandomBytes && mode == ForIV:
		return 16, true
	case a.Kind == RandomBytes:
		return 12, true
	}
	return 0, a.KeyPair() || slices.Contains([]Operation{Schedule, New, Handshake, Start, Login, StartUp, UseSecret, Unwrap}, operation)
}
