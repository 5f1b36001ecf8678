package main

import "fmt"

// The functions that need AVX2 and GFNI only: VEX encodings, sixteen registers, no ternary XOR.

// familyKey is FK and CK of section 7.3.
var familyKey = [4]uint32{0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc}

func constantKey(i int) (ck uint32) {
	for j := range 4 {
		ck = ck<<8 | uint32(byte((4*i+j)*7))
	}
	return ck
}

// keyInput is what round i of the key schedule adds to the S-box's input, with the S-box's own constant.
func (c constants) keyInput(i int) (w uint32) {
	for at := 0; at < 32; at += 8 {
		w |= uint32(c.in.apply(byte(constantKey(i)>>at))^c.inConst) << at
	}
	return w
}

// narrowExpandKey writes the key schedule, section 7.3, in constant time: domain receives the round
// keys as the S-box's inversion takes them, in·rk ⊕ inConst.
func (p *program) narrowExpandKey(c constants) {
	dwords := func(f func(int) uint32, n int) []uint64 {
		q := make([]uint64, n/2)
		for i := range n {
			q[i/2] |= uint64(f(i)) << (32 * (i % 2))
		}
		return q
	}
	p.bytes("rol16", rotation(2))
	p.bytes("rol24", rotation(3))
	const ones = 0x01010101
	p.quads("familyKey", dwords(func(i int) uint32 { return familyKey[i] }, 4)...)
	p.quads("constantKey", dwords(c.keyInput, 32)...)
	p.quads("inConst", repeatQuad(uint64(c.inConst)*ones*(1<<32+1), 4)...)
	for i, m := range c.key {
		p.quads(fmt.Sprintf("matrixKey%d", i), uint64(m), uint64(m))
	}

	p.function("narrowExpandKey", 16, "func narrowExpandKey(key *[16]byte, domain *[32]uint32)")
	p.op("MOVQ key+0(FP), SI")
	p.op("MOVQ domain+8(FP), DX")
	for i := range 4 {
		p.op("VMOVDQU matrixKey%d<>(SB), X%d", i, 12+i)
	}
	for i, name := range []string{"rol8", "rol16", "rol24"} {
		p.op("VMOVDQU %s<>(SB), X%d", name, 9+i)
	}
	p.op("VMOVDQU (SI), X4")
	p.op("VPSHUFB swap32<>(SB), X4, X4")
	p.op("VPXOR familyKey<>(SB), X4, X4")
	p.op("VGF2P8AFFINEQB $0, matrixIn<>(SB), X4, X4")
	for j := range 4 {
		p.op("VPSHUFD $%#x, X4, X%d", 0x55*j, j)
	}
	p.op("LEAQ constantKey<>(SB), R9")
	p.op("LEAQ 128(R9), R10")
	p.op("MOVQ DX, R11")
	loop := p.label("keys")
	p.place(loop)
	for i := range 4 {
		x := [4]int{i, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4}
		p.op("VMOVD %d(R9), X4", 4*i)
		p.op("VPXOR X%d, X%d, X5", x[1], x[2])
		p.op("VPXOR X4, X5, X5")
		p.op("VPXOR X%d, X5, X5", x[3])
		p.op("VGF2P8AFFINEINVQB $0, X13, X5, X6")
		p.op("VGF2P8AFFINEINVQB $0, X14, X5, X7")
		p.op("VGF2P8AFFINEINVQB $0, X15, X5, X8")
		p.op("VGF2P8AFFINEINVQB $%#x, X12, X5, X5", c.keyConst)
		p.op("VPSHUFB X9, X6, X6")
		p.op("VPSHUFB X10, X7, X7")
		p.op("VPSHUFB X11, X8, X8")
		p.op("VPXOR X5, X%d, X%d", x[0], x[0])
		p.op("VPXOR X6, X7, X7")
		p.op("VPXOR X8, X%d, X%d", x[0], x[0])
		p.op("VPXOR X7, X%d, X%d", x[0], x[0])
		p.op("VMOVD X%d, %d(R11)", x[0], 4*i)
	}
	p.op("ADDQ $16, R9")
	p.op("ADDQ $16, R11")
	p.op("CMPQ R9, R10")
	p.op("JNE %s", loop)
	for i := range 4 {
		p.op("VMOVDQU %d(DX), Y0", 32*i)
		p.op("VPXOR inConst<>(SB), Y0, Y0")
		p.op("VMOVDQU Y0, %d(DX)", 32*i)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// narrowOut writes the mask of the result: four words out of the domain, in memory order.
func (p *program) narrowOut() {
	p.function("narrowOut", 16, "func narrowOut(out *[16]byte, d *[4]uint32)")
	p.op("MOVQ out+0(FP), DI")
	p.op("MOVQ d+8(FP), SI")
	p.op("VMOVDQU (SI), X0")
	p.op("VGF2P8AFFINEQB $0, matrixInInverse<>(SB), X0, X0")
	p.op("VPSHUFB swap32<>(SB), X0, X0")
	p.op("VMOVDQU X0, (DI)")
	p.op("RET")
}

func repeatQuad(v uint64, n int) []uint64 {
	q := make([]uint64, n)
	for i := range q {
		q[i] = v
	}
	return q
}

// narrowShort writes dst = E(src) ⊕ xor for groups of 16 blocks, and for one of 8.
func (p *program) narrowShort(name string, groups int) {
	bytes := 128 * groups
	p.function(name, 40, fmt.Sprintf("func %s(s *Schedule, dst, src, xor *byte, n int)", name))
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ xor+24(FP), DX")
	p.op("MOVQ n+32(FP), CX")
	loop, done := p.label("group"), p.label("done")
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.place(loop)
	gs := []narrowGroup{{[4]int{0, 1, 2, 3}, [4]int{8, 9, 10, 11}}, {[4]int{4, 5, 6, 7}, [4]int{12, 13, 14, 15}}}[:groups]
	for gi, g := range gs {
		for i, r := range g.x {
			p.op("VMOVDQU %d(SI), Y%d", 128*gi+32*i, r)
			p.op("VPSHUFB swap32<>(SB), Y%d, Y%d", r, r)
			p.op("VGF2P8AFFINEQB $0, matrixIn<>(SB), Y%d, Y%d", r, r)
		}
	}
	for _, g := range gs {
		p.wordTranspose(ymm, g.x, g.t)
		p.op("VPBROADCASTD %d(R8), Y%d", schedIn, g.t[0])
		p.op("VPXOR Y%d, Y%d, Y%d", g.t[0], g.x[3], g.x[3])
	}
	p.narrowRounds(gs)
	p.note("Words in reverse, section 7.1.")
	for gi := range gs {
		x := gs[gi].x
		gs[gi].x = [4]int{x[3], x[2], x[1], x[0]}
		p.wordTranspose(ymm, gs[gi].x, gs[gi].t)
	}
	p.op("VBROADCASTI128 %d(R8), Y15", schedOut)
	for gi, g := range gs {
		for i, r := range g.x {
			p.op("VGF2P8AFFINEQB $0, matrixInInverse<>(SB), Y%d, Y%d", r, r)
			p.op("VPSHUFB swap32<>(SB), Y%d, Y%d", r, r)
			p.op("VPXOR Y15, Y%d, Y%d", r, r)
			p.op("VPXOR %d(DX), Y%d, Y%d", 128*gi+32*i, r, r)
			p.op("VMOVDQU Y%d, %d(DI)", r, 128*gi+32*i)
		}
	}
	for _, r := range []string{"SI", "DI", "DX"} {
		p.op("ADDQ $%d, %s", bytes, r)
	}
	p.op("SUBQ $%d, CX", bytes)
	p.op("JG %s", loop)
	p.place(done)
	p.op("VZEROUPPER")
	p.op("RET")
}

type narrowGroup struct{ x, t [4]int }

func (p *program) narrowRounds(gs []narrowGroup) {
	loop := p.label("rounds")
	p.op("LEAQ %d(R8), R9", schedRound)
	p.op("LEAQ 128(R9), R10")
	p.place(loop)
	for i := range 4 {
		for _, g := range gs {
			x := [4]int{g.x[i], g.x[(i+1)%4], g.x[(i+2)%4], g.x[(i+3)%4]}
			u, v, r, k := g.t[0], g.t[1], g.t[2], g.t[3]
			p.op("VPBROADCASTD %d(R9), Y%d", 4*i, k)
			p.op("VPXOR Y%d, Y%d, Y%d", x[1], x[2], u)
			p.op("VPXOR Y%d, Y%d, Y%d", x[3], u, u)
			p.op("VGF2P8AFFINEINVQB $0, matrixV<>(SB), Y%d, Y%d", u, v)
			p.op("VGF2P8AFFINEINVQB $0, matrixU<>(SB), Y%d, Y%d", u, u)
			p.op("VPXOR Y%d, Y%d, Y%d", k, x[0], x[0])
			p.op("VPXOR Y%d, Y%d, Y%d", v, x[0], x[0])
			p.op("VPSHUFB rol8<>(SB), Y%d, Y%d", u, r)
			p.op("VPSHUFB rol24<>(SB), Y%d, Y%d", v, v)
			p.op("VPSHUFB rol16<>(SB), Y%d, Y%d", u, k)
			p.op("VPXOR Y%d, Y%d, Y%d", u, x[0], x[0])
			p.op("VPXOR Y%d, Y%d, Y%d", r, v, v)
			p.op("VPXOR Y%d, Y%d, Y%d", k, x[0], x[0])
			p.op("VPXOR Y%d, Y%d, Y%d", v, x[0], x[0])
		}
	}
	p.op("ADDQ $16, R9")
	p.op("CMPQ R9, R10")
	p.op("JNE %s", loop)
}

// narrowGHASH writes GHASH over whole blocks with PCLMULQDQ, see wideGHASH for the method, and
// narrowPowers the table of powers.
func (p *program) narrowGHASH() {
	p.function("narrowGHASH", 32, "func narrowGHASH(acc *[16]byte, powers *Powers, data *byte, blocks int)")
	p.op("MOVQ acc+0(FP), DX")
	p.op("MOVQ powers+8(FP), R8")
	p.op("MOVQ data+16(FP), SI")
	p.op("MOVQ blocks+24(FP), CX")
	chunk, block, done := p.label("chunk"), p.label("block"), p.label("done")
	p.op("VMOVDQU (DX), X3")
	p.op("VMOVDQU swap128<>(SB), X8")
	p.place(chunk)
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.note("BX: blocks of this chunk, at most 64; R9: the power of its first.")
	p.op("MOVQ $64, BX")
	p.op("CMPQ CX, BX")
	p.op("CMOVQLT CX, BX")
	p.op("SUBQ BX, CX")
	p.op("MOVQ BX, AX")
	p.op("SHLQ $4, AX")
	p.op("LEAQ 1024(R8), R9")
	p.op("SUBQ AX, R9")
	for r := range 3 {
		p.op("VPXOR X%d, X%d, X%d", r, r, r)
	}
	p.op("VMOVDQA X3, X6")
	p.place(block)
	p.op("VMOVDQU (SI), X3")
	p.op("VPSHUFB X8, X3, X3")
	p.op("VPXOR X6, X3, X3")
	p.op("VPXOR X6, X6, X6")
	p.op("VMOVDQU (R9), X5")
	p.narrowProduct(5, 3)
	p.op("ADDQ $16, SI")
	p.op("ADDQ $16, R9")
	p.op("DECQ BX")
	p.op("JNZ %s", block)
	p.narrowReduce()
	p.op("JMP %s", chunk)
	p.place(done)
	p.op("VMOVDQU X3, (DX)")
	p.op("RET")
}

// narrowProduct adds a·b to the sums in X0 (low), X1 (high) and X2 (middle); X4 is used.
func (p *program) narrowProduct(a, b int) {
	for _, s := range []struct{ select_, sum int }{{0x00, 0}, {0x11, 1}, {0x01, 2}, {0x10, 2}} {
		p.op("VPCLMULQDQ $%#02x, X%d, X%d, X4", s.select_, a, b)
		p.op("VPXOR X4, X%d, X%d", s.sum, s.sum)
	}
}

// narrowReduce leaves the reduced sum in X3.
func (p *program) narrowReduce() {
	p.op("VPSLLDQ $8, X2, X4")
	p.op("VPSRLDQ $8, X2, X2")
	p.op("VPXOR X4, X0, X0")
	p.op("VPXOR X2, X1, X1")
	p.op("VMOVDQU ghashPoly<>(SB), X5")
	for range 2 {
		p.op("VPCLMULQDQ $0x00, X5, X0, X4")
		p.op("VPSHUFD $0x4e, X0, X0")
		p.op("VPXOR X4, X0, X0")
	}
	p.op("VPXOR X0, X1, X3")
}

func (p *program) narrowPowers() {
	p.function("narrowPowers", 16, "func narrowPowers(powers *Powers, h *[16]byte)")
	p.op("MOVQ powers+0(FP), R8")
	p.op("MOVQ h+8(FP), SI")
	p.op("VMOVDQU (SI), X6")
	p.op("VMOVDQA X6, X3")
	p.op("LEAQ 1008(R8), R9")
	loop := p.label("powers")
	p.place(loop)
	p.op("VMOVDQU X3, (R9)")
	for r := range 3 {
		p.op("VPXOR X%d, X%d, X%d", r, r, r)
	}
	p.narrowProduct(6, 3)
	p.narrowReduce()
	p.op("SUBQ $16, R9")
	p.op("CMPQ R9, R8")
	p.op("JAE %s", loop)
	p.op("RET")
}

// narrowSpread writes the operands of the slice form from those of the word form: every byte of a
// round's operand four times, less the sum of the four that U brings in (gen/slice.go).
func (p *program) narrowSpread() {
	for j := range 4 {
		control := make([]byte, 16)
		for i := range control {
			control[i] = byte(4*j + i/4)
		}
		p.bytes(fmt.Sprintf("spread%d", j), control)
	}
	p.function("narrowSpread", 16, "func narrowSpread(round *[32]uint32, slices *Slices)")
	p.op("MOVQ round+0(FP), SI")
	p.op("MOVQ slices+8(FP), DI")
	for j := range 4 {
		p.op("VMOVDQU spread%d<>(SB), X%d", j, 8+j)
	}
	for i := range 8 {
		p.op("VMOVDQU %d(SI), X0", 16*i)
		p.op("VPSHUFB rol16<>(SB), X0, X1")
		p.op("VPXOR X0, X1, X1")
		p.op("VPSHUFB rol8<>(SB), X1, X2")
		p.op("VPXOR X1, X2, X2")
		p.op("VPXOR X0, X2, X2")
		for j := range 4 {
			p.op("VPSHUFB X%d, X2, X3", 8+j)
			p.op("VMOVDQU X3, %d(DI)", 64*i+16*j)
		}
	}
	p.op("RET")
}
