package aes

import "unsafe"

const (
	// MaxLanes is how many messages are worked on side by side.
	MaxLanes   = laneGroups * perGroup
	laneGroups = 8 // registers of lanes
	perGroup   = 4
	// MaxSteps bounds a call into assembly to 64 KiB.
	MaxSteps = callBytes / blockSize / MaxLanes
)

// Lanes are the messages of one call on many. Most of it is large enough that the heap aligns it to 64 bytes, which
// makes its keys a quarter faster. A call with fewer lanes uses the first ones.
type Lanes struct {
	src, dst [MaxLanes]*byte
	state    [laneGroups][perGroup][blockSize]byte // of CBC the last ciphertext block, the IV before the first; of GCM the hash
	//lint:ignore U1000 the kernels write and read it
	tile  [4 * laneGroups][64]byte // the next lines of all lanes
	round [laneGroups][15][perGroup][blockSize]byte

	raw     [MaxLanes]*byte // keys
	more    [MaxLanes]*byte // additional data
	left    [MaxLanes]int   // bytes of the next line
	count   [laneGroups][perGroup][2]uint64
	counter [laneGroups][perGroup][blockSize]byte
	key     [laneGroups][perGroup][blockSize]byte // the hash key times x
	mask    [laneGroups][perGroup][blockSize]byte // of the tag, then the tag
	bits    [laneGroups][perGroup][2]uint64       // of the text, and of the additional data

	sink [MaxSteps * blockSize]byte
}

// Begin puts a message into a lane, from its first byte on.
func (l *Lanes) Begin(lane int, dst, src, iv []byte) {
	l.src[lane], l.dst[lane] = unsafe.SliceData(src), unsafe.SliceData(dst)
	l.state[lane/perGroup][lane%perGroup] = [blockSize]byte(iv)
}

// Advance moves the first lanes on by so many blocks. A lane whose message has ended stays, for behind it lies memory
// of others.
func (l *Lanes) Advance(lanes, blocks int) {
	for i := range lanes {
		l.src[i] = (*byte)(unsafe.Add(unsafe.Pointer(l.src[i]), blocks*blockSize))
		l.dst[i] = (*byte)(unsafe.Add(unsafe.Pointer(l.dst[i]), blocks*blockSize))
	}
}

// Key gives a lane the key of k.
func (l *Lanes) Key(lane int, k *Keys) {
	to := &l.round[lane/perGroup]
	for i := range to {
		to[i][lane%perGroup] = k.enc.round[i]
	}
}

// RawKey gives a lane a raw key, of which [Lanes.Expand] makes a schedule.
func (l *Lanes) RawKey(lane int, key *byte) { l.raw[lane] = key }

// Expand makes the schedules of the raw keys of the first lanes, which have so many bytes each.
func (l *Lanes) Expand(lanes, bytes int) {
	for ; lanes%perGroup != 0; lanes++ {
		l.raw[lanes] = l.raw[0]
	}
	switch groups := lanes / perGroup; bytes {
	case 16:
		wideExpandLanes128(l, groups)
	case 24:
		wideExpandLanes192(l, groups)
	default:
		wideExpandLanes256(l, groups)
	}
}

// registers are the numbers of registers of lanes that there is code for.
var registers = [laneGroups + 1]int{0, 1, 2, 3, 4, 6, 6, 8, 8}

// fill lets the lanes of the last registers that have no message encrypt the first one's text to where nobody looks,
// and returns how many registers there are.
func (l *Lanes) fill(active int) (groups int) {
	groups = registers[groupsOf(active)]
	for ; active < groups*perGroup; active++ {
		l.src[active], l.dst[active] = l.src[0], &l.sink[0]
	}
	return groups
}

// CBCEncrypt encrypts the next blocks of the first active lanes under one key, at most [MaxSteps].
func (l *Lanes) CBCEncrypt(k *Keys, active, blocks int) {
	wideCBCLanes(l, &k.enc, l.fill(active), blocks)
}

// CBCEncryptKeyed is CBCEncrypt under the keys of the lanes, for so many rounds.
func (l *Lanes) CBCEncryptKeyed(rounds, active, blocks int) {
	wideCBCLanesKeyed(l, rounds, l.fill(active), blocks)
}

// Rounds is how many the keys of k have.
func (k *Keys) Rounds() int { return int(k.enc.rounds) }

// RoundsOf is how many a key of so many bytes has, 6 more than it has words.
func RoundsOf(bytes int) int { return 6 + bytes/4 }

// Last is the last ciphertext block of a lane.
func (l *Lanes) Last(lane int) [blockSize]byte { return l.state[lane/perGroup][lane%perGroup] }

// Forget clears the first lanes, and the keys of the first of them.
func (l *Lanes) Forget(lanes, keyed int) {
	used := perGroup * registers[groupsOf(lanes)]
	clear(l.src[:used])
	clear(l.dst[:used])
	clear(l.tile[:used]) // plaintext of CBC, key stream of CTR
	if keyed > 0 {
		groups := groupsOf(keyed)
		clear(l.raw[:])
		clear(l.more[:])
		clear(l.round[:groups])
		clear(l.key[:groups])
		clear(l.mask[:groups])
	}
}

func groupsOf(lanes int) int { return (lanes + perGroup - 1) / perGroup }
