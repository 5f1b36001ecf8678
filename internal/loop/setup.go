package loop

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// What is done before the first message, and what it costs to do it for each:
//
//	schedule     a block cipher under a key
//	new          a cipher ready for messages: the key scheduled, the mode built
//	new+encrypt  such a cipher for one message, which it seals
//
// The last is what a program pays that keeps no cipher; it is not the speed of
// the cipher, and has a name of its own so that nobody takes it for that.

// NewSchedule schedules the vector's key, again and again. Check proves that the
// cipher that was made last encrypts and decrypts rightly.
func NewSchedule(schedule func(key []byte) (cipher.Block, error), v *provider.Vector) provider.Operation {
	return &scheduling{schedule: schedule, v: v}
}

type scheduling struct {
	made[cipher.Block]
	schedule func(key []byte) (cipher.Block, error)
	v        *provider.Vector
}

func (o *scheduling) Run(n int) error {
	o.ran = n > 0
	for range n {
		b, err := o.schedule(o.v.Key)
		if err != nil {
			return err
		}
		o.last = b
	}
	return nil
}

func (o *scheduling) Check() error {
	b, err := o.take()
	if err != nil || o.blank {
		return err
	}
	for _, d := range []Direction{Encrypt, Decrypt} {
		if err := works(NewBlockLoop(b, d, o.v)); err != nil {
			return reason.New("scheduled-key", err)
		}
	}
	return nil
}

func (o *scheduling) Close() error { return nil }
func (o *scheduling) Loop() string { return LoopSchedule }

// NewConstruct builds a cipher for whole messages under the vector's key, again
// and again. Check proves that the one made last seals and opens rightly.
func NewConstruct(construct func(key []byte) (cipher.AEAD, error), v *provider.Vector) provider.Operation {
	return &construction{construct: construct, v: v}
}

type construction struct {
	made[cipher.AEAD]
	construct func(key []byte) (cipher.AEAD, error)
	v         *provider.Vector
}

func (o *construction) Run(n int) error {
	o.ran = n > 0
	for range n {
		a, err := o.construct(o.v.Key)
		if err != nil {
			return err
		}
		o.last = a
	}
	return nil
}

func (o *construction) Check() error {
	a, err := o.take()
	if err != nil || o.blank {
		return err
	}
	for _, d := range []Direction{Encrypt, Decrypt} {
		if err := works(NewAEAD(a, d, o.v)); err != nil {
			return reason.New("made-last", err)
		}
	}
	return nil
}

func (o *construction) Close() error { return nil }
func (o *construction) Loop() string { return LoopConstruct }

// NewFreshSeal builds a cipher for each message and seals the message with it.
func NewFreshSeal(construct func(key []byte) (cipher.AEAD, error), v *provider.Vector) provider.Operation {
	o := &freshSeal{output: newOutput(v.Ciphertext, 0), construct: construct, v: v}
	o.tag = len(v.Ciphertext) - len(v.Plaintext)
	return o
}

type freshSeal struct {
	output
	construct func(key []byte) (cipher.AEAD, error)
	v         *provider.Vector
}

func (o *freshSeal) Run(n int) error {
	o.ran = n > 0
	for range n {
		a, err := o.construct(o.v.Key)
		if err != nil {
			return err
		}
		o.got = a.Seal(o.got[:0], o.v.Nonce, o.v.Plaintext, o.v.AAD)
	}
	return nil
}

func (o *freshSeal) Check() error { return o.check() }
func (o *freshSeal) Close() error { return nil }
func (o *freshSeal) Loop() string { return LoopFresh }

// made is an output that is an object: the one made last, until it is judged.
type made[T any] struct {
	last  T
	blank bool
	ran   bool
}

func (o *made[T]) noOutput() { o.blank = true }

// take hands out what the last Run made, once.
func (o *made[T]) take() (last T, err error) {
	if !o.ran {
		return last, errNotRun
	}
	var none T
	last, o.last, o.ran = o.last, none, false
	return last, nil
}

// works runs an operation once and judges it.
func works(o provider.Operation) error {
	if err := o.Run(1); err != nil {
		return err
	}
	return o.Check()
}
