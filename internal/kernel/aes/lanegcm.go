package aes

import (
	"unsafe"
)

const (
	lineSize = 64
	// MaxLines bounds a call into assembly to 64 KiB.
	MaxLines = callBytes / lineSize / MaxLanes
	// MaxMore is how many bytes of additional data a lane takes.
	MaxMore = lineSize
)

// BeginGCM puts a message into a lane whose key is there: n bytes from src to dst, a nonce of 12 bytes and additional
// data of at most [MaxMore].
func (l *Lanes) BeginGCM(lane int, dst, src *byte, n int, nonce, additional []byte) {
	group, at := lane/perGroup, lane%perGroup
	l.src[lane], l.dst[lane] = src, dst
	l.more[lane], l.left[lane] = unsafe.SliceData(additional), len(additional)
	standardJ0(nonce).store(&l.counter[group][at])
	l.bits[group][at] = [2]uint64{uint64(n) * 8, uint64(len(additional)) * 8}
}

// Point lets a lane begin again, from src to dst.
func (l *Lanes) Point(lane int, dst, src *byte) { l.src[lane], l.dst[lane] = src, dst }

// BeginCTR puts a message into a lane whose key is there, from its first counter on.
func (l *Lanes) BeginCTR(lane int, dst, src *byte, iv *[blockSize]byte) {
	l.src[lane], l.dst[lane] = src, dst
	l.counter[lane/perGroup][lane%perGroup] = *iv
}

// StartGCM makes what the first messages of GCM begin with.
func (l *Lanes) StartGCM(rounds, active int) { wideStartLanes(l, rounds, l.fill(active)) }

// HashMore hashes the additional data of the first messages, which comes before their text.
func (l *Lanes) HashMore(active int) {
	groups := l.fill(active)
	l.noneBehind(active, groups)
	wideAbsorbLanes(l, &l.more, groups, 0, 1)
}

// noneBehind lets the lanes that have no message have nothing left.
func (l *Lanes) noneBehind(active, groups int) {
	clear(l.left[active : groups*perGroup])
}

// Left says how many bytes of its next line a lane has, for the calls with no whole lines.
func (l *Lanes) Left(lane, bytes int) { l.left[lane] = bytes }

// CTR encrypts so many lines of every lane, at most [MaxLines], or if there are none what every lane has left of one.
// The last 64 bits of a counter must not wrap.
func (l *Lanes) CTR(rounds, active, lines int) {
	groups := l.fill(active)
	wideCTRLanes(l, rounds, groups, lines, l.tail(active, groups, lines))
}

// tail is whether a call without lines is one for what is left.
func (l *Lanes) tail(active, groups, lines int) int {
	if lines > 0 {
		return 0
	}
	l.noneBehind(active, groups)
	return 1
}

// HashResult hashes as CTR encrypts, what that has written, and HashSource what it would read.
func (l *Lanes) HashResult(active, lines int) { l.hash(&l.dst, active, lines) }

// HashSource is HashResult before anything has been written.
func (l *Lanes) HashSource(active, lines int) { l.hash(&l.src, active, lines) }

func (l *Lanes) hash(texts *[MaxLanes]*byte, active, lines int) {
	groups := l.fill(active)
	wideAbsorbLanes(l, texts, groups, lines, l.tail(active, groups, lines))
}

// Hash is the hash of a lane, which others that share its register change when it has ended.
func (l *Lanes) Hash(lane int) *[blockSize]byte { return &l.state[lane/perGroup][lane%perGroup] }

// Tags makes the tags of the first lanes.
func (l *Lanes) Tags(active int) { wideTagLanes(l, groupsOf(active)) }

// Tag is the tag of a lane.
func (l *Lanes) Tag(lane int) *[blockSize]byte { return &l.mask[lane/perGroup][lane%perGroup] }

// GCMCounter is the counter of the first block of text for a nonce of 12 bytes.
func GCMCounter(nonce []byte) Counter { return standardJ0(nonce).plus32(1) }

// Wraps says whether the last 64 bits of the counter wrap within so many bytes.
func (c Counter) Wraps(bytes int) bool { return c.low+uint64(blocks(bytes)) < c.low }
