package main

// What refills lanes and reads digests out of them, in AVX-512.

// wideEarliest writes the search for the lanes that end first.
func (p *program) wideEarliest() {
	p.function("wideEarliest", 0, 24, "func wideEarliest(end *[64]uint64) (first, lanes uint64)")
	p.op("MOVQ end+0(FP), DX")
	for i := range 8 {
		p.op("VMOVDQU64 %d(DX), Z%d", 64*i, i)
	}
	for i := range 4 {
		p.op("VPMINUQ Z%d, Z%d, Z%d", i, i+4, 8+i)
	}
	p.op("VPMINUQ Z8, Z9, Z8")
	p.op("VPMINUQ Z10, Z11, Z10")
	p.op("VPMINUQ Z8, Z10, Z8")
	p.op("VEXTRACTI64X4 $1, Z8, Y9")
	p.op("VPMINUQ Y8, Y9, Y8")
	p.op("VEXTRACTI128 $1, Y8, X9")
	p.op("VPMINUQ X8, X9, X8")
	p.op("VPSHUFD $0x4e, X8, X9")
	p.op("VPMINUQ X8, X9, X8")
	p.op("VMOVQ X8, AX")
	p.op("MOVQ AX, first+8(FP)")
	p.op("VPBROADCASTQ AX, Z8")
	p.op("XORL BX, BX")
	for i := range 8 {
		p.op("VPCMPEQQ Z%d, Z8, K1", 7-i)
		p.op("KMOVB K1, R9")
		p.op("SHLQ $8, BX")
		p.op("ORQ R9, BX")
	}
	p.op("MOVQ BX, lanes+16(FP)")
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideDigests writes the digests of 64 lanes of MD5.
func (p *program) wideDigests() {
	p.function("wideMD5Digests", 0, 16, "func wideMD5Digests(l *Lanes, digests *[64][16]byte)")
	p.op("MOVQ l+0(FP), DX")
	p.op("MOVQ digests+8(FP), DI")
	for g := range 4 {
		for w := range 4 {
			p.op("VMOVDQU64 %d(DX), Z%d", lanesState+256*w+64*g, w)
		}
		p.op("VPUNPCKLDQ Z1, Z0, Z4")
		p.op("VPUNPCKHDQ Z1, Z0, Z5")
		p.op("VPUNPCKLDQ Z3, Z2, Z6")
		p.op("VPUNPCKHDQ Z3, Z2, Z7")
		p.op("VPUNPCKLQDQ Z6, Z4, Z0")
		p.op("VPUNPCKHQDQ Z6, Z4, Z1")
		p.op("VPUNPCKLQDQ Z7, Z5, Z2")
		p.op("VPUNPCKHQDQ Z7, Z5, Z3")
		for i := range 4 {
			// Quarter q of register i is the digest of lane 4q+i.
			p.op("VMOVDQU X%d, %d(DI)", i, 256*g+16*i)
			for q := 1; q < 4; q++ {
				p.op("VEXTRACTI32X4 $%d, Z%d, %d(DI)", q, i, 256*g+64*q+16*i)
			}
		}
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideLongDigests writes the digests of 16 lanes of a function of eight words; state is that of the first
// of these lanes, and the words of a lane are 32 lanes apart.
func (p *program) wideLongDigests() {
	// Of quarters of two registers: 0 and 1 of both, 2 and 3 of both.
	quads := func(name string, values ...uint32) {
		var dwords []uint32
		for _, v := range values {
			dwords = append(dwords, v, 0)
		}
		p.dwords(name, dwords...)
	}
	quads("lowQuarters", 0, 1, 8, 9, 2, 3, 10, 11)
	quads("highQuarters", 4, 5, 12, 13, 6, 7, 14, 15)
	p.function("wideLongDigests", 0, 16, "func wideLongDigests(state *uint32, digests *[16][32]byte)")
	p.op("MOVQ state+0(FP), DX")
	p.op("MOVQ digests+8(FP), DI")
	p.op("VMOVDQU64 swap32<>(SB), Z16")
	p.op("VMOVDQU64 lowQuarters<>(SB), Z17")
	p.op("VMOVDQU64 highQuarters<>(SB), Z18")
	for half := range 2 { // words 0 to 3, words 4 to 7
		for w := range 4 {
			p.op("VMOVDQU64 %d(DX), Z%d", 128*(4*half+w), w)
		}
		p.op("VPUNPCKLDQ Z1, Z0, Z4")
		p.op("VPUNPCKHDQ Z1, Z0, Z5")
		p.op("VPUNPCKLDQ Z3, Z2, Z6")
		p.op("VPUNPCKHDQ Z3, Z2, Z7")
		for i, x := range []string{"L", "H", "L", "H"} {
			p.op("VPUNPCK%sQDQ Z%d, Z%d, Z%d", x, 6+i/2, 4+i/2, 8+4*half+i)
		}
	}
	for i := range 4 {
		// Quarter q of Z(8+i) and Z(12+i) is the digest of lane 4q+i.
		p.op("VPSHUFB Z16, Z%d, Z%d", 8+i, 8+i)
		p.op("VPSHUFB Z16, Z%d, Z%d", 12+i, 12+i)
		p.op("VMOVDQA64 Z17, Z0")
		p.op("VPERMI2Q Z%d, Z%d, Z0", 12+i, 8+i)
		p.op("VMOVDQA64 Z18, Z1")
		p.op("VPERMI2Q Z%d, Z%d, Z1", 12+i, 8+i)
		for q := range 4 {
			to := 32 * (4*q + i)
			if q%2 == 0 {
				p.op("VMOVDQU Y%d, %d(DI)", q/2, to)
			} else {
				p.op("VEXTRACTI64X4 $1, Z%d, %d(DI)", q/2, to)
			}
		}
	}
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideFill writes the taking of messages into lanes, eight slices at a time: a slice is an address, a
// length and a capacity. It returns 0 if all messages have as many blocks as the first.
func (p *program) wideFill() {
	quads := func(name string, values ...uint32) {
		var dwords []uint32
		for _, v := range values {
			dwords = append(dwords, v, 0)
		}
		p.dwords(name, dwords...)
	}
	// Of 24 words in three registers, from the first two (0 to 15), then with the third (8 to 15).
	quads("addresses2", 0, 3, 6, 9, 12, 15, 0, 0)
	quads("addresses3", 0, 1, 2, 3, 4, 5, 10, 13)
	quads("lengths2", 1, 4, 7, 10, 13, 0, 0, 0)
	quads("lengths3", 0, 1, 2, 3, 4, 8, 11, 14)
	p.function("wideFill", 0, 32, "func wideFill(l *Lanes, messages *[]byte, eights int) (differences uint64)")
	p.op("MOVQ l+0(FP), DX")
	p.op("MOVQ messages+8(FP), SI")
	p.op("MOVQ eights+16(FP), CX")
	for i, name := range []string{"addresses2", "addresses3", "lengths2", "lengths3"} {
		p.op("VMOVDQU64 %s<>(SB), Z%d", name, 10+i)
	}
	p.op("MOVL $8, R9")
	p.op("VPBROADCASTQ R9, Z14")
	p.op("VPBROADCASTQ 8(SI), Z15")
	p.op("VPADDQ Z14, Z15, Z15")
	p.op("VPSRLQ $6, Z15, Z15")
	p.op("VPXORQ Z8, Z8, Z8")
	loop := p.label("eight")
	p.place(loop)
	for i := range 3 {
		p.op("VMOVDQU64 %d(SI), Z%d", 64*i, i)
	}
	p.op("VMOVDQA64 Z10, Z3")
	p.op("VPERMI2Q Z1, Z0, Z3")
	p.op("VMOVDQA64 Z11, Z4")
	p.op("VPERMI2Q Z2, Z3, Z4")
	p.op("VMOVDQA64 Z12, Z5")
	p.op("VPERMI2Q Z1, Z0, Z5")
	p.op("VMOVDQA64 Z13, Z6")
	p.op("VPERMI2Q Z2, Z5, Z6")
	p.op("VMOVDQU64 Z4, %d(DX)", lanesStart)
	p.op("VMOVDQU64 Z6, %d(DX)", lanesLen)
	p.op("VPADDQ Z14, Z6, Z6")
	p.op("VPSRLQ $6, Z6, Z6")
	p.op("VPTERNLOGQ $%#02x, Z6, Z15, Z8", ternary(func(a, b, c bool) bool { return a || b != c }))
	p.op("ADDQ $192, SI")
	p.op("ADDQ $64, DX")
	p.op("DECQ CX")
	p.op("JNZ %s", loop)
	p.op("VPTESTMQ Z8, Z8, K1")
	p.op("KMOVB K1, AX")
	p.op("MOVQ AX, differences+24(FP)")
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideFetch writes the prefetching of a message's first bytes.
func (p *program) wideFetch() {
	p.function("wideFetch", 0, 8, "func wideFetch(start *byte)")
	p.op("MOVQ start+0(FP), DX")
	for i := range 4 {
		p.op("PREFETCHT0 %d(DX)", 64*i)
	}
	p.op("RET")
}
