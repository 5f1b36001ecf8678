package buffers

import "unsafe"

// A GCMMessage is a message of GCM in the layout that the public packages give theirs.
type GCMMessage struct {
	_                                    unsafe.Pointer
	Key, Nonce, AdditionalData, Dst, Src []byte
	_                                    error
}

// starts are the lowest and the highest address at which some buffers of one length begin.
type starts struct{ first, last uintptr }

var noStarts = starts{^uintptr(0), 0}

// with is the starts with one more.
func (s starts) with(p *byte) starts {
	from := uintptr(unsafe.Pointer(p))
	return starts{min(s.first, from), max(s.last, from)}
}

// hull is around the buffers, of n bytes each.
func (s starts) hull(n int) Hull {
	if s.first > s.last || n == 0 {
		return Hull{}
	}
	return Hull{^s.first, s.last + uintptr(n)}
}

// AlikeApart says whether one look tells that no message overlaps another. They have no additional data, and
// lengths in common: of their keys, nonces and texts, and of what they write, n bytes.
func AlikeApart(messages []GCMMessage, n int) bool {
	first := &messages[0]
	out, text, nonce, key := noStarts, noStarts, noStarts, noStarts
	within, end, mixed := len(first.Src) <= n, uintptr(0), false
	// Two loops, for whose variables there are registers enough.
	for i := range messages {
		m := &messages[i]
		to, from := unsafe.SliceData(m.Dst), unsafe.SliceData(m.Src)
		at := uintptr(unsafe.Pointer(to))
		if at < end {
			mixed = true
		}
		end = at + uintptr(n)
		out = out.with(to)
		if from != to || !within {
			text = text.with(from)
		}
	}
	for i := range messages {
		m := &messages[i]
		nonce, key = nonce.with(unsafe.SliceData(m.Nonce)), key.with(unsafe.SliceData(m.Key))
	}
	written := Ascending{unsafe.Pointer(&first.Dst), unsafe.Sizeof(*first), len(messages), uintptr(n), out.hull(n)}
	return !mixed && written.Misses(text.hull(len(first.Src)), func(i int) []byte { return Beyond(messages[i].Src, messages[i].Dst[:n]) }) &&
		written.Misses(nonce.hull(len(first.Nonce)), func(i int) []byte { return messages[i].Nonce }) &&
		written.Misses(key.hull(len(first.Key)), func(i int) []byte { return messages[i].Key })
}
