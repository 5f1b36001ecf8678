package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// The ways in which Botan's C interface can be handed one message in calls, as the
// parameter "way" names them.
const (
	BotanUpdate  = "update"  // without the flag FINAL, and the end with it
	BotanFinal   = "final"   // every call with the flag FINAL, of modes that make a key stream
	BotanOneshot = "oneshot" // all of the message in one call with the flag FINAL
	BotanBlocks  = "blocks"  // the block function, and the mode around it by the caller
)

// The workarounds for a slow update that a caller can write, as subjects name them
// (Subject.Implementation). The subject without a name is what people write who
// follow the manual: [BotanUpdate].
const (
	BotanByFinal     = "final"
	BotanByBlocks    = "ctr-bypass"
	BotanByOneshot   = "oneshot"
	BotanByCoalesced = "coalesced"
)

// BotanWorkarounds lists them.
func BotanWorkarounds() []string {
	return []string{BotanByBlocks, BotanByFinal, BotanByOneshot, BotanByCoalesced}
}

// BotanCipher is what Botan calls a cipher in a mode (handbook, "Cipher Modes" and
// "Stream Ciphers"); false where it is not asked for it.
func BotanCipher(algorithm, mode string) (name string, ok bool) {
	switch algorithm {
	case "ChaCha20":
		return "ChaCha20", mode == ""
	case "ChaCha20-Poly1305":
		return "ChaCha20Poly1305", mode == ""
	}
	if !BotanBlockCipher(algorithm) {
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

// BotanBlockCipher says whether Botan is asked for a block cipher, which it calls
// as we do.
func BotanBlockCipher(algorithm string) bool {
	switch algorithm {
	case "AES-128", "AES-192", "AES-256", "SM4":
		return true
	}
	return false
}

// BotanKeyStream says whether a mode's output is a key stream that depends on
// nothing but key and nonce: what Botan makes of its class StreamCipher.
func BotanKeyStream(algorithm, mode string) bool {
	return algorithm == "ChaCha20" || BotanBlockCipher(algorithm) && (mode == "CTR" || mode == "OFB")
}

// BotanAEAD says whether a mode authenticates.
func BotanAEAD(algorithm, mode string) bool {
	return mode == "GCM" || algorithm == "ChaCha20-Poly1305"
}

// BotanOffers says whether a workaround is one for a mode. Coalescing small writes
// is one for each.
func BotanOffers(workaround, algorithm, mode string) bool {
	if _, ok := BotanCipher(algorithm, mode); !ok {
		return false
	}
	switch workaround {
	case BotanByFinal:
		return BotanKeyStream(algorithm, mode)
	case BotanByBlocks:
		return mode == "CTR"
	case BotanByOneshot:
		return BotanAEAD(algorithm, mode)
	}
	return workaround == BotanByCoalesced
}

// BotanHash is what Botan calls a hash, a MAC or a derivation of keys, and of the
// first two the part of its interface that does it.
func BotanHash(algorithm string) (name, kind string) {
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

// BotanKey is how Botan's functions name a key of an algorithm (botan_privkey_load_…),
// and its curve where the kind has several. Of RSA there is nothing to say.
func BotanKey(algorithm string) (kind, curve string) {
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

// BotanGenerates is what botan_privkey_create is asked for.
func BotanGenerates(algorithm string) (name, parameters string) {
	if bits, ok := strings.CutPrefix(algorithm, "RSA-"); ok {
		return "RSA", bits
	}
	kind, curve := BotanKey(algorithm)
	switch kind {
	case "ed25519":
		return "Ed25519", ""
	case "x25519":
		return "Curve25519", "" // which 3 takes too
	}
	return strings.ToUpper(kind), curve
}

// BotanPadding is what Botan calls a scheme of signatures or of encryption. RSA and
// ECDSA are given digests, hence Raw; SM2 is told the signer's identity, of
// GM/T 0009-2012 §10. flags say that a signature is a DER sequence.
func BotanPadding(c result.Case) (padding string, flags uintptr) {
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

// BotanKind is what a case is for Botan: which part of its interface does it, and in
// which shape.
type BotanKind int

// The kinds.
const (
	BotanNone      BotanKind = iota // not asked for
	BotanMessage                    // whole messages, also a mix of sizes, also in calls
	BotanComposite                  // CBC, then HMAC
	BotanSetup                      // a cipher made anew
	BotanSchedule                   // a block cipher under a key
	BotanMany                       // an AEAD that many goroutines hold
	BotanStream                     // a big file in chunks
	BotanCollected                  // an AEAD beside Go's collector
	BotanHashing                    // a hash or a MAC
	BotanDerivation
	BotanSignature
	BotanTransport // encryption under a public key
	BotanAgreement
	BotanGeneration
	BotanDraws    // RSA keys, each a draw
	BotanExchange // a step of a key exchange
)

func hasBotan(c result.Case) bool { return Botan(c) != BotanNone }

// Botan says what a case is.
func Botan(c result.Case) BotanKind {
	if p, err := result.ParseParameters(c.Parameters); err == nil && p["busy"] != "" {
		delete(p, "busy")
		c.Parameters = p.String()
		switch kind := botanKeyPair(c); kind {
		case BotanSignature, BotanTransport, BotanAgreement:
			return kind
		}
		return BotanNone // every CPU busy is asked of key pairs
	}
	for _, is := range []func(result.Case) BotanKind{botanCipher, botanHash, botanKeyPair} {
		if kind := is(c); kind != BotanNone {
			return kind
		}
	}
	return BotanNone
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

func botanCipher(c result.Case) BotanKind {
	_, cipher := BotanCipher(c.Algorithm, c.Mode)
	block := BotanBlockCipher(c.Algorithm)
	if hash, composite := strings.CutPrefix(c.Mode, "CBC+HMAC-"); composite && block && (hash == "SM3") == (c.Algorithm == "SM4") &&
		(c.Operation == "encrypt" || c.Operation == "decrypt") && has(c, "padding", "messages,padding,sizes") {
		return BotanComposite
	}
	if c.Operation == "schedule" && block && c.Mode == "" && c.Parameters == "" {
		return BotanSchedule
	}
	blocks := block && (c.Mode == "ECB" || c.Mode == "block")
	if !cipher && !blocks {
		return BotanNone
	}
	seals := BotanAEAD(c.Algorithm, c.Mode)
	switch c.Operation {
	case "encrypt", "decrypt":
		switch {
		case c.Parameters == "", c.Mode != "block" && has(c, "call,way"), seals && has(c, "messages,sizes"):
			return BotanMessage
		case c.Operation == "encrypt" && seals && has(c, "goroutines,holding,request", "goroutines,holding,messages,request,sizes"):
			return BotanMany
		case c.Operation == "encrypt" && seals && has(c, "buffers,heap"):
			return BotanCollected
		}
	case "arrival":
		if seals && has(c, "load,request", "load,messages,request,sizes") {
			return BotanMany
		}
	case "stream":
		if seals {
			return BotanStream
		}
	case "new", "new+encrypt":
		if seals && c.Parameters == "" {
			return BotanSetup
		}
	}
	return BotanNone
}

func botanHash(c result.Case) BotanKind {
	_, kind := BotanHash(c.Algorithm)
	switch {
	case c.Mode != "" || c.Parameters != "":
	case kind == "hash" && c.Operation == "hash", kind == "mac" && c.Operation == "mac":
		return BotanHashing
	case kind == "kdf" && c.Operation == "derive":
		return BotanDerivation
	}
	return BotanNone
}

func botanKeyPair(c result.Case) BotanKind {
	isRSA := strings.HasPrefix(c.Algorithm, "RSA-")
	kind, _ := BotanKey(c.Algorithm)
	agrees := kind == "ecdh" || kind == "x25519"
	switch {
	case !isRSA && kind == "" || (c.Mode == "") == (isRSA && c.Operation != "generate"):
		return BotanNone
	case has(c, "buffers,heap") && (c.Operation == "sign" && !agrees || c.Operation == "agree" && agrees || c.Operation == "decrypt" && isRSA):
		return BotanCollected
	case isRSA && c.Operation == "generate" && has(c, "draws"):
		return BotanDraws
	case isRSA && (c.Operation == "encrypt" || c.Operation == "decrypt") && (c.Mode == "OAEP-SHA-256" || c.Mode == "PKCS1v15") && has(c, "", "message"):
		return BotanTransport
	case isRSA && (c.Mode != "PKCS1v15-SHA-256" && c.Mode != "PSS-SHA-256") || c.Parameters != "":
		return BotanNone
	}
	switch c.Operation {
	case "sign", "verify":
		if !agrees {
			return BotanSignature
		}
	case "encrypt", "decrypt":
		if kind == "sm2" {
			return BotanTransport
		}
	case "agree":
		if c.Algorithm == "ECDH-P-256" || c.Algorithm == "X25519" {
			return BotanAgreement
		}
	case "generate":
		if agrees {
			return BotanExchange
		}
		return BotanGeneration
	case "encapsulate", "decapsulate", "session", "session-key":
		if agrees {
			return BotanExchange
		}
	}
	return BotanNone
}
