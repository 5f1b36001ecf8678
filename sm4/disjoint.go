package sm4

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"
)

// A span is a buffer as an interval of addresses.
type span struct {
	from, to uintptr
	message  int
}

func spanOf(b []byte, message int) span {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return span{p, p + uintptr(len(b)), message}
}

// A disjointness finds out whether what one of many messages writes another reads or writes. First all
// outputs are named, then, after order, all inputs.
type disjointness struct {
	written    []span
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

// A nobody is the message that no buffer belongs to: its reader may share nothing with any output.
const nobody = -1

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
		d.written = append(d.written, spanOf(b, message))
	}
}

// order panics if two messages write the same byte.
func (d *disjointness) order() {
	sortSpans(d.written)
	for i := 1; i < len(d.written); i++ {
		if d.written[i].from < d.written[i-1].to {
			panic(overlap)
		}
	}
	d.begin, d.end = 0, 0
	if n := len(d.written); n > 0 {
		d.begin, d.end = d.written[0].from, d.written[n-1].to
	}
}

const overlap = "crypto/cipher: invalid buffer overlap"

// sortSpans orders spans by where they begin; most often they are in order.
func sortSpans(spans []span) {
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].from {
			slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
			return
		}
	}
}

// reads panics if a message other than its own writes to b.
func (d *disjointness) reads(kind inputKind, b []byte, message int) {
	if r := spanOf(b, message); len(b) > 0 && r.from < d.end && d.begin < r.to {
		d.last[kind] = checkRead(d.written, r, d.last[kind])
	}
}

// checkRead panics if a message other than its own writes to r. It returns the index of the first of
// written that ends behind the start of r, and looks for it first where the last one was and behind that.
func checkRead(written []span, r span, last int) int {
	at := last
	if at < len(written) && written[at].to <= r.from {
		at++
	}
	if at > 0 && written[at-1].to > r.from || at < len(written) && written[at].to <= r.from {
		at = firstBehind(written, r.from)
	}
	for i := at; i < len(written) && written[i].from < r.to; i++ {
		if written[i].message != r.message {
			panic(overlap)
		}
	}
	return at
}

// firstBehind is the index of the first of spans that ends behind p: a binary search whose steps don't
// wait for a branch.
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
