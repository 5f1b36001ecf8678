package loop

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// The kinds of timed loops around envelopes.
const (
	LoopEnvelopeSeal = "envelope-seal"
	LoopEnvelopeOpen = "envelope-open"
)

// EnvelopeFunc seals a message for a receiver, or opens what was sealed for the
// caller. It appends to dst, or returns a buffer of the library's own where the
// library takes none.
type EnvelopeFunc func(dst, in []byte) ([]byte, error)

// NewEnvelopeSeal seals the vector's plaintext, again and again, each time as if
// for the first: what is fresh for each message is drawn inside the call. The
// outputs are random; the vector's Accept opens them.
func NewEnvelopeSeal(seal EnvelopeFunc, v *provider.Vector) provider.Operation {
	return &envelopeSeal{drawn: drawn{accept: v.Accept}, seal: seal, in: v.Plaintext, room: make([]byte, 0, len(v.Ciphertext))}
}

type envelopeSeal struct {
	drawn
	seal EnvelopeFunc
	in   []byte
	room []byte // for the output, reused
}

func (o *envelopeSeal) Run(n int) error {
	o.ran = n > 0
	for range n {
		got, err := o.seal(o.room[:0], o.in)
		if err != nil {
			return err
		}
		o.got = got
	}
	return nil
}

// Record says how much longer the last envelope is than its message.
func (o *envelopeSeal) Record() (result.Record, error) {
	overhead := float64(len(o.got) - len(o.in))
	return result.Record{Metrics: []result.Metric{{Name: "overhead_bytes", Value: overhead, Unit: "B"}}}, nil
}

// Check judges the last output and spoils it, since its room is used again.
func (o *envelopeSeal) Check() error {
	got := o.got
	err := o.check()
	if !o.blank {
		clear(got)
	}
	return err
}

func (o *envelopeSeal) Close() error { return nil }
func (o *envelopeSeal) Loop() string { return LoopEnvelopeSeal }

// NewEnvelopeOpen opens the vector's ciphertext. Check proves that an envelope
// with a bit flipped in the message or its tag is refused, and so is one with a
// bit flipped in what comes before the message: the wrapped key, or the nonce.
func NewEnvelopeOpen(open EnvelopeFunc, v *provider.Vector) provider.Operation {
	return &envelopeOpen{output: newOutput(v.Plaintext, 0), open: open, in: v.Ciphertext}
}

type envelopeOpen struct {
	output
	open   EnvelopeFunc
	in     []byte
	checks int
}

func (o *envelopeOpen) Run(n int) error {
	o.ran = n > 0
	for i := range n {
		got, err := o.open(o.got[:0], o.in)
		if err != nil {
			return reason.New("opening-envelope", i+1, n, err)
		}
		o.got = got
	}
	return nil
}

func (o *envelopeOpen) Check() error {
	if err := o.check(); err != nil || o.blank {
		return err
	}
	o.checks++
	anew := func(envelope []byte) error { _, err := o.open(nil, envelope); return err }
	if err := tampered(reason.Cause("envelope"), o.in, o.checks-1, anew); err != nil {
		return err
	}
	return o.tamperedHead(anew)
}

// tamperedHead flips a bit at a third of what the envelope adds to the message,
// which is before the message in every framing.
func (o *envelopeOpen) tamperedHead(open func([]byte) error) error {
	head := (len(o.in) - len(o.want)) / 3
	return tampered(reason.Cause("envelope-head"), o.in[:head], o.checks-1, func(changed []byte) error {
		return open(slices.Concat(changed, o.in[head:]))
	})
}

func (o *envelopeOpen) Close() error { return nil }
func (o *envelopeOpen) Loop() string { return LoopEnvelopeOpen }
