package sums

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// The state of a manifest is a text file: a header in JSON, then a line a file: a checksum of the rest of the line,
// digest, size, the times when its contents and its inode were changed (ns since 1970), its inode, of an object its
// ETag and version, or - and -, and its name, escaped as in a manifest. It says what is known of files, also of such as the manifest doesn't reach. The last
// line, if it is there, says that the manifest is whole, how many bytes it has, and is a checksum of that and of
// all lines before it. A line that isn't what its checksum says proves nothing, and its file is read.
const (
	stateFormat  = "cryptogauge.hash/3"
	stateFormat2 = "cryptogauge.hash/2" // had neither ETags nor versions
	stateFormat1 = "cryptogauge.hash/1" // had no checksums: nobody can tell whether it is what was written
	stateEnd     = "end "
)

type stateHeader struct {
	State     string `json:"state"`
	Algorithm string `json:"algorithm"`
	Check     string `json:"check"`
}

// A checksum is of a line of a state.
type checksum [16]byte

// checksumOf a line is bound to the algorithm of its digest.
func checksumOf(algorithm string, line []byte) (c checksum) {
	h := sha256.New()
	io.WriteString(h, algorithm+"\n")
	h.Write(line)
	var sum [sha256.Size]byte
	hex.Encode(c[:], h.Sum(sum[:0])[:len(c)/2])
	return c
}

func headerOf(a *digest.Algorithm, format string) []byte {
	check := checksumOf(a.Name, []byte(format))
	header, err := json.Marshal(stateHeader{format, a.Name, string(check[:])})
	if err != nil { // there is nothing in it that JSON lacks
		panic("sums: internal error: " + err.Error())
	}
	return append(header, '\n')
}

// A stateWriter writes a state. The zero stateWriter writes none.
type stateWriter struct {
	path    string // while it grows
	file    *os.File
	held    []byte // to be written after the lines of the manifest that it is about
	line    []byte
	say     func(language.Text)
	of      *digest.Algorithm
	all     hash.Hash // of what was written
	records int64     // that were written whole
	full    bool      // it couldn't be written on
	kept    bool      // a state stands beside the manifest
}

// newState begins a state of a manifest that replaces another, or nil.
func newState(path string, a *digest.Algorithm, was os.FileInfo, say func(language.Text)) (*stateWriter, error) {
	f, err := create(path)
	if err != nil {
		return nil, usage("%s: %w", "%s：%s", path, reason(err))
	}
	inherit(f, was)
	s := &stateWriter{path: path, file: f, say: say, of: a, all: sha256.New(), records: -1} // the header is none
	s.write(headerOf(a, stateFormat))
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
	line := append(append(s.line[:0], new(checksum)[:]...), ' ')
	line = append(hex.AppendEncode(line, digest), ' ')
	line = append(strconv.AppendInt(line, stamp.Size, 10), ' ')
	line = append(strconv.AppendInt(line, stamp.Modified, 10), ' ')
	line = append(strconv.AppendInt(line, stamp.Status, 10), ' ')
	line = append(strconv.AppendUint(line, stamp.Inode, 10), ' ')
	line = append(appendWord(line, stamp.ETag), ' ')
	line = append(appendWord(line, stamp.Version), ' ')
	s.line = append(manifest.AppendEscaped(line, name), '\n')
	check := checksumOf(s.of.Name, s.line[len(checksum{})+1:len(s.line)-1])
	copy(s.line, check[:])
	s.write(s.line)
}

// rest notes a file whose turn hadn't come.
func (s *stateWriter) rest(r *treehash.Result, done bool) {
	switch {
	case s.file == nil:
	case done && r.Err == nil && !r.LeftOut:
		s.put(r.Name, r.Digest[:s.of.Size], r)
	case !done && r.Given.Stamp.Proves():
		s.note(r.Name, r.Given.Digest[:s.of.Size], r.Given.Stamp)
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
	n, err := s.file.Write(s.held)
	s.all.Write(s.held[:n])
	s.records += int64(bytes.Count(s.held[:n], []byte{'\n'}))
	if s.held = s.held[:0]; err != nil {
		s.fail(err)
	}
}

func (s *stateWriter) fail(err error) {
	s.full = true
	s.say(aboutFile(s.path, language.Say("%s; the manifest comes first, and goes on without it", "%s；清单优先，不带状态文件继续",
		language.Of(reason(err)))))
}

// rememberRest notes what an earlier run knew and nobody has asked for, where the files were given up.
func (s *stateWriter) rememberRest(b *before) {
	if s.file != nil && b != nil {
		b.each(func(name []byte, g treehash.Given) { s.note(name, g.Digest[:s.of.Size], g.Stamp) })
	}
}

// close puts the state beside its manifest, in the place of the one that was there, unless it holds less than that.
// whole is the size of the manifest if that is whole; a whole manifest has a whole state, or none.
func (s *stateWriter) close(whole int64, givenUp bool, was stateSurvey) {
	if s.file == nil {
		return
	}
	s.flush()
	records := s.records
	if whole >= 0 {
		s.write(endLine(whole, s.all))
		s.flush()
	}
	err := s.file.Close()
	at := s.path[:len(s.path)-len(partSuffix)]
	if givenUp && records < was.records || s.full && (whole >= 0 || records <= 0) {
		os.Remove(s.path)
		s.kept = was.records > 0
		if whole >= 0 && was.exists && was.whole != whole && seal(at, whole) != nil {
			os.Remove(at)
			s.kept = false
		}
		return
	}
	if err == nil {
		err = os.Rename(s.path, at)
	}
	if err != nil {
		s.say(aboutFile(s.path, language.Of(reason(err))))
		return
	}
	s.kept = true
}

// endLine ends a state whose lines are in h. Its checksum is of them and of the size.
func endLine(whole int64, h hash.Hash) []byte {
	end := fmt.Appendf(nil, "%s%d", stateEnd, whole)
	return fmt.Appendf(end, " %x\n", sha256.Sum256(append(h.Sum(nil), end...)))
}

// A before is what an earlier run knew, read as files turn up in about the order in which they did then.
type before struct {
	file  *os.File
	lines *bufio.Reader
	of    *digest.Algorithm
	form  string // of the state
	ended bool
	count int
	mine  func(name []byte) bool // which names this run asks for; nil: all
	ahead map[string]ahead       // read, and not yet asked for
	order []string               // of these, and some that were; the first is number count-len(order)
	name  []byte
}

type ahead struct {
	given  treehash.Given
	number int
}

// window is how far the order of files may have moved between two runs. It bounds memory, to about 60 MiB.
const window = 1 << 18

// openBefore opens a state. The error is fs.ErrNotExist where there is none, and errUnproven where nothing in it
// can be relied on.
func openBefore(path string, a *digest.Algorithm, p *shard.Part) (*before, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		return nil, usage("%s: %w", "%s：%s", path, reason(err))
	}
	b := &before{file: f, lines: bufio.NewReaderSize(f, held), of: a, ahead: map[string]ahead{}}
	if p != nil {
		b.mine = p.Has
	}
	h, err := readHeader(b.lines)
	b.form = h.State
	switch {
	case err == io.EOF: // it was begun, and got no further
		err = os.ErrNotExist
	case err != nil:
		err = usage("%s: %w; remove it to read every file again", "%s：%s；删除它即可重新读取每个文件", path, err)
	case h.Algorithm != a.Name:
		err = usage("%s: is of %s, and -a says %s", "%s：属于 %s，而 -a 指定 %s", path, h.Algorithm, a.Name)
	case h.State == stateFormat1:
		err = errUnproven
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return b, nil
}

var errUnproven = language.Error("is of an earlier version and has no checksums", "由早期版本写成，没有校验和")

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

// next reads a record of this run's, and its name into b.name. Lines that aren't what their checksums say are passed over. A
// state that ends in the middle of a line ends there.
func (b *before) next() (g treehash.Given, ok bool) {
	for !b.ended && !ok {
		text, err := readLine(b.lines)
		if err != nil {
			b.ended = true
			break
		}
		g, b.name, ok = parseRecord(text[:len(text)-1], record{b.of, b.form}, b.name)
		ok = ok && (b.mine == nil || b.mine(b.name))
	}
	return g, ok
}

// readLine reads a line of any length, with its end. One that has none is no line.
func readLine(lines *bufio.Reader) ([]byte, error) {
	text, err := lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(text)
		for errors.Is(err, bufio.ErrBufferFull) {
			text, err = lines.ReadSlice('\n')
			long = append(long, text...)
		}
		text = long
	}
	return text, err
}

// A record is what lines of a state are: of an algorithm, in a format.
type record struct {
	of     *digest.Algorithm
	format string
}

// fields is how many a line has.
func (r record) fields() int {
	if r.format == stateFormat {
		return 8
	}
	return 6
}

// parseRecord reads a line of a state, and its name into room. The line is overwritten.
func parseRecord(text []byte, r record, room []byte) (g treehash.Given, name []byte, ok bool) {
	check, text, ok := bytes.Cut(text, []byte{' '})
	if want := checksumOf(r.of.Name, text); !ok || !bytes.Equal(check, want[:]) {
		return g, room, false
	}
	fields := bytes.SplitN(text, []byte{' '}, r.fields())
	if len(fields) != r.fields() || len(fields[0]) != 2*r.of.Size {
		return g, room, false
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
	if err == nil && r.format == stateFormat {
		g.Stamp.ETag, err = word(fields[5])
	}
	if err == nil && r.format == stateFormat {
		g.Stamp.Version, err = word(fields[6])
	}
	name, ok = manifest.Unescape(fields[len(fields)-1])
	return g, append(room[:0], name...), ok && err == nil
}
