package main

import "fmt"

func address(offset int, base string) string { return fmt.Sprintf("%d(%s)", offset, base) }

// wideCBCEncrypt writes CBC encryption of one message. The chain from block to block is 32 rounds and
// one XOR: the words of the last block are added where they are, in the S-box's domain, and the
// conversions to and from memory order lie beside it. With dst nil only the last block is kept, which
// is CBC-MAC.
func (p *program) wideCBCEncrypt() {
	p.function("wideCBCEncrypt", 40, "func wideCBCEncrypt(s *Schedule, dst, src *byte, iv *[16]byte, blocks int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ iv+24(FP), DX")
	p.op("MOVQ blocks+32(FP), CX")
	const plain, chain, out, word = 11, 12, 13, 14
	g := newWordGroup(0)
	done, loop, kept, last := p.label("done"), p.label("block"), p.label("kept"), p.label("last")
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.wordConstants(xmm)
	p.op("VMOVDQU64 %d(R8), X%d", schedChain, chain)
	p.op("VMOVDQU64 %d(R8), X%d", schedOut, out)
	domain := func(r int) {
		p.op("VPSHUFB X%d, X%d, X%d", wordSwap, r, r)
		p.op("VGF2P8AFFINEQB $0, X%d, X%d, X%d", wordIn, r, r)
		p.op("VPXORD X%d, X%d, X%d", chain, r, r)
	}
	p.op("VMOVDQU64 (DX), X%d", plain)
	domain(plain)
	for j := range 4 {
		p.op("VPSHUFD $%#x, X%d, X%d", 0x55*j, plain, g.x[3-j])
	}
	p.op("VPXORD.BCST %d(R8), X%d, X%d", schedIn, g.x[0], g.x[0])
	p.place(loop)
	p.op("VMOVDQU64 (SI), X%d", plain)
	domain(plain)
	for j := range 4 {
		p.op("VPSHUFD $%#x, X%d, X%d", 0x55*j, plain, word)
		p.op("VPXORD X%d, X%d, X%d", word, g.x[3-j], g.x[3-j])
	}
	p.op("LEAQ %d(R8), R9", schedRound)
	in := g
	in.x = [4]int{g.x[3], g.x[2], g.x[1], g.x[0]}
	p.wordRounds(xmm, []wordGroup{in}, 4)
	y := in.x
	p.op("VPUNPCKLDQ X%d, X%d, X%d", y[2], y[3], plain)
	p.op("VPUNPCKLDQ X%d, X%d, X%d", y[0], y[1], word)
	p.op("VPUNPCKLQDQ X%d, X%d, X%d", word, plain, plain)
	p.op("VGF2P8AFFINEQB $0, X%d, X%d, X%d", wordInInverse, plain, plain)
	p.op("VPSHUFB X%d, X%d, X%d", wordSwap, plain, plain)
	p.op("VPXORD X%d, X%d, X%d", out, plain, plain)
	p.op("TESTQ DI, DI")
	p.op("JZ %s", kept)
	p.op("VMOVDQU64 X%d, (DI)", plain)
	p.op("ADDQ $16, DI")
	p.place(kept)
	p.op("ADDQ $16, SI")
	p.op("DECQ CX")
	p.op("JZ %s", last)
	p.note("Back to the registers that the loop begins with.")
	for j := range 2 {
		p.op("VMOVDQA64 X%d, X%d", y[j], g.s)
		p.op("VMOVDQA64 X%d, X%d", y[3-j], y[j])
		p.op("VMOVDQA64 X%d, X%d", g.s, y[3-j])
	}
	p.op("JMP %s", loop)
	p.place(last)
	p.op("VMOVDQU64 X%d, (DX)", plain)
	p.place(done)
	p.op("VZEROUPPER")
	p.op("RET")
}
