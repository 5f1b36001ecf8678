package loop

import (
	"crypto/cipher"
	"errors"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewAEAD seals or opens whole messages into a reused buffer. In the direction
// Decrypt, Check proves too that tampered text is refused. A vector of several
// messages is replayed, all of them in one call.
func NewAEAD(a cipher.AEAD, d Direction, v *provider.Vector) provider.Operation {
	if len(v.Sequence) > 0 {
		return newReplay(a, d, v)
	}
	if d == Encrypt {
		o := &seal{output: newOutput(v.Ciphertext, 0), aead: a, v: v}
		o.tag = tagSize(a)
		return o
	}
	// CBC with padding decrypts more than the plaintext before it cuts it off.
	return &open{output: newOutput(v.Plaintext, len(v.Ciphertext)), aead: a, v: v}
}

type seal struct {
	output
	aead cipher.AEAD
	v    *provider.Vector
}

func (o *seal) Run(n int) error {
	o.ran = n > 0
	for range n {
		o.got = o.aead.Seal(o.got[:0], o.v.Nonce, o.v.Plaintext, o.v.AAD)
	}
	return nil
}

func (o *seal) Check() error { return o.check() }
func (o *seal) Close() error { return nil }
func (o *seal) Loop() string { return LoopAEAD }

type open struct {
	output
	aead   cipher.AEAD
	v      *provider.Vector
	checks int
}

func (o *open) Run(n int) error {
	o.ran = n > 0
	for i := range n {
		got, err := o.aead.Open(o.got[:0], o.v.Nonce, o.v.Ciphertext, o.v.AAD)
		if err != nil {
			return reason.New("opening", i+1, n, err)
		}
		o.got = got
	}
	return nil
}

func (o *open) Check() error {
	if err := o.check(); err != nil {
		return err
	}
	defer o.spoil() // a failed Open may leave the plaintext behind
	o.checks++
	return refuses(o.v.Ciphertext, tagSize(o.aead), o.checks-1, func(tampered []byte) error {
		_, err := o.aead.Open(o.got[:0], o.v.Nonce, tampered, o.v.AAD)
		return err
	})
}

func (o *open) Close() error { return nil }
func (o *open) Loop() string { return LoopAEAD }

// tagSize is the overhead, but for a composite whose overhead holds padding too.
func tagSize(a cipher.AEAD) int {
	if t, ok := a.(interface{ TagSize() int }); ok {
		return t.TagSize()
	}
	return a.Overhead()
}

// refuses proves that open returns an error for a sealed text with one bit of
// its tag flipped, and for one with one bit of its body flipped. Which bit
// follows from round, so that repeated checks try others.
func refuses(sealed []byte, tag, round int, open func([]byte) error) error {
	body := len(sealed) - tag
	if tag <= 0 || body < 0 {
		return reason.New("no-tag")
	}
	tampered := slices.Clone(sealed)
	try := func(part result.Cause, offset, size int) error {
		bit := round * 37 % (8 * size)
		at := offset + bit/8
		tampered[at] ^= 1 << (bit % 8)
		defer func() { tampered[at] ^= 1 << (bit % 8) }()
		err := provider.Guard(func() error { return open(tampered) })
		if p, ok := errors.AsType[*provider.Panic](err); ok {
			return reason.New("opening-flipped", part, at, p)
		}
		if err == nil {
			return reason.New("tampered-opened", part, at)
		}
		return nil
	}
	if err := try(reason.Cause("tag"), body, tag); err != nil || body == 0 {
		return err
	}
	return try(reason.Cause("body"), 0, body)
}
