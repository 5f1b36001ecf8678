// Package digest is what the verb hash computes: algorithms by the names that people type and that
// manifests carry, of many messages or files at once where lanes make that faster.
package digest

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"hash"
	"io"
	"strconv"
	"sync"

	"github.com/emmansun/gmsm/sm3"
	"golang.org/x/crypto/blake2b"

	"github.com/cryptogauge/cryptogauge/multibuffer"
)

// A Sum is a digest; of a shorter one the first bytes count.
type Sum [blake2b.Size]byte

// An Algorithm is a way to make digests.
type Algorithm struct {
	Name string // as it is typed, and as the program of coreutils is called that prints it: md5 in md5sum
	Tag  string // as BSD's manifests and cksum --tag have it
	Size int    // of its digest, in bytes

	// Weak says that anyone can make two files of the same digest: it finds accidents, and no adversary.
	Weak bool

	fips   bool         // FIPS 140-3 approves it
	oneOf  []*Algorithm // see OneOf; then there is nothing else
	new    func() hash.Hash
	summer func() Summer
	read   func(sums []Sum, errs []error, readers []io.Reader) // nil where nothing is done at once
}

// A Summer hashes messages: sums[i] becomes the digest of messages[i]. It belongs to one goroutine.
type Summer func(sums []Sum, messages [][]byte)

// all is in the order in which the algorithms are named to the user.
var all = []*Algorithm{
	{Name: "md5", Tag: "MD5", Size: md5.Size, Weak: true, new: md5.New,
		summer: inLanes(multibuffer.SumMD5, func(d *[md5.Size]byte) []byte { return d[:] }),
		read:   inStep(multibuffer.Hasher.ReadMD5, func(d *[md5.Size]byte) []byte { return d[:] })},
	{Name: "sm3", Tag: "SM3", Size: sm3.Size, new: sm3.New,
		summer: inLanes(multibuffer.SumSM3, func(d *[sm3.Size]byte) []byte { return d[:] }),
		read:   inStep(multibuffer.Hasher.ReadSM3, func(d *[sm3.Size]byte) []byte { return d[:] })},
	{Name: "sha1", Tag: "SHA1", Size: sha1.Size, Weak: true, new: sha1.New,
		summer: inLanes(multibuffer.SumSHA1, func(d *[sha1.Size]byte) []byte { return d[:] }),
		read:   inStep(multibuffer.Hasher.ReadSHA1, func(d *[sha1.Size]byte) []byte { return d[:] })},
	{Name: "sha224", Tag: "SHA224", Size: sha256.Size224, fips: true, new: sha256.New224, summer: oneByOne(sha256.Sum224)},
	{Name: "sha256", Tag: "SHA256", Size: sha256.Size, fips: true, new: sha256.New,
		summer: inLanes(multibuffer.SumSHA256, func(d *[sha256.Size]byte) []byte { return d[:] }),
		read:   inStep(multibuffer.Hasher.ReadSHA256, func(d *[sha256.Size]byte) []byte { return d[:] })},
	{Name: "sha384", Tag: "SHA384", Size: sha512.Size384, fips: true, new: sha512.New384, summer: oneByOne(sha512.Sum384)},
	{Name: "sha512", Tag: "SHA512", Size: sha512.Size, fips: true, new: sha512.New, summer: oneByOne(sha512.Sum512)},
	{Name: "sha3-224", Tag: "SHA3-224", Size: 28, fips: true, new: asHash(sha3.New224), summer: oneByOne(sha3.Sum224)},
	{Name: "sha3-256", Tag: "SHA3-256", Size: 32, fips: true, new: asHash(sha3.New256), summer: oneByOne(sha3.Sum256)},
	{Name: "sha3-384", Tag: "SHA3-384", Size: 48, fips: true, new: asHash(sha3.New384), summer: oneByOne(sha3.Sum384)},
	{Name: "sha3-512", Tag: "SHA3-512", Size: 64, fips: true, new: asHash(sha3.New512), summer: oneByOne(sha3.Sum512)},
	{Name: "blake2b", Tag: "BLAKE2b", Size: blake2b.Size, new: newBLAKE2b(blake2b.Size), summer: oneByOne(blake2b.Sum512)},
}

// shortBLAKE2b are BLAKE2b by the size of the digest, those shorter than the longest. The size is a parameter of
// the hash (RFC 7693, 2.5): a shorter digest is no beginning of a longer one.
var shortBLAKE2b = sync.OnceValue(func() *[blake2b.Size]*Algorithm {
	short := new([blake2b.Size]*Algorithm)
	for size := 1; size < blake2b.Size; size++ {
		bits := strconv.Itoa(8 * size)
		short[size] = &Algorithm{Name: "blake2b-" + bits, Tag: "BLAKE2b-" + bits, Size: size,
			new: newBLAKE2b(size), summer: eachNew(newBLAKE2b(size))}
	}
	return short
})

func newBLAKE2b(size int) func() hash.Hash {
	return func() hash.Hash {
		h, err := blake2b.New(size, nil)
		if err != nil { // it refuses other sizes, and long keys
			panic("digest: internal error: " + err.Error())
		}
		return h
	}
}

func asHash[H hash.Hash](construct func() H) func() hash.Hash {
	return func() hash.Hash { return construct() }
}
