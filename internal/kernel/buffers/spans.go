package buffers

// A span is a buffer of one of many messages, as an interval of addresses.
type span struct {
	From, To uintptr
	Message  int
}

// Nobody is the number of no message: a buffer of it may share nothing with what any message writes.
const Nobody = -1

// spanOf is the span of a buffer of a message.
func spanOf(b []byte, message int) span {
	p := addressOf(b)
	return span{p, p + uintptr(len(b)), message}
}

// checkRead panics if a message other than its own writes to r. It returns the index of the first of the
// sorted written that ends behind the start of r, and looks for it first at last, where that of the buffer
// before was, and behind that: buffers of one kind often lie in order.
func checkRead(written []span, r span, last int) int {
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
func firstBehind(spans []span, p uintptr) int {
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

// order orders what messages write by address, and panics where two of them write the same byte. Where messages lie in
// order but for some steps, as buffers do that the heap has given out one by one, merging takes as many passes as
// the logarithm of their number. The result is written or scratch, which has room for as many.
func order(written, scratch []span) []span {
	for ascending(written) < len(written) {
		merged := scratch[:0]
		for rest := written; len(rest) > 0; {
			a := ascending(rest)
			b := ascending(rest[a:])
			merged = merge(merged, rest[:a], rest[a:a+b])
			rest = rest[a+b:]
		}
		written, scratch = merged, written
	}
	for i := 1; i < len(written); i++ {
		if written[i].From < written[i-1].To {
			panic(Overlap)
		}
	}
	return written
}

// ascending is how many of the first spans are in order.
func ascending(spans []span) int {
	for i := 1; i < len(spans); i++ {
		if spans[i].From < spans[i-1].From {
			return i
		}
	}
	return len(spans)
}

// merge appends two ascending runs to a third. The second one begins below the end of the first.
func merge(to, a, b []span) []span {
	if len(b) == 0 || b[len(b)-1].From < a[0].From {
		return append(append(to, b...), a...)
	}
	for len(a) > 0 && len(b) > 0 {
		if b[0].From < a[0].From {
			to, b = append(to, b[0]), b[1:]
		} else {
			to, a = append(to, a[0]), a[1:]
		}
	}
	return append(append(to, a...), b...)
}
