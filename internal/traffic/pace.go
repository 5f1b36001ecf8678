package traffic

import (
	"context"
	"time"
)

// pace waits for moments after its beginning.
type pace interface {
	// until waits for a moment; false where ctx ends before it.
	until(ctx context.Context, due time.Duration) bool
	// exactly waits for a moment that is near.
	exactly(due time.Duration)
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

// exactly looks at the clock until it is time: whoever sleeps is late by as long as waking takes.
func (c clocked) exactly(due time.Duration) {
	for c.now() < due {
	}
}

// mostLead is longer than a thread takes to wake, as a rule.
const mostLead = 250 * time.Microsecond

// leadAt is how long before it is due a request is handed out, and who sends it watches the clock. A thread that
// sleeps takes 50 µs and more to wake, two of them one after the other twice that. It may take a fifth of a CPU, and
// nothing where there is one CPU alone, which the watching would take from who reads the answers.
func leadAt(rate float64, cpus int) time.Duration {
	const share = 0.2
	if cpus < 2 {
		return 0
	}
	return min(mostLead, time.Duration(share*float64(time.Second)/rate))
}
