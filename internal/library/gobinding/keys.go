package gobinding

import (
	"crypto"
	"crypto/hkdf"
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

type Signature[K crypto.Signer] struct {
	Generate func() (K, error)       // may be nil
	Pair     func(K) ([]byte, error) // private‖public, as the judge reads it
	Read     func(private []byte) (K, error)
	Opts     crypto.SignerOpts
	// Verifier makes what verifies; its own check comes before the first message.
	Verifier func(K) func(signed, signature []byte) bool
}

// Cases are the scheme's under a name, and with parameters.
func (s Signature[K]) Cases(name algorithm.Name, parameters string) Cases {
	c := result.Case{Algorithm: name, Parameters: parameters}
	as := func(operation algorithm.Operation) result.Case { c.Operation = operation; return c }
	all := Cases{as(algorithm.Sign): s.sign, as(algorithm.Verify): s.verify}
	if s.Generate != nil {
		all[as(algorithm.Generate)] = s.generate
	}
	return all
}

func (s Signature[K]) generate(v *provider.Vector) (provider.Operation, error) {
	return loop.NewGenerate(s.Generate, func(k K) error {
		pair, err := s.Pair(k)
		if err != nil {
			return err
		}
		return v.Accept(pair)
	}), nil
}

func (s Signature[K]) sign(v *provider.Vector) (provider.Operation, error) {
	key, err := s.Read(v.Key)
	if err != nil {
		return nil, err
	}
	return loop.NewSign(key, s.Opts, v), nil
}

func (s Signature[K]) verify(v *provider.Vector) (provider.Operation, error) {
	key, err := s.Read(v.Key)
	if err != nil {
		return nil, err
	}
	valid := s.Verifier(key)
	return loop.NewVerify(func(signed, signature []byte) error {
		if !valid(signed, signature) {
			return loop.ErrSignature
		}
		return nil
	}, v), nil
}

func (s Signature[K]) Garbage(c result.Case, v *provider.Vector) (provider.Scenario, error) {
	key, err := s.Read(v.Key)
	if err != nil {
		return nil, err
	}
	return loop.SignGC(c, key, s.Opts, v)
}

// Exchange offers the steps of a key exchange, which may have long-term keys in the vector.
func Exchange(name algorithm.Name, exchange func(*provider.Vector) (loop.Exchange, error)) Cases {
	all := Cases{}
	for _, operation := range []algorithm.Operation{algorithm.Generate, algorithm.Encapsulate, algorithm.Decapsulate,
		algorithm.Session, algorithm.SessionKey} {
		c := result.Case{Algorithm: name, Operation: operation}
		all[c] = func(v *provider.Vector) (provider.Operation, error) {
			e, err := exchange(v)
			if err != nil {
				return nil, err
			}
			return loop.OpenExchange(e, c, v)
		}
	}
	return all
}

// Derive makes session keys by HKDF with a hash.
func Derive(h func() hash.Hash) func(secret []byte) ([]byte, error) {
	return func(secret []byte) ([]byte, error) {
		return hkdf.Key(h, secret, nil, provider.SessionInfo, provider.SessionBytes)
	}
}

// Keys is a key exchange whose first party has keys of type K; see [loop.Exchange].
type Keys[K any] struct {
	Generate        func() (K, error)
	Read            func(private []byte) (K, error)
	Private, Public func(K) []byte
	Secret          func(own K, reply []byte) ([]byte, error)
	Answer          func(public []byte) (secret, reply []byte, err error)
	Derive          func(secret []byte) ([]byte, error)
}

type half[K any] struct {
	*Keys[K]
	key K
}

func (h half[K]) Private() []byte                          { return h.Keys.Private(h.key) }
func (h half[K]) Public() []byte                           { return h.Keys.Public(h.key) }
func (h half[K]) Decapsulate(reply []byte) ([]byte, error) { return h.Secret(h.key, reply) }

func (k Keys[K]) Exchange() loop.Exchange {
	first := func(key K, err error) (loop.PrivateHalf, error) { return half[K]{&k, key}, err }
	return loop.Exchange{
		Generate:    func() (loop.PrivateHalf, error) { return first(k.Generate()) },
		Read:        func(private []byte) (loop.PrivateHalf, error) { return first(k.Read(private)) },
		Encapsulate: k.Answer,
		Derive:      k.Derive,
	}
}
