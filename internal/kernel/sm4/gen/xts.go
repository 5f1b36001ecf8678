package main

// wideXTS writes XTS (IEEE 1619-2018, section 5.3) over whole groups. The 64 tweaks of a group are
// made four to a register and wait in memory, for they are needed twice.
func (p *program) wideXTS() {
	p.function("wideXTS", 56, "func wideXTS(s *Schedule, dst, src *byte, tweak *[16]byte, w *work, tweaks *[2048]byte, pairs int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ tweak+24(FP), DX")
	p.op("MOVQ w+32(FP), R14")
	p.op("MOVQ tweaks+40(FP), BX")
	p.op("MOVQ pairs+48(FP), CX")
	s := newSlicer(p)
	p.bulk(func() {
		var ps pairState
		s.keys()
		for set := range 2 {
			s.tweaks(1024 * set)
			for i := range s.at {
				at := 1024*set + 64*i
				s.at[i] = s.take()
				p.op("VMOVDQU64 %d(SI), Z%d", at, s.at[i])
				p.op("VPXORQ %d(BX), Z%d, Z%d", at, s.at[i], s.at[i])
			}
			s.enter(inputMask("R8"))
			s.park(&ps, set)
		}
		s.pairRounds(&ps, nil, nil)
		for set := range 2 {
			s.unpark(set)
			s.leave()
			out := s.outMask()
			for i, r := range s.at {
				at := 1024*set + 64*i
				p.op("VPTERNLOGD $0x96, %d(BX), Z%d, Z%d", at, out, r)
				p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
			}
			s.give(out)
			s.release()
		}
		p.advance()
	})
}

// tweaks puts T, Tα, … Tα⁶³ at offset(BX) and Tα⁶⁴ into (DX).
func (s *slicer) tweaks(offset int) {
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
		s.op("VMOVDQU64 Z%d, %d(BX)", v[i%4], offset+64*i)
		if i < 13 {
			times("VPSLLQ $16", "VPSRLQ $48", v[i%4], v[i%4])
		}
	}
	s.op("VMOVDQU64 X%d, (DX)", v[0])
	s.give(v[:]...)
	s.give(first, poly, t, m, h)
}
