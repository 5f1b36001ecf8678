package buffers

import "unsafe"

// A Span is a buffer of one of many messages, as an interval of addresses.
type Span struct {
	From, To uintptr
	Message  int
}

// Nobody is the number of no message: a buffer of it may share nothing with what any message writes.
const Nobody = -1

// SpanOf is the span of a buffer of a message.
func SpanOf(b []byte, message int) Span {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return Span{p, p + uintptr(len(b)), message}
}

// CheckRead panics if a message other than its own writes to r. It returns the index of the first of the
// sorted written that ends behind the start of r, and looks for it first at last, where that of the buffer
// before was, and behind that: buffers of one kind often lie in order.
func CheckRead(written []Span, r Span, last int) int {
	at := last
	if at < len(written) && written[at].To <= r.From {
		at++
	}
	if at > 0 && written[at-1].To > r.From || at < len(written) && written[at].To <= r.From {
		at = firstBehind(written, r.From)
	}
	for i := at; i < len(written) && written[i].From < r.To; i++ {
		if written[i].Message != r.Message {
			panic(Overlap)
		}
	}
	return at
}

// firstBehind is the index of the first of spans that ends behind p: a binary search whose steps don't
// wait for a branch.
func firstBehind(spans []Span, p uintptr) int {
	at := 0
	for n := len(spans); n > 0; {
		half := (n + 1) / 2
		next := at + half
		if spans[next-1].To > p {
			next = at
		}
		at = next
		n -= half
	}
	return at
}
