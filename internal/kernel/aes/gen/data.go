package main

// data writes the constants, each for all four blocks of a register.
func (p *program) data() {
	swap, ones := make([]byte, 64), make([]byte, 64)
	for i := range swap {
		swap[i], ones[i] = byte(i&^15|(15-i&15)), 0xff
	}
	p.Bytes("swap", swap)
	p.Bytes("ones", ones)
	// Counters: block i of a register, and multiples of 4 for the registers of a group. low are numbers for
	// a counter whose bytes have been reversed, last for its last byte where it lies.
	p.Quads("lanes", 0, 0, 1, 0, 2, 0, 3, 0)
	p.Quads("text", 1, 0, 2, 0, 3, 0, 4, 0)
	p.Quads("counterText", 0, 1<<56, 0, 2<<56, 0, 3<<56, 0, 4<<56)
	p.Quads("lastLanes", 0, 0, 0, 1<<56, 0, 2<<56, 0, 3<<56)
	var low, last []uint64
	for i := range states + 1 {
		for range 4 {
			low = append(low, uint64(4*i), 0)
			last = append(last, 0, uint64(4*i)<<56)
		}
	}
	p.Quads("low", low...)
	p.Quads("last", last...)
	// The next counter of every lane: where it lies, its last bytes in the order of a number of 32 bits that doesn't
	// carry, and of a counter whose bytes have been reversed. laneOnes counts blocks.
	p.Quads("counterStep", 0, 1<<56, 0, 1<<56, 0, 1<<56, 0, 1<<56)
	p.Quads("laneStep", 1, 0, 1, 0, 1, 0, 1, 0)
	p.Quads("laneOnes", 1, 1, 1, 1, 1, 1, 1, 1)
	// What the counters of a nonce of 12 bytes end with, of the tag and of four blocks of text.
	var short []uint64
	for i := range 5 {
		for range 4 {
			short = append(short, 0, uint64(i+1)<<56)
		}
	}
	p.Quads("shortCounters", short...)
	// From byte 64−n on: the order that brings the last n of 64 bytes to the front.
	window := make([]byte, 128)
	for i := range window {
		window[i] = byte(i)
	}
	p.Bytes("window", window)
	// The reduction of GHASH in the order of POLYVAL (RFC 8452, appendix A), and that of XTS.
	const poly = 0xc200000000000000
	p.Quads("ghashPoly", poly, 0, poly, 0, poly, 0, poly, 0)
	p.Quads("hashCarry", 1, poly)
	p.Quads("xtsPoly", 0x87, 0, 0x87, 0, 0x87, 0, 0x87, 0)
	p.Quads("xtsLeft", 0, 0, 1, 1, 2, 2, 3, 3)
	p.Quads("xtsRight", 64, 64, 63, 63, 62, 62, 61, 61)
	p.scheduleData()
}

// states are the registers of blocks that are worked on at once, group the bytes that they hold.
const (
	states = 8
	group  = 64 * states
)
