package main

// The last blocks of messages in AVX-512, where some are short of bytes.

// wideTail loads a block of which some message has less than 64 bytes, and jumps to full if none has,
// to rounds if none has a byte.
// Messages may end in the block, have ended, or go on.
func (p *program) wideTail(h function, f wideFrame, full, rounds string) {
	lanes := 16 * f.groups
	p.note("What is left of each message. Only the last two blocks can be short of bytes.")
	p.op("LEAQ (AX)(SI*1), R9")
	p.op("VPBROADCASTQ R9, Z31")
	p.op("MOVL $64, R9")
	p.op("VPBROADCASTQ R9, Z30")
	p.op("VPXORQ Z28, Z28, Z28")
	p.op("KXORB K7, K7, K7")
	p.op("KXORB K6, K6, K6")
	for l := 0; l < lanes; l += 8 {
		r := l / 8
		p.op("VMOVDQU64 %d(DX), Z%d", lanesLen+8*l, r)
		p.op("VPADDQ %d(DX), Z%d, Z%d", lanesBorn+8*l, r, r)
		p.op("VPSUBQ Z31, Z%d, Z%d", r, r)
		p.op("VPCMPQ $1, Z30, Z%d, K1", r) // less
		p.op("KORB K1, K7, K7")
		p.op("VPCMPQ $6, Z28, Z%d, K1", r) // greater
		p.op("KORB K1, K6, K6")
	}
	p.op("KORTESTB K7, K7")
	p.op("JZ %s", full)
	some := p.label("some")
	p.op("KORTESTB K6, K6")
	p.op("JNZ %s", some)
	p.widePadding(h, f)
	p.op("JMP %s", rounds)
	p.place(some)
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

// widePadding makes a block of which no message has a byte. The messages that end at it begin their
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
		for i := 1; i < 14; i++ {
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
