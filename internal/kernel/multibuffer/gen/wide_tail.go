package main

// The last blocks of messages in AVX-512, where some are short of bytes.

// wideShort leaves in R10 which messages have less than 64 bytes in the block at SI+offset. What each has
// is in Z23 when each is called, which may use K1 and Z22 = 0. It has Z20 … Z23 and R9 … R11.
func (p *program) wideShort(f wideFrame, offset int, each func(l int)) {
	p.note("Which messages are short of bytes.")
	p.op("LEAQ %d(AX)(SI*1), R9", offset)
	p.op("VPBROADCASTQ R9, Z20")
	p.op("MOVL $64, R9")
	p.op("VPBROADCASTQ R9, Z21")
	p.op("VPXORQ Z22, Z22, Z22")
	for l := 0; l < 16*f.groups; l += 8 {
		p.op("VMOVDQU64 %d(DX), Z23", lanesLen+8*l)
		p.op("VPADDQ %d(DX), Z23, Z23", lanesBorn+8*l)
		p.op("VPSUBQ Z20, Z23, Z23")
		p.op("VPCMPQ $1, Z21, Z23, K1") // less
		if l == 0 {
			p.op("KMOVB K1, R10")
		} else {
			p.op("KMOVB K1, R11")
			p.op("SHLQ $%d, R11", l)
			p.op("ORQ R11, R10")
		}
		if each != nil {
			each(l)
		}
	}
}

// widePatch makes copies of the blocks of the messages in R10, padded, and lets their addresses lead
// there, so that the block at SI+offset can be loaded as if all messages had it. A message that is short
// of bytes ends in this call, so nothing reads on behind the copy. If there are too many it jumps to many.
// It has Z22 … Z25 and R9 … R12, DI.
func (p *program) widePatch(h function, f wideFrame, offset int, many string) {
	p.note("Padded copies of these few blocks.")
	p.op("POPCNTQ R10, R9")
	p.op("CMPQ R9, $%d", f.copies())
	p.op("JGT %s", many)
	p.op("VMOVDQU64 index<>(SB), Z24")
	p.op("MOVL $0x80, R9")
	p.op("VPBROADCASTB R9, Z25")
	p.op("LEAQ %d(BX), R12", f.read(0))
	next, begin, store, goesOn := p.label("copy"), p.label("begin"), p.label("store"), p.label("goesOn")
	p.place(next)
	p.op("BSFQ R10, R9")
	p.op("LEAQ -1(R10), R11")
	p.op("ANDQ R11, R10")
	p.op("MOVQ %d(DX)(R9*8), R11", lanesLen)
	p.op("ADDQ %d(DX)(R9*8), R11", lanesBorn)
	p.op("SUBQ AX, R11")
	p.op("SUBQ SI, R11")
	if offset > 0 {
		p.op("SUBQ $%d, R11", offset)
	}
	p.op("VPXORQ Z22, Z22, Z22")
	p.op("VPBROADCASTB R11, Z23")
	p.op("TESTQ R11, R11")
	p.op("JLT %s", store)
	p.op("JEQ %s", begin)
	p.op("VPCMPUB $1, Z23, Z24, K1") // less
	p.op("MOVQ (BX)(R9*8), DI")
	p.op("VMOVDQU8.Z %d(DI)(SI*1), K1, Z22", offset)
	p.place(begin)
	p.op("VPCMPEQB Z23, Z24, K1")
	p.op("VMOVDQU8 Z25, K1, Z22")
	p.place(store)
	p.op("VMOVDQU64 Z22, (R12)")
	p.op("CMPQ R11, $55")
	p.op("JGT %s", goesOn)
	p.op("MOVQ %d(DX)(R9*8), DI", lanesLen)
	p.op("ADDQ %d(DX)(R9*8), DI", lanesBefore)
	p.op("SHLQ $3, DI")
	if h.bigEndian {
		p.op("BSWAPQ DI")
	}
	p.op("MOVQ DI, 56(R12)")
	p.place(goesOn)
	p.op("LEAQ -%d(R12), DI", offset)
	p.op("SUBQ SI, DI")
	p.op("MOVQ DI, (BX)(R9*8)")
	p.op("ADDQ $64, R12")
	p.op("TESTQ R10, R10")
	p.op("JNZ %s", next)
}

// wideTail loads a block of which some message has less than 64 bytes. It jumps to full if none has, or
// so few that they are patched, to padded if none has a byte and the frame has that, and to rounds.
// Messages may end in the block, have ended, or go on.
func (p *program) wideTail(h function, f wideFrame, full, rounds, padded string) {
	lanes := 16 * f.groups
	p.op("KXORB K6, K6, K6")
	p.wideShort(f, 0, func(l int) {
		p.op("VMOVDQA64 Z23, Z%d", l/8)
		p.op("VPCMPQ $6, Z22, Z23, K1") // greater
		p.op("KORB K1, K6, K6")
	})
	p.op("TESTQ R10, R10")
	p.op("JZ %s", full)
	some, many := p.label("some"), p.label("many")
	p.widePatch(h, f, 0, many)
	p.op("JMP %s", full)
	p.place(many)
	p.op("VPXORQ Z28, Z28, Z28")
	p.op("KORTESTB K6, K6")
	p.op("JNZ %s", some)
	p.widePadding(h, f)
	if f.overlapped && h.skipsZeros {
		p.op("JMP %s", padded)
	} else {
		p.op("JMP %s", rounds)
	}
	p.place(some)
	p.op("VMOVDQA64 Z21, Z30")
	p.note("Masks of the bytes to load, from where, and which window puts the 0x80 behind them.")
	p.op("VPBROADCASTQ SI, Z29")
	p.op("MOVL $1, R9")
	p.op("VPBROADCASTQ R9, Z27")
	p.op("LEAQ window<>+64(SB), R9")
	p.op("VPBROADCASTQ R9, Z26")
	p.op("MOVL $55, R9")
	p.op("VPBROADCASTQ R9, Z25")
	for l := 0; l < lanes; l += 8 {
		r := l / 8
		p.op("VPMAXSQ Z28, Z%d, Z16", r)
		p.op("VPSLLVQ Z16, Z27, Z17")
		p.op("VPSUBQ Z27, Z17, Z17")
		p.op("VMOVDQA64 Z17, %d(BX)", f.mask(l))
		// A mask that is empty must not be used on an address that isn't there: that is slow.
		p.op("VPADDQ %d(BX), Z29, Z18", f.address(l))
		p.op("VPTESTMQ Z16, Z16, K1")
		p.op("VMOVDQA64 Z26, Z19")
		p.op("VMOVDQA64 Z18, K1, Z19")
		p.op("VMOVDQA64 Z19, %d(BX)", f.read(l))
		p.op("VPCMPUQ $1, Z30, Z%d, K2", r) // 0 … 63
		p.op("VPADDQ Z27, Z26, Z20")
		p.op("VPSUBQ Z%d, Z26, K2, Z20", r)
		p.op("VMOVDQA64 Z20, %d(BX)", f.pad(l))
		p.op("VPCMPQ $2, Z25, Z%d, K3", r) // at most 55: the length has room
		p.op("KMOVB K3, %d(BX)", f.last(l))
	}
	for g := range f.groups {
		for i := range 16 {
			l := 16*g + i
			a, b, k := 9+2*(i%2), 10+2*(i%2), 1+i%4
			p.op("MOVQ %d(BX), R%d", f.read(l), a)
			p.op("KMOVQ %d(BX), K%d", f.mask(l), k)
			p.op("MOVQ %d(BX), R%d", f.pad(l), b)
			p.op("VMOVDQU8.Z (R%d), K%d, Z%d", a, k, i)
			p.op("VPORQ (R%d), Z%d, Z%d", b, i, i)
		}
		p.transpose(h)
		p.note("The length in bits where this block is a message's last.")
		p.op("KMOVW %d(BX), K1", f.last(16*g))
		p.lengths(g)
		low, high := transposed(14), transposed(15)
		if h.bigEndian {
			low, high = high, low
		}
		p.op("VMOVDQA32 Z10, K1, Z%d", low)
		p.op("VMOVDQA32 Z11, K1, Z%d", high)
		for i := range 16 {
			p.op("VMOVDQA64 Z%d, %s", transposed(i), f.word(g, i))
		}
	}
}

// widePadding makes a block of which no message has a byte; its zero words only where somebody asks for
// them. The messages that end at it begin their
// padding here, those that ended in the block before have only their length left.
func (p *program) widePadding(h function, f wideFrame) {
	p.note("Nothing but padding: no need to load.")
	first := "$0x80"
	if h.bigEndian {
		first = "$0x80000000"
	}
	p.op("MOVL %s, R9", first)
	for g := range f.groups {
		p.op("VPCMPEQQ Z28, Z%d, K1", 2*g)
		p.op("VPCMPEQQ Z28, Z%d, K2", 2*g+1)
		p.op("KUNPCKBW K1, K2, K1")
		p.op("VPBROADCASTD.Z R9, K1, Z12")
		p.op("VMOVDQA64 Z12, %s", f.word(g, 0))
		for i := 1; i < 14 && !(f.overlapped && h.skipsZeros); i++ {
			p.op("VMOVDQA64 Z28, %s", f.word(g, i))
		}
	}
	for g := range f.groups {
		p.lengths(g)
		low, high := 14, 15
		if h.bigEndian {
			low, high = 15, 14
		}
		p.op("VMOVDQA64 Z10, %s", f.word(g, low))
		p.op("VMOVDQA64 Z11, %s", f.word(g, high))
	}
}

// lengths leaves the low words of a group's lengths in bits in Z10, the high words in Z11.
func (p *program) lengths(g int) {
	for i := range 2 {
		p.op("VMOVDQU64 %d(DX), Z%d", lanesLen+128*g+64*i, 8+i)
		p.op("VPADDQ %d(DX), Z%d, Z%d", lanesBefore+128*g+64*i, 8+i, 8+i)
	}
	p.op("VPSLLQ $3, Z8, Z8")
	p.op("VPSLLQ $3, Z9, Z9")
	p.op("VMOVDQU64 even<>(SB), Z10")
	p.op("VMOVDQU64 odd<>(SB), Z11")
	p.op("VPERMI2D Z9, Z8, Z10")
	p.op("VPERMI2D Z9, Z8, Z11")
}
