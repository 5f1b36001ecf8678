package main

import "fmt"

// A flight is one to six groups of the word form side by side: up to 96 blocks that stay in registers from
// the first load to the last store. Up to four groups wait for their own chain and take the round that is
// shortest in time (wordRound); with six, others fill the gaps, and the round with the fewest
// instructions is the fastest.
type flight struct {
	*program
	groups []wordGroup
}

// flights are the numbers of groups for which there is code; in between the next one does the work.
var flights = []int{1, 2, 3, 4, 6}

// What lies behind the groups' registers is free before the rounds and after them.
const (
	flightU = 30
	flightV = 31
)

func newFlight(p *program, groups int) *flight {
	f := &flight{program: p}
	for i := range groups {
		switch {
		case groups <= 2:
			f.groups = append(f.groups, newWordGroup(10*i))
		case groups <= 4:
			f.groups = append(f.groups, wordGroup{[4]int{4 * i, 4*i + 1, 4*i + 2, 4*i + 3}, 16 + i, 20, [4]int{21, 22, 23, wordIn}})
		default:
			f.groups = append(f.groups, wordGroup{[4]int{4 * i, 4*i + 1, 4*i + 2, 4*i + 3}, 24, 25, [4]int{26, 27, 28, 29}})
		}
	}
	return f
}

func (f *flight) crowded() bool { return len(f.groups) > 4 }

// registers are those of the state in the order of the blocks.
func (f *flight) registers() (rs []int) {
	for _, g := range f.groups {
		rs = append(rs, g.x[:]...)
	}
	return rs
}

// enter takes every group from memory order to the words of the state.
func (f *flight) enter() {
	for _, g := range f.groups {
		for _, r := range g.x {
			f.op("VPSHUFB swap32<>(SB), Z%d, Z%d", r, r)
			f.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z%d, Z%d", r, r)
		}
		f.wordTranspose(zmm, g.x, g.scratch())
		f.op("VPXORD.BCST %d(R8), Z%d, Z%d", schedIn, g.x[3], g.x[3])
	}
}

// leave takes every group back to memory order, less the output mask.
func (f *flight) leave() {
	for i := range f.groups {
		g := &f.groups[i]
		g.x = [4]int{g.x[3], g.x[2], g.x[1], g.x[0]}
		f.wordTranspose(zmm, g.x, g.scratch())
		for _, r := range g.x {
			f.op("VGF2P8AFFINEQB.BCST $0, matrixInInverse<>(SB), Z%d, Z%d", r, r)
			f.op("VPSHUFB swap32<>(SB), Z%d, Z%d", r, r)
		}
	}
}

// rounds runs 32 rounds with the keys at R9: words for all blocks, or vectors of keyBytes. R10 is used.
func (f *flight) rounds(keyBytes int) {
	if !f.crowded() {
		f.wordConstants(zmm)
		f.wordRounds(zmm, f.groups, keyBytes)
		return
	}
	f.op("VPBROADCASTQ matrixU<>(SB), Z%d", flightU)
	f.op("VPBROADCASTQ matrixV<>(SB), Z%d", flightV)
	loop := f.label("rounds")
	f.op("LEAQ %d(R9), R10", 32*keyBytes)
	f.place(loop)
	for i := range 4 {
		key := "VPTERNLOGD.BCST"
		if keyBytes > 4 {
			key = "VPTERNLOGD"
		}
		for _, g := range f.groups {
			x := [4]int{g.x[i], g.x[(i+1)%4], g.x[(i+2)%4], g.x[(i+3)%4]}
			f.round(x, g, fmt.Sprintf("%s $0x96, %d(R9)", key, i*keyBytes))
		}
	}
	f.op("ADDQ $%d, R9", 4*keyBytes)
	f.op("CMPQ R9, R10")
	f.op("JNE %s", loop)
}

// round is nine instructions beside two copies, which processors carry out by renaming. The
// destination of a ternary XOR is read later than its other operands: what comes last is there. Intel's
// cores have one port of two for rotations and GFNI: a shuffle in place of one rotation makes the ports even.
func (f *flight) round(x [4]int, g wordGroup, key string) {
	s, u, v, a, b, c := g.s, g.m, g.t[0], g.t[1], g.t[2], g.t[3]
	f.op("VMOVDQA64 Z%d, Z%d", x[3], s)
	f.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", x[1], x[2], s)
	f.op("VGF2P8AFFINEINVQB $0, Z%d, Z%d, Z%d", flightU, s, u)
	f.op("VGF2P8AFFINEINVQB $0, Z%d, Z%d, Z%d", flightV, s, v)
	f.op("VPSHUFB rol8<>(SB), Z%d, Z%d", u, a)
	f.op("VPROLD $16, Z%d, Z%d", u, b)
	f.op("VPROLD $24, Z%d, Z%d", v, c)
	f.op("%s, Z%d, Z%d", key, u, x[0])
	f.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", b, c, a)
	f.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", v, x[0], a)
	f.op("VMOVDQA64 Z%d, Z%d", a, x[0])
}

// tails writes what is done for registers in order, the first of which belongs to the byte from of a message
// of CX bytes, up to its end: whole for those that are full, and part for the one that the end falls into,
// whose mask is K1.
func (p *program) tails(registers []int, from int, whole, part func(at, r int)) {
	done := p.label("end")
	parts := make([]string, len(registers))
	for i, r := range registers {
		parts[i] = p.label("part")
		p.op("CMPQ CX, $%d", from+64*(i+1))
		p.op("JLT %s", parts[i])
		whole(from+64*i, r)
	}
	p.op("JMP %s", done)
	for i, r := range registers {
		p.place(parts[i])
		p.op("CMPQ CX, $%d", from+64*i)
		p.op("JLE %s", done)
		part(from+64*i, r)
		p.op("JMP %s", done)
	}
	p.place(done)
}

// tailsBackwards is tails from the last register on.
func (p *program) tailsBackwards(registers []int, from int, whole, part func(at, r int)) {
	for i := len(registers) - 1; i >= 0; i-- {
		full, next := p.label("whole"), p.label("next")
		at, r := from+64*i, registers[i]
		p.op("CMPQ CX, $%d", at+64)
		p.op("JGE %s", full)
		p.op("CMPQ CX, $%d", at)
		p.op("JLE %s", next)
		part(at, r)
		p.op("JMP %s", next)
		p.place(full)
		whole(at, r)
		p.place(next)
	}
}

// tailMask makes the mask of the last 64 bytes of CX, none if it is a multiple. AX and R11 are used.
func (p *program) tailMask() {
	p.op("MOVQ CX, R11")
	p.op("ANDQ $63, R11")
	p.op("MOVQ $-1, AX")
	p.op("BZHIQ R11, AX, AX")
	p.op("KMOVQ AX, K1")
}

// byGroups writes body for every number of groups, and chooses by the length in CX. room is what the
// blocks that aren't text take of the last group.
func (p *program) byGroups(room int, body func(f *flight)) {
	labels := make([]string, len(flights))
	for i, n := range flights[:len(flights)-1] {
		labels[i] = p.label("groups")
		p.op("CMPQ CX, $%d", 256*n-16*room)
		p.op("JLE %s", labels[i])
	}
	for i := len(flights) - 1; i >= 0; i-- {
		if labels[i] != "" {
			p.place(labels[i])
		}
		body(newFlight(p, flights[i]))
	}
}

// outputMask loads the mask of the result for every block of a register.
func (p *program) outputMask(r int) { p.op("VBROADCASTI32X4 %d(R8), Z%d", schedOut, r) }

// wideFlight writes dst = E(src) ⊕ xor for up to 96 whole blocks. With iv the operand xor is shifted by a
// block, as CBC decryption has it: iv comes first, and the message is gone through from its end, so that
// xor may be src and dst as well.
func (p *program) wideFlight() {
	p.function("wideFlight", 48, "func wideFlight(s *Schedule, dst, src, xor *byte, iv *[16]byte, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ xor+24(FP), DX")
	p.op("MOVQ iv+32(FP), R12")
	p.op("MOVQ n+40(FP), CX")
	p.tailMask()
	p.byGroups(0, func(f *flight) {
		p.loadTails(f.registers(), 0)
		f.enter()
		p.op("LEAQ %d(R8), R9", schedRound)
		f.rounds(4)
		f.leave()
		p.outputMask(30)
		chained := p.label("chained")
		p.op("TESTQ R12, R12")
		p.op("JNZ %s", chained)
		p.tails(f.registers(), 0, func(at, r int) {
			p.op("VPTERNLOGD $0x96, %d(DX), Z30, Z%d", at, r)
			p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
		}, func(at, r int) {
			p.op("VMOVDQU8.Z %d(DX), K1, Z29", at)
			p.op("VPTERNLOGD $0x96, Z29, Z30, Z%d", r)
			p.op("VMOVDQU8 Z%d, K1, %d(DI)", r, at)
		})
		p.op("VZEROUPPER")
		p.op("RET")
		p.place(chained)
		p.op("VMOVDQU64 (R12), X28")
		p.chainMasks()
		p.chainTails(f.registers(), 0, "DX", 28, 29, 30)
		p.op("VZEROUPPER")
		p.op("RET")
	})
}

// loadTails loads registers from memory order.
func (p *program) loadTails(registers []int, from int) {
	p.tails(registers, from, func(at, r int) { p.op("VMOVDQU64 %d(SI), Z%d", at, r) },
		func(at, r int) { p.op("VMOVDQU8.Z %d(SI), K1, Z%d", at, r) })
}

// chainMasks makes K2, the quadwords behind a register's first block, and K3, the bytes of K1 there.
func (p *program) chainMasks() {
	p.op("MOVQ $0xfc, AX")
	p.op("KMOVQ AX, K2")
	p.op("MOVQ $-65536, AX")
	p.op("KMOVQ AX, K3")
	p.op("KANDQ K1, K3, K3")
}

// chainTails adds to the registers the mask of the result and what lies a block before them in the message at
// the pointer, or for the very first block iv, and stores them, from the last one on: in place, the blocks
// before are still there then.
func (p *program) chainTails(registers []int, from int, pointer string, iv, operand, out int) {
	load := func(at int, move, first, mask string) {
		if at == 0 {
			p.op("%s -16(%s), %s, Z%d", first, pointer, mask, operand)
			p.op("VPORQ Z%d, Z%d, Z%d", iv, operand, operand)
			return
		}
		p.op("%s, Z%d", fmt.Sprintf(move, at-16, pointer), operand)
	}
	p.tailsBackwards(registers, from, func(at, r int) {
		load(at, "VMOVDQU64 %d(%s)", "VMOVDQU64.Z", "K2")
		p.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", operand, out, r)
		p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
	}, func(at, r int) {
		load(at, "VMOVDQU8.Z %d(%s), K1", "VMOVDQU8.Z", "K3")
		p.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", operand, out, r)
		p.op("VMOVDQU8 Z%d, K1, %d(DI)", r, at)
	})
}
