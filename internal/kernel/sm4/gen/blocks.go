package main

import (
	"fmt"
	"slices"
)

// wideShort writes the function for up to 64 blocks that every mode falls back to for its tail:
// dst = E(src) ⊕ xor. It picks the form by length, and loads and stores no byte outside n; src alone
// is read in full blocks. The slices are needed above 32 blocks.
func (p *program) wideShort() {
	p.function("wideShort", 48, "func wideShort(s *Schedule, slices *Slices, dst, src, xor *byte, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+16(FP), DI")
	p.op("MOVQ src+24(FP), SI")
	p.op("MOVQ xor+32(FP), DX")
	p.op("MOVQ n+40(FP), CX")
	p.op("LEAQ %d(R8), R9", schedRound)
	names := []string{"four", "eight", "sixteen", "thirtytwo"}
	limits := []int{64, 128, 256, 512}
	for i, limit := range limits {
		limits[i] = limit
		names[i] = p.label(names[i])
		p.op("CMPQ CX, $%d", limit)
		p.op("JLE %s", names[i])
	}
	p.shortSlice()
	p.place(names[0])
	p.shortWord(xmm, 1)
	p.place(names[1])
	p.shortWord(ymm, 1)
	p.place(names[2])
	p.shortWord(zmm, 1)
	p.place(names[3])
	p.shortWord(zmm, 2)
}

// mask sets K1 for the bytes of register i that lie below the length in from. AX and R11 are used,
// R12 holds 0 and R13 the register's size in bytes.
func (p *program) mask(from string, offset int) {
	p.op("MOVQ $-1, AX")
	p.op("LEAQ %d(%s), R11", -offset, from)
	p.op("CMPQ R11, R12")
	p.op("CMOVQLT R12, R11")
	p.op("CMPQ R11, R13")
	p.op("CMOVQGT R13, R11")
	p.op("BZHIQ R11, AX, AX")
	p.op("KMOVQ AX, K1")
}

// maskSetup prepares mask, and sets BX to the length in whole blocks.
func (p *program) maskSetup(bytes int) {
	p.op("XORL R12, R12")
	p.op("MOVQ $%d, R13", bytes)
	p.op("LEAQ 15(CX), BX")
	p.op("ANDQ $-16, BX")
}

func (p *program) shortWord(w width, groups int) {
	gs := []wordGroup{newWordGroup(0), newWordGroup(10)}[:groups]
	masked, rounds, maskedOut := p.label("masked"), p.label("loaded"), p.label("maskedOut")
	entry := slices.Clone(gs) // the state leaves in other registers than it came in
	each := func(gs []wordGroup, f func(r, offset int)) {
		for gi, g := range gs {
			for i, r := range g.x {
				f(r, (4*gi+i)*w.bytes)
			}
		}
	}
	p.wordConstants(w)
	p.op("CMPQ CX, $%d", 4*groups*w.bytes)
	p.op("JNE %s", masked)
	each(entry, func(r, offset int) { p.op("VMOVDQU64 %d(SI), %s", offset, w.r(r)) })
	p.place(rounds)
	for _, g := range gs {
		p.wordEnter(w, g.x, g.scratch(), fmt.Sprintf("VPXORD.BCST %d(R8)", schedIn))
	}
	p.wordRounds(w, gs, 4)
	for gi := range gs {
		gs[gi].x = p.wordLeave(w, gs[gi].x, gs[gi].scratch())
	}
	const outMask, operand = 23, 22
	if w == xmm {
		p.op("VMOVDQU64 %d(R8), X%d", schedOut, outMask)
	} else {
		p.op("VBROADCASTI32X4 %d(R8), %s", schedOut, w.r(outMask))
	}
	p.op("CMPQ CX, $%d", 4*groups*w.bytes)
	p.op("JNE %s", maskedOut)
	each(gs, func(r, offset int) {
		p.op("VPTERNLOGD $0x96, %d(DX), %s, %s", offset, w.r(outMask), w.r(r))
		p.op("VMOVDQU64 %s, %d(DI)", w.r(r), offset)
	})
	p.op("VZEROUPPER")
	p.op("RET")

	p.place(masked)
	p.maskSetup(w.bytes)
	each(entry, func(r, offset int) {
		p.mask("BX", offset)
		p.op("VMOVDQU8.Z %d(SI), K1, %s", offset, w.r(r))
	})
	p.op("JMP %s", rounds)

	p.place(maskedOut)
	p.maskSetup(w.bytes)
	each(gs, func(r, offset int) {
		p.mask("CX", offset)
		p.op("VMOVDQU8.Z %d(DX), K1, %s", offset, w.r(operand))
		p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(operand), w.r(outMask), w.r(r))
		p.op("VMOVDQU8 %s, K1, %d(DI)", w.r(r), offset)
	})
	p.op("VZEROUPPER")
	p.op("RET")
}

// shortSlice is the body of wideShort for 33 to 64 blocks.
func (p *program) shortSlice() {
	p.op("MOVQ slices+8(FP), R9")
	s := newSlicer(p)
	p.maskSetup(64)
	for i := range s.at {
		s.at[i] = s.take()
		p.mask("BX", 64*i)
		p.op("VMOVDQU8.Z %d(SI), K1, Z%d", 64*i, s.at[i])
	}
	s.enter(inputMask("R8"))
	s.rounds(4, nil)
	s.leave()
	out, operand := s.take(), s.take()
	p.op("VBROADCASTI32X4 %d(R8), Z%d", schedOut, out)
	for i, r := range s.at {
		p.mask("CX", 64*i)
		p.op("VMOVDQU8.Z %d(DX), K1, Z%d", 64*i, operand)
		p.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", operand, out, r)
		p.op("VMOVDQU8 Z%d, K1, %d(DI)", r, 64*i)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// bulk opens a function over groups of 64 blocks and writes its loop. Every call is bounded by its
// caller, because a goroutine can't be preempted in assembly.
func (p *program) bulk(body func()) {
	loop, done := p.label("group"), p.label("done")
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.place(loop)
	body()
	p.op("DECQ CX")
	p.op("JNZ %s", loop)
	p.place(done)
	p.op("VZEROUPPER")
	p.op("RET")
}

// loads loads 64 blocks from memory order.
func (s *slicer) loads(offset int) {
	for i := range s.at {
		s.at[i] = s.take()
		s.op("VMOVDQU64 %d(SI), Z%d", offset+64*i, s.at[i])
	}
}

// release gives the state's registers back.
func (s *slicer) release() { s.give(s.at[:]...) }

func (s *slicer) keys() { s.op("LEAQ %d(R14), R9", workSlice) }

// advance steps to the next pair of groups.
func (p *program) advance() {
	p.op("ADDQ $%d, SI", pairBytes)
	p.op("ADDQ $%d, DI", pairBytes)
}

// wideECB writes ECB over pairs of groups.
func (p *program) wideECB() {
	p.function("wideECB", 40, "func wideECB(s *Schedule, dst, src *byte, w *work, pairs int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ w+24(FP), R14")
	p.op("MOVQ pairs+32(FP), CX")
	s := newSlicer(p)
	p.bulk(func() {
		var ps pairState
		s.keys()
		for set := range 2 {
			s.loads(1024 * set)
			s.enter(inputMask("R8"))
			s.park(&ps, set)
		}
		s.pairRounds(&ps, nil, nil)
		for set := range 2 {
			s.unpark(set)
			s.leave()
			out := s.outMask()
			for i, r := range s.at {
				p.op("VPXORQ Z%d, Z%d, Z%d", out, r, r)
				p.op("VMOVDQU64 Z%d, %d(DI)", r, 1024*set+64*i)
			}
			s.give(out)
			s.release()
		}
		p.advance()
	})
}

// outMask loads the mask of the result for every block of a register.
func (s *slicer) outMask() int {
	out := s.take()
	s.op("VBROADCASTI32X4 %d(R8), Z%d", schedOut, out)
	return out
}

// wideCBCDecrypt writes CBC decryption over pairs of groups; the caller, who knows the last block,
// keeps the IV.
func (p *program) wideCBCDecrypt() {
	p.function("wideCBCDecrypt", 48, "func wideCBCDecrypt(s *Schedule, dst, src *byte, iv *[16]byte, w *work, pairs int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ iv+24(FP), DX")
	p.op("MOVQ w+32(FP), R14")
	p.op("MOVQ pairs+40(FP), CX")
	p.op("MOVQ $0xfc, AX")
	p.op("KMOVQ AX, K1")
	s := newSlicer(p)
	iv := s.take()
	p.op("VMOVDQU64 (DX), X%d", iv)
	p.bulk(func() {
		var ps pairState
		s.keys()
		for set := range 2 {
			s.loads(1024 * set)
			s.enter(inputMask("R8"))
			s.park(&ps, set)
		}
		s.pairRounds(&ps, nil, nil)
		first := s.take()
		p.op("VMOVDQU64.Z -16(SI), K1, Z%d", first)
		p.op("VPORQ Z%d, Z%d, Z%d", iv, first, first)
		p.op("VMOVDQU64 %d(SI), X%d", pairBytes-16, iv)
		// Backwards, so that in place the ciphertext before a register is still there.
		for set := 1; set >= 0; set-- {
			s.unpark(set)
			s.leave()
			out := s.outMask()
			for i := 15; i >= 0; i-- {
				at, r := 1024*set+64*i, s.at[i]
				if at == 0 {
					p.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", first, out, r)
				} else {
					p.op("VPTERNLOGD $0x96, %d(SI), Z%d, Z%d", at-16, out, r)
				}
				p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
			}
			s.give(out)
			s.release()
		}
		s.give(first)
		p.advance()
	})
}
