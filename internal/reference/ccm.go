package reference

import (
	"bytes"
	"encoding/binary"
)

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
