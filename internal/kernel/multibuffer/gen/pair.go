package main

import "fmt"

// The kernels of the SHA extensions, by which two messages take turns: each round waits for the one before, and meanwhile
// there is time for one of the other message. They take whole blocks only, as those for AVX2 do.
//
//	R8  state, [words][2]uint32    R9, R10  where each message's blocks are    CX  blocks to do
//
// X0 is what SHA256RNDS2 reads besides its operands. Instructions are of the old encoding, since there is no other.

// A pair is what differs between the two functions.
type pair struct {
	words  int
	saved  func(m int) []string    // the registers of a message's state, to which the old one is added
	load   func(p *program)        // the states of both
	steps  func(p *program, i int) // four rounds of both, with words 4i to 4i+3 of their schedules
	groups int                     // of four rounds
	ended  func(p *program, m int) // adds what was saved
	store  func(p *program)
}

// pairFrame has room for the states of both messages, and is so large that the assembler checks the stack, where a call
// can be preempted.
const pairFrame = 128

func (p *program) pairData() {
	k := sha256Table()
	p.dwords("sha256Pairs", k[:]...)
	p.bytes("swapWords", []byte{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12})
	p.bytes("swapAll", []byte{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0})
}

// pairBlocks writes a kernel around its rounds.
func (p *program) pairBlocks(name, swap string, f pair) {
	p.function(name, pairFrame, 24, fmt.Sprintf("func %s(state *[%d]uint32, from *[2]*byte, blocks int)", name, 2*f.words))
	p.op("MOVQ state+0(FP), R8")
	p.op("MOVQ from+8(FP), R10")
	p.op("MOVQ blocks+16(FP), CX")
	p.op("MOVQ (R10), R9")
	p.op("MOVQ 8(R10), R10")
	p.op("MOVOU %s<>(SB), X15", swap)
	f.load(p)
	block := p.label("block")
	p.place(block)
	for m := range 2 {
		for i, r := range f.saved(m) {
			p.op("MOVOU %s, %d(SP)", r, 32*m+16*i)
		}
	}
	for i := range f.groups {
		f.steps(p, i)
	}
	for m := range 2 {
		f.ended(p, m)
	}
	p.op("ADDQ $64, R9")
	p.op("ADDQ $64, R10")
	p.op("DECQ CX")
	p.op("JNZ %s", block)
	f.store(p)
	p.op("RET")
}

// part splits rows of two words, X0 and X1 say, of which each message has one half, into registers: the words of the
// second row low, each row's first word above its second.
func (p *program) part(first, second, to0, to1 string) {
	p.op("MOVOU %s, %s", second, to0)
	p.op("MOVOU %s, %s", second, to1)
	p.op("SHUFPS $0x22, %s, %s", first, to0)
	p.op("SHUFPS $0x77, %s, %s", first, to1)
}

// join is the inverse of part, into memory.
func (p *program) join(from0, from1, first, second string) {
	p.op("MOVO %s, X14", from0)
	p.op("PUNPCKHLQ %s, X14", from1)
	p.op("PSHUFD $0x4e, X14, X14")
	p.op("MOVOU X14, %s", first)
	p.op("PUNPCKLLQ %s, %s", from1, from0)
	p.op("PSHUFD $0x4e, %s, %s", from0, from0)
	p.op("MOVOU %s, %s", from0, second)
}

// message is the register of four words of a message's schedule, of which four are kept.
func message(m, i int) string { return fmt.Sprintf("X%d", 5+4*m+i%4) }

// words reads the words of a group from both messages, in the order that the rounds want.
func (p *program) words(i int) {
	for m := range 2 {
		p.op("MOVOU %d(R%d), %s", 16*i, 9+m, message(m, i))
		p.op("PSHUFB X15, %s", message(m, i))
	}
}

// pairSHA256 is FIPS 180-4, section 6.2.2. A message's state is in two registers: A, B, E and F, and C, D, G and H, from the
// top down, as SHA256RNDS2 has them.
func (p *program) pairSHA256() {
	state := func(m int) []string { return []string{fmt.Sprintf("X%d", 1+2*m), fmt.Sprintf("X%d", 2+2*m)} }
	p.pairBlocks("pairSHA256", "swapWords", pair{words: 8, groups: 16, saved: state,
		load: func(p *program) {
			p.op("LEAQ sha256Pairs<>(SB), AX")
			p.op("MOVOU (R8), X5")
			p.op("MOVOU 16(R8), X6")
			p.part("X5", "32(R8)", "X1", "X3")
			p.part("X6", "48(R8)", "X2", "X4")
		},
		steps: func(p *program, i int) {
			if i < 4 {
				p.words(i)
			}
			each := func(f func(m int, t string)) {
				for m := range 2 {
					f(m, fmt.Sprintf("X%d", 13+m))
				}
			}
			each(func(m int, t string) {
				p.op("MOVO %s, %s", message(m, i), t)
				p.op("PADDD %d(AX), %s", 16*i, t)
			})
			each(func(m int, t string) {
				p.op("MOVO %s, X0", t)
				p.op("SHA256RNDS2 X0, %s, %s", state(m)[0], state(m)[1])
			})
			each(func(m int, t string) {
				p.op("PSHUFD $0x0e, %s, X0", t)
				p.op("SHA256RNDS2 X0, %s, %s", state(m)[1], state(m)[0])
			})
			if i >= 3 && i < 15 { // the words of the next group
				each(func(m int, t string) {
					p.op("MOVO %s, %s", message(m, i), t)
					p.op("PALIGNR $4, %s, %s", message(m, i+3), t)
				})
				each(func(m int, t string) {
					p.op("PADDD %s, %s", t, message(m, i+1))
					p.op("SHA256MSG2 %s, %s", message(m, i), message(m, i+1))
				})
			}
			if i >= 1 && i < 13 {
				each(func(m int, _ string) { p.op("SHA256MSG1 %s, %s", message(m, i), message(m, i+3)) })
			}
		},
		ended: func(p *program, m int) {
			for i, r := range state(m) {
				p.op("MOVOU %d(SP), X0", 32*m+16*i)
				p.op("PADDD X0, %s", r)
			}
		},
		store: func(p *program) {
			p.join("X1", "X3", "(R8)", "32(R8)")
			p.join("X2", "X4", "16(R8)", "48(R8)")
		},
	})
}

// pairSHA1 is FIPS 180-4, section 6.1.2. A message's state is in two registers: A, B, C and D from the top down, and E at the
// top of the second, which from the first four rounds on is made of A by SHA1NEXTE. A third holds that of the next four.
func (p *program) pairSHA1() {
	abcd := func(m int) string { return fmt.Sprintf("X%d", 3*m) }
	e := func(m, i int) string { return fmt.Sprintf("X%d", [2][2]int{{1, 2}, {4, 13}}[m][i%2]) }
	p.pairBlocks("pairSHA1", "swapAll", pair{words: 5, groups: 20,
		saved: func(m int) []string { return []string{abcd(m), e(m, 0)} },
		load: func(p *program) {
			p.op("MOVOU (R8), X5")
			p.part("X5", "16(R8)", abcd(0), abcd(1))
			for m := range 2 {
				p.op("MOVL %d(R8), AX", 32+4*m)
				p.op("MOVQ AX, %s", e(m, 0))
				p.op("PSLLDQ $12, %s", e(m, 0))
			}
		},
		steps: func(p *program, i int) {
			if i < 4 {
				p.words(i)
			}
			add := "SHA1NEXTE"
			if i == 0 {
				add = "PADDD" // E is there
			}
			for m := range 2 {
				p.op("%s %s, %s", add, message(m, i), e(m, i))
				p.op("MOVO %s, %s", abcd(m), e(m, i+1))
			}
			for m := range 2 {
				p.op("SHA1RNDS4 $%d, %s, %s", i/5, e(m, i), abcd(m))
			}
			for m := range 2 {
				now, next, older, old := message(m, i), message(m, i+1), message(m, i+2), message(m, i+3)
				if i >= 3 && i < 19 {
					p.op("SHA1MSG2 %s, %s", now, next)
				}
				if i >= 1 && i < 17 {
					p.op("SHA1MSG1 %s, %s", now, old)
				}
				if i >= 2 && i < 18 {
					p.op("PXOR %s, %s", now, older)
				}
			}
		},
		ended: func(p *program, m int) {
			p.op("MOVOU %d(SP), X14", 32*m)
			p.op("PADDD X14, %s", abcd(m))
			p.op("MOVOU %d(SP), X14", 32*m+16)
			p.op("SHA1NEXTE X14, %s", e(m, 0))
		},
		store: func(p *program) {
			for m := range 2 {
				p.op("PSHUFD $3, %s, X14", e(m, 0))
				p.op("MOVQ X14, AX")
				p.op("MOVL AX, %d(R8)", 32+4*m)
			}
			p.join("X0", "X3", "(R8)", "16(R8)")
		},
	})
}
