package reference

import (
	"bytes"
	"errors"
)

// MLKEM is a parameter set of ML-KEM (FIPS 203, table 2); η1 and η2 are 2 in both that are here.
type MLKEM struct{ k, du, dv int }

func MLKEM768() MLKEM { return MLKEM{k: 3, du: 10, dv: 4} }

func MLKEM1024() MLKEM { return MLKEM{k: 4, du: 11, dv: 5} }

const kemQ = 3329

// kemRing has NTT and its inverse as FIPS 203 algorithms 9 and 10, with the roots of appendix A.
var kemRing = ring{q: kemQ, root: 17, bits: 7, least: 2, scale: 3303} // 128⁻¹

func (m MLKEM) CiphertextSize() int { return 32 * (m.du*m.k + m.dv) }

// kemKey is what a seed of 64 bytes expands to.
type kemKey struct {
	public, reject []byte // reject is z
	s              []poly // transformed
}

// expand is ML-KEM.KeyGen_internal and K-PKE.KeyGen, FIPS 203 algorithms 16 and 13, of the seed d‖z.
func (m MLKEM) expand(seed []byte) kemKey {
	must(len(seed) == 64, "an ML-KEM seed has 64 bytes")
	both := sha3of512(seed[:32], []byte{byte(m.k)})
	rho, sigma := both[:32], both[32:]
	key := kemKey{reject: bytes.Clone(seed[32:])}
	var noise []poly
	for i := range 2 * m.k {
		noise = append(noise, kemRing.transform(kemSmall(sigma, i)))
	}
	key.s = noise[:m.k]
	for i := range m.k {
		t := kemProduct(key.s, func(j int) poly { return kemUniform(rho, j, i) })
		key.public = append(key.public, t.plus(noise[m.k+i], kemQ).pack(12)...)
	}
	key.public = append(key.public, rho...)
	return key
}

// Public returns the encapsulation key that belongs to a seed of 64 bytes, d‖z.
func (m MLKEM) Public(seed []byte) []byte { return m.expand(seed).public }

// Encapsulate returns a secret of 32 bytes and its ciphertext for an encapsulation key, with the 32 bytes that an
// encapsulation draws (FIPS 203 algorithms 20 and 17).
func (m MLKEM) Encapsulate(public, drawn []byte) (secret, ciphertext []byte, err error) {
	if len(public) != 384*m.k+32 {
		return nil, nil, errors.New("reference: ML-KEM encapsulation key is of another length")
	}
	for i := range m.k { // the modulus check, §7.2
		for _, a := range unpack(public[384*i:][:384], 12) {
			if a >= kemQ {
				return nil, nil, errors.New("reference: ML-KEM encapsulation key has a coefficient out of range")
			}
		}
	}
	both := sha3of512(drawn, SHA3of256(public))
	return both[:32], m.encrypt(public, drawn, both[32:]), nil
}

// Decapsulate returns the secret of a ciphertext under the key of a seed (FIPS 203 algorithms 21 and 18). A
// ciphertext that nobody made for it gives another secret, not an error.
func (m MLKEM) Decapsulate(seed, ciphertext []byte) ([]byte, error) {
	if len(ciphertext) != m.CiphertextSize() {
		return nil, errors.New("reference: ML-KEM ciphertext is of another length")
	}
	key := m.expand(seed)
	drawn := m.decrypt(key, ciphertext)
	both := sha3of512(drawn, SHA3of256(key.public))
	if !bytes.Equal(m.encrypt(key.public, drawn, both[32:]), ciphertext) {
		return shake256(key.reject, ciphertext).squeeze(32), nil
	}
	return both[:32], nil
}

// encrypt is K-PKE.Encrypt, algorithm 14.
func (m MLKEM) encrypt(public, msg, random []byte) []byte {
	rho := public[384*m.k:]
	var y []poly
	for i := range m.k {
		y = append(y, kemRing.transform(kemSmall(random, i)))
	}
	var out []byte
	for i := range m.k {
		u := kemProduct(y, func(j int) poly { return kemUniform(rho, i, j) }) // A is transposed
		u = kemRing.inverse(u).plus(kemSmall(random, m.k+i), kemQ)
		out = append(out, compressed(u, m.du).pack(m.du)...)
	}
	v := kemProduct(y, func(i int) poly { return unpack(public[384*i:][:384], 12) })
	v = kemRing.inverse(v).plus(kemSmall(random, 2*m.k), kemQ).plus(decompressed(unpack(msg, 1), 1), kemQ)
	return append(out, compressed(v, m.dv).pack(m.dv)...)
}

// decrypt is K-PKE.Decrypt, algorithm 15.
func (m MLKEM) decrypt(key kemKey, ciphertext []byte) []byte {
	sum := kemProduct(key.s, func(i int) poly {
		return kemRing.transform(decompressed(unpack(ciphertext[32*m.du*i:][:32*m.du], m.du), m.du))
	})
	v := decompressed(unpack(ciphertext[32*m.du*m.k:], m.dv), m.dv)
	return compressed(v.minus(kemRing.inverse(sum), kemQ), 1).pack(1)
}

// compressed rounds to so many bits (§4.2.1), half up.
func compressed(p poly, bits int) poly {
	return p.each(func(a int64) int64 { return (2*a<<bits + kemQ) / (2 * kemQ) % (1 << bits) })
}

func decompressed(p poly, bits int) poly {
	return p.each(func(a int64) int64 { return (2*a*kemQ + 1<<bits) >> (bits + 1) })
}

// kemUniform is SampleNTT, algorithm 7.
func kemUniform(rho []byte, j, i int) (p poly) {
	x := shake128(rho, []byte{byte(j), byte(i)})
	for n := 0; n < 256; {
		b := x.squeeze(3)
		for _, d := range []int64{int64(b[0]) + 256*int64(b[1]&15), int64(b[1]>>4) + 16*int64(b[2])} {
			if d < kemQ && n < 256 {
				p[n] = d
				n++
			}
		}
	}
	return p
}

// kemSmall is SamplePolyCBD, algorithm 8, with η = 2, of the n-th output of PRF.
func kemSmall(seed []byte, n int) (p poly) {
	bits := unpack(shake256(seed, []byte{byte(n)}).squeeze(128), 4)
	for i, b := range bits {
		p[i] = mod(b&1+b>>1&1-b>>2&1-b>>3, kemQ)
	}
	return p
}

// kemProduct is the sum of the products of the polynomials of v with others, all of them transformed.
func kemProduct(v []poly, other func(i int) poly) (sum poly) {
	for i := range v {
		sum = sum.plus(kemTimes(v[i], other(i)), kemQ)
	}
	return sum
}

// kemTimes multiplies two transformed polynomials: algorithms 11 and 12.
func kemTimes(f, g poly) (h poly) {
	for i := range 128 {
		gamma := power(17, 2*bitReversed(i, 7)+1, kemQ)
		a0, a1, b0, b1 := f[2*i], f[2*i+1], g[2*i], g[2*i+1]
		h[2*i] = mod(a0*b0+a1*b1%kemQ*gamma, kemQ)
		h[2*i+1] = mod(a0*b1+a1*b0, kemQ)
	}
	return h
}
