package sums

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/digest"
	"github.com/cryptogauge/cryptogauge/internal/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treehash"
)

// The state of a manifest is a text file: a header in JSON, then a line a file: digest, size, the times
// when its contents and its inode were changed (ns since 1970), its inode, and its name, escaped as in a
// manifest. It says what is known of files, also of such as the manifest doesn't reach. The last line,
// if it is there, says that the manifest is whole.
const (
	stateFormat = "cryptogauge.hash/1"
	stateEnd    = "\nend\n"
)

type stateHeader struct {
	State     string `json:"state"`
	Algorithm string `json:"algorithm"`
}

// A stateWriter writes a state. The zero stateWriter writes none.
type stateWriter struct {
	path string // while it grows
	file *os.File
	held []byte // to be written after the lines of the manifest that it is about
	line []byte
	say  func(string)
	size int  // of digests
	full bool // it couldn't be written on
	kept bool // it stands beside the manifest
}

func newState(path string, a *digest.Algorithm, say func(string)) (*stateWriter, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, usage("%s: %w", path, reason(err))
	}
	header, err := json.Marshal(stateHeader{stateFormat, a.Name})
	if err != nil {
		return nil, err
	}
	s := &stateWriter{path: path, file: f, say: say, size: a.Size}
	s.write(append(header, '\n'))
	s.flush()
	return s, nil
}

// put notes a file, unless its stamp doesn't prove enough.
func (s *stateWriter) put(name, digest []byte, r *treehash.Result) {
	if s.file != nil && !s.full && r.Settled && !r.Changed {
		s.note(name, digest, r.Stamp)
	}
}

func (s *stateWriter) note(name, digest []byte, stamp treehash.Stamp) {
	line := append(hex.AppendEncode(s.line[:0], digest), ' ')
	line = append(strconv.AppendInt(line, stamp.Size, 10), ' ')
	line = append(strconv.AppendInt(line, stamp.Modified, 10), ' ')
	line = append(strconv.AppendInt(line, stamp.Status, 10), ' ')
	line = append(strconv.AppendUint(line, stamp.Inode, 10), ' ')
	s.line = append(manifest.AppendEscaped(line, name), '\n')
	s.write(s.line)
}

// rest notes a file whose turn hadn't come.
func (s *stateWriter) rest(r *treehash.Result, done bool) {
	switch {
	case s.file == nil:
	case done && r.Err == nil && !r.LeftOut:
		s.put(r.Name, r.Digest[:s.size], r)
	case !done && r.Given.Stamp.Inode != 0:
		s.note(r.Name, r.Given.Digest[:s.size], r.Given.Stamp)
	}
}

// write writes. When that fails, what was written until then is kept: a reader stops where it ends.
func (s *stateWriter) write(text []byte) {
	if s.file == nil || s.full {
		return
	}
	if s.held = append(s.held, text...); len(s.held) >= mostHeld {
		s.flush()
	}
}

// mostHeld is more than the state of all lines that a manifest holds back takes: it is
// the manifest that is written first, and gets what room there is.
const mostHeld = 8 * held

// flush writes what was held back, so that a run that is killed leaves it behind.
func (s *stateWriter) flush() {
	if s.file == nil || s.full {
		return
	}
	_, err := s.file.Write(s.held)
	if s.held = s.held[:0]; err != nil {
		s.fail(err)
	}
}

func (s *stateWriter) fail(err error) {
	s.full = true
	s.say(fmt.Sprintf("%s: %s; the manifest comes first, and goes on without it", s.path, reason(err)))
}

// close puts the state beside its manifest. The records of before that weren't asked for are kept where
// the files were given up. A whole manifest has a whole state, or none.
func (s *stateWriter) close(whole, givenUp bool, b *before) {
	if s.file == nil {
		return
	}
	if givenUp && b != nil {
		b.each(func(name []byte, g treehash.Given) { s.note(name, g.Digest[:s.size], g.Stamp) })
	}
	if whole {
		s.write([]byte(stateEnd)[1:])
	}
	s.flush()
	err := s.file.Close()
	if s.full && whole {
		os.Remove(s.path)
		return
	}
	if err == nil {
		err = os.Rename(s.path, s.path[:len(s.path)-len(partSuffix)])
	}
	if err != nil {
		s.say(fmt.Sprintf("%s: %s", s.path, reason(err)))
		return
	}
	s.kept = true
}

// A before is what an earlier run knew, read as files turn up in about the order in which they did then.
type before struct {
	file  *os.File
	lines *bufio.Reader
	size  int
	ended bool
	count int
	ahead map[string]ahead // read, and not yet asked for
	order []string         // of these, and some that were; the first is number count-len(order)
	name  []byte
}

type ahead struct {
	given  treehash.Given
	number int
}

// window is how far the order of files may have moved between two runs. It bounds memory, to about 60 MiB.
const window = 1 << 18

// openBefore opens a state. The error is fs.ErrNotExist where there is none.
func openBefore(path string, a *digest.Algorithm) (*before, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		return nil, usage("%s: %w", path, reason(err))
	}
	b := &before{file: f, lines: bufio.NewReaderSize(f, held), size: a.Size, ahead: map[string]ahead{}}
	text, err := b.lines.ReadSlice('\n')
	if err == io.EOF { // it was begun, and got no further
		f.Close()
		return nil, os.ErrNotExist
	}
	var h stateHeader
	if err != nil || json.Unmarshal(text, &h) != nil || h.State != stateFormat {
		f.Close()
		return nil, usage("%s: is no state of a manifest; remove it to read every file again", path)
	}
	if h.Algorithm != a.Name {
		f.Close()
		return nil, usage("%s: is of %s, and -a says %s", path, h.Algorithm, a.Name)
	}
	return b, nil
}

func (b *before) close() { b.file.Close() }

// find returns what is known of a file. Each is found once.
func (b *before) find(name []byte) (treehash.Given, bool) {
	if known, ok := b.ahead[string(name)]; ok {
		delete(b.ahead, string(name))
		b.forget(known.number - window/2)
		return known.given, true
	}
	for !b.ended && len(b.ahead) < window {
		g, ok := b.next()
		if !ok {
			break
		}
		if bytes.Equal(b.name, name) {
			return g, true
		}
		b.ahead[string(b.name)] = ahead{g, b.count}
		b.order = append(b.order, string(b.name))
		b.count++
	}
	return treehash.Given{}, false
}

// forget drops what was read before number: files that are there no more.
func (b *before) forget(number int) {
	for len(b.order) > 0 && b.count-len(b.order) < number {
		if known, ok := b.ahead[b.order[0]]; ok && known.number == b.count-len(b.order) {
			delete(b.ahead, b.order[0])
		}
		b.order = b.order[1:]
	}
}

// each tells of all that wasn't asked for.
func (b *before) each(tell func([]byte, treehash.Given)) {
	for _, name := range b.order {
		if known, ok := b.ahead[name]; ok {
			tell([]byte(name), known.given)
			delete(b.ahead, name)
		}
	}
	for !b.ended {
		if g, ok := b.next(); ok {
			tell(b.name, g)
		}
	}
}

// next reads a record, and its name into b.name. A state that ends in the middle of a line, or in
// anything else, ends there.
func (b *before) next() (g treehash.Given, ok bool) {
	text, err := b.lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(text)
		for errors.Is(err, bufio.ErrBufferFull) {
			text, err = b.lines.ReadSlice('\n')
			long = append(long, text...)
		}
		text = long
	}
	if err == nil {
		g, ok = b.parse(text[:len(text)-1])
	}
	if err == io.EOF || !ok {
		b.ended = true
	}
	return g, ok
}

func (b *before) parse(text []byte) (g treehash.Given, ok bool) {
	fields := bytes.SplitN(text, []byte{' '}, 6)
	if len(fields) != 6 || len(fields[0]) != 2*b.size {
		return g, false
	}
	_, err := hex.Decode(g.Digest[:], fields[0])
	for i, to := range []*int64{&g.Stamp.Size, &g.Stamp.Modified, &g.Stamp.Status} {
		if err == nil {
			*to, err = strconv.ParseInt(string(fields[1+i]), 10, 64)
		}
	}
	if err == nil {
		g.Stamp.Inode, err = strconv.ParseUint(string(fields[4]), 10, 64)
	}
	name, ok := manifest.Unescape(fields[5])
	b.name = append(b.name[:0], name...)
	return g, ok && err == nil
}
