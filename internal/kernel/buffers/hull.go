package buffers

import "unsafe"

// A Hull is the interval of addresses around some buffers. The zero Hull is around none.
type Hull struct {
	below uintptr // the complement of the lowest address
	to    uintptr
}

// With is the hull with one more buffer in it.
func (h Hull) With(b []byte) Hull {
	if len(b) == 0 {
		return h
	}
	from := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return Hull{max(h.below, ^from), max(h.to, from+uintptr(len(b)))}
}

// Apart says whether nothing in one hull shares a byte with anything in the other.
func (h Hull) Apart(other Hull) bool { return h.to <= ^other.below || other.to <= ^h.below }

// Outputs are what messages write, as far as a first look goes: that they lie in the order of their addresses, one
// behind the other, which is most often so.
type Outputs struct {
	Hull
	Mixed bool // they may overlap
}

// With names what one more message writes.
func (o Outputs) With(b []byte) Outputs {
	if len(b) == 0 {
		return o
	}
	from := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return Outputs{Hull{max(o.below, ^from), from + uintptr(len(b))}, o.Mixed || from < o.to}
}

// Order orders what messages write by address, and panics where two of them write the same byte. Where messages lie in
// order but for some steps, as buffers do that the heap has given out one by one, merging takes as many passes as
// the logarithm of their number. The result is written or scratch, which has room for as many.
func Order(written, scratch []Span) []Span {
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
func ascending(spans []Span) int {
	for i := 1; i < len(spans); i++ {
		if spans[i].From < spans[i-1].From {
			return i
		}
	}
	return len(spans)
}

// merge appends two ascending runs to a third. The second one begins below the end of the first.
func merge(to, a, b []Span) []Span {
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
