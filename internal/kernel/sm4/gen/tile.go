package main

// Tiles: messages are read and written 64 bytes at a time, four blocks of one message, because buffers
// that lie a power of two apart share a few sets of the first cache, and a line of theirs that is read
// in four steps would be gone in between. A tile turns them into the registers of four steps.

// tileSteps is how many steps a tile holds.
const tileSteps = 4

// A tiler fills and empties tiles of so many lanes, in kernel.Lanes at offset, by way of eight registers.
type tiler struct {
	*program
	lanes, offset int
	x, t          [4]int
}

// row is a step of all lanes.
func (s *tiler) row() int { return 16 * s.lanes }

// A stepping is what is done for the steps of a tile, whose row is at R12: body takes the input of a step from
// there and puts its output there; BX counts steps. begin finds the first row there, end what is behind the last.
type stepping struct{ begin, body, end func() }

// steps writes the loop over tiles: CX is the steps left and SI the offset in every message.
func (s *tiler) steps(do stepping) {
	tile, step, done := s.label("tile"), s.label("step"), s.label("done")
	s.op("TESTQ CX, CX")
	s.op("JLE %s", done)
	s.place(tile)
	s.tileMove(lanesSrc, s.gather)
	s.op("LEAQ %d(DX), R12", s.offset)
	if do.begin != nil {
		do.begin()
	}
	s.op("MOVQ $%d, BX", tileSteps)
	s.op("CMPQ CX, BX")
	s.op("CMOVQLT CX, BX")
	s.place(step)
	do.body()
	s.op("ADDQ $%d, R12", s.row())
	s.op("DECQ BX")
	s.op("JNZ %s", step)
	if do.end != nil {
		do.end()
	}
	s.tileMove(lanesDst, s.scatter)
	s.op("ADDQ $%d, SI", 16*tileSteps)
	s.op("SUBQ $%d, CX", tileSteps)
	s.op("JG %s", tile)
	s.place(done)
	s.op("VZEROUPPER")
	s.op("RET")
}

// tileMove writes the loop over the groups of four messages, whose pointers are at R11 and whose
// place in the tile is R12, for whole tiles and for fewer steps, when K1 masks what is not there.
func (s *tiler) tileMove(pointers int, move func(masked bool)) {
	part, end := s.label("part"), s.label("moved")
	loop := func(masked bool) {
		next := s.label("four")
		s.op("MOVQ $%d, BX", s.lanes/4)
		s.place(next)
		for i, r := range []string{"R9", "R10", "R13", "DI"} {
			s.op("MOVQ %d(R11), %s", 8*i, r)
		}
		move(masked)
		s.op("ADDQ $32, R11")
		s.op("ADDQ $64, R12")
		s.op("DECQ BX")
		s.op("JNZ %s", next)
	}
	s.op("LEAQ %d(DX), R11", pointers)
	s.op("LEAQ %d(DX), R12", s.offset)
	s.op("CMPQ CX, $%d", tileSteps)
	s.op("JLT %s", part)
	loop(false)
	s.op("JMP %s", end)
	s.place(part)
	s.op("MOVQ $-1, AX")
	s.op("MOVQ CX, BX")
	s.op("SHLQ $1, BX")
	s.op("BZHIQ BX, AX, AX")
	s.op("KMOVB AX, K1")
	loop(true)
	s.place(end)
}

// gather puts four blocks of four messages into the rows of the tile.
func (s *tiler) gather(masked bool) {
	for i, pointer := range []string{"R9", "R10", "R13", "DI"} {
		if masked {
			s.op("VMOVDQU64.Z (%s)(SI*1), K1, Z%d", pointer, s.x[i])
		} else {
			s.op("VMOVDQU64 (%s)(SI*1), Z%d", pointer, s.x[i])
		}
	}
	s.turnBlocks(s.x, s.t)
	for i, r := range s.x {
		s.op("VMOVDQU64 Z%d, %d(R12)", r, s.row()*i)
	}
}

// scatter is the inverse of gather.
func (s *tiler) scatter(masked bool) {
	for i, r := range s.x {
		s.op("VMOVDQU64 %d(R12), Z%d", s.row()*i, r)
	}
	s.turnBlocks(s.x, s.t)
	for i, pointer := range []string{"R9", "R10", "R13", "DI"} {
		if masked {
			s.op("VMOVDQU64 Z%d, K1, (%s)(SI*1)", s.x[i], pointer)
		} else {
			s.op("VMOVDQU64 Z%d, (%s)(SI*1)", s.x[i], pointer)
		}
	}
}

// tiler is one that uses registers which are free.
func (s *slicer) tiler(lanes, offset int) *tiler {
	t := &tiler{s.program, lanes, offset, s.take4(), s.take4()}
	s.give(t.x[:]...)
	s.give(t.t[:]...)
	return t
}

func (s *slicer) take4() [4]int { return [4]int{s.take(), s.take(), s.take(), s.take()} }
