package main

// A counting makes counter blocks. base holds the next four as they lie in memory, and R12 the last byte of
// the first of them. While that byte doesn't wrap within the group and the four blocks behind it, a counter is
// a sum in the last dword; where it does, the bytes are reversed and the carry goes through all 128 bits.
type counting struct {
	*program
	base, t, u int // registers; t and u are temporaries
}

// start makes the first four of the counter in all blocks of base; R12 has its last byte.
func (c counting) start() { c.begin("lastLanes<>(SB)", "lanes<>(SB)") }

// begin adds numbers up to 4 to the counter, given as begin adds them to the last byte and to all bytes.
func (c counting) begin(last, all string) {
	wraps, made := c.Label("wraps"), c.Label("made")
	c.Op("CMPQ R12, $252")
	c.Op("JGE %s", wraps)
	c.Op("VPADDD %s, Z%d, Z%d", last, c.base, c.base)
	c.Op("JMP %s", made)
	c.Place(wraps)
	c.Op("VPSHUFB swap<>(SB), Z%d, Z%d", c.base, c.t)
	c.carrying(all, c.base)
	c.Place(made)
}

// load loads the counter at DX and starts.
func (c counting) load() {
	c.halves(0, c.base)
	c.Op("VSHUFI64X2 $0, Z%d, Z%d, Z%d", c.base, c.base, c.base)
	c.Op("MOVBQZX 15(DX), R12")
	c.start()
}

// carrying leaves in dst the sum of t, whose bytes are reversed, and the numbers at the operand. It uses u,
// K2 and K3.
func (c counting) carrying(operand string, dst int) {
	c.Op("VPADDQ %s, Z%d, Z%d", operand, c.t, c.u)
	c.Op("VPCMPUQ $1, Z%d, Z%d, K2", c.t, c.u)
	c.Op("KADDB K2, K2, K2") // a carry out of a low half goes into the high half
	c.Op("VPSUBQ ones<>(SB), Z%d, K2, Z%d", c.u, c.u)
	c.Op("VPSHUFB swap<>(SB), Z%d, Z%d", c.u, dst)
}

// next fills registers with counters, added to the first key, and advances by them.
func (c counting) next(rs []int) {
	wraps, made := c.Label("wraps"), c.Label("made")
	n := len(rs)
	c.Op("ADDQ $%d, R12", 4*n)
	c.Op("CMPQ R12, $253") // of the next four the last is three on
	c.Op("JGE %s", wraps)
	for i, r := range rs {
		if i > 0 {
			c.Op("VPADDD last<>+%d(SB), Z%d, Z%d", 64*i, c.base, r)
		}
	}
	c.Op("VPXORQ Z%d, Z%d, Z%d", key(0), c.base, rs[0])
	c.Op("VPADDD last<>+%d(SB), Z%d, Z%d", 64*n, c.base, c.base)
	for _, r := range rs[1:] {
		c.Op("VPXORQ Z%d, Z%d, Z%d", key(0), r, r)
	}
	c.Op("JMP %s", made)
	c.Place(wraps)
	c.Op("ANDQ $255, R12")
	c.Op("VPSHUFB swap<>(SB), Z%d, Z%d", c.base, c.t)
	c.Op("VPXORQ Z%d, Z%d, Z%d", key(0), c.base, rs[0])
	for i, r := range rs {
		if i > 0 {
			c.carrying(address("low<>", 64*i), r)
			c.Op("VPXORQ Z%d, Z%d, Z%d", key(0), r, r)
		}
	}
	c.carrying(address("low<>", 64*n), c.base)
	c.Place(made)
}

// ctr writes CTR, whose counter is the whole block. The caller advances it. Where the text ends within a register and
// rest isn't nil, the key stream of that register is left there, for the text that follows.
func (p *program) ctr() {
	const text, temp = 1, 2
	c := counting{p, 8, 9, 10}
	p.Function("wideCTR", 48, "func wideCTR(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, n int)")
	p.message("ctr", 40)
	p.loadKeys()
	c.load()
	run := func(n int) func() {
		return func() {
			p.stream(c, n)
			for i := range n {
				p.Op("VPXORQ %d(SI), Z%d, Z%d", 64*i, i, i)
			}
			for i := range n {
				p.Op("VMOVDQU64 Z%d, %d(DI)", i, 64*i)
			}
		}
	}
	p.over(run(states), run(1), func() {
		kept := p.Label("kept")
		p.tailLoad(text, temp)
		p.stream(c, 1)
		p.Op("MOVQ rest+32(FP), AX")
		p.Op("TESTQ AX, AX")
		p.Op("JZ %s", kept)
		p.Op("VMOVDQU64 Z0, (AX)")
		p.Place(kept)
		p.Op("VPXORQ Z%d, Z0, Z0", text)
		p.tailStore(0)
	})
	p.leave()
}

// stream leaves the key stream of the next blocks in the registers 0 to n−1.
func (p *program) stream(c counting, n int) {
	c.next(each(n))
	p.rounds(forward, "Z", each(n), nil)
	p.finish(forward, "Z", each(n))
}

// ahead writes key stream by itself, in two sizes.
func (p *program) ahead() {
	c := counting{p, 8, 9, 10}
	p.Function("wideAhead", 32, "func wideAhead(s *Schedule, dst *byte, ctr *[16]byte, n int)")
	p.Op("MOVQ s+0(FP), R8")
	p.loadRounds()
	p.Op("MOVQ dst+8(FP), DI")
	p.Op("MOVQ ctr+16(FP), DX")
	p.Op("MOVQ n+24(FP), CX")
	p.loadKeys()
	c.load()
	few, end := p.Label("few"), p.Label("end")
	p.Op("CMPQ CX, $%d", 64*aheadMost)
	p.Op("JLT %s", few)
	for _, n := range []int{aheadMost, aheadFirst} {
		p.stream(c, n)
		for i := range n {
			p.Op("VMOVDQU64 Z%d, %d(DI)", i, 64*i)
		}
		if n == aheadMost {
			p.Op("JMP %s", end)
			p.Place(few)
		}
	}
	p.Place(end)
	p.leave()
}

// xor writes the XOR of a text with key stream that is there.
func (p *program) xor() {
	const text, key, temp = 0, 1, 2
	p.Function("wideXOR", 32, "func wideXOR(dst, src, stream *byte, n int)")
	p.Op("MOVQ dst+0(FP), DI")
	p.Op("MOVQ src+8(FP), SI")
	p.Op("MOVQ stream+16(FP), DX")
	p.Op("MOVQ n+24(FP), CX")
	p.over(nil, func() {
		p.Op("VMOVDQU64 (SI), Z%d", text)
		p.Op("VPXORQ (DX), Z%[1]d, Z%[1]d", text)
		p.Op("VMOVDQU64 Z%d, (DI)", text)
		p.Op("ADDQ $64, DX")
	}, func() {
		p.tailLoad(text, temp)
		p.tailLoadAt("DX", key, temp)
		p.Op("VPXORQ Z%d, Z%d, Z%d", key, text, text)
		p.tailStore(text)
	})
	p.leave()
}
