package reference

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"math/bits"
	"slices"
	"sync"
)

// What the standards' vectors need and nothing here is judged by.

// DigestInfoSHA512 wraps a digest of SHA-512 for RSASignPKCS1v15 and RSAVerifyPKCS1v15.
func DigestInfoSHA512(digest []byte) []byte {
	return digestInfo([]byte{0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3}, digest) // 2.16.840.1.101.3.4.2.3
}

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

// DecryptECB reverses EncryptECB.
func DecryptECB(b Block, src []byte) []byte {
	must(len(src)%BlockSize == 0, "ECB needs whole blocks")
	dst := append([]byte{}, src...)
	for block := range slices.Chunk(dst, BlockSize) {
		decrypt(b, block)
	}
	return dst
}

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

// DecryptCFB reverses EncryptCFB.
func DecryptCFB(b Block, iv, src []byte) []byte {
	return chained(iv, src, func(block, chain []byte) {
		ciphertext := bytes.Clone(block)
		b.Encrypt(chain, chain)
		xorInto(block, chain)
		copy(chain, ciphertext)
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

// UnwrapKey returns the key that was wrapped, or ErrOpen: KW-AD of SP 800-38F §6.2.
func UnwrapKey(b Block, wrapped []byte) ([]byte, error) {
	n := len(wrapped)/wrapUnit - 1
	if len(wrapped)%wrapUnit != 0 || n < 2 {
		return nil, ErrOpen
	}
	out := bytes.Clone(wrapped)
	var block [BlockSize]byte
	for t := wrapRounds * n; t > 0; t-- {
		unit := out[wrapUnit*((t-1)%n+1):][:wrapUnit]
		binary.BigEndian.PutUint64(block[:], binary.BigEndian.Uint64(out)^uint64(t))
		copy(block[wrapUnit:], unit)
		decrypt(b, block[:])
		copy(out, block[:wrapUnit])
		copy(unit, block[wrapUnit:])
	}
	if !bytes.Equal(out[:wrapUnit], bytes.Repeat([]byte{0xa6}, wrapUnit)) {
		return nil, ErrOpen
	}
	return out[wrapUnit:], nil
}

// OpenCBCHMAC returns the plaintext of sealed = ciphertext‖tag. The tag is judged before the padding is looked at,
// so anything changed on the way is ErrOpen.
func OpenCBCHMAC(b Block, hash func([]byte) []byte, blockSize int, macKey, iv, sealed []byte) ([]byte, error) {
	n := len(sealed) - len(hash(nil))
	if n < 0 || n%BlockSize != 0 || !bytes.Equal(sealed[n:], HMAC(hash, blockSize, macKey, slices.Concat(iv, sealed[:n]))) {
		return nil, ErrOpen
	}
	return UnpadPKCS7(DecryptCBC(b, iv, sealed[:n]))
}

// BLAKE2b256 returns the digest of msg by BLAKE2b without a key, 32 bytes (RFC 7693 §3.3). It is not a part of
// BLAKE2b512's, whose parameters differ.
func BLAKE2b256(msg []byte) []byte { return sumBLAKE2b(32, msg) }

func hexInt(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 16)
	must(ok, "not a hexadecimal number: "+s)
	return n
}
