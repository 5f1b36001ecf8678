package treehash

import (
	"errors"
	"sync"
	"syscall"
	"time"
)

// exhausted says whether an error is that there are no more descriptors, for the process or the machine.
func exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// descriptors counts what the source and the readers of long files have open, and are about to. These are
// descriptors of the process, of which there may be few (ulimit -n).
type descriptors struct {
	mu   sync.Mutex
	back *sync.Cond // one that was counted is so no longer
	used int
}

// take opens. When nothing is left it waits until others have closed what they had, as long as there are any.
// open may take its time, so that it isn't called under the lock.
func (d *descriptors) take(open func() error) (release func(), err error) {
	for alone := 0; alone < mostAlone; {
		d.add(1)
		if err = open(); err == nil {
			return func() { d.add(-1) }, nil
		}
		others := d.add(-1)
		if !exhausted(err) {
			return nil, err
		} else if others > 0 {
			d.wait()
			continue
		}
		alone++
		time.Sleep(aMoment) // Go's runtime opens files, too, and closes them again
	}
	return nil, err
}

// So often it is tried again where nobody else has anything open.
const (
	mostAlone = 5
	aMoment   = 2 * time.Millisecond
)

func (d *descriptors) add(n int) (used int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used += n
	if n < 0 {
		d.back.Broadcast()
	}
	return d.used
}

// wait waits for the next that is closed.
func (d *descriptors) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.used > 0 {
		d.back.Wait()
	}
}
