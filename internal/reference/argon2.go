package reference

import (
	"encoding/binary"
	"math/bits"
)

// Argon2id is what Argon2id takes (RFC 9106 §3.1).
type Argon2id struct {
	Password, Salt, Secret, Data []byte
	Passes                       int // t
	Memory                       int // m, in KiB
	Lanes                        int // p
	Size                         int // bytes of the tag
}

const (
	argonBlock  = 128 // words of 64 bits: a KiB
	argonSlices = 4   // SL, RFC 9106 §3.4
	argonType   = 2   // Argon2id
	argonVer    = 0x13
)

// Tag is RFC 9106 §3.2.
func (a Argon2id) Tag() []byte {
	must(a.Passes > 0 && a.Lanes > 0 && a.Memory >= 8*a.Lanes && a.Size >= 4, "Argon2id takes 8 KiB a lane and a pass at least")
	m := &argonMemory{Argon2id: a, segment: a.Memory / (argonSlices * a.Lanes)}
	m.lane = argonSlices * m.segment
	m.blocks = make([][argonBlock]uint64, a.Lanes*m.lane)
	h0 := a.initial()
	for lane := range a.Lanes {
		for i := range 2 {
			seed := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(append([]byte{}, h0...), uint32(i)), uint32(lane))
			readWords(&m.blocks[lane*m.lane+i], argonHash(argonBlock*8, seed), binary.LittleEndian)
		}
	}
	for pass := range a.Passes {
		for slice := range argonSlices {
			for lane := range a.Lanes {
				m.fill(pass, slice, lane)
			}
		}
	}
	last := m.blocks[m.lane-1]
	for lane := 1; lane < a.Lanes; lane++ {
		for k, w := range m.blocks[lane*m.lane+m.lane-1] {
			last[k] ^= w
		}
	}
	return argonHash(a.Size, joinWords(last[:], binary.LittleEndian))
}

// initial is H0, RFC 9106 §3.2.
func (a Argon2id) initial() []byte {
	var in []byte
	for _, n := range []int{a.Lanes, a.Size, a.Memory, a.Passes, argonVer, argonType} {
		in = binary.LittleEndian.AppendUint32(in, uint32(n))
	}
	for _, b := range [][]byte{a.Password, a.Salt, a.Secret, a.Data} {
		in = append(binary.LittleEndian.AppendUint32(in, uint32(len(b))), b...)
	}
	return sumBLAKE2b(64, in)
}

// argonHash is H′, the hash of variable length of RFC 9106 §3.3.
func argonHash(size int, in []byte) (out []byte) {
	in = append(binary.LittleEndian.AppendUint32(nil, uint32(size)), in...)
	if size <= 64 {
		return sumBLAKE2b(size, in)
	}
	v := sumBLAKE2b(64, in)
	for len(out)+64 < size {
		out = append(out, v[:32]...)
		rest := size - len(out)
		v = sumBLAKE2b(min(rest, 64), v)
	}
	return append(out, v...)
}

// argonMemory is the matrix B: rows are lanes, each of four segments.
type argonMemory struct {
	Argon2id
	segment, lane int // blocks
	blocks        [][argonBlock]uint64
}

// fill computes a segment of a lane, RFC 9106 §3.4.
func (m *argonMemory) fill(pass, slice, lane int) {
	independent := pass == 0 && slice < argonSlices/2 // Argon2id: addresses do not depend on the password
	var input, addresses [argonBlock]uint64
	input = [argonBlock]uint64{uint64(pass), uint64(lane), uint64(slice), uint64(len(m.blocks)), uint64(m.Passes), argonType}
	for i := range m.segment {
		if independent && i%argonBlock == 0 { // §3.4.1.2
			input[6]++
			var zero [argonBlock]uint64
			argonMix(&addresses, &zero, &input)
			argonMix(&addresses, &zero, &addresses)
		}
		if pass == 0 && slice == 0 && i < 2 {
			continue // these are the seeds
		}
		at := slice*m.segment + i
		previous := lane*m.lane + (at+m.lane-1)%m.lane
		random := m.blocks[previous][0] // §3.4.1.1
		if independent {
			random = addresses[i%argonBlock]
		}
		var b [argonBlock]uint64
		argonMix(&b, &m.blocks[previous], &m.blocks[m.reference(pass, slice, lane, i, random)])
		to := &m.blocks[lane*m.lane+at]
		for k := range b {
			if pass > 0 {
				b[k] ^= to[k]
			}
			to[k] = b[k]
		}
	}
}

// reference maps J1 and J2, the halves of a random number, to a block (RFC 9106 §3.4.2).
func (m *argonMemory) reference(pass, slice, lane, i int, random uint64) int {
	j1, j2 := random&0xffffffff, int(random>>32)
	of := j2 % m.Lanes
	if pass == 0 && slice == 0 {
		of = lane
	}
	window, start := 3*m.segment, (slice+1)%argonSlices*m.segment // all but the segment that is being filled
	if pass == 0 {
		window, start = slice*m.segment, 0
	}
	switch {
	case of == lane:
		window += i - 1
	case i == 0:
		window--
	}
	x := j1 * j1 >> 32
	z := window - 1 - int(uint64(window)*x>>32)
	return of*m.lane + (start+z)%m.lane
}

// argonMix is G, RFC 9106 §3.5: P on the rows of 16 words of R = X ⊕ Y, then on its columns of pairs, and R again.
func argonMix(out, x, y *[argonBlock]uint64) {
	var r, z [argonBlock]uint64
	for k := range r {
		r[k] = x[k] ^ y[k]
	}
	z = r
	var at [16]int
	for row := range 8 {
		for k := range at {
			at[k] = 16*row + k
		}
		argonPermute(&z, &at)
	}
	for column := range 8 {
		for k := range at {
			at[k] = 16*(k/2) + 2*column + k%2
		}
		argonPermute(&z, &at)
	}
	for k := range z {
		out[k] = z[k] ^ r[k]
	}
}

// argonPermute is P, RFC 9106 §3.6: a round of BLAKE2b without a message, and with a multiplication in G.
func argonPermute(z *[argonBlock]uint64, at *[16]int) {
	for i := range 4 {
		argonQuarter(z, at[i], at[4+i], at[8+i], at[12+i])
	}
	for i := range 4 {
		argonQuarter(z, at[i], at[4+(i+1)%4], at[8+(i+2)%4], at[12+(i+3)%4])
	}
}

func argonQuarter(z *[argonBlock]uint64, a, b, c, d int) {
	for _, by := range [2][2]int{{32, 24}, {16, 63}} {
		z[a] = argonAdd(z[a], z[b])
		z[d] = bits.RotateLeft64(z[d]^z[a], -by[0])
		z[c] = argonAdd(z[c], z[d])
		z[b] = bits.RotateLeft64(z[b]^z[c], -by[1])
	}
}

func argonAdd(a, b uint64) uint64 { return a + b + 2*uint64(uint32(a))*uint64(uint32(b)) }
