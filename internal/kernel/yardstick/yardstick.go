// Package yardstick holds work that is always the same, to measure other work
// against: where a machine is slower today, or shared with others, these loops
// are slower too, and the ratio to them stays.
//
// Neighbours take different things away, so there is a yardstick of each kind.
// A chain of dependent instructions (package chain) follows the CPU's clock and
// nearly nothing else. [Wide] keeps all arithmetic units busy and feels who
// shares the core. [Loads] lives on the first cache and feels who empties it.
package yardstick

// A step of Wide is three shifts and three exclusive-ors on each of eight
// independent words (xorshift64, G. Marsaglia, 2003): more than any core can
// start in one cycle, and six cycles deep.
func Wide(steps uint64) uint64 {
	a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
	e, f, g, h := uint64(5), uint64(6), uint64(7), uint64(8)
	for ; steps > 0; steps-- {
		a, b, c, d = a^a<<13, b^b<<13, c^c<<13, d^d<<13
		e, f, g, h = e^e<<13, f^f<<13, g^g<<13, h^h<<13
		a, b, c, d = a^a>>7, b^b>>7, c^c>>7, d^d>>7
		e, f, g, h = e^e>>7, f^f>>7, g^g>>7, h^h>>7
		a, b, c, d = a^a<<17, b^b<<17, c^c<<17, d^d<<17
		e, f, g, h = e^e<<17, f^f<<17, g^g<<17, h^h<<17
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
}

// tableWords make 16 KiB: half of the first cache of the smallest core there is.
const tableWords = 1 << 11

// Table is what Loads walks through; the zero Table is ready to use.
type Table struct{ words []uint64 }

// fill makes every word differ, so that a walk goes everywhere.
func (t *Table) fill() {
	t.words = make([]uint64, tableWords)
	x := uint64(0x9e3779b97f4a7c15)
	for i := range t.words {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		t.words[i] = x
	}
}

// Loads walks through the table in four places at once; each load's address
// comes from the load before it.
func (t *Table) Loads(steps uint64) uint64 {
	if t.words == nil {
		t.fill()
	}
	words := (*[tableWords]uint64)(t.words)
	a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
	for ; steps > 0; steps-- {
		// Added up, so that two walks that meet part again.
		a += words[a%tableWords]
		b += words[b%tableWords]
		c += words[c%tableWords]
		d += words[d%tableWords]
	}
	return a ^ b ^ c ^ d
}
