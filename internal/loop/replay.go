package loop

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// newReplay seals or opens the messages of a vector one after the other, in the
// order of its sequence: one call takes the whole sequence. So every sample of
// every library has done the same work, however many calls it had, and the time of
// a call over the number of messages is the mean of the traffic, without bias.
//
// Each distinct message has an output of its own, and each output is judged.
func newReplay(a cipher.AEAD, d Direction, v *provider.Vector) provider.Operation {
	r := replay{aead: a, v: v}
	for _, m := range v.Messages {
		if d == Decrypt {
			r.outputs = append(r.outputs, newOutput(m.Plaintext, len(m.Ciphertext)))
			continue
		}
		o := newOutput(m.Ciphertext, 0)
		o.tag = tagSize(a)
		r.outputs = append(r.outputs, o)
	}
	if d == Decrypt {
		return &openAll{replay: r}
	}
	return &sealAll{r}
}

type replay struct {
	aead    cipher.AEAD
	v       *provider.Vector
	outputs []output // one a message of v
}

func (r *replay) begin(n int) {
	for i := range r.outputs {
		r.outputs[i].ran = n > 0
	}
}

// check judges every output, and spoils them all whatever the first judgement is.
func (r *replay) check() (wrong error) {
	for i := range r.outputs {
		err := r.outputs[i].check()
		if err == errNotRun {
			return err
		}
		if err != nil && wrong == nil {
			wrong = reason.New("message", i, len(r.v.Messages[i].Plaintext), err)
		}
	}
	return wrong
}

func (r *replay) Close() error { return nil }
func (r *replay) Loop() string { return LoopAEAD }

type sealAll struct{ replay }

func (o *sealAll) Run(n int) error {
	o.begin(n)
	for range n {
		for _, i := range o.v.Sequence {
			m, out := &o.v.Messages[i], &o.outputs[i]
			out.got = o.aead.Seal(out.got[:0], m.Nonce, m.Plaintext, o.v.AAD)
		}
	}
	return nil
}

func (o *sealAll) Check() error { return o.check() }

type openAll struct {
	replay
	checks int
}

func (o *openAll) Run(n int) error {
	o.begin(n)
	for range n {
		for _, i := range o.v.Sequence {
			m, out := &o.v.Messages[i], &o.outputs[i]
			got, err := o.aead.Open(out.got[:0], m.Nonce, m.Ciphertext, o.v.AAD)
			if err != nil {
				return reason.New("opening-bytes", len(m.Plaintext), err)
			}
			out.got = got
		}
	}
	return nil
}

// Check proves of one message a time, in turn, that tampered forms are refused.
func (o *openAll) Check() error {
	if err := o.check(); err != nil {
		return err
	}
	i := o.checks % len(o.outputs)
	out, m := &o.outputs[i], &o.v.Messages[i]
	defer out.spoil() // a failed Open may leave the plaintext behind
	o.checks++
	return refuses(m.Ciphertext, tagSize(o.aead), o.checks-1, func(tampered []byte) error {
		_, err := o.aead.Open(out.got[:0], m.Nonce, tampered, o.v.AAD)
		return err
	})
}
