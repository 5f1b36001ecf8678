package treehash

import (
	"bytes"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// A Stamp is what tells that a file or an object is still what it was. Times are in nanoseconds since 1970. One
// with neither an inode nor an ETag is of a system that doesn't tell, and proves nothing.
type Stamp struct {
	Size             int64
	Modified, Status int64 // when the contents were changed, and when the inode was
	Inode            uint64

	// Of an object: what its store says of its contents, and which of its versions it is. Neither is ever taken for
	// a digest: the ETag of an object that was uploaded in parts, or encrypted, is not its MD5.
	ETag, Version string
}

// Proves says whether a stamp tells one state from another.
func (s Stamp) Proves() bool { return s.Inode != 0 || s.ETag != "" }

// Is says whether two stamps are of one state. A listing of objects doesn't tell versions.
func (s Stamp) Is(other Stamp) bool {
	if s.Version == "" || other.Version == "" {
		s.Version, other.Version = "", ""
	}
	return s == other && s.Proves()
}

// A Result is what became of a file.
type Result struct {
	Name    []byte // as it was fed; good until Emit returns
	Digest  digest.Sum
	By      *digest.Algorithm // of Digest; of several candidates the one whose digest was given, or the first
	Given   Given
	Bytes   int64
	Stamp   Stamp // as the file was found
	Settled bool  // the stamp would be another if the file had been changed since
	Skipped bool  // the file is what Given says, and wasn't read
	Changed bool  // while it was read: the digest is that of no state the file was ever in
	LeftOut bool  // it is no regular file, or Output; there is neither a digest nor an error
	Output  bool  // with LeftOut: results are written into this file
	Err     error
}

// Given is what was known of a file before.
type Given struct {
	Digest digest.Sum
	Stamp  Stamp // the zero Stamp: the file is to be read whatever it looks like
	Line   int64 // for the source's own use

	// Algorithm is the file's own, or digest.OneOf several; nil is the job's.
	Algorithm *digest.Algorithm
}

// A batch is files that are fed, read and given back together. Its memory is used again.
type batch struct {
	names   []byte // each ended by NUL
	entries []entry
	given   []Given // for each entry, or none for those at the end
	reading bool    // by a worker; the queue's to say
	open    int     // entries that weren't done when they were fed
	objects bool    // there are some of these, to be fetched before a worker gets the batch
}

// An entry is a file in a batch. What it holds belongs to the source, to a worker, and, once it is done,
// to the collector.
type entry struct {
	start, end uint32 // of its name
	base       uint32 // where the name begins after the last slash
	number     uint16 // in its batch
	from       origin
	message    []byte // of an object that was fetched
	unreached  bool   // with result.Err: the store of an object wasn't reached, which had answered so often
	answers    int64
	result     Result
	done       atomic.Bool
}

// So much is in a batch at most.
const (
	batchFiles = 256
	batchNames = 32 << 10
)

func newBatch() *batch {
	return &batch{names: make([]byte, 0, batchNames), entries: make([]entry, 0, batchFiles)}
}

func (b *batch) reset() {
	clear(b.entries)
	clear(b.given)
	b.names, b.entries, b.given, b.open, b.objects = b.names[:0], b.entries[:0], b.given[:0], 0, false
	if cap(b.names) > 4*batchNames { // of names that were very long
		b.names = make([]byte, 0, batchNames)
	}
}

func (b *batch) full() bool { return len(b.entries) == batchFiles || len(b.names) >= batchNames }

// add takes a name. There must be room for an entry.
func (b *batch) add(name []byte, from origin) *entry {
	start := len(b.names)
	b.names = append(append(b.names, name...), 0)
	b.entries = b.entries[:len(b.entries)+1]
	e := &b.entries[len(b.entries)-1]
	e.start, e.end, e.from, e.number = uint32(start), uint32(start+len(name)), from, uint16(len(b.entries)-1)
	e.base = e.start + uint32(bytes.LastIndexByte(name, '/')+1)
	return e
}

func (b *batch) name(e *entry) []byte { return b.names[e.start:e.end:e.end] }

// path is the name ended by NUL, as system calls take it.
func (b *batch) path(e *entry) []byte { return b.names[e.start : e.end+1] }

// folder is the name up to and with the last slash, or empty.
func (b *batch) folder(e *entry) []byte { return b.names[e.start:e.base:e.base] }

// give keeps what was given for the last entry.
func (b *batch) give(g Given) {
	if b.given == nil {
		b.given = make([]Given, 0, batchFiles)
	}
	b.given = append(b.given[:cap(b.given)][:len(b.entries)-1], g) // zero for those before
}

// algorithm is the one for an entry: its own, or the job's.
func (b *batch) algorithm(e *entry, job *digest.Algorithm) *digest.Algorithm {
	if g := b.gave(int(e.number)); g != nil && g.Algorithm != nil {
		return g.Algorithm
	}
	return job
}

// gave returns what was given for entry i.
func (b *batch) gave(i int) *Given {
	if i >= len(b.given) {
		return nil
	}
	return &b.given[i]
}
