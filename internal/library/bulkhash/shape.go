package bulkhash

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// alone are the ways of one goroutine, and several those that have a number of them.
var (
	alone = []parameter.Manner{parameter.New, parameter.Sum, parameter.Pool, parameter.PoolBuffer,
		parameter.StringCopy, parameter.StringView, parameter.Lanes}
	several = []parameter.Manner{parameter.Channel, parameter.Counter, parameter.Split}
)

// Shape is what a case asks for.
type Shape struct {
	Bytes    int64 // of a call: all messages
	Messages int64
	Way      parameter.Manner
	Workers  int // goroutines, where the way has a number of them
	Batch    int // messages an item of the channel
}

// channelRoom is how many items a channel holds: a few, as people make them.
const channelRoom = 128

// Size is how long each message is.
func (s Shape) Size() int64 { return s.Bytes / max(s.Messages, 1) }

// Parallel says whether several goroutines do the work.
func (s Shape) Parallel() bool { return !slices.Contains(alone, s.Way) }

// Parameters names a shape canonically, but for its bytes.
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

// ShapeOf reads a case.
func ShapeOf(c result.Case) (Shape, error) {
	if c.Operation != algorithm.HashMany || c.Mode != "" {
		return Shape{}, provider.Absent("parameters", algorithm.HashMany, "messages=N,way=WAY", c.Parameters)
	}
	p := c.Parameters
	s := Shape{Bytes: c.Bytes, Way: parameter.Way.In(p), Messages: parameter.Messages.In(p),
		Workers: parameter.Workers.In(p), Batch: parameter.Batch.In(p)}
	many := slices.Contains(several, s.Way)
	switch {
	case !many && s.Way != parameter.Spawn && !slices.Contains(alone, s.Way), s.Messages == 0,
		many != (s.Workers > 0), (s.Way == parameter.Channel) != (s.Batch > 0), s.Parameters() != p:
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

// MessagesOf is how many messages the material of a case has; 0 where it is none.
func MessagesOf(c result.Case) int64 {
	if c.Operation != algorithm.HashMany {
		return 0
	}
	return parameter.Messages.In(c.Parameters)
}
