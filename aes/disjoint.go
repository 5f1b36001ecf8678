package aes

import (
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// written are the buffers that a call on many messages writes: first each is added, then they are sorted, then it is
// asked what is read.
type written struct {
	spans    []buffers.Span // so many as there are messages; of these n are there
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
	w.spans = w.spans[:w.n]
	buffers.Sort(w.spans)
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

// readsText is reads for the text of message own, which it may write from where the text begins, its first n bytes.
func (w *written) readsText(src, dst []byte, n, own, at int) int {
	switch {
	case unsafe.SliceData(src) != unsafe.SliceData(dst):
		own = buffers.Nobody
	case len(src) <= n:
		return at // the message writes all of it, and nobody else does
	}
	return w.reads(src, own, at)
}
