package sm4

import "unsafe"

// A Schedule is the expanded key for one direction, in the shapes in which the kernels read it.
//
// Let in be the input map of the S-box (gen/field.go), Kᵢ = in·rkᵢ ⊕ inConst and xᵢ = in·Xᵢ the
// standard's words in the kernels' domain. The kernels carry yᵢ = xᵢ ⊕ dᵢ, with masks dᵢ chosen so that
// yᵢ₊₁ ⊕ yᵢ₊₂ ⊕ yᵢ₊₃ is already the input of the inversion, Kᵢ included:
//
//	d₀ = d₁ = d₂ = 0,  dᵢ₊₃ = Kᵢ ⊕ dᵢ₊₁ ⊕ dᵢ₊₂,  d₃₅ = 0
//
// What a round must add is then dᵢ ⊕ dᵢ₊₄ and the S-box's constant, one operand of an XOR that is
// there anyway. d₃ goes in with the block, d₃₂ … d₃₄ come out with it.
type Schedule struct {
	SliceIn [4]uint32  // the bytes of In, the lowest first, each four times
	Chain   [4]uint32  // 0, d₃₄, d₃₃, d₃₂ ⊕ d₃ in the domain: from a result to the next input
	In      uint32     // d₃
	Round   [32]uint32 // operand of round i
	Out     [16]byte   // mask of the result in memory order: 0, d₃₄, d₃₃, d₃₂
}

// Slices are a schedule's Round for the slice form: its bytes, the lowest first, each four times and
// without the sum that U brings (gen/slice.go). They are made for each call, which takes 30 ns: kept,
// they would more than triple the size of a key and cost more when it is set up.
type Slices [32][4]uint32

// A work is the memory that the bulk kernels need beside their arguments.
type work struct {
	//lint:ignore U1000 the kernels write and read it
	state  [pairBytes]byte // of two sets of blocks between rounds
	slices Slices
}

// lineBytes is a cache line: the state that the bulk kernels load and store all the time begins at one.
const lineBytes = 64

// A workspace has room for a work at the start of a line, wherever it lies itself.
type workspace struct {
	room [unsafe.Sizeof(work{}) + lineBytes - 1]byte
}

// start is the work in the workspace, with the slices of s.
func (w *workspace) start(s *Schedule) *work {
	aligned := (*work)(alignedTo(unsafe.Pointer(w)))
	narrowSpread(&s.Round, &aligned.slices)
	return aligned
}

// alignedTo is the first start of a line from p on.
func alignedTo(p unsafe.Pointer) unsafe.Pointer {
	return unsafe.Add(p, -uintptr(p)%lineBytes)
}

// roundConst is what the S-box's output constant adds to a round, see gen/field.go.
const roundConst = 0x35353535

// Expand runs the key schedule for encryption. Neither it nor anything after it branches on the key or
// indexes by it. Where k has the image of zeros, the hash key of GCM, at no cost, it is put into zero.
func (k Kernel) Expand(key *[16]byte, enc *Schedule, zero *[16]byte) {
	if k == AVX512 {
		wideExpand(key, enc, zero)
		return
	}
	var domain [32]uint32
	narrowExpandKey(key, &domain)
	enc.fill(&domain)
}

// Reverse makes the schedule for decryption: the same round keys from the last one on.
func (s *Schedule) Reverse(dec *Schedule) {
	var domain [32]uint32
	d0, d1, d2, d3 := uint32(0), uint32(0), uint32(0), s.In
	for i := range 31 {
		domain[31-i] = d1 ^ d2 ^ d3
		d0, d1, d2, d3 = d1, d2, d3, s.Round[i]^d0^roundConst
	}
	domain[0] = d1 ^ d2 ^ d3
	dec.fill(&domain)
}

// fill takes the round keys K in the order in which they are used.
func (s *Schedule) fill(domain *[32]uint32) {
	// Four d in a row, from d₀ … d₃ on.
	d0, d1, d2, d3 := uint32(0), uint32(0), uint32(0), domain[0]
	s.In = d3
	for i := range 31 {
		d4 := domain[i+1] ^ d2 ^ d3
		s.Round[i] = d0 ^ d4 ^ roundConst
		d0, d1, d2, d3 = d1, d2, d3, d4
	}
	// Now d0 … d3 are d₃₁ … d₃₄, and d₃₅ is 0.
	s.Round[31] = d0 ^ roundConst
	s.Chain = [4]uint32{0, d3, d2, d1}
	narrowOut(&s.Out, &s.Chain)
	s.Chain[3] ^= s.In
	spread(&s.SliceIn, s.In)
}

// spread writes each byte of w four times, the lowest first.
func spread(to *[4]uint32, w uint32) {
	to[0] = w & 0xff * 0x01010101
	to[1] = w >> 8 & 0xff * 0x01010101
	to[2] = w >> 16 & 0xff * 0x01010101
	to[3] = w >> 24 * 0x01010101
}
