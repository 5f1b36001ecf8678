package streaming

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/library/scratch"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// source is read from any place of its unit.
type source interface {
	read(chunk []byte, at int64) error
	close() error
}

// sink takes sealed chunks. Ends says that with this one a unit ends.
type sink interface {
	write(sealed []byte, ends bool) error
	judge(want []byte) error // of the last unit
	clear() error
	close() error
}

var errNotRun = reason.New("not-run")

// ends makes the source, which holds a unit, and the sink.
func ends(s Shape, v *provider.Vector, dir string) (source, sink, error) {
	if !s.File {
		return memorySource(v.Plaintext), &memorySink{unit: touched(len(v.Ciphertext))}, nil
	}
	if dir == "" { // one that the user named was looked at before anything was measured
		if err := scratch.Room(dir, RoomFor(s)); err != nil {
			return nil, nil, provider.Refused(err)
		}
	}
	from, err := scratch.File(dir)
	if err != nil {
		return nil, nil, err
	}
	if _, err := from.Write(v.Plaintext); err != nil {
		_ = from.Close()
		return nil, nil, reason.New("writing-source", len(v.Plaintext), scratch.Bare(err))
	}
	to, err := scratch.File(dir)
	if err != nil {
		_ = from.Close()
		return nil, nil, err
	}
	return fileSource{from}, &fileSink{file: to}, nil
}

type memorySource []byte

func (m memorySource) read(chunk []byte, at int64) error {
	copy(chunk, m[at:])
	return nil
}

func (memorySource) close() error { return nil }

// memorySink holds one unit, which the next is written over.
type memorySink struct {
	unit []byte
	at   int
	full bool // a whole unit is there
}

func (m *memorySink) write(sealed []byte, ends bool) error {
	if m.full {
		m.at, m.full = 0, false
	}
	if copy(m.unit[m.at:], sealed) < len(sealed) {
		return reason.New("too-long")
	}
	m.at += len(sealed)
	m.full = ends
	return nil
}

func (m *memorySink) judge(want []byte) error {
	defer func() { // so that nothing passes that was not written anew
		for i := range m.unit {
			m.unit[i] ^= 0xff
		}
	}()
	if m.at != len(want) {
		return reason.New("unit-length", m.at, len(want))
	}
	return differs(m.unit[:m.at], want, 0)
}

func (m *memorySink) clear() error {
	m.at, m.full = 0, false
	return nil
}

func (*memorySink) close() error { return nil }

type fileSource struct{ file *os.File }

func (f fileSource) read(chunk []byte, at int64) error {
	_, err := f.file.ReadAt(chunk, at)
	return err
}

func (f fileSource) close() error { return f.file.Close() }

// fileSink grows by what is written, until it is cleared.
type fileSink struct {
	file    *os.File
	written int64
}

func (f *fileSink) write(sealed []byte, _ bool) error {
	n, err := f.file.Write(sealed)
	f.written += int64(n)
	return scratch.Bare(err)
}

// judge reads the last unit back in pieces, which take no memory worth counting.
func (f *fileSink) judge(want []byte) error {
	if size, err := f.file.Seek(0, io.SeekEnd); err != nil || size != f.written || size < int64(len(want)) {
		return reason.New("sink-holds", size, f.written, len(want), err)
	}
	piece := make([]byte, 64<<10)
	for at := 0; at < len(want); {
		got := piece[:min(len(piece), len(want)-at)]
		if _, err := f.file.ReadAt(got, f.written-int64(len(want)-at)); err != nil {
			return reason.New("reading-sink", err)
		}
		if err := differs(got, want[at:at+len(got)], at); err != nil {
			return err
		}
		at += len(got)
	}
	return nil
}

func (f *fileSink) clear() error {
	if f.written == 0 {
		return nil
	}
	f.written = 0
	if err := f.file.Truncate(0); err != nil {
		return reason.New("emptying-sink", scratch.Bare(err))
	}
	_, err := f.file.Seek(0, io.SeekStart)
	return err
}

func (f *fileSink) close() error { return f.file.Close() }

// differs says where two equally long texts differ; nil where they do not. From is
// where they begin in the unit.
func differs(got, want []byte, from int) error {
	if bytes.Equal(got, want) {
		return nil
	}
	at := 0
	for got[at] == want[at] {
		at++
	}
	return reason.New("unit-wrong-from", from+at, fmt.Sprintf("%#02x", got[at]), fmt.Sprintf("%#02x", want[at]))
}
