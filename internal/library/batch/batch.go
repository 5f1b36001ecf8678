// Package batch is the timed loop of many short messages that are authenticated or encrypted in one call, under
// one key or several: as services check tokens, sign webhooks, and seal the records of sessions.
//
// A call writes the MAC or ciphertext of the i-th message into the i-th place. Messages are as long as each other, and
// all different, and so are the keys; the i-th message is under the key of that number, counted around.
// The MACs are 32 bytes. What one call does is told by the thread's CPU time.
package batch

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// KeySize and MACSize are in bytes.
const (
	KeySize = 32
	MACSize = 32
)

type Batch struct{ Keys, Messages [][]byte }

func (b Batch) Key(message int) int { return message % len(b.Keys) }

// A Maker prepares the call that writes the MACs of a batch: keys may be made ready before.
type Maker func(Batch) func(macs [][MACSize]byte)

// notes say what a call does, by way.
var notes = map[parameter.Manner]string{
	parameter.New:   "for each hmac.New, Write and Sum into its place",
	parameter.Kept:  "the keys are set before; for each Reset, Write and Sum into its place",
	parameter.Lanes: "the keys are made ready before; all in one call, on one core",
}

type Shape struct {
	Bytes          int64 // of a call: all messages
	Messages, Keys int64
	Way            parameter.Manner
}

func (s Shape) Size() int64 { return s.Bytes / max(s.Messages, 1) }

func (s Shape) Parameters() string {
	return parameter.Join(parameter.Keys.Is(s.Keys), parameter.Messages.Is(s.Messages), parameter.Way.Is(s.Way))
}

// notesOf are those of what a case does with its messages, or none if that isn't done to many.
func notesOf(c result.Case) map[parameter.Manner]string {
	switch {
	case c.Operation == algorithm.MACMany && c.Mode == "":
		return notes
	case c.Operation == algorithm.EncryptMany && (c.Mode == algorithm.GCM || c.Mode == algorithm.CBC):
		return textNotes
	}
	return nil
}

// ShapeOf reads a case of [algorithm.MACMany] or [algorithm.EncryptMany].
func ShapeOf(c result.Case) (Shape, error) {
	p := c.Parameters
	s := Shape{Bytes: c.Bytes, Messages: parameter.Messages.In(p), Keys: parameter.Keys.In(p), Way: parameter.Way.In(p)}
	switch {
	case notesOf(c)[s.Way] == "", s.Messages == 0, s.Keys == 0, s.Keys > s.Messages,
		s.Parameters() != p:
		return Shape{}, provider.Absent("parameters", c.Operation, "keys=N,messages=N,way=new|kept|lanes", p)
	case c.Bytes < s.Messages || c.Bytes%s.Messages != 0:
		return Shape{}, provider.Unsupported("messages-even", s.Messages, c.Bytes)
	}
	return s, nil
}

// Material is the case of whose vector a case has its keys, messages and MACs: how these are computed
// changes none of them.
func Material(c result.Case) (result.Case, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return c, err
	}
	c.Parameters = parameter.Join(parameter.Keys.Is(s.Keys), parameter.Messages.Is(s.Messages))
	return c, nil
}

// opening is the shape and the vector of a case that a policy allows, and what a library has for its way.
func opening[M any](c result.Case, vs provider.Vectors, of string, makers map[parameter.Manner]M,
	allowed func(result.Case) error) (s Shape, maker M, v *provider.Vector, err error) {
	if s, err = ShapeOf(c); err != nil {
		return s, maker, nil, err
	}
	maker, ok := makers[s.Way]
	if !ok {
		return s, maker, nil, provider.Absent("not-offered", of, parameter.Way.Is(s.Way))
	}
	if err := allowed(c); err != nil {
		return s, maker, nil, err
	}
	v, err = vs.Vector(c)
	return s, maker, v, err
}

// Open prepares a case that a policy allows. The algorithm is the caller's to judge.
func Open(c result.Case, vs provider.Vectors, makers map[parameter.Manner]Maker,
	allowed func(result.Case) error) (provider.Operation, error) {
	s, maker, v, err := opening(c, vs, algorithm.MACMany, makers, allowed)
	if err != nil {
		return nil, err
	}
	if len(v.Plaintext) != int(s.Bytes) || len(v.Key) != int(s.Keys)*KeySize || len(v.Digest) != int(s.Messages)*MACSize {
		return nil, fmt.Errorf("batch: internal error: %d bytes of keys, %d of messages and %d of MACs",
			len(v.Key), len(v.Plaintext), len(v.Digest))
	}
	b := Batch{Keys: slices.Collect(slices.Chunk(v.Key, KeySize)),
		Messages: slices.Collect(slices.Chunk(v.Plaintext, int(s.Size())))}
	call, macs := maker(b), make([][MACSize]byte, s.Messages)
	flat := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(macs))), len(macs)*MACSize)
	return newOperation(func() { call(macs) }, bulkhash.Judge, MACSize, flat, v.Digest), nil
}

func Note(c result.Case) string {
	s, err := ShapeOf(c)
	if err != nil {
		return ""
	}
	if c.Operation == algorithm.EncryptMany {
		return fmt.Sprintf("one call encrypts %d messages of %d bytes under %d keys of %d; ", s.Messages, s.Size(), s.Keys,
			algorithm.Of(c.Algorithm).Key) + textNotes[s.Way]
	}
	return fmt.Sprintf("one call authenticates %d messages of %d bytes under %d keys of %d; ", s.Messages, s.Size(), s.Keys, KeySize) +
		notes[s.Way]
}

// operation makes the same call again and again, which writes got.
type operation struct {
	call      func()
	judge     func(got, want []byte, size int) error
	size      int // of an output
	got, want []byte
	ran       bool
}

func newOperation(call func(), judge func(got, want []byte, size int) error, size int, got, want []byte) *operation {
	o := &operation{call: call, judge: judge, size: size, got: got, want: want}
	o.spoil()
	return o
}

func (o *operation) Run(n int) error {
	o.ran = n > 0
	for range n {
		o.call()
	}
	return nil
}

func (o *operation) Check() error {
	if !o.ran {
		return reason.New("not-run")
	}
	o.ran = false
	defer o.spoil()
	return o.judge(o.got, o.want, o.size)
}

// spoil makes every output wrong, so that nothing passes that was not computed anew.
func (o *operation) spoil() {
	for i := range o.got {
		o.got[i] = ^o.want[i]
	}
}

func (o *operation) Loop() string { return "batch" }

func (o *operation) Close() error { return nil }
