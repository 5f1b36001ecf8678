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

// SealCCM returns ciphertext‖tag (SP 800-38C §6.1). The nonce has 7 to 13 bytes, the tag 4 to 16 and an even number,
// and the plaintext is shorter than 2^(8q) bytes, where q = 15 − len(nonce) (appendix A.1).
func SealCCM(b Block, nonce, plaintext, aad []byte, tagSize int) []byte {
	must(ccmSizes(nonce, len(plaintext), tagSize), "sizes that CCM does not have")
	mac := ccmMAC(b, nonce, plaintext, aad, tagSize)
	return append(ccmCTR(b, nonce, plaintext), ccmMask(b, nonce, mac)[:tagSize]...)
}

// OpenCCM returns the plaintext of sealed = ciphertext‖tag, or ErrOpen (SP 800-38C §6.2).
func OpenCCM(b Block, nonce, sealed, aad []byte, tagSize int) ([]byte, error) {
	n := len(sealed) - tagSize
	if n < 0 || !ccmSizes(nonce, n, tagSize) {
		return nil, ErrOpen
	}
	plaintext := ccmCTR(b, nonce, sealed[:n])
	if !bytes.Equal(sealed[n:], ccmMask(b, nonce, ccmMAC(b, nonce, plaintext, aad, tagSize))[:tagSize]) {
		return nil, ErrOpen
	}
	return plaintext, nil
}

// ccmSizes are the conditions of appendix A.1.
func ccmSizes(nonce []byte, text, tag int) bool {
	q := 15 - len(nonce)
	return q >= 2 && q <= 8 && tag >= 4 && tag <= BlockSize && tag%2 == 0 && (q == 8 || uint64(text)>>(8*q) == 0)
}

// ccmMAC is the last block of CBC over B₀ and what follows, steps 1 to 4.
func ccmMAC(b Block, nonce, plaintext, aad []byte, tagSize int) []byte {
	all := ccmFirst(nonce, len(plaintext), len(aad), tagSize)
	if len(aad) > 0 {
		all = padZeros(append(append(all, ccmLength(len(aad))...), aad...))
	}
	all = padZeros(append(all, plaintext...))
	ciphertext := EncryptCBC(b, make([]byte, BlockSize), all)
	return ciphertext[len(ciphertext)-BlockSize:]
}

// ccmFirst is B₀, appendix A.2.1: flags, the nonce, and the length of the text in what is left.
func ccmFirst(nonce []byte, text, aad, tagSize int) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 8), uint64(text))
	b[0] = byte((tagSize-2)/2)<<3 | byte(15-len(nonce)-1)
	if aad > 0 {
		b[0] |= 1 << 6
	}
	copy(b[1:], nonce)
	return b
}

// ccmLength is the length of the associated data before them, appendix A.2.2.
func ccmLength(n int) []byte {
	switch {
	case n < 1<<16-1<<8:
		return binary.BigEndian.AppendUint16(nil, uint16(n))
	case uint64(n) < 1<<32:
		return binary.BigEndian.AppendUint32([]byte{0xff, 0xfe}, uint32(n))
	}
	return binary.BigEndian.AppendUint64([]byte{0xff, 0xff}, uint64(n))
}

// padZeros fills the last block with zeros.
func padZeros(b []byte) []byte { return append(b, make([]byte, -len(b)&(BlockSize-1))...) }

// ccmCounter is Ctr_i, appendix A.3.
func ccmCounter(nonce []byte, i byte) (ctr [BlockSize]byte) {
	ctr[0] = byte(15 - len(nonce) - 1)
	copy(ctr[1:], nonce)
	ctr[BlockSize-1] = i
	return ctr
}

// ccmCTR is CTR from Ctr₁ on. A text that is not too long leaves the nonce alone.
func ccmCTR(b Block, nonce, src []byte) []byte {
	return xorCounter(b, ccmCounter(nonce, 1), src, increment128)
}

// ccmMask adds the encryption of Ctr₀.
func ccmMask(b Block, nonce, mac []byte) []byte {
	mask := ccmCounter(nonce, 0)
	b.Encrypt(mask[:], mask[:])
	xorInto(mask[:], mac)
	return mask[:]
}
