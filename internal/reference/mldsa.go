package reference

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// MLDSA is a parameter set of ML-DSA (FIPS 204, table 1).
type MLDSA struct {
	k, l          int   // dimensions of A
	eta           int64 // range of the private key
	tau           int   // ±1s in the challenge
	lambda        int   // collision strength of the challenge
	gamma1, gamma int64 // range of y, and low-order rounding range γ2
	omega         int   // most 1s in the hint
}

func MLDSA44() MLDSA {
	return MLDSA{k: 4, l: 4, eta: 2, tau: 39, lambda: 128, gamma1: 1 << 17, gamma: (dsaQ - 1) / 88, omega: 80}
}

func MLDSA65() MLDSA {
	return MLDSA{k: 6, l: 5, eta: 4, tau: 49, lambda: 192, gamma1: 1 << 19, gamma: (dsaQ - 1) / 32, omega: 55}
}

const (
	dsaQ       = 8380417 // 2²³ − 2¹³ + 1
	dsaDropped = 13      // d, bits dropped from t
)

// dsaRing has NTT and its inverse as FIPS 204 algorithms 41 and 42, with the roots of appendix B.
var dsaRing = ring{q: dsaQ, root: 1753, bits: 8, least: 1, scale: 8347681} // 256⁻¹

func (m MLDSA) beta() int64 { return int64(m.tau) * m.eta }

// dsaKey is what a seed of 32 bytes expands to.
type dsaKey struct {
	rho, secret, tr, public []byte
	s1, s2, t0              []poly
}

// expand is ML-DSA.KeyGen_internal, FIPS 204 algorithm 6.
func (m MLDSA) expand(seed []byte) dsaKey {
	must(len(seed) == 32, "an ML-DSA seed has 32 bytes")
	h := shake256(seed, []byte{byte(m.k), byte(m.l)})
	key := dsaKey{rho: h.squeeze(32)}
	rhoPrime := h.squeeze(64)
	key.secret = h.squeeze(32)
	var s []poly
	for i := range m.l + m.k { // ExpandS, algorithm 33
		s = append(s, m.small(binary.LittleEndian.AppendUint16(bytes.Clone(rhoPrime), uint16(i))))
	}
	key.s1, key.s2 = s[:m.l], s[m.l:]
	key.public = bytes.Clone(key.rho)
	for i, t := range m.product(key.rho, key.s1) {
		t = t.plus(key.s2[i], dsaQ)
		t0 := t.each(func(a int64) int64 { return centred(a, 1<<dsaDropped) }) // Power2Round, algorithm 35
		t1 := t.minus(t0, dsaQ).each(func(a int64) int64 { return a >> dsaDropped })
		key.t0 = append(key.t0, t0)
		key.public = append(key.public, t1.pack(10)...)
	}
	key.tr = shake256(key.public).squeeze(64)
	return key
}

// Public returns the public key that belongs to a seed of 32 bytes.
func (m MLDSA) Public(seed []byte) []byte { return m.expand(seed).public }

// dsaMessage is M′ (algorithm 2, line 10) hashed to μ with the public key's digest.
func dsaMessage(tr, msg, context []byte) []byte {
	return shake256(tr, []byte{0, byte(len(context))}, context, msg).squeeze(64)
}

// Sign signs msg in a context of at most 255 bytes under the key of a seed: FIPS 204 algorithms 2 and 7. rnd has 32
// bytes, all zeros for the deterministic variant.
func (m MLDSA) Sign(seed, msg, context, rnd []byte) []byte {
	must(len(context) < 256, "an ML-DSA context has at most 255 bytes")
	key := m.expand(seed)
	mu := dsaMessage(key.tr, msg, context)
	rho := shake256(key.secret, rnd, mu).squeeze(64)
	for kappa := 0; ; kappa += m.l {
		if signature := m.attempt(key, mu, rho, kappa); signature != nil {
			return signature
		}
	}
}

// attempt is one turn of the rejection sampling loop; nil where it is rejected.
func (m MLDSA) attempt(key dsaKey, mu, rho []byte, kappa int) []byte {
	width := 1 + bits.Len64(uint64(m.gamma1-1))
	y := make([]poly, m.l)
	for r := range y { // ExpandMask, algorithm 34
		v := shake256(rho, binary.LittleEndian.AppendUint16(nil, uint16(kappa+r))).squeeze(32 * width)
		y[r] = unpack(v, width).each(func(a int64) int64 { return mod(m.gamma1-a, dsaQ) })
	}
	w := m.product(key.rho, y)
	var w1 []byte
	for _, p := range w {
		high := p.each(func(a int64) int64 { high, _ := m.decompose(a); return high })
		w1 = append(w1, high.pack(m.highBits())...) // w1Encode, algorithm 28
	}
	challenge := shake256(mu, w1).squeeze(m.lambda / 4)
	c := dsaRing.transform(m.ball(challenge))
	signature := bytes.Clone(challenge)
	for i := range y {
		z := y[i].plus(dsaTimes(c, key.s1[i]), dsaQ)
		if reaches(z, m.gamma1-m.beta()) {
			return nil
		}
		signature = append(signature, z.each(func(a int64) int64 { return m.gamma1 - centred(a, dsaQ) }).pack(width)...)
	}
	hint := make([]poly, m.k)
	ones := 0
	for i := range w {
		rest := w[i].minus(dsaTimes(c, key.s2[i]), dsaQ)
		if reaches(rest.each(func(a int64) int64 { _, low := m.decompose(a); return mod(low, dsaQ) }), m.gamma-m.beta()) {
			return nil
		}
		ct0 := dsaTimes(c, key.t0[i])
		if reaches(ct0, m.gamma) {
			return nil
		}
		for j := range hint[i] { // MakeHint, algorithm 39
			r := rest[j] + ct0[j]
			before, _ := m.decompose(r)
			after, _ := m.decompose(r - ct0[j])
			if before != after {
				hint[i][j] = 1
				ones++
			}
		}
	}
	if ones > m.omega {
		return nil
	}
	return append(signature, m.packHint(hint)...)
}

// Verify checks a signature of msg in a context: FIPS 204 algorithms 3 and 8.
func (m MLDSA) Verify(public, msg, context, signature []byte) error {
	if len(context) > 255 {
		return errors.New("reference: ML-DSA context is too long")
	}
	width := 1 + bits.Len64(uint64(m.gamma1-1))
	// A coefficient of t1 has 10 bits; a signature is the challenge, z, and the hint.
	if len(public) != 32+320*m.k || len(signature) != m.lambda/4+m.l*32*width+m.omega+m.k {
		return errors.New("reference: ML-DSA public key or signature is of another length")
	}
	challenge, rest := signature[:m.lambda/4], signature[m.lambda/4:]
	z := make([]poly, m.l)
	for i := range z {
		z[i] = unpack(rest[:32*width], width).each(func(a int64) int64 { return mod(m.gamma1-a, dsaQ) })
		rest = rest[32*width:]
		if reaches(z[i], m.gamma1-m.beta()) {
			return errors.New("reference: ML-DSA signature has a z out of range")
		}
	}
	hint, ok := m.unpackHint(rest)
	if !ok {
		return errors.New("reference: ML-DSA signature has a malformed hint")
	}
	mu := dsaMessage(shake256(public).squeeze(64), msg, context)
	c := dsaRing.transform(m.ball(challenge))
	var w1 []byte
	for i, az := range m.product(public[:32], z) {
		t1 := unpack(public[32+320*i:][:320], 10).each(func(a int64) int64 { return a << dsaDropped })
		w := az.minus(dsaTimes(c, t1), dsaQ)
		for j := range w { // UseHint, algorithm 40
			high, low := m.decompose(w[j])
			steps := (dsaQ - 1) / (2 * m.gamma)
			switch {
			case hint[i][j] == 1 && low > 0:
				high = mod(high+1, steps)
			case hint[i][j] == 1:
				high = mod(high-1, steps)
			}
			w[j] = high
		}
		w1 = append(w1, w.pack(m.highBits())...)
	}
	if !bytes.Equal(shake256(mu, w1).squeeze(m.lambda/4), challenge) {
		return errors.New("reference: ML-DSA signature is of something else")
	}
	return nil
}

// reaches says whether the infinity norm of a polynomial is at least bound.
func reaches(p poly, bound int64) bool {
	return slices.ContainsFunc(p[:], func(a int64) bool { return max(centred(a, dsaQ), -centred(a, dsaQ)) >= bound })
}

// decompose is FIPS 204 algorithm 36.
func (m MLDSA) decompose(r int64) (high, low int64) {
	r = mod(r, dsaQ)
	low = centred(r, 2*m.gamma)
	if r-low == dsaQ-1 {
		return 0, low - 1
	}
	return (r - low) / (2 * m.gamma), low
}

// highBits is how many bits a coefficient of w1 takes.
func (m MLDSA) highBits() int { return bits.Len64(uint64((dsaQ-1)/(2*m.gamma) - 1)) }

// packHint is algorithm 20.
func (m MLDSA) packHint(hint []poly) []byte {
	y := make([]byte, m.omega+m.k)
	index := 0
	for i := range hint {
		for j, a := range hint[i] {
			if a != 0 {
				y[index] = byte(j)
				index++
			}
		}
		y[m.omega+i] = byte(index)
	}
	return y
}

// unpackHint is algorithm 21, which refuses every encoding but the one.
func (m MLDSA) unpackHint(y []byte) (hint []poly, ok bool) {
	hint = make([]poly, m.k)
	index := 0
	for i := range hint {
		end := int(y[m.omega+i])
		if end < index || end > m.omega {
			return nil, false
		}
		for first := index; index < end; index++ {
			if index > first && y[index-1] >= y[index] {
				return nil, false
			}
			hint[i][y[index]] = 1
		}
	}
	return hint, len(bytes.TrimLeft(y[index:m.omega], "\x00")) == 0
}

// ball is SampleInBall, algorithm 29.
func (m MLDSA) ball(seed []byte) (c poly) {
	h := shake256(seed)
	signs := binary.LittleEndian.Uint64(h.squeeze(8))
	for i := 256 - m.tau; i < 256; i++ {
		j := int(h.squeeze(1)[0])
		for j > i {
			j = int(h.squeeze(1)[0])
		}
		c[i] = c[j]
		c[j] = mod(1-2*int64(signs&1), dsaQ)
		signs >>= 1
	}
	return c
}

// small is RejBoundedPoly, algorithm 31.
func (m MLDSA) small(seed []byte) (p poly) {
	h := shake256(seed)
	for i := 0; i < 256; {
		b := h.squeeze(1)[0]
		for _, half := range []int64{int64(b & 15), int64(b >> 4)} { // CoeffFromHalfByte, algorithm 15
			switch {
			case i == 256:
			case m.eta == 2 && half < 15:
				p[i] = mod(2-half%5, dsaQ)
				i++
			case m.eta == 4 && half < 9:
				p[i] = mod(4-half, dsaQ)
				i++
			}
		}
	}
	return p
}

// product is A times a vector, A expanded from rho (ExpandA, algorithm 32).
func (m MLDSA) product(rho []byte, v []poly) []poly {
	transformed := make([]poly, m.l)
	for i := range v {
		transformed[i] = dsaRing.transform(v[i])
	}
	out := make([]poly, m.k)
	for r := range out {
		var sum poly
		for s := range transformed {
			sum = sum.plus(pointwise(dsaUniform(rho, s, r), transformed[s]), dsaQ)
		}
		out[r] = dsaRing.inverse(sum)
	}
	return out
}

// dsaUniform is RejNTTPoly, algorithm 30.
func dsaUniform(rho []byte, s, r int) (p poly) {
	g := shake128(rho, []byte{byte(s), byte(r)})
	for i := 0; i < 256; {
		b := g.squeeze(3)
		if a := int64(b[0]) | int64(b[1])<<8 | int64(b[2]&127)<<16; a < dsaQ {
			p[i] = a
			i++
		}
	}
	return p
}

// dsaTimes is a transformed polynomial times one that is not.
func dsaTimes(c, p poly) poly { return dsaRing.inverse(pointwise(c, dsaRing.transform(p))) }

func pointwise(a, b poly) poly {
	for i := range a {
		a[i] = a[i] * b[i] % dsaQ
	}
	return a
}
