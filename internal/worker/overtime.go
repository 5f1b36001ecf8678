package worker

import (
	"context"
	"errors"
	"time"
)

// A worker that waits for a CPU does not hang, and on a machine with many times more to do than it has
// CPUs an honest answer is late for nothing else. So one whose time is up gets a share of it again, of
// which the time that it spends in the queue for a CPU does not count.
const (
	overtimeShare = 4 // one part in so many
	overtimeMost  = 4 // but no longer than so many times the time that it had,
	overtimeBound = 30 * time.Second
	overtimeLook  = 50 * time.Millisecond
)

// overtime waits for the answer to a request that was made at begun and whose time is up. Open is false
// where the worker ended instead, and answered where it did neither.
func (p *Process) overtime(ctx context.Context, begun time.Time) (line []byte, open, answered bool) {
	end, timed := ctx.Deadline()
	if !timed || p.queued == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, false, false
	}
	had := end.Sub(begun)
	queued, start := p.queued(), time.Now()
	for look := time.NewTicker(overtimeLook); ; {
		select {
		case line, open = <-p.lines:
			look.Stop()
			return line, open, true
		case <-look.C:
			over := time.Since(start)
			if over >= min(overtimeMost*had, overtimeBound) || over-queued() >= had/overtimeShare {
				look.Stop()
				return nil, false, false
			}
		}
	}
}
