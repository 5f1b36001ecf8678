package catalog

import "github.com/cryptogauge/cryptogauge/result"

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

func hasBotan(c result.Case) bool { return BotanHas(c) }

// BotanHas says whether a case is asked of Botan.
func BotanHas(c result.Case) bool {
	switch c.Operation {
	case "encrypt", "decrypt":
		_, cipher := BotanCipher(c.Algorithm, c.Mode)
		block := BotanBlockCipher(c.Algorithm) && (c.Mode == "ECB" || c.Mode == "block")
		return (cipher || block) && (c.Parameters == "" || c.Parameter("way") != "")
	}
	return false
}
