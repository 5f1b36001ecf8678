package buffers

import "unsafe"

// An Ascending is buffers of one length, of which each lies behind the one before, as what many messages write most often
// does.
type Ascending struct {
	first  unsafe.Pointer // to a slice
	stride uintptr        // from it to the next one
	n      int
	bytes  uintptr
	around Hull
}

// Misses says whether none of them shares a byte with any of so many buffers, which lie within a hull.
func (a *Ascending) Misses(within Hull, buffer func(i int) []byte) bool {
	if a.around.Apart(within) {
		return true
	}
	// Where a buffer lies is looked for first where the one before was: they often ascend, too.
	at := 0
	for i := range a.n {
		b := buffer(i)
		if len(b) == 0 {
			continue
		}
		from := addressOf(b)
		if at < a.n && a.end(at) <= from {
			at++
		}
		if at > 0 && a.end(at-1) > from || at < a.n && a.end(at) <= from {
			at = a.behind(from)
		}
		if at < a.n && a.end(at)-a.bytes < from+uintptr(len(b)) {
			return false
		}
	}
	return true
}

func (a *Ascending) end(i int) uintptr {
	return addressOf(*(*[]byte)(unsafe.Add(a.first, uintptr(i)*a.stride))) + a.bytes
}

// behind is the first that ends behind p, by a binary search.
func (a *Ascending) behind(p uintptr) int {
	from, to := 0, a.n
	for from < to {
		if half := int(uint(from+to) / 2); a.end(half) > p {
			to = half
		} else {
			from = half + 1
		}
	}
	return from
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// A Stream is the buffers of a message of CBC, in the order that the public packages give them.
type Stream struct{ IV, Dst, Src []byte }

// LevelOf looks at n streams, each so many bytes behind the one before, and returns what they write. They are level if all
// texts have one length, whole blocks, outputs and texts ascend from stream to stream, and what CBC demands of a
// stream's buffers is so, and of its IV that nothing is written to it. Most calls' streams are.
func LevelOf(first *Stream, stride uintptr, n int) (written Ascending, level bool) {
	bytes := len(first.Src)
	if bytes == 0 || bytes%blockSize != 0 {
		return written, false
	}
	size, end, differ, descends := uintptr(bytes), uintptr(0), 0, 0
	start := addressOf(first.Dst)
	at := unsafe.Pointer(first)
	// Two loops, for whose variables there are registers enough.
	for range n {
		s := (*Stream)(at)
		at = unsafe.Add(at, stride)
		differ |= len(s.Src) ^ bytes | (len(s.Dst)-bytes)>>63
		to, from := addressOf(s.Dst), addressOf(s.Src)
		low, high := min(to, from), max(to, from)
		descends |= int(low - end)
		if high-low-1 < size-1 {
			return written, false // they overlap, and don't begin together
		}
		start, end = min(start, to), high+size
	}
	if differ != 0 || descends < 0 {
		return written, false
	}
	ivs := noStarts
	at = unsafe.Pointer(first)
	for range n {
		s := (*Stream)(at)
		at = unsafe.Add(at, stride)
		differ |= len(s.IV) ^ blockSize
		ivs = ivs.with(unsafe.SliceData(s.IV))
	}
	if differ != 0 {
		return written, false
	}
	written = Ascending{unsafe.Pointer(&first.Dst), stride, n, size, Hull{^start, end}}
	return written, written.Misses(ivs.hull(blockSize), func(i int) []byte {
		return (*Stream)(unsafe.Add(unsafe.Pointer(first), uintptr(i)*stride)).IV
	})
}
