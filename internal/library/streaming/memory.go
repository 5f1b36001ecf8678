package streaming

import (
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/library/peak"
)

// What streaming takes is told in two parts. The buffers of a stream are counted
// when they are made; of the compressor, which does not tell, by what came to the
// heap, where small objects may be counted late. Whatever else the process comes to hold while
// its streams run is the growth of its peak of resident memory since the last
// stream was opened: the baseline holds what the streams read, are judged by and,
// in memory, write to, and it holds their buffers, so these are not counted twice.
// The growth is of all streams that are open in the process, so for each of them it
// is an upper bound. The kernel counts pages in batches, so it is exact to about
// 100 KiB a CPU. Pages of the page cache are nobody's.

// watch follows the peak of the process's resident memory.
type watch struct {
	mu    sync.Mutex
	base  int64
	last  int64
	known bool        // the kernel lets the peak be followed
	moved atomic.Bool // something ran since it was last read
}

var resident watch

func (w *watch) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.base, w.known = peak.Restart()
	w.last = 0
	w.moved.Store(false)
}

func (w *watch) working() { w.moved.Store(true) }

// grown is by how much the peak exceeds the baseline. What happens between two
// streams, such as a check, is not the streams': once read, the growth stands until
// one runs again.
func (w *watch) grown() (int64, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known && w.moved.Swap(false) {
		most, ok := peak.Read()
		w.known = ok
		w.last = max(w.last, most-w.base, 0)
	}
	return w.last, w.known
}

func allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
