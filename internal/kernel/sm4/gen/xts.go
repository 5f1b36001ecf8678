package main

// wideXTS writes XTS (IEEE 1619-2018, section 5.3) over whole groups. The 64 tweaks of a group are
// made four to a register and wait in memory, for they are needed twice.
func (p *program) wideXTS() {
	p.function("wideXTS", 0, 48, "func wideXTS(s *Schedule, dst, src *byte, tweak *[16]byte, tweaks *[1024]byte, groups int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ tweak+24(FP), DX")
	p.op("MOVQ tweaks+32(FP), BX")
	p.op("MOVQ groups+40(FP), CX")
	s := newSlicer(p)
	out := s.take()
	p.op("VBROADCASTI32X4 %d(R8), Z%d", schedOut, out)
	p.bulk(func() {
		s.tweaks()
		s.keys()
		for i := range s.at {
			s.at[i] = s.take()
			p.op("VMOVDQU64 %d(SI), Z%d", 64*i, s.at[i])
			p.op("VPXORQ %d(BX), Z%d, Z%d", 64*i, s.at[i], s.at[i])
		}
		s.enter(inputMask("R8"))
		s.rounds(4, nil)
		s.leave()
		for i, r := range s.at {
			p.op("VPTERNLOGD $0x96, %d(BX), Z%d, Z%d", 64*i, out, r)
			p.op("VMOVDQU64 Z%d, %d(DI)", r, 64*i)
		}
		s.release()
		p.op("ADDQ $1024, SI")
		p.op("ADDQ $1024, DI")
	})
}

// tweaks puts T, Tα, … Tα⁶³ at BX and Tα⁶⁴ into (DX).
func (s *slicer) tweaks() {
	first, poly, t, m, h := s.take(), s.take(), s.take(), s.take(), s.take()
	// times multiplies every block of from by α to the power of a shift: what leaves a half at the
	// top enters the other half, or comes back by the polynomial.
	times := func(left, right string, from, to int) {
		s.op("%s, Z%d, Z%d", right, from, t)
		s.op("%s, Z%d, Z%d", left, from, to)
		s.op("VPCLMULQDQ $0x10, Z%d, Z%d, Z%d", t, poly, m)
		s.op("VPSLLDQ $8, Z%d, Z%d", t, h)
		s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", m, h, to)
	}
	s.op("VBROADCASTI32X4 xtsPoly<>(SB), Z%d", poly)
	s.op("VBROADCASTI32X4 (DX), Z%d", first)
	var v [4]int
	for i := range v {
		v[i] = s.take()
	}
	times("VPSLLVQ shiftLeft<>(SB)", "VPSRLVQ shiftRight<>(SB)", first, v[0])
	times("VPSLLQ $4", "VPSRLQ $60", v[0], v[1])
	times("VPSLLQ $8", "VPSRLQ $56", v[0], v[2])
	times("VPSLLQ $12", "VPSRLQ $52", v[0], v[3])
	for i := range 16 {
		s.op("VMOVDQU64 Z%d, %d(BX)", v[i%4], 64*i)
		if i < 13 {
			times("VPSLLQ $16", "VPSRLQ $48", v[i%4], v[i%4])
		}
	}
	s.op("VMOVDQU64 X%d, (DX)", v[0])
	s.give(v[:]...)
	s.give(first, poly, t, m, h)
}
