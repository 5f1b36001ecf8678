package plan

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// GoroutineRoom is about how much memory a group's goroutines take: each has a
// histogram, a stack, and the buffer that it seals into.
func GoroutineRoom(g Group) (bytes int64) {
	for _, t := range g.Trials {
		bytes += int64(parameter.Goroutines.In(t.Case.Parameters)) * (48<<10 + t.Case.Bytes + t.Case.Bytes/2)
	}
	return bytes
}

// MessageRoom is about how much memory a group's messages, their digests and the
// goroutines for them take, in all of its workers. Of goroutines for each message
// fewer than half were seen to live at once: many end while others are started.
func MessageRoom(g Group) (bytes int64) {
	const header, digest, goroutine = 40, 32, 1 << 10
	seen := map[WorkerKey]bool{}
	for _, t := range g.Trials {
		n := parameter.Messages.In(t.Case.Parameters)
		if n == 0 || t.Case.Operation != algorithm.HashMany {
			continue
		}
		if key := t.Worker(); !seen[key] {
			seen[key] = true
			bytes += t.Case.Bytes + n*header
		}
		bytes += n * digest
		if parameter.Way.In(t.Case.Parameters) == parameter.Spawn {
			bytes += n * goroutine
		}
	}
	return bytes
}
