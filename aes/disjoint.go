package aes

import (
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// written are the buffers that a call on many messages writes: first each is added, then they are sorted, then it is
// asked what is read. It is for those calls that a first look, by [buffers.Outputs], leaves in doubt.
type written struct {
	spans    []buffers.Span // so many as there are messages; of these n are there
	scratch  []buffers.Span // as many
	n        int
	from, to uintptr // around all
}

// add adds what message i writes.
func (w *written) add(b []byte, i int) {
	if len(b) > 0 {
		w.spans[w.n] = buffers.SpanOf(b, i)
		w.n++
	}
}

// sort panics where two messages write the same byte.
func (w *written) sort() {
	w.spans = buffers.Order(w.spans[:w.n], w.scratch)
	if n := len(w.spans); n > 0 {
		w.from, w.to = w.spans[0].From, w.spans[n-1].To
	}
}

// reads panics if a message other than own writes to b. at and the result are places in spans: it is looked first where
// the last buffer of the same kind was.
func (w *written) reads(b []byte, own, at int) int {
	if s := buffers.SpanOf(b, own); len(b) > 0 && s.From < w.to && w.from < s.To {
		return buffers.CheckRead(w.spans, s, at)
	}
	return at
}

// readText is what nobody may write of a text whose first n bytes its own message writes to dst: of a text in place
// only what lies behind them, for no two messages write the same byte.
func readText(src, dst []byte, n int) []byte {
	if unsafe.SliceData(src) == unsafe.SliceData(dst) {
		return src[min(n, len(src)):]
	}
	return src
}

// doubtful says whether a first look can't tell that no message writes to what one reads. There is a hull for each kind
// of what they read, since buffers of a kind often lie together.
func doubtful(out buffers.Outputs, read ...buffers.Hull) bool {
	for _, hull := range read {
		if !out.Apart(hull) {
			return true
		}
	}
	return out.Mixed
}
