package loop

import (
	"bytes"
	"crypto/mlkem"
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
	Private() []byte // as the judge reads it: a scalar, or the seed d‖z (FIPS 203 §7.1); of a hybrid one after the other
	Public() []byte  // as it is sent
	Decapsulate(reply []byte) (secret []byte, err error)
}

// OpenExchange is the operation of a case. What it leaves the judge are bytes one
// after the other, each of a length that the scheme has: of generate private‖public,
// of encapsulate secret‖reply, of a session private‖reply‖key‖key, the keys of both
// parties, of a session key that.
func OpenExchange(e Exchange, c result.Case, v *provider.Vector) (provider.Operation, error) {
	accept := func(o exchanged) error {
		got := slices.Concat(o.parts[:]...)
		if o.half != nil {
			got = slices.Concat(o.half.Private(), got)
		}
		return v.Accept(got)
	}
	switch c.Operation {
	case algorithm.Generate:
		return NewGenerate(e.begin, accept), nil
	case algorithm.Encapsulate:
		return NewGenerate(func() (o exchanged, err error) {
			o.parts[0], o.parts[1], err = e.Encapsulate(v.Peer)
			return o, err
		}, accept), nil
	case algorithm.Session:
		return NewGenerate(e.session, accept), nil
	case algorithm.SessionKey:
		return accepted(algorithm.GenerateLoop, e.Derive, v.Secret, v.Accept), nil
	case algorithm.Decapsulate:
		half, err := e.Read(v.Key)
		if err != nil {
			return nil, err
		}
		return newDecapsulation(half, v), nil
	}
	return nil, provider.Absent("not-offered", c.Name(), c.Operation)
}

// exchanged is what a step leaves: the first party's half, where it was made in the
// step, and what was sent or agreed on.
type exchanged struct {
	half  PrivateHalf
	parts [3][]byte
}

// begin asks for the public half, which a library may compute only then.
func (e Exchange) begin() (o exchanged, err error) {
	if o.half, err = e.Generate(); err == nil {
		o.parts[0] = o.half.Public()
	}
	return o, err
}

func (e Exchange) session() (o exchanged, err error) {
	if o.half, err = e.Generate(); err != nil {
		return o, err
	}
	secret, reply, err := e.Encapsulate(o.half.Public())
	if err != nil {
		return o, err
	}
	o.parts[0] = reply
	if o.parts[2], err = e.Derive(secret); err != nil {
		return o, err
	}
	if secret, err = o.half.Decapsulate(reply); err != nil {
		return o, err
	}
	o.parts[1], err = e.Derive(secret)
	return o, err
}

// newDecapsulation proves in Check as well that another reply does not lead to the
// secret. It may lead to another: a KEM says no in that way (FIPS 203 §6.3), and of a
// curve there is no telling which point was meant.
func newDecapsulation(half PrivateHalf, v *provider.Vector) *timed {
	o := compared(algorithm.GenerateLoop, v.Secret)
	o.run = calls(&o.got, half.Decapsulate, v.Ciphertext, asItIs)
	o.refuse = func(round int) error {
		return tampered(reason.Cause("reply"), v.Ciphertext, round, func(changed []byte) error {
			secret, err := half.Decapsulate(changed)
			if err == nil && !bytes.Equal(secret, v.Secret) {
				return reason.New("other-secret")
			}
			return err
		})
	}
	return o
}

// curveSize is the length of an X25519 key (RFC 7748 §5).
const curveSize = 32

// Hybrid is ML-KEM-768 and X25519 in this order, as TLS 1.3 has it
// (draft-ietf-tls-ecdhe-mlkem), put together of a library's two exchanges.
func Hybrid(kem, curve Exchange) Exchange {
	pair := func(first func() (PrivateHalf, error), second func() (PrivateHalf, error)) (PrivateHalf, error) {
		a, err := first()
		if err != nil {
			return nil, err
		}
		b, err := second()
		return hybridHalf{a, b}, err
	}
	return Exchange{
		Generate: func() (PrivateHalf, error) { return pair(kem.Generate, curve.Generate) },
		Read: func(private []byte) (PrivateHalf, error) {
			return pair(func() (PrivateHalf, error) { return kem.Read(private[:mlkem.SeedSize]) },
				func() (PrivateHalf, error) { return curve.Read(private[mlkem.SeedSize:]) })
		},
		Encapsulate: func(public []byte) (secret, reply []byte, err error) {
			if len(public) != mlkem.EncapsulationKeySize768+curveSize {
				return nil, nil, reason.New("public-length")
			}
			s1, r1, err := kem.Encapsulate(public[:mlkem.EncapsulationKeySize768])
			if err != nil {
				return nil, nil, err
			}
			s2, r2, err := curve.Encapsulate(public[mlkem.EncapsulationKeySize768:])
			return slices.Concat(s1, s2), slices.Concat(r1, r2), err
		},
		Derive: kem.Derive,
	}
}

type hybridHalf struct{ kem, curve PrivateHalf }

func (h hybridHalf) Private() []byte { return slices.Concat(h.kem.Private(), h.curve.Private()) }
func (h hybridHalf) Public() []byte  { return slices.Concat(h.kem.Public(), h.curve.Public()) }

func (h hybridHalf) Decapsulate(reply []byte) ([]byte, error) {
	if len(reply) != mlkem.CiphertextSize768+curveSize {
		return nil, reason.New("reply-length")
	}
	first, err := h.kem.Decapsulate(reply[:mlkem.CiphertextSize768])
	if err != nil {
		return nil, err
	}
	second, err := h.curve.Decapsulate(reply[mlkem.CiphertextSize768:])
	return slices.Concat(first, second), err
}
