package sm4

import (
	"encoding/binary"
	"unsafe"
)

// Lanes are the messages of one call to CBC encryption of many, one block of each at a time. IV is
// replaced by the last ciphertext block of each lane. A call with fewer lanes uses the first ones.
type Lanes struct {
	Src, Dst [64]*byte
	IV       [64][16]byte
	//lint:ignore U1000 the kernels write and read it
	tile [6][64][16]byte // the next blocks of all lanes, step by step, between two rows that belong to none
	//lint:ignore U1000 the kernels write and read it
	out [16][64]byte // the masks of the result, in slices

	slices Slices    // of a key that all lanes share
	raw    [64]*byte // keys of lanes that have one each
}

// Set gives a lane a message that isn't empty.
func (l *Lanes) Set(lane int, iv, dst, src []byte) {
	l.Src[lane], l.Dst[lane] = &src[0], &dst[0]
	l.IV[lane] = [16]byte(iv)
}

// SetKey gives a lane a raw key, for [LaneKeys.Expand].
func (l *Lanes) SetKey(lane int, key []byte) { l.raw[lane] = &key[0] }

// Advance moves the first n lanes on by so many blocks; each has more.
func (l *Lanes) Advance(n, blocks int) {
	for i := range n {
		l.Src[i] = (*byte)(unsafe.Add(unsafe.Pointer(l.Src[i]), blocks*blockSize))
		l.Dst[i] = (*byte)(unsafe.Add(unsafe.Pointer(l.Dst[i]), blocks*blockSize))
	}
}

// Move makes lane to what lane from is.
func (l *Lanes) Move(to, from int) {
	l.Src[to], l.Dst[to], l.IV[to] = l.Src[from], l.Dst[from], l.IV[from]
}

// Forget lets go of the messages. What stays in the tile is ciphertext; out is left to Wipe.
func (l *Lanes) Forget() {
	clear(l.Src[:])
	clear(l.Dst[:])
	clear(l.raw[:])
}

// Wipe leaves nothing of raw keys.
func (l *Lanes) Wipe() { clear(l.out[:]) }

// MaxSteps bounds a call into assembly to 64 KiB.
const MaxSteps = 64

// Lanes is how many messages k encrypts at once with a key each, 0 if it can't.
func (k Kernel) Lanes() int {
	if k == AVX512 {
		return 64
	}
	return 0
}

// LanesOfOneKey is how many messages k encrypts at once with one key, 0 if it can't.
func (k Kernel) LanesOfOneKey() int {
	if k == AVX2 {
		return 16
	}
	return k.Lanes()
}

// CBCLanes encrypts the next steps blocks of the first active lanes; the pointers stay as they are.
func (k Kernel) CBCLanes(s *Schedule, l *Lanes, active, steps int) {
	if k != AVX512 {
		narrowLanes(s, l, active, steps)
		return
	}
	switch {
	case active <= 16:
		l.mirror(active, 16)
		wideLanes16(s, l, steps)
	case active <= 32:
		l.mirror(active, 32)
		wideLanes32(s, l, steps)
	default:
		l.mirror(active, 64)
		narrowSpread(&s.Round, &l.slices)
		wideLanes64(s, &l.slices, l, steps)
	}
}

// CBCLanesKeyed is CBCLanes with a key for each lane.
func (k Kernel) CBCLanesKeyed(keys *LaneKeys, l *Lanes, active, steps int) {
	if active <= 16 {
		l.mirror(active, 16)
		keys.mirror(active, 16)
		keys.fill16()
		wideLanes16Keyed(&keys.table16[0], l, steps)
		return
	}
	l.mirror(active, 64)
	keys.mirror(active, 64)
	keys.fill64()
	wideLanes64Keyed(&keys.table64, l, steps)
}

// mirror lets the lanes that have no message do the work of the first one again. Every lane reads its
// block of a step before any is written, so they all write the same.
func (l *Lanes) mirror(from, to int) {
	for i := from; i < to; i++ {
		l.Move(i, 0)
	}
}

// narrowLanes gathers one block of each lane for the kernel of 16 blocks.
func narrowLanes(s *Schedule, l *Lanes, active, steps int) {
	var in [256]byte
	for step := range steps {
		at := step * blockSize
		for i := range active {
			src := (*[16]byte)(unsafe.Add(unsafe.Pointer(l.Src[i]), at))
			iv := &l.IV[i]
			binary.NativeEndian.PutUint64(in[16*i:], binary.NativeEndian.Uint64(src[:])^binary.NativeEndian.Uint64(iv[:]))
			binary.NativeEndian.PutUint64(in[16*i+8:], binary.NativeEndian.Uint64(src[8:])^binary.NativeEndian.Uint64(iv[8:]))
		}
		narrowSixteen(s, &in[0], &in[0], &zeros[0], len(in))
		for i := range active {
			l.IV[i] = [16]byte(in[16*i:])
			*(*[16]byte)(unsafe.Add(unsafe.Pointer(l.Dst[i]), at)) = l.IV[i]
		}
	}
}

// Table64 and Table16 are the schedules of 64 and of 16 lanes with a key each, turned so that one load
// takes an operand for all lanes.
type Table64 struct {
	Round [32][4][64]byte
	In    [4][64]byte
	Out   [64][16]byte
}

type Table16 struct {
	In    [16]uint32
	Round [32][16]uint32
	Out   [16][16]byte
}

// LaneKeys are the keys of all lanes, and the tables with the keys that they hold.
type LaneKeys struct {
	want    [64]*Schedule
	in64    [64]*Schedule
	in16    [16]*Schedule
	table64 Table64
	table16 [4]Table16 // the first for sixteen lanes, all for what table64 is made of
	zero    [16][16]byte
	filled  int // how many of table16 aren't empty; table64 is if it's one
}

// Set gives a lane its key.
func (k *LaneKeys) Set(lane int, s *Schedule) { k.want[lane] = s }

// Expand makes the tables of the raw keys of the first n lanes, all of which are replaced.
func (k *LaneKeys) Expand(l *Lanes, n int) {
	k.Forget() // then the lanes want what the tables hold
	groups := 1
	if n > 16 {
		groups = len(k.table16)
	}
	k.filled = max(k.filled, groups)
	for i := n; i < 16*groups; i++ {
		l.raw[i] = l.raw[0]
	}
	for g := range k.table16[:groups] {
		wideExpand16((*[16]*byte)(l.raw[16*g:]), &k.table16[g], &k.zero)
	}
	if groups > 1 {
		wideSlice64(&k.table16, &k.table64)
	}
}

// Forget lets go of the keys, so that the next call makes the tables anew.
func (k *LaneKeys) Forget() {
	k.want, k.in64, k.in16 = [64]*Schedule{}, [64]*Schedule{}, [16]*Schedule{}
}

// Wipe leaves nothing of any key.
func (k *LaneKeys) Wipe() {
	k.Forget()
	clear(k.table16[:k.filled])
	if k.filled > 1 {
		k.table64 = Table64{}
	}
	k.zero, k.filled = [16][16]byte{}, 0
}

func (k *LaneKeys) mirror(from, to int) {
	for i := from; i < to; i++ {
		k.want[i] = k.want[0]
	}
}

// fewKeys is how many new keys are put into a table one by one: of more, the table is made anew.
const fewKeys = 4

// fill64 brings table64 up to date.
func (k *LaneKeys) fill64() {
	k.filled = len(k.table16)
	changed := 0
	for lane, s := range k.want {
		if s != k.in64[lane] {
			changed++
		}
	}
	switch {
	case changed > fewKeys:
		for g := range k.table16 {
			wideGather16((*[16]*Schedule)(k.want[16*g:]), &k.table16[g])
		}
		wideSlice64(&k.table16, &k.table64)
		k.in64, k.in16 = k.want, [16]*Schedule(k.want[:16])
	case changed > 0:
		for lane, s := range k.want {
			if s != k.in64[lane] {
				k.in64[lane] = s
				k.table64.set(lane, s)
			}
		}
	}
}

// fill16 brings the first of table16 up to date.
func (k *LaneKeys) fill16() {
	k.filled = max(k.filled, 1)
	changed := 0
	for lane, s := range k.want[:16] {
		if s != k.in16[lane] {
			changed++
		}
	}
	switch {
	case changed > fewKeys:
		wideGather16((*[16]*Schedule)(k.want[:16]), &k.table16[0])
		k.in16 = [16]*Schedule(k.want[:16])
	case changed > 0:
		for lane, s := range k.want[:16] {
			if s != k.in16[lane] {
				k.in16[lane] = s
				k.table16[0].set(lane, s)
			}
		}
	}
}

// set gives a lane its schedule.
func (t *Table64) set(lane int, s *Schedule) {
	slot := slot64(lane)
	for i, e := range s.Round {
		e ^= sumOfBytes(e)
		t.Round[i][0][slot] = byte(e)
		t.Round[i][1][slot] = byte(e >> 8)
		t.Round[i][2][slot] = byte(e >> 16)
		t.Round[i][3][slot] = byte(e >> 24)
	}
	for b := range t.In {
		t.In[b][slot] = byte(s.SliceIn[b])
	}
	t.Out[lane] = s.Out
}

// slot64 is where a lane is in a slice, which has block 4q+l at byte 16l+q of a register (gen/slice.go, transpose).
func slot64(lane int) int { return lane%4*16 + lane/4 }

// set gives a lane its schedule.
func (t *Table16) set(lane int, s *Schedule) {
	slot := slot16(lane)
	for i := range t.Round {
		t.Round[i][slot] = s.Round[i]
	}
	t.In[slot] = s.In
	t.Out[lane] = s.Out
}

// slot16 is where a lane is in a row of Table16: the word form has block 4i+l at dword 4l+i of a register
// (gen/word.go, wordTranspose).
func slot16(lane int) int { return lane%4*4 + lane/4 }

// sumOfBytes is the sum of the four bytes of w in each of them: what Slices leave out.
func sumOfBytes(w uint32) uint32 {
	w ^= w>>16 | w<<16
	return w ^ (w>>8 | w<<24)
}
