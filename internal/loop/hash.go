package loop

import (
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
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
