package treehash

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// A sort is what a name in a folder stands for.
type sort uint8

const (
	regular sort = iota
	folder
	link    // that isn't followed
	special // a FIFO, a device or a socket
)

// A fileID is the same for all names of a file, and for no other file.
type fileID struct{ device, inode uint64 }

// A listing is the names in a folder. Those of folders end in a slash, so that the order of names is
// that of the paths below them.
type listing struct {
	names  []byte
	items  []item
	buffer [32 << 10]byte
}

// An item is a name in a listing. key is its first bytes that not all names share.
type item struct {
	key    uint64
	start  uint32
	length uint16
	sort   sort
}

func (l *listing) reset() { l.names, l.items = l.names[:0], l.items[:0] }

func (l *listing) append(name []byte, s sort) {
	start := len(l.names)
	l.names = append(l.names, name...)
	if s == folder {
		l.names = append(l.names, '/')
	}
	l.items = append(l.items, item{start: uint32(start), length: uint16(len(l.names) - start), sort: s})
}

func (l *listing) name(i item) []byte { return l.names[i.start:][:i.length] }

// order sorts the names by their bytes.
func (l *listing) order() {
	if len(l.items) == 0 {
		return
	}
	shared := l.name(l.items[0])
	for _, i := range l.items {
		name := l.name(i)
		n := 0
		for n < len(shared) && n < len(name) && name[n] == shared[n] {
			n++
		}
		shared = shared[:n]
	}
	for i := range l.items {
		var key [8]byte
		copy(key[:], l.name(l.items[i])[len(shared):])
		l.items[i].key = binary.BigEndian.Uint64(key[:])
	}
	slices.SortFunc(l.items, func(a, b item) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return bytes.Compare(l.name(a), l.name(b))
	})
}
