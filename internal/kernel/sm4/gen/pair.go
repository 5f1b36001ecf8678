package main

// The pair form: two sets of 64 blocks in the slice form at once. One set alone can't fill the
// processor: a round waits for eight inversions that go through one port or two, then for their latency
// and for the sum U. With two sets the state doesn't fit the registers, so it lives in memory at R14, and
// only the inputs of the S-box stay. Still 22 instructions a round and set, of which eight take an operand
// from memory.

// pairBytes is one turn of a pair kernel.
const pairBytes = 2048

// A pairState names the registers of both sets between rounds.
type pairState struct {
	in, v, w [2][4]int
	keyed    bool // every block has a key of its own: four vectors a round instead of four dwords
}

// keyBytes is what a byte of a round's key takes.
func (ps *pairState) keyBytes() int {
	if ps.keyed {
		return 64
	}
	return 4
}

// slot is the place of byte b of word j of a set.
func slot(set, j, b int) int { return 1024*set + 64*(4*(j%4)+b) }

// park stores the state of one set, which then lies in memory, and keeps the first S-box's input.
func (s *slicer) park(ps *pairState, set int) {
	word := func(j, b int) int { return s.at[4*j+3-b] }
	for b := range 4 {
		for j := range 4 {
			s.op("VMOVDQU64 Z%d, %d(R14)", word(j, b), slot(set, j, b))
		}
		s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", word(3, b), word(2, b), word(1, b))
		ps.in[set][b] = word(1, b)
	}
	for p, r := range s.at {
		if p/4 != 1 {
			s.give(r)
		}
	}
}

// unpark loads the state of one set.
func (s *slicer) unpark(set int) {
	for p := range s.at {
		s.at[p] = s.take()
		s.op("VMOVDQU64 %d(R14), Z%d", slot(set, p/4, 3-p%4), s.at[p])
	}
}

// pairRounds runs 32 rounds on two parked sets with the keys at R9, in two loops of 16; R10 is used.
// beside, if not nil, is called for every round of a loop, and between after the first loop.
func (s *slicer) pairRounds(ps *pairState, beside func(quarter int), between func()) {
	for set := range 2 {
		for b := range 4 {
			ps.v[set][b], ps.w[set][b] = s.take(), s.take()
		}
	}
	for half := range 2 {
		if half == 1 && between != nil {
			between()
		}
		loop := s.label("rounds")
		s.op("LEAQ %d(R9), R10", 64*ps.keyBytes())
		s.place(loop)
		for i := range 4 {
			for set := range 2 {
				s.pairRound(ps, set, i)
			}
			if beside != nil {
				beside(i)
			}
		}
		s.op("ADDQ $%d, R9", 16*ps.keyBytes())
		s.op("CMPQ R9, R10")
		s.op("JNE %s", loop)
	}
	for set := range 2 {
		s.give(ps.in[set][:]...)
		s.give(ps.v[set][:]...)
		s.give(ps.w[set][:]...)
	}
}

// pairRound leaves each S-box input in the register of the new byte, so that what comes last is the
// destination of the ternary XOR: Zen 4 reads that a cycle later than the other operands.
func (s *slicer) pairRound(ps *pairState, set, i int) {
	in, v, w := &ps.in[set], &ps.v[set], &ps.w[set]
	s.inversions(*in, *v, *w)
	s.addKeys(i, ps.keyBytes(), *v, *w)
	s.sums(*v, *w)
	for _, n := range newBytes {
		x, other := &v[n.q], w[n.sum]
		if n.last {
			x, other = &w[n.sum], v[n.q]
		}
		s.op("VPTERNLOGD $0x96, %d(R14), Z%d, Z%d", slot(set, i, n.b), other, *x)
		s.op("VMOVDQU64 Z%d, %d(R14)", *x, slot(set, i, n.b))
		s.op("VPTERNLOGD $0x96, %d(R14), Z%d, Z%d", slot(set, i+1, n.b), in[n.b], *x)
		in[n.b], *x = *x, in[n.b]
	}
}
