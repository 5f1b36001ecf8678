package main

import "fmt"

// The AVX-512 kernels. A group is 16 messages, a zmm register one word of each; up to four groups run
// interleaved, as many as their state fits into the registers. A block of a group is loaded as 16
// registers of 64 bytes and transposed into 16 registers of one word each, which wait on the stack.
//
//	DX  *Lanes            BX, R8, R13  the frame, at multiples of 64
//	SI  bytes done        R9 … R12     addresses
//	CX  blocks to do      AX           the clock at the call

// A function is one hash function in this form.
type function struct {
	name      string
	words     int // of state
	apart     int // registers from one group's state to the next one's
	maxGroups int // that the layout of Lanes.State is made for
	bigEndian bool
	// rounds writes the 64 or 80 steps for all groups. It finds the state in registers, and leaves the
	// new one there and in memory.
	rounds func(p *program, at places)
}

// places are the operands of the rounds.
type places struct {
	word    func(g, i int) string // word i of the block, for group g
	state   func(g, w int) string
	besides func(step int) // writes what is done between the steps
}

// ahead is how many bytes before their use messages are fetched.
const ahead = 128

func (p *program) wideData() {
	k := md5Table()
	p.dwords("md5Table", k[:]...)
	k = sm3Table()
	p.dwords("sm3Table", k[:]...)
	k = sha256Table()
	p.dwords("sha256Table", k[:]...)
	p.dwords("sha1Table", sha1Table()...)
	swap := make([]byte, 64)
	for i := range swap {
		swap[i] = byte(i%16 ^ 3)
	}
	p.bytes("swap32", swap)
	var even, odd [16]uint32
	for i := range 16 {
		even[i], odd[i] = uint32(2*i), uint32(2*i+1)
	}
	p.dwords("even", even[:]...)
	p.dwords("odd", odd[:]...)
	// A window of 64 bytes that starts at 64 - n holds the padding's first byte at n; that at 65 is
	// empty.
	window := make([]byte, 132)
	window[64] = 0x80
	p.bytes("window", window)
}

// wideFrame says where things lie on the stack: the words of a block at R8, the rest at BX.
type wideFrame struct {
	groups int
	// overlapped: while one block is hashed, the next one is loaded, to R13.
	overlapped bool
}

func (f wideFrame) word(g, i int) string { return fmt.Sprintf("%d(R8)", g*1024+i*64) }
func (f wideFrame) next(g, i int) string { return fmt.Sprintf("%d(R13)", g*1024+i*64) }
func (f wideFrame) address(l int) int    { return 8 * l }
func (f wideFrame) read(l int) int       { return f.groups*128 + 8*l }
func (f wideFrame) mask(l int) int       { return f.groups*2*128 + 8*l }
func (f wideFrame) pad(l int) int        { return f.groups*3*128 + 8*l }
func (f wideFrame) last(l int) int       { return f.groups*4*128 + l/8 }
func (f wideFrame) turned(i int) int     { return f.groups*4*128 + 64 + 64*i } // overlapped only

// sizes are those of what is at BX and at R8.
func (f wideFrame) sizes() (rest, words int) {
	if f.overlapped {
		return f.groups*4*128 + 64 + 1024, f.groups * 1024
	}
	return f.groups*4*128 + 64, f.groups * 1024
}

// wideBlocks writes the function that takes all lanes of the groups a number of blocks further.
func (p *program) wideBlocks(h function, f wideFrame) {
	name := fmt.Sprintf("wide%s%d", h.name, 16*f.groups)
	rest, words := f.sizes()
	size := 64 + rest + words
	if f.overlapped {
		size += words
	}
	p.function(name, size, 24, "func "+name+"(l *Lanes, clock uint64, blocks int)")
	p.op("MOVQ l+0(FP), DX")
	p.op("MOVQ clock+8(FP), AX")
	p.op("MOVQ blocks+16(FP), CX")
	p.op("LEAQ 63(SP), BX")
	p.op("ANDQ $-64, BX")
	p.op("LEAQ %d(BX), R8", rest)
	if f.overlapped {
		p.op("LEAQ %d(R8), R13", words)
	}
	p.op("XORL SI, SI")
	p.note("Where each message goes on: its start and what it has had since it was born.")
	p.op("VPBROADCASTQ AX, Z31")
	for l := 0; l < 16*f.groups; l += 8 {
		r := l / 8
		p.op("VPADDQ %d(DX), Z31, Z%d", lanesStart+8*l, r)
		p.op("VPSUBQ %d(DX), Z%d, Z%d", lanesBorn+8*l, r, r)
		p.op("VMOVDQA64 Z%d, %d(BX)", r, f.address(l))
	}
	at := places{
		word: f.word,
		state: func(g, w int) string {
			return fmt.Sprintf("%d(DX)", lanesState+4*(w*16*h.maxGroups+16*g))
		},
		besides: func(step int) {
			if step < 16*f.groups {
				p.op("MOVQ %d(BX), R9", f.address(step))
				p.op("PREFETCHT0 %d(R9)(SI*1)", ahead)
			}
		},
	}
	block, full, rounds := p.label("block"), p.label("full"), p.label("rounds")
	loaded, plain := p.label("loaded"), p.label("plain")
	p.place(block)
	p.op("CMPQ CX, $2")
	p.op("JGT %s", full)
	p.wideTail(h, f, full, rounds)
	p.op("JMP %s", rounds)
	p.place(full)
	for g := range f.groups {
		for i := range 16 {
			p.op("MOVQ %d(BX), R%d", f.address(16*g+i), 9+i%4)
			p.op("VMOVDQU64 (R%d)(SI*1), Z%d", 9+i%4, i)
		}
		p.transpose(h)
		for i := range 16 {
			p.op("VMOVDQA64 Z%d, %s", transposed(i), f.word(g, i))
		}
	}
	p.place(rounds)
	for g := range f.groups {
		for w := range h.words {
			p.op("VMOVDQU64 %s, Z%d", at.state(g, w), g*h.apart+w)
		}
	}
	if f.overlapped {
		beside := p.label("beside")
		p.note("Of the last two blocks, some message may not have all.")
		p.place(loaded)
		p.op("CMPQ CX, $3")
		p.op("JG %s", beside)
		p.op("JLT %s", plain)
		p.op("LEAQ 128(AX)(SI*1), R9")
		p.op("VPBROADCASTQ R9, Z22")
		p.op("KXORB K7, K7, K7")
		for l := 0; l < 16*f.groups; l += 8 {
			p.op("VMOVDQU64 %d(DX), Z23", lanesLen+8*l)
			p.op("VPADDQ %d(DX), Z23, Z23", lanesBorn+8*l)
			p.op("VPCMPQ $1, Z22, Z23, K1") // less
			p.op("KORB K1, K7, K7")
		}
		p.op("KORTESTB K7, K7")
		p.op("JNZ %s", plain)
		p.place(beside)
		overlapped := at
		overlapped.besides = func(step int) {
			at.besides(step)
			p.loadNext(f, step)
		}
		h.rounds(p, overlapped)
		p.op("XCHGQ R8, R13")
		p.op("ADDQ $64, SI")
		p.op("DECQ CX")
		p.op("JMP %s", loaded)
		p.place(plain)
	}
	h.rounds(p, at)
	p.op("ADDQ $64, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", block)
	p.op("VZEROUPPER")
	p.op("RET")
}

// loadNext writes a part of loading and transposing the next block, in the shadow of a step: each group
// has 16 steps. It has Z22 … Z29.
func (p *program) loadNext(f wideFrame, step int) {
	const r = 22
	g, part := step/16, step%16
	if part%2 > 0 {
		return
	}
	if part < 8 {
		s := part / 2 * 4
		p.note("Messages %d to %d of the next block.", 16*g+s, 16*g+s+3)
		for i := range 4 {
			p.op("MOVQ %d(BX), R%d", f.address(16*g+s+i), 9+i)
			p.op("VMOVDQU64 64(R%d)(SI*1), Z%d", 9+i, r+i)
		}
		p.op("VPUNPCKLDQ Z%d, Z%d, Z%d", r+1, r, r+4)
		p.op("VPUNPCKHDQ Z%d, Z%d, Z%d", r+1, r, r+5)
		p.op("VPUNPCKLDQ Z%d, Z%d, Z%d", r+3, r+2, r+6)
		p.op("VPUNPCKHDQ Z%d, Z%d, Z%d", r+3, r+2, r+7)
		p.op("VPUNPCKLQDQ Z%d, Z%d, Z%d", r+6, r+4, r)
		p.op("VPUNPCKHQDQ Z%d, Z%d, Z%d", r+6, r+4, r+1)
		p.op("VPUNPCKLQDQ Z%d, Z%d, Z%d", r+7, r+5, r+2)
		p.op("VPUNPCKHQDQ Z%d, Z%d, Z%d", r+7, r+5, r+3)
		for i := range 4 {
			p.op("VMOVDQA64 Z%d, %d(BX)", r+i, f.turned(s+i))
		}
		return
	}
	k := (part - 8) / 2
	p.note("Words %d, %d, %d and %d of the next block.", k, 4+k, 8+k, 12+k)
	p.op("VMOVDQA64 %d(BX), Z%d", f.turned(k), r)
	p.op("VMOVDQA64 %d(BX), Z%d", f.turned(8+k), r+1)
	p.op("VSHUFI32X4 $0x44, %d(BX), Z%d, Z%d", f.turned(4+k), r, r+2)
	p.op("VSHUFI32X4 $0xee, %d(BX), Z%d, Z%d", f.turned(4+k), r, r+3)
	p.op("VSHUFI32X4 $0x44, %d(BX), Z%d, Z%d", f.turned(12+k), r+1, r+4)
	p.op("VSHUFI32X4 $0xee, %d(BX), Z%d, Z%d", f.turned(12+k), r+1, r+5)
	for i, x := range []struct{ imm, a, b int }{{0x88, 4, 2}, {0xdd, 4, 2}, {0x88, 5, 3}, {0xdd, 5, 3}} {
		p.op("VSHUFI32X4 $%#02x, Z%d, Z%d, Z%d", x.imm, r+x.a, r+x.b, r+6+i%2)
		p.op("VMOVDQA64 Z%d, %s", r+6+i%2, f.next(g, 4*i+k))
	}
}

// leave adds the state to what the rounds made of it (Davies and Meyer) and stores the sum.
func (p *program) leave(at places, groups, words int, sum string) {
	for g := range groups {
		for w := range words {
			r := g*words + w
			p.op("%s %s, Z%d, Z%d", sum, at.state(g, w), r, r)
			p.op("VMOVDQU64 Z%d, %s", r, at.state(g, w))
		}
	}
}

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

// transposed is the register in which transpose leaves word i.
func transposed(i int) int {
	switch i / 4 {
	case 0:
		return i
	case 2:
		return i - 4
	}
	return 16 + i
}

// transpose turns Z0 … Z15, 64 bytes of a message each, into a word of all messages each, in the
// function's byte order. Z8 … Z15 are free then.
func (p *program) transpose(h function) {
	// Words of four messages side by side: Z(4s+k) gets word 4q+k of messages 4s … 4s+3 in quarter q.
	for s := 0; s < 16; s += 4 {
		p.op("VPUNPCKLDQ Z%d, Z%d, Z16", s+1, s)
		p.op("VPUNPCKHDQ Z%d, Z%d, Z17", s+1, s)
		p.op("VPUNPCKLDQ Z%d, Z%d, Z18", s+3, s+2)
		p.op("VPUNPCKHDQ Z%d, Z%d, Z19", s+3, s+2)
		p.op("VPUNPCKLQDQ Z18, Z16, Z%d", s)
		p.op("VPUNPCKHQDQ Z18, Z16, Z%d", s+1)
		p.op("VPUNPCKLQDQ Z19, Z17, Z%d", s+2)
		p.op("VPUNPCKHQDQ Z19, Z17, Z%d", s+3)
	}
	if h.bigEndian {
		p.op("VMOVDQU64 swap32<>(SB), Z16")
		for i := range 16 {
			p.op("VPSHUFB Z16, Z%d, Z%d", i, i)
		}
	}
	// Quarters of four registers.
	for k := range 4 {
		a, b, c, d := k, 4+k, 8+k, 12+k
		low, high, low2, high2 := 16+k, 24+k, transposed(4+k), transposed(12+k)
		p.op("VSHUFI32X4 $0x44, Z%d, Z%d, Z%d", b, a, low)
		p.op("VSHUFI32X4 $0xee, Z%d, Z%d, Z%d", b, a, high)
		p.op("VSHUFI32X4 $0x44, Z%d, Z%d, Z%d", d, c, low2)
		p.op("VSHUFI32X4 $0xee, Z%d, Z%d, Z%d", d, c, high2)
		p.op("VSHUFI32X4 $0x88, Z%d, Z%d, Z%d", low2, low, transposed(k))
		p.op("VSHUFI32X4 $0xdd, Z%d, Z%d, Z%d", low2, low, low2)
		p.op("VSHUFI32X4 $0x88, Z%d, Z%d, Z%d", high2, high, transposed(8+k))
		p.op("VSHUFI32X4 $0xdd, Z%d, Z%d, Z%d", high2, high, high2)
	}
}

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
