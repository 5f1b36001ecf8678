package traffic

import (
	"context"
	"time"
)

// pace waits for moments after its beginning.
type pace interface {
	// until waits for a moment; false where ctx ends before it.
	until(ctx context.Context, due time.Duration) bool
	now() time.Duration
}

// clocked is the pace of the clock on the wall.
type clocked struct{ begun time.Time }

func (c clocked) now() time.Duration { return time.Since(c.begun) }

// longest is a piece of waiting: so soon an interrupt is seen.
const longest = 50 * time.Millisecond

func (c clocked) until(ctx context.Context, due time.Duration) bool {
	for {
		if ctx.Err() != nil {
			return false
		}
		left := due - c.now()
		if left <= 0 {
			return true
		}
		sleep(min(left, longest))
	}
}
