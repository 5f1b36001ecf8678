package gobinding

import (
	"crypto"
	"crypto/hkdf"
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
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
	all := Cases{as(algorithm.Sign): Keyed(s.Read, s.sign), as(algorithm.Verify): Keyed(s.Read, s.verify)}
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

// Keyed opens a case with the private key of its vector.
func Keyed[K any](read func(private []byte) (K, error), open func(K, *provider.Vector) provider.Operation) Opener {
	return func(v *provider.Vector) (provider.Operation, error) {
		key, err := read(v.Key)
		if err != nil {
			return nil, err
		}
		return open(key, v), nil
	}
}

func (s Signature[K]) sign(key K, v *provider.Vector) provider.Operation {
	return loop.NewSign(key, s.Opts, v)
}

func (s Signature[K]) verify(key K, v *provider.Vector) provider.Operation {
	valid := s.Verifier(key)
	return loop.NewVerify(func(signed, signature []byte) error {
		if !valid(signed, signature) {
			return loop.ErrSignature
		}
		return nil
	}, v)
}

func (s Signature[K]) Garbage(c result.Case, v *provider.Vector) (provider.Scenario, error) {
	key, err := s.Read(v.Key)
	if err != nil {
		return nil, err
	}
	return loop.SignGC(c, key, s.Opts, v)
}

// SM2Identity is a signer's where nobody gives one (GB/T 35276-2017).
var SM2Identity = []byte("1234567812345678")

// SM2 offers signatures, what garbage they cost, and other cases of SM2. Private is the timing of what has a private key.
func SM2[K crypto.Signer](s Signature[K], private result.ConstantTime, kernel func(result.Case) string,
	others ...Cases) Offer {
	const signed = "hashes the signer's identity and a message of 32 bytes with SM3 inside the call"
	return Offer{
		Cases:     Join(append(others, s.Cases(algorithm.SM2, ""))...),
		Scenarios: map[result.Case]Scenario{{Algorithm: algorithm.SM2, Operation: algorithm.Sign}: s.Garbage},
		Allowed:   Approved,
		Kernel:    kernel,
		Timing:    Timings{algorithm.Verify: reason.Timing("yes", "public-key"), "": private}.Of,
		Note: Notes{
			parameter.PrecomputedZA: "hashes a message of 32 bytes with SM3 inside the call; " +
				"the digest of the signer's identity was computed before",
			algorithm.Generate: "",
			algorithm.Sign:     signed,
			algorithm.Verify:   signed,
			algorithm.SM2Exchange: "authenticates both parties by long-term keys known beforehand, " +
				"with the digests of their identities, where the other schemes authenticate nobody",
			"": "of a key of 32 bytes",
		}.Of,
	}
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
