// Package bulkhash is the timed loop of hashing many messages at once, in the ways that
// people call a hash function: one after the other, through a sync.Pool, a goroutine
// for each message, worker pools, and in lanes.
//
//	bulkhash.go   what a case is, the ways, and opening one
//	ways.go       the ways that take goroutines
//	operation.go  the operation, its judgement and its memory, and what operations share
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

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

type Digest interface{ [16]byte | [32]byte }

func SizeOf[D Digest]() int {
	var d D
	return len(d)
}

// Loop hashes messages one after the other, or in lanes, into as many digests.
type Loop[D Digest] func(digests []D, messages [][]byte)

// Loops are what a library brings for a case; a way without a loop is not offered.
type Loops[D Digest] struct {
	// Alone and Strings do the whole call in the measuring goroutine, by way.
	Alone   map[parameter.Manner]Loop[D]
	Strings map[parameter.Manner]func(digests []D, messages []string)
	// Each makes the loop of one goroutine, which is given a part of the messages at a
	// time. It is called once for each goroutine that lives as long as the operation,
	// and once for all of those that live for a call.
	Each func() Loop[D]
	// Close gives back what Each made, also where opening fails; may be nil.
	Close func()
}

func Sums[D Digest](loop Loop[D]) Loops[D] {
	return Loops[D]{
		Alone: map[parameter.Manner]Loop[D]{parameter.Sum: loop},
		Each:  func() Loop[D] { return loop },
	}
}

type goroutines int

const (
	one     goroutines = iota // the measuring one
	all                       // one for each message
	counted                   // as many as the case says
	fed                       // as many, which a channel feeds in batches
)

var ways = map[parameter.Manner]struct {
	goroutines
	note string
}{
	parameter.New: {one, "for each New, Write and Sum(nil); " +
		"New is called directly, so that the state stays on the stack"},
	parameter.Sum:  {one, "for each the function that hashes one message"},
	parameter.Pool: {one, "for each a state out of a sync.Pool, Reset, Write, Sum(nil), and back"},
	parameter.PoolBuffer: {one, "for each a state out of a sync.Pool, Reset, Write, Sum into a buffer " +
		"that is reused, and back"},
	parameter.StringCopy: {one, "they are strings, and []byte(s) is hashed"},
	parameter.StringView: {one, "they are strings, and hashed in place (unsafe.StringData)"},
	parameter.Lanes:      {one, "in one call, on one core"},
	parameter.Spawn:      {all, "a goroutine for each, all started at once"},
	parameter.Counter:    {counted, "%[1]d goroutines that live on take one at a time from an atomic counter"},
	parameter.Split:      {counted, "%[1]d goroutines, started in the call, a range of the messages each"},
	parameter.Channel: {fed, "%[1]d goroutines that live on take %[2]d at a time from a channel with room for " +
		"%[3]d such items; only the start index of each batch is sent"},
}

// channelRoom is how many items a channel holds: a few, as people make them.
const channelRoom = 128

type Shape struct {
	Bytes    int64 // of a call: all messages
	Messages int64
	Way      parameter.Manner
	Workers  int // goroutines, where the way has a number of them
	Batch    int // messages an item of the channel
}

func (s Shape) Size() int64 { return s.Bytes / max(s.Messages, 1) }

func (s Shape) Parallel() bool { return ways[s.Way].goroutines != one }

func (s Shape) Parameters() string {
	p := parameter.Join(parameter.Messages.Is(s.Messages), parameter.Way.Is(s.Way))
	if s.Workers > 0 {
		p = parameter.With(p, parameter.Workers.Is(s.Workers))
	}
	if s.Batch > 0 {
		p = parameter.With(p, parameter.Batch.Is(s.Batch))
	}
	return p
}

func ShapeOf(c result.Case) (Shape, error) {
	p := c.Parameters
	s := Shape{Bytes: c.Bytes, Way: parameter.Way.In(p), Messages: parameter.Messages.In(p),
		Workers: parameter.Workers.In(p), Batch: parameter.Batch.In(p)}
	way, known := ways[s.Way]
	switch {
	case c.Operation != algorithm.HashMany, c.Mode != "", !known, s.Messages == 0, s.Parameters() != p,
		(way.goroutines >= counted) != (s.Workers > 0), (way.goroutines == fed) != (s.Batch > 0):
		return Shape{}, provider.Absent("parameters", algorithm.HashMany, "messages=N,way=WAY[,workers=N][,batch=N]", p)
	case c.Bytes < s.Messages || c.Bytes%s.Messages != 0:
		return Shape{}, provider.Unsupported("messages-even", s.Messages, c.Bytes)
	}
	return s, nil
}

// Material is the case of whose vector a case has its messages and digests: who
// computes them, and how, changes neither.
func Material(c result.Case) (result.Case, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return c, err
	}
	c.Parameters = parameter.Messages.Is(s.Messages)
	return c, nil
}

// Open prepares a case that a policy allows. The algorithm is the caller's to judge.
func Open[D Digest](c result.Case, vs provider.Vectors, shared *Shared, loops Loops[D],
	allowed func(result.Case) error) (op provider.Operation, err error) {
	if loops.Close == nil {
		loops.Close = func() {}
	}
	defer func() {
		if err != nil {
			loops.Close()
		}
	}()
	if way := parameter.Way.In(c.Parameters); loops.Alone[way] == nil && loops.Strings[way] == nil &&
		(ways[way].goroutines == one || loops.Each == nil) {
		return nil, provider.Absent("not-offered", algorithm.HashMany, parameter.Way.Is(way))
	}
	s, err := ShapeOf(c)
	if err != nil {
		return nil, err
	}
	v, err := provider.VectorOf(c, vs, allowed)
	if err != nil {
		return nil, err
	}
	if want := int64(SizeOf[D]()) * s.Messages; int64(len(v.Digest)) != want || int64(len(v.Plaintext)) != c.Bytes {
		return nil, fmt.Errorf("bulkhash: internal error: %d bytes of digests for %d messages, and %d bytes of these",
			len(v.Digest), s.Messages, len(v.Plaintext))
	}
	return newOperation(s, v, shared, loops)
}

func Note(c result.Case) string {
	s, err := ShapeOf(c)
	if err != nil {
		return ""
	}
	note := ways[s.Way].note
	if s.Workers > 0 {
		note = fmt.Sprintf(note, s.Workers, s.Batch, channelRoom)
	}
	return fmt.Sprintf("one call hashes %d messages of %d bytes; ", s.Messages, s.Size()) + note
}
