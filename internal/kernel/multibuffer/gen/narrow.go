package main

import "fmt"

// The AVX2 kernels. A group is 8 messages, a ymm register one word of each. They take whole blocks
// only, from an address a lane; the Go code gives them padded copies of the last ones.
//
//	DI  *[16]*byte: where each lane's blocks are    BX  state, [words][lanes]uint32
//	SI  bytes done   CX  blocks to do               R8  aligned scratch on the stack

func (p *program) narrowData() {
	repeat := func(k []uint32) (r []uint32) {
		for _, v := range k {
			r = append(r, v, v, v, v, v, v, v, v)
		}
		return r
	}
	k := md5Table()
	p.dwords("md5Table", repeat(k[:])...)
	k = sm3Table()
	p.dwords("sm3Table", repeat(k[:])...)
	swap := make([]byte, 32)
	for i := range swap {
		swap[i] = byte(i%16 ^ 3)
	}
	p.bytes("swap32", swap)
}

// narrowBlocks writes a kernel of some groups around its rounds.
func (p *program) narrowBlocks(name string, groups, words int, bigEndian bool, rounds func(word func(g, i int) string)) {
	p.function(name, groups*512+32, 24, fmt.Sprintf("func %s(state *[%d]uint32, from *[%d]*byte, blocks int)", name, words*8*groups, 8*groups))
	p.op("MOVQ state+0(FP), BX")
	p.op("MOVQ from+8(FP), DI")
	p.op("MOVQ blocks+16(FP), CX")
	p.op("LEAQ 31(SP), R8")
	p.op("ANDQ $-32, R8")
	p.op("XORL SI, SI")
	block := p.label("block")
	p.place(block)
	word := func(g, i int) string { return fmt.Sprintf("%d(R8)", g*512+i*32) }
	for g := range groups {
		for half := range 2 {
			for i := range 8 {
				p.op("MOVQ %d(DI), R%d", 8*(8*g+i), 9+i%4)
				p.op("VMOVDQU %d(R%d)(SI*1), Y%d", 32*half, 9+i%4, i)
			}
			p.narrowTranspose(bigEndian, func(i int) string { return word(g, 8*half+i) })
		}
	}
	state := func(g, w int) string { return fmt.Sprintf("%d(BX)", 32*(w*groups+g)) }
	for g := range groups {
		for w := range words {
			p.op("VMOVDQU %s, Y%d", state(g, w), g*words+w)
		}
	}
	rounds(word)
	sum := "VPADDD"
	if bigEndian {
		sum = "VPXOR" // SM3's way
	}
	p.note("Davies and Meyer.")
	for g := range groups {
		for w := range words {
			r := g*words + w
			p.op("%s %s, Y%d, Y%d", sum, state(g, w), r, r)
			p.op("VMOVDQU Y%d, %s", r, state(g, w))
		}
	}
	p.op("ADDQ $64, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", block)
	p.op("VZEROUPPER")
	p.op("RET")
}

// narrowTranspose turns Y0 … Y7, 32 bytes of a message each, into words that it stores.
func (p *program) narrowTranspose(bigEndian bool, word func(i int) string) {
	for s := 0; s < 8; s += 4 {
		p.op("VPUNPCKLDQ Y%d, Y%d, Y8", s+1, s)
		p.op("VPUNPCKHDQ Y%d, Y%d, Y9", s+1, s)
		p.op("VPUNPCKLDQ Y%d, Y%d, Y10", s+3, s+2)
		p.op("VPUNPCKHDQ Y%d, Y%d, Y11", s+3, s+2)
		p.op("VPUNPCKLQDQ Y10, Y8, Y%d", s)
		p.op("VPUNPCKHQDQ Y10, Y8, Y%d", s+1)
		p.op("VPUNPCKLQDQ Y11, Y9, Y%d", s+2)
		p.op("VPUNPCKHQDQ Y11, Y9, Y%d", s+3)
	}
	if bigEndian {
		p.op("VMOVDQU swap32<>(SB), Y15")
	}
	for k := range 4 {
		for i, imm := range []int{0x20, 0x31} {
			r := 8 + 2*(k%2) + i
			p.op("VPERM2I128 $%#02x, Y%d, Y%d, Y%d", imm, 4+k, k, r)
			if bigEndian {
				p.op("VPSHUFB Y15, Y%d, Y%d", r, r)
			}
			p.op("VMOVDQA Y%d, %s", r, word(k+4*i))
		}
	}
}

// narrowRotate turns r left by n, by way of t.
func (p *program) narrowRotate(n, from, to, t int) {
	p.op("VPSRLD $%d, Y%d, Y%d", 32-n, from, t)
	p.op("VPSLLD $%d, Y%d, Y%d", n, from, to)
	p.op("VPOR Y%d, Y%d, Y%d", t, to, to)
}

// narrowMD5 writes 16 lanes in two groups.
func (p *program) narrowMD5() {
	const groups, ones = 2, 15
	p.narrowBlocks("narrowMD5", groups, 4, false, func(word func(g, i int) string) {
		p.op("VPCMPEQD Y%d, Y%d, Y%d", ones, ones, ones)
		for i := range 64 {
			if i%16 == 0 {
				p.note("Round %d.", i/16+1)
			}
			each := func(f func(g, a, b, c, d, t, u int)) {
				for g := range groups {
					reg := func(n int) int { return 4*g + (n+64-i)%4 }
					f(g, reg(0), reg(1), reg(2), reg(3), 8+2*g, 9+2*g)
				}
			}
			each(func(g, a, b, c, d, t, u int) { p.op("VPADDD %s, Y%d, Y%d", word(g, md5Word(i)), a, a) })
			switch i / 16 {
			case 0: // ((c ⊕ d) ∧ b) ⊕ d
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", c, d, t) })
				each(func(g, a, b, c, d, t, u int) { p.op("VPAND Y%d, Y%d, Y%d", b, t, t) })
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", d, t, t) })
			case 1: // ((b ⊕ c) ∧ d) ⊕ c
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", b, c, t) })
				each(func(g, a, b, c, d, t, u int) { p.op("VPAND Y%d, Y%d, Y%d", d, t, t) })
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", c, t, t) })
			case 2:
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", c, d, t) })
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", b, t, t) })
			case 3: // c ⊕ (b ∨ ¬d)
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", ones, d, t) })
				each(func(g, a, b, c, d, t, u int) { p.op("VPOR Y%d, Y%d, Y%d", b, t, t) })
				each(func(g, a, b, c, d, t, u int) { p.op("VPXOR Y%d, Y%d, Y%d", c, t, t) })
			}
			each(func(g, a, b, c, d, t, u int) { p.op("VPADDD md5Table<>+%d(SB), Y%d, Y%d", 32*i, a, a) })
			each(func(g, a, b, c, d, t, u int) { p.op("VPADDD Y%d, Y%d, Y%d", t, a, a) })
			each(func(g, a, b, c, d, t, u int) { p.narrowRotate(md5Shift(i), a, a, u) })
			each(func(g, a, b, c, d, t, u int) { p.op("VPADDD Y%d, Y%d, Y%d", b, a, a) })
		}
	})
}

// narrowSM3 writes 8 lanes.
func (p *program) narrowSM3() {
	p.narrowBlocks("narrowSM3", 1, 8, true, func(word func(g, i int) string) {
		const t0, t1, t2, t3, t4, t5 = 8, 9, 10, 11, 12, 13
		xor := func(a, b, to int) { p.op("VPXOR Y%d, Y%d, Y%d", a, b, to) }
		and := func(a, b, to int) { p.op("VPAND Y%d, Y%d, Y%d", a, b, to) }
		add := func(a, to int) { p.op("VPADDD Y%d, Y%d, Y%d", a, to, to) }
		for j := range 64 {
			if j%16 == 0 {
				p.note("Rounds %d to %d.", j, j+15)
			}
			reg := func(n int) int { return n&^3 + (n+64-j)%4 }
			a, b, c, d, e, f, g, h := reg(0), reg(1), reg(2), reg(3), reg(4), reg(5), reg(6), reg(7)
			ring := func(i int) string { return word(0, (j+i)%16) }
			p.narrowRotate(12, a, t0, t2)
			p.op("VPADDD sm3Table<>+%d(SB), Y%d, Y%d", 32*j, e, t1)
			add(t0, t1)
			p.narrowRotate(7, t1, t1, t2) // SS1
			xor(t1, t0, t0)               // SS2
			add(t0, d)
			add(t1, h)
			p.op("VMOVDQA %s, Y%d", ring(0), t5)
			add(t5, h)
			p.op("VPXOR %s, Y%d, Y%d", ring(4), t5, t4)
			add(t4, d)
			if j < 16 {
				xor(a, b, t2)
				xor(c, t2, t2)
				xor(e, f, t3)
				xor(g, t3, t3)
			} else {
				// The majority is (a ∧ b) ∨ (c ∧ (a ∨ b)); the choice ((f ⊕ g) ∧ e) ⊕ g.
				p.op("VPOR Y%d, Y%d, Y%d", a, b, t2)
				and(c, t2, t2)
				and(a, b, t3)
				p.op("VPOR Y%d, Y%d, Y%d", t3, t2, t2)
				xor(f, g, t3)
				and(e, t3, t3)
				xor(g, t3, t3)
			}
			add(t2, d) // TT1
			add(t3, h) // TT2
			p.narrowRotate(9, b, b, t0)
			p.narrowRotate(19, f, f, t1)
			p.narrowRotate(9, h, t2, t0)
			p.narrowRotate(17, h, t3, t1)
			xor(t2, h, h)
			xor(t3, h, h) // P0
			if j >= 52 {
				continue
			}
			p.op("VMOVDQA %s, Y%d", ring(13), t0)
			p.narrowRotate(15, t0, t0, t1)
			xor(t5, t0, t0)
			p.op("VPXOR %s, Y%d, Y%d", ring(7), t0, t0)
			p.narrowRotate(15, t0, t2, t1)
			p.narrowRotate(23, t0, t3, t4)
			xor(t2, t0, t0)
			xor(t3, t0, t0) // P1
			p.op("VMOVDQA %s, Y%d", ring(3), t2)
			p.narrowRotate(7, t2, t2, t1)
			xor(t2, t0, t0)
			p.op("VPXOR %s, Y%d, Y%d", ring(10), t0, t0)
			p.op("VMOVDQA Y%d, %s", t0, ring(0))
		}
	})
}
