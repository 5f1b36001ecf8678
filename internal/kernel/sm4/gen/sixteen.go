package main

// Sixteen messages with a key each, in the word form and, where they are long, in the pair form (widePair16). Register
// r, lane l of a group in memory order is a block of message 4r+l, and after the transposition that is dword 4l+r of
// each word. So a register of H, of hashes and of blocks has the same messages in the same lanes, and GHASH never
// adds across lanes.

// takeBlocks loads 16 bytes from offset behind four pointers, which are at pointers, into the lanes of r.
func (p *program) takeBlocks(pointers string, offset, r int) {
	p.fourPointers(pointers)
	p.op("VMOVDQU64 %d(R9), X%d", offset, r)
	for i, base := range []string{"R10", "R11", "R12"} {
		p.op("VINSERTI32X4 $%d, %d(%s), Z%d, Z%d", i+1, offset, base, r, r)
	}
}

// giveBlocks is the inverse, for at most 16 bytes from each lane.
func (p *program) giveBlocks(pointers string, offset, r int) {
	p.fourPointers(pointers)
	p.op("VMOVDQU64 X%d, %d(R9)", r, offset)
	for i, base := range []string{"R10", "R11", "R12"} {
		p.op("VEXTRACTI32X4 $%d, Z%d, %d(%s)", i+1, r, offset, base)
	}
}

// fourPointers loads R9 to R12.
func (p *program) fourPointers(pointers string) {
	for i := range 4 {
		p.op("MOVQ %d+%s, R%d", 8*i, pointers, 9+i)
	}
}

// sixteenData writes the constants of the functions for sixteen messages.
func (p *program) sixteenData() {
	p.quads("zeroToSeven", 0|1<<32, 2|3<<32, 4|5<<32, 6|7<<32)
	p.quads("eachTwice", 0, 0, 1, 1, 2, 2, 3, 3)
	turned := make([]byte, 16)
	for i := range turned {
		turned[i] = byte(i%4*4 + i/4)
	}
	p.bytes("turnBytes", repeat(turned, 4))
}

// wideExpand16 writes sixteen key schedules in the form of Table16, and the images of zeros.
func (p *program) wideExpand16(c constants) {
	p.function("wideExpand16", 24, "func wideExpand16(keys *[16]*byte, t *Table16, zero *[16][16]byte)")
	p.op("MOVQ keys+0(FP), SI")
	p.op("MOVQ t+8(FP), DI")
	p.op("MOVQ zero+16(FP), DX")
	k := keyRun{zmm, [4]int{0, 1, 2, 3}, 4, [5]int{5, 6, 7, 8, 9}, [2]int{10, 31}, [4]int{11, 12, 13, 14}}
	data, t, d := [4]int{16, 17, 18, 19}, [6]int{20, 21, 22, 23, 24, 15}, [4]int{25, 26, 27, 28}
	const u, v = 29, 30
	for i, r := range k.x {
		p.takeBlocks(address(32*i, "SI"), 0, r)
		p.op("VPSHUFB swap32<>(SB), Z%d, Z%d", r, r)
		p.op("VPXORD familyKeyWide<>(SB), Z%d, Z%d", r, r)
		p.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z%d, Z%d", r, r)
	}
	p.wordTranspose(zmm, k.x, [4]int{5, 6, 7, 8})
	p.keyBegin(k)
	p.op("VPBROADCASTQ matrixU<>(SB), Z%d", u)
	p.op("VPBROADCASTQ matrixV<>(SB), Z%d", v)
	for _, r := range append(data[:], d[1:]...) {
		p.op("VPXORD Z%d, Z%d, Z%d", r, r, r)
	}
	p.note("The words before d₀: chosen so that what is stored before the first operand is In.")
	p.op("VPBROADCASTD roundConst<>(SB), Z%d", d[0])
	p.op("LEAQ constantKey<>(SB), R9")
	p.op("LEAQ 128(R9), R10")
	p.op("LEAQ %d(DI), R11", table16In)
	p.keyRound(k, 0, c.keyConst)
	loop := p.label("keys")
	p.place(loop)
	for i := range 4 {
		out := k.out[i%2]
		p.keyRound(k, i+1, c.keyConst)
		p.dataRound(zmm, [4]int{data[i], data[(i+1)%4], data[(i+2)%4], data[(i+3)%4]}, out, t, u, v, c.roundConst)
		e := [4]int{d[i], d[(i+1)%4], d[(i+2)%4], d[(i+3)%4]}
		p.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", e[2], e[3], out)
		p.op("VPTERNLOGD.BCST $0x96, roundConst<>(SB), Z%d, Z%d", out, e[0])
		p.op("VMOVDQU64 Z%d, %d(R11)", e[0], 64*i)
		p.op("VMOVDQA64 Z%d, Z%d", out, e[0])
	}
	p.op("ADDQ $16, R9")
	p.op("ADDQ $256, R11")
	p.op("CMPQ R9, R10")
	p.op("JNE %s", loop)
	p.op("VPXORD.BCST roundConst<>(SB), Z%d, Z%d", d[0], d[0])
	p.op("VMOVDQU64 Z%d, %d(DI)", d[0], table16Round+64*31)
	p.note("0, d₃₄, d₃₃, d₃₂, and the image of zeros, whose words are in reverse.")
	p.op("VPXORD Z0, Z0, Z0")
	p.blocksOfWords([4]int{0, d[3], d[2], d[1]}, [4]int{5, 6, 7, 8}, address(table16Out, "DI"))
	p.blocksOfWords([4]int{data[3], data[2], data[1], data[0]}, [4]int{5, 6, 7, 8}, "0(DX)")
	p.op("VZEROUPPER")
	p.op("RET")
}

// blocksOfWords stores what words of the S-box's domain are in memory order.
func (p *program) blocksOfWords(x, tmp [4]int, to string) {
	p.wordTranspose(zmm, x, tmp)
	for i, r := range x {
		p.op("VGF2P8AFFINEQB.BCST $0, matrixInInverse<>(SB), Z%d, Z%d", r, r)
		p.op("VPSHUFB swap32<>(SB), Z%d, Z%d", r, r)
		p.op("VMOVDQU64 Z%d, %d+%s", r, 64*i, to)
	}
}

// scheduleGroups are the offsets of four dwords each that hold In and the operands of the rounds, and the rows
// of Table16 that they are; the last group has three of the group before once more.
func scheduleGroups(each func(offset, row int)) {
	for i := range 8 {
		each(schedIn+16*i, 4*i)
	}
	each(schedRound+4*28, 29)
}

// wideGather16 writes the schedules of sixteen keys in the form of Table16.
func (p *program) wideGather16() {
	p.function("wideGather16", 16, "func wideGather16(s *[16]*Schedule, t *Table16)")
	p.op("MOVQ s+0(FP), SI")
	p.op("MOVQ t+8(FP), DI")
	x, tmp := [4]int{0, 1, 2, 3}, [4]int{4, 5, 6, 7}
	scheduleGroups(func(offset, row int) {
		for i, r := range x {
			p.takeBlocks(address(32*i, "SI"), offset, r)
		}
		p.wordTranspose(zmm, x, tmp)
		for i, r := range x {
			p.op("VMOVDQU64 Z%d, %d(DI)", r, table16In+64*(row+i))
		}
	})
	for i := range 4 {
		p.takeBlocks(address(32*i, "SI"), schedOut, 0)
		p.op("VMOVDQU64 Z0, %d(DI)", table16Out+64*i)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideScatter16 writes the inverse.
func (p *program) wideScatter16() {
	p.function("wideScatter16", 16, "func wideScatter16(t *Table16, s *[16]*Schedule)")
	p.op("MOVQ t+0(FP), DI")
	p.op("MOVQ s+8(FP), SI")
	x, tmp := [4]int{0, 1, 2, 3}, [4]int{4, 5, 6, 7}
	scheduleGroups(func(offset, row int) {
		for i, r := range x {
			p.op("VMOVDQU64 %d(DI), Z%d", table16In+64*(row+i), r)
		}
		p.wordTranspose(zmm, x, tmp)
		for i, r := range x {
			p.giveBlocks(address(32*i, "SI"), offset, r)
		}
	})
	p.note("In four times, whose bytes are SliceIn.")
	for _, r := range x {
		p.op("VMOVDQU64 %d(DI), Z%d", table16In, r)
	}
	p.wordTranspose(zmm, x, tmp)
	p.op("VBROADCASTI32X4 spreadIn<>(SB), Z8")
	p.op("MOVL $0x8888, AX")
	p.op("KMOVW AX, K1")
	for i, r := range x {
		p.op("VPSHUFB Z8, Z%d, Z9", r)
		p.giveBlocks(address(32*i, "SI"), schedSliceIn, 9)
		p.op("VMOVDQU64 %d(DI), Z9", table16Out+64*i)
		p.giveBlocks(address(32*i, "SI"), schedOut, 9)
		p.op("VPSHUFB swap32<>(SB), Z9, Z9")
		p.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z9, Z9")
		p.op("VPXORD Z%d, Z9, K1, Z9", r)
		p.giveBlocks(address(32*i, "SI"), schedChain, 9)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideCounters16 writes the words of the counters of sixteen messages: three in the S-box's domain, the last as
// a number.
func (p *program) wideCounters16() {
	p.function("wideCounters16", 8, "func wideCounters16(l *Sixteen)")
	p.op("MOVQ l+0(FP), DX")
	x := [4]int{0, 1, 2, 3}
	for i, r := range x {
		p.op("VMOVDQU64 %d(DX), Z%d", sixteenIV+64*i, r)
		p.op("VPSHUFB swap32<>(SB), Z%d, Z%d", r, r)
	}
	p.wordTranspose(zmm, x, [4]int{4, 5, 6, 7})
	for i, r := range x {
		if i < 3 {
			p.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z%d, Z%d", r, r)
		}
		p.op("VMOVDQU64 Z%d, %d(DX)", r, sixteenWords+64*i)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// sixteenStream makes the key stream of a block for each group, from the next counters on, less the output mask.
func (f *flight) sixteenStream() {
	for i, g := range f.groups {
		for j, r := range g.x {
			f.op("VMOVDQU64 %d(DX), Z%d", sixteenWords+64*j, r)
		}
		if i > 0 {
			f.op("VPADDD.BCST zeroToSeven<>+%d(SB), Z%d, Z%d", 4*i, g.x[3], g.x[3])
		}
		f.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z%d, Z%d", g.x[3], g.x[3])
		f.op("VPXORD %d(R8), Z%d, Z%d", table16In, g.x[3], g.x[3])
	}
	f.op("VMOVDQU64 %d(DX), Z%d", sixteenWords+192, f.groups[0].s)
	f.op("VPADDD.BCST zeroToSeven<>+%d(SB), Z%d, Z%d", 4*len(f.groups), f.groups[0].s, f.groups[0].s)
	f.op("VMOVDQU64 Z%d, %d(DX)", f.groups[0].s, sixteenWords+192)
	f.op("LEAQ %d(R8), R9", table16Round)
	f.rounds(64)
	f.leave()
}

// sixteenText adds the key stream of four groups, register r of each in x, to 64 bytes of each message from
// offset at behind SI on.
func (p *program) sixteenText(x [4][4]int, tmp [4]int, at int, masked bool) {
	for r := range 4 {
		var y [4]int
		for b := range x {
			y[b] = x[b][r]
			p.op("VPXORQ %d(R8), Z%d, Z%d", table16Out+64*r, y[b], y[b])
		}
		p.turnBlocks(y, tmp)
		for i, z := range y {
			m := 4*r + i
			p.op("MOVQ %d(DX), R9", sixteenSrc+8*m)
			p.op("MOVQ %d(DX), R10", sixteenDst+8*m)
			if !masked {
				p.op("VPXORQ %d(R9)(SI*1), Z%d, Z%d", at, z, z)
				p.op("VMOVDQU64 Z%d, %d(R10)(SI*1)", z, at)
				continue
			}
			p.op("MOVQ %d(DX), AX", sixteenLeft+8*m)
			p.op("SUBQ SI, AX")
			p.op("ADDQ SI, R9")
			p.op("ADDQ SI, R10")
			p.bytesLeft("R13", "R9", "R10")
			p.op("VMOVDQU8.Z (R9), K1, Z%d", tmp[0])
			p.op("VPXORQ Z%d, Z%d, Z%d", tmp[0], z, z)
			p.op("VMOVDQU8 Z%d, K1, (R10)", z)
		}
	}
}

// words are the registers of four groups.
func words(groups []wordGroup) (x [4][4]int) {
	for i, g := range groups {
		x[i] = g.x
	}
	return x
}

// bytesLeft makes K1 the mask of AX bytes, at most as many as a register holds. Where none is left, the pointers
// become R11: an access that is masked off costs hundreds of cycles where memory was never touched. R12 is 0, BX all
// ones, and most the register with the most that there may be.
func (p *program) bytesLeft(most string, pointers ...string) {
	p.op("TESTQ AX, AX")
	for _, r := range pointers {
		p.op("CMOVQLE R11, %s", r)
	}
	p.op("CMOVQLE R12, AX")
	p.op("CMPQ AX, %s", most)
	p.op("CMOVQGT %s, AX", most)
	p.op("BZHIQ AX, BX, AX")
	p.op("KMOVQ AX, K1")
}

// partConstants are the registers that bytesLeft needs.
func (p *program) partConstants(base, most string, bytes int) {
	p.op("LEAQ %d(%s), R11", sixteenSpare, base)
	p.op("XORL R12, R12")
	p.op("MOVQ $-1, BX")
	p.op("MOVQ $%d, %s", bytes, most)
}

// turnBlocks transposes the 4×4 matrix of blocks in x.
func (p *program) turnBlocks(x, t [4]int) {
	for i := range 2 {
		p.op("VSHUFI64X2 $0x44, Z%d, Z%d, Z%d", x[2*i+1], x[2*i], t[2*i])
		p.op("VSHUFI64X2 $0xee, Z%d, Z%d, Z%d", x[2*i+1], x[2*i], t[2*i+1])
	}
	for i := range 2 {
		p.op("VSHUFI64X2 $0x88, Z%d, Z%d, Z%d", t[2+i], t[i], x[2*i])
		p.op("VSHUFI64X2 $0xdd, Z%d, Z%d, Z%d", t[2+i], t[i], x[2*i+1])
	}
}

// wideFirst16 writes the image of the first counter of each message, and CTR of at most 64 bytes with those that
// follow.
func (p *program) wideFirst16() {
	p.function("wideFirst16", 8, "func wideFirst16(l *Sixteen)")
	p.op("MOVQ l+0(FP), DX")
	p.op("LEAQ %d(DX), R8", sixteenTable)
	p.op("XORL SI, SI")
	f := newFlight(p, 5)
	f.sixteenStream()
	for r, z := range f.groups[0].x {
		p.op("VPXORQ %d(R8), Z%d, Z%d", table16Out+64*r, z, z)
		p.op("VMOVDQU64 Z%d, %d(DX)", z, sixteenMask+64*r)
	}
	p.partConstants("DX", "R13", 64)
	p.sixteenText(words(f.groups[1:]), [4]int{20, 21, 22, 23}, 0, true)
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideCTR16 writes CTR from a place in the messages on: full steps of 64 bytes, and then mixed ones, of which each
// message takes what it has left.
func (p *program) wideCTR16() {
	p.function("wideCTR16", 32, "func wideCTR16(l *Sixteen, from, full, mixed int)")
	p.op("MOVQ l+0(FP), DX")
	p.op("MOVQ from+8(FP), SI")
	p.op("MOVQ full+16(FP), CX")
	p.op("LEAQ %d(DX), R8", sixteenTable)
	for _, masked := range []bool{false, true} {
		loop, done := p.label("step"), p.label("done")
		if masked {
			p.op("MOVQ mixed+24(FP), CX")
			p.partConstants("DX", "R13", 64)
		}
		p.op("TESTQ CX, CX")
		p.op("JLE %s", done)
		p.place(loop)
		f := newFlight(p, 4)
		f.sixteenStream()
		p.sixteenText(words(f.groups), [4]int{16, 17, 18, 19}, 0, masked)
		p.op("ADDQ $64, SI")
		p.op("DECQ CX")
		p.op("JNZ %s", loop)
		p.place(done)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// power16 is the place of power n of messages 4r … 4r+3.
func power16(n, r int) string { return address(sixteenPower+64*(4*(4-n)+r), "DX") }

// keys16 makes Z8 the hash keys of messages 4r … 4r+3 from the images of zeros, and stores them.
func (t *powers) keys16(r int) {
	t.op("VMOVDQU64 %d(DX), Z8", sixteenZero+64*r)
	t.op("VPSHUFB swap128<>(SB), Z8, Z8")
	t.note("Times x.")
	t.op("VPSRLQ $63, Z8, Z9")
	t.op("VPSLLQ $1, Z8, Z8")
	t.op("VPSLLDQ $8, Z9, Z10")
	t.op("VPSRLDQ $8, Z9, Z9")
	t.op("VPCLMULQDQ $0x00, Z%d, Z9, Z11", t.poly)
	t.op("VPSLLDQ $8, Z11, Z11")
	t.op("VPTERNLOGD $0x96, Z9, Z10, Z8")
	t.op("VPXORQ Z11, Z8, Z8")
	t.op("VMOVDQU64 Z8, %s", power16(1, r))
}

// widePowers16 writes H⁴ … H¹ of sixteen keys from the images of zeros, as in kernel.Powers; wideKeys16 H¹ alone.
func (p *program) widePowers16() {
	p.function("wideKeys16", 8, "func wideKeys16(l *Sixteen)")
	t := p.openPowers16()
	for r := range 4 {
		t.keys16(r)
	}
	p.op("VZEROUPPER")
	p.op("RET")
	p.function("widePowers16", 8, "func widePowers16(l *Sixteen)")
	t = p.openPowers16()
	for r := range 4 {
		t.keys16(r)
		t.times(zmm, 8, 8, 9)
		p.op("VMOVDQU64 Z9, %s", power16(2, r))
		t.times(zmm, 9, 8, 10)
		p.op("VMOVDQU64 Z10, %s", power16(3, r))
		t.times(zmm, 9, 9, 10)
		p.op("VMOVDQU64 Z10, %s", power16(4, r))
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

func (p *program) openPowers16() *powers {
	p.op("MOVQ l+0(FP), DX")
	t := newPowers(p)
	p.op("VBROADCASTI32X4 ghashPoly<>(SB), Z%d", t.poly)
	return t
}

// wideFew16 writes GHASH of full steps of 64 bytes of sixteen messages with H¹ alone, block by block: for few steps
// that is faster than to make powers.
func (p *program) wideFew16() {
	p.function("wideFew16", 32, "func wideFew16(l *Sixteen, data *[16]*byte, from, full int)")
	t := p.openPowers16()
	p.op("MOVQ data+8(FP), DI")
	p.op("MOVQ from+16(FP), SI")
	p.op("MOVQ full+24(FP), CX")
	const swap = 31
	p.op("VMOVDQU64 swap128<>(SB), Z%d", swap)
	loop := p.label("step")
	p.place(loop)
	for r := range 4 {
		x := p.turnedSteps(r, swap)
		p.op("VMOVDQU64 %s, Z16", power16(1, r))
		p.op("VPXORQ %d(DX), Z%d, Z%d", sixteenHash+64*r, x[0], x[0])
		for i, z := range x {
			t.times(zmm, z, 16, 17)
			if i < 3 {
				p.op("VPXORQ Z17, Z%d, Z%d", x[i+1], x[i+1])
			}
		}
		p.op("VMOVDQU64 Z17, %d(DX)", sixteenHash+64*r)
	}
	p.op("ADDQ $64, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", loop)
	p.op("VZEROUPPER")
	p.op("RET")
}

// turnedSteps loads 64 bytes of messages 4r … 4r+3 and returns a register for each of their blocks in turn.
func (p *program) turnedSteps(r, swap int) [4]int {
	p.fourPointers(address(32*r, "DI"))
	x := [4]int{8, 9, 10, 11}
	for i, z := range x {
		p.op("VMOVDQU64 (R%d)(SI*1), Z%d", 9+i, z)
	}
	p.turnBlocks(x, [4]int{12, 13, 14, 15})
	for _, z := range x {
		p.op("VPSHUFB Z%d, Z%d, Z%d", swap, z, z)
	}
	return x
}

// wideTags16 ends the hashes with the lengths and writes the tags.
func (p *program) wideTags16() {
	p.function("wideTags16", 8, "func wideTags16(l *Sixteen)")
	t := p.openPowers16()
	for r := range 4 {
		p.op("VMOVDQU64 %d(DX), Z8", sixteenHash+64*r)
		p.op("VPXORQ %d(DX), Z8, Z8", sixteenLengths+64*r)
		p.op("VMOVDQU64 %s, Z9", power16(1, r))
		t.times(zmm, 8, 9, 10)
		p.op("VPSHUFB swap128<>(SB), Z10, Z10")
		p.op("VPXORQ %d(DX), Z10, Z10", sixteenMask+64*r)
		p.op("VMOVDQU64 Z10, %d(DX)", sixteenSum+64*r)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideHash16 writes GHASH of sixteen pieces of data: full steps of 64 bytes, and then single blocks, of which each
// message takes what it has left.
func (p *program) wideHash16() {
	p.function("wideHash16", 48, "func wideHash16(l *Sixteen, data *[16]*byte, left *[16]int, from, full, blocks int)")
	p.op("MOVQ l+0(FP), R8")
	p.op("MOVQ data+8(FP), DI")
	p.op("MOVQ left+16(FP), DX")
	p.op("MOVQ from+24(FP), SI")
	p.op("MOVQ full+32(FP), CX")
	const acc, swap, left = 16, 31, 20
	t := newPowers(p)
	p.op("VBROADCASTI32X4 ghashPoly<>(SB), Z%d", t.poly)
	p.op("VMOVDQU64 swap128<>(SB), Z%d", swap)
	for r := range 4 {
		p.op("VMOVDQU64 %d(R8), Z%d", sixteenHash+64*r, acc+r)
	}
	loop, single, last, done := p.label("step"), p.label("single"), p.label("block"), p.label("done")
	p.op("TESTQ CX, CX")
	p.op("JLE %s", single)
	p.place(loop)
	for r := range 4 {
		x := p.turnedSteps(r, swap)
		p.op("VPXORQ Z%d, Z%d, Z%d", acc+r, x[0], x[0])
		t.fourTimes(x, func(i int) string { return address(sixteenPower+64*(4*i+r), "R8") }, acc+r)
	}
	p.op("ADDQ $64, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", loop)

	p.place(single)
	p.op("MOVQ blocks+40(FP), CX")
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.partConstants("R8", "R10", 16)
	p.op("VMOVDQU64 eachTwice<>(SB), Z8")
	for r := range 4 {
		p.op("VMOVDQU64 %d(DX), Y%d", 32*r, left+r)
		p.op("VPERMQ Z%d, Z8, Z%d", left+r, left+r)
	}
	p.place(last)
	p.op("VPBROADCASTQ SI, Z29")
	for r := range 4 {
		for i := range 4 {
			m := 4*r + i
			p.op("MOVQ %d(DX), AX", 8*m)
			p.op("SUBQ SI, AX")
			p.op("MOVQ %d(DI), R9", 8*m)
			p.op("ADDQ SI, R9")
			p.bytesLeft("R10", "R9")
			p.op("VMOVDQU8.Z (R9), K1, X%d", 8+i)
			if i > 0 {
				p.op("VINSERTI32X4 $%d, X%d, Z8, Z8", i, 8+i)
			}
		}
		p.op("VPSHUFB Z%d, Z8, Z8", swap)
		p.op("VPXORQ Z%d, Z8, Z8", acc+r)
		p.op("VMOVDQU64 %d(R8), Z9", sixteenPower+64*(12+r))
		t.times(zmm, 8, 9, 10)
		p.op("VPCMPQ $6, Z29, Z%d, K2", left+r)
		p.op("VMOVDQA64 Z10, K2, Z%d", acc+r)
	}
	p.op("ADDQ $16, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", last)
	p.place(done)
	for r := range 4 {
		p.op("VMOVDQU64 Z%d, %d(R8)", acc+r, sixteenHash+64*r)
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// fourTimes adds the products of x with the powers and reduces them into to. X are used.
func (t *powers) fourTimes(x [4]int, power func(i int) string, to int) {
	s := t.sums
	for i, z := range x {
		t.op("VMOVDQU64 %s, Z%d", power(i), s.u)
		sums := []int{s.lo, s.hi, s.mid}
		for j, imm := range []int{0x00, 0x11, 0x01} {
			product := s.t
			if i == 0 {
				product = sums[j]
			}
			t.op("VPCLMULQDQ $%#02x, Z%d, Z%d, Z%d", imm, s.u, z, product)
			if i > 0 && imm != 0x01 {
				t.op("VPXORQ Z%d, Z%d, Z%d", product, sums[j], sums[j])
			}
		}
		t.op("VPCLMULQDQ $0x10, Z%d, Z%d, Z%d", s.u, z, z)
		if i == 0 {
			t.op("VPXORQ Z%d, Z%d, Z%d", z, s.mid, s.mid)
		} else {
			t.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", z, s.t, s.mid)
		}
	}
	t.reduceLanes(zmm, to)
}

// wideSlice64 writes the schedules of 64 lanes in the form of Table64: bytes of dwords, which lie in four
// tables of sixteen lanes. Lane 16g+4r+l is dword 4l+r of table g and byte 16l+4g+r of a slice.
func (p *program) wideSlice64() {
	p.function("wideSlice64", 16, "func wideSlice64(from *[4]Table16, t *Table64)")
	p.op("MOVQ from+0(FP), R8")
	p.op("MOVQ t+8(FP), DI")
	for i := range 16 {
		p.op("VMOVDQU64 %d(R8), Z0", table16Bytes*(i/4)+table16Out+64*(i%4))
		p.op("VMOVDQU64 Z0, %d(DI)", table64Out+64*i)
	}
	p.slicesOfTables(table16Bytes)
}

// wideSpread16 writes those of sixteen lanes four times, as if each lane were also 16, 32 and 48 lanes on, but for
// Out.
func (p *program) wideSpread16() {
	p.function("wideSpread16", 16, "func wideSpread16(from *Table16, t *Table64)")
	p.op("MOVQ from+0(FP), R8")
	p.op("MOVQ t+8(FP), DI")
	p.slicesOfTables(0)
}

// slicesOfTables takes four tables, so many bytes apart.
func (p *program) slicesOfTables(apart int) {
	p.op("VMOVDQU64 turnBytes<>(SB), Z9")
	x := [4]int{0, 1, 2, 3}
	slices := func(row int) {
		for g, r := range x {
			p.op("VMOVDQU64 %d(R8), Z%d", apart*g+row, r)
		}
		p.slicesOfWords(x, [4]int{4, 5, 6, 7}, 9)
	}
	slices(table16In)
	for b, r := range x {
		p.op("VMOVDQU64 Z%d, %d(DI)", r, table64In+64*b)
	}
	p.op("LEAQ %d(R8), R10", 32*64)
	loop := p.label("rows")
	p.place(loop)
	slices(table16Round)
	p.note("Without the sum that U brings.")
	p.op("VMOVDQA64 Z0, Z8")
	p.op("VPTERNLOGD $0x96, Z1, Z2, Z8")
	p.op("VPXORD Z3, Z8, Z8")
	for b, r := range x {
		p.op("VPXORD Z8, Z%d, Z%d", r, r)
		p.op("VMOVDQU64 Z%d, %d(DI)", r, table64Round+64*b)
	}
	p.op("ADDQ $64, R8")
	p.op("ADDQ $256, DI")
	p.op("CMPQ R8, R10")
	p.op("JNE %s", loop)
	p.op("VZEROUPPER")
	p.op("RET")
}

// slicesOfWords turns a word of the blocks of four groups into its slices, the lowest byte first; turn is the register
// of turnBytes.
func (p *program) slicesOfWords(x, tmp [4]int, turn int) {
	for _, r := range x {
		p.op("VPSHUFB Z%d, Z%d, Z%d", turn, r, r)
	}
	p.wordTranspose(zmm, x, tmp)
}

// widePair16 writes CTR of whole steps of 128 bytes of sixteen messages in the pair form: eight blocks of each,
// block g of message 4r+l in lane 16g+4r+l of its set. The keys are in the form of Table64, four times each.
func (p *program) widePair16() {
	p.function("widePair16", 24, "func widePair16(l *Sixteen, from, steps int)")
	p.op("MOVQ l+0(FP), DX")
	p.op("MOVQ from+8(FP), SI")
	p.op("MOVQ steps+16(FP), CX")
	p.op("LEAQ %d(DX), R8", sixteenTable)
	p.op("LEAQ %d(DX), R14", sixteenPair)
	s := newSlicer(p)
	s.fixedSlices()
	loop := p.label("step")
	p.place(loop)
	ps := &pairState{keyed: true}
	for set := range 2 {
		s.countedSlices(set)
		s.park(ps, set)
	}
	next := s.take()
	p.op("VMOVDQU64 %d(DX), Z%d", sixteenWords+192, next)
	for range 2 {
		p.op("VPADDD.BCST zeroToSeven<>+16(SB), Z%d, Z%d", next, next)
	}
	p.op("VMOVDQU64 Z%d, %d(DX)", next, sixteenWords+192)
	s.give(next)
	p.op("LEAQ %d(DX), R9", sixteenSlices+table64Round)
	s.pairRounds(ps, nil, nil)
	for set := range 2 {
		s.unpark(set)
		s.leave()
		var x [4][4]int
		for i, r := range s.at {
			x[i/4][i%4] = r
		}
		tmp := s.take4()
		p.sixteenText(x, tmp, 64*set, false)
		s.give(tmp[:]...)
		s.give(s.at[:]...)
	}
	p.op("ADDQ $128, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", loop)
	p.op("VZEROUPPER")
	p.op("RET")
}

// fixedSlices stores the slices of the first three words of the counters, which are the same in all blocks of a message.
func (s *slicer) fixedSlices() {
	x, tmp, turn := s.take4(), s.take4(), s.take()
	s.op("VMOVDQU64 turnBytes<>(SB), Z%d", turn)
	for j := range 3 {
		for _, r := range x {
			s.op("VMOVDQU64 %d(DX), Z%d", sixteenWords+64*j, r)
		}
		s.slicesOfWords(x, tmp, turn)
		for b, r := range x {
			s.op("VMOVDQU64 Z%d, %d(R14)", r, pairBytes+64*(4*j+b))
		}
	}
	s.give(x[:]...)
	s.give(tmp[:]...)
	s.give(turn)
}

// countedSlices loads these, and makes those of the next counters of four groups.
func (s *slicer) countedSlices(set int) {
	x, tmp, turn := s.take4(), s.take4(), s.take()
	s.op("VMOVDQU64 turnBytes<>(SB), Z%d", turn)
	for g, r := range x {
		s.op("VMOVDQU64 %d(DX), Z%d", sixteenWords+192, r)
		if n := 4*set + g; n > 0 {
			s.op("VPADDD.BCST zeroToSeven<>+%d(SB), Z%d, Z%d", 4*n, r, r)
		}
		s.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z%d, Z%d", r, r)
	}
	s.slicesOfWords(x, tmp, turn)
	s.give(tmp[:]...)
	s.give(turn)
	for b, r := range x {
		s.op("VPXORQ %d(DX), Z%d, Z%d", sixteenSlices+table64In+64*b, r, r)
		s.at[15-b] = r
		for j := range 3 {
			s.at[4*j+3-b] = s.take()
			s.op("VMOVDQU64 %d(R14), Z%d", pairBytes+64*(4*j+b), s.at[4*j+3-b])
		}
	}
}
