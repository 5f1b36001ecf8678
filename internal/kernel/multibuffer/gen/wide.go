package main

import "fmt"

// The AVX-512 kernels. A group is 16 messages, a zmm register one word of each; up to four groups run
// interleaved, as many as their state fits into the registers. A block of a group is loaded as 16
// registers of 64 bytes and transposed into 16 registers of one word each, which wait on the stack.
//
//	DX  *Lanes            R8  the frame's first address that is a multiple of 64
//	SI  bytes done        R9 … R12  addresses
//	CX  blocks to do      AX  the clock at the call

// A function is one hash function in this form.
type function struct {
	name      string
	words     int // of state
	maxGroups int // that the layout of Lanes.State is made for
	bigEndian bool
	// rounds writes the 64 or 80 steps for all groups; state of group g starts at register g·words.
	rounds func(p *program, w wordsAt, besides func(step int))
}

// ahead is how many bytes before their use messages are fetched.
const ahead = 128

// wordsAt is where word i of group g waits.
type wordsAt func(g, i int) string

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

// wideFrame says where things lie on the stack.
type wideFrame struct{ groups int }

func (f wideFrame) word(g, i int) string { return fmt.Sprintf("%d(R8)", g*1024+i*64) }
func (f wideFrame) address(l int) int    { return f.groups*1024 + 8*l }
func (f wideFrame) read(l int) int       { return f.groups*(1024+128) + 8*l }
func (f wideFrame) mask(l int) int       { return f.groups*(1024+2*128) + 8*l }
func (f wideFrame) pad(l int) int        { return f.groups*(1024+3*128) + 8*l }
func (f wideFrame) last(l int) int       { return f.groups*(1024+4*128) + l/8 }
func (f wideFrame) size() int            { return f.groups*(1024+4*128) + 8 + 64 }

// wideBlocks writes the function that takes all lanes of the groups a number of blocks further.
func (p *program) wideBlocks(h function, groups int) {
	f := wideFrame{groups}
	name := fmt.Sprintf("wide%s%d", h.name, 16*groups)
	p.function(name, f.size(), 24, "func "+name+"(l *Lanes, clock uint64, blocks int)")
	p.op("MOVQ l+0(FP), DX")
	p.op("MOVQ clock+8(FP), AX")
	p.op("MOVQ blocks+16(FP), CX")
	p.op("LEAQ 63(SP), R8")
	p.op("ANDQ $-64, R8")
	p.op("XORL SI, SI")
	p.note("Where each message goes on: its start and what it has had since it was born.")
	p.op("VPBROADCASTQ AX, Z31")
	for l := 0; l < 16*groups; l += 8 {
		r := l / 8
		p.op("VPADDQ %d(DX), Z31, Z%d", lanesStart+8*l, r)
		p.op("VPSUBQ %d(DX), Z%d, Z%d", lanesBorn+8*l, r, r)
		p.op("VMOVDQA64 Z%d, %d(R8)", r, f.address(l))
	}
	block, full, rounds := p.label("block"), p.label("full"), p.label("rounds")
	p.place(block)
	p.op("CMPQ CX, $2")
	p.op("JGT %s", full)
	p.wideTail(h, f, full)
	p.op("JMP %s", rounds)
	p.place(full)
	for g := range groups {
		for i := range 16 {
			p.op("MOVQ %d(R8), R%d", f.address(16*g+i), 9+i%4)
			p.op("VMOVDQU64 (R%d)(SI*1), Z%d", 9+i%4, i)
		}
		p.transpose(h)
		for i := range 16 {
			p.op("VMOVDQA64 Z%d, %s", transposed(i), f.word(g, i))
		}
	}
	p.place(rounds)
	state := func(g, w int) string {
		return fmt.Sprintf("%d(DX)", lanesState+4*(w*16*h.maxGroups+16*g))
	}
	for g := range groups {
		for w := range h.words {
			p.op("VMOVDQU64 %s, Z%d", state(g, w), g*h.words+w)
		}
	}
	h.rounds(p, f.word, func(step int) {
		if l := step; l < 16*groups {
			p.op("MOVQ %d(R8), R9", f.address(l))
			p.op("PREFETCHT0 %d(R9)(SI*1)", ahead)
		}
	})
	p.note("Davies and Meyer.")
	for g := range groups {
		for w := range h.words {
			r := g*h.words + w
			if h.name == "SM3" {
				p.op("VPXORD %s, Z%d, Z%d", state(g, w), r, r)
			} else {
				p.op("VPADDD %s, Z%d, Z%d", state(g, w), r, r)
			}
			p.op("VMOVDQU64 Z%d, %s", r, state(g, w))
		}
	}
	p.op("ADDQ $64, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", block)
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideTail loads a block of which some message has less than 64 bytes, and jumps to full if none has.
// Messages may end in the block, have ended, or go on.
func (p *program) wideTail(h function, f wideFrame, full string) {
	lanes := 16 * f.groups
	p.note("What is left of each message. Only the last two blocks can be short of bytes.")
	p.op("LEAQ (AX)(SI*1), R9")
	p.op("VPBROADCASTQ R9, Z31")
	p.op("MOVL $64, R9")
	p.op("VPBROADCASTQ R9, Z30")
	p.op("KXORB K7, K7, K7")
	for l := 0; l < lanes; l += 8 {
		r := l / 8
		p.op("VMOVDQU64 %d(DX), Z%d", lanesLen+8*l, r)
		p.op("VPADDQ %d(DX), Z%d, Z%d", lanesBorn+8*l, r, r)
		p.op("VPSUBQ Z31, Z%d, Z%d", r, r)
		p.op("VPCMPQ $1, Z30, Z%d, K1", r) // less
		p.op("KORB K1, K7, K7")
	}
	p.op("KORTESTB K7, K7")
	p.op("JZ %s", full)
	p.note("Masks of the bytes to load, from where, and which window puts the 0x80 behind them.")
	p.op("VPBROADCASTQ SI, Z29")
	p.op("VPXORQ Z28, Z28, Z28")
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
		p.op("VMOVDQA64 Z17, %d(R8)", f.mask(l))
		// A mask that is empty must not be used on an address that isn't there: that is slow.
		p.op("VPADDQ %d(R8), Z29, Z18", f.address(l))
		p.op("VPTESTMQ Z16, Z16, K1")
		p.op("VMOVDQA64 Z26, Z19")
		p.op("VMOVDQA64 Z18, K1, Z19")
		p.op("VMOVDQA64 Z19, %d(R8)", f.read(l))
		p.op("VPCMPUQ $1, Z30, Z%d, K2", r) // 0 … 63
		p.op("VPADDQ Z27, Z26, Z20")
		p.op("VPSUBQ Z%d, Z26, K2, Z20", r)
		p.op("VMOVDQA64 Z20, %d(R8)", f.pad(l))
		p.op("VPCMPQ $2, Z25, Z%d, K3", r) // at most 55: the length has room
		p.op("KMOVB K3, %d(R8)", f.last(l))
	}
	for g := range f.groups {
		for i := range 16 {
			l := 16*g + i
			a, b, k := 9+2*(i%2), 10+2*(i%2), 1+i%4
			p.op("MOVQ %d(R8), R%d", f.read(l), a)
			p.op("KMOVQ %d(R8), K%d", f.mask(l), k)
			p.op("MOVQ %d(R8), R%d", f.pad(l), b)
			p.op("VMOVDQU8.Z (R%d), K%d, Z%d", a, k, i)
			p.op("VPORQ (R%d), Z%d, Z%d", b, i, i)
		}
		p.transpose(h)
		p.note("The length in bits where this block is a message's last.")
		p.op("KMOVW %d(R8), K1", f.last(16*g))
		p.op("VMOVDQU64 %d(DX), Z8", lanesTotal+128*g)
		p.op("VMOVDQU64 %d(DX), Z9", lanesTotal+128*g+64)
		p.op("VPSLLQ $3, Z8, Z8")
		p.op("VPSLLQ $3, Z9, Z9")
		p.op("VMOVDQU64 even<>(SB), Z10")
		p.op("VMOVDQU64 odd<>(SB), Z11")
		p.op("VPERMI2D Z9, Z8, Z10")
		p.op("VPERMI2D Z9, Z8, Z11")
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
