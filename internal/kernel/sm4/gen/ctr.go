package main

// counters fills the state with the 64 counter blocks from R12:R13 (high, low) on, already in the
// slice form, and advances them. All lanes agree in 15 bytes, but for a carry out of the last. The
// stack holds the spread bytes; AX, BX, R11 and K1 are used.
func (s *slicer) counters() {
	sum, low, blk, in := s.take(), s.take(), s.take(), s.take()
	for i := range s.at {
		s.at[i] = s.take()
	}
	s.op("VPBROADCASTQ matrixIn<>(SB), Z%d", in)
	spread := func() {
		s.op("MOVQ R12, AX")
		s.op("BSWAPQ AX")
		s.op("MOVQ R13, BX")
		s.op("BSWAPQ BX")
		s.op("VMOVQ AX, X%d", blk)
		s.op("VPINSRQ $1, BX, X%d, X%d", blk, blk)
		s.op("VSHUFI64X2 $0, Z%d, Z%d, Z%d", blk, blk, blk)
		s.op("VPSHUFB spread<>(SB), Z%d, Z%d", blk, blk)
		s.op("VGF2P8AFFINEQB $0, Z%d, Z%d, Z%d", in, blk, blk)
		s.op("VMOVDQU64 Z%d, 0(SP)", blk)
	}
	same, done := s.label("same"), s.label("counters")
	s.op("VPBROADCASTB R13, Z%d", low)
	s.op("VPADDB lanes<>(SB), Z%d, Z%d", low, sum)
	s.op("VPCMPUB $1, Z%d, Z%d, K1", low, sum)
	s.op("VGF2P8AFFINEQB $0, Z%d, Z%d, Z%d", in, sum, s.at[15])
	spread()
	for i := range 15 {
		s.op("VPBROADCASTD %d(SP), Z%d", 4*i, s.at[i])
	}
	s.op("KTESTQ K1, K1")
	s.op("LEAQ 64(R13), R11")
	s.op("JZ %s", same)
	s.note("The last byte wraps in some lanes: they take the other 15 bytes of the next multiple of 256.")
	s.op("MOVQ R12, R10")
	s.op("MOVQ R13, R9")
	s.op("ADDQ $256, R13")
	s.op("ADCQ $0, R12")
	spread()
	for i := range 15 {
		s.op("VPBROADCASTD %d(SP), Z%d", 4*i, low)
		s.op("VMOVDQU8 Z%d, K1, Z%d", low, s.at[i])
	}
	s.op("MOVQ R10, R12")
	s.op("MOVQ R9, R13")
	s.op("JMP %s", done)
	s.place(same)
	s.place(done)
	s.op("ADDQ $64, R13")
	s.op("ADCQ $0, R12")
	s.give(sum, low, blk, in)
	for b, operand := range inputMask("R8") {
		r := s.at[15-b]
		s.op("%s, Z%d, Z%d", operand, r, r)
	}
}

// loadCounter loads the counter at DX, storeCounter writes it back.
func (p *program) loadCounter() {
	p.op("MOVQ (DX), R12")
	p.op("MOVQ 8(DX), R13")
	p.op("BSWAPQ R12")
	p.op("BSWAPQ R13")
}

func (p *program) storeCounter() {
	p.op("MOVQ R12, AX")
	p.op("MOVQ R13, BX")
	p.op("BSWAPQ AX")
	p.op("BSWAPQ BX")
	p.op("MOVQ AX, (DX)")
	p.op("MOVQ BX, 8(DX)")
}

// ctrInput parks two sets of counters, and ctrOutput finishes them: key stream, output mask and source
// in one XOR. At the end of a text, rest is the argument that keepRest takes.
func (s *slicer) ctrInput(ps *pairState) {
	for set := range 2 {
		s.counters()
		s.park(ps, set)
	}
	s.keys()
}

func (s *slicer) ctrOutput(tail bool, rest string) {
	for set := range 2 {
		s.unpark(set)
		s.leave()
		out, operand := s.outMask(), s.take()
		s.eachRegister(set, tail, func(at, r int) {
			s.op("VPTERNLOGD $0x96, %d(SI), Z%d, Z%d", at, out, r)
			s.op("VMOVDQU64 Z%d, %d(DI)", r, at)
		}, func(at, r int) {
			s.op("VMOVDQU8.Z %d(SI), K1, Z%d", at, operand)
			s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", operand, out, r)
			s.op("VMOVDQU8 Z%d, K1, %d(DI)", r, at)
			s.keepRest(r, rest)
		})
		s.give(out, operand)
		s.release()
	}
}

// keepRest stores a register of which the text has only the first bytes to where an argument points. Behind
// them is key stream, since nothing was loaded there.
func (p *program) keepRest(r int, argument string) {
	p.op("MOVQ %s, AX", argument)
	p.op("VMOVDQU64 Z%d, (AX)", r)
}

// wideCTR writes CTR over pairs of groups; the counter is the whole block, as crypto/cipher has it.
func (p *program) wideCTR() {
	p.function("wideCTR", 56, "func wideCTR(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, w *work, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ ctr+24(FP), DX")
	p.op("MOVQ w+40(FP), R14")
	p.op("MOVQ n+48(FP), CX")
	p.loadCounter()
	s := newSlicer(p)
	p.bulk(func(tail bool) {
		var ps pairState
		s.ctrInput(&ps)
		if tail {
			// The counters' carries were in K1, and made in AX and R11.
			p.tailMask()
		}
		s.pairRounds(&ps, nil, nil)
		s.ctrOutput(tail, "rest+32(FP)")
		if !tail {
			p.storeCounter()
		}
	})
}
