package aes

import (
	"cmp"
	"slices"
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

// reads panics if a message other than own writes to b. at and the result are places in spans: it is looked first where
// the last buffer of the same kind was.
func (w *written) reads(b []byte, own, at int) int {
	if s := spanOf(b, own); len(b) > 0 && s.from < w.to && w.from < s.to {
		return w.search(s, at)
	}
	return at
}

// readsText is reads for the text of message own, which it may write from where the text begins, its first n bytes.
func (w *written) readsText(src, dst []byte, n, own, at int) int {
	switch {
	case unsafe.SliceData(src) != unsafe.SliceData(dst):
		own = nobody
	case len(src) <= n:
		return at // the message writes all of it, and nobody else does
	}
	return w.reads(src, own, at)
}

func (w *written) search(s span, at int) int {
	if at < w.n && w.spans[at].to <= s.from {
		at++
	}
	if at > 0 && w.spans[at-1].to > s.from || at < w.n && w.spans[at].to <= s.from {
		at = firstBehind(w.spans, s.from)
	}
	for i := at; i < w.n && w.spans[i].from < s.to; i++ {
		if w.spans[i].message != s.message {
			panic(overlapping)
		}
	}
	return at
}

// firstBehind is the index of the first of spans that ends behind p, by a binary search without branches.
func firstBehind(spans []span, p uintptr) int {
	at := 0
	for n := len(spans); n > 0; {
		half := (n + 1) / 2
		next := at + half
		if spans[next-1].to > p {
			next = at
		}
		at = next
		n -= half
	}
	return at
}
