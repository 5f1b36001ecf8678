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

// sink takes sealed chunks. Left are the bytes of the source's unit after this one.
type sink interface {
	write(sealed []byte, left int64) error
	judge(want []byte) error // of the last unit
	clear() error
}

// open makes the source, which holds a unit, and the sink.
func (s *stream) open(v *provider.Vector, dir string) error {
	if !s.File {
		s.source, s.sink = bytes.NewReader(v.Plaintext), &memorySink{unit: touched(len(v.Ciphertext))}
		return nil
	}
	if dir == "" { // one that the user named was looked at before anything was measured
		if err := scratch.Room(dir, RoomFor(s.Shape)); err != nil {
			return provider.Refused(err)
		}
	}
	for range 2 {
		f, err := scratch.File(dir)
		if err != nil {
			return err
		}
		s.files = append(s.files, f)
	}
	s.source, s.sink = s.files[0], &fileSink{file: s.files[1]}
	if _, err := s.files[0].Write(v.Plaintext); err != nil {
		return reason.New("writing-source", len(v.Plaintext), scratch.Bare(err))
	}
	return nil
}

type memorySink struct {
	unit []byte
	at   int
	full bool // a whole unit is there
}

func (m *memorySink) write(sealed []byte, left int64) error {
	if m.full {
		m.at, m.full = 0, false
	}
	if copy(m.unit[m.at:], sealed) < len(sealed) {
		return reason.New("too-long")
	}
	m.at += len(sealed)
	m.full = left == 0
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

type fileSink struct {
	file    *os.File
	written int64
}

func (f *fileSink) write(sealed []byte, _ int64) error {
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
