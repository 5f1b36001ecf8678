package gostd

import (
	"crypto/md5"
	"crypto/sha256"
	stdhash "hash"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// isBulk says whether a case is of many messages at once, or of a file.
func isBulk(c result.Case) bool {
	return c.Operation == algorithm.HashMany || c.Operation == algorithm.HashFile
}

// openBulk hashes many messages, or a file.
func (l library) openBulk(c result.Case) (provider.Operation, error) {
	switch {
	case c.Algorithm != "MD5" && (c.Algorithm != "SHA-256" || c.Operation != algorithm.HashMany):
		return nil, provider.Absent("not-offered", "go", c.Name()+" "+c.Operation)
	case allowedHash(c) != nil:
		return nil, allowedHash(c)
	case c.Operation == algorithm.HashFile:
		return bulkhash.OpenFile(c, l.vectors)
	case c.Algorithm == "SHA-256":
		loops := bulkhash.Loops[[sha256.Size]byte]{Each: func() bulkhash.Loop[[sha256.Size]byte] { return sha256Sum }}
		if way := parameter.Way.In(c.Parameters); way == parameter.Sum {
			loops.Alone = func(digests [][sha256.Size]byte, messages [][]byte, _ []string) { sha256Sum(digests, messages) }
		}
		return bulkhash.Open(c, l.vectors, loops)
	}
	return bulkhash.Open(c, l.vectors, bulkhash.Loops[[md5.Size]byte]{Alone: md5Alone(parameter.Way.In(c.Parameters)), Each: func() bulkhash.Loop[[md5.Size]byte] { return md5Sum }})
}

// md5Alone is the loop of a way of one goroutine, nil where there is none.
func md5Alone(way parameter.Manner) func(digests [][md5.Size]byte, messages [][]byte, strings []string) {
	switch way {
	case parameter.New:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5New(digests, messages) }
	case parameter.Sum:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5Sum(digests, messages) }
	case parameter.Pool:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5Pool(digests, messages) }
	case parameter.PoolBuffer:
		return func(digests [][md5.Size]byte, messages [][]byte, _ []string) { md5PoolBuffer(digests, messages) }
	case parameter.StringCopy:
		return func(digests [][md5.Size]byte, _ [][]byte, strings []string) { md5StringCopy(digests, strings) }
	case parameter.StringView:
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
