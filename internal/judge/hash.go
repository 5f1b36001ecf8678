package judge

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha3"
	"fmt"
	"hash"
	"slices"
	"unsafe"

	"github.com/emmansun/gmsm/sm3"
	"github.com/zeebo/blake3"
	"golang.org/x/crypto/blake2b"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/multibuffer"
	"github.com/cryptogauge/cryptogauge/result"
)

// hashing is a hash function by the reference and by a library that is itself under
// test, and the same of many messages where many digests are judged.
type hashing struct {
	judged func([]byte) []byte
	fast   func() hash.Hash
	many   func(digests []byte, messages [][]byte)
}

// quick is a text's hash by the library, or its MAC where there is a key.
func (h hashing) quick(key, text []byte) []byte {
	sum := h.fast()
	if key != nil {
		sum = hmac.New(h.fast, key)
	}
	sum.Write(text)
	return sum.Sum(nil)
}

// right is the same by the reference.
func (h hashing) right(key, text []byte) []byte {
	if key != nil {
		return reference.HMAC(h.judged, reference.HashBlockSize, key, text)
	}
	return h.judged(text)
}

// hashOf is the hash that an algorithm is, or that a MAC or a derivation is made of.
func hashOf(name string) (h hashing, ok bool) {
	switch name {
	case algorithm.MD5:
		h = hashing{reference.MD5, md5.New, inPlace(multibuffer.SumMD5)}
	case algorithm.SHA256, algorithm.HMACSHA256, algorithm.HKDFSHA256:
		h = hashing{reference.SHA256, sha256.New, inPlace(multibuffer.SumSHA256)}
	case algorithm.SM3, algorithm.HMACSM3:
		h = hashing{reference.SM3, sm3.New, inPlace(multibuffer.SumSM3)}
	case algorithm.SHA3of256:
		h = hashing{reference.SHA3of256, func() hash.Hash { return sha3.New256() }, nil}
	case algorithm.BLAKE2b512:
		h = hashing{reference.BLAKE2b512, func() hash.Hash { h, _ := blake2b.New512(nil); return h }, nil}
	case algorithm.BLAKE3:
		sums := func(digests [][32]byte, messages [][]byte) {
			for i, m := range messages {
				digests[i] = blake3.Sum256(m)
			}
		}
		h = hashing{reference.BLAKE3, func() hash.Hash { return blake3.New() }, inPlace(sums)}
	}
	return h, h.judged != nil
}

// inPlace writes digests as bytes one after the other.
func inPlace[D bulkhash.Digest](sum func(digests []D, messages [][]byte)) func(digests []byte, messages [][]byte) {
	return func(b []byte, messages [][]byte) {
		sum(unsafe.Slice((*D)(unsafe.Pointer(&b[0])), len(messages)), messages)
	}
}

// MostDerived is how many bytes HKDF can derive with a hash of 32 bytes (RFC 5869 §2.3).
const MostDerived = 255 * 32

func hashMessage(c result.Case) (result.Case, error) {
	if _, ok := hashOf(c.Algorithm); !ok {
		return c, provider.Unsupported("no-judge", c.Algorithm)
	}
	operation := map[algorithm.Kind]string{algorithm.HashFunction: algorithm.Hash,
		algorithm.KeyedHash: algorithm.MAC, algorithm.KeyDerivation: algorithm.Derive}[algorithm.Of(c.Algorithm).Kind]
	switch {
	case c.Operation != operation || c.Mode != "" || c.Parameters != "":
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	case operation == algorithm.Derive && (c.Bytes == 0 || c.Bytes > MostDerived):
		return c, provider.Unsupported("derives", c.Algorithm, MostDerived, c.Bytes)
	}
	return c, bounded(c)
}

func (j *Judge) hashVector(c result.Case) (*provider.Vector, error) {
	h, _ := hashOf(c.Algorithm)
	take := drawing(seeded.Source(j.seed, fmt.Sprintf("case/%q/%q/%d", c.Algorithm, c.Operation, c.Bytes)))
	v := &provider.Vector{}
	if n := algorithm.Of(c.Algorithm).Key; n > 0 {
		v.Key = take(n)
	}
	if c.Operation == algorithm.Derive {
		v.Nonce, v.AAD = take(32), take(16)
		v.Secret = reference.HKDF(h.judged, reference.HashBlockSize, v.Key, v.Nonce, v.AAD, int(c.Bytes))
		return v, nil
	}
	v.Plaintext = take(int(c.Bytes))
	if err := j.own(v.Plaintext); err != nil {
		return nil, err
	}
	by := func(sum func(key, text []byte) []byte) func() error {
		return func() error { v.Digest = sum(v.Key, v.Plaintext); return nil }
	}
	return v, j.prove(c, v, by(h.quick), by(h.right))
}

// manyMessage is the message of cases of a kind that have many messages, whose material is shared.
func manyMessage(kind algorithm.Kind, material sharing) sharing {
	return func(c result.Case) (result.Case, error) {
		if h, _ := hashOf(c.Algorithm); h.many == nil || algorithm.Of(c.Algorithm).Kind != kind {
			return c, provider.Unsupported("no-judge", c.Name())
		}
		if c.Bytes > maxBytes {
			return c, provider.Unsupported("messages-most", c.Bytes, int64(maxBytes))
		}
		return material(c)
	}
}

// bulkVector draws the messages, one after the other in Plaintext, and hashes them:
// Digest is the digests in the same order. The draw follows from the bytes alone, so
// that all algorithms have the same messages.
func (j *Judge) bulkVector(c result.Case) (*provider.Vector, error) {
	h, _ := hashOf(c.Algorithm)
	n, size := int(parameter.Messages.In(c.Parameters)), algorithm.Of(c.Algorithm).Size
	text := j.bytes(fmt.Sprintf("many/%d/%d", n, c.Bytes), int(c.Bytes))
	if err := j.own(text); err != nil {
		return nil, err
	}
	v := &provider.Vector{Plaintext: text, Digest: make([]byte, n*size)}
	messages := slices.Collect(slices.Chunk(v.Plaintext, int(c.Bytes)/n))
	return v, j.prove(c, v, func() error { h.many(v.Digest, messages); return nil },
		each(slices.Chunk(v.Digest, size), func(i int) ([]byte, error) { return h.judged(messages[i]), nil }))
}

// macsVector draws keys and messages, each one after the other in Key and Plaintext; Digest is the MACs
// in the order of the messages.
func (j *Judge) macsVector(c result.Case) (*provider.Vector, error) {
	h, _ := hashOf(c.Algorithm)
	n, keys := int(parameter.Messages.In(c.Parameters)), int(parameter.Keys.In(c.Parameters))
	take := drawing(seeded.Source(j.seed, fmt.Sprintf("macs/%q/%d/%d/%d", c.Algorithm, n, keys, c.Bytes)))
	v := &provider.Vector{Key: take(keys * batch.KeySize), Plaintext: take(int(c.Bytes)), Digest: make([]byte, n*batch.MACSize)}
	if err := j.own(v.Plaintext); err != nil {
		return nil, err
	}
	b := batch.Batch{Keys: slices.Collect(slices.Chunk(v.Key, batch.KeySize)),
		Messages: slices.Collect(slices.Chunk(v.Plaintext, int(c.Bytes)/n))}
	by := func(sum func(key, text []byte) []byte) func() error {
		return each(slices.Chunk(v.Digest, batch.MACSize), func(i int) ([]byte, error) {
			return sum(b.Keys[b.Key(i)], b.Messages[i]), nil
		})
	}
	return v, j.prove(c, v, by(h.quick), by(h.right))
}
