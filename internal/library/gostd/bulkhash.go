package gostd

import (
	"crypto/md5"
	"crypto/sha256"
	stdhash "hash"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// isBulk says whether a case is of many messages at once, or of a file.
func isBulk(c result.Case) bool {
	return c.Operation == bulkhash.Operation || c.Operation == bulkhash.FileOperation
}

// openBulk hashes many messages, or a file.
func (l library) openBulk(c result.Case) (provider.Operation, error) {
	switch {
	case c.Algorithm != "MD5" && (c.Algorithm != "SHA-256" || c.Operation != bulkhash.Operation):
		return nil, provider.Absent("not-offered", "go", c.Name()+" "+c.Operation)
	case allowedHash(c) != nil:
		return nil, allowedHash(c)
	case c.Operation == bulkhash.FileOperation:
		return bulkhash.OpenFile(c, l.vectors)
	case c.Algorithm == "SHA-256":
		loops := bulkhash.Loops[[sha256.Size]byte]{Each: func() bulkhash.Loop[[sha256.Size]byte] { return sha256Sum }}
		if way := c.Parameter("way"); way == bulkhash.Sum {
			loops.Alone = func(digests [][sha256.Size]byte, messages [][]byte, _ []string) { sha256Sum(digests, messages) }
		}
		return bulkhash.Open(c, l.vectors, loops)
	}
	return bulkhash.Open(c, l.vectors, bulkhash.Loops[[md5.Size]byte]{Alone: md5Alone(c.Parameter("way")), Each: func() bulkhash.Loop[[md5.Size]byte] { return md5Sum }})
}

// md5Alone is the loop of a way of one goroutine, nil where there is none.
func md5Alone(way string) func(digests [][md5.Size]byte, messages [][]byte, strings []string) {
	switch way {
	case bulkhash.New:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5New(digests, messages) }
	case bulkhash.Sum:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5Sum(digests, messages) }
	case bulkhash.Pool:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5Pool(digests, messages) }
	case bulkhash.PoolBuffer:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5PoolBuffer(digests, messages) }
	case bulkhash.StringCopy:
		return func(digests [][md5.Size]byte, _ [][]byte, strings []string) { md5StringCopy(digests, strings) }
	case bulkhash.StringView:
		return func(digests [][md5.Size]byte, _ [][]byte, strings []string) { md5StringView(digests, strings) }
	}
	return nil
}

func md5New(digests [][md5.Size]byte, messages [][]byte) {
	for i, m := range messages {
		h := md5.New()
		h.Write(m)
		digests[i] = [md5.Size]byte(h.Sum(nil))
	}
}

func md5Sum(digests [][md5.Size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = md5.Sum(m)
	}
}

func sha256Sum(digests [][sha256.Size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = sha256.Sum256(m)
	}
}

var md5States = sync.Pool{New: func() any { return md5.New() }}

func md5Pool(digests [][md5.Size]byte, messages [][]byte) {
	for i, m := range messages {
		h := md5States.Get().(stdhash.Hash)
		h.Reset()
		h.Write(m)
		digests[i] = [md5.Size]byte(h.Sum(nil))
		md5States.Put(h)
	}
}

func md5PoolBuffer(digests [][md5.Size]byte, messages [][]byte) {
	buffer := make([]byte, 0, md5.Size)
	for i, m := range messages {
		h := md5States.Get().(stdhash.Hash)
		h.Reset()
		h.Write(m)
		buffer = h.Sum(buffer[:0])
		digests[i] = [md5.Size]byte(buffer)
		md5States.Put(h)
	}
}

func md5StringCopy(digests [][md5.Size]byte, strings []string) {
	for i, s := range strings {
		digests[i] = md5.Sum([]byte(s))
	}
}

func md5StringView(digests [][md5.Size]byte, strings []string) {
	for i, s := range strings {
		digests[i] = md5.Sum(unsafe.Slice(unsafe.StringData(s), len(s)))
	}
}
