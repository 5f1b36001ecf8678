//go:build linux && (amd64 || arm64)

package binding

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Steps are those of a key exchange, as a library does them.
type Steps struct {
	Generate func() (*KeyPair, error)
	Read     func(private []byte) (*KeyPair, error) // of the bytes that the judge has
	Private  func(*KeyPair) ([]byte, error)         // which the judge reads, and nobody times
	Public   func(*KeyPair) ([]byte, error)         // what is sent
	Agree    func(k *KeyPair, reply []byte) ([]byte, error)
	// Encapsulate is the second party's step of a KEM; of Diffie-Hellman, which has none,
	// that party generates a pair too.
	Encapsulate func(public []byte) (secret, reply []byte, err error)
}

// Exchange is one of these steps, without a derivation.
func (s *Steps) Exchange() loop.Exchange {
	e := loop.Exchange{Encapsulate: s.Encapsulate}
	e.Generate = func() (loop.PrivateHalf, error) {
		k, err := s.Generate()
		return half{k, s}, err
	}
	e.Read = func(private []byte) (loop.PrivateHalf, error) {
		k, err := s.Read(private)
		return half{k, s}, err
	}
	if e.Encapsulate == nil {
		e.Encapsulate = func(public []byte) (secret, reply []byte, err error) {
			own, err := e.Generate()
			if err != nil {
				return nil, nil, err
			}
			secret, err = own.Decapsulate(public)
			return secret, own.Public(), err
		}
	}
	return e
}

// half is a key pair between the steps.
type half struct {
	*KeyPair
	*Steps
}

func (h half) Private() []byte { return h.bytes(h.Steps.Private) }
func (h half) Public() []byte  { return h.bytes(h.Steps.Public) }

func (h half) bytes(read func(*KeyPair) ([]byte, error)) []byte {
	b, err := read(h.KeyPair)
	runtime.KeepAlive(h.KeyPair)
	if err != nil {
		panic(err)
	}
	return b
}

func (h half) Decapsulate(reply []byte) ([]byte, error) {
	secret, err := h.Agree(h.KeyPair, reply)
	runtime.KeepAlive(h.KeyPair)
	runtime.KeepAlive(reply)
	return secret, err
}

// Exchange is the operation of a step. Each makes objects that the next is given, so Go
// calls the library step by step.
func (s *Session) Exchange(c result.Case, v *provider.Vector, e loop.Exchange) (op provider.Operation, err error) {
	if s.Err == nil {
		op, s.Err = loop.OpenExchange(e, c, v)
	}
	if s.Err != nil {
		return nil, s.Refused(c.Name())
	}
	return s.With(op), nil
}
