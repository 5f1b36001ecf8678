package main

import "fmt"

// The slice form: sixteen registers hold one byte of 64 blocks each, so the rotations of L by whole
// bytes are nothing but a choice of register. With U the sum of the four u,
//
//	new[b] = x₀[b] ⊕ U ⊕ q[b],  q[b] = v[b] ⊕ w[b+1] ⊕ key[b],  U = q[0] ⊕ q[1] ⊕ q[2] ⊕ q[3]
//
// and a round takes 22 instructions for 64 blocks, where the word form takes 36 to 44. The sum of
// the keys that enters through U is taken out of each key beforehand (Schedule.Slice). U itself is never
// made: U ⊕ q[b] is the sum of the three other q, two of which are summed once for two bytes. The S-box's
// inputs stay in registers, where s = x₁ ⊕ x₂ ⊕ x₃ gives way to s ⊕ x₁ ⊕ x₄.

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

// word is the register of byte b, 0 being the least, of word j of round i.
func (s *slicer) word(i, j, b int) int { return *s.register(i, j, b) }

func (s *slicer) register(i, j, b int) *int { return &s.at[4*((i+j)%4)+3-b] }

// inversions makes v and w of the S-box's inputs, in the order in which they are needed.
func (s *slicer) inversions(in, v, w [4]int) {
	for b := range 4 {
		s.op("VGF2P8AFFINEINVQB $0, Z31, Z%d, Z%d", in[(b+1)%4], w[(b+1)%4])
		s.op("VGF2P8AFFINEINVQB $0, Z30, Z%d, Z%d", in[b], v[b])
	}
}

// addKeys makes each q, in the place of v, with the keys of round i at R9.
func (s *slicer) addKeys(i, keyBytes int, v, w [4]int) {
	for b := range 4 {
		s.addKey(i, keyBytes, b, w[(b+1)%4], v[b])
	}
}

// addKey makes q[b] of one inversion and another, in the place of the latter.
func (s *slicer) addKey(i, keyBytes, b, one, other int) {
	add := "VPTERNLOGD"
	if keyBytes == 4 {
		add = "VPTERNLOGD.BCST"
	}
	s.op("%s $0x96, %d(R9), Z%d, Z%d", add, (4*i+b)*keyBytes, one, other)
}

// sums makes q[0] ⊕ q[1] and q[2] ⊕ q[3], in two registers of w that are no longer needed.
func (s *slicer) sums(q, w [4]int) {
	s.op("VPXORD Z%d, Z%d, Z%d", q[0], q[1], w[1])
	s.op("VPXORD Z%d, Z%d, Z%d", q[2], q[3], w[2])
}

// A newByte says what new[b] is made of beside x₀[b]: q and a sum of two, which is in w. U ⊕ q[b] is the sum
// of the three other q.
type newByte struct {
	b, q, sum int
	last      bool // the sum is not needed for another
}

var newBytes = [4]newByte{{3, 2, 1, false}, {2, 3, 1, true}, {1, 0, 2, false}, {0, 1, 2, true}}
