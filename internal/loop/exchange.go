package loop

import (
	"bytes"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Exchange is a library's way for two parties to agree on a secret, in the steps of
// a handshake. One party generates a key pair and sends its public half; the other
// answers with a reply and has the secret (of a KEM it encapsulates; of
// Diffie-Hellman it generates a pair of its own, whose public half is the reply); the
// first makes the same secret of the reply. What arrives is bytes, and reading them,
// with the checks that the library makes, is part of the step.
type Exchange struct {
	Generate    func() (PrivateHalf, error)
	Encapsulate func(public []byte) (secret, reply []byte, err error)
	Read        func(private []byte) (PrivateHalf, error)
	Derive      func(secret []byte) ([]byte, error) // a session key, by HKDF
}

// PrivateHalf is the first party's, between the steps.
type PrivateHalf interface {
	Private() []byte // as the judge reads it
	Public() []byte  // as it is sent
	Decapsulate(reply []byte) (secret []byte, err error)
}

// OpenExchange is the operation of a case. What it leaves the judge are bytes one
// after the other, each of a length that the scheme has: of generate private‖public,
// of encapsulate secret‖reply, of a session private‖reply‖key‖key, the keys of both
// parties, of a session key that.
func OpenExchange(e Exchange, c result.Case, v *provider.Vector) (provider.Operation, error) {
	switch c.Operation {
	case algorithm.Generate:
		return NewGenerate(e.begin, func(b begun) error { return v.Accept(slices.Concat(b.half.Private(), b.public)) }), nil
	case algorithm.Encapsulate:
		return NewGenerate(func() (o encapsulated, err error) {
			o.secret, o.reply, err = e.Encapsulate(v.Peer)
			return o, err
		}, func(o encapsulated) error { return v.Accept(slices.Concat(o.secret, o.reply)) }), nil
	case algorithm.Session:
		return NewGenerate(e.session, func(s agreed) error {
			return v.Accept(slices.Concat(s.half.Private(), s.reply, s.first, s.second))
		}), nil
	case algorithm.SessionKey:
		return NewGenerate(func() ([]byte, error) { return e.Derive(v.Secret) }, v.Accept), nil
	case algorithm.Decapsulate:
		half, err := e.Read(v.Key)
		if err != nil {
			return nil, err
		}
		return &decapsulation{output: newOutput(v.Secret, 0), half: half, v: v}, nil
	}
	return nil, provider.Absent("not-offered", c.Name(), c.Operation)
}

// begun is what generate leaves. Its public half belongs to it: a library may compute
// that only when it is asked for.
type begun struct {
	half   PrivateHalf
	public []byte
}

func (e Exchange) begin() (b begun, err error) {
	if b.half, err = e.Generate(); err == nil {
		b.public = b.half.Public()
	}
	return b, err
}

type encapsulated struct{ secret, reply []byte }

// agreed is what a session leaves.
type agreed struct {
	half          PrivateHalf
	reply         []byte
	first, second []byte // the parties' session keys
}

func (e Exchange) session() (s agreed, err error) {
	if s.half, err = e.Generate(); err != nil {
		return s, err
	}
	secret, reply, err := e.Encapsulate(s.half.Public())
	if err != nil {
		return s, err
	}
	s.reply = reply
	if s.second, err = e.Derive(secret); err != nil {
		return s, err
	}
	if secret, err = s.half.Decapsulate(reply); err != nil {
		return s, err
	}
	s.first, err = e.Derive(secret)
	return s, err
}

type decapsulation struct {
	output
	half   PrivateHalf
	v      *provider.Vector
	checks int
}

func (o *decapsulation) Run(n int) error {
	o.ran = n > 0
	for range n {
		got, err := o.half.Decapsulate(o.v.Ciphertext)
		if err != nil {
			return err
		}
		o.got = got
	}
	return nil
}

// Check proves as well that another reply does not lead to the secret. It may lead to
// another: a KEM says no in that way (FIPS 203 §6.3), and of a curve there is no
// telling which point was meant.
func (o *decapsulation) Check() error {
	if err := o.check(); err != nil {
		return err
	}
	o.checks++
	err := tampered(reason.Cause("reply"), o.v.Ciphertext, o.checks-1, func(changed []byte) error {
		secret, err := o.half.Decapsulate(changed)
		if err == nil && !bytes.Equal(secret, o.v.Secret) {
			return errOtherSecret
		}
		return err
	})
	return err
}

var errOtherSecret = reason.New("other-secret")

func (o *decapsulation) Close() error { return nil }
func (o *decapsulation) Loop() string { return LoopGenerate }

// NoteSM2Exchange is what whoever compares SM2's exchange with a bare one must know.
const NoteSM2Exchange = "authenticates both parties by long-term keys known beforehand, with the digests of their identities, where the others agree with anybody"
