package bulkhash

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Operation is the operation of cases that hash many messages.
const Operation = "hash-many"

// The ways to hash many messages.
const (
	New        = "new"         // New, Write, Sum(nil)
	Sum        = "sum"         // md5.Sum and its like
	Pool       = "pool"        // sync.Pool, Sum(nil)
	PoolBuffer = "pool-buffer" // sync.Pool, Sum into a buffer
	StringCopy = "string-copy" // of strings, copied into a slice
	StringView = "string-view" // of strings, in place
	Spawn      = "spawn"       // a goroutine each
	Channel    = "channel"     // a worker pool, batch messages an item
	Counter    = "counter"     // a worker pool that takes the next message from a counter
	Split      = "split"       // a range each
	Lanes      = "lanes"       // many at once on one core
)

// alone are the ways of one goroutine.
var alone = []string{New, Sum, Pool, PoolBuffer, StringCopy, StringView, Lanes}

// Shape is what a case asks for.
type Shape struct {
	Bytes    int64 // of a call: all messages
	Messages int64
	Way      string
	Workers  int // goroutines, where the way has a number of them
	Batch    int // messages an item of the channel
}

// The bounds of a case.
const (
	MostMessages = 10_000_000
	mostWorkers  = 1 << 12
	mostBatch    = 1 << 16
	// channelRoom is how many items a channel holds: a few, as people make them.
	channelRoom = 128
)

// Size is how long each message is.
func (s Shape) Size() int64 { return s.Bytes / max(s.Messages, 1) }

// Parallel says whether several goroutines do the work.
func (s Shape) Parallel() bool { return !slices.Contains(alone, s.Way) }

// Parameters names a shape canonically, but for its bytes.
func (s Shape) Parameters() string {
	p := result.Parameters{"messages": strconv.FormatInt(s.Messages, 10), "way": s.Way}
	if s.Workers > 0 {
		p["workers"] = strconv.Itoa(s.Workers)
	}
	if s.Batch > 0 {
		p["batch"] = strconv.Itoa(s.Batch)
	}
	return p.String()
}

// ShapeOf reads a case.
func ShapeOf(c result.Case) (Shape, error) {
	p, err := result.ParseParameters(c.Parameters)
	if c.Operation != Operation || c.Mode != "" || err != nil {
		return Shape{}, provider.Absent("parameters", Operation, "messages=N,way=WAY", c.Parameters)
	}
	s := Shape{Bytes: c.Bytes, Way: p["way"], Messages: number(p["messages"], MostMessages),
		Workers: int(number(p["workers"], mostWorkers)), Batch: int(number(p["batch"], mostBatch))}
	several := s.Parallel() && s.Way != Spawn
	switch {
	case s.Parallel() && !slices.Contains([]string{Spawn, Channel, Counter, Split}, s.Way),
		s.Messages == 0, several != (s.Workers > 0), (s.Way == Channel) != (s.Batch > 0), s.Parameters() != c.Parameters:
		return Shape{}, provider.Absent("parameters", Operation, "messages=N,way=WAY[,workers=N][,batch=N]", c.Parameters)
	case c.Bytes < s.Messages || c.Bytes%s.Messages != 0:
		return Shape{}, provider.Unsupported("messages-even", s.Messages, c.Bytes)
	}
	return s, nil
}

// number reads a whole number of 1 to most, in its canonical form; 0 for any other text.
func number(text string, most int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > most || strconv.FormatInt(n, 10) != text {
		return 0
	}
	return n
}

// Material is the case of whose vector a case has its messages and digests: who
// computes them, and how, changes neither.
func Material(c result.Case) (result.Case, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return c, err
	}
	c.Parameters = result.Parameters{"messages": strconv.FormatInt(s.Messages, 10)}.String()
	return c, nil
}

// MessagesOf is how many messages the material of a case has; 0 where it is none.
func MessagesOf(c result.Case) int64 {
	if c.Operation != Operation {
		return 0
	}
	return number(c.Parameter("messages"), MostMessages)
}
