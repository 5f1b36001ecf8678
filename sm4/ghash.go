package sm4

import (
	"crypto/cipher"
	"encoding/binary"
	"math/bits"
	"sync/atomic"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// GHASH where there is no kernel: in Go without a table, and for long data by gmsm's GCM, where gmsm has
// one that multiplies by instructions. The tag that gmsm makes of additional data alone is their GHASH but for the
// last block and a mask, both known.

// A fieldElement is a polynomial of SP 800-38D, section 6.3. The coefficient of x⁰ is the top bit of high.
type fieldElement struct{ high, low uint64 }

func loadElement(b []byte) fieldElement {
	return fieldElement{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// A kernel.Hash is an element with its bytes in reverse.
func loadHash(h *kernel.Hash) fieldElement {
	return fieldElement{binary.LittleEndian.Uint64(h[8:]), binary.LittleEndian.Uint64(h[:])}
}

func (e fieldElement) store(h *kernel.Hash) {
	binary.LittleEndian.PutUint64(h[8:], e.high)
	binary.LittleEndian.PutUint64(h[:], e.low)
}

func (e fieldElement) add(o fieldElement) fieldElement {
	return fieldElement{e.high ^ o.high, e.low ^ o.low}
}

// A factor is one side of many carry-less products of 64 bits. Integer multiplication makes them: where
// only every fourth bit is set, a sum of up to fifteen products of bits stays below the next of these.
type factor struct {
	whole uint64
	every [4]uint64 // the bits i with i%4 = 0 … 3
}

const everyFourth = 0x1111111111111111

func newFactor(w uint64) (f factor) {
	f.whole = w
	for i := range f.every {
		f.every[i] = w & (everyFourth << i)
	}
	return f
}

// times is the carry-less product of w and f. A sum of sixteen would overflow, so the top four bits of w
// are multiplied one by one.
func (f *factor) times(w uint64) (high, low uint64) {
	const fifteen = everyFourth >> 4
	w0, w1, w2, w3 := w&fifteen, w&(fifteen<<1), w&(fifteen<<2), w&(fifteen<<3)
	f0, f1, f2, f3 := f.every[0], f.every[1], f.every[2], f.every[3]
	h0, l0 := fourProducts(w0, f0, w1, f3, w2, f2, w3, f1)
	h1, l1 := fourProducts(w0, f1, w1, f0, w2, f3, w3, f2)
	h2, l2 := fourProducts(w0, f2, w1, f1, w2, f0, w3, f3)
	h3, l3 := fourProducts(w0, f3, w1, f2, w2, f1, w3, f0)
	high = h0&everyFourth | h1&(everyFourth<<1) | h2&(everyFourth<<2) | h3&(everyFourth<<3)
	low = l0&everyFourth | l1&(everyFourth<<1) | l2&(everyFourth<<2) | l3&(everyFourth<<3)
	m0, m1, m2, m3 := -(w >> 60 & 1), -(w >> 61 & 1), -(w >> 62 & 1), -(w >> 63)
	high ^= f.whole>>4&m0 ^ f.whole>>3&m1 ^ f.whole>>2&m2 ^ f.whole>>1&m3
	low ^= f.whole<<60&m0 ^ f.whole<<61&m1 ^ f.whole<<62&m2 ^ f.whole<<63&m3
	return high, low
}

// fourProducts adds four integer products without carry.
func fourProducts(a0, b0, a1, b1, a2, b2, a3, b3 uint64) (high, low uint64) {
	p0, q0 := bits.Mul64(a0, b0)
	p1, q1 := bits.Mul64(a1, b1)
	p2, q2 := bits.Mul64(a2, b2)
	p3, q3 := bits.Mul64(a3, b3)
	return p0 ^ p1 ^ p2 ^ p3, q0 ^ q1 ^ q2 ^ q3
}

// A multiplier multiplies by one element, by Karatsuba's three products.
type multiplier struct{ high, low, sum factor }

func newMultiplier(e fieldElement) multiplier {
	return multiplier{newFactor(e.high), newFactor(e.low), newFactor(e.high ^ e.low)}
}

// times multiplies without a branch or an address that depends on either element.
func (m *multiplier) times(e fieldElement) fieldElement {
	h1, h0 := m.high.times(e.high)
	l1, l0 := m.low.times(e.low)
	m1, m0 := m.sum.times(e.high ^ e.low)
	m1 ^= h1 ^ l1
	m0 ^= h0 ^ l0
	// The product of reversed polynomials is one bit short of reversed: shift p₃ … p₀ left.
	p3, p2, p1, p0 := h1, h0^m1, l1^m0, l0
	p3, p2, p1, p0 = p3<<1|p2>>63, p2<<1|p1>>63, p1<<1|p0>>63, p0<<1
	// x¹²⁸ = x⁷ + x² + x + 1, first for the lowest word, then for the next.
	p2 ^= p0 ^ p0>>1 ^ p0>>2 ^ p0>>7
	p1 ^= p0<<63 ^ p0<<62 ^ p0<<57
	p3 ^= p1 ^ p1>>1 ^ p1>>2 ^ p1>>7
	p2 ^= p1<<63 ^ p1<<62 ^ p1<<57
	return fieldElement{p3, p2}
}

const (
	// What gmsm is given at once is a power of two blocks: below the least, Go alone is faster.
	leastHashed = 4
	mostHashed  = 10
)

// A ghash is GHASH under one key. It may be used by any number of goroutines at once.
type ghash struct {
	c      *Cipher
	tables atomic.Pointer[hashTables] // made when first needed
}

type hashTables struct {
	h multiplier
	// What hashing by gmsm takes; aead is nil if gmsm has no GCM of its own here.
	aead   cipher.AEAD
	mask   fieldElement                             // of the tags under nonce 0
	powers [mostHashed - leastHashed + 1]multiplier // h to the powers of 2^leastHashed … 2^mostHashed
}

// update adds data to the hash, its last block padded with zeros.
func (g *ghash) update(acc *kernel.Hash, data []byte) {
	t := g.table()
	if t.aead != nil && len(data) >= BlockSize<<leastHashed {
		data = t.updateLong(acc, data)
	}
	t.h.hash(acc, data)
}

// updateShort is update by Go alone.
func (g *ghash) updateShort(acc *kernel.Hash, data []byte) { g.table().h.hash(acc, data) }

// hash adds data to the hash, its last block padded with zeros.
func (m *multiplier) hash(acc *kernel.Hash, data []byte) {
	y := loadHash(acc)
	for len(data) >= BlockSize {
		y = m.times(y.add(loadElement(data)))
		data = data[BlockSize:]
	}
	if len(data) > 0 {
		var last [BlockSize]byte
		copy(last[:], data)
		y = m.times(y.add(loadElement(last[:])))
	}
	y.store(acc)
}

// updateLong hashes by gmsm what it can, and returns the rest. Of a piece of m blocks, X₁ … Xₘ, gmsm is
// given all but the last and adds L, their length, in place of Xₘ:
//
//	Y·Hᵐ + X₁·Hᵐ + … + Xₘ·H = Y·Hᵐ + (X₁·Hᵐ + … + L·H) + (L + Xₘ)·H
func (t *hashTables) updateLong(acc *kernel.Hash, data []byte) []byte {
	s := scratches.Get().(*scratch)
	defer s.release(BlockSize)
	y := loadHash(acc)
	for i := mostHashed; i >= leastHashed; i-- {
		for n := BlockSize << i; len(data) >= n; data = data[n:] {
			before := data[:n-BlockSize]
			last := loadElement(data[len(before):]).add(fieldElement{high: uint64(len(before)) * 8})
			y = t.powers[i-leastHashed].times(y).add(t.h.times(last))
			y = y.add(t.tag(s, before)).add(t.mask)
		}
	}
	y.store(acc)
	return data
}

func (g *ghash) table() *hashTables {
	t := g.tables.Load()
	if t == nil {
		t = newHashTables(g.c)
		g.tables.Store(t)
	}
	return t
}

func newHashTables(c *Cipher) *hashTables {
	var h [BlockSize]byte
	c.one(&h, h[:])
	t := &hashTables{h: newMultiplier(loadElement(h[:])), aead: c.gmsm.gcm(gcmNonceSize, BlockSize)}
	if t.aead == nil {
		return t
	}
	power := t.h
	for i := range mostHashed + 1 {
		if i >= leastHashed {
			t.powers[i-leastHashed] = power
		}
		power = newMultiplier(power.times(fieldElement{power.high.whole, power.low.whole}))
	}
	s := scratches.Get().(*scratch)
	defer s.release(BlockSize)
	t.mask = t.tag(s, nil)
	return t
}

// tag is gmsm's tag of additional data under nonce 0.
func (t *hashTables) tag(s *scratch, data []byte) fieldElement {
	return loadElement(t.aead.Seal(s.in[:0], zeroNonce[:], nil, data))
}

var zeroNonce [gcmNonceSize]byte
