// Package batch is the timed loop of many short messages that are authenticated or encrypted in one call, under
// one key or several: as services check tokens, sign webhooks, and seal the records of sessions.
//
// A call writes the MAC or ciphertext of the i-th message into the i-th place. Messages are as long as each other, and
// all different, and so are the keys; the i-th message is under the key of that number, counted around.
// The MACs are 32 bytes. What one call does is told by the thread's CPU time.
package batch

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/loop"
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

// Batch is what a call is given.
type Batch struct{ Keys, Messages [][]byte }

// Key is that of a message.
func (b Batch) Key(message int) int { return message % len(b.Keys) }

// A Maker prepares the call that writes the MACs of a batch: keys may be made ready before.
type Maker func(Batch) func(macs [][MACSize]byte)

// notes say what a call does, by way.
var notes = map[parameter.Manner]string{
	parameter.New:   "for each hmac.New, Write and Sum into its place",
	parameter.Kept:  "the keys are set before; for each Reset, Write and Sum into its place",
	parameter.Lanes: "the keys are made ready before; all in one call, on one core",
}

// Shape is what a case asks for.
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
	v, err = provider.VectorOf(c, vs, allowed)
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
	return repeated(func() { call(macs) }, bulkhash.Flat(macs), v.Digest, MACSize, bulkhash.Judge)
}

// Note says what a call of a case does.
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

// repeated makes the same call again and again, whose outputs of so many bytes each are judged.
func repeated(call func(), got, want []byte, each int, judge func(got, want []byte, each int) error) (
	provider.Operation, error) {
	return loop.NewForeign(loop.Foreign{
		Loop: "batch",
		Run: func(n int) error {
			for range n {
				call()
			}
			return nil
		},
		Out: got, Want: want,
		Accept: func(got []byte) error { return judge(got, want, each) },
	})
}

// Texts are messages that a call encrypts, each with a nonce or IV of its own and room for its ciphertext and tag.
type Texts struct {
	Batch
	Nonces, Out [][]byte
}

// A TextMaker prepares the call that encrypts texts: keys may be made ready before.
type TextMaker func(Texts) (func(), error)

// textNotes say what a call of [algorithm.EncryptMany] does, by way.
var textNotes = map[parameter.Manner]string{
	parameter.New:      "for each a new cipher and a new mode",
	parameter.Kept:     "the keys are made ready before, one message after the other",
	parameter.Lanes:    notes[parameter.Lanes],
	parameter.LanesNew: "the keys are raw, and scheduled in it; all in one call, on one core",
}

// tagBytes is by how much a ciphertext is longer than its text.
func tagBytes(mode algorithm.Mode) int {
	if mode == algorithm.GCM {
		return 16
	}
	return 0
}

// TextsOf are the messages of a vector of [algorithm.EncryptMany], with its Ciphertext for the output.
func TextsOf(c result.Case, v *provider.Vector) (Texts, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return Texts{}, err
	}
	key, nonce, out := algorithm.Of(c.Algorithm).Key, algorithm.NonceBytes(c.Algorithm, c.Mode), int(s.Size())+tagBytes(c.Mode)
	if len(v.Plaintext) != int(s.Bytes) || len(v.Key) != int(s.Keys)*key || len(v.Nonce) != int(s.Messages)*nonce ||
		len(v.Ciphertext) != int(s.Messages)*out {
		return Texts{}, fmt.Errorf("batch: internal error: %d bytes of keys, %d of nonces, %d of messages and %d of ciphertexts",
			len(v.Key), len(v.Nonce), len(v.Plaintext), len(v.Ciphertext))
	}
	chunks := func(b []byte, n int) [][]byte { return slices.Collect(slices.Chunk(b, n)) }
	return Texts{Batch{chunks(v.Key, key), chunks(v.Plaintext, int(s.Size()))}, chunks(v.Nonce, nonce), chunks(v.Ciphertext, out)}, nil
}

// NewVector has room for the keys, nonces, messages and ciphertexts of a case, which take draws.
func NewVector(c result.Case, take func(n int) []byte) (*provider.Vector, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return nil, err
	}
	n := int(s.Messages)
	return &provider.Vector{Key: take(int(s.Keys) * algorithm.Of(c.Algorithm).Key),
		Nonce: take(n * algorithm.NonceBytes(c.Algorithm, c.Mode)), Plaintext: take(int(s.Bytes)),
		Ciphertext: make([]byte, n*(int(s.Size())+tagBytes(c.Mode)))}, nil
}

// One is the case of one of the messages by itself.
func One(c result.Case) result.Case {
	if s, err := ShapeOf(c); err == nil {
		c.Operation, c.Bytes, c.Parameters = algorithm.Encrypt, s.Size(), ""
	}
	return c
}

// OpenTexts prepares a case of [algorithm.EncryptMany] that a policy allows.
func OpenTexts(c result.Case, vs provider.Vectors, makers map[parameter.Manner]TextMaker,
	allowed func(result.Case) error) (provider.Operation, error) {
	_, maker, v, err := opening(c, vs, c.Name(), makers, allowed)
	if err != nil {
		return nil, err
	}
	own := *v
	own.Ciphertext = bytes.Clone(v.Ciphertext)
	t, err := TextsOf(c, &own)
	if err != nil {
		return nil, err
	}
	call, err := maker(t)
	if err != nil {
		return nil, err
	}
	return repeated(call, own.Ciphertext, v.Ciphertext, len(t.Out[0]), judgeTexts)
}

func judgeTexts(got, want []byte, size int) error {
	if wrong, first := bulkhash.Wrong(got, want, size); wrong > 0 {
		return reason.New("texts-wrong", len(want)/size, wrong, first+1)
	}
	return nil
}
