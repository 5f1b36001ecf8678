package main

// constantsData writes the constants that the functions of both files address by name.
func (p *program) constantsData(c constants) {
	swap := make([]byte, 16)
	for i := range swap {
		swap[i] = byte(i ^ 3)
	}
	p.quads("matrixU", uint64(c.u), uint64(c.u), uint64(c.u), uint64(c.u))
	p.quads("matrixV", uint64(c.v), uint64(c.v), uint64(c.v), uint64(c.v))
	p.quads("matrixIn", uint64(c.in), uint64(c.in), uint64(c.in), uint64(c.in))
	p.quads("matrixInInverse", uint64(c.inInverse), uint64(c.inInverse), uint64(c.inInverse), uint64(c.inInverse))
	p.bytes("rol8", rotation(1))
	p.bytes("swap32", repeat(swap, 4))
}

// rotation is the control of a shuffle that rotates dwords left by n bytes.
func rotation(n int) []byte {
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(i/4*4 + (i+4-n)%4)
	}
	return repeat(b, 4)
}

// narrowData writes the constants of GHASH.
func (p *program) narrowData() {
	swap := make([]byte, 16)
	for i := range swap {
		swap[i] = byte(15 - i)
	}
	p.bytes("swap128", repeat(swap, 4))
	p.quads("ghashPoly", 0xc200000000000000, 0)
}

// wideData writes the constants of the AVX-512 functions.
func (p *program) wideData(c constants) {
	p.quads("matrixW", uint64(c.u^c.v))
	lanes, spread := make([]byte, 64), make([]byte, 64)
	for i := range 64 {
		// Byte q of lane l belongs to block 4q+l: lane l of register q held it in memory order.
		lanes[i] = byte(4*(i%16) + i/16)
		spread[i] = byte(i / 4)
	}
	p.bytes("lanes", lanes)
	// The word form has block 16g+4i+l of a flight at dword 4l+i of group g.
	index := make([]byte, 64*flights[len(flights)-1])
	for b := range len(index) / 4 {
		index[64*(b/16)+4*(b%4*4+b%16/4)] = byte(b)
	}
	p.bytes("blockIndex", index)
	p.bytes("spread", spread)
	p.narrowData()
	p.expandData(c)
	// XTS: left shifts by 0…3 bits for the four blocks of a register, and what is left of 64.
	p.quads("shiftLeft", 0, 0, 1, 1, 2, 2, 3, 3)
	p.quads("shiftRight", 64, 64, 63, 63, 62, 62, 61, 61)
	p.quads("xtsPoly", 0x87, 0x87)
}
