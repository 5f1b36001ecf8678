package sm4

import (
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// No message may write what another reads or writes. A layout tells most calls that keep to it from one look
// at every buffer; a [buffers.Disjointness] decides the others.

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
	out    hull                // around all outputs
	inputs [buffers.Kinds]hull // around all inputs; a text within its own output doesn't count
	end    uintptr             // of the outputs and texts so far, while they ascend
	mixed  bool                // the outputs and texts don't ascend from message to message
	bare   bool                // nor do the outputs alone
}

func newLayout() layout {
	return layout{out: nothing, inputs: [buffers.Kinds]hull{nothing, nothing, nothing, nothing}}
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
		l.inputs[buffers.Text] = l.inputs[buffers.Text].with(s)
	}
}

// input names another buffer that a message reads.
func (l *layout) input(kind buffers.Kind, b []byte) {
	if len(b) > 0 {
		l.inputs[kind] = l.inputs[kind].with(hullOf(b))
	}
}

// clear says that no output overlaps another or an input of another message. Where it doesn't, it isn't known.
func (l *layout) clear() bool {
	for _, h := range l.inputs[buffers.Text+1:] {
		if h.meets(l.out) {
			return false
		}
	}
	return !l.mixed || !l.bare && !l.inputs[buffers.Text].meets(l.out)
}
