package judge

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// hashed says how an algorithm's output is computed: of the message, or of the
// key and the message, or as many bytes as are asked for from the key.
type hashed struct {
	operation string
	keyBytes  int
	compute   func(v *provider.Vector, n int) []byte
}

// Operations of hashes and of what is built on them.
const (
	hashing  = "hash"
	keyed    = "mac"
	deriving = "derive"
)

func unkeyed(hash func([]byte) []byte) *hashed {
	return &hashed{hashing, 0, func(v *provider.Vector, _ int) []byte { return hash(v.Plaintext) }}
}

func underHMAC(hash func([]byte) []byte) *hashed {
	return &hashed{keyed, 32, func(v *provider.Vector, _ int) []byte {
		return reference.HMAC(hash, reference.HashBlockSize, v.Key, v.Plaintext)
	}}
}

// hashOf returns what the judge knows of a hash, nil for what is none.
func hashOf(name string) *hashed {
	switch name {
	case algorithm.MD5:
		return unkeyed(reference.MD5)
	case algorithm.SHA256:
		return unkeyed(reference.SHA256)
	case algorithm.SHA3of256:
		return unkeyed(reference.SHA3of256)
	case algorithm.BLAKE2b512:
		return unkeyed(reference.BLAKE2b512)
	case algorithm.SM3:
		return unkeyed(reference.SM3)
	case algorithm.HMACSHA256:
		return underHMAC(reference.SHA256)
	case algorithm.HMACSM3:
		return underHMAC(reference.SM3)
	case algorithm.HKDFSHA256:
		return &hashed{deriving, 32, func(v *provider.Vector, n int) []byte {
			return reference.HKDF(reference.SHA256, reference.HashBlockSize, v.Key, v.Nonce, v.AAD, n)
		}}
	}
	return nil
}

// IsHash says whether an algorithm hashes: bare, keyed, or to derive a key.
func IsHash(algorithm string) bool { return hashOf(algorithm) != nil }

// MostDerived is how many bytes HKDF can derive with a hash of 32 bytes (RFC 5869 §2.3).
const MostDerived = 255 * 32

// hashMessage is message for the hashes.
func hashMessage(c result.Case) (result.Case, error) {
	h := hashOf(c.Algorithm)
	switch {
	case c.Operation != h.operation || c.Mode != "" || c.Parameters != "":
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	case c.Bytes < 0 || c.Bytes > maxBytes:
		return c, provider.Unsupported("message-bytes", c.Bytes, int64(maxBytes))
	case h.operation == deriving && (c.Bytes == 0 || c.Bytes > MostDerived):
		return c, provider.Unsupported("derives", c.Algorithm, MostDerived, c.Bytes)
	}
	return c, nil
}

// hashVector draws the input of a hash and computes what comes of it: by a fast
// library if that is what the reference computed elsewhere, as with ciphers.
func (j *Judge) hashVector(c result.Case) *provider.Vector {
	h := hashOf(c.Algorithm)
	source := seeded.Source(j.seed, fmt.Sprintf("case/%q/%q/%d", c.Algorithm, c.Operation, c.Bytes))
	take := func(n int) []byte {
		b := make([]byte, n)
		_, _ = source.Read(b) // never fails
		return b
	}
	v := &provider.Vector{}
	if h.keyBytes > 0 {
		v.Key = take(h.keyBytes)
	}
	if h.operation == deriving {
		v.Nonce, v.AAD = take(32), take(16)
		v.Secret = h.compute(v, int(c.Bytes))
		return v
	}
	v.Plaintext = take(int(c.Bytes))
	if want, ok := j.digests[c]; ok {
		if fast, err := candidateHash(c, v); err == nil && digest(&provider.Vector{Digest: fast}) == want {
			v.Digest = fast
			return v
		}
	}
	v.Digest = h.compute(v, 0)
	j.digests[c] = digest(v)
	return v
}
