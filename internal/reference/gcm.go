package reference

import (
	"bytes"
	"encoding/binary"
)

// SealGCM returns ciphertext‖tag (SP 800-38D algorithm 4, t = 128). The nonce has at least one byte; 12 is usual,
// and any other length takes the GHASH branch of step 2.
func SealGCM(b Block, nonce, plaintext, aad []byte) []byte {
	must(len(nonce) > 0, "GCM nonce is empty") // SP 800-38D §5.2.1.1
	h := hashSubkey(b)
	j0 := gcmFirstCounter(h, nonce)
	ciphertext := gcmCTR(b, j0, plaintext)
	return append(ciphertext, gcmTag(b, h, j0, aad, ciphertext)...)
}

// OpenGCM returns the plaintext of sealed = ciphertext‖tag, or ErrOpen (SP 800-38D algorithm 5).
func OpenGCM(b Block, nonce, sealed, aad []byte) ([]byte, error) {
	if len(nonce) == 0 || len(sealed) < BlockSize {
		return nil, ErrOpen
	}
	ciphertext, tag := sealed[:len(sealed)-BlockSize], sealed[len(sealed)-BlockSize:]
	h := hashSubkey(b)
	j0 := gcmFirstCounter(h, nonce)
	if !bytes.Equal(tag, gcmTag(b, h, j0, aad, ciphertext)) {
		return nil, ErrOpen
	}
	return gcmCTR(b, j0, ciphertext), nil
}

// hashSubkey is H, the encryption of the zero block.
func hashSubkey(b Block) element {
	var h [BlockSize]byte
	b.Encrypt(h[:], h[:])
	return loadElement(h[:])
}

// gcmFirstCounter is J₀, step 2 of algorithm 4.
func gcmFirstCounter(h element, nonce []byte) (j0 [BlockSize]byte) {
	if len(nonce) == 12 {
		copy(j0[:], nonce)
		j0[15] = 1
		return j0
	}
	return ghash(h, nil, nonce) // 64 zero bits and the nonce's length in bits: the length block of no associated data
}

// gcmCTR is GCTR from inc₃₂(J₀) on: only the last 32 bits count (SP 800-38D §6.2, §6.5).
func gcmCTR(b Block, j0 [BlockSize]byte, src []byte) []byte {
	increment32(&j0)
	return xorCounter(b, j0, src, increment32)
}

func increment32(counter *[BlockSize]byte) {
	binary.BigEndian.PutUint32(counter[12:], binary.BigEndian.Uint32(counter[12:])+1)
}

// gcmTag is GHASH over both texts and their lengths, masked by the encryption of J₀ (steps 5 and 6).
func gcmTag(b Block, h element, j0 [BlockSize]byte, aad, ciphertext []byte) []byte {
	tag := ghash(h, aad, ciphertext)
	b.Encrypt(j0[:], j0[:])
	xorInto(tag[:], j0[:])
	return tag[:]
}

// ghash is GHASH_H over aad and text, each padded with zeros to whole blocks, and their lengths in bits (§6.4).
func ghash(h element, aad, text []byte) (digest [BlockSize]byte) {
	var y element
	for _, part := range [][]byte{aad, text} {
		for len(part) > 0 {
			var block [BlockSize]byte
			part = part[copy(block[:], part):]
			y = y.add(loadElement(block[:])).mul(h)
		}
	}
	y = y.add(element{uint64(len(aad)) * 8, uint64(len(text)) * 8}).mul(h)
	binary.BigEndian.PutUint64(digest[:], y.high)
	binary.BigEndian.PutUint64(digest[8:], y.low)
	return digest
}

// element is an element of GF(2¹²⁸) in GCM's bit order: the coefficient of x⁰ is the top bit of high (§6.3).
type element struct{ high, low uint64 }

func loadElement(b []byte) element {
	return element{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (x element) add(y element) element { return element{x.high ^ y.high, x.low ^ y.low} }

// mul is algorithm 1, x·v, bit by bit; v runs through y, y·x, y·x² and so on.
func (x element) mul(v element) (z element) {
	for _, word := range [2]uint64{x.high, x.low} {
		for range 64 {
			take := -(word >> 63) // all ones when the coefficient is 1
			z.high ^= v.high & take
			z.low ^= v.low & take
			word <<= 1
			carry := -(v.low & 1) & (0xe1 << 56) // R, §6.3
			v.low = v.low>>1 | v.high<<63
			v.high = v.high>>1 ^ carry
		}
	}
	return z
}
