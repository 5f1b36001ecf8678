package judge

import (
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"slices"
	"unsafe"

	"github.com/emmansun/gmsm/sm3"
	"github.com/zeebo/blake3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/multibuffer"
	"github.com/cryptogauge/cryptogauge/result"
)

// manyHashed are the hash functions of which many digests are judged: the reference,
// and what gives the digests quickly where it has computed them once in a run.
var manyHashed = map[string]struct {
	size int
	hash func([]byte) []byte
	fast func(digests []byte, messages [][]byte)
}{
	algorithm.MD5: {md5.Size, reference.MD5, func(digests []byte, messages [][]byte) {
		multibuffer.SumMD5(cutDigests[[md5.Size]byte](digests), messages)
	}},
	algorithm.SHA256: {sha256.Size, reference.SHA256, func(digests []byte, messages [][]byte) {
		multibuffer.SumSHA256(cutDigests[[sha256.Size]byte](digests), messages)
	}},
	algorithm.SM3: {sm3.Size, reference.SM3, func(digests []byte, messages [][]byte) {
		multibuffer.SumSM3(cutDigests[[sm3.Size]byte](digests), messages)
	}},
	algorithm.BLAKE3: {32, reference.BLAKE3, func(digests []byte, messages [][]byte) {
		for i, d := range cutDigests[[32]byte](digests) {
			d = blake3.Sum256(messages[i])
			copy(digests[i*len(d):], d[:])
		}
	}},
}

// cutDigests is bytes as digests, in place.
func cutDigests[D bulkhash.Digest](b []byte) []D {
	return unsafe.Slice((*D)(unsafe.Pointer(&b[0])), len(b)/bulkhash.SizeOf[D]())
}

// bulkMessage is message for the hash of many messages.
func bulkMessage(c result.Case) (result.Case, error) {
	if _, ok := manyHashed[c.Algorithm]; !ok {
		return c, provider.Unsupported("no-judge", c.Name())
	}
	if c.Bytes > maxBytes {
		return c, provider.Unsupported("messages-most", c.Bytes, int64(maxBytes))
	}
	return bulkhash.Material(c)
}

// fileMessage is message for the hash of a file: that of its content.
func fileMessage(c result.Case) (result.Case, error) {
	c, err := bulkhash.FileMaterial(c)
	if err != nil {
		return c, err
	}
	if !IsHash(c.Algorithm) {
		return c, provider.Unsupported("no-judge", c.Algorithm)
	}
	return hashMessage(c)
}

// bulkVector draws the messages, one after the other in Plaintext, and hashes them:
// Digest is the digests in the same order. The draw follows from the bytes alone, so
// that all algorithms have the same messages.
func (j *Judge) bulkVector(c result.Case) (*provider.Vector, error) {
	of := manyHashed[c.Algorithm]
	n := int(bulkhash.MessagesOf(c))
	source := seeded.Source(j.seed, fmt.Sprintf("many/%d/%d", n, c.Bytes))
	v := &provider.Vector{Plaintext: make([]byte, c.Bytes), Digest: make([]byte, n*of.size)}
	_, _ = source.Read(v.Plaintext) // never fails
	messages := slices.Collect(slices.Chunk(v.Plaintext, int(c.Bytes)/n))
	if want, ok := j.digests[c]; ok {
		err := provider.Guard(func() error { of.fast(v.Digest, messages); return nil })
		if err == nil && digest(v) == want {
			return v, nil
		}
	}
	for i, m := range messages {
		copy(v.Digest[i*of.size:], of.hash(m))
	}
	j.digests[c] = digest(v)
	return v, nil
}
