package main

// block writes the function of a single block, whose keys are operands in memory.
func (p *program) block(name string, d direction) {
	p.Function(name, 24, "func "+name+"(s *Schedule, dst, src *byte)")
	p.Op("MOVQ s+0(FP), R8")
	p.loadRounds()
	p.Op("MOVQ dst+8(FP), DI")
	p.Op("MOVQ src+16(FP), SI")
	p.Op("VMOVDQU (SI), X0")
	p.Op("VPXOR (R8), X0, X0")
	p.blockRounds(d)
	p.Op("%s %d(R8), X0, X0", d.last, 16*lastKey)
	p.Op("VMOVDQU X0, (DI)")
	p.Op("RET")
}

// blockRounds are the rounds of the block in X0 by keys in memory, but for the last.
func (p *program) blockRounds(d direction) {
	for i := 1; i <= 9; i++ {
		p.Op("%s %d(R8), X0, X0", d.round, 16*i)
	}
	last := p.Label("last")
	p.Op("CMPQ R9, $12")
	p.Op("JLT %s", last)
	p.Op("%s %d(R8), X0, X0", d.round, 16*10)
	p.Op("%s %d(R8), X0, X0", d.round, 16*11)
	p.Op("JEQ %s", last)
	p.Op("%s %d(R8), X0, X0", d.round, 16*12)
	p.Op("%s %d(R8), X0, X0", d.round, 16*13)
	p.Place(last)
}

// start opens a function on whole messages: schedule, rounds, dst and src come first, then a pointer to a
// block if it has a name, the number of bytes last.
func (p *program) start(name, block string) {
	args := 32
	more := ""
	if block != "" {
		args, more = 40, block+" *[16]byte, "
	}
	p.Function(name, args, "func "+name+"(s *Schedule, dst, src *byte, "+more+"n int)")
	p.message(block, args-8)
}

// message loads the arguments of start, where the number of bytes lies at n.
func (p *program) message(block string, n int) {
	p.Op("MOVQ s+0(FP), R8")
	p.loadRounds()
	p.Op("MOVQ dst+8(FP), DI")
	p.Op("MOVQ src+16(FP), SI")
	if block != "" {
		p.Op("MOVQ %s+24(FP), DX", block)
	}
	p.Op("MOVQ n+%d(FP), CX", n)
}

// ecb writes whole blocks one by one.
func (p *program) ecb(name string, d direction) {
	p.start(name, "")
	p.loadKeys()
	run := func(n int) {
		for i := range n {
			p.Op("VPXORQ %d(SI), Z%d, Z%d", 64*i, key(0), i)
		}
		p.rounds(d, "Z", each(n), nil)
		p.finish(d, "Z", each(n))
		for i := range n {
			p.Op("VMOVDQU64 Z%d, %d(DI)", i, 64*i)
		}
	}
	p.over(func() { run(states) }, func() { run(1) }, func() {
		p.tailLoad(0, 1)
		p.Op("VPXORQ Z%d, Z0, Z0", key(0))
		p.rounds(d, "Z", each(1), nil)
		p.finish(d, "Z", each(1))
		p.tailStore(0)
	})
	p.leave()
}

// cbcEncrypt writes the chain of one message. From block to block it is the rounds alone: the last key, the
// next plaintext and the first key are one operand of the last round.
func (p *program) cbcEncrypt() {
	const first, next, out = 1, 2, 3
	p.start("wideCBCEncrypt", "iv")
	for i := range lastKey + 1 {
		p.Op("VMOVDQU64 %d(R8), X%d", 16*i, key(i))
	}
	p.Op("VPXORQ X%d, X%d, X%d", key(lastKey), key(0), first)
	p.Op("VMOVDQU (SI), X0")
	p.Op("VPXORQ X%d, X0, X0", key(0))
	p.Op("VPXOR (DX), X0, X0")
	loop, end := p.Label("loop"), p.Label("end")
	p.Place(loop)
	p.rounds(forward, "X", each(1), nil)
	p.Op("SUBQ $16, CX")
	p.Op("JLE %s", end)
	p.Op("VPXOR 16(SI), X%d, X%d", first, next)
	p.Op("VAESENCLAST X%d, X0, X%d", key(lastKey), out)
	p.Op("VAESENCLAST X%d, X0, X0", next)
	p.Op("VMOVDQU X%d, (DI)", out)
	p.Op("ADDQ $16, SI")
	p.Op("ADDQ $16, DI")
	p.Op("JMP %s", loop)
	p.Place(end)
	p.finish(forward, "X", each(1))
	p.Op("VMOVDQU X0, (DI)")
	p.Op("VMOVDQU X0, (DX)")
	p.leave()
}

// cbcDecrypt writes decryption, with the IV in the last block of before and then the last ciphertext. What
// comes before a register is read before anything is stored, since the output may be the input. The caller
// keeps the last block.
func (p *program) cbcDecrypt() {
	const before, shifted = 8, 9
	p.start("wideCBCDecrypt", "iv")
	p.loadKeys()
	p.Op("VBROADCASTI32X4 (DX), Z%d", before)
	p.over(func() {
		for i := range states {
			p.Op("VPXORQ %d(SI), Z%d, Z%d", 64*i, key(0), i)
		}
		p.rounds(backward, "Z", each(states), nil)
		p.finish(backward, "Z", each(states))
		p.chained(before, shifted)
		for i := 1; i < states; i++ {
			p.Op("VPXORQ %d(SI), Z%d, Z%d", 64*i-16, i, i)
		}
		p.Op("VMOVDQU64 %d(SI), Z%d", group-64, before)
		for i := range states {
			p.Op("VMOVDQU64 Z%d, %d(DI)", i, 64*i)
		}
	}, func() {
		p.Op("VPXORQ (SI), Z%d, Z0", key(0))
		p.rounds(backward, "Z", each(1), nil)
		p.finish(backward, "Z", each(1))
		p.chained(before, shifted)
		p.Op("VMOVDQU64 (SI), Z%d", before)
		p.Op("VMOVDQU64 Z0, (DI)")
	}, func() {
		const text = 1
		p.tailLoad(text, shifted)
		p.Op("VPXORQ Z%d, Z%d, Z0", key(0), text)
		p.rounds(backward, "Z", each(1), nil)
		p.finish(backward, "Z", each(1))
		p.Op("VALIGNQ $6, Z%d, Z%d, Z%d", before, text, shifted)
		p.Op("VPXORQ Z%d, Z0, Z0", shifted)
		p.tailStore(0)
	})
	p.leave()
}

// chained adds to register 0 the ciphertext of one block before: the last of before and the first three at SI.
func (p *program) chained(before, shifted int) {
	p.Op("VMOVDQU64 (SI), Z%d", shifted)
	p.Op("VALIGNQ $6, Z%d, Z%d, Z%d", before, shifted, shifted)
	p.Op("VPXORQ Z%d, Z0, Z0", shifted)
}
