package provider

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// SessionInfo is the context that session keys are derived in, without a salt; they
// are as long as AES-256's.
const (
	SessionInfo  = "cryptogauge session"
	SessionBytes = 32
)

func Concurrent(c result.Case) bool {
	return parameter.Goroutines.Has(c.Parameters) && c.Operation == algorithm.Encrypt
}

// Alone is the case without what says by how many goroutines, how and at which
// rate it is done: the message is the same.
func Alone(c result.Case) result.Case {
	c.Parameters = parameter.Without(c.Parameters, parameter.Goroutines, parameter.Holding, parameter.Request, parameter.Load, parameter.Rate)
	if c.Operation == algorithm.Arrival {
		c.Operation = algorithm.Encrypt
	}
	return c
}

// AloneOf is a case without parameter.Busy or parameter.Sessions, which have it done on several CPUs, or by callers who
// may wait, at once, each with an operation of its own; and how many it asks for, 0 where it does not.
func AloneOf(c result.Case, several parameter.Number[int]) (alone result.Case, n int) {
	if n = several.In(c.Parameters); n > 0 {
		c.Parameters = parameter.Without(c.Parameters, several)
	}
	return c, n
}

// BuffersOf reads the parameters of a case of the gc scenario, such as
// "buffers=fresh,heap=268435456". It is false for a case of another kind.
func BuffersOf(c result.Case) (buffers parameter.Buffering, heap int64, ok bool) {
	buffers = parameter.Buffers.In(c.Parameters)
	heap, ok = parameter.Heap.Read(c.Parameters)
	return buffers, heap, ok && buffers != "" && parameter.Are(c.Parameters, parameter.Buffers, parameter.Heap)
}

// Plain is a case without what the gc scenario adds to it.
func Plain(c result.Case) result.Case {
	if _, _, ok := BuffersOf(c); ok {
		c.Parameters = ""
	}
	return c
}

// How a message is handed over to a library, as parameters of a case say it:
//
//	call=N,way=W  in calls of at most N bytes, by one of the ways that its interface offers
//	batch=N       with others, N messages in one crossing; the case's bytes are those of all
//
// It changes the time and not the output.

// Handed is the case of a single message, without those parameters; and how many such
// messages one operation takes.
func Handed(c result.Case) (alone result.Case, messages int64) {
	n := int64(parameter.Batch.In(c.Parameters))
	switch {
	case parameter.Are(c.Parameters, parameter.Call, parameter.Way):
		c.Parameters = ""
	case n > 0 && c.Bytes%n == 0 && parameter.Are(c.Parameters, parameter.Batch):
		c.Parameters, c.Bytes = "", c.Bytes/n
		return c, n
	}
	return c, 1
}
