//go:build linux && (amd64 || arm64)

package botan

import (
	_ "embed" // functions.txt
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// everyVersion are the functions that are called here and that all versions have since
// 2.19. An object without one of them is no whole Botan: what needs it is unsupported,
// where what only newer versions have is not offered.
//
//go:embed functions.txt
var functions string

var everyVersion = strings.Fields(functions)

func kindOf(c result.Case) cbinding.Kind {
	kind := cbinding.KindOf(c)
	switch {
	case kind == cbinding.Exposed || kind == cbinding.Envelope,
		kind.Hashes() && (hashName(c.Algorithm) == "" || c.Parameters != ""),
		kind == cbinding.Cipher && parameter.Batch.Has(c.Parameters),
		kind >= cbinding.Signature && (keyKindOf(c.Algorithm).load == "" || parameter.CRT.Has(c.Parameters)),
		parameter.ZA.Has(c.Parameters):
		return cbinding.None
	}
	return kind
}

var hashNames = map[algorithm.Name]string{algorithm.MD5: "MD5", algorithm.SHA1: "SHA-1", algorithm.SHA256: "SHA-256",
	algorithm.SHA384: "SHA-384", algorithm.SHA512: "SHA-512", algorithm.SHA3of256: "SHA-3(256)", algorithm.SM3: "SM3",
	algorithm.BLAKE2b512: "BLAKE2b(512)"}

// hashName is what Botan calls a hash, a MAC or a derivation of keys; empty where it is
// not asked for it.
func hashName(name algorithm.Name) string {
	for _, of := range []string{"HMAC", "HKDF"} {
		if hash, ok := strings.CutPrefix(name, of+"-"); ok && hashNames[hash] != "" {
			return of + "(" + hashNames[hash] + ")"
		}
	}
	return hashNames[name]
}

// keyKind is how Botan's functions name a key (botan_privkey_load_…), how its
// botan_privkey_create does, and its parameters: a curve where there are several, RSA's bits.
type keyKind struct{ load, create, parameters string }

var keyKinds = map[algorithm.Name]keyKind{
	algorithm.ECDSA256: {"ecdsa", "ECDSA", "secp256r1"},
	algorithm.ECDSA384: {"ecdsa", "ECDSA", "secp384r1"},
	algorithm.ECDH256:  {"ecdh", "ECDH", "secp256r1"},
	algorithm.ECDH384:  {"ecdh", "ECDH", "secp384r1"},
	algorithm.SM2:      {"sm2", "SM2", "sm2p256v1"},
	algorithm.Ed25519:  {"ed25519", "Ed25519", ""},
	algorithm.X25519:   {"x25519", "Curve25519", ""}, // which 3 takes too
}

func keyKindOf(name algorithm.Name) keyKind {
	if bits, ok := strings.CutPrefix(name, "RSA-"); ok {
		return keyKind{"rsa", "RSA", bits}
	}
	return keyKinds[name]
}

// paddingOf is what Botan calls a scheme of signatures or of encryption. RSA and
// ECDSA are given digests, hence Raw; SM2 is told the signer's identity, of
// GM/T 0009-2012 §10. flags say that a signature is a DER sequence.
func paddingOf(c result.Case) (padding string, flags uintptr) {
	const der = 1 // BOTAN_PUBKEY_DER_FORMAT_SIGNATURE
	kind := keyKindOf(c.Algorithm).load
	switch {
	case kind == "rsa":
		return map[algorithm.Mode]string{algorithm.PKCS1v15Sign: "PKCS1v15(Raw,SHA-256)", algorithm.PSS: "PSSR_Raw(SHA-256)",
			algorithm.OAEP: "OAEP(SHA-256)", algorithm.PKCS1v15: "PKCS1v15"}[c.Mode], 0
	case kind == "sm2" && (c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt):
		return "SM3", 0
	case kind == "sm2":
		return "1234567812345678,SM3", der
	case kind == "ecdsa":
		return "Raw", der
	case c.Operation == algorithm.Agree:
		return "Raw", 0
	}
	return "Pure", 0 // Ed25519
}
