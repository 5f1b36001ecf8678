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

// A Stream is the buffers of a message of CBC, in the order that the public packages give them.
type Stream struct{ IV, Dst, Src []byte }

// LevelOf looks at n streams, each so many bytes behind the one before, and says whether they are level, and then what
// they write: all texts have one length, whole blocks; outputs and texts ascend from stream to stream; CBC takes each
// stream's buffers; and no output shares a byte with an IV, the stream's own included. Most calls' streams are.
func LevelOf(first *Stream, stride uintptr, n int) (written Ascending, level bool) {
	bytes := len(first.Src)
	if bytes == 0 || bytes%blockSize != 0 {
		return written, false
	}
	at := func(i int) *Stream { return (*Stream)(unsafe.Add(unsafe.Pointer(first), uintptr(i)*stride)) }
	size, end, differ, room, descends := uintptr(bytes), uintptr(0), 0, bytes, false
	start := addressOf(first.Dst)
	// Two loops, for whose variables there are registers enough.
	for i := range n {
		s := at(i)
		differ |= len(s.Src) ^ bytes
		room = min(room, len(s.Dst))
		to, from := addressOf(s.Dst), addressOf(s.Src)
		low, high := min(to, from), max(to, from)
		if low < end {
			descends = true
		}
		if high-low-1 < size-1 {
			return written, false // they overlap, and don't begin together
		}
		start, end = min(start, to), high+size
	}
	if differ != 0 || room < bytes || descends {
		return written, false
	}
	ivs := noStarts
	for i := range n {
		s := at(i)
		differ |= len(s.IV) ^ blockSize
		ivs = ivs.with(unsafe.SliceData(s.IV))
	}
	if differ != 0 {
		return written, false
	}
	written = Ascending{unsafe.Pointer(&first.Dst), stride, n, size, Hull{^start, end}}
	return written, written.Misses(ivs.hull(blockSize), func(i int) []byte { return at(i).IV })
}
