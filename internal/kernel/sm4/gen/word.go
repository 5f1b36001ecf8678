package main

import "fmt"

// The word form: four registers hold one 32-bit word of 4, 8 or 16 blocks each. It serves up to 32
// blocks, where latency counts and not throughput.

// A width is a vector size.
type width struct {
	reg   string
	bytes int // of one register; also a quarter of the group
}

var (
	xmm = width{"X", 16}
	ymm = width{"Y", 32}
	zmm = width{"Z", 64}
)

func (w width) r(i int) string { return fmt.Sprintf("%s%d", w.reg, i) }

// Registers that hold constants in the word form.
const (
	wordU = 24 + iota
	wordV
	wordRol8
	wordIn
	wordInInverse
	wordSwap
)

func (p *program) wordConstants(w width) {
	for i, name := range []string{"matrixU", "matrixV"} {
		p.op("VPBROADCASTQ %s<>(SB), %s", name, w.r(wordU+i))
	}
	p.op("VMOVDQU64 rol8<>(SB), %s", w.r(wordRol8))
	p.op("VPBROADCASTQ matrixIn<>(SB), %s", w.r(wordIn))
	p.op("VPBROADCASTQ matrixInInverse<>(SB), %s", w.r(wordInInverse))
	p.op("VMOVDQU64 swap32<>(SB), %s", w.r(wordSwap))
}

// wordEnter takes four registers of blocks in memory order to the four words of the state. The key
// of round 0 enters here (see Schedule): in is the instruction and its first operand.
func (p *program) wordEnter(w width, x [4]int, tmp [4]int, in string) {
	for _, r := range x {
		p.op("VPSHUFB %s, %s, %s", w.r(wordSwap), w.r(r), w.r(r))
	}
	for _, r := range x {
		p.op("VGF2P8AFFINEQB $0, %s, %s, %s", w.r(wordIn), w.r(r), w.r(r))
	}
	p.wordTranspose(w, x, tmp)
	p.op("%s, %s, %s", in, w.r(x[3]), w.r(x[3]))
}

// wordLeave takes the state back to memory order; the output mask is left to the caller. Output
// words are in reverse, section 7.1 of the standard.
func (p *program) wordLeave(w width, x [4]int, tmp [4]int) [4]int {
	out := [4]int{x[3], x[2], x[1], x[0]}
	p.wordTranspose(w, out, tmp)
	for _, r := range out {
		p.op("VGF2P8AFFINEQB $0, %s, %s, %s", w.r(wordInInverse), w.r(r), w.r(r))
	}
	for _, r := range out {
		p.op("VPSHUFB %s, %s, %s", w.r(wordSwap), w.r(r), w.r(r))
	}
	return out
}

// wordTranspose transposes the 4×4 matrix of dwords in every 128-bit lane of x.
func (p *program) wordTranspose(w width, x, tmp [4]int) {
	p.op("VPUNPCKLDQ %s, %s, %s", w.r(x[1]), w.r(x[0]), w.r(tmp[0]))
	p.op("VPUNPCKHDQ %s, %s, %s", w.r(x[1]), w.r(x[0]), w.r(tmp[1]))
	p.op("VPUNPCKLDQ %s, %s, %s", w.r(x[3]), w.r(x[2]), w.r(tmp[2]))
	p.op("VPUNPCKHDQ %s, %s, %s", w.r(x[3]), w.r(x[2]), w.r(tmp[3]))
	p.op("VPUNPCKLQDQ %s, %s, %s", w.r(tmp[2]), w.r(tmp[0]), w.r(x[0]))
	p.op("VPUNPCKHQDQ %s, %s, %s", w.r(tmp[2]), w.r(tmp[0]), w.r(x[1]))
	p.op("VPUNPCKLQDQ %s, %s, %s", w.r(tmp[3]), w.r(tmp[1]), w.r(x[2]))
	p.op("VPUNPCKHQDQ %s, %s, %s", w.r(tmp[3]), w.r(tmp[1]), w.r(x[3]))
}

// wordFirst makes the S-box's input of the first round; in a chain x[1] comes last.
func (p *program) wordFirst(w width, x [4]int, s int) {
	p.op("VPXORD %s, %s, %s", w.r(x[3]), w.r(x[2]), w.r(s))
	p.op("VPXORD %s, %s, %s", w.r(x[1]), w.r(s), w.r(s))
}

// wordRound is one round with a short chain: the S-box's input of the next round is made beside the new
// word and not from it, so a round waits for an inversion, a rotation, a ternary XOR and an XOR. On
// Zen 4 the destination of a ternary XOR is read a cycle later than its other operands, so what comes
// last is there; two shuffles of one register don't start together there, so two of the three rotations
// are shifts; and this order was the fastest of those tried.
func (p *program) wordRound(w width, x [4]int, g wordGroup, key string) {
	s, m, u, v, r, c := g.s, g.m, g.t[0], g.t[1], g.t[2], g.t[3]
	p.op("VGF2P8AFFINEINVQB $0, %s, %s, %s", w.r(wordU), w.r(s), w.r(u))
	p.op("VGF2P8AFFINEINVQB $0, %s, %s, %s", w.r(wordV), w.r(s), w.r(v))
	p.op("VPXORD %s, %s, %s", w.r(x[2]), w.r(x[3]), w.r(m))
	p.op("%s, %s, %s", key, w.r(m), w.r(x[0]))
	p.op("VPROLD $16, %s, %s", w.r(u), w.r(c))
	p.op("VPROLD $24, %s, %s", w.r(v), w.r(s))
	p.op("VPSHUFB %s, %s, %s", w.r(wordRol8), w.r(u), w.r(r))
	p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(c), w.r(s), w.r(r))
	p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(v), w.r(u), w.r(x[0]))
	p.op("VPXORD %s, %s, %s", w.r(x[0]), w.r(r), w.r(s))
	p.op("VPXORD %s, %s, %s", w.r(m), w.r(s), w.r(x[0]))
}

// wordRounds runs 32 rounds on one group or on two side by side. The keys are words for all blocks
// at R9, or vectors of keyBytes at R9. R10 is used.
func (p *program) wordRounds(w width, groups []wordGroup, keyBytes int) {
	loop := p.label("rounds")
	for _, g := range groups {
		p.wordFirst(w, g.x, g.s)
	}
	p.op("LEAQ %d(R9), R10", 32*keyBytes)
	p.place(loop)
	for i := range 4 {
		key := fmt.Sprintf("VPTERNLOGD.BCST $0x96, %d(R9)", i*keyBytes)
		if keyBytes > 4 {
			key = fmt.Sprintf("VPTERNLOGD $0x96, %d(R9)", i*keyBytes)
		}
		for _, g := range groups {
			x := [4]int{g.x[i], g.x[(i+1)%4], g.x[(i+2)%4], g.x[(i+3)%4]}
			p.wordRound(w, x, g, key)
		}
	}
	p.op("ADDQ $%d, R9", 4*keyBytes)
	p.op("CMPQ R9, R10")
	p.op("JNE %s", loop)
}

// A wordGroup names the registers of one group of blocks.
type wordGroup struct {
	x [4]int
	s int // input of the S-box
	m int // x₂ ⊕ x₃ of a round
	t [4]int
}

func newWordGroup(first int) wordGroup {
	f := first
	return wordGroup{[4]int{f, f + 1, f + 2, f + 3}, f + 4, f + 5, [4]int{f + 6, f + 7, f + 8, f + 9}}
}

func (g wordGroup) scratch() [4]int { return [4]int{g.s, g.m, g.t[0], g.t[1]} }
