// Package loop has the timed loops, written once for all libraries, one file per kind
// of primitive, and the scenarios:
//
//	timed.go    the operation that all loops in Go are, and how its output is judged
//	cipher.go   block ciphers: blocks, ECB, CBC, key streams, key schedules; hashes
//	aead.go     authenticated encryption, of one message or many; one-call helpers; encrypt-then-MAC as an AEAD
//	modes.go    a block cipher under all modes of crypto/cipher
//	keys.go     signatures, encryption under public keys, agreement, envelopes; key generation, also as single draws
//	exchange.go key exchange in steps, KEMs among them, and two of them as one
//	parallel.go many goroutines that share the calls; goroutines.go: how they hold a cipher; and every CPU busy
//	foreign.go  operations whose n calls one function makes, in Go or not
//	empty.go    the same loops around nothing: the laboratory's own cost
//	exposure.go what a mode gives away
//	arrival.go  latency of requests that arrive at a constant rate
//	gc.go       what garbage costs, beside a live heap (liveheap.go)
//
// A library's package supplies constructors in the shapes of the standard
// library (cipher.Block, cipher.Stream, cipher.AEAD, hash.Hash) and picks a loop
// for each case; one that must write its own loop has it judged as a Foreign.
package loop

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// timed is the operation of every loop in Go.
type timed struct {
	output
	loop   string
	run    func(n int) error     // n calls, back to back
	judge  func() error          // of what the last of them left; nil: the output is compared
	refuse func(round int) error // proves that what was tampered with is refused; nil: nothing is opened
	ran    bool                  // since the last check
	checks int
}

func (o *timed) Run(n int) error {
	o.ran = n > 0
	return o.run(n)
}

func (o *timed) Check() error {
	if !o.ran {
		return provider.ErrNotRun
	}
	o.ran = false
	judge := o.judge
	if judge == nil {
		judge = o.output.judge
	}
	if err := judge(); err != nil || o.refuse == nil {
		return err
	}
	o.checks++
	return o.refuse(o.checks - 1)
}

func (o *timed) Close() error { return nil }
func (o *timed) Loop() string { return o.loop }

// compared is an operation whose output must be want.
func compared(loop string, want []byte) *timed {
	return &timed{loop: loop, output: placedOutput(want, 0)}
}

// accepted is an operation whose output differs from call to call, or is no bytes: the
// judge is given it, once, and accepts it or says what is wrong. It makes the same call
// again and again.
func accepted[T any](loop string, call func(in []byte) (T, error), in []byte, judge func(T) error) *timed {
	last := new(T)
	return &timed{loop: loop, run: calls(last, call, in, asItIs), judge: func() error {
		got := *last
		*last = *new(T)
		return judge(got)
	}}
}

// calls is the loop of a function that returns its output; failed words the error of
// the call of a number.
func calls[T any](last *T, call func(in []byte) (T, error), in []byte,
	failed func(i, n int, err error) error) func(n int) error {
	return func(n int) error {
		for i := range n {
			got, err := call(in)
			if err != nil {
				return failed(i+1, n, err)
			}
			*last = got
		}
		return nil
	}
}

func asItIs(_, _ int, err error) error { return err }

// output is the buffer that an operation's calls write, and what it must hold.
type output struct {
	got  []byte // what the last call left
	want []byte // according to the judge; shared, never written
	tag  int    // how many bytes at the end of want are an authentication tag
}

// newOutput has room for size bytes, and is spoiled, so that an operation that does
// nothing can't pass by luck.
func newOutput(want []byte, size int) output {
	return spoiled(make([]byte, len(want), max(size, len(want))), want)
}

// placedOutput is newOutput for the one output of an operation: it lies in its page as want does (provider.PlaceOf).
func placedOutput(want []byte, size int) output {
	return spoiled(provider.PlacedLike(want, len(want), max(size, len(want))), want)
}

func spoiled(got, want []byte) output {
	o := output{got: got, want: want}
	o.spoil()
	return o
}

// judge spoils the output whatever the judgement is.
func (o *output) judge() error {
	defer o.spoil()
	return compare(o.got, o.want, o.tag)
}

func judgeAll(outputs []output) (at int, wrong error) {
	for i := range outputs {
		if err := outputs[i].judge(); err != nil && wrong == nil {
			at, wrong = i, err
		}
	}
	return at, wrong
}

func (o *output) spoil() { spoil(o.got, o.want) }

func spoil(got, want []byte) {
	clear(got)
	for i := range min(len(got), len(want)) {
		got[i] = ^want[i]
	}
}

// compare says where got is not want, of which the last tag bytes are a tag.
func compare(got, want []byte, tag int) error {
	if bytes.Equal(got, want) {
		return nil
	}
	if len(got) != len(want) {
		return reason.New("length", len(got), len(want))
	}
	at, body := 0, len(want)-tag
	for got[at] == want[at] {
		at++
	}
	switch {
	case tag == 0:
		return reason.New("wrong-from", at, fmt.Sprintf("%#02x", got[at]), fmt.Sprintf("%#02x", want[at]))
	case at >= body:
		return reason.New("tag-wrong", at, at-body)
	case bytes.Equal(got[body:], want[body:]):
		return reason.New("body-wrong", at)
	}
	return reason.New("body-and-tag-wrong", at)
}

// refuses proves that open returns an error for a sealed text with one bit of
// its tag flipped, and for one with one bit of its body flipped.
func refuses(sealed []byte, tag, round int, open func([]byte) error) error {
	body := len(sealed) - tag
	if tag <= 0 || body < 0 {
		return reason.New("no-tag")
	}
	for _, part := range []struct {
		name         result.Cause
		offset, size int
	}{{reason.Cause("tag"), body, tag}, {reason.Cause("body"), 0, body}} {
		if part.size == 0 {
			continue
		}
		at, refused, crash := flipped(sealed, part.offset, part.size, round, open)
		switch {
		case crash != nil:
			return reason.New("opening-flipped", part.name, at, crash)
		case !refused:
			return reason.New("tampered-opened", part.name, at)
		}
	}
	return nil
}

// tamperedBytes is how many bytes at the end of a text a bit is flipped in: those
// of a number and not of the encoding around it, so that the refusal is the
// scheme's and not the parser's.
const tamperedBytes = 16

// tampered proves that a call returns an error for a text with one bit flipped
// near its end.
func tampered(what result.Cause, text []byte, round int, call func([]byte) error) error {
	tail := min(tamperedBytes, len(text))
	if tail == 0 {
		return reason.New("empty-part", what)
	}
	at, refused, crash := flipped(text, len(text)-tail, tail, round, call)
	switch {
	case crash != nil:
		return reason.New("given-flipped", what, at, crash)
	case !refused:
		return reason.New("tampered-accepted", what, at)
	}
	return nil
}

// flipped gives a call a text with one bit of size bytes flipped, and says in which
// byte. Which bit follows from round, so that repeated checks try others.
func flipped(text []byte, offset, size, round int, call func([]byte) error) (at int, refused bool, crash error) {
	bit := round * 37 % (8 * size)
	at = offset + bit/8
	changed := slices.Clone(text)
	changed[at] ^= 1 << (bit % 8)
	err := provider.Guard(func() error { return call(changed) })
	if p, panicked := errors.AsType[*provider.Panic](err); panicked {
		return at, false, p
	}
	return at, err != nil, nil
}

func metric(r *result.Record, name, unit string, value float64) {
	r.Metrics = append(r.Metrics, result.Metric{Name: name, Value: value, Unit: unit})
}
