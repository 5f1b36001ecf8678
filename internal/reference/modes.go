package reference

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// EncryptECB encrypts whole blocks, each by itself (SP 800-38A §6.1).
func EncryptECB(b Block, src []byte) []byte {
	must(len(src)%BlockSize == 0, "ECB needs whole blocks")
	dst := append([]byte{}, src...)
	for block := range slices.Chunk(dst, BlockSize) {
		b.Encrypt(block, block)
	}
	return dst
}

// chained works on a copy of src block after block, of which the last may be short, with a chain that begins as iv.
func chained(iv, src []byte, work func(block, chain []byte)) []byte {
	must(len(iv) == BlockSize, "IV is not one block")
	dst, chain := append([]byte{}, src...), [BlockSize]byte(iv)
	for block := range slices.Chunk(dst, BlockSize) {
		work(block, chain[:])
	}
	return dst
}

// EncryptCBC encrypts whole blocks, each mixed with the ciphertext before it (SP 800-38A §6.2). For a message of
// any length pad it with PadPKCS7 first.
func EncryptCBC(b Block, iv, src []byte) []byte {
	must(len(src)%BlockSize == 0, "CBC needs whole blocks")
	return chained(iv, src, func(block, chain []byte) {
		xorInto(block, chain)
		b.Encrypt(block, block)
		copy(chain, block)
	})
}

// EncryptCFB is CFB with segments of 128 bits (SP 800-38A §6.3, s = b). The last segment may be short, as
// everyone allows, though the standard asks for whole ones.
func EncryptCFB(b Block, iv, src []byte) []byte {
	return chained(iv, src, func(block, chain []byte) {
		b.Encrypt(chain, chain)
		xorInto(block, chain)
		copy(chain, block)
	})
}

// OFB encrypts or decrypts any number of bytes (SP 800-38A §6.4).
func OFB(b Block, iv, src []byte) []byte {
	return chained(iv, src, func(block, chain []byte) {
		b.Encrypt(chain, chain)
		xorInto(block, chain)
	})
}

// CTR encrypts or decrypts any number of bytes (SP 800-38A §6.5). All of iv is the counter, big-endian, and it
// wraps modulo 2¹²⁸: the standard incrementing function of appendix B.1 with m = 128, as in Go and OpenSSL.
func CTR(b Block, iv, src []byte) []byte {
	return xorCounter(b, iv, src, increment128)
}

// xorCounter XORs src with the encryptions of counter, of next(counter) and so on; GCM counts another way than CTR.
func xorCounter(b Block, counter, src []byte, next func(counter []byte)) []byte {
	var pad [BlockSize]byte
	return chained(counter, src, func(block, counter []byte) {
		b.Encrypt(pad[:], counter)
		xorInto(block, pad[:])
		next(counter)
	})
}

func increment128(counter []byte) {
	low := binary.BigEndian.Uint64(counter[8:]) + 1
	binary.BigEndian.PutUint64(counter[8:], low)
	if low == 0 {
		binary.BigEndian.PutUint64(counter, binary.BigEndian.Uint64(counter)+1)
	}
}

// xorInto XORs src into dst, as much as the shorter of them has.
func xorInto[W byte | uint32 | uint64](dst, src []W) {
	for i := range min(len(dst), len(src)) {
		dst[i] ^= src[i]
	}
}

func addInto[W uint32 | uint64](dst, src []W) {
	for i, v := range src {
		dst[i] += v
	}
}

// PadPKCS7 appends 1 to BlockSize bytes, each of them their number, so that whole blocks result (RFC 5652 §6.3).
func PadPKCS7(src []byte) []byte {
	n := BlockSize - len(src)%BlockSize
	return slices.Concat(src, bytes.Repeat([]byte{byte(n)}, n))
}

// SealCBCHMAC encrypts, then authenticates: it returns ciphertext‖tag, where the ciphertext is CBC over the
// plaintext with PKCS #7 padding and the tag is HMAC under macKey over iv‖ciphertext, whole. The order is
// that of RFC 7366; the layout is cryptogauge's own. hash and blockSize are those of HMAC.
func SealCBCHMAC(b Block, hash func([]byte) []byte, blockSize int, macKey, iv, plaintext []byte) []byte {
	ciphertext := EncryptCBC(b, iv, PadPKCS7(plaintext))
	return append(ciphertext, HMAC(hash, blockSize, macKey, slices.Concat(iv, ciphertext))...)
}

// wrapUnit is the half of a block in which keys are wrapped.
const wrapUnit = BlockSize / 2

// wrapRounds are the passes over all units.
const wrapRounds = 6

// WrapKey wraps a key of two units or more, 8 bytes each, under b: KW-AE of SP 800-38F §6.2, which is RFC 3394 §2.2.1.
func WrapKey(b Block, key []byte) []byte {
	must(len(key)%wrapUnit == 0 && len(key) >= 2*wrapUnit, "a key that KW does not wrap")
	out := append(bytes.Repeat([]byte{0xa6}, wrapUnit), key...) // ICV1, SP 800-38F §6.2
	n := len(key) / wrapUnit
	var block [BlockSize]byte
	for t := 1; t <= wrapRounds*n; t++ {
		unit := out[wrapUnit*((t-1)%n+1):][:wrapUnit]
		copy(block[:], out[:wrapUnit])
		copy(block[wrapUnit:], unit)
		b.Encrypt(block[:], block[:])
		copy(unit, block[wrapUnit:])
		binary.BigEndian.PutUint64(out, binary.BigEndian.Uint64(block[:])^uint64(t))
	}
	return out
}
