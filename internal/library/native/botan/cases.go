//go:build linux && (amd64 || arm64)

package botan

import (
	"maps"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// The ways in which Botan's C interface can be handed one message in calls, as the
// parameter "way" names them.
const (
	byUpdate  = "update"  // without the flag FINAL, and the end with it
	byFinal   = "final"   // every call with the flag FINAL, of modes that make a key stream
	byOneshot = "oneshot" // all of the message in one call with the flag FINAL
	byBlocks  = "blocks"  // the block function, and the mode around it by the caller
)

// The workarounds for a slow update that a caller can write, as subjects name them
// (Subject.Implementation). The subject without a name is what people write who
// follow the manual: [byUpdate].
const (
	aroundFinal     = "final"
	aroundBlocks    = "ctr-bypass"
	aroundOneshot   = "oneshot"
	aroundCoalesced = "coalesced"
)

// WorkaroundNames lists them.
func WorkaroundNames() []string {
	return []string{aroundBlocks, aroundFinal, aroundOneshot, aroundCoalesced}
}

// cipherName is what Botan calls a cipher in a mode (handbook, "Cipher Modes" and
// "Stream Ciphers"); false where it is not asked for it.
func cipherName(algorithm, mode string) (name string, ok bool) {
	switch algorithm {
	case "ChaCha20":
		return "ChaCha20", mode == ""
	case "ChaCha20-Poly1305":
		return "ChaCha20Poly1305", mode == ""
	}
	if !isBlockCipher(algorithm) {
		return "", false
	}
	switch mode {
	case "CBC":
		return algorithm + "/CBC/NoPadding", true
	case "CTR":
		return algorithm + "/CTR-BE", true
	case "CFB", "OFB", "GCM":
		return algorithm + "/" + mode, true
	}
	return "", false
}

// isBlockCipher says whether Botan is asked for a block cipher, which it calls
// as we do.
func isBlockCipher(algorithm string) bool {
	switch algorithm {
	case "AES-128", "AES-192", "AES-256", "SM4":
		return true
	}
	return false
}

// isKeyStream says whether a mode's output is a key stream that depends on
// nothing but key and nonce: what Botan makes of its class StreamCipher.
func isKeyStream(algorithm, mode string) bool {
	return algorithm == "ChaCha20" || isBlockCipher(algorithm) && (mode == "CTR" || mode == "OFB")
}

// isAEAD says whether a mode authenticates.
func isAEAD(algorithm, mode string) bool {
	return mode == "GCM" || algorithm == "ChaCha20-Poly1305"
}

// goesAround says whether a workaround is one for a mode. Coalescing small writes
// is one for each.
func goesAround(workaround, algorithm, mode string) bool {
	if _, ok := cipherName(algorithm, mode); !ok {
		return false
	}
	switch workaround {
	case aroundFinal:
		return isKeyStream(algorithm, mode)
	case aroundBlocks:
		return mode == "CTR"
	case aroundOneshot:
		return isAEAD(algorithm, mode)
	}
	return workaround == aroundCoalesced
}

// hashName is what Botan calls a hash, a MAC or a derivation of keys, and of the
// first two the part of its interface that does it.
func hashName(algorithm string) (name, kind string) {
	names := map[string]string{"MD5": "MD5", "SHA-1": "SHA-1", "SHA-256": "SHA-256", "SHA-384": "SHA-384", "SHA-512": "SHA-512",
		"SHA3-256": "SHA-3(256)", "SM3": "SM3", "BLAKE2b-512": "BLAKE2b(512)"}
	if name, ok := names[algorithm]; ok {
		return name, "hash"
	}
	for _, of := range []struct{ prefix, name, kind string }{{"HMAC-", "HMAC", "mac"}, {"HKDF-", "HKDF", "kdf"}} {
		if hash, ok := strings.CutPrefix(algorithm, of.prefix); ok && names[hash] != "" {
			return of.name + "(" + names[hash] + ")", of.kind
		}
	}
	return "", ""
}

// keyType is how Botan's functions name a key of an algorithm (botan_privkey_load_…),
// and its curve where the kind has several. Of RSA there is nothing to say.
func keyType(algorithm string) (kind, curve string) {
	switch algorithm {
	case "ECDSA-P-256":
		return "ecdsa", "secp256r1"
	case "ECDSA-P-384":
		return "ecdsa", "secp384r1"
	case "ECDH-P-256":
		return "ecdh", "secp256r1"
	case "ECDH-P-384":
		return "ecdh", "secp384r1"
	case "SM2":
		return "sm2", "sm2p256v1"
	case "Ed25519":
		return "ed25519", ""
	case "X25519":
		return "x25519", ""
	}
	return "", ""
}

// generated is what botan_privkey_create is asked for.
func generated(algorithm string) (name, parameters string) {
	if bits, ok := strings.CutPrefix(algorithm, "RSA-"); ok {
		return "RSA", bits
	}
	kind, curve := keyType(algorithm)
	switch kind {
	case "ed25519":
		return "Ed25519", ""
	case "x25519":
		return "Curve25519", "" // which 3 takes too
	}
	return strings.ToUpper(kind), curve
}

// paddingOf is what Botan calls a scheme of signatures or of encryption. RSA and
// ECDSA are given digests, hence Raw; SM2 is told the signer's identity, of
// GM/T 0009-2012 §10. flags say that a signature is a DER sequence.
func paddingOf(c result.Case) (padding string, flags uintptr) {
	const der = 1 // BOTAN_PUBKEY_DER_FORMAT_SIGNATURE
	switch c.Mode {
	case "PKCS1v15-SHA-256":
		return "PKCS1v15(Raw,SHA-256)", 0
	case "PSS-SHA-256":
		return "PSSR_Raw(SHA-256)", 0
	case "OAEP-SHA-256":
		return "OAEP(SHA-256)", 0
	case "PKCS1v15":
		return "PKCS1v15", 0
	}
	switch {
	case c.Algorithm == "SM2" && (c.Operation == "encrypt" || c.Operation == "decrypt"):
		return "SM3", 0
	case c.Algorithm == "SM2":
		return "1234567812345678,SM3", der
	case strings.HasPrefix(c.Algorithm, "ECDSA-"):
		return "Raw", der
	}
	return "Pure", 0 // Ed25519
}

// kind is what a case is for Botan: which part of its interface does it, and in
// which shape.
type kind int

// The kinds.
const (
	kindNone      kind = iota // not asked for
	kindMessage               // whole messages, also a mix of sizes, also in calls
	kindComposite             // CBC, then HMAC
	kindSetup                 // a cipher made anew
	kindSchedule              // a block cipher under a key
	kindMany                  // an AEAD that many goroutines hold
	kindStream                // a big file in chunks
	kindCollected             // an AEAD beside Go's collector
	kindHashing               // a hash or a MAC
	kindDerivation
	kindSignature
	kindTransport // encryption under a public key
	kindAgreement
	kindGeneration
	kindDraws    // RSA keys, each a draw
	kindExchange // a step of a key exchange
)

// Botan says what a case is.
func kindOf(c result.Case) kind {
	if p, err := result.ParseParameters(c.Parameters); err == nil && p["busy"] != "" {
		delete(p, "busy")
		c.Parameters = p.String()
		switch kind := keyPairKind(c); kind {
		case kindSignature, kindTransport, kindAgreement:
			return kind
		}
		return kindNone // every CPU busy is asked of key pairs
	}
	for _, is := range []func(result.Case) kind{cipherKind, hashKind, keyPairKind} {
		if kind := is(c); kind != kindNone {
			return kind
		}
	}
	return kindNone
}

// has says whether a case's parameters are one of some sets of names, each set
// separated by commas.
func has(c result.Case, sets ...string) bool {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return false
	}
	names := strings.Join(slices.Sorted(maps.Keys(p)), ",")
	return slices.Contains(sets, names)
}

func cipherKind(c result.Case) kind {
	_, cipher := cipherName(c.Algorithm, c.Mode)
	block := isBlockCipher(c.Algorithm)
	if hash, composite := strings.CutPrefix(c.Mode, "CBC+HMAC-"); composite && block && (hash == "SM3") == (c.Algorithm == "SM4") &&
		(c.Operation == "encrypt" || c.Operation == "decrypt") && has(c, "padding", "messages,padding,sizes") {
		return kindComposite
	}
	if c.Operation == "schedule" && block && c.Mode == "" && c.Parameters == "" {
		return kindSchedule
	}
	blocks := block && (c.Mode == "ECB" || c.Mode == "block")
	if !cipher && !blocks {
		return kindNone
	}
	seals := isAEAD(c.Algorithm, c.Mode)
	switch c.Operation {
	case "encrypt", "decrypt":
		switch {
		case c.Parameters == "", c.Mode != "block" && has(c, "call,way"), seals && has(c, "messages,sizes"):
			return kindMessage
		case c.Operation == "encrypt" && seals && has(c, "goroutines,holding,request", "goroutines,holding,messages,request,sizes"):
			return kindMany
		case c.Operation == "encrypt" && seals && has(c, "buffers,heap"):
			return kindCollected
		}
	case "arrival":
		if seals && has(c, "load,request", "load,messages,request,sizes") {
			return kindMany
		}
	case "stream":
		if seals {
			return kindStream
		}
	case "new", "new+encrypt":
		if seals && c.Parameters == "" {
			return kindSetup
		}
	}
	return kindNone
}

func hashKind(c result.Case) kind {
	_, kind := hashName(c.Algorithm)
	switch {
	case c.Mode != "" || c.Parameters != "":
	case kind == "hash" && c.Operation == "hash", kind == "mac" && c.Operation == "mac":
		return kindHashing
	case kind == "kdf" && c.Operation == "derive":
		return kindDerivation
	}
	return kindNone
}

func keyPairKind(c result.Case) kind {
	isRSA := strings.HasPrefix(c.Algorithm, "RSA-")
	kind, _ := keyType(c.Algorithm)
	agrees := kind == "ecdh" || kind == "x25519"
	switch {
	case !isRSA && kind == "" || (c.Mode == "") == (isRSA && c.Operation != "generate"):
		return kindNone
	case has(c, "buffers,heap") && (c.Operation == "sign" && !agrees || c.Operation == "agree" && agrees || c.Operation == "decrypt" && isRSA):
		return kindCollected
	case isRSA && c.Operation == "generate" && has(c, "draws"):
		return kindDraws
	case isRSA && (c.Operation == "encrypt" || c.Operation == "decrypt") && (c.Mode == "OAEP-SHA-256" || c.Mode == "PKCS1v15") && has(c, "", "message"):
		return kindTransport
	case isRSA && (c.Mode != "PKCS1v15-SHA-256" && c.Mode != "PSS-SHA-256") || c.Parameters != "":
		return kindNone
	}
	switch c.Operation {
	case "sign", "verify":
		if !agrees {
			return kindSignature
		}
	case "encrypt", "decrypt":
		if kind == "sm2" {
			return kindTransport
		}
	case "agree":
		if c.Algorithm == "ECDH-P-256" || c.Algorithm == "X25519" {
			return kindAgreement
		}
	case "generate":
		if agrees {
			return kindExchange
		}
		return kindGeneration
	case "encapsulate", "decapsulate", "session", "session-key":
		if agrees {
			return kindExchange
		}
	}
	return kindNone
}
