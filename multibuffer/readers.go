package multibuffer

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// bufferSize is what is read of each message at a time.
const bufferSize = 16 << 10

// ReadMD5 hashes what comes from readers until io.EOF: digests[i] is the digest of all of readers[i], or
// errs[i] is the error that ended it, and its digest is zero. All readers are read in step, up to 64 of
// them at a time, so one that waits lets the others wait. A call allocates 16 KiB for each of these.
//
// It panics if there are fewer digests or errors than readers. Read the package's security note.
func (h Hasher) ReadMD5(digests [][md5.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.MD5, flatten(digests), len(digests), errs, readers)
}

// ReadSM3 is ReadMD5 for SM3.
func (h Hasher) ReadSM3(digests [][sm3.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.SM3, flatten(digests), len(digests), errs, readers)
}

// ReadSHA256 is ReadMD5 for SHA-256.
func (h Hasher) ReadSHA256(digests [][sha256.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.SHA256, flatten(digests), len(digests), errs, readers)
}

// ReadSHA1 is ReadMD5 for SHA-1.
func (h Hasher) ReadSHA1(digests [][sha1.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.SHA1, flatten(digests), len(digests), errs, readers)
}

func read(h Hasher, f kernel.Hash, digests []byte, n int, errs []error, readers []io.Reader) {
	check(n, len(readers))
	if len(errs) < len(readers) {
		panic("multibuffer: fewer errors than readers")
	}
	_ = fmt.Sprint
}
