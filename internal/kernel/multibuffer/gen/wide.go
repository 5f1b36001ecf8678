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
	spare     int // the first of eight registers that rounds leave to what is done beside them, if any
	// skipsZeros: the rounds have a form for blocks of padding, in which most words are zero.
	skipsZeros bool
	// rounds writes the 64 or 80 steps for all groups. It finds the state in registers, and leaves the
	// new one there and in memory.
	rounds func(p *program, at places)
}

// places are the operands of the rounds.
type places struct {
	word    func(g, i int) string // word i of the block, for group g
	state   func(g, w int) string
	besides func(step int) // writes what is done between the steps
	padding bool           // words 1 to 13 are zero, and not there
}

// zero says whether a word is zero for all messages.
func (at places) zero(i int) bool { return at.padding && i > 0 && i < 14 }

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
	index := make([]byte, 64)
	for i := range index {
		index[i] = byte(i)
	}
	p.bytes("index", index)
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

// copies is how many blocks there is room for, from read on.
func (f wideFrame) copies() int { return f.groups * 3 * 128 / 64 }

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
	block, full, rounds, padded := p.label("block"), p.label("full"), p.label("rounds"), p.label("padded")
	p.place(block)
	p.op("CMPQ CX, $2")
	p.op("JGT %s", full)
	p.wideTail(h, f, full, rounds, padded)
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
	p.enter(h, f, at)
	if f.overlapped {
		p.wideOverlapped(h, f, at)
	}
	h.rounds(p, at)
	p.nextBlock(block)
	if f.overlapped && h.skipsZeros {
		p.place(padded)
		p.enter(h, f, at)
		at.padding = true
		h.rounds(p, at)
		p.nextBlock(block)
	}
}

// enter loads the state.
func (p *program) enter(h function, f wideFrame, at places) {
	for g := range f.groups {
		for w := range h.words {
			p.op("VMOVDQU64 %s, Z%d", at.state(g, w), g*h.apart+w)
		}
	}
}

// nextBlock ends a block, and the function after the last one.
func (p *program) nextBlock(block string) {
	p.op("ADDQ $64, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", block)
	p.op("VZEROUPPER")
	p.op("RET")
}

// wideOverlapped writes the blocks that are hashed while the next one is loaded, as long as there is one
// and few messages are short of bytes in it.
func (p *program) wideOverlapped(h function, f wideFrame, at places) {
	loaded, beside, plain := p.label("loaded"), p.label("beside"), p.label("plain")
	p.note("Only the last two blocks can be short of bytes.")
	p.place(loaded)
	p.op("CMPQ CX, $3")
	p.op("JG %s", beside)
	p.op("CMPQ CX, $1")
	p.op("JE %s", plain)
	p.wideShort(f, 64, nil)
	p.op("TESTQ R10, R10")
	p.op("JZ %s", beside)
	p.widePatch(h, f, 64, plain)
	p.place(beside)
	overlapped := at
	overlapped.besides = func(step int) {
		at.besides(step)
		p.loadNext(h, f, step)
	}
	h.rounds(p, overlapped)
	p.op("XCHGQ R8, R13")
	p.op("ADDQ $64, SI")
	p.op("DECQ CX")
	p.op("JMP %s", loaded)
	p.place(plain)
}

// loadNext writes a part of loading and transposing the next block, in the shadow of a step: each group
// has 16 steps. It has the function's spare registers.
func (p *program) loadNext(h function, f wideFrame, step int) {
	r := h.spare
	g, part := step/16, step%16
	if part%2 > 0 || g >= f.groups {
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
			if h.bigEndian {
				p.op("VPSHUFB swap32<>(SB), Z%d, Z%d", r+i, r+i)
			}
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
