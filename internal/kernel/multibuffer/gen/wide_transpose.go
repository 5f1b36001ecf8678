package main

// Messages in rows become words in columns, in AVX-512.

// transposed is the register in which transpose leaves word i.
func transposed(i int) int {
	switch i / 4 {
	case 0:
		return i
	case 2:
		return i - 4
	}
	return 16 + i
}

// transpose turns Z0 … Z15, 64 bytes of a message each, into a word of all messages each, in the
// function's byte order. Z8 … Z15 are free then.
func (p *program) transpose(h function) {
	// Words of four messages side by side: Z(4s+k) gets word 4q+k of messages 4s … 4s+3 in quarter q.
	for s := 0; s < 16; s += 4 {
		p.op("VPUNPCKLDQ Z%d, Z%d, Z16", s+1, s)
		p.op("VPUNPCKHDQ Z%d, Z%d, Z17", s+1, s)
		p.op("VPUNPCKLDQ Z%d, Z%d, Z18", s+3, s+2)
		p.op("VPUNPCKHDQ Z%d, Z%d, Z19", s+3, s+2)
		p.op("VPUNPCKLQDQ Z18, Z16, Z%d", s)
		p.op("VPUNPCKHQDQ Z18, Z16, Z%d", s+1)
		p.op("VPUNPCKLQDQ Z19, Z17, Z%d", s+2)
		p.op("VPUNPCKHQDQ Z19, Z17, Z%d", s+3)
	}
	if h.bigEndian {
		p.op("VMOVDQU64 swap32<>(SB), Z16")
		for i := range 16 {
			p.op("VPSHUFB Z16, Z%d, Z%d", i, i)
		}
	}
	// Quarters of four registers.
	for k := range 4 {
		a, b, c, d := k, 4+k, 8+k, 12+k
		low, high, low2, high2 := 16+k, 24+k, transposed(4+k), transposed(12+k)
		p.op("VSHUFI32X4 $0x44, Z%d, Z%d, Z%d", b, a, low)
		p.op("VSHUFI32X4 $0xee, Z%d, Z%d, Z%d", b, a, high)
		p.op("VSHUFI32X4 $0x44, Z%d, Z%d, Z%d", d, c, low2)
		p.op("VSHUFI32X4 $0xee, Z%d, Z%d, Z%d", d, c, high2)
		p.op("VSHUFI32X4 $0x88, Z%d, Z%d, Z%d", low2, low, transposed(k))
		p.op("VSHUFI32X4 $0xdd, Z%d, Z%d, Z%d", low2, low, low2)
		p.op("VSHUFI32X4 $0x88, Z%d, Z%d, Z%d", high2, high, transposed(8+k))
		p.op("VSHUFI32X4 $0xdd, Z%d, Z%d, Z%d", high2, high, high2)
	}
}
