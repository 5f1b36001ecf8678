package reference

import (
	"bytes"
	"errors"
	"math/bits"
	"slices"
	"sync"
)

// What module vectors holds against Wycheproof, beside tests here, and nothing is judged by.

// Decrypt is INVCIPHER, FIPS 197 §5.3.
func (b *aesBlock) Decrypt(dst, src []byte) {
	last := len(b.w) - 4
	s := loadColumns(src).addRoundKey(b.w[last:])
	for i := last - 4; i > 0; i -= 4 {
		s = s.invShiftRowsSubBytes().addRoundKey(b.w[i:])
		s = columns{invMixColumn(s.c0), invMixColumn(s.c1), invMixColumn(s.c2), invMixColumn(s.c3)}
	}
	s.invShiftRowsSubBytes().addRoundKey(b.w).store(dst)
}

// invShiftRowsSubBytes is INVSHIFTROWS and INVSUBBYTES (FIPS 197 §5.3.1, §5.3.2): row r moves r columns to the right.
func (s columns) invShiftRowsSubBytes() columns {
	return columns{
		aesInvSubWord(diagonal(s.c0, s.c3, s.c2, s.c1)),
		aesInvSubWord(diagonal(s.c1, s.c0, s.c3, s.c2)),
		aesInvSubWord(diagonal(s.c2, s.c1, s.c0, s.c3)),
		aesInvSubWord(diagonal(s.c3, s.c2, s.c1, s.c0)),
	}
}

// invMixColumn multiplies a column by {0b}x³+{0d}x²+{09}x+{0e} modulo x⁴+1 (FIPS 197 §5.3.3), which is
// {04}x²+{05} times the polynomial of mixColumn.
func invMixColumn(a uint32) uint32 {
	return mixColumn(a ^ xtime(xtime(a^bits.RotateLeft32(a, 16))))
}

func aesInvSubWord(a uint32) uint32 { return substitute(aesInvSBox(), a) }

// aesInvSBox is INVSBOX, FIPS 197 §5.3.2.
var aesInvSBox = sync.OnceValue(func() *[256]byte {
	inverse := new([256]byte)
	for x, y := range aesSBox() {
		inverse[y] = byte(x)
	}
	return inverse
})

// Decrypt is encryption with the round keys in reverse order (GB/T 32907 §7.2).
func (b *sm4Block) Decrypt(dst, src []byte) {
	backward := *b
	slices.Reverse(backward[:])
	backward.Encrypt(dst, src)
}

func decrypt(b Block, block []byte) { b.(interface{ Decrypt(dst, src []byte) }).Decrypt(block, block) }

// DecryptCBC reverses EncryptCBC and leaves the padding in place.
func DecryptCBC(b Block, iv, src []byte) []byte {
	must(len(src)%BlockSize == 0, "CBC needs whole blocks")
	return chained(iv, src, func(block, chain []byte) {
		ciphertext := [BlockSize]byte(block)
		decrypt(b, block)
		xorInto(block, chain)
		copy(chain, ciphertext[:])
	})
}

// UnpadPKCS7 removes what PadPKCS7 appended, and fails if every byte of it isn't as it should be.
func UnpadPKCS7(src []byte) ([]byte, error) {
	for n := 1; n <= min(len(src), BlockSize); n++ {
		if plaintext := src[:len(src)-n]; bytes.Equal(PadPKCS7(plaintext), src) {
			return plaintext, nil
		}
	}
	return nil, errors.New("wrong PKCS #7 padding")
}

// OpenCCM returns the plaintext of sealed = ciphertext‖tag, or ErrOpen (SP 800-38C §6.2).
func OpenCCM(b Block, nonce, sealed, aad []byte, tagSize int) ([]byte, error) {
	n := len(sealed) - tagSize
	if n < 0 || !ccmSizes(nonce, n, tagSize) {
		return nil, ErrOpen
	}
	plaintext := SealCCM(b, nonce, make([]byte, n), aad, tagSize)[:n] // the key stream
	xorInto(plaintext, sealed[:n])
	if !bytes.Equal(SealCCM(b, nonce, plaintext, aad, tagSize), sealed) {
		return nil, ErrOpen
	}
	return plaintext, nil
}
