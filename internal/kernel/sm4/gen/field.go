package main

import (
	"fmt"
	"math/bits"
)

// A matrix is an 8×8 matrix over GF(2) in the notation of gf2p8affineqb: the row that makes output
// bit 0 is the top byte, and bit j of a row selects input bit j.
type matrix uint64

func (m matrix) row(i int) byte { return byte(m >> (8 * (7 - i))) }

func (m matrix) apply(x byte) byte {
	var y byte
	for i := range 8 {
		y |= byte(bits.OnesCount8(m.row(i)&x)&1) << i
	}
	return y
}

// matrixOf writes down the linear map f from its values on the eight unit vectors.
func matrixOf(f func(byte) byte) matrix {
	var m matrix
	for j := range 8 {
		y := f(1 << j)
		for i := range 8 {
			m |= matrix(y>>i&1) << (8*(7-i) + j)
		}
	}
	return m
}

// mul returns the matrix of "first b, then a".
func mul(a, b matrix) matrix {
	return matrixOf(func(x byte) byte { return a.apply(b.apply(x)) })
}

// inverse returns m⁻¹, and false where m has none.
func (m matrix) inverse() (matrix, bool) {
	var from [256]byte
	var seen [256]bool
	for x := range 256 {
		y := m.apply(byte(x))
		if seen[y] {
			return 0, false
		}
		seen[y], from[y] = true, byte(x)
	}
	return matrixOf(func(y byte) byte { return from[y] }), true
}

const (
	aesPoly = 0x11b // x⁸+x⁴+x³+x+1, the field of gf2p8affineinvqb
	sm4Poly = 0x1f5 // x⁸+x⁷+x⁶+x⁵+x⁴+x²+1, the field of SM4's S-box
)

func fieldMul(a, b byte, poly int) byte {
	p := 0
	for i := range 8 {
		if b>>i&1 == 1 {
			p ^= int(a) << i
		}
	}
	for i := 14; i >= 8; i-- {
		if p>>i&1 == 1 {
			p ^= poly << (i - 8)
		}
	}
	return byte(p)
}

// aesInv is the inversion that gf2p8affineinvqb performs; 0 goes to 0.
func aesInv(x byte) byte {
	y := byte(1)
	for range 254 {
		y = fieldMul(y, x, aesPoly)
	}
	return y
}

// A box is the S-box as the processor can compute it: S(x) = out·inv(in·x ⊕ inConst) ⊕ outConst,
// with the inversion in AES's field.
type box struct {
	in, out           matrix
	inConst, outConst byte
}

func (b box) apply(x byte) byte {
	return b.out.apply(aesInv(b.in.apply(x)^b.inConst)) ^ b.outConst
}

// deriveBox finds the box from the table alone. S is an inversion in GF(2)[x]/sm4Poly between two
// equal affine maps whose matrix is circulant and whose constant is 0xd3; each of the eight
// isomorphisms between the two fields gives candidates. Of those that reproduce all 256 entries the one
// with the input constant 0x69 is taken, which is the design's.
func deriveBox() (box, error) {
	const affineConst = 0xd3
	var found []box
	for root := 2; root < 256; root++ {
		toAES, ok := isomorphism(byte(root))
		if !ok {
			continue
		}
		fromAES, _ := toAES.inverse()
		for first := range 256 {
			circulant := matrixOf(func(x byte) byte {
				var y byte
				for i := range 8 {
					y |= byte(bits.OnesCount8(bits.RotateLeft8(byte(first), i)&x)&1) << i
				}
				return y
			})
			if _, ok := circulant.inverse(); !ok {
				continue
			}
			b := box{mul(toAES, circulant), mul(circulant, fromAES), toAES.apply(affineConst), affineConst}
			if b.reproduces() {
				found = append(found, b)
			}
		}
	}
	for _, b := range found {
		if b.inConst == 0x69 {
			return b, nil
		}
	}
	return box{}, fmt.Errorf("none of %d derived boxes is the one the kernels are written for", len(found))
}

func (b box) reproduces() bool {
	for x, want := range sbox {
		if b.apply(byte(x)) != want {
			return false
		}
	}
	return true
}

// isomorphism returns the map GF(2)[x]/sm4Poly → GF(2)[x]/aesPoly that sends x to root, if root is
// a root of sm4Poly there.
func isomorphism(root byte) (matrix, bool) {
	value, power := byte(0), byte(1)
	var image [8]byte
	for i := range 9 {
		if i < 8 {
			image[i] = power
		}
		if sm4Poly>>i&1 == 1 {
			value ^= power
		}
		power = fieldMul(power, root, aesPoly)
	}
	m := matrixOf(func(x byte) byte { return image[bits.TrailingZeros8(x)] })
	return m, value == 0
}

// constants are all the numbers that the kernels and the key schedule take from the S-box. The
// kernels keep every word of the state as in·x, byte by byte: the input map of the S-box is then
// the identity, and only u, v and w = u ⊕ v, the images of the inverted byte, are needed.
type constants struct {
	box
	inInverse matrix
	// u = in·R·out and v = in·(I+SHR6)·out, R being the rotation of a byte by 2: the linear map L of
	// section 6.2.2 is B ⊕ u-part ⊕ v-part with rotations by whole bytes only.
	u, v matrix
	// key are the images for L' of section 6.3, rotated by 0, 8, 16 and 24 bits.
	key [4]matrix
	// roundConst and keyConst are what outConst contributes to a round of data and of key.
	roundConst, keyConst byte
}

func derive() (constants, error) {
	b, err := deriveBox()
	if err != nil {
		return constants{}, err
	}
	shift := func(f func(byte) byte) matrix { return mul(b.in, mul(matrixOf(f), b.out)) }
	c := constants{box: b}
	c.inInverse, _ = b.in.inverse()
	c.u = shift(func(x byte) byte { return bits.RotateLeft8(x, 2) })
	c.v = shift(func(x byte) byte { return x ^ x>>6 })
	c.key = [4]matrix{
		shift(func(x byte) byte { return x }),
		shift(func(x byte) byte { return x << 5 }),
		shift(func(x byte) byte { return x>>3 ^ x<<7 }),
		shift(func(x byte) byte { return x >> 1 }),
	}
	word := uint32(b.outConst) * 0x01010101
	c.roundConst = b.in.apply(byte(linear(word)))
	c.keyConst = b.in.apply(byte(keyLinear(word)))
	return c, c.check()
}

// linear is L of section 6.2.2, keyLinear L' of section 6.3.
func linear(b uint32) uint32 {
	return b ^ bits.RotateLeft32(b, 2) ^ bits.RotateLeft32(b, 10) ^ bits.RotateLeft32(b, 18) ^ bits.RotateLeft32(b, 24)
}

func keyLinear(b uint32) uint32 {
	return b ^ bits.RotateLeft32(b, 13) ^ bits.RotateLeft32(b, 23)
}

// check compares the split linear maps with the standard's, on every byte in every position, and
// the matrices with the figures of the design.
func (c constants) check() error {
	each := func(m matrix, w uint32) uint32 {
		var y uint32
		for i := 0; i < 32; i += 8 {
			y |= uint32(m.apply(byte(w>>i))) << i
		}
		return y
	}
	rol := bits.RotateLeft32
	for x := range 256 {
		for at := 0; at < 32; at += 8 {
			inverted := uint32(aesInv(byte(x))) << at
			s := each(c.out, inverted)
			u, v := each(c.u, inverted), each(c.v, inverted)
			if got := u ^ v ^ rol(u, 8) ^ rol(u, 16) ^ rol(v, 24); got != each(c.in, linear(s)) {
				return fmt.Errorf("u and v do not make L of byte %#x at bit %d", x, at)
			}
			var got uint32
			for i, m := range c.key {
				got ^= rol(each(m, inverted), 8*i)
			}
			if got != each(c.in, keyLinear(s)) {
				return fmt.Errorf("the key's matrices do not make L' of byte %#x at bit %d", x, at)
			}
		}
	}
	design := []struct {
		name      string
		got, want matrix
	}{
		{"in", c.in, 0xa7ac65de3de94796},
		{"out", c.out, 0x75f1228d6c1e85c9},
		{"in⁻¹", c.inInverse, 0x3b62cb5a9c26d2b5},
		{"u", c.u, 0xaa17111dae8b5580},
		{"v", c.v, 0x3d7849b72d2f6fbf},
	}
	for _, d := range design {
		if d.got != d.want {
			return fmt.Errorf("matrix %s is %#x, the design says %#x", d.name, d.got, d.want)
		}
	}
	return nil
}
