package sm4

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// No message may write what another reads or writes. A layout tells most calls that keep to it from one look
// at every buffer; a disjointness, which sorts the outputs, decides the others.

// An inputKind is one of the buffers that a message has for reading. Those of a kind often lie in order.
type inputKind int

const (
	inputText inputKind = iota
	inputNonce
	inputAdditional
	inputKey
	inputKinds
)

// A hull is an interval of addresses around buffers.
type hull struct{ from, to uintptr }

var nothing = hull{from: ^uintptr(0)}

// hullOf is that of one buffer, which isn't empty.
func hullOf(b []byte) hull {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return hull{p, p + uintptr(len(b))}
}

func (h hull) with(o hull) hull { return hull{min(h.from, o.from), max(h.to, o.to)} }

func (h hull) meets(o hull) bool { return h.from < o.to && o.from < h.to }

// A layout is how the buffers of many messages lie in memory.
type layout struct {
	out    hull             // around all outputs
	inputs [inputKinds]hull // around all inputs; a text within its own output doesn't count
	end    uintptr          // of the outputs and texts so far, while they ascend
	mixed  bool             // the outputs and texts don't ascend from message to message
	bare   bool             // nor do the outputs alone
}

func newLayout() layout {
	return layout{out: nothing, inputs: [inputKinds]hull{nothing, nothing, nothing, nothing}}
}

// text names the output of the next message and its text, which overlap nowhere or begin together.
func (l *layout) text(out, src []byte) {
	var o, s hull
	switch {
	case len(out) > 0 && len(src) > 0:
		o, s = hullOf(out), hullOf(src)
	case len(out) > 0:
		o = hullOf(out)
		s = o
	case len(src) > 0:
		s = hullOf(src)
		o = s // which may raise a false suspicion
	default:
		return
	}
	if l.mixed = l.mixed || min(o.from, s.from) < l.end; l.mixed && o.from < l.out.to {
		l.bare = true
	}
	l.end = max(o.to, s.to)
	l.out = l.out.with(o)
	if s.from != o.from || s.to > o.to {
		l.inputs[inputText] = l.inputs[inputText].with(s)
	}
}

// input names another buffer that a message reads.
func (l *layout) input(kind inputKind, b []byte) {
	if len(b) > 0 {
		l.inputs[kind] = l.inputs[kind].with(hullOf(b))
	}
}

// clear says that no output overlaps another or an input of another message. Where it doesn't, it isn't known.
func (l *layout) clear() bool {
	for _, h := range l.inputs[inputText+1:] {
		if h.meets(l.out) {
			return false
		}
	}
	return !l.mixed || !l.bare && !l.inputs[inputText].meets(l.out)
}

// A disjointness finds out whether what one of many messages writes another reads or writes. First all
// outputs are named, then, after order, all inputs.
type disjointness struct {
	written []buffers.Span
	scratch []buffers.Span   // room for as many
	suspect [inputKinds]bool // whether inputs of a kind lie among the outputs
	last    [inputKinds]int  // where the last input of each kind lay, in written
}

var disjointnesses = sync.Pool{New: func() any { return new(disjointness) }}

// mostKept bounds the spans that are kept for the next call.
const mostKept = 1 << 14

// newDisjointness decides about messages that a layout doesn't clear.
func newDisjointness(l *layout) *disjointness {
	d := disjointnesses.Get().(*disjointness)
	d.written, d.last = d.written[:0], [inputKinds]int{}
	for kind, h := range l.inputs {
		d.suspect[kind] = h.meets(l.out)
	}
	return d
}

func (d *disjointness) release() {
	if cap(d.written) <= mostKept {
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
	d.scratch = slices.Grow(d.scratch[:0], len(d.written))
	if written := buffers.Order(d.written, d.scratch); len(written) > 0 && &written[0] != &d.written[0] {
		d.written, d.scratch = written, d.written
	}
}

// reads panics if a message other than its own writes to b.
func (d *disjointness) reads(kind inputKind, b []byte, message int) {
	if d.suspect[kind] && len(b) > 0 {
		d.last[kind] = buffers.CheckRead(d.written, buffers.SpanOf(b, message), d.last[kind])
	}
}
