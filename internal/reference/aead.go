package reference

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"math/bits"
	"slices"
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
	increment32(j0[:])
	return xorCounter(b, j0[:], src, increment32)
}

func increment32(counter []byte) {
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
	counter := padZeros(append([]byte{byte(14 - len(nonce))}, nonce...)) // Ctr₀, appendix A.3, masks the MAC
	masked := CTR(b, counter, append(ccmMAC(b, nonce, plaintext, aad, tagSize), plaintext...))
	return append(masked[BlockSize:], masked[:tagSize]...)
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
	data := padZeros(append(padZeros(append([]byte{}, aad...)), ciphertext...))
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
		xorInto(part, block[:])
		counter++
	}
	return out
}

// chachaBlock is the ChaCha20 block function (RFC 8439 §2.3).
func chachaBlock(key, nonce []byte, counter uint32) (block [64]byte) {
	initial := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
	readWords(initial[4:12], key, binary.LittleEndian)
	initial[12] = counter
	readWords(initial[13:], nonce, binary.LittleEndian)
	s := initial
	for range 10 {
		doubleRound(func(_, a, b, c, d int) { quarterRound(&s, a, b, c, d) })
	}
	for i := range s {
		binary.LittleEndian.PutUint32(block[4*i:], s[i]+initial[i])
	}
	return block
}

// doubleRound mixes the columns of a 4×4 matrix, then its diagonals, as ChaCha20 (RFC 8439 §2.3), BLAKE2b (RFC 7693
// §3.2), BLAKE3 (§2.2) and Argon2 (RFC 9106 §3.6) do.
func doubleRound(mix func(i, a, b, c, d int)) {
	for i := range 4 {
		mix(i, i, 4+i, 8+i, 12+i)
	}
	for i := range 4 {
		mix(4+i, i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
	}
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
