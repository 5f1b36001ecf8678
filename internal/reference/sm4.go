package reference

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"sync"
)

// sm4Block holds the 32 round keys in both orders.
type sm4Block struct{ forward, backward [32]uint32 }

// NewSM4 returns SM4 (GB/T 32907-2016) under a key of 16 bytes.
func NewSM4(key []byte) (Block, error) {
	if len(key) != 16 {
		return nil, errors.New("reference: an SM4 key is 16 bytes")
	}
	fk := [4]uint32{0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc} // system parameter FK, GB/T 32907 §7.3
	var k [4]uint32
	for i := range k {
		k[i] = binary.BigEndian.Uint32(key[4*i:]) ^ fk[i]
	}
	b := new(sm4Block)
	for i := range b.forward {
		t := substitute(sm4SBox(), k[1]^k[2]^k[3]^sm4CK(i))
		key := k[0] ^ t ^ bits.RotateLeft32(t, 13) ^ bits.RotateLeft32(t, 23) // T′, §7.3
		k = [4]uint32{k[1], k[2], k[3], key}
		b.forward[i], b.backward[31-i] = key, key
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

// Encrypt is GB/T 32907 §7.1.
func (b *sm4Block) Encrypt(dst, src []byte) { sm4Rounds(&b.forward, dst, src) }

// Decrypt is the same with the round keys in reverse order (GB/T 32907 §7.2).
func (b *sm4Block) Decrypt(dst, src []byte) { sm4Rounds(&b.backward, dst, src) }

// sm4Rounds runs the 32 rounds X_{i+4} = X_i ⊕ T(X_{i+1} ⊕ X_{i+2} ⊕ X_{i+3} ⊕ rk_i) (GB/T 32907 §6.1), four at a
// time so that no word has to move, and stores the last four in reverse order (R, §7.1).
func sm4Rounds(keys *[32]uint32, dst, src []byte) {
	x0, x1 := binary.BigEndian.Uint32(src), binary.BigEndian.Uint32(src[4:])
	x2, x3 := binary.BigEndian.Uint32(src[8:]), binary.BigEndian.Uint32(src[12:])
	for i := 0; i < 32; i += 4 {
		x0 ^= sm4T(x1 ^ x2 ^ x3 ^ keys[i])
		x1 ^= sm4T(x2 ^ x3 ^ x0 ^ keys[i+1])
		x2 ^= sm4T(x3 ^ x0 ^ x1 ^ keys[i+2])
		x3 ^= sm4T(x0 ^ x1 ^ x2 ^ keys[i+3])
	}
	binary.BigEndian.PutUint32(dst, x3)
	binary.BigEndian.PutUint32(dst[4:], x2)
	binary.BigEndian.PutUint32(dst[8:], x1)
	binary.BigEndian.PutUint32(dst[12:], x0)
}

// sm4T is T = L(τ(a)) (GB/T 32907 §6.2).
func sm4T(a uint32) uint32 {
	t := substitute(sm4SBox(), a)
	return t ^ bits.RotateLeft32(t, 2) ^ bits.RotateLeft32(t, 10) ^ bits.RotateLeft32(t, 18) ^ bits.RotateLeft32(t, 24)
}

var sm4SBox = sync.OnceValue(func() *[256]byte { return (*[256]byte)(table("SM4")) })
