package main

import (
	"encoding/binary"
	"fmt"
)

// The key schedule of section 7.3 on registers that hold one word each, in the domain of the S-box and in
// every dword alike; and with it the encryption of a block of zeros, the hash key of GCM, whose rounds run
// beside those of the key at no cost in time.

// A keyRun names the registers of a key schedule: four words of the key, the input of the S-box, and
// temporaries. The round key of a round is left in out. The rounds of the key are written one ahead of those of
// the data, which processors that take the older instruction first would let wait for nothing otherwise.
type keyRun struct {
	w    width
	x    [4]int
	s    int
	t    [5]int
	out  [2]int // of odd rounds the second
	from [4]int // the matrices of L'
}

// keyStart loads the key in the register r, in memory order and in every lane, into the words.
func (p *program) keyStart(k keyRun, r int) {
	p.op("VPSHUFB swap32<>(SB), %s, %s", k.w.r(r), k.w.r(r))
	p.op("VPXORD familyKeyWide<>(SB), %s, %s", k.w.r(r), k.w.r(r))
	p.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), %s, %s", k.w.r(r), k.w.r(r))
	for j, x := range k.x {
		p.op("VPSHUFD $%#x, %s, %s", 0x55*j, k.w.r(r), k.w.r(x))
	}
	p.keyBegin(k)
}

// keyBegin makes the first input of the S-box of the words of the key.
func (p *program) keyBegin(k keyRun) {
	for i, m := range k.from {
		p.op("VPBROADCASTQ matrixKey%d<>(SB), %s", i, k.w.r(m))
	}
	// The constants of a round hold what the S-box adds to its input.
	p.op("VPXORD %s, %s, %s", k.w.r(k.x[1]), k.w.r(k.x[2]), k.w.r(k.s))
	p.op("VPTERNLOGD.BCST $0x96, constantKey<>+0(SB), %s, %s", k.w.r(k.x[3]), k.w.r(k.s))
}

// keyRound is round i, whose constants are at R9, or i of the turn of a loop; keyConst is what the S-box adds to a round key. The
// S-box's input of the next round is made beside the new word and not from it.
func (p *program) keyRound(k keyRun, i int, keyConst byte) {
	w := k.w
	x := [4]int{k.x[i%4], k.x[(i+1)%4], k.x[(i+2)%4], k.x[(i+3)%4]}
	a, b, c, d, m := k.t[0], k.t[1], k.t[2], k.t[3], k.t[4]
	p.op("VGF2P8AFFINEINVQB $%#x, %s, %s, %s", keyConst, w.r(k.from[0]), w.r(k.s), w.r(a))
	for j, r := range []int{b, c, d} {
		p.op("VGF2P8AFFINEINVQB $0, %s, %s, %s", w.r(k.from[j+1]), w.r(k.s), w.r(r))
	}
	p.op("VMOVDQA64 %s, %s", w.r(x[2]), w.r(m))
	p.op("VPTERNLOGD.BCST $0x96, %d(R9), %s, %s", 4*i+4, w.r(x[3]), w.r(m))
	for j, r := range []int{b, c, d} {
		p.op("VPROLD $%d, %s, %s", 8*(j+1), w.r(r), w.r(r))
	}
	p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(x[0]), w.r(m), w.r(a))
	p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(b), w.r(c), w.r(d))
	p.op("VPXORD %s, %s, %s", w.r(a), w.r(d), w.r(k.s))
	p.op("VPXORD %s, %s, %s", w.r(k.s), w.r(m), w.r(x[0]))
	p.op("VPXORD.BCST inConst<>(SB), %s, %s", w.r(x[0]), w.r(k.out[i%2]))
}

// dataRound is a round of data under the round key in key, that of the S-box's input included.
func (p *program) dataRound(w width, x [4]int, key int, t [6]int, u, v int, roundConst byte) {
	s, a, b, c, d, e := t[0], t[1], t[2], t[3], t[4], t[5]
	p.op("VPXORD %s, %s, %s", w.r(x[1]), w.r(x[2]), w.r(s))
	p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(x[3]), w.r(key), w.r(s))
	// Three copies of the constant reach the word.
	p.op("VGF2P8AFFINEINVQB $%#x, %s, %s, %s", roundConst, w.r(u), w.r(s), w.r(a))
	p.op("VGF2P8AFFINEINVQB $0, %s, %s, %s", w.r(v), w.r(s), w.r(b))
	p.op("VPROLD $8, %s, %s", w.r(a), w.r(c))
	p.op("VPROLD $16, %s, %s", w.r(a), w.r(d))
	p.op("VPROLD $24, %s, %s", w.r(b), w.r(e))
	p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(a), w.r(b), w.r(x[0]))
	p.op("VPTERNLOGD $0x96, %s, %s, %s", w.r(c), w.r(d), w.r(e))
	p.op("VPXORD %s, %s, %s", w.r(e), w.r(x[0]), w.r(x[0]))
}

// expandData writes the constants of the key schedule.
func (p *program) expandData(c constants) {
	const ones = 0x01010101
	family, spread, keys := make([]byte, 0, 64), make([]byte, 16), make([]byte, 0, 4*34)
	for i := range 16 {
		family = binary.LittleEndian.AppendUint32(family, familyKey[i%4])
		spread[i] = byte(i / 4)
	}
	p.bytes("familyKeyWide", family)
	p.bytes("spreadIn", spread)
	for i := range 32 {
		keys = binary.LittleEndian.AppendUint32(keys, c.keyInput(i))
	}
	// The last round prepares another one's input.
	p.bytes("constantKey", append(keys, make([]byte, 8)...))
	p.quads("inConst", uint64(c.inConst)*ones*(1<<32+1))
	p.quads("roundConst", uint64(c.roundConst)*ones*(1<<32+1))
	for i, m := range c.key {
		p.quads(fmt.Sprintf("matrixKey%d", i), uint64(m))
	}
}

// wideExpand writes a schedule for encryption, see kernel.Schedule, and the encryption of zeros.
func (p *program) wideExpand(c constants) {
	p.function("wideExpand", 24, "func wideExpand(key *[16]byte, s *Schedule, zero *[16]byte)")
	p.op("MOVQ key+0(FP), SI")
	p.op("MOVQ s+8(FP), DI")
	p.op("MOVQ zero+16(FP), DX")
	k := keyRun{xmm, [4]int{0, 1, 2, 3}, 4, [5]int{5, 6, 7, 8, 9}, [2]int{10, 31}, [4]int{11, 12, 13, 14}}
	data, t, d := [4]int{16, 17, 18, 19}, [6]int{20, 21, 22, 23, 24, 15}, [4]int{25, 26, 27, 28}
	const u, v = 29, 30
	p.op("VMOVDQU (SI), X5")
	p.keyStart(k, 5)
	p.op("VPBROADCASTQ matrixU<>(SB), X%d", u)
	p.op("VPBROADCASTQ matrixV<>(SB), X%d", v)
	for _, r := range append(data[:], d[1:]...) {
		p.op("VPXORD X%d, X%d, X%d", r, r, r)
	}
	p.note("The words before d₀: chosen so that what is stored before the first operand is In.")
	p.op("VPBROADCASTD roundConst<>(SB), X%d", d[0])
	p.op("LEAQ constantKey<>(SB), R9")
	p.op("LEAQ 128(R9), R10")
	p.op("LEAQ %d(DI), R11", schedIn)
	p.keyRound(k, 0, c.keyConst)
	loop := p.label("keys")
	p.place(loop)
	for i := range 4 {
		out := k.out[i%2]
		p.keyRound(k, i+1, c.keyConst)
		p.dataRound(xmm, [4]int{data[i], data[(i+1)%4], data[(i+2)%4], data[(i+3)%4]}, out, t, u, v, c.roundConst)
		// d₋₁ … d₂ become d₀ … d₃, and what the round before adds is d₋₁ ⊕ d₃ ⊕ the constant.
		e := [4]int{d[i], d[(i+1)%4], d[(i+2)%4], d[(i+3)%4]}
		p.op("VPTERNLOGD $0x96, X%d, X%d, X%d", e[2], e[3], out)
		p.op("VPTERNLOGD.BCST $0x96, roundConst<>(SB), X%d, X%d", out, e[0])
		p.op("VMOVD X%d, %d(R11)", e[0], 4*i)
		p.op("VMOVDQA64 X%d, X%d", out, e[0])
	}
	p.op("ADDQ $16, R9")
	p.op("ADDQ $16, R11")
	p.op("CMPQ R9, R10")
	p.op("JNE %s", loop)
	p.expandEnd(data, d)
}

// expandEnd stores what a schedule has beside the operands of the rounds; d are d₃₁ … d₃₄.
func (p *program) expandEnd(data, d [4]int) {
	p.op("VPXORD.BCST roundConst<>(SB), X%d, X%d", d[0], d[0])
	p.op("VMOVD X%d, %d(DI)", d[0], schedRound+4*31)
	p.note("0, d₃₄, d₃₃, d₃₂.")
	p.op("VPXORD X0, X0, X0")
	p.op("VPUNPCKLDQ X%d, X0, X0", d[3])
	p.op("VPUNPCKLDQ X%d, X%d, X1", d[1], d[2])
	p.op("VPUNPCKLQDQ X1, X0, X0")
	p.op("VGF2P8AFFINEQB.BCST $0, matrixInInverse<>(SB), X0, X1")
	p.op("VPSHUFB swap32<>(SB), X1, X1")
	p.op("VMOVDQU X1, %d(DI)", schedOut)
	p.op("VPBROADCASTD %d(DI), X1", schedIn)
	p.op("VPSHUFB spreadIn<>(SB), X1, X2")
	p.op("VMOVDQU X2, %d(DI)", schedSliceIn)
	p.op("VPSLLDQ $12, X1, X1")
	p.op("VPXOR X1, X0, X0")
	p.op("VMOVDQU X0, %d(DI)", schedChain)
	p.note("The image of zeros: words in reverse, out of the domain.")
	p.op("VPUNPCKLDQ X%d, X%d, X0", data[2], data[3])
	p.op("VPUNPCKLDQ X%d, X%d, X1", data[0], data[1])
	p.op("VPUNPCKLQDQ X1, X0, X0")
	p.op("VGF2P8AFFINEQB.BCST $0, matrixInInverse<>(SB), X0, X0")
	p.op("VPSHUFB swap32<>(SB), X0, X0")
	p.op("VMOVDQU X0, (DX)")
	p.op("VZEROUPPER")
	p.op("RET")
}
