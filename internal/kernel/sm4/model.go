//go:build purego && valgrind

package sm4

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// The kernels in Go, in the standard's own terms, for the tool in taint: valgrind can't run theirs, but
// the code around them. Like them they have no table and no branch that depends on a secret, so that
// taint goes through them as it should. Their domain is the standard's: the maps of gen/field.go are
// the identity. What the assembly keeps in slices and in work stays unused.

func intel() bool { return false }

// HalfWidth matters to assembly alone.
func HalfWidth() bool { return false }

func supported(k Kernel) bool { return k != None }

// fieldMul is the product in GF(2)[x]/(x⁸+x⁷+x⁶+x⁵+x⁴+x²+1) of each of four bytes.
func fieldMul(a, b uint32) (p uint32) {
	for i := 7; i >= 0; i-- {
		p = p<<1&0xfefefefe ^ p>>7&0x01010101*0xf5
		p ^= a & (b >> i & 0x01010101 * 0xff)
	}
	return p
}

// affine is the S-box's map, before and after the inversion, of each of four bytes.
func affine(x uint32) uint32 {
	y := uint32(0xd3d3d3d3)
	for _, k := range [...]int{0, 1, 3, 6, 7} {
		mask := uint32(0xff) << k & 0xff * 0x01010101
		y ^= x<<k&mask ^ x>>(8-k)&^mask
	}
	return y
}

func substitute(x uint32) uint32 {
	x = affine(x)
	// x²⁵⁴ by squares.
	r := fieldMul(x, x)
	for s, i := r, 0; i < 6; i++ {
		s = fieldMul(s, s)
		r = fieldMul(r, s)
	}
	return affine(r)
}

func narrowExpandKey(key *[16]byte, domain *[32]uint32) {
	var k [36]uint32
	for i, fixed := range [4]uint32{0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc} {
		k[i] = binary.BigEndian.Uint32(key[4*i:]) ^ fixed
	}
	for i := range domain {
		var constant uint32
		for j := range 4 {
			constant = constant<<8 | uint32(byte((4*i+j)*7))
		}
		b := substitute(k[i+1] ^ k[i+2] ^ k[i+3] ^ constant)
		k[i+4] = k[i] ^ b ^ bits.RotateLeft32(b, 13) ^ bits.RotateLeft32(b, 23)
		domain[i] = k[i+4]
	}
}

func narrowOut(out *[16]byte, d *[4]uint32) {
	for i, w := range d {
		binary.BigEndian.PutUint32(out[4*i:], w)
	}
}

func narrowSpread(round *[32]uint32, slices *Slices) {}

// encrypt is one block, with the masks that Schedule tells of.
func (s *Schedule) encrypt(in [16]byte) (out [16]byte) {
	var y [4]uint32
	for i := range y {
		y[i] = binary.BigEndian.Uint32(in[4*i:])
	}
	y[3] ^= s.In
	for _, operand := range s.Round {
		b := substitute(y[1] ^ y[2] ^ y[3])
		b ^= bits.RotateLeft32(b, 2) ^ bits.RotateLeft32(b, 10) ^ bits.RotateLeft32(b, 18) ^ bits.RotateLeft32(b, 24)
		y = [4]uint32{y[1], y[2], y[3], y[0] ^ b ^ operand ^ roundConst}
	}
	for i, w := range y {
		binary.BigEndian.PutUint32(out[12-4*i:], w)
	}
	return xor(out, s.Out)
}

func xor(a, b [16]byte) [16]byte {
	for i := range a {
		a[i] ^= b[i]
	}
	return a
}

// blocks are the n blocks from p on.
func blocks(p *byte, n int) [][16]byte { return unsafe.Slice((*[16]byte)(unsafe.Pointer(p)), n) }

func narrowSixteen(s *Schedule, dst, src, xor *byte, n int) { wideShort(s, dst, src, xor, n) }

func narrowEight(s *Schedule, dst, src, xor *byte, n int) { wideShort(s, dst, src, xor, n) }

func wideShort(s *Schedule, dst, src, mask *byte, n int) {
	to, add := unsafe.Slice(dst, n), unsafe.Slice(mask, n)
	for _, b := range blocks(src, (n+15)/16) {
		b = s.encrypt(b)
		for i := range min(16, len(to)) {
			to[i] = b[i] ^ add[i]
		}
		to, add = to[min(16, len(to)):], add[min(16, len(add)):]
	}
}

func wideExpand(key *[16]byte, s *Schedule, zero *[16]byte) {
	var domain [32]uint32
	narrowExpandKey(key, &domain)
	s.fill(&domain)
	*zero = s.encrypt([16]byte{})
}

func wideFlight(s *Schedule, dst, src, xor *byte, iv *[16]byte, n int) {
	if iv != nil {
		wideCBCDecrypt(s, dst, src, iv, nil, n)
		return
	}
	wideShort(s, dst, src, xor, n)
}

func wideECB(s *Schedule, dst, src *byte, w *work, n int) {
	wideShort(s, dst, src, &make([]byte, n)[0], n)
}

func wideCBCDecrypt(s *Schedule, dst, src *byte, iv *[16]byte, w *work, n int) {
	to, chain := blocks(dst, n/blockSize), *iv
	for i, b := range blocks(src, n/blockSize) {
		to[i] = xor(s.encrypt(b), chain)
		chain = b
	}
}

func wideCBCEncrypt(s *Schedule, dst, src *byte, iv *[16]byte, n int) {
	for i, b := range blocks(src, n) {
		*iv = s.encrypt(xor(*iv, b))
		if dst != nil {
			blocks(dst, n)[i] = *iv
		}
	}
}

// wideCTR leaves the counter behind whole pairs.
func wideCTR(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, w *work, n int) {
	stream, next := make([]byte, (n+63)&^63), *ctr
	Counters(stream, &next)
	wideShort(s, dst, &stream[0], src, n)
	keepRest(s, rest, stream, n)
	Advance(ctr, uint64(n&^(pairBytes-1)/blockSize))
}

// keepRest encrypts the counters of the last line of a text of n bytes if that isn't full.
func keepRest(s *Schedule, rest *[64]byte, counters []byte, n int) {
	if n%64 > 0 {
		wideShort(s, &rest[0], &counters[n&^63], &zeros[0], len(rest))
	}
}

func wideCTRFlight(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, skip, n int) {
	stream, next := make([]byte, (n+63)&^63), *ctr
	Counters(stream, &next)
	keepRest(s, rest, stream, n)
	wideShort(s, &stream[0], &stream[0], &make([]byte, n)[0], n)
	to, from := unsafe.Slice(dst, n-skip), unsafe.Slice(src, n-skip)
	for i := range to {
		to[i] = from[i] ^ stream[skip+i]
	}
}

// wideXTS leaves the tweak of the next block behind those of what is left of whole pairs.
func wideXTS(s *Schedule, dst, src *byte, tweak *[16]byte, w *work, tweaks *byte, n int) {
	to := blocks(dst, n/blockSize)
	low, high := binary.LittleEndian.Uint64(tweak[:]), binary.LittleEndian.Uint64(tweak[8:])
	for i, b := range blocks(src, n/blockSize) {
		to[i] = xor(s.encrypt(xor(b, *tweak)), *tweak)
		low, high = low<<1^high>>63*0x87, high<<1|low>>63
		binary.LittleEndian.PutUint64(tweak[:], low)
		binary.LittleEndian.PutUint64(tweak[8:], high)
	}
	if rest := n % pairBytes; rest > 0 {
		copy(unsafe.Slice(tweaks, rest+blockSize)[rest:], tweak[:])
	}
}

func wideXTSFlight(s *Schedule, dst, src *byte, tweak *[16]byte, tweaks *byte, n int) {
	wideXTS(s, dst, src, tweak, nil, tweaks, n)
}

// hash is that of a message's text, with all that belongs to it.
func (m *Message) hash(text []byte) [16]byte {
	h := m.zero()
	x := timesX(&h)
	p := new(Powers)
	p.power[63] = x
	hash := m.Hash
	for _, data := range [][]byte{unsafe.Slice(m.additional, m.additionalN), text} {
		if len(data) > 0 {
			wideGHASH((*[16]byte)(&hash), p, &data[0], len(data))
		}
	}
	var last [16]byte
	binary.BigEndian.PutUint64(last[:], m.Lengths[1])
	binary.BigEndian.PutUint64(last[8:], m.Lengths[0])
	narrowGHASH((*[16]byte)(&hash), p, &last[0], 1)
	return hash.Sum()
}

func (m *Message) zero() [16]byte { return m.Schedule.encrypt([16]byte{}) }

// crypt encrypts or decrypts the text and returns the mask of the tag. The counter has 32 bits.
func (m *Message) crypt() [16]byte {
	var first [16]byte
	binary.LittleEndian.PutUint64(first[:], m.first[0])
	binary.LittleEndian.PutUint64(first[8:], m.first[1])
	var stream [16]byte
	to, from := unsafe.Slice(m.dst, m.n), unsafe.Slice(m.src, m.n)
	for i := range m.n {
		if i%blockSize == 0 {
			ctr := first
			binary.BigEndian.PutUint32(ctr[12:], m.Counter+uint32(i/blockSize))
			stream = m.Schedule.encrypt(ctr)
		}
		to[i] = from[i] ^ stream[i%blockSize]
	}
	return m.Schedule.encrypt(first)
}

func wideMessageSeal(m *Message) {
	mask := m.crypt()
	m.Tag = xor(mask, m.hash(unsafe.Slice(m.dst, m.n)))
}

func wideMessageOpen(m *Message) {
	sum := m.hash(unsafe.Slice(m.src, m.n))
	dst, out := m.dst, make([]byte, m.n+1)
	m.dst = &out[0]
	tag := xor(m.crypt(), sum)
	different := byte(0)
	for i := range tag {
		different |= (tag[i] ^ m.Tag[i]) & m.tagMask[i]
	}
	// All ones or nothing, without a branch, as the kernel has it.
	m.verdict = (uint64(different) - 1) & (1 << 63)
	keep := byte(m.verdict >> 63 * 0xff)
	for i, b := range unsafe.Slice(dst, m.n) {
		unsafe.Slice(dst, m.n)[i] = b&^keep | out[i]&keep
	}
}

func wideOnceSeal(m *Message, key *[16]byte, powers *byte) {
	m.expandOnce(key)
	wideMessageSeal(m)
}

func wideOnceOpen(m *Message, key *[16]byte, powers *byte) {
	m.expandOnce(key)
	wideMessageOpen(m)
}

func (m *Message) expandOnce(key *[16]byte) {
	m.Schedule = new(Schedule)
	wideExpand(key, m.Schedule, new([16]byte))
}

// lanes encrypts steps blocks in each of n lanes. Every lane reads before any writes.
func (l *Lanes) encrypt(n, steps int, schedule func(lane int) *Schedule) {
	for step := range steps {
		at := step * blockSize
		for i := range n {
			l.IV[i] = schedule(i).encrypt(xor(l.IV[i], *(*[16]byte)(unsafe.Add(unsafe.Pointer(l.Src[i]), at))))
		}
		for i := range n {
			*(*[16]byte)(unsafe.Add(unsafe.Pointer(l.Dst[i]), at)) = l.IV[i]
		}
	}
}

func wideLanes64(s *Schedule, slices *Slices, l *Lanes, steps int) {
	l.encrypt(64, steps, func(int) *Schedule { return s })
}

func wideLanes32(s *Schedule, l *Lanes, steps int) {
	l.encrypt(32, steps, func(int) *Schedule { return s })
}

func wideLanes16(s *Schedule, l *Lanes, steps int) {
	l.encrypt(16, steps, func(int) *Schedule { return s })
}

func wideLanes64Keyed(t *Table64, l *Lanes, steps int) {
	word := func(slices *[4][64]byte, slot int) (w uint32) {
		for b := range slices {
			w |= uint32(slices[b][slot]) << (8 * b)
		}
		return w
	}
	l.encrypt(64, steps, func(lane int) *Schedule {
		slot := slot64(lane)
		s := &Schedule{In: word(&t.In, slot), Out: t.Out[lane]}
		for i := range s.Round {
			e := word(&t.Round[i], slot)
			s.Round[i] = e ^ sumOfBytes(e)
		}
		return s
	})
}

func wideLanes16Keyed(t *Table16, l *Lanes, steps int) {
	l.encrypt(16, steps, t.schedule)
}

// schedule is what encryption takes of a lane's.
func (t *Table16) schedule(lane int) *Schedule {
	slot := slot16(lane)
	s := &Schedule{In: t.In[slot], Out: t.Out[lane]}
	for i := range s.Round {
		s.Round[i] = t.Round[i][slot]
	}
	return s
}

func wideExpand16(keys *[16]*byte, t *Table16, zero *[16][16]byte) {
	for lane, key := range keys {
		var s Schedule
		wideExpand((*[16]byte)(unsafe.Slice(key, 16)), &s, &zero[lane])
		t.set(lane, &s)
	}
}

func wideGather16(s *[16]*Schedule, t *Table16) {
	for lane := range s {
		t.set(lane, s[lane])
	}
}

func wideScatter16(t *Table16, s *[16]*Schedule) {
	for lane := range s {
		*s[lane] = *t.schedule(lane)
		for i := range s[lane].Chain {
			s[lane].Chain[i] = binary.BigEndian.Uint32(s[lane].Out[4*i:])
		}
		s[lane].Chain[3] ^= s[lane].In
		spread(&s[lane].SliceIn, s[lane].In)
	}
}

func wideSlice64(from *[4]Table16, t *Table64) {
	for lane := range t.Out {
		s := from[lane/16].schedule(lane % 16)
		spread(&s.SliceIn, s.In)
		t.set(lane, s)
	}
}

func wideCounters16(l *Sixteen) {
	for lane := range l.iv {
		for j := range l.words {
			l.words[j][lane] = binary.BigEndian.Uint32(l.iv[lane][4*j:])
		}
	}
}

// next is the image of a lane's counter so many blocks on.
func (l *Sixteen) next(lane, blocks int) [16]byte {
	var ctr [16]byte
	for j := range l.words {
		binary.BigEndian.PutUint32(ctr[4*j:], l.words[j][lane])
	}
	binary.BigEndian.PutUint32(ctr[12:], l.words[3][lane]+uint32(blocks))
	return l.table.schedule(lane).encrypt(ctr)
}

func wideFirst16(l *Sixteen) {
	for lane := range l.mask {
		l.mask[lane] = l.next(lane, 0)
		l.words[3][lane]++
	}
	wideCTR16(l, 0, 0, 1)
}

func wideCTR16(l *Sixteen, from, full, mixed int) {
	for step := range full + mixed {
		for lane := range l.left {
			at := from + 64*step
			for i := range 4 {
				image := l.next(lane, i)
				for j := range min(16, l.left[lane]-at-16*i) {
					offset := at + 16*i + j
					*(*byte)(unsafe.Add(unsafe.Pointer(l.dst[lane]), offset)) = *(*byte)(unsafe.Add(unsafe.Pointer(l.src[lane]), offset)) ^ image[j]
				}
			}
			l.words[3][lane] += 4
		}
	}
}

func wideSpread16(from *Table16, t *Table64) {}

func widePair16(l *Sixteen, from, steps int) { wideCTR16(l, from, 2*steps, 0) }

func widePowers16(l *Sixteen) { wideKeys16(l) }

func wideKeys16(l *Sixteen) {
	for lane := range l.zero {
		l.power[3][lane] = timesX(&l.zero[lane])
	}
}

func wideHash16(l *Sixteen, data *[16]*byte, left *[16]int, from, full, blocks int) {
	for lane := range data {
		p := new(Powers)
		p.power[63] = l.power[3][lane]
		if n := min(left[lane]-from, 64*full+16*blocks); n > 0 {
			wideGHASH(&l.hash[lane], p, (*byte)(unsafe.Add(unsafe.Pointer(data[lane]), from)), n)
		}
	}
}

func wideFew16(l *Sixteen, data *[16]*byte, from, full int) {
	var left [16]int
	for i := range left {
		left[i] = from + 64*full
	}
	wideHash16(l, data, &left, from, full, 0)
}

func wideTags16(l *Sixteen) {
	for lane := range l.sum {
		var last [16]byte
		binary.BigEndian.PutUint64(last[:], l.lengths[lane][1])
		binary.BigEndian.PutUint64(last[8:], l.lengths[lane][0])
		p := new(Powers)
		p.power[63] = l.power[3][lane]
		narrowGHASH(&l.hash[lane], p, &last[0], 1)
		for i := range l.sum[lane] {
			l.sum[lane][i] = l.hash[lane][15-i] ^ l.mask[lane][i]
		}
	}
}

// The tables' ends say nothing of where they begin: what reads them here makes H anew, and the one table that
// GHASH alone reads has it at its end.
func widePowers(end *byte, h *[16]byte) { *(*[16]byte)(unsafe.Add(unsafe.Pointer(end), -16)) = *h }

func wideFewPowers(end *byte, h *[16]byte) { widePowers(end, h) }

func narrowPowers(powers *Powers, h *[16]byte) { powers.power[63] = *h }

// narrowGHASH multiplies bit by bit; dividing by x at each step makes it RFC 8452's dot.
func narrowGHASH(acc *[16]byte, powers *Powers, data *byte, n int) {
	hLow, hHigh := binary.LittleEndian.Uint64(powers.power[63][:]), binary.LittleEndian.Uint64(powers.power[63][8:])
	low, high := binary.LittleEndian.Uint64(acc[:]), binary.LittleEndian.Uint64(acc[8:])
	for _, b := range blocks(data, n) {
		x := [2]uint64{low ^ binary.BigEndian.Uint64(b[8:]), high ^ binary.BigEndian.Uint64(b[:])}
		low, high = 0, 0
		for i := range 128 {
			bit := -(x[i/64] >> (i % 64) & 1)
			low, high = low^hLow&bit, high^hHigh&bit
			carry := -(low & 1)
			low, high = low>>1|high<<63, high>>1^carry&(0xe1<<56)
		}
	}
	binary.LittleEndian.PutUint64(acc[:], low)
	binary.LittleEndian.PutUint64(acc[8:], high)
}

func wideGHASH(acc *[16]byte, powers *Powers, data *byte, n int) {
	narrowGHASH(acc, powers, data, n/16)
	if rest := n % 16; rest > 0 {
		var last [16]byte
		copy(last[:], unsafe.Slice(data, n)[n-rest:])
		narrowGHASH(acc, powers, &last[0], 1)
	}
}

func wideGCMSeal(s *Schedule, powers *Powers, acc *[16]byte, dst, src *byte, ctr *[16]byte, w *work, pairs int) {
	wideCTR(s, dst, src, ctr, nil, w, pairs*pairBytes)
	narrowGHASH(acc, powers, dst, pairs*pairBytes/blockSize)
}
