package reference

import "math/bits"

// What ML-DSA and ML-KEM share: polynomials of 256 coefficients modulo a prime, and their packing into bytes.

// poly holds coefficients from 0 to q−1, either of a polynomial of x²⁵⁶+1 or of its image under the number-theoretic
// transform.
type poly [256]int64

// mod is a mod q, from 0 to q−1.
func mod(a, q int64) int64 { return ((a % q) + q) % q }

// centred is a mod± q, from −⌊q/2⌋ on (FIPS 204 §2.3).
func centred(a, q int64) int64 {
	if a = mod(a, q); a > q/2 {
		a -= q
	}
	return a
}

func power(base, exponent, q int64) int64 {
	result := int64(1)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			result = result * base % q
		}
		base = base * base % q
	}
	return result
}

// bitReversed is BitRev of FIPS 204 algorithm 43 and FIPS 203 §4.3.
func bitReversed(x, n int) int64 { return int64(bits.Reverse16(uint16(x)) >> (16 - n)) }

// ring is the polynomials of x²⁵⁶+1 modulo q. Its transform leaves parts of so many coefficients at least.
type ring struct {
	q, root, scale int64 // scale undoes the inverse's factor
	bits, least    int
}

// zeta is the root to the power of i with its bits reversed.
func (r ring) zeta(i int) int64 { return power(r.root, bitReversed(i, r.bits), r.q) }

func (r ring) transform(w poly) poly {
	i := 0
	for length := 128; length >= r.least; length /= 2 {
		for start := 0; start < 256; start += 2 * length {
			i++
			z := r.zeta(i)
			for j := start; j < start+length; j++ {
				t := z * mod(w[j+length], r.q) % r.q
				w[j+length] = mod(w[j]-t, r.q)
				w[j] = mod(w[j]+t, r.q)
			}
		}
	}
	return w
}

func (r ring) inverse(w poly) poly {
	i := 256 / r.least
	for length := r.least; length < 256; length *= 2 {
		for start := 0; start < 256; start += 2 * length {
			i--
			z := r.zeta(i)
			for j := start; j < start+length; j++ {
				t := w[j]
				w[j] = mod(t+w[j+length], r.q)
				w[j+length] = z * mod(w[j+length]-t, r.q) % r.q
			}
		}
	}
	return w.each(func(a int64) int64 { return a * r.scale % r.q })
}

func (p poly) each(f func(int64) int64) poly {
	for i, a := range p {
		p[i] = f(a)
	}
	return p
}

func (p poly) plus(o poly, q int64) poly {
	for i := range p {
		p[i] = mod(p[i]+o[i], q)
	}
	return p
}

func (p poly) minus(o poly, q int64) poly {
	return p.plus(o.each(func(a int64) int64 { return -a }), q)
}

// pack writes every coefficient in so many bits, the lowest first (FIPS 204 algorithm 16; FIPS 203 algorithm 5).
func (p poly) pack(bits int) []byte {
	out := make([]byte, 256*bits/8)
	for i, a := range p {
		for b := range bits {
			at := i*bits + b
			out[at/8] |= byte(a>>b&1) << (at % 8)
		}
	}
	return out
}

// unpack is its inverse (FIPS 204 algorithm 18; FIPS 203 algorithm 6).
func unpack(in []byte, bits int) (p poly) {
	must(len(in) == 256*bits/8, "a packed polynomial has another length")
	for i := range p {
		for b := range bits {
			at := i*bits + b
			p[i] |= int64(in[at/8]>>(at%8)&1) << b
		}
	}
	return p
}
