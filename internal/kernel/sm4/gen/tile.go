package main

// Tiles: messages are read and written 64 bytes at a time, four blocks of one message, because buffers
// that lie a power of two apart share a few sets of the first cache, and a line of theirs that is read
// in four steps would be gone in between. A tile turns them into the registers of four steps.

// tileSteps is how many steps a tile holds.
const tileSteps = 4

// steps64 writes the loop over tiles for 64 lanes: CX is the steps left and SI the offset in every
// message. body takes the input of a step from R12 on and puts its output there; BX counts steps.
func (s *slicer) steps64(body, after func()) {
	tile, step, done := s.label("tile"), s.label("step"), s.label("done")
	s.op("TESTQ CX, CX")
	s.op("JLE %s", done)
	s.place(tile)
	s.tileMove(lanesSrc, s.gather)
	s.op("LEAQ %d(DX), R12", lanesTile)
	s.op("MOVQ $%d, BX", tileSteps)
	s.op("CMPQ CX, BX")
	s.op("CMOVQLT CX, BX")
	s.place(step)
	body()
	s.op("ADDQ $1024, R12")
	s.op("DECQ BX")
	s.op("JNZ %s", step)
	s.tileMove(lanesDst, s.scatter)
	s.op("ADDQ $%d, SI", 16*tileSteps)
	s.op("SUBQ $%d, CX", tileSteps)
	s.op("JG %s", tile)
	after()
	s.place(done)
	s.op("VZEROUPPER")
	s.op("RET")
}

// tileMove writes the loop over the sixteen groups of four messages, whose pointers are at R11 and whose
// place in the tile is R12, for whole tiles and for fewer steps, when K1 masks what is not there.
func (s *slicer) tileMove(pointers int, move func(masked bool)) {
	part, end := s.label("part"), s.label("moved")
	loop := func(masked bool) {
		next := s.label("four")
		s.op("MOVQ $16, BX")
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
	s.op("LEAQ %d(DX), R12", lanesTile)
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
func (s *slicer) gather(masked bool) {
	x := s.take4()
	for i, pointer := range []string{"R9", "R10", "R13", "DI"} {
		if masked {
			s.op("VMOVDQU64.Z (%s)(SI*1), K1, Z%d", pointer, x[i])
		} else {
			s.op("VMOVDQU64 (%s)(SI*1), Z%d", pointer, x[i])
		}
	}
	y := s.take4()
	s.turn(x, y)
	for i, r := range x {
		s.op("VMOVDQU64 Z%d, %d(R12)", r, 1024*i)
	}
	s.give(x[:]...)
	s.give(y[:]...)
}

// scatter is the inverse of gather.
func (s *slicer) scatter(masked bool) {
	x := s.take4()
	for i, r := range x {
		s.op("VMOVDQU64 %d(R12), Z%d", 1024*i, r)
	}
	y := s.take4()
	s.turn(x, y)
	for i, pointer := range []string{"R9", "R10", "R13", "DI"} {
		if masked {
			s.op("VMOVDQU64 Z%d, K1, (%s)(SI*1)", x[i], pointer)
		} else {
			s.op("VMOVDQU64 Z%d, (%s)(SI*1)", x[i], pointer)
		}
	}
	s.give(x[:]...)
	s.give(y[:]...)
}

func (s *slicer) take4() [4]int { return [4]int{s.take(), s.take(), s.take(), s.take()} }

// turn transposes the 4×4 matrix of blocks in x.
func (s *slicer) turn(x, t [4]int) {
	for i := range 2 {
		s.op("VSHUFI64X2 $0x44, Z%d, Z%d, Z%d", x[2*i+1], x[2*i], t[2*i])
		s.op("VSHUFI64X2 $0xee, Z%d, Z%d, Z%d", x[2*i+1], x[2*i], t[2*i+1])
	}
	for i := range 2 {
		s.op("VSHUFI64X2 $0x88, Z%d, Z%d, Z%d", t[2+i], t[i], x[2*i])
		s.op("VSHUFI64X2 $0xdd, Z%d, Z%d, Z%d", t[2+i], t[i], x[2*i+1])
	}
}
