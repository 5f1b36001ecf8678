package buffers

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
	from := addressOf(b)
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
	from := addressOf(b)
	return Outputs{Hull{max(o.below, ^from), from + uintptr(len(b))}, o.Mixed || from < o.to}
}

// Clear says that no message writes to what another writes, nor to what is read: there is a hull for each kind of that,
// since buffers of a kind often lie together. Where it doesn't, it isn't known.
func (o Outputs) Clear(read ...Hull) bool {
	for _, h := range read {
		if !o.Apart(h) {
			return false
		}
	}
	return !o.Mixed
}
