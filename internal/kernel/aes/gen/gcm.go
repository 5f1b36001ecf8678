package main

const order = 16 // the order of bytes that swapped has in memory

// gcmBulk writes CTR over pairs of groups, 64 blocks, with GHASH of the group before between the rounds. n is a
// multiple of 1024. The caller advances the counter.
func (p *program) gcmBulk() {
	p.Function("wideSealBulk", 56, "func wideSealBulk(s *Schedule, table *Table, hash *[16]byte, dst, src *byte, ctr *[16]byte, n int)")
	p.Op("MOVQ s+0(FP), R8")
	p.loadRounds()
	p.Op("MOVQ table+8(FP), R13")
	p.Op("MOVQ hash+16(FP), R14")
	p.Op("MOVQ dst+24(FP), DI")
	p.Op("MOVQ src+32(FP), SI")
	p.Op("MOVQ ctr+40(FP), DX")
	p.Op("MOVQ n+48(FP), CX")
	c := counting{p, 14, x, y}
	p.loadKeys()
	c.load()
	p.Op("VMOVDQU64 swap<>(SB), Z%d", order)
	loop, end := p.Label("loop"), p.Label("end")
	p.bulkGroup(c, nil)
	p.emptySums()
	p.bulkGroup(c, p.hashFirst)
	p.Op("SUBQ $1024, CX")
	p.Op("JZ %s", end)
	p.Place(loop)
	p.bulkGroup(c, p.hashSecond)
	p.reduce(t)
	p.Op("VMOVDQU X%d, (R14)", t)
	p.emptySums()
	p.bulkGroup(c, p.hashFirst)
	p.Op("SUBQ $1024, CX")
	p.Op("JNZ %s", loop)
	p.Place(end)
	for step := range states {
		p.hashSecond(step)
	}
	p.reduce(t)
	p.Op("VMOVDQU X%d, (R14)", t)
	p.leave()
}

// bulkGroup writes CTR over one group; hash is called for each of four pairs of registers of the one before.
func (p *program) bulkGroup(c counting, hash func(pair int)) {
	c.next(each(states))
	p.rounds(forward, "Z", each(states), func(round int) {
		if hash != nil && round <= states {
			hash(round - 1)
		}
	})
	p.finish(forward, "Z", each(states))
	for i := range states {
		p.Op("VPXORQ %d(SI), Z%d, Z%d", 64*i, i, i)
	}
	for i := range states {
		p.Op("VMOVDQU64 Z%d, %d(DI)", i, 64*i)
	}
	p.Op("ADDQ $%d, SI", group)
	p.Op("ADDQ $%d, DI", group)
}

// hashFirst and hashSecond absorb a pair of the group that has just been stored, with the upper and the lower
// 32 of 64 powers. The pair that waits for the reduction of the blocks before comes last.
func (p *program) hashFirst(step int)  { p.hashStep((step+2)%states, 0) }
func (p *program) hashSecond(step int) { p.hashStep(step, 1) }

func (p *program) hashStep(step, half int) {
	pair := step / 2
	at := tableFirst + group*half + 128*pair
	if step%2 == 1 {
		p.absorbMiddle(func(i int) string { return offset(tableMiddle+at+64*i, "R13") })
		return
	}
	p.Op("VMOVDQU64 %d(DI), Z%d", 128*pair-group, x)
	p.Op("VMOVDQU64 %d(DI), Z%d", 128*pair+64-group, y)
	p.Op("VPSHUFB Z%d, Z%d, Z%d", order, x, x)
	p.Op("VPSHUFB Z%d, Z%d, Z%d", order, y, y)
	if pair == 0 && half == 0 {
		p.Op("VMOVDQU (R14), X%d", t)
		p.Op("VPXORQ Z%d, Z%d, Z%d", t, x, x)
	}
	p.absorbHalves(func(i int) string { return offset(at+64*i, "R13") })
}

// A lastForm is what gcmLast writes.
type lastForm bool

const (
	sealing        lastForm = true
	authenticating lastForm = false
)

// gcmLast writes the end of a message, which is the whole of a short one: the additional data if they
// haven't been hashed, what is left of the text, the lengths, and the tag. power and middle are at the power
// of the first block. Sealing also encrypts the text.
func (p *program) gcmLast(name string, form lastForm) {
	const mask, acc = 4, 5
	if form == sealing {
		p.Function(name, 56, "func "+name+"(s *Schedule, power, middle *byte, l *Last, dst, src *byte, n int)")
	} else {
		p.Function(name, 48, "func "+name+"(s *Schedule, power, middle *byte, l *Last, text *byte, n int)")
	}
	p.Op("MOVQ s+0(FP), R8")
	p.loadRounds()
	p.Op("MOVQ power+8(FP), R13")
	p.Op("MOVQ middle+16(FP), R14")
	p.Op("MOVQ l+24(FP), DX")
	p.Note("Halves by themselves: the caller stored them so, and a load of both would wait for the stores.")
	p.halves(lastMask, mask)
	p.halves(lastHash, acc)
	if form == sealing {
		p.loadKeys()
		p.Op("VPXORQ X%d, X%d, X%d", key(0), mask, mask)
		p.rounds(forward, "X", []int{mask}, nil)
		p.finish(forward, "X", []int{mask})
	} else {
		p.Op("VPXOR (R8), X%d, X0", mask)
		p.blockRounds(forward)
		p.Op("VAESENCLAST %d(R8), X0, X%d", 16*lastKey, mask)
	}
	p.emptySums()
	p.Op("MOVQ %d(DX), BX", lastAdditional)
	p.Op("MOVQ %d(DX), CX", lastLength)
	p.hashText("BX", acc)
	if form == sealing {
		p.Op("MOVQ dst+32(FP), DI")
		p.Op("MOVQ src+40(FP), SI")
		p.Op("MOVQ n+48(FP), CX")
		c := counting{p, 14, t, u}
		p.halves(lastCounter, c.base)
		p.Op("VSHUFI64X2 $0, Z%d, Z%d, Z%d", c.base, c.base, c.base)
		p.Op("MOVBQZX %d(DX), R12", lastCounter+15)
		c.start()
		p.sealText(c, acc)
	} else {
		p.Op("MOVQ text+32(FP), SI")
		p.Op("MOVQ n+40(FP), CX")
		p.hashText("SI", acc)
	}
	p.halves(lastBits, x)
	p.Op("VPXORQ Z%d, Z%d, Z%d", acc, x, x)
	p.absorb("(R13)", "(R14)")
	p.reduce(acc)
	p.Op("VPSHUFB swap<>(SB), X%d, X%d", acc, acc)
	p.Op("VPXOR X%d, X%d, X%d", mask, acc, acc)
	p.Op("VMOVDQU X%d, %d(DX)", acc, lastTag)
	p.leave()
}

// halves loads 16 bytes at DX, and zeros behind them.
func (p *program) halves(at, r int) {
	p.Op("VMOVQ %d(DX), X%d", at, r)
	p.Op("VPINSRQ $1, %d(DX), X%d, X%d", at+8, r, r)
}

// sealText encrypts and absorbs CX bytes, four registers at a time, then one.
func (p *program) sealText(c counting, acc int) {
	p.textLoops(c, func(n int) { p.absorbStates(n, acc) }, func(text int) {
		p.Op("VPXORQ Z%d, Z0, Z0", text)
		p.Op("VMOVDQU8.Z Z0, K1, Z%d", x)
		p.tailStore(0)
		p.absorbTail(acc)
	})
}

// textLoops XORs CX bytes at SI with the key stream into DI, four registers at a time, then one. stored is
// called behind n registers; tail is to add the text that is left to register 0, store it, and what it likes.
func (p *program) textLoops(c counting, stored func(n int), tail func(text int)) {
	const several = 4
	for _, n := range []int{several, 1} {
		loop, done := p.Label("loop"), p.Label("done")
		p.Op("SUBQ $%d, CX", 64*n)
		p.Op("JLT %s", done)
		p.Place(loop)
		c.next(each(n))
		p.rounds(forward, "Z", each(n), nil)
		p.finish(forward, "Z", each(n))
		for i := range n {
			p.Op("VPXORQ %d(SI), Z%d, Z%d", 64*i, i, i)
		}
		for i := range n {
			p.Op("VMOVDQU64 Z%d, %d(DI)", i, 64*i)
		}
		if stored != nil {
			stored(n)
		}
		p.Op("ADDQ $%d, SI", 64*n)
		p.Op("ADDQ $%d, DI", 64*n)
		p.Op("SUBQ $%d, CX", 64*n)
		p.Op("JGE %s", loop)
		p.Place(done)
		p.Op("ADDQ $%d, CX", 64*n)
	}
	end := p.Label("end")
	p.Op("JZ %s", end)
	p.tailMask()
	const text, temp = 1, 2
	p.tailLoad(text, temp)
	c.next(each(1))
	p.rounds(forward, "Z", each(1), nil)
	p.finish(forward, "Z", each(1))
	tail(text)
	p.Place(end)
}

// absorbStates absorbs the blocks of n registers, 1 or an even number.
func (p *program) absorbStates(n, acc int) {
	if n == 1 {
		p.Op("VMOVDQA64 Z0, Z%d", x)
		p.absorbNext(acc)
		return
	}
	for pair := range n / 2 {
		p.Op("VPSHUFB swap<>(SB), Z%d, Z%d", 2*pair, x)
		p.Op("VPSHUFB swap<>(SB), Z%d, Z%d", 2*pair+1, y)
		if pair == 0 {
			p.addBefore(acc)
		}
		p.absorbPair(
			func(i int) string { return offset(128*pair+64*i, "R13") },
			func(i int) string { return offset(128*pair+64*i, "R14") })
	}
	p.Op("ADDQ $%d, R13", 64*n)
	p.Op("ADDQ $%d, R14", 64*n)
}

// gcmWhole writes a message from beginning to end, in one call: additional data and
// text are at most as many blocks as there are powers but for one. power and middle are behind that of H¹. The
// tag lies behind the text. Opening compares it before anything is written, and decides by no more than whether
// it is equal.
func (p *program) gcmWhole(name string, form lastForm) {
	const mask, tag = 4, 5
	signature := "(s *Schedule, power, middle *byte, j0 *[16]byte, additional *byte, length int, dst, src *byte, n int)"
	if form == sealing {
		p.Function(name, 72, "func "+name+signature)
	} else {
		p.Function(name, 73, "func "+name+signature+" (authentic bool)")
	}
	for i, arg := range []struct{ name, register string }{{"s", "R8"}, {"power", "R13"}, {"middle", "R14"}, {"j0", "DX"},
		{"additional", "BX"}, {"length", "CX"}, {"dst", "DI"}, {"src", "SI"}, {"n", "R15"}} {
		p.Op("MOVQ %s+%d(FP), %s", arg.name, 8*i, arg.register)
	}
	p.loadRounds()
	c := counting{p, 14, t, u}
	p.Note("The text's counters are those behind J₀.")
	p.halves(0, mask)
	p.Op("VSHUFI64X2 $0, Z%d, Z%d, Z%d", mask, mask, c.base)
	p.Op("MOVBQZX 15(DX), R12")
	c.begin("counterText<>(SB)", "text<>(SB)")
	p.Op("INCQ R12")
	p.Op("ANDQ $255, R12")
	p.loadKeys()
	p.Op("VPXORQ X%d, X%d, X%d", key(0), mask, mask)
	p.rounds(forward, "X", []int{mask}, nil)
	p.finish(forward, "X", []int{mask})

	p.Note("The power of the first block.")
	for _, n := range []string{"CX", "R15"} {
		p.Op("LEAQ 15(%s), AX", n)
		p.Op("ANDQ $-16, AX")
		p.Op("SUBQ AX, R13")
		p.Op("SUBQ AX, R14")
	}
	p.Op("SUBQ $16, R13")
	p.Op("SUBQ $16, R14")
	p.emptySums()
	p.hashText("BX", none)
	p.Op("MOVQ R15, CX")
	if form == sealing {
		p.sealText(c, none)
	} else {
		p.hashText("SI", none)
	}
	p.lengths()
	p.absorb("(R13)", "(R14)")
	p.reduce(tag)
	p.Op("VPSHUFB swap<>(SB), X%d, X%d", tag, tag)
	p.Op("VPXOR X%d, X%d, X%d", mask, tag, tag)
	if form == sealing {
		p.Op("MOVQ dst+48(FP), DI")
		p.Op("ADDQ R15, DI")
		p.Op("VMOVDQU X%d, (DI)", tag)
		p.leave()
		return
	}
	forged := p.Label("forged")
	p.Op("MOVQ src+56(FP), SI")
	p.Op("MOVQ R15, CX")
	p.Op("LEAQ (SI)(CX*1), R10")
	p.Op("VPXOR (R10), X%d, X%d", tag, tag)
	p.Op("VPTEST X%d, X%d", tag, tag)
	p.Op("JNZ %s", forged)
	p.textLoops(c, nil, func(text int) {
		p.Op("VPXORQ Z%d, Z0, Z0", text)
		p.tailStore(0)
	})
	p.Op("MOVB $1, authentic+72(FP)")
	p.leave()
	p.Place(forged)
	p.Op("MOVB $0, authentic+72(FP)")
	p.leave()
}

// lengths puts the block of the lengths in bits into x, of a text of R15 bytes and of the additional data.
func (p *program) lengths() {
	p.Op("MOVQ length+40(FP), AX")
	p.Op("SHLQ $3, AX")
	p.Op("LEAQ (R15*8), R10")
	p.Op("VMOVQ R10, X%d", x)
	p.Op("VPINSRQ $1, AX, X%d, X%d", x, x)
}

// hashedCounter writes J₀ of SP 800-38D, section 7.1, for a nonce of any length but 12 bytes, of at most one block
// less than there are powers.
func (p *program) hashedCounter() {
	const sum = 5
	p.Function("wideHashedCounter", 32, "func wideHashedCounter(j0 *[16]byte, table *few, nonce *byte, n int)")
	p.Op("MOVQ table+8(FP), R13")
	p.Op("MOVQ nonce+16(FP), SI")
	p.Op("MOVQ n+24(FP), CX")
	p.Op("LEAQ 15(CX), AX")
	p.Op("ANDQ $-16, AX")
	p.Op("ADDQ $%d, R13", fewTable.middle-16)
	p.Op("SUBQ AX, R13")
	p.Op("LEAQ %d(R13), R14", fewTable.middle)
	p.emptySums()
	p.hashText("SI", none)
	p.Op("MOVQ n+24(FP), CX")
	p.Op("SHLQ $3, CX")
	p.Op("VMOVQ CX, X%d", x)
	p.absorb("(R13)", "(R14)")
	p.reduce(sum)
	p.Op("VPSHUFB swap<>(SB), X%d, X%d", sum, sum)
	p.Op("MOVQ j0+0(FP), DX")
	p.Op("VMOVDQU X%d, (DX)", sum)
	p.leave()
}
