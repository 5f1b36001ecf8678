package main

import "fmt"

// CBC encryption of many messages: lane i is a message of its own. Between the steps the last
// ciphertexts stay in registers, in memory order.

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

// wideLanes64 writes 64 lanes in the slice form.
func (p *program) wideLanes64(f laneForm) {
	f.open(p)
	s := newSlicer(p)
	for i := range s.at {
		s.at[i] = s.take()
		p.op("VMOVDQU64 %d(DX), Z%d", lanesIV+64*i, s.at[i])
	}
	entry := s.at
	keyBytes, in := 4, inputMask("R8")
	if f.keyed {
		keyBytes = 64
		for b := range in {
			in[b] = fmt.Sprintf("VPXORQ %d(R8)", table64In+64*b)
		}
	}
	s.tiler(f.lanes).steps(func() {
		for i, r := range s.at {
			p.op("VPXORQ %d(R12), Z%d, Z%d", 64*i, r, r)
		}
		s.enter(in)
		if f.keyed {
			p.op("LEAQ %d(R8), R9", table64Round)
		} else {
			p.op("MOVQ R14, R9")
		}
		s.rounds(keyBytes)
		s.leave()
		if f.keyed {
			for i, r := range s.at {
				p.op("VPXORQ %d(R8), Z%d, Z%d", table64Out+64*i, r, r)
			}
		} else {
			out := s.take()
			p.op("VBROADCASTI32X4 %d(R8), Z%d", schedOut, out)
			for _, r := range s.at {
				p.op("VPXORQ Z%d, Z%d, Z%d", out, r, r)
			}
			s.give(out)
		}
		for i, r := range s.at {
			p.op("VMOVDQU64 Z%d, %d(R12)", r, 64*i)
		}
		s.settle(entry)
	}, func() {
		for i, r := range s.at {
			p.op("VMOVDQU64 Z%d, %d(DX)", r, lanesIV+64*i)
		}
	})
}

// settle moves the state to the registers that a loop began with.
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

// wideLanesWord writes 32 or 96 lanes in the word form: two groups, which are soon done, or six, which leave
// no gaps. The last ciphertexts stay in memory.
func (p *program) wideLanesWord(f laneForm) {
	f.open(p)
	t := &tiler{p, f.lanes, [4]int{0, 1, 2, 3}, [4]int{4, 5, 6, 7}}
	t.steps(func() {
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
	}, func() {})
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
