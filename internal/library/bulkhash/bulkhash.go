// Package bulkhash is the timed loop of hashing many messages at once, in the ways that
// people call a hash function: one after the other, through a sync.Pool, a goroutine
// for each message, worker pools, and in lanes.
//
//	bulkhash.go   what a case is, and opening one
//	shape.go      the ways, and what their parameters are
//	ways.go       the ways that take goroutines
//	operation.go  the operation, its judgement and its memory
//	messages.go   the messages, which all operations of a process share
//	file.go       the hash of a file, by the buffer that it is read into
//	goroutines.go what starting goroutines costs
//
// # What a call is
//
// A call hashes all messages of a case, and puts the digest of the i-th into the i-th
// place, whoever computes it and when. Messages are as long as each other, and all
// different, so a digest in the wrong place is as wrong as any. They lie one after
// the other in memory; there may be more of them than caches hold, as in a server.
//
// A library brings its loops ([Loops]): the hash of some messages into as many
// digests, written out with direct calls, since a call through a func variable would
// make what it is given escape to the heap, which is just what some of the ways are
// said to avoid. What is done with goroutines is written once, around these loops.
//
// # Clocks
//
// What one goroutine does is told by the thread's CPU time. Where several work, and
// the measuring one waits for them, the wall clock tells, and the process's CPU time
// stands beside it.
package bulkhash

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Digest is what a hash function gives.
type Digest interface{ [16]byte | [32]byte }

// SizeOf is how many bytes a digest has.
func SizeOf[D Digest]() int {
	var d D
	return len(d)
}

// Loop hashes messages one after the other, or in lanes, into as many digests.
type Loop[D Digest] func(digests []D, messages [][]byte)

// Loops are what a library brings for a case.
type Loops[D Digest] struct {
	// Alone does the whole call in the measuring goroutine; nil where a case's way is
	// one of several goroutines. Strings are the same messages.
	Alone func(digests []D, messages [][]byte, strings []string)
	// Each makes the loop of one goroutine, which is given a part of the messages at a
	// time. It is called once for each goroutine that lives as long as the operation,
	// and once for all of those that live for a call.
	Each func() Loop[D]
	// Close gives back what Each made; may be nil.
	Close func()
}

// Loop is the kind of timed loop.
const LoopKind = "bulk-hash"

// Open prepares a case. The algorithm is the caller's to judge.
func Open[D Digest](c result.Case, vs provider.Vectors, loops Loops[D]) (provider.Operation, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return nil, err
	}
	v, err := vs.Vector(c)
	if err != nil {
		return nil, err
	}
	if want := int64(SizeOf[D]()) * s.Messages; int64(len(v.Digest)) != want || int64(len(v.Plaintext)) != c.Bytes {
		return nil, fmt.Errorf("bulkhash: internal error: %d bytes of digests for %d messages, and %d bytes of these", len(v.Digest), s.Messages, len(v.Plaintext))
	}
	return newOperation(s, v, loops)
}

// Note says what a reader of a row must know: what the way is.
func Note(c result.Case) string {
	s, err := ShapeOf(c)
	if err != nil {
		return ""
	}
	note := fmt.Sprintf("one call hashes %d messages of %d bytes; ", s.Messages, s.Size())
	switch s.Way {
	case parameter.New:
		return note + "for each New, Write and Sum(nil); New is called directly, so that the state stays on the stack"
	case parameter.Sum:
		return note + "for each the function that hashes one message"
	case parameter.Pool:
		return note + "for each a state out of a sync.Pool, Reset, Write, Sum(nil), and back"
	case parameter.PoolBuffer:
		return note + "for each a state out of a sync.Pool, Reset, Write, Sum into a buffer that is reused, and back"
	case parameter.StringCopy:
		return note + "they are strings, and []byte(s) is hashed"
	case parameter.StringView:
		return note + "they are strings, and hashed in place (unsafe.StringData)"
	case parameter.Spawn:
		return note + "a goroutine for each, all started at once"
	case parameter.Channel:
		return note + fmt.Sprintf("%d goroutines that live on take %d at a time from a channel with room for %d such items; what is sent is where they begin", s.Workers, s.Batch, channelRoom)
	case parameter.Counter:
		return note + fmt.Sprintf("%d goroutines that live on take one at a time from an atomic counter", s.Workers)
	case parameter.Split:
		return note + fmt.Sprintf("%d goroutines, started in the call, a range of the messages each", s.Workers)
	case parameter.Lanes:
		return note + "in one call, on one core"
	}
	return note
}
