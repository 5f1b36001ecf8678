package measure

import (
	"errors"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// Hangs counts the calls that never returned, by library. Each is waited for as long
// as an honest call could take, so a library that hangs is given up after two: else
// every row of it would cost that wait again.
type Hangs struct {
	mu    sync.Mutex
	calls map[hanging]int
}

// hanging is a library, by whatever path it is called.
type hanging struct{ library, version string }

const mostHangs = 2

// Note counts an error of a call to a library's worker where it is one that never
// returned.
func (h *Hangs) Note(k plan.WorkerKey, err error) {
	if died, ok := errors.AsType[*worker.Died](err); !ok || !died.Hung {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls == nil {
		h.calls = map[hanging]int{}
	}
	h.calls[hanging{k.Library, k.Version}]++
}

// GivenUp says that nothing more is asked of a library.
func (h *Hangs) GivenUp(k plan.WorkerKey) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls[hanging{k.Library, k.Version}] >= mostHangs
}
