package aes

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"
)

// A span is a buffer of a message, as an interval of addresses.
type span struct {
	from, to uintptr
	message  int
}

func spanOf(b []byte, message int) span {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return span{p, p + uintptr(len(b)), message}
}

// written are the buffers that a call on many messages writes: first each is added, then they are sorted, then it is
// asked what is read.
type written struct {
	spans    []span // so many as there are messages; of these n are there
	n        int
	from, to uintptr // around all
}

// A fewSpans is on the stack; what more messages take comes from a pool.
type fewSpans [64]span

var spanPool = sync.Pool{New: func() any { return new([]span) }}

// roomFor is room for what n messages write, and what to give back of it.
func roomFor(n int, few *fewSpans) (spans []span, pooled *[]span) {
	if n <= len(few) {
		return few[:n], nil
	}
	pooled = spanPool.Get().(*[]span)
	*pooled = slices.Grow((*pooled)[:0], n)
	return (*pooled)[:n], pooled
}

func giveBack(pooled *[]span) {
	if pooled != nil {
		spanPool.Put(pooled)
	}
}

// add adds what message i writes.
func (w *written) add(b []byte, i int) {
	if len(b) > 0 {
		w.spans[w.n] = spanOf(b, i)
		w.n++
	}
}

// sort panics where two messages write the same byte.
func (w *written) sort() {
	w.spans = w.spans[:w.n]
	spans := w.spans
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].from {
			slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
			break
		}
	}
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			panic(overlapping)
		}
	}
	if n := len(spans); n > 0 {
		w.from, w.to = spans[0].from, spans[n-1].to
	}
}

const overlapping = "crypto/cipher: invalid buffer overlap"

// nobody is the number of no message.
const nobody = -1

// readsSource is reads for the text of message own, which it may write where the text begins.
func (w *written) readsSource(src, dst []byte, own int) {
	if unsafe.SliceData(src) != unsafe.SliceData(dst) {
		own = nobody
	}
	w.reads(src, own)
}

// reads panics if a message other than own writes to b.
func (w *written) reads(b []byte, own int) {
	if s := spanOf(b, own); len(b) > 0 && s.from < w.to && w.from < s.to {
		w.search(s)
	}
}

func (w *written) search(s span) {
	at, _ := slices.BinarySearchFunc(w.spans, s.from, func(x span, from uintptr) int {
		if x.to <= from {
			return -1
		}
		return 1
	})
	for _, x := range w.spans[at:] {
		if x.from >= s.to {
			return
		}
		if x.message != s.message {
			panic(overlapping)
		}
	}
}
