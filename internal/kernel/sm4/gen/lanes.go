package main

import "fmt"

// CBC encryption of many messages: lane i is a message of its own.

// A laneForm says how many lanes there are and whether each has its own key.
type laneForm struct {
	name  string
	lanes int
	keyed bool
}

func (f laneForm) open(p *program) {
	switch {
	case f.keyed:
		p.function(f.name, 24, fmt.Sprintf("func %s(t *Table%d, l *Lanes, steps int)", f.name, f.lanes))
		p.op("MOVQ t+0(FP), R8")
		p.op("MOVQ l+8(FP), DX")
		p.op("MOVQ steps+16(FP), CX")
	case f.lanes == 64:
		p.function(f.name, 32, fmt.Sprintf("func %s(s *Schedule, slices *Slices, l *Lanes, steps int)", f.name))
		p.op("MOVQ s+0(FP), R8")
		p.op("MOVQ slices+8(FP), R14")
		p.op("MOVQ l+16(FP), DX")
		p.op("MOVQ steps+24(FP), CX")
	default:
		p.function(f.name, 24, fmt.Sprintf("func %s(s *Schedule, l *Lanes, steps int)", f.name))
		p.op("MOVQ s+0(FP), R8")
		p.op("MOVQ l+8(FP), DX")
		p.op("MOVQ steps+16(FP), CX")
	}
	p.op("XORL SI, SI")
}

// steps writes the loop: SI is the offset of the step in every message.
func (p *program) steps(body, after func()) {
	loop, done := p.label("step"), p.label("done")
	p.op("TESTQ CX, CX")
	p.op("JLE %s", done)
	p.place(loop)
	body()
	p.op("ADDQ $16, SI")
	p.op("DECQ CX")
	p.op("JNZ %s", loop)
	after()
	p.place(done)
	p.op("VZEROUPPER")
	p.op("RET")
}

// addBlocks adds the next block of messages 4i … 4i+3 to r.
func (p *program) addBlocks(i, r, t int) {
	p.op("MOVQ %d(DX), R9", lanesSrc+32*i)
	p.op("MOVQ %d(DX), R10", lanesSrc+32*i+8)
	p.op("MOVQ %d(DX), R11", lanesSrc+32*i+16)
	p.op("MOVQ %d(DX), R12", lanesSrc+32*i+24)
	p.op("VMOVDQU64 (R9)(SI*1), X%d", t)
	p.op("VINSERTI32X4 $1, (R10)(SI*1), Z%d, Z%d", t, t)
	p.op("VINSERTI32X4 $2, (R11)(SI*1), Z%d, Z%d", t, t)
	p.op("VINSERTI32X4 $3, (R12)(SI*1), Z%d, Z%d", t, t)
	p.op("VPXORQ Z%d, Z%d, Z%d", t, r, r)
}

// putBlocks stores the four blocks of r to messages 4i … 4i+3.
func (p *program) putBlocks(i, r int) {
	p.op("MOVQ %d(DX), R9", lanesDst+32*i)
	p.op("MOVQ %d(DX), R10", lanesDst+32*i+8)
	p.op("MOVQ %d(DX), R11", lanesDst+32*i+16)
	p.op("MOVQ %d(DX), R12", lanesDst+32*i+24)
	p.op("VMOVDQU64 X%d, (R9)(SI*1)", r)
	p.op("VEXTRACTI32X4 $1, Z%d, (R10)(SI*1)", r)
	p.op("VEXTRACTI32X4 $2, Z%d, (R11)(SI*1)", r)
	p.op("VEXTRACTI32X4 $3, Z%d, (R12)(SI*1)", r)
}

// wideLanes64 writes 64 lanes in the slice form. A step waits for the one before, so everything but the rounds is
// done beside them: the next step's text is turned to slices, row by row of the tile, and the last step's ciphertext
// back, while the chain itself, text plus ciphertext, stays in slices and in registers.
func (p *program) wideLanes64(f laneForm) {
	f.open(p)
	const row = 1024
	s := newSlicer(p)
	for i := range s.at {
		s.at[i] = s.take()
	}
	c := &chain64{slicer: s, t: [2]int{s.take(), s.take()}, keyed: f.keyed}
	entry := s.at
	c.outMasks()
	p.note("The IVs to slices.")
	c.loadRow("DX", lanesIV)
	c.turn(enterRow, entry)
	s.tiler(f.lanes, lanesTile+row).steps(stepping{
		begin: func() {
			p.note("The first row to slices, while the chain is in the row before it.")
			c.storeRow("R12", -row)
			c.loadRow("R12", 0)
			c.turn(enterRow, entry)
			c.storeRow("R12", 0)
			c.loadRow("R12", -row)
		},
		body: func() { c.step(row) },
		end: func() {
			p.note("The last row back, while the chain, its ciphertext in slices, is in the row behind it.")
			c.storeRow("R12", 0)
			c.turn(leaveRow, entry)
			c.storeRow("R12", -row)
			c.storeRow("DX", lanesIV)
			c.loadRow("R12", 0)
		},
	})
}

// A chain64 is a chain of 64 lanes in slices, with the registers for turning rows.
type chain64 struct {
	*slicer
	t     [2]int
	keyed bool
}

// A rowDirection says to what a row is turned.
type rowDirection struct{ matrix string }

var (
	enterRow = rowDirection{"matrixIn"}        // from memory order to slices
	leaveRow = rowDirection{"matrixInInverse"} // and back
)

// loadRow and storeRow load and store sixteen registers in order.
func (c *chain64) loadRow(base string, offset int) {
	for i, r := range c.at {
		c.op("VMOVDQU64 %d(%s), Z%d", offset+64*i, base, r)
	}
}

func (c *chain64) storeRow(base string, offset int) {
	for i, r := range c.at {
		c.op("VMOVDQU64 Z%d, %d(%s)", r, offset+64*i, base)
	}
}

// turn turns what is in the registers, which are the ones of entry before.
func (c *chain64) turn(d rowDirection, entry [16]int) {
	c.transpose()
	for _, r := range c.at {
		c.op("VGF2P8AFFINEQB.BCST $0, %s<>(SB), Z%d, Z%d", d.matrix, r, r)
	}
	c.settle(entry)
}

// settle moves the state to the registers that it was in before.
func (s *slicer) settle(entry [16]int) {
	for i, want := range entry {
		if s.at[i] == want {
			continue
		}
		t := -1
		for j, r := range s.at {
			if r == want {
				t = s.take()
				s.op("VMOVDQA64 Z%d, Z%d", r, t)
				s.at[j] = t
				s.give(r)
			}
		}
		s.remove(want)
		s.op("VMOVDQA64 Z%d, Z%d", s.at[i], want)
		s.give(s.at[i])
		s.at[i] = want
	}
}

// outMasks puts the mask of the result, in slices, to its place in the lanes.
func (c *chain64) outMasks() {
	if c.keyed {
		c.loadRow("R8", table64Out)
		c.turn(enterRow, c.at)
		c.storeRow("DX", lanesOut)
		return
	}
	t := c.t[0]
	c.op("VBROADCASTI32X4 %d(R8), Z%d", schedOut, t)
	c.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z%d, Z%d", t, t)
	c.op("VMOVDQU64 X%d, 0(SP)", t)
	for i := range c.at {
		c.op("VPBROADCASTB %d(SP), Z%d", i, t)
		c.op("VMOVDQU64 Z%d, %d(DX)", t, lanesOut+64*i)
	}
}

// turnPair is slicer.pair for two registers of a row in memory, at this offset from R12: the n-th pair of a stage of
// eight. The last stage makes the linear map too.
func (c *chain64) turnPair(offset, bit, n int, d rowDirection) {
	i := n/bit*2*bit + n%bit
	at, with := offset+64*i, offset+64*(i+bit)
	c.op("VMOVDQU64 %d(R12), Z%d", at, c.t[0])
	c.op("VPUNPCKLBW %d(R12), Z%d, Z%d", with, c.t[0], c.t[1])
	c.op("VPUNPCKHBW %d(R12), Z%d, Z%d", with, c.t[0], c.t[0])
	if bit == 1 {
		for _, r := range c.t {
			c.op("VGF2P8AFFINEQB.BCST $0, %s<>(SB), Z%d, Z%d", d.matrix, r, r)
		}
	}
	c.op("VMOVDQU64 Z%d, %d(R12)", c.t[1], at)
	c.op("VMOVDQU64 Z%d, %d(R12)", c.t[0], with)
}

// step adds the row at R12 to the chain, encrypts it and leaves the result in the row, in slices. Meanwhile the row
// behind becomes slices, and the one before is turned back; at the ends of a tile these are rows that nobody reads.
func (c *chain64) step(row int) {
	for i, r := range c.at {
		c.op("VPXORQ %d(R12), Z%d, Z%d", 64*i, r, r)
	}
	entry, keyBytes := c.at, 4
	if c.keyed {
		keyBytes = 64
		c.op("LEAQ %d(R8), R9", table64Round)
	} else {
		c.op("MOVQ R14, R9")
	}
	for b := range 4 {
		r := c.at[15-b]
		if c.keyed {
			c.op("VPXORQ %d(R8), Z%d, Z%d", table64In+64*b, r, r)
		} else {
			c.op("VPXORD.BCST %d(R8), Z%d, Z%d", schedSliceIn+4*b, r, r)
		}
	}
	c.rounds(keyBytes, func(round int) {
		offset, direction := row, enterRow
		if round >= 16 {
			offset, direction = -row, leaveRow
		}
		for n := range 2 {
			c.turnPair(offset, 8>>(round%16/4), round%4*2+n, direction)
		}
	})
	c.settle(entry)
	// Output words are in reverse, section 7.1.
	for p := range 8 {
		q := 4*(3-p/4) + p%4
		x, y := c.at[p], c.at[q]
		c.op("VPXORQ %d(DX), Z%d, Z%d", lanesOut+64*p, y, c.t[0])
		c.op("VPXORQ %d(DX), Z%d, Z%d", lanesOut+64*q, x, y)
		c.op("VMOVDQA64 Z%d, Z%d", c.t[0], x)
		c.op("VMOVDQU64 Z%d, %d(R12)", x, 64*p)
		c.op("VMOVDQU64 Z%d, %d(R12)", y, 64*q)
	}
}

// remove takes one particular register from the free ones.
func (s *slicer) remove(r int) {
	for i, f := range s.free {
		if f == r {
			s.free = append(s.free[:i], s.free[i+1:]...)
			return
		}
	}
	panic(fmt.Sprintf("gen: register %d is not free", r))
}

// wideLanes32 writes 32 lanes in the word form, two groups, with the last ciphertexts in memory.
func (p *program) wideLanes32(f laneForm) {
	f.open(p)
	t := &tiler{p, f.lanes, lanesTile, [4]int{0, 1, 2, 3}, [4]int{4, 5, 6, 7}}
	t.steps(stepping{body: func() {
		f := newFlight(p, f.lanes/16)
		for i, r := range f.registers() {
			p.op("VMOVDQU64 %d(R12), Z%d", 64*i, r)
			p.op("VPXORQ %d(DX), Z%d, Z%d", lanesIV+64*i, r, r)
		}
		f.enter()
		p.op("LEAQ %d(R8), R9", schedRound)
		f.rounds(4)
		f.leave()
		p.outputMask(30)
		for i, r := range f.registers() {
			p.op("VPXORQ Z30, Z%d, Z%d", r, r)
			p.op("VMOVDQU64 Z%d, %d(R12)", r, 64*i)
			p.op("VMOVDQU64 Z%d, %d(DX)", r, lanesIV+64*i)
		}
	}})
}

// wideLanes16 writes 16 lanes in the word form, without a tile.
func (p *program) wideLanes16(f laneForm) {
	f.open(p)
	g := newWordGroup(0)
	const out, t = 11, 12
	p.wordConstants(zmm)
	for i, r := range g.x {
		p.op("VMOVDQU64 %d(DX), Z%d", lanesIV+64*i, r)
	}
	keyBytes, in := 4, fmt.Sprintf("VPXORD.BCST %d(R8)", schedIn)
	if f.keyed {
		keyBytes, in = 64, fmt.Sprintf("VPXORD %d(R8)", table16In)
	} else {
		p.op("VBROADCASTI32X4 %d(R8), Z%d", schedOut, out)
	}
	p.steps(func() {
		for i, r := range g.x {
			p.addBlocks(i, r, t)
		}
		p.wordEnter(zmm, g.x, g.scratch(), in)
		if f.keyed {
			p.op("LEAQ %d(R8), R9", table16Round)
		} else {
			p.op("LEAQ %d(R8), R9", schedRound)
		}
		p.wordRounds(zmm, []wordGroup{g}, keyBytes)
		y := p.wordLeave(zmm, g.x, g.scratch())
		for i, r := range y {
			if f.keyed {
				p.op("VPXORQ %d(R8), Z%d, Z%d", table16Out+64*i, r, r)
			} else {
				p.op("VPXORQ Z%d, Z%d, Z%d", out, r, r)
			}
		}
		for i, r := range y {
			p.putBlocks(i, r)
		}
		p.note("Back to the registers that the loop begins with.")
		for j := range 2 {
			p.op("VMOVDQA64 Z%d, Z%d", g.x[j], t)
			p.op("VMOVDQA64 Z%d, Z%d", g.x[3-j], g.x[j])
			p.op("VMOVDQA64 Z%d, Z%d", t, g.x[3-j])
		}
	}, func() {
		for i, r := range g.x {
			p.op("VMOVDQU64 Z%d, %d(DX)", r, lanesIV+64*i)
		}
	})
}
