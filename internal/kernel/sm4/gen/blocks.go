package main

import (
	"fmt"
	"slices"
)

// wideShort writes the function for up to 32 blocks that most modes fall back to for their tail:
// dst = E(src) ⊕ xor. It picks the width by length, and loads and stores no byte outside n; src alone
// is read in full blocks.
func (p *program) wideShort() {
	p.function("wideShort", 40, "func wideShort(s *Schedule, dst, src, xor *byte, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ xor+24(FP), DX")
	p.op("MOVQ n+32(FP), CX")
	p.op("LEAQ %d(R8), R9", schedRound)
	names := []string{"four", "eight", "sixteen"}
	for i, limit := range []int{64, 128, 256} {
		names[i] = p.label(names[i])
		p.op("CMPQ CX, $%d", limit)
		p.op("JLE %s", names[i])
	}
	p.shortWord(zmm, 2)
	p.place(names[0])
	p.shortWord(xmm, 1)
	p.place(names[1])
	p.shortWord(ymm, 1)
	p.place(names[2])
	p.shortWord(zmm, 1)
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

// bulk writes the loop over pairs of groups, and what is left behind it, less than a pair, in the same form:
// CX is the bytes to go. Every call is bounded by its caller, because a goroutine can't be preempted in
// assembly.
func (p *program) bulk(body func(tail bool)) {
	loop, tail, done := p.label("pair"), p.label("tail"), p.label("done")
	p.op("CMPQ CX, $%d", pairBytes)
	p.op("JLT %s", tail)
	p.place(loop)
	body(false)
	p.advance()
	p.op("SUBQ $%d, CX", pairBytes)
	p.op("CMPQ CX, $%d", pairBytes)
	p.op("JGE %s", loop)
	p.place(tail)
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.tailMask()
	body(true)
	p.place(done)
	p.op("VZEROUPPER")
	p.op("RET")
}

// loads loads 64 blocks from memory order, or what there is of them.
func (s *slicer) loads(from int, tail bool) {
	for i := range s.at {
		s.at[i] = s.take()
		if !tail {
			s.op("VMOVDQU64 %d(SI), Z%d", from+64*i, s.at[i])
		}
	}
	if tail {
		s.loadTails(s.at[:], from)
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
	p.function("wideECB", 40, "func wideECB(s *Schedule, dst, src *byte, w *work, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ w+24(FP), R14")
	p.op("MOVQ n+32(FP), CX")
	s := newSlicer(p)
	p.bulk(func(tail bool) {
		var ps pairState
		s.keys()
		for set := range 2 {
			s.loads(1024*set, tail)
			s.enter(inputMask("R8"))
			s.park(&ps, set)
		}
		s.pairRounds(&ps, nil, nil)
		for set := range 2 {
			s.unpark(set)
			s.leave()
			out := s.outMask()
			add := func(r int) { p.op("VPXORQ Z%d, Z%d, Z%d", out, r, r) }
			whole := func(at, r int) {
				add(r)
				p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
			}
			s.eachRegister(set, tail, whole, func(at, r int) {
				add(r)
				p.op("VMOVDQU8 Z%d, K1, %d(DI)", r, at)
			})
			s.give(out)
			s.release()
		}
	})
}

// eachRegister is tails for a set, which is full if this isn't the tail.
func (s *slicer) eachRegister(set int, tail bool, whole, part func(at, r int)) {
	if tail {
		s.tails(s.at[:], 1024*set, whole, part)
		return
	}
	for i, r := range s.at {
		whole(1024*set+64*i, r)
	}
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
	p.function("wideCBCDecrypt", 48, "func wideCBCDecrypt(s *Schedule, dst, src *byte, iv *[16]byte, w *work, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ iv+24(FP), DX")
	p.op("MOVQ w+32(FP), R14")
	p.op("MOVQ n+40(FP), CX")
	s := newSlicer(p)
	iv := s.take()
	p.op("VMOVDQU64 (DX), X%d", iv)
	p.op("XORL AX, AX")
	p.op("KMOVQ AX, K1")
	p.chainMasks()
	p.bulk(func(tail bool) {
		var ps pairState
		s.keys()
		for set := range 2 {
			s.loads(1024*set, tail)
			s.enter(inputMask("R8"))
			s.park(&ps, set)
		}
		s.pairRounds(&ps, nil, nil)
		if tail {
			p.chainMasks()
			for set := 1; set >= 0; set-- {
				s.unpark(set)
				s.leave()
				out, operand := s.outMask(), s.take()
				p.chainTails(s.at[:], 1024*set, "SI", iv, operand, out)
				s.give(out, operand)
				s.release()
			}
			return
		}
		s.chainPair(iv)
	})
}

// chainPair writes the end of a whole pair: backwards, so that in place the ciphertext before a register is
// still there.
func (s *slicer) chainPair(iv int) {
	first := s.take()
	s.op("VMOVDQU64.Z -16(SI), K2, Z%d", first)
	s.op("VPORQ Z%d, Z%d, Z%d", iv, first, first)
	s.op("VMOVDQU64 %d(SI), X%d", pairBytes-16, iv)
	for set := 1; set >= 0; set-- {
		s.unpark(set)
		s.leave()
		out := s.outMask()
		for i := 15; i >= 0; i-- {
			at, r := 1024*set+64*i, s.at[i]
			if at == 0 {
				s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", first, out, r)
			} else {
				s.op("VPTERNLOGD $0x96, %d(SI), Z%d, Z%d", at-16, out, r)
			}
			s.op("VMOVDQU64 Z%d, %d(DI)", r, at)
		}
		s.give(out)
		s.release()
	}
	s.give(first)
}
