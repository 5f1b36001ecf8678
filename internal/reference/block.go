package reference

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"sync"
)

// aesBlock holds the key schedule. Its words, like those of the state here, are columns, row 0 on top (FIPS 197 §3.5).
type aesBlock struct{ w []uint32 }

type columns struct{ c0, c1, c2, c3 uint32 }

// NewAES returns AES-128, AES-192 or AES-256 (FIPS 197), by the length of key.
func NewAES(key []byte) (Block, error) {
	switch len(key) {
	case 16, 24, 32:
		return &aesBlock{aesKeyExpansion(key)}, nil
	}
	return nil, errors.New("reference: an AES key is 16, 24 or 32 bytes")
}

// aesKeyExpansion is KEYEXPANSION, FIPS 197 §5.2: Nr+1 = Nk+7 round keys of four words.
func aesKeyExpansion(key []byte) []uint32 {
	nk := len(key) / 4
	w := make([]uint32, 4*(nk+7))
	readWords(w[:nk], key, binary.BigEndian)
	rcon := uint32(1 << 24)
	for i := nk; i < len(w); i++ {
		t := w[i-1]
		switch {
		case i%nk == 0:
			t = aesSubWord(bits.RotateLeft32(t, 8)) ^ rcon
			rcon = xtime(rcon)
		case nk > 6 && i%nk == 4:
			t = aesSubWord(t)
		}
		w[i] = w[i-nk] ^ t
	}
	return w
}

// Encrypt is CIPHER, FIPS 197 §5.1.
func (b *aesBlock) Encrypt(dst, src []byte) {
	last := len(b.w) - 4
	s := loadColumns(src).addRoundKey(b.w)
	for i := 4; i < last; i += 4 {
		s = s.subBytesShiftRows()
		s = columns{mixColumn(s.c0), mixColumn(s.c1), mixColumn(s.c2), mixColumn(s.c3)}.addRoundKey(b.w[i:])
	}
	s.subBytesShiftRows().addRoundKey(b.w[last:]).store(dst)
}

func (s columns) addRoundKey(w []uint32) columns {
	return columns{s.c0 ^ w[0], s.c1 ^ w[1], s.c2 ^ w[2], s.c3 ^ w[3]}
}

// subBytesShiftRows is SUBBYTES and SHIFTROWS (FIPS 197 §5.1.1, §5.1.2): row r moves r columns to the left.
func (s columns) subBytesShiftRows() columns {
	return columns{
		aesSubWord(diagonal(s.c0, s.c1, s.c2, s.c3)),
		aesSubWord(diagonal(s.c1, s.c2, s.c3, s.c0)),
		aesSubWord(diagonal(s.c2, s.c3, s.c0, s.c1)),
		aesSubWord(diagonal(s.c3, s.c0, s.c1, s.c2)),
	}
}

// diagonal takes row 0 of a, row 1 of b, row 2 of c and row 3 of d.
func diagonal(a, b, c, d uint32) uint32 {
	return a&0xff000000 | b&0x00ff0000 | c&0x0000ff00 | d&0x000000ff
}

// mixColumn multiplies a column by {03}x³+{01}x²+{01}x+{02} modulo x⁴+1 (FIPS 197 §5.1.3): row r becomes
// {02}a_r + {03}a_{r+1} + a_{r+2} + a_{r+3}, and rotating the word by 8r bits brings a_{r+1} and so on into row r.
func mixColumn(a uint32) uint32 {
	b := bits.RotateLeft32(a, 8)
	return xtime(a^b) ^ b ^ bits.RotateLeft32(a, 16) ^ bits.RotateLeft32(a, 24)
}

// xtime multiplies each of four bytes by x in GF(2⁸) modulo x⁸+x⁴+x³+x+1 (FIPS 197 §4.2).
func xtime(a uint32) uint32 { return a&0x7f7f7f7f<<1 ^ a>>7&0x01010101*0x1b }

func aesSubWord(a uint32) uint32 { return substitute(aesSBox(), a) }

// substitute looks up each of four bytes: SUBWORD of FIPS 197 §5.2, and τ of GB/T 32907 §6.2.
func substitute(box *[256]byte, a uint32) uint32 {
	return uint32(box[a>>24])<<24 | uint32(box[a>>16&0xff])<<16 | uint32(box[a>>8&0xff])<<8 | uint32(box[a&0xff])
}

func loadColumns(src []byte) columns {
	return columns{
		binary.BigEndian.Uint32(src), binary.BigEndian.Uint32(src[4:]),
		binary.BigEndian.Uint32(src[8:]), binary.BigEndian.Uint32(src[12:]),
	}
}

func (s columns) store(dst []byte) {
	binary.BigEndian.PutUint32(dst, s.c0)
	binary.BigEndian.PutUint32(dst[4:], s.c1)
	binary.BigEndian.PutUint32(dst[8:], s.c2)
	binary.BigEndian.PutUint32(dst[12:], s.c3)
}

// aesSBox is SBOX, FIPS 197 §5.1.1.
var aesSBox = sync.OnceValue(func() *[256]byte { return (*[256]byte)(table("AES")) })

// sm4Block holds the round keys.
type sm4Block [32]uint32

// NewSM4 returns SM4 (GB/T 32907-2016) under a key of 16 bytes.
func NewSM4(key []byte) (Block, error) {
	if len(key) != 16 {
		return nil, errors.New("reference: an SM4 key is 16 bytes")
	}
	fk := [4]uint32{0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc} // system parameter FK, GB/T 32907 §7.3
	var k [4]uint32
	readWords(k[:], key, binary.BigEndian)
	xorInto(k[:], fk[:])
	b := new(sm4Block)
	for i := range b {
		t := substitute(sm4SBox(), k[1]^k[2]^k[3]^sm4CK(i))
		key := k[0] ^ t ^ bits.RotateLeft32(t, 13) ^ bits.RotateLeft32(t, 23) // T′, §7.3
		k = [4]uint32{k[1], k[2], k[3], key}
		b[i] = key
	}
	return b, nil
}

// sm4CK is the fixed parameter CK_i, whose byte j is (4i+j)·7 mod 256 (GB/T 32907 §7.3).
func sm4CK(i int) (ck uint32) {
	for j := range 4 {
		ck = ck<<8 | uint32(byte((4*i+j)*7))
	}
	return ck
}

// Encrypt is GB/T 32907 §7.1: the 32 rounds X_{i+4} = X_i ⊕ T(X_{i+1} ⊕ X_{i+2} ⊕ X_{i+3} ⊕ rk_i) of §6.1, four at a
// time so that no word has to move, and the last four stored in reverse order (R).
func (b *sm4Block) Encrypt(dst, src []byte) {
	x0, x1 := binary.BigEndian.Uint32(src), binary.BigEndian.Uint32(src[4:])
	x2, x3 := binary.BigEndian.Uint32(src[8:]), binary.BigEndian.Uint32(src[12:])
	for i := 0; i < 32; i += 4 {
		x0 ^= sm4T(x1 ^ x2 ^ x3 ^ b[i])
		x1 ^= sm4T(x2 ^ x3 ^ x0 ^ b[i+1])
		x2 ^= sm4T(x3 ^ x0 ^ x1 ^ b[i+2])
		x3 ^= sm4T(x0 ^ x1 ^ x2 ^ b[i+3])
	}
	columns{x3, x2, x1, x0}.store(dst)
}

// sm4T is T = L(τ(a)) (GB/T 32907 §6.2).
func sm4T(a uint32) uint32 {
	t := substitute(sm4SBox(), a)
	return t ^ bits.RotateLeft32(t, 2) ^ bits.RotateLeft32(t, 10) ^ bits.RotateLeft32(t, 18) ^ bits.RotateLeft32(t, 24)
}

var sm4SBox = sync.OnceValue(func() *[256]byte { return (*[256]byte)(table("SM4")) })
