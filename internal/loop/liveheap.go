package loop

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// liveEntry is a record of the live heap, 256 bytes like a session or a cached row.
// A collection has to find and follow its pointers; a live heap without
// pointers would cost it nothing.
type liveEntry struct {
	next, other *liveEntry
	_           [30]uint64
}

const liveEntryBytes = 256 + 8 // with its place in the table

// liveHeap is the data of the server that a scenario stands for. The heap is the
// process's, so the scenarios of a worker share one: the first that measures
// builds it, and when the last that was opened for it is closed it is given back
// to the system.
type liveHeap struct {
	mu    sync.Mutex
	users int   // scenarios that were opened with a live heap, and not closed
	built int64 // its size; 0 while there is none
	table []*liveEntry
}

var live liveHeap

func (h *liveHeap) hold(bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if bytes > 0 {
		h.users++
	}
}

// build makes the heap hold so many live bytes, where it does not yet and memory can
// hold them; room is how much is available, 0 where that is unknown.
func (h *liveHeap) build(bytes int64, room func() int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.built == bytes:
		return nil
	case h.built != 0:
		return reason.New("heap-groups", h.built, bytes)
	}
	if err := heapFits(bytes, room); err != nil {
		return err
	}
	// Collections of a heap that only grows would be most of the work.
	percent := debug.SetGCPercent(-1)
	h.table = growHeap(int(bytes / liveEntryBytes))
	debug.SetGCPercent(percent)
	h.built = bytes
	return nil
}

// release takes back a hold. With the last the heap goes, so that the groups that follow
// have neither its marking nor its memory.
func (h *liveHeap) release(bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if bytes == 0 {
		return
	}
	if h.users--; h.users == 0 && h.built > 0 {
		h.table, h.built = nil, 0
		debug.FreeOSMemory()
	}
}

// growHeap makes n entries on all CPUs. Each points to the one before it and to one
// further back, as lists and trees do; from the table GC's workers start side by side.
func growHeap(n int) []*liveEntry {
	table := make([]*liveEntry, n)
	parts := runtime.GOMAXPROCS(0)
	_ = atOnce(parts, func(part int) error { // which can't fail
		own := table[n*part/parts : n*(part+1)/parts]
		for i := range own {
			own[i] = new(liveEntry)
			if i > 0 {
				own[i].next, own[i].other = own[i-1], own[i*7919%i]
			}
		}
		return nil
	})
	return table
}

// spareBytes is what a worker needs besides the live heap and its garbage.
const spareBytes = 64 << 20

// heapFits says why the process can't hold so many live bytes, nil where it can.
// Between collections the heap grows by GOGC percent of what lives, and a tenth
// is for what the pacer overshoots and the allocator can't fill.
func heapFits(bytes int64, room func() int64) error {
	const mostPercent = 100_000 // off reads as the greatest number there is
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(s)
	percent, limit := s[0].Value.Uint64(), int64(min(s[1].Value.Uint64(), math.MaxInt64))
	if percent > mostPercent {
		return provider.Unsupported("gogc-off")
	}
	need := int64(float64(bytes)*(1+float64(percent)/100)*1.1) + spareBytes
	if limit < need {
		return provider.Unsupported("heap-limit", mebibytes(bytes), mebibytes(need), percent, mebibytes(limit))
	}
	if room != nil {
		if free := room(); free > 0 && free < need {
			return provider.Unsupported("heap-memory", mebibytes(bytes), mebibytes(need), percent, mebibytes(free))
		}
	}
	return nil
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
