package reference

import "encoding/binary"

// sponge is KECCAK[c] (FIPS 202 §5.2) that has absorbed its input and is squeezed as long as one likes.
type sponge struct {
	state [25]uint64
	block []byte // squeezed and not yet read
	rate  int
}

// absorb pads the inputs, one after the other, with the suffix of a function: 0x06 of SHA-3, 0x1f of SHAKE, both with
// the first 1 of pad10*1.
func absorb(rate int, suffix byte, inputs ...[]byte) *sponge {
	var padded []byte
	for _, input := range inputs {
		padded = append(padded, input...)
	}
	padded = append(padded, suffix)
	padded = append(padded, make([]byte, (rate-len(padded)%rate)%rate)...)
	padded[len(padded)-1] |= 0x80
	s := &sponge{rate: rate}
	for ; len(padded) > 0; padded = padded[rate:] {
		for i := range rate / 8 {
			s.state[i] ^= binary.LittleEndian.Uint64(padded[8*i:])
		}
		keccakF(&s.state)
	}
	s.fill()
	return s
}

func (s *sponge) fill() {
	for _, lane := range s.state[:s.rate/8] {
		s.block = binary.LittleEndian.AppendUint64(s.block, lane)
	}
}

// squeeze returns the next n bytes.
func (s *sponge) squeeze(n int) []byte {
	for len(s.block) < n {
		keccakF(&s.state)
		s.fill()
	}
	out := s.block[:n:n]
	s.block = s.block[n:]
	return out
}

// shake128 and shake256 are the extendable-output functions of FIPS 202 §6.2.
func shake128(inputs ...[]byte) *sponge { return absorb(168, 0x1f, inputs...) }
func shake256(inputs ...[]byte) *sponge { return absorb(136, 0x1f, inputs...) }

// sha3of512 is SHA3-512, FIPS 202 §6.1.
func sha3of512(inputs ...[]byte) []byte { return absorb(72, 0x06, inputs...).squeeze(64) }
