package multibuffer

import (
	"encoding/binary"
	"unsafe"
)

// MaxLanes is the most that any kernel has.
const MaxLanes = 64

// Lanes are the messages of some calls, at one clock: the bytes that every lane has been given, counted
// from the beginning of the work. A message that enters a lane later is born at a later clock, so
// nothing has to be brought up to date between calls.
//
// With n lanes in use, AVX-512 needs messages in those from n on to the next multiple of 16 as well:
// [Lanes.Mirror].
type Lanes struct {
	Start  [MaxLanes]*byte  // the first byte of what is left of the message, from Born on; unused if Len is 0
	Len    [MaxLanes]uint64 // bytes there
	Born   [MaxLanes]uint64 // the clock at Start
	Before [MaxLanes]uint64 // bytes that the message had before Start
	state  [4 * MaxLanes]uint32
}

// Begin puts a message into a lane.
func (l *Lanes) Begin(k Kernel, h Hash, lane int, start *byte, n, clock uint64) {
	l.Start[lane], l.Len[lane], l.Born[lane], l.Before[lane] = start, n, clock, 0
	stride := k.Lanes(h)
	for w := range h.Words() {
		l.state[w*stride+lane] = initial[h][w]
	}
}

// Fill puts messages into the first lanes, at clock 0, and says whether they all have as many blocks as
// the first. Their states are for [Lanes.BeginAll]. l must be on the stack: assembly tells the garbage
// collector nothing of the pointers it writes.
func (l *Lanes) Fill(k Kernel, messages [][]byte) (same bool) {
	var differences uint64
	done := 0
	if eights := len(messages) / 8; k == AVX512 && eights > 0 {
		differences = wideFill(l, &messages[0], eights)
		done = 8 * eights
	}
	blocks := Blocks(uint64(len(messages[0])))
	for i := done; i < len(messages); i++ {
		n := uint64(len(messages[i]))
		l.Start[i], l.Len[i] = unsafe.SliceData(messages[i]), n
		differences |= blocks ^ Blocks(n)
	}
	return differences == 0
}

// Expect tells the processor that a message will begin soon.
func (k Kernel) Expect(message []byte) {
	if k == AVX512 {
		wideFetch(unsafe.SliceData(message))
	}
}

// BeginAll gives all lanes the state of a new message.
func (l *Lanes) BeginAll(k Kernel, h Hash) {
	if k == AVX512 {
		l.state = wideInitial[h]
		return
	}
	l.begin(h, k.Lanes(h))
}

func (l *Lanes) begin(h Hash, stride int) {
	for w := range h.Words() {
		v := initial[h][w]
		s := l.state[w*stride:][:stride]
		for i := range s {
			s[i] = v
		}
	}
}

// wideInitial is the state of new messages in all lanes of AVX-512.
var wideInitial = func() (states [4][4 * MaxLanes]uint32) {
	for h := range states {
		var l Lanes
		l.begin(Hash(h), AVX512.Lanes(Hash(h)))
		states[h] = l.state
	}
	return states
}()

// SetState lets a lane's message go on from a state of eight words.
func (l *Lanes) SetState(k Kernel, h Hash, lane int, state *[8]uint32) {
	stride := k.Lanes(h)
	for w, v := range state {
		l.state[(w*stride+lane)%len(l.state)] = v
	}
}

// SetAllStates is SetState for all lanes.
func (l *Lanes) SetAllStates(k Kernel, h Hash, state *[8]uint32) {
	stride := k.Lanes(h)
	for w, v := range state {
		s := l.state[w*stride:][:stride]
		for i := range s {
			s[i] = v
		}
	}
}

// State reads a lane's state of eight words.
func (l *Lanes) State(k Kernel, h Hash, lane int, state *[8]uint32) {
	for w := range state {
		state[w] = l.Word(k, h, lane, w)
	}
}

// Word is a word of a lane's state.
func (l *Lanes) Word(k Kernel, h Hash, lane, w int) uint32 { return l.state[w*k.Lanes(h)+lane] }

// Digest writes a lane's state as the standard does.
func (l *Lanes) Digest(k Kernel, h Hash, lane int, digest []byte) {
	stride := k.Lanes(h)
	switch h {
	case MD5:
		d := digest[:16]
		s := l.state[lane:]
		binary.LittleEndian.PutUint32(d, s[0])
		binary.LittleEndian.PutUint32(d[4:], s[stride])
		binary.LittleEndian.PutUint32(d[8:], s[2*stride])
		binary.LittleEndian.PutUint32(d[12:], s[3*stride])
	default:
		s := l.state[lane:]
		for w := range h.Words() {
			binary.BigEndian.PutUint32(digest[4*w:], s[w*stride])
		}
	}
}

// Digests writes the digests of the first n lanes, one after the other.
func (l *Lanes) Digests(k Kernel, h Hash, n int, digests []byte) {
	stride := k.Lanes(h)
	switch {
	case h == MD5 && k == AVX512 && n == MaxLanes:
		wideMD5Digests(l, (*[MaxLanes][16]byte)(unsafe.Pointer(unsafe.SliceData(digests[:16*MaxLanes]))))
	case h.Words() == 8:
		done := 0
		for ; k == AVX512 && done+16 <= n; done += 16 {
			wideLongDigests(&l.state[done], (*[16][32]byte)(unsafe.Pointer(unsafe.SliceData(digests[32*done:32*done+512]))))
		}
		for w := range 8 {
			s := l.state[w*stride:][done:n]
			for i, v := range s {
				binary.BigEndian.PutUint32(digests[32*(done+i)+4*w:], v)
			}
		}
	default:
		for i := range n {
			l.Digest(k, h, i, digests[4*h.Words()*i:])
		}
	}
}

// Move makes lane to what lane from is.
func (l *Lanes) Move(k Kernel, h Hash, to, from int) {
	l.Start[to], l.Len[to], l.Born[to], l.Before[to] = l.Start[from], l.Len[from], l.Born[from], l.Before[from]
	stride := k.Lanes(h)
	for w := range h.Words() {
		l.state[w*stride+to] = l.state[w*stride+from]
	}
}

// Mirror lets the lanes from n on that a call would work on do the work of the first one again. Their
// states go wrong.
func (l *Lanes) Mirror(k Kernel, n int) {
	if k != AVX512 {
		return
	}
	for i := n; i < MaxLanes && i%16 != 0; i++ {
		l.Start[i], l.Len[i], l.Born[i], l.Before[i] = l.Start[0], l.Len[0], l.Born[0], l.Before[0]
	}
}

// MaxBlocks bounds a call into assembly, which can be preempted only where it begins: 10 to 20 µs.
func (h Hash) MaxBlocks() uint64 { return [...]uint64{MD5: 64, SM3: 32, SHA256: 32, SHA1: 64}[h] }

// Advance takes n lanes a number of blocks further, from clock on. None may have fewer blocks left, its
// padding's included; those that have no more then have their digests.
func (k Kernel) Advance(h Hash, l *Lanes, n int, clock uint64, blocks int) {
	if k != AVX512 {
		k.narrowAdvance(h, l, n, clock, blocks)
		return
	}
	groups := (n + 15) / 16
	switch h {
	case MD5:
		switch groups {
		case 1:
			wideMD516(l, clock, blocks)
		case 2:
			wideMD532(l, clock, blocks)
		case 3:
			wideMD548(l, clock, blocks)
		case 4:
			wideMD564(l, clock, blocks)
		}
	case SM3:
		switch groups {
		case 1:
			wideSM316(l, clock, blocks)
		case 2:
			wideSM332(l, clock, blocks)
		}
	case SHA256:
		switch groups {
		case 1:
			wideSHA25616(l, clock, blocks)
		case 2:
			wideSHA25632(l, clock, blocks)
		}
	case SHA1:
		switch groups {
		case 1:
			wideSHA116(l, clock, blocks)
		case 2:
			wideSHA132(l, clock, blocks)
		case 3:
			wideSHA148(l, clock, blocks)
		}
	}
}

// Earliest is the smallest of end and the set of lanes that have it, bit i for lane i. In lanes from n on that is none.
func (k Kernel) Earliest(end *[MaxLanes]uint64, n int) (first, lanes uint64) {
	if k == AVX512 {
		return wideEarliest(end)
	}
	first = ^uint64(0)
	for _, e := range end[:n] {
		first = min(first, e)
	}
	for i, e := range end[:n] {
		if e == first {
			lanes |= 1 << i
		}
	}
	return first, lanes
}

// narrowAdvance gives kernels that take whole blocks only padded copies of the last ones.
func (k Kernel) narrowAdvance(h Hash, l *Lanes, n int, clock uint64, blocks int) {
	if k.Lanes(h) == 2 {
		l.pairAdvance(h, n, clock, blocks)
		return
	}
	var from [16]*byte
	lanes := k.Lanes(h)
	if whole := blocks - 2; whole > 0 {
		for i := range lanes {
			from[i] = l.at(i%n, clock)
		}
		narrowBlocks(h, l, &from, whole)
		clock += uint64(whole) * BlockSize
		blocks = 2
	}
	var last [16][BlockSize]byte
	for range blocks {
		for i := range lanes {
			switch {
			case i >= n:
				from[i] = from[0]
			case l.left(i, clock) >= BlockSize:
				from[i] = l.at(i, clock)
			default:
				l.pad(h, i, clock, &last[i])
				from[i] = &last[i][0]
			}
		}
		narrowBlocks(h, l, &from, 1)
		clock += BlockSize
	}
}

// pairAdvance is the same for two lanes, which have less to do between calls: as many blocks as both have go at once, and
// the last ones, of which there are two at most.
func (l *Lanes) pairAdvance(h Hash, n int, clock uint64, blocks int) {
	var from [2]*byte
	var last [2][2 * BlockSize]byte
	whole := blocks
	for i := range n {
		whole = min(whole, int(max(l.left(i, clock), 0)/BlockSize))
	}
	if whole > 0 {
		from[0], from[1] = l.at(0, clock), l.at(n-1, clock)
		(*PairState)(l.state[:]).Blocks(h, from[0], from[1], whole)
		clock += uint64(whole) * BlockSize
	}
	rest := blocks - whole
	if rest == 0 {
		return
	}
	for i := range n {
		if l.left(i, clock) >= int64(rest)*BlockSize {
			from[i] = l.at(i, clock)
			continue
		}
		for b := range rest {
			l.pad(h, i, clock+uint64(b)*BlockSize, (*[BlockSize]byte)(last[i][b*BlockSize:]))
		}
		from[i] = &last[i][0]
	}
	if n == 1 {
		from[1] = from[0]
	}
	(*PairState)(l.state[:]).Blocks(h, from[0], from[1], rest)
}

func (l *Lanes) left(lane int, clock uint64) int64 {
	return int64(l.Len[lane] + l.Born[lane] - clock)
}

// at is where a lane's message goes on; it must.
func (l *Lanes) at(lane int, clock uint64) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(l.Start[lane]), clock-l.Born[lane]))
}

// pad copies a block of what is left of a lane's message and pads it.
func (l *Lanes) pad(h Hash, lane int, clock uint64, block *[BlockSize]byte) {
	left := l.left(lane, clock)
	n := 0
	if left > 0 {
		n = copy(block[:], unsafe.Slice(l.at(lane, clock), min(left, BlockSize)))
	}
	clear(block[n:])
	if left >= 0 && left < BlockSize {
		block[n] = 0x80
	}
	if left > BlockSize-9 {
		return
	}
	bits := (l.Before[lane] + l.Len[lane]) * 8
	if h.BigEndian() {
		binary.BigEndian.PutUint64(block[56:], bits)
	} else {
		binary.LittleEndian.PutUint64(block[56:], bits)
	}
}

func narrowBlocks(h Hash, l *Lanes, from *[16]*byte, blocks int) {
	switch h {
	case MD5:
		narrowMD5((*[64]uint32)(l.state[:]), from, blocks)
	case SM3:
		narrowSM3((*[64]uint32)(l.state[:]), (*[8]*byte)(from[:]), blocks)
	}
}
