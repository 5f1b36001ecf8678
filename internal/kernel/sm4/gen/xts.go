package main

// wideXTS writes XTS (IEEE 1619-2018, section 5.3) over whole groups. The 64 tweaks of a group are
// made four to a register and wait in memory, for they are needed twice.
func (p *program) wideXTS() {
	p.function("wideXTS", 56, "func wideXTS(s *Schedule, dst, src *byte, tweak *[16]byte, w *work, tweaks *byte, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ tweak+24(FP), DX")
	p.op("MOVQ w+32(FP), R14")
	p.op("MOVQ tweaks+40(FP), BX")
	p.op("MOVQ n+48(FP), CX")
	s := newSlicer(p)
	p.bulk(func(tail bool) {
		var ps pairState
		s.keys()
		for set := range 2 {
			if tail && set == 0 {
				s.manyTweaks()
			} else if !tail {
				s.tweaks(1024 * set)
			}
			for i := range s.at {
				s.at[i] = s.take()
			}
			if tail {
				p.tweakedLoads(s.at[:], 1024*set)
			} else {
				for i, r := range s.at {
					at := 1024*set + 64*i
					p.op("VMOVDQU64 %d(SI), Z%d", at, r)
					p.op("VPXORQ %d(BX), Z%d, Z%d", at, r, r)
				}
			}
			s.enter(inputMask("R8"))
			s.park(&ps, set)
		}
		if tail {
			p.op("LEAQ %d(R14), R9", workSlice)
		}
		s.pairRounds(&ps, nil, nil)
		for set := range 2 {
			s.unpark(set)
			s.leave()
			out := s.outMask()
			if tail {
				p.tweakedStores(s.at[:], 1024*set, out)
			} else {
				for i, r := range s.at {
					at := 1024*set + 64*i
					p.op("VPTERNLOGD $0x96, %d(BX), Z%d, Z%d", at, out, r)
					p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
				}
			}
			s.give(out)
			s.release()
		}
	})
}

// tweakedLoads loads registers and adds their tweaks, tweakedStores adds them again, with the mask of the
// result, and stores.
func (p *program) tweakedLoads(registers []int, from int) {
	add := func(at, r int) { p.op("VPXORQ %d(BX), Z%d, Z%d", at, r, r) }
	p.tails(registers, from, func(at, r int) {
		p.op("VMOVDQU64 %d(SI), Z%d", at, r)
		add(at, r)
	}, func(at, r int) {
		p.op("VMOVDQU8.Z %d(SI), K1, Z%d", at, r)
		add(at, r)
	})
}

func (p *program) tweakedStores(registers []int, from, out int) {
	add := func(at, r int) { p.op("VPTERNLOGD $0x96, %d(BX), Z%d, Z%d", at, out, r) }
	p.tails(registers, from, func(at, r int) {
		add(at, r)
		p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
	}, func(at, r int) {
		add(at, r)
		p.op("VMOVDQU8 Z%d, K1, %d(DI)", r, at)
	})
}

// tweaks puts T, Tα, … Tα⁶³ at offset(BX) and Tα⁶⁴ into (DX).
func (s *slicer) tweaks(offset int) {
	times, v := s.tweakSteps()
	for i := range 16 {
		s.op("VMOVDQU64 Z%d, %d(BX)", v[i%4], offset+64*i)
		if i < 13 {
			times("VPSLLQ $16", "VPSRLQ $48", v[i%4], v[i%4])
		}
	}
	s.op("VMOVDQU64 X%d, (DX)", v[0])
	s.give(v[:]...)
}

// wideXTSFlight writes XTS over up to 96 whole blocks. The tweaks of all of them, and the one that comes
// next, are left in memory.
func (p *program) wideXTSFlight() {
	p.function("wideXTSFlight", 48, "func wideXTSFlight(s *Schedule, dst, src *byte, tweak *[16]byte, tweaks *byte, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ tweak+24(FP), DX")
	p.op("MOVQ tweaks+32(FP), BX")
	p.op("MOVQ n+40(FP), CX")
	p.tailMask()
	s := newSlicer(p)
	s.manyTweaks()
	p.byGroups(0, func(f *flight) {
		p.tweakedLoads(f.registers(), 0)
		f.enter()
		p.op("LEAQ %d(R8), R9", schedRound)
		f.rounds(4)
		f.leave()
		p.outputMask(30)
		p.tweakedStores(f.registers(), 0, 30)
		p.op("VZEROUPPER")
		p.op("RET")
	})
}

// manyTweaks puts T, Tα … at BX, four to a register and four registers at a time, until there is one more
// than CX bytes of them.
func (s *slicer) manyTweaks() {
	times, v := s.tweakSteps()
	defer s.give(v[:]...)
	loop, done := s.label("tweaks"), s.label("made")
	s.op("XORL R11, R11")
	s.op("MOVQ BX, R9")
	s.place(loop)
	for i := range v {
		s.op("VMOVDQU64 Z%d, (R9)", v[i])
		s.op("ADDQ $64, R9")
		s.op("ADDQ $64, R11")
		s.op("CMPQ R11, CX")
		s.op("JGT %s", done)
		times("VPSLLQ $16", "VPSRLQ $48", v[i], v[i])
	}
	s.op("JMP %s", loop)
	s.place(done)
}

// tweakSteps fills four registers with T … Tα¹⁵, and returns them and what multiplies a register by α to
// the power of a shift: what leaves a half at the top enters the other half, or comes back by the
// polynomial.
func (s *slicer) tweakSteps() (times func(left, right string, from, to int), v [4]int) {
	first, poly, t, m, h := s.take(), s.take(), s.take(), s.take(), s.take()
	times = func(left, right string, from, to int) {
		s.op("%s, Z%d, Z%d", right, from, t)
		s.op("%s, Z%d, Z%d", left, from, to)
		s.op("VPCLMULQDQ $0x10, Z%d, Z%d, Z%d", t, poly, m)
		s.op("VPSLLDQ $8, Z%d, Z%d", t, h)
		s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", m, h, to)
	}
	s.op("VBROADCASTI32X4 xtsPoly<>(SB), Z%d", poly)
	s.op("VBROADCASTI32X4 (DX), Z%d", first)
	for i := range v {
		v[i] = s.take()
	}
	times("VPSLLVQ shiftLeft<>(SB)", "VPSRLVQ shiftRight<>(SB)", first, v[0])
	times("VPSLLQ $4", "VPSRLQ $60", v[0], v[1])
	times("VPSLLQ $8", "VPSRLQ $56", v[0], v[2])
	times("VPSLLQ $12", "VPSRLQ $52", v[0], v[3])
	s.give(first, poly, t, m, h)
	return times, v
}
