package buffers

import (
	"slices"
	"sync"
	"unsafe"
)

// A Kind is one of the buffers that a message has for reading. Those of a kind often lie in order.
type Kind int

// What a message reads.
const (
	Text Kind = iota
	Nonce
	Additional
	Key
	Kinds
)

// A Disjointness finds out whether what one of many messages writes another reads or writes, for calls that a first look
// leaves in doubt. First it is told all that is written, then, after Order, all that is read. Buffers most often lie in a
// few ascending runs; a hash table of what is written, which takes no note of that, took 1.3 to 2 times as long.
type Disjointness struct {
	written []span
	scratch []span
	all     span       // around what is written
	last    [Kinds]int // where the last buffer of each kind lay, in written
}

var disjointnesses = sync.Pool{New: func() any { return new(Disjointness) }}

// MostKept bounds the messages for which room is kept for the next call.
const MostKept = 1 << 14

// NewDisjointness has been told nothing yet.
func NewDisjointness() *Disjointness {
	d := disjointnesses.Get().(*Disjointness)
	d.written, d.last = d.written[:0], [Kinds]int{}
	return d
}

// Release gives d up.
func (d *Disjointness) Release() {
	if cap(d.written) <= MostKept {
		disjointnesses.Put(d)
	}
}

// Writes is told what a message writes.
func (d *Disjointness) Writes(b []byte, message int) {
	if len(b) > 0 {
		d.written = append(d.written, spanOf(b, message))
	}
}

// Order panics if two messages write the same byte.
func (d *Disjointness) Order() {
	d.scratch = slices.Grow(d.scratch[:0], len(d.written))
	written := order(d.written, d.scratch)
	if d.all = (span{}); len(written) == 0 {
		return
	}
	if &written[0] != &d.written[0] {
		d.written, d.scratch = written, d.written
	}
	d.all = span{From: written[0].From, To: written[len(written)-1].To}
}

// Reads panics if a message writes to b that isn't the one named, which may.
func (d *Disjointness) Reads(kind Kind, b []byte, message int) {
	if s := spanOf(b, message); len(b) > 0 && s.From < d.all.To && d.all.From < s.To {
		d.last[kind] = checkRead(d.written, s, d.last[kind])
	}
}

// ReadsText panics if a message writes to src, but its own, which writes out, from the first byte on.
func (d *Disjointness) ReadsText(src, out []byte) { d.Reads(Text, Beyond(src, out), Nobody) }

// Beyond is what nobody may write of a text whose own message writes out: of one in place only what lies behind out, for
// no two messages write the same byte.
func Beyond(src, out []byte) []byte {
	if unsafe.SliceData(src) == unsafe.SliceData(out) {
		return src[min(len(out), len(src)):]
	}
	return src
}
