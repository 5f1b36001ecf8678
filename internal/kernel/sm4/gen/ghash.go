package main

// GHASH of SP 800-38D, section 6.4, on byte-swapped blocks as in POLYVAL (RFC 8452, appendix A):
// powers holds H⁶⁴ … H¹ times x, and a product leaves its reduction to the end of a group. The hash of
// the groups before comes in there too, so that the products of one group don't wait for the reduction
// of another.

// A ghasher names the accumulators of the low, high and middle products, and three temporaries.
type ghasher struct {
	*program
	lo, hi, mid, x, t, u int
}

// start empties the sums.
func (g *ghasher) start() {
	for _, r := range []int{g.lo, g.hi, g.mid} {
		g.op("VPXORQ X%d, X%d, X%d", r, r, r)
	}
}

// addProduct adds the product of the block in x and the power at the operand to folded sums.
func (g *ghasher) addProduct(power string) {
	g.op("VMOVDQU64 %s, X%d", power, g.u)
	for i, sum := range []int{g.lo, g.hi, g.mid, g.mid} {
		g.op("VPCLMULQDQ $%#02x, X%d, X%d, X%d", []int{0x00, 0x11, 0x01, 0x10}[i], g.u, g.x, g.t)
		g.op("VPXORQ X%d, X%d, X%d", g.t, sum, sum)
	}
}

// swapped brings the four blocks in x into the field's order.
func (g *ghasher) swapped() { g.op("VPSHUFB swap128<>(SB), Z%d, Z%d", g.x, g.x) }

// absorb adds the products of the four blocks in x with the powers at the operand.
func (g *ghasher) absorb(powers string) {
	g.swapped()
	g.op("VMOVDQU64 %s, Z%d", powers, g.u)
	g.op("VPCLMULQDQ $0x00, Z%d, Z%d, Z%d", g.u, g.x, g.t)
	g.op("VPXORQ Z%d, Z%d, Z%d", g.t, g.lo, g.lo)
	g.op("VPCLMULQDQ $0x11, Z%d, Z%d, Z%d", g.u, g.x, g.t)
	g.op("VPXORQ Z%d, Z%d, Z%d", g.t, g.hi, g.hi)
	g.op("VPCLMULQDQ $0x01, Z%d, Z%d, Z%d", g.u, g.x, g.t)
	g.op("VPCLMULQDQ $0x10, Z%d, Z%d, Z%d", g.u, g.x, g.x)
	g.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", g.x, g.t, g.mid)
}

// fold adds up the four lanes of the sums.
func (g *ghasher) fold() {
	for _, r := range []int{g.lo, g.hi, g.mid} {
		g.op("VEXTRACTI64X4 $1, Z%d, Y%d", r, g.t)
		g.op("VPXORQ Y%d, Y%d, Y%d", g.t, r, r)
		g.op("VEXTRACTI32X4 $1, Y%d, X%d", r, g.t)
		g.op("VPXORQ X%d, X%d, X%d", g.t, r, r)
	}
}

// reduce brings the folded sums into one block and leaves it in x.
func (g *ghasher) reduce() {
	g.op("VPSLLDQ $8, X%d, X%d", g.mid, g.t)
	g.op("VPSRLDQ $8, X%d, X%d", g.mid, g.mid)
	g.op("VPXORQ X%d, X%d, X%d", g.t, g.lo, g.lo)
	g.op("VPXORQ X%d, X%d, X%d", g.mid, g.hi, g.hi)
	g.op("VMOVDQU64 ghashPoly<>(SB), X%d", g.u)
	for range 2 {
		g.op("VPCLMULQDQ $0x00, X%d, X%d, X%d", g.u, g.lo, g.t)
		g.op("VPSHUFD $0x4e, X%d, X%d", g.lo, g.lo)
		g.op("VPXORQ X%d, X%d, X%d", g.t, g.lo, g.lo)
	}
	g.op("VPXORQ X%d, X%d, X%d", g.lo, g.hi, g.x)
}

// wideGHASH writes the hash of n bytes, the last block padded with zeros.
func (p *program) wideGHASH() {
	p.function("wideGHASH", 32, "func wideGHASH(acc *[16]byte, powers *Powers, data *byte, n int)")
	p.op("MOVQ acc+0(FP), DX")
	p.op("MOVQ powers+8(FP), R8")
	p.op("MOVQ data+16(FP), SI")
	p.op("MOVQ n+24(FP), CX")
	g := &ghasher{p, 0, 1, 2, 3, 4, 5}
	const acc = 6
	chunk, vector, tail, reduce, done := p.label("chunk"), p.label("vector"), p.label("tail"), p.label("reduce"), p.label("done")
	p.op("VMOVDQU64 (DX), X%d", acc)
	p.op("XORL R12, R12")
	p.op("MOVQ $64, R13")
	p.place(chunk)
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.note("BX: bytes of this chunk, at most 64 blocks; R9 and DI: the power of its first block.")
	p.op("MOVQ $1024, BX")
	p.op("CMPQ CX, BX")
	p.op("CMOVQLT CX, BX")
	p.op("SUBQ BX, CX")
	p.op("LEAQ 15(BX), AX")
	p.op("ANDQ $-16, AX")
	p.op("LEAQ 1024(R8), R9")
	p.op("SUBQ AX, R9")
	p.op("MOVQ R9, DI")
	g.start()
	p.place(vector)
	p.op("CMPQ BX, $64")
	p.op("JLT %s", tail)
	p.op("VMOVDQU64 (SI), Z%d", g.x)
	g.absorb("(R9)")
	p.op("ADDQ $64, SI")
	p.op("ADDQ $64, R9")
	p.op("SUBQ $64, BX")
	p.op("JMP %s", vector)
	p.place(tail)
	p.op("TESTQ BX, BX")
	p.op("JZ %s", reduce)
	p.mask("BX", 0)
	p.op("VMOVDQU8.Z (SI), K1, Z%d", g.x)
	g.absorb("(R9)")
	p.place(reduce)
	p.op("VMOVDQA64 X%d, X%d", acc, g.x)
	g.fold()
	g.addProduct("(DI)")
	g.reduce()
	p.op("VMOVDQA64 X%d, X%d", g.x, acc)
	p.op("JMP %s", chunk)
	p.place(done)
	p.op("VMOVDQU64 X%d, (DX)", acc)
	p.op("VZEROUPPER")
	p.op("RET")
}

// powers are the registers in which the table of powers is made: vectors of four powers, the higher ones
// first, and what multiplies them.
type powers struct {
	*program
	sums ghasher
	poly int
}

func newPowers(p *program) *powers { return &powers{p, ghasher{p, 0, 1, 2, 3, 4, 5}, 7} }

// times multiplies every block of a and b in registers of width w.
func (t *powers) times(w width, a, b, to int) {
	s := t.sums
	for i, r := range []int{s.lo, s.hi, s.mid, s.t} {
		t.op("VPCLMULQDQ $%#02x, %s, %s, %s", []int{0x00, 0x11, 0x01, 0x10}[i], w.r(a), w.r(b), w.r(r))
	}
	t.op("VPXORQ %s, %s, %s", w.r(s.t), w.r(s.mid), w.r(s.mid))
	t.reduceLanes(w, to)
}

// reduceLanes reduces the sums, lane by lane.
func (t *powers) reduceLanes(w width, to int) {
	s := t.sums
	t.op("VPSLLDQ $8, %s, %s", w.r(s.mid), w.r(s.t))
	t.op("VPSRLDQ $8, %s, %s", w.r(s.mid), w.r(s.mid))
	t.op("VPXORQ %s, %s, %s", w.r(s.t), w.r(s.lo), w.r(s.lo))
	for range 2 {
		t.op("VPCLMULQDQ $0x00, %s, %s, %s", w.r(t.poly), w.r(s.lo), w.r(s.t))
		t.op("VPSHUFD $0x4e, %s, %s", w.r(s.lo), w.r(s.lo))
		t.op("VPXORQ %s, %s, %s", w.r(s.t), w.r(s.lo), w.r(s.lo))
	}
	t.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(s.mid), w.r(s.lo), w.r(s.hi))
	t.op("VMOVDQA64 %s, %s", w.r(s.hi), w.r(to))
}

// eight writes the eight powers before the address in R13 from the first in X8, and leaves the four
// highest in Z11 and the others in Z10.
func (t *powers) eight() {
	t.op("VBROADCASTI32X4 ghashPoly<>(SB), Z%d", t.poly)
	t.times(xmm, 8, 8, 9)
	t.op("VINSERTI32X4 $1, X8, Y9, Y8")
	t.op("VINSERTI32X4 $1, X9, Y9, Y9")
	t.times(ymm, 9, 8, 10)
	t.op("VINSERTI64X4 $1, Y8, Z10, Z10")
	t.op("VMOVDQU64 Z10, -64(R13)")
	t.op("VSHUFI64X2 $0, Z10, Z10, Z9")
	t.times(zmm, 9, 10, 11)
	t.op("VMOVDQU64 Z11, -128(R13)")
}

// wideFewPowers writes eight powers, widePowers 64: each step multiplies what is there by the highest.
func (p *program) wideFewPowers() {
	p.function("wideFewPowers", 16, "func wideFewPowers(end *byte, h *[16]byte)")
	p.op("MOVQ end+0(FP), R13")
	p.op("MOVQ h+8(FP), SI")
	p.halves(0, "SI", 8)
	newPowers(p).eight()
	p.op("VZEROUPPER")
	p.op("RET")
}

func (p *program) widePowers() {
	p.function("widePowers", 16, "func widePowers(end *byte, h *[16]byte)")
	p.op("MOVQ end+0(FP), R13")
	p.op("MOVQ h+8(FP), SI")
	p.halves(0, "SI", 8)
	t := newPowers(p)
	t.eight()
	for n := 2; n < 16; n *= 2 {
		p.op("VSHUFI64X2 $0, Z11, Z11, Z9")
		for i := n; i > 0; i-- {
			p.op("VMOVDQU64 %d(R13), Z10", -64*i)
			t.times(zmm, 9, 10, 12)
			p.op("VMOVDQU64 Z12, %d(R13)", -64*(n+i))
			if i == n {
				p.op("VMOVDQA64 Z12, Z11")
			}
		}
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideGCMSeal writes CTR over pairs of groups with the GHASH of the pair before between the rounds.
func (p *program) wideGCMSeal() {
	p.function("wideGCMSeal", 64, "func wideGCMSeal(s *Schedule, powers *Powers, acc *[16]byte, dst, src *byte, ctr *[16]byte, w *work, pairs int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+24(FP), DI")
	p.op("MOVQ src+32(FP), SI")
	p.op("MOVQ ctr+40(FP), DX")
	p.op("MOVQ w+48(FP), R14")
	p.op("MOVQ pairs+56(FP), CX")
	p.loadCounter()
	s := newSlicer(p)
	g := &ghasher{program: p}
	take := func() {
		for _, r := range []*int{&g.lo, &g.hi, &g.mid, &g.x, &g.t, &g.u} {
			*r = s.take()
		}
	}
	give := func() { s.give(g.lo, g.hi, g.mid, g.x, g.t, g.u) }
	loop, last := p.label("pair"), p.label("last")

	var ps pairState
	s.ctrInput(&ps)
	s.pairRounds(&ps, nil, nil)
	s.ctrOutput(false, "")
	s.advance()
	p.place(loop)
	p.op("DECQ CX")
	p.op("JZ %s", last)
	s.ctrInput(&ps)
	take()
	p.op("LEAQ -%d(DI), R11", pairBytes)
	s.hashBefore(g)
	s.pairRounds(&ps, func(quarter int) {
		p.op("VMOVDQU64 %d(R11), Z%d", 64*quarter, g.x)
		g.absorb(address(64*quarter, "BX"))
		if quarter == 3 {
			p.op("ADDQ $256, R11")
			p.op("ADDQ $256, BX")
		}
	}, func() {
		s.hashAfter(g)
		s.hashBefore(g)
	})
	s.hashAfter(g)
	give()
	s.ctrOutput(false, "")
	s.advance()
	p.op("JMP %s", loop)

	p.place(last)
	take()
	for set := range 2 {
		s.hashBefore(g)
		for i := range 16 {
			p.op("VMOVDQU64 %d(DI), Z%d", -pairBytes+1024*set+64*i, g.x)
			g.absorb(address(64*i, "BX"))
		}
		s.hashAfter(g)
	}
	p.storeCounter()
	p.op("VZEROUPPER")
	p.op("RET")
}

// hashBefore points BX at the powers and starts the sums of 64 blocks, hashAfter ends them.
func (s *slicer) hashBefore(g *ghasher) {
	s.op("MOVQ powers+8(FP), BX")
	g.start()
}

func (s *slicer) hashAfter(g *ghasher) {
	s.op("MOVQ powers+8(FP), BX")
	s.op("MOVQ acc+16(FP), AX")
	s.op("VMOVDQU64 (AX), X%d", g.x)
	g.fold()
	g.addProduct("(BX)")
	g.reduce()
	s.op("VMOVDQU64 X%d, (AX)", g.x)
}
