package loop

import (
	"crypto"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewSign signs what the vector says is signed. Most schemes take a digest; SM2
// hashes the message itself, with its signer's identity, and is given it as opts
// tell. Signatures are random or not, as the scheme has it: the vector's Accept
// judges them. Randomness is the system's, as Go's standard library insists.
func NewSign(s crypto.Signer, opts crypto.SignerOpts, v *provider.Vector) provider.Operation {
	return &sign{drawn: drawn{accept: v.Accept}, signer: s, opts: opts, in: v.Signed}
}

type sign struct {
	drawn
	signer crypto.Signer
	opts   crypto.SignerOpts
	in     []byte
}

func (o *sign) Run(n int) error {
	o.ran = n > 0
	for range n {
		got, err := o.signer.Sign(rand.Reader, o.in, o.opts)
		if err != nil {
			return err
		}
		o.got = got
	}
	return nil
}

func (o *sign) Check() error { return o.check() }
func (o *sign) Close() error { return nil }
func (o *sign) Loop() string { return LoopSign }

// VerifyFunc verifies a signature of what was signed: nil where it holds.
type VerifyFunc func(signed, signature []byte) error

// ErrSignature is what a VerifyFunc returns for a library that says no more than no.
var ErrSignature = reason.New("signature-refused")

// NewVerify verifies the vector's signature. Every call must accept it; Check
// proves that a changed signature, and the signature of something else, are
// refused, for a verification that accepts everything is the fastest.
func NewVerify(verify VerifyFunc, v *provider.Vector) provider.Operation {
	return &verification{verify: verify, signed: v.Signed, signature: v.Signature}
}

type verification struct {
	drawn
	verify            VerifyFunc
	signed, signature []byte
	checks            int
}

func (o *verification) Run(n int) error {
	o.ran = n > 0
	for i := range n {
		if err := o.verify(o.signed, o.signature); err != nil {
			return reason.New("verifying", i+1, n, err)
		}
	}
	return nil
}

func (o *verification) Check() error {
	if !o.ran {
		return errNotRun
	}
	o.ran = false
	if o.blank {
		return nil
	}
	o.checks++
	if err := tampered(reason.Cause("signature"), o.signature, o.checks-1, func(s []byte) error { return o.verify(o.signed, s) }); err != nil {
		return err
	}
	return tampered(reason.Cause("signed-text"), o.signed, o.checks-1, func(s []byte) error { return o.verify(s, o.signature) })
}

func (o *verification) Close() error { return nil }
func (o *verification) Loop() string { return LoopVerify }

// tamperedBytes is how many bytes at the end of a text a bit is flipped in: those
// of a number and not of the encoding around it, so that the refusal is the
// scheme's and not the parser's.
const tamperedBytes = 16

// tampered proves that a call returns an error for a text with one bit flipped
// near its end. Which bit follows from round, so that repeated checks try others.
func tampered(what result.Cause, text []byte, round int, call func([]byte) error) error {
	tail := min(tamperedBytes, len(text))
	if tail == 0 {
		return reason.New("empty-part", what)
	}
	bit := round * 37 % (8 * tail)
	at := len(text) - tail + bit/8
	changed := slices.Clone(text)
	changed[at] ^= 1 << (bit % 8)
	err := provider.Guard(func() error { return call(changed) })
	if p, ok := errors.AsType[*provider.Panic](err); ok {
		return reason.New("given-flipped", what, at, p)
	}
	if err == nil {
		return reason.New("tampered-accepted", what, at)
	}
	return nil
}
