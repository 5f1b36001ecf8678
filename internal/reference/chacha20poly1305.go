package reference

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"math/bits"
	"slices"
)

// SealChaCha20Poly1305 returns ciphertext‖tag (RFC 8439 §2.8) under a key of 32 and a nonce of 12 bytes.
func SealChaCha20Poly1305(key, nonce, plaintext, aad []byte) ([]byte, error) {
	if err := checkChaChaSizes(key, nonce); err != nil {
		return nil, err
	}
	ciphertext := ChaCha20(key, nonce, 1, plaintext)
	return append(ciphertext, chachaTag(key, nonce, aad, ciphertext)...), nil
}

// OpenChaCha20Poly1305 returns the plaintext of sealed = ciphertext‖tag, or ErrOpen if it was tampered with.
func OpenChaCha20Poly1305(key, nonce, sealed, aad []byte) ([]byte, error) {
	if err := checkChaChaSizes(key, nonce); err != nil {
		return nil, err
	}
	n := len(sealed) - 16
	if n < 0 || !bytes.Equal(sealed[n:], chachaTag(key, nonce, aad, sealed[:n])) {
		return nil, ErrOpen
	}
	return ChaCha20(key, nonce, 1, sealed[:n]), nil
}

func checkChaChaSizes(key, nonce []byte) error {
	if len(key) != 32 || len(nonce) != 12 {
		return errors.New("reference: ChaCha20-Poly1305 takes a key of 32 and a nonce of 12 bytes")
	}
	return nil
}

// chachaTag authenticates both texts, each padded with zeros to 16 bytes, and their lengths (RFC 8439 §2.8) under
// the one-time key of §2.6: the first half of block 0.
func chachaTag(key, nonce, aad, ciphertext []byte) []byte {
	var data []byte
	for _, part := range [][]byte{aad, ciphertext} {
		data = padZeros(append(data, part...))
	}
	data = binary.LittleEndian.AppendUint64(data, uint64(len(aad)))
	data = binary.LittleEndian.AppendUint64(data, uint64(len(ciphertext)))
	oneTime := chachaBlock(key, nonce, 0)
	return poly1305(oneTime[:32], data)
}

// ChaCha20 XORs in with the key stream from block counter on (RFC 8439 §2.4), under a key of 32 and a nonce of 12
// bytes. It panics where the counter would pass 2³²−1, for which the standard has no next block.
func ChaCha20(key, nonce []byte, counter uint32, in []byte) []byte {
	must(checkChaChaSizes(key, nonce) == nil, "ChaCha20 takes a key of 32 and a nonce of 12 bytes")
	must(uint64(len(in)) <= (1<<32-uint64(counter))*64, "ChaCha20's block counter overflows")
	out := append([]byte{}, in...)
	for part := range slices.Chunk(out, 64) {
		block := chachaBlock(key, nonce, counter)
		for i := range part {
			part[i] ^= block[i]
		}
		counter++
	}
	return out
}

// chachaBlock is the ChaCha20 block function (RFC 8439 §2.3).
func chachaBlock(key, nonce []byte, counter uint32) (block [64]byte) {
	initial := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
	for i := range 8 {
		initial[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	initial[12] = counter
	for i := range 3 {
		initial[13+i] = binary.LittleEndian.Uint32(nonce[4*i:])
	}
	s := initial
	for range 10 {
		for i := range 4 { // columns
			quarterRound(&s, i, 4+i, 8+i, 12+i)
		}
		for i := range 4 { // diagonals
			quarterRound(&s, i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
	for i := range s {
		binary.LittleEndian.PutUint32(block[4*i:], s[i]+initial[i])
	}
	return block
}

// quarterRound is RFC 8439 §2.1.
func quarterRound(s *[16]uint32, a, b, c, d int) {
	s[a] += s[b]
	s[d] = bits.RotateLeft32(s[d]^s[a], 16)
	s[c] += s[d]
	s[b] = bits.RotateLeft32(s[b]^s[c], 12)
	s[a] += s[b]
	s[d] = bits.RotateLeft32(s[d]^s[a], 8)
	s[c] += s[d]
	s[b] = bits.RotateLeft32(s[b]^s[c], 7)
}

// poly1305 is RFC 8439 §2.5 on big integers: a polynomial in r over the field of 2¹³⁰−5 elements, plus s.
func poly1305(key, msg []byte) []byte {
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	r, s := fromLittleEndian(key[:16]), fromLittleEndian(key[16:32])
	r.And(r, clamp)
	p := new(big.Int).Lsh(big.NewInt(1), 130)
	p.Sub(p, big.NewInt(5))

	sum := new(big.Int)
	for block := range slices.Chunk(msg, 16) {
		sum.Add(sum, fromLittleEndian(append(bytes.Clone(block), 1)))
		sum.Mul(sum, r).Mod(sum, p)
	}
	bigEndian := sum.Add(sum, s).FillBytes(make([]byte, 32))
	return reversed(bigEndian)[:16] // modulo 2¹²⁸
}

func fromLittleEndian(b []byte) *big.Int { return new(big.Int).SetBytes(reversed(b)) }

func reversed(b []byte) []byte {
	r := slices.Clone(b)
	slices.Reverse(r)
	return r
}
