// Package digest is what the verb hash computes: algorithms by the names that people type and that
// manifests carry, of many messages or files at once where lanes make that faster.
package digest

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"io"

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
	{Name: "sha256", Tag: "SHA256", Size: sha256.Size, new: sha256.New,
		summer: inLanes(multibuffer.SumSHA256, func(d *[sha256.Size]byte) []byte { return d[:] }),
		read:   inStep(multibuffer.Hasher.ReadSHA256, func(d *[sha256.Size]byte) []byte { return d[:] })},
	{Name: "sha512", Tag: "SHA512", Size: sha512.Size, new: sha512.New,
		summer: oneByOne(func(m []byte) Sum { return sha512.Sum512(m) })},
	{Name: "blake2b", Tag: "BLAKE2b", Size: blake2b.Size, new: newBLAKE2b,
		summer: oneByOne(func(m []byte) Sum { return blake2b.Sum512(m) })},
}

func newBLAKE2b() hash.Hash {
	h, err := blake2b.New512(nil)
	if err != nil { // it refuses long keys, and there is none
		panic("digest: internal error: " + err.Error())
	}
	return h
}
