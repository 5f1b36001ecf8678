package sm4

import (
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// A disjointness finds out whether what one of many messages writes another reads or writes. First all
// outputs are named, then, after order, all inputs.
type disjointness struct {
	written    []buffers.Span
	begin, end uintptr         // of all that is written
	last       [inputKinds]int // where the last input of each kind lay, in written
}

// An inputKind is one of the buffers that a message has for reading. Those of a kind often lie in order.
type inputKind int

const (
	inputText inputKind = iota
	inputNonce
	inputAdditional
	inputKey
	inputKinds
)

var disjointnesses = sync.Pool{New: func() any { return new(disjointness) }}

// mostKept bounds the spans that are kept for the next call.
const mostKept = 1 << 14

func newDisjointness() *disjointness { return disjointnesses.Get().(*disjointness) }

func (d *disjointness) release() {
	if cap(d.written) <= mostKept {
		d.written = d.written[:0]
		d.last = [inputKinds]int{}
		disjointnesses.Put(d)
	}
}

// writes names what a message writes.
func (d *disjointness) writes(b []byte, message int) {
	if len(b) > 0 {
		d.written = append(d.written, buffers.SpanOf(b, message))
	}
}

// order panics if two messages write the same byte.
func (d *disjointness) order() {
	buffers.Sort(d.written)
	d.begin, d.end = 0, 0
	if n := len(d.written); n > 0 {
		d.begin, d.end = d.written[0].From, d.written[n-1].To
	}
}

// reads panics if a message other than its own writes to b.
func (d *disjointness) reads(kind inputKind, b []byte, message int) {
	if r := buffers.SpanOf(b, message); len(b) > 0 && r.From < d.end && d.begin < r.To {
		d.last[kind] = buffers.CheckRead(d.written, r, d.last[kind])
	}
}
