package main

import "fmt"

// The slice form: sixteen registers hold one byte of 64 blocks each, so the rotations of L by whole
// bytes are nothing but a choice of register. With U the sum of the four u,
//
//	new[b] = x₀[b] ⊕ U ⊕ q[b],  q[b] = v[b] ⊕ w[b+1] ⊕ key[b],  U = q[0] ⊕ q[1] ⊕ q[2] ⊕ q[3]
//
// and a round takes 22 instructions for 64 blocks, where the word form takes 36 to 44. The sum of
// the keys that enters through U is taken out of each key beforehand (Schedule.Slice).

// A slicer hands out vector registers and remembers where the state is: at[p] is the register of
// byte p of the block in memory order.
type slicer struct {
	*program
	free []int
	at   [16]int
}

func newSlicer(p *program) *slicer {
	s := &slicer{program: p}
	for i := 29; i >= 0; i-- {
		s.free = append(s.free, i)
	}
	p.op("VPBROADCASTQ matrixV<>(SB), Z30")
	p.op("VPBROADCASTQ matrixW<>(SB), Z31")
	return s
}

func (s *slicer) take() int {
	if len(s.free) == 0 {
		panic("gen: out of vector registers")
	}
	r := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return r
}

func (s *slicer) give(rs ...int) { s.free = append(s.free, rs...) }

// transpose turns sixteen registers of four blocks each into the slice form and back: on every
// 128-bit lane it is the transposition of a 16×16 matrix of bytes, in four stages.
func (s *slicer) transpose() {
	for bit := 8; bit > 0; bit /= 2 {
		for i := range 16 {
			if i&bit == 0 {
				s.pair(i, i|bit)
			}
		}
	}
}

func (s *slicer) pair(i, j int) {
	a, b, t := s.at[i], s.at[j], s.take()
	s.op("VPUNPCKLBW Z%d, Z%d, Z%d", b, a, t)
	s.op("VPUNPCKHBW Z%d, Z%d, Z%d", b, a, b)
	s.at[i] = t
	s.give(a)
}

// enter makes the slice form of sixteen registers in memory order; in are the operands for the mask
// of the fourth word.
func (s *slicer) enter(in [4]string) {
	m := s.take()
	s.op("VPBROADCASTQ matrixIn<>(SB), Z%d", m)
	for _, r := range s.at {
		s.op("VGF2P8AFFINEQB $0, Z%d, Z%d, Z%d", m, r, r)
	}
	s.give(m)
	s.transpose()
	for b, operand := range in {
		r := s.at[15-b]
		s.op("%s, Z%d, Z%d", operand, r, r)
	}
}

// inputMask are enter's operands for one key.
func inputMask(base string) (in [4]string) {
	for b := range in {
		in[b] = fmt.Sprintf("VPXORD.BCST %d(%s)", schedSliceIn+4*b, base)
	}
	return in
}

// leave returns to memory order; the output mask is left to the caller.
func (s *slicer) leave() {
	// Output words are in reverse, section 7.1.
	for p := range 8 {
		q := 4*(3-p/4) + p%4
		s.at[p], s.at[q] = s.at[q], s.at[p]
	}
	s.transpose()
	m := s.take()
	s.op("VPBROADCASTQ matrixInInverse<>(SB), Z%d", m)
	for _, r := range s.at {
		s.op("VGF2P8AFFINEQB $0, Z%d, Z%d, Z%d", m, r, r)
	}
	s.give(m)
}

// rounds runs 32 rounds with the keys at R9: four dwords a round for one key, four vectors a round
// with keyBytes 64. R10 is used. beside, if not nil, is called four times for instructions that
// belong elsewhere and fill the gaps.
func (s *slicer) rounds(keyBytes int, beside func(quarter int)) {
	var in, v, w [4]int
	for b := range 4 {
		in[b], v[b], w[b] = s.take(), s.take(), s.take()
	}
	loop := s.label("rounds")
	s.op("LEAQ %d(R9), R10", 128*keyBytes)
	s.place(loop)
	for i := range 4 {
		s.round(i, keyBytes, in, v, w)
		if beside != nil {
			beside(i)
		}
	}
	s.op("ADDQ $%d, R9", 16*keyBytes)
	s.op("CMPQ R9, R10")
	s.op("JNE %s", loop)
	s.give(in[:]...)
	s.give(v[:]...)
	s.give(w[:]...)
}

func (s *slicer) round(i, keyBytes int, in, v, w [4]int) {
	// word(j, b) is the register of byte b (0 the least) of the j-th word of this round.
	word := func(j, b int) int { return s.at[4*((i+j)%4)+3-b] }
	for b := range 4 {
		s.op("VMOVDQA64 Z%d, Z%d", word(3, b), in[b])
		s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", word(1, b), word(2, b), in[b])
	}
	s.inversions(in, v, w)
	for b := range 4 {
		at := (4*i + b) * keyBytes
		if keyBytes == 4 {
			s.op("VPTERNLOGD.BCST $0x96, %d(R9), Z%d, Z%d", at, w[(b+1)%4], v[b])
		} else {
			s.op("VPTERNLOGD $0x96, %d(R9), Z%d, Z%d", at, w[(b+1)%4], v[b])
		}
	}
	s.sum(v, w[0])
	for b := range 4 {
		n := s.copyOfSum(w, b)
		s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", v[b], word(0, b), n)
		s.op("VMOVDQA64 Z%d, Z%d", n, word(0, b))
	}
}

// inversions makes v and w of the S-box's inputs, in the order in which they are needed.
func (s *slicer) inversions(in, v, w [4]int) {
	for b := range 4 {
		s.op("VGF2P8AFFINEINVQB $0, Z31, Z%d, Z%d", in[(b+1)%4], w[(b+1)%4])
		s.op("VGF2P8AFFINEINVQB $0, Z30, Z%d, Z%d", in[b], v[b])
	}
}

// sum makes U of the four q.
func (s *slicer) sum(q [4]int, sum int) {
	s.op("VMOVDQA64 Z%d, Z%d", q[0], sum)
	s.op("VPTERNLOGD $0x96, Z%d, Z%d, Z%d", q[1], q[2], sum)
	s.op("VPXORD Z%d, Z%d, Z%d", q[3], sum, sum)
}

// copyOfSum returns a register for new[b] that holds U, which is w[0] before and the last one's.
func (s *slicer) copyOfSum(w [4]int, b int) int {
	n := w[(b+1)%4]
	if n != w[0] {
		s.op("VMOVDQA64 Z%d, Z%d", w[0], n)
	}
	return n
}
