package reference

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// aesBlock holds the key schedule. Its words, like those of the state here, are columns, row 0 on top (FIPS 197 §3.5).
type aesBlock struct{ w []uint32 }

// columns is the state.
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
	for i := range nk {
		w[i] = binary.BigEndian.Uint32(key[4*i:])
	}
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

// invShiftRowsSubBytes is INVSHIFTROWS and INVSUBBYTES (FIPS 197 §5.3.1, §5.3.2): row r moves r columns to the right.
func (s columns) invShiftRowsSubBytes() columns {
	return columns{
		aesInvSubWord(diagonal(s.c0, s.c3, s.c2, s.c1)),
		aesInvSubWord(diagonal(s.c1, s.c0, s.c3, s.c2)),
		aesInvSubWord(diagonal(s.c2, s.c1, s.c0, s.c3)),
		aesInvSubWord(diagonal(s.c3, s.c2, s.c1, s.c0)),
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

// invMixColumn multiplies a column by {0b}x³+{0d}x²+{09}x+{0e} modulo x⁴+1 (FIPS 197 §5.3.3), which is
// {04}x²+{05} times the polynomial of mixColumn.
func invMixColumn(a uint32) uint32 {
	return mixColumn(a ^ xtime(xtime(a^bits.RotateLeft32(a, 16))))
}

// xtime multiplies each of four bytes by x in GF(2⁸) modulo x⁸+x⁴+x³+x+1 (FIPS 197 §4.2).
func xtime(a uint32) uint32 { return a&0x7f7f7f7f<<1 ^ a>>7&0x01010101*0x1b }

func aesSubWord(a uint32) uint32    { return substitute(&aesSBox, a) }
func aesInvSubWord(a uint32) uint32 { return substitute(&aesInvSBox, a) }

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

// aesSBox is SBOX, FIPS 197 §5.1.1. A test derives it from its definition.
var aesSBox = [256]byte{
	0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
	0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
	0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
	0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
	0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
	0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
	0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
	0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
	0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
	0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
	0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
	0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
	0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
	0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
	0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
	0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16,
}

// aesInvSBox is INVSBOX, FIPS 197 §5.3.2.
var aesInvSBox = invert(&aesSBox)

func invert(box *[256]byte) (inverse [256]byte) {
	for x, y := range box {
		inverse[y] = byte(x)
	}
	return inverse
}
