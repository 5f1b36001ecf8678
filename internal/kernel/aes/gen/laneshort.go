package main

// Short messages of GCM in lanes, whole: up to 64 bytes, all of one length, without additional data, each with a raw key.
// The schedule, the hash key, the mask of the tag and four blocks of key stream of four messages are made in one go, so
// that no schedule is ever stored. Eight messages are in flight.
//
// Registers: DX the lanes, SI the messages, BX the registers of lanes that are left, CX the length of a text, R9 its
// blocks, DI and R14 the lines and the tags of what is opened, K1 the bytes of a text.

const (
	shortStates = 6  // of a register of lanes: the hash key, the mask, and four blocks
	shortFirst  = 10 // the first of them
	shortConst  = 26 // and two behind it, of the schedule
	shortBits   = 29
	shortMost   = 2 // registers of lanes at once
)

// state is the register of a state of a register of lanes.
func state(g, i int) int { return shortFirst + shortStates*g + i }

// A short is the work on n registers of lanes.
type short struct {
	*program
	form   lastForm
	rounds int
	n      int
}

// laneShort writes the function for keys of so many bytes.
func (p *program) laneShort(name string, form lastForm, bytes int) {
	p.Function(name, 32, "func "+name+"(l *Lanes, m *Message, groups, n int)")
	p.Op("MOVQ l+0(FP), DX")
	p.Op("MOVQ m+8(FP), SI")
	p.Op("MOVQ groups+16(FP), BX")
	p.Op("MOVQ n+24(FP), CX")
	p.Op("LEAQ 15(CX), R9")
	p.Op("SHRQ $4, R9")
	p.tailMask()
	p.Op("LEAQ (CX*8), AX")
	p.Op("VMOVQ AX, X%d", shortBits)
	p.Op("VSHUFI32X4 $0, Z%[1]d, Z%[1]d, Z%[1]d", shortBits)
	p.Op("VBROADCASTI32X4 hashCarry<>(SB), Z%d", laneOne)
	p.Op("VMOVDQU64 swap<>(SB), Z%d", laneSwap)
	if form == authenticating {
		p.Op("LEAQ %d(DX), DI", lanesTile)
		p.Op("LEAQ %d(DX), R14", lanesMask)
	}
	s := short{p, form, bytes/4 + 6, shortMost}
	s.schedule().constants()
	loop, one, end := p.Label("loop"), p.Label("one"), p.Label("end")
	p.Place(loop)
	p.Op("CMPQ BX, $%d", shortMost)
	p.Op("JLT %s", one)
	s.messages()
	p.Op("ADDQ $%d, SI", 4*shortMost*messageSize)
	if form == authenticating {
		p.Op("ADDQ $%d, DI", 256*shortMost)
		p.Op("ADDQ $%d, R14", 64*shortMost)
	}
	p.Op("SUBQ $%d, BX", shortMost)
	p.Op("JMP %s", loop)
	p.Place(one)
	p.Op("TESTQ BX, BX")
	p.Op("JZ %s", end)
	s.n = 1
	s.messages()
	p.Place(end)
	p.leave()
}

// field loads a pointer of the message of a lane.
func (s short) field(g, lane, offset int, to string) {
	s.Op("MOVQ %d(SI), %s", messageSize*(4*g+lane)+offset, to)
}

// eachLane calls body for every register of lanes and every lane of it.
func (s short) eachLane(body func(g, lane int)) {
	for g := range s.n {
		for lane := range 4 {
			body(g, lane)
		}
	}
}

func (s short) schedule() laneSchedule {
	e := laneSchedule{s.program, s.rounds, nil, shortConst, s.round}
	for g := range s.n {
		e.first = append(e.first, wordsAll*g)
	}
	return e
}

// messages does 4 n messages.
func (s short) messages() {
	s.begin()
	s.schedule().expand(func(g, lane int) { s.field(g, lane, messageKey, "R10") })
	for g := range s.n {
		s.timesX(state(g, 0))
		s.transposed(g)
	}
	hash, partly := s.Label("hash"), s.Label("partly")
	s.Op("CMPQ CX, $64")
	s.Op("JNE %s", partly)
	s.lines()
	s.Op("JMP %s", hash)
	s.Place(partly)
	s.parts()
	s.Place(hash)
	s.hash()
	s.tags()
}

// begin leaves the counters of each message in its states but the first.
func (s short) begin() {
	s.eachLane(func(g, lane int) {
		const nonce = 0
		s.field(g, lane, messageNonce, "R10")
		s.Op("VMOVQ (R10), X%d", nonce)
		s.Op("VPINSRD $2, 8(R10), X%[1]d, X%[1]d", nonce)
		if lane == 0 {
			s.Op("VMOVDQA64 Z%d, Z%d", nonce, state(g, 1))
		} else {
			s.Op("VINSERTI32X4 $%d, X%d, Z%d, Z%d", lane, nonce, state(g, 1), state(g, 1))
		}
	})
	for g := range s.n {
		for i := 2; i < shortStates; i++ {
			s.Op("VPORQ shortCounters<>+%d(SB), Z%d, Z%d", 64*(i-1), state(g, 1), state(g, i))
		}
		s.Op("VPORQ shortCounters<>(SB), Z%[1]d, Z%[1]d", state(g, 1))
	}
}

// round is one of all states of a register of lanes, by the key that has just been made.
func (s short) round(g, key, i int) {
	for at := range shortStates {
		switch r := state(g, at); {
		case i == 0 && at == 0: // of zeros
			s.Op("VMOVDQA64 Z%d, Z%d", key, r)
		case i == 0:
			s.Op("VPXORQ Z%d, Z%d, Z%d", key, r, r)
		case i == s.rounds:
			s.Op("VAESENCLAST Z%d, Z%d, Z%d", key, r, r)
		default:
			s.Op("VAESENC Z%d, Z%d, Z%d", key, r, r)
		}
	}
}

// transposed exchanges lines and blocks of a register of lanes. The registers of its schedule are used up.
func (s short) transposed(g int) {
	first := wordsAll * g
	s.transposeAt([4]int{state(g, 2), state(g, 3), state(g, 4), state(g, 5)}, [4]int{first, first + 1, first + 2, first + 3})
}

// lines encrypts whole lines of key stream, or decrypts them into the tile, and leaves the blocks of ciphertext.
func (s short) lines() {
	s.eachLane(func(g, lane int) {
		line := state(g, 2+lane)
		s.field(g, lane, messageSrc, "R10")
		if s.form == sealing {
			s.field(g, lane, messageDst, "R11")
			s.Op("VPXORQ (R10), Z%d, Z%d", line, line)
			s.Op("VMOVDQU64 Z%d, (R11)", line)
			return
		}
		s.Op("VMOVDQU64 (R10), Z%d", 0)
		s.Op("VPXORQ Z%d, Z%d, Z%d", 0, line, line)
		s.Op("VMOVDQU64 Z%d, %d(DI)", line, 64*(4*g+lane))
		s.Op("VMOVDQA64 Z%d, Z%d", 0, line)
	})
	for g := range s.n {
		s.transposed(g)
	}
}

// parts is lines for texts shorter than a line, by way of memory.
func (s short) parts() {
	const text, temp = 0, 1
	none, lane := s.Label("none"), s.Label("lane")
	s.Op("TESTQ CX, CX")
	s.Op("JZ %s", none)
	s.eachLane(func(g, lane int) { s.Op("VMOVDQU64 Z%d, %d(DX)", state(g, 2+lane), lanesSink+64*(4*g+lane)) })
	s.Op("LEAQ %d(DX), R13", lanesSink)
	s.Op("MOVQ SI, R12")
	if s.form == authenticating {
		s.Op("MOVQ DI, R15")
	}
	s.Op("MOVQ $%d, AX", 4*s.n)
	s.Place(lane)
	s.Op("MOVQ %d(R12), R8", messageSrc)
	s.tailLoadAt("R8", text, temp)
	s.Op("VPXORQ (R13), Z%d, Z%d", text, temp)
	if s.form == sealing {
		s.Op("VMOVDQU8.Z Z%d, K1, Z%d", temp, text)
		s.Op("VMOVDQU64 Z%d, (R13)", text)
		s.Op("MOVQ %d(R12), DI", messageDst)
		s.tailStore(text)
	} else {
		s.Op("VMOVDQU64 Z%d, (R15)", temp)
		s.Op("ADDQ $64, R15")
		s.Op("VMOVDQU64 Z%d, (R13)", text)
	}
	s.Op("ADDQ $64, R13")
	s.Op("ADDQ $%d, R12", messageSize)
	s.Op("SUBQ $1, AX")
	s.Op("JNZ %s", lane)
	for g := range s.n {
		for lane := range 4 {
			s.Op("VMOVDQU64 %d(DX), Z%d", lanesSink+64*(4*g+lane), state(g, 2+lane))
		}
		s.transposed(g)
	}
	s.Place(none)
}

// hash leaves the hashes of the blocks of ciphertext and of their lengths in the sums, by Horner's rule.
func (s short) hash() {
	lengths := s.Label("lengths")
	for g := range s.n {
		s.Op("VPXORQ Z%[1]d, Z%[1]d, Z%[1]d", s.sum(g))
	}
	for i := range 4 {
		s.Op("CMPQ R9, $%d", i)
		s.Op("JLE %s", lengths)
		for g := range s.n {
			block := state(g, 2+i)
			s.Op("VPSHUFB Z%d, Z%d, Z%d", laneSwap, block, block)
			s.Op("VPXORQ Z%d, Z%d, Z%d", s.sum(g), block, block)
			s.product(g, block)
		}
	}
	s.Place(lengths)
	for g := range s.n {
		s.Op("VPXORQ Z%d, Z%d, Z%d", shortBits, s.sum(g), state(g, 2))
		s.product(g, state(g, 2))
	}
}

// sum is the register of the hashes of a register of lanes: where products are when they are reduced.
func (s short) sum(g int) int { return wordsAll*g + 1 }

// product leaves the reduced products of r and the hash keys in the sums.
func (s short) product(g, r int) {
	h, first := state(g, 0), wordsAll*g
	f := folding{lo: first, hi: s.sum(g), mid: first + 2, t: first + 3}
	s.Op("VPCLMULQDQ $0x00, Z%d, Z%d, Z%d", h, r, f.lo)
	s.Op("VPCLMULQDQ $0x01, Z%d, Z%d, Z%d", h, r, f.mid)
	s.Op("VPCLMULQDQ $0x10, Z%d, Z%d, Z%d", h, r, f.t)
	s.Op("VPCLMULQDQ $0x11, Z%d, Z%d, Z%d", h, r, f.hi)
	s.foldIn(f)
}

// tags stores the tags behind the results, or of what is opened where they are compared.
func (s short) tags() {
	for g := range s.n {
		r := s.sum(g)
		s.Op("VPSHUFB Z%d, Z%d, Z%d", laneSwap, r, r)
		s.Op("VPXORQ Z%d, Z%d, Z%d", state(g, 1), r, r)
		if s.form == authenticating {
			s.Op("VMOVDQU64 Z%d, %d(R14)", r, 64*g)
			continue
		}
		for lane := range 4 {
			s.field(g, lane, messageDst, "R10")
			if lane == 0 {
				s.Op("VMOVDQU64 X%d, (R10)(CX*1)", r)
			} else {
				s.Op("VEXTRACTI32X4 $%d, Z%d, (R10)(CX*1)", lane, r)
			}
		}
	}
}
