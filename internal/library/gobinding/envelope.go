package gobinding

import (
	"crypto/cipher"
	"crypto/rand"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type Sealer struct{ Seal, Open loop.EnvelopeFunc }

// Envelopes are the cases of a mode. What a sealer has of its receiver comes from the vector.
func Envelopes(mode algorithm.Mode, parameters string, sealer func(*provider.Vector) (Sealer, error)) Cases {
	c := result.Case{Algorithm: algorithm.Envelope, Mode: mode, Parameters: parameters}
	as := func(operation algorithm.Operation) result.Case { c.Operation = operation; return c }
	return Cases{
		as(algorithm.Seal): func(v *provider.Vector) (provider.Operation, error) {
			s, err := sealer(v)
			return loop.NewEnvelopeSeal(s.Seal, v), err
		},
		as(algorithm.Open): func(v *provider.Vector) (provider.Operation, error) {
			s, err := sealer(v)
			return loop.NewEnvelopeOpen(s.Open, v), err
		},
	}
}

// EnvelopeTiming is that of an envelope whose payload's is given, and whose wrapping is constant-time by its documentation.
func EnvelopeTiming(c result.Case, payload result.ConstantTime) result.ConstantTime {
	if c.Parameters == parameter.ReusedKey { // nothing is wrapped
		return payload
	}
	return reason.Timing(payload.Value, "wrapped-timing", payload.Cause)
}

// Payload makes what seals a message under a key: an AEAD that draws the nonce itself and
// puts it first, as that of cipher.NewGCMWithRandomNonce.
type Payload func(key []byte) (cipher.AEAD, error)

func (p Payload) Reused(v *provider.Vector) (Sealer, error) {
	a, err := p(v.Key)
	return Sealer{
		Seal: func(dst, message []byte) ([]byte, error) { return a.Seal(dst, nil, message, nil), nil },
		Open: func(dst, sealed []byte) ([]byte, error) { return a.Open(dst, nil, sealed, nil) },
	}, err
}

// Wrapping is how a key is encrypted for its receiver.
type Wrapping struct {
	Key, Wrapped int // bytes
	Wrap, Unwrap func(key []byte) ([]byte, error)
}

// Wrapped seals each message under a key of its own, which it wraps.
func (p Payload) Wrapped(w Wrapping) Sealer {
	return Sealer{
		Seal: func(dst, message []byte) ([]byte, error) {
			key := make([]byte, w.Key)
			_, _ = rand.Read(key) // never fails
			wrapped, err := w.Wrap(key)
			if err != nil {
				return nil, err
			}
			a, err := p(key)
			if err != nil {
				return nil, err
			}
			return a.Seal(append(dst, wrapped...), nil, message, nil), nil
		},
		Open: func(dst, sealed []byte) ([]byte, error) {
			key, err := w.Unwrap(sealed[:w.Wrapped])
			if err != nil {
				return nil, err
			}
			a, err := p(key)
			if err != nil {
				return nil, err
			}
			return a.Open(dst, nil, sealed[w.Wrapped:], nil)
		},
	}
}
