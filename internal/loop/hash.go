package loop

import (
	"crypto/hmac"
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewHash digests whole messages into an owned buffer: the state is reset, the
// message written, the sum appended. What a keyed hash makes of its key is made
// outside the loop. One-shot functions would spare a little and can't be keyed,
// so this is the contract for all.
func NewHash(h hash.Hash, v *provider.Vector) provider.Operation {
	o := compared(algorithm.HashLoop, v.Digest)
	o.run = func(n int) error {
		for range n {
			h.Reset()
			h.Write(v.Plaintext)
			o.got = h.Sum(o.got[:0])
		}
		return nil
	}
	return o
}

// NewDerive derives the vector's Secret from its key, with its nonce as salt and
// its additional data as info, into a buffer of the library's own.
func NewDerive(derive func(secret, salt, info []byte, n int) ([]byte, error), v *provider.Vector) provider.Operation {
	o := compared(algorithm.DeriveLoop, v.Secret)
	o.run = calls(&o.got, func(key []byte) ([]byte, error) {
		return derive(key, v.Nonce, v.AAD, len(v.Secret))
	}, v.Key, asItIs)
	return o
}

// HashAndMAC is a library's hash, alone and under the standard library's HMAC.
type HashAndMAC struct {
	Library   string // "gmsm", as reasons name it
	Hash, MAC string // "SM3", "HMAC-SM3"
	New       func() hash.Hash
}

// Has says whether a case is of the hash or of its HMAC.
func (h HashAndMAC) Has(c result.Case) bool { return c.Algorithm == h.Hash || c.Algorithm == h.MAC }

// Offers says of such a case whether it is offered.
func (h HashAndMAC) Offers(c result.Case) error {
	operation := algorithm.Hash
	if c.Algorithm == h.MAC {
		operation = algorithm.MAC
	}
	if c.Operation == operation && c.Mode == "" && c.Parameters == "" {
		return nil
	}
	return provider.Absent("not-offered", h.Library, c.Name()+" "+c.Operation)
}

// Open opens a case of its vector.
func (h HashAndMAC) Open(c result.Case, v *provider.Vector) (provider.Operation, error) {
	if c.Algorithm == h.MAC {
		return NewHash(hmac.New(h.New, v.Key), v), nil
	}
	return NewHash(h.New(), v), nil
}

// Note is what a reader must know of a case.
func (h HashAndMAC) Note(c result.Case) string {
	if c.Algorithm == h.MAC {
		return "crypto/hmac around the library's " + h.Hash + "; the key is set before"
	}
	return ""
}
