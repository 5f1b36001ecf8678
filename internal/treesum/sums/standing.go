package sums

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
)

// What stands where a run is about to write: manifests and states of earlier runs, whole or in part, or what is
// somebody else's and stays.

var (
	errKept       = language.Error("is not overwritten; move it away, or name another file", "不会被覆盖；请移走，或另取文件名")
	errNoManifest = language.Error("is no manifest, and "+errKept.Error(), "不是清单，不会被覆盖；请移走，或另取文件名")
	errNoState    = language.Error("is no state of a manifest", "不是清单的状态文件")
	errLink       = language.Error("is a symbolic link; name the file that it leads to", "是符号链接；请给出它所指的文件")
	errNames      = language.Error("has more than one name (hard links); move it away, or name another file",
		"有多个名字（硬链接）；请移走，或另取文件名")
	errNoFile = language.Error("is no regular file; move it away, or name another file", "不是普通文件；请移走，或另取文件名")
)

// openStanding opens what a run may replace. There is neither a file nor an error where there is nothing.
func openStanding(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, reason(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !info.Mode().IsRegular():
		return nil, errNoFile
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, reason(err)
	}
	return f, nil
}

// A standing manifest is what a file holds of one.
type standing struct {
	lines int64 // of files
	size  int64 // of its whole lines
	last  string
	json  bool
	first standingLine // with a digest
	mixed bool         // another line is by another algorithm
	part  *shard.Part  // the comment that it begins with says that it is one
}

// An expected manifest is what is known of one besides what it holds.
type expected struct {
	state *digest.Algorithm // that its state names, or nil
	named *digest.Algorithm // what this run makes, or nil
	form  manifest.Form     // in which this run writes
	torn  bool              // who wrote it may have been killed in the middle of a line
}

// look reads a manifest to its end. Nothing is one that holds any line that isn't a manifest's: it may be all that
// somebody has of a text. An empty file is one that has no lines.
func (e expected) look(f *os.File) (s standing, err error) {
	info, err := f.Stat()
	if err != nil {
		return s, err
	}
	head := make([]byte, min(info.Size(), held))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF || len(head) == 0 {
		return s, err
	}
	form := manifest.Form{Zero: bytes.IndexByte(head, 0) >= 0}
	if s.size, err = lastEnd(f, info.Size(), form.End()); err != nil {
		return s, err
	}
	size := info.Size()
	if e.torn && s.size > 0 {
		size = s.size
	}
	if begin, _, ok := bytes.Cut(head, []byte{form.End()}); ok {
		if p, ok := shard.ReadPart(string(begin)); ok {
			s.part = &p
		}
	}
	next := e.plainLines(io.NewSectionReader(f, 0, size), form)
	if s.json = head[0] == '{'; s.json {
		next = e.jsonLines(io.NewSectionReader(f, 0, size))
	}
	return s, s.read(next)
}

func (s *standing) read(next func() (standingLine, error)) error {
	for proven := s.part != nil; ; {
		line, err := next()
		switch {
		case err == io.EOF && proven:
			return nil
		case errors.Is(err, manifest.ErrFormat) && proven:
			return language.Errorf("line %d is not of a manifest; the file %w", "第 %d 行不属于清单；该文件%s", line.number, errKept)
		case err == io.EOF, errors.Is(err, manifest.ErrFormat):
			return errNoManifest
		case err != nil:
			return err
		}
		proven = proven || line.proof
		if s.first.size == 0 {
			s.first = line
		} else if line.size != 0 && (line.by != s.first.by || line.size != s.first.size) {
			s.mixed = true
		}
		s.lines, s.last = s.lines+1, line.name
	}
}

// A standingLine is a line of a manifest that stands. One without a digest says only that a file was unreadable,
// and other programs write such lines, too.
type standingLine struct {
	name   string
	number int64
	proof  bool
	size   int               // of its digest
	by     *digest.Algorithm // that it names, or nil
	form   manifest.Form
}

func (e expected) plainLines(r io.Reader, form manifest.Form) func() (standingLine, error) {
	lines := manifest.NewReader(r, form)
	return func() (standingLine, error) {
		line, err := lines.Next()
		if err == nil && !e.fits(line) {
			err = manifest.ErrFormat
		}
		return standingLine{string(line.Name), lines.Line(), true, len(line.Digest), digest.Tagged(line.Tag), line.Form}, err
	}
}

// fits says whether a line is one that programs write, with a digest that has the length of its algorithm. Where
// nothing names the algorithm, a few letters and digits before a text are no digest.
func (e expected) fits(line manifest.Line) bool {
	size := len(line.Digest)
	switch {
	case line.Tag != "":
		a := digest.Tagged(line.Tag)
		return a != nil && a.Size == size
	case line.Loose:
		return false
	case e.state != nil && e.state.Size == size:
		return true
	case e.named != nil && e.named.Size == size && line.Form.Base64 == e.form.Base64:
		return true
	case line.Form.Base64 && size%3 == 0 && size != sha512.Size384: // not padded: any word of this length
		return false
	}
	return len(digest.Fitting(size)) > 0
}

// longestJSON is more than a line of ours has.
const longestJSON = 8 << 20

func (e expected) jsonLines(r io.Reader) func() (standingLine, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestJSON)
	number := int64(0)
	return func() (standingLine, error) {
		number++
		if !lines.Scan() {
			if lines.Err() == nil {
				return standingLine{}, io.EOF
			}
			return standingLine{number: number}, manifest.ErrFormat
		}
		l, ok := parseJSON(lines.Bytes())
		if !ok {
			return standingLine{number: number}, manifest.ErrFormat
		}
		line := standingLine{name: l.Name, number: number, proof: l.Digest != "" || e.state != nil}
		if l.Digest != "" {
			line.by = algorithmNamed(l.Algorithm)
			line.size = line.by.Size
		}
		return line, nil
	}
}

// lastEnd is where the last whole line of a file ends.
func lastEnd(f io.ReaderAt, size int64, end byte) (int64, error) {
	chunk := make([]byte, held)
	for at := size; at > 0; {
		n := min(at, held)
		at -= n
		if _, err := f.ReadAt(chunk[:n], at); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(chunk[:n], end); i >= 0 {
			return at + int64(i) + 1, nil
		}
	}
	return 0, nil
}

// A stateSurvey is what stands in a state. The zero one is of a state that isn't there.
type stateSurvey struct {
	exists           bool
	algorithm        *digest.Algorithm // or nil
	records, damaged int64             // lines that are what their checksums say, and that are not
	whole            int64             // the size of the manifest that is said to be whole
	size             int64             // of all but the end
	sum              hash.Hash         // of that
}

// What whole may be besides a size.
const (
	notWhole  = -1
	anyLength = -2 // by a state of before there were checksums
)

// surveyState reads a state from its beginning to its end. What is a state and can't be relied on has no records.
func surveyState(path string) (s stateSurvey, err error) {
	s = stateSurvey{whole: notWhole, sum: sha256.New()}
	f, err := openStanding(path)
	if f == nil {
		return s, err
	}
	defer f.Close()
	s.exists = true
	lines := bufio.NewReaderSize(f, held)
	h, err := readHeader(lines)
	if err == io.EOF {
		return s, nil // it was begun, and got no further
	} else if err == errNoState {
		return s, language.Errorf("%w; move it away, or name another file", "%s；请移走，或另取文件名", err)
	} else if err != nil {
		return s, nil
	}
	a := algorithmNamed(h.Algorithm)
	if a == nil {
		return s, nil
	}
	s.algorithm = a
	s.add(headerOf(a, h.State))
	var room []byte
	for ended := false; ; {
		text, err := readLine(lines)
		if err == io.EOF {
			return s, nil
		} else if err != nil {
			return s, reason(err)
		}
		if size, ok := s.isEnd(text, h.State); ok && !ended {
			ended, s.whole = true, size
			continue
		}
		line := bytes.Clone(text)
		var ok bool
		_, room, ok = parseRecord(text[:len(text)-1], record{a, h.State}, room)
		switch {
		case h.State == stateFormat1:
		case ok && !ended:
			s.records++
			s.add(line)
		default:
			s.damaged++
			s.add(line)
		}
	}
}

func (s *stateSurvey) add(line []byte) {
	s.sum.Write(line)
	s.size += int64(len(line))
}

// isEnd reads the last line: the size of the manifest, and the checksum of all before.
func (s *stateSurvey) isEnd(text []byte, format string) (size int64, ok bool) {
	if format == stateFormat1 {
		return anyLength, string(text) == "end\n"
	}
	fields := strings.Split(strings.TrimSuffix(string(text), "\n"), " ")
	if len(fields) != 3 || fields[0]+" " != stateEnd {
		return 0, false
	}
	size, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil || size < 0 {
		return 0, false
	}
	// Earlier versions left the size out of the checksum.
	if string(text) != string(endLine(size, s.sum)) && fields[2] != hex.EncodeToString(s.sum.Sum(nil)) {
		s.damaged++
	}
	return size, true
}

// readHeader reads the first line of a state. The error is io.EOF where there is no whole line.
func readHeader(lines *bufio.Reader) (h stateHeader, err error) {
	text, err := lines.ReadSlice('\n')
	if begun := []byte(`{"state":"cryptogauge.hash/`); err == io.EOF && bytes.HasPrefix(begun, text[:min(len(text), len(begun))]) {
		return h, io.EOF
	}
	if err != nil || json.Unmarshal(text, &h) != nil || h.State != stateFormat && h.State != stateFormat2 && h.State != stateFormat1 {
		return h, errNoState
	}
	if check := checksumOf(h.Algorithm, []byte(h.State)); h.State != stateFormat1 && h.Check != string(check[:]) {
		return h, language.Error("is damaged: its first line is not what its checksum says", "已损坏：首行与其校验和不符")
	}
	return h, nil
}

// stateAlgorithm is what a state says that digests are by, or nil.
func stateAlgorithm(path string) *digest.Algorithm {
	f, err := openStanding(path)
	if f == nil || err != nil {
		return nil
	}
	defer f.Close()
	h, err := readHeader(bufio.NewReaderSize(f, held))
	if err != nil {
		return nil
	}
	return algorithmNamed(h.Algorithm)
}

// algorithmNamed is what is called so in a state, or nil.
func algorithmNamed(name string) *digest.Algorithm {
	a, err := digest.Named(name, 0)
	if err != nil {
		return nil
	}
	return a
}

// seal says in a state that its manifest, of so many bytes, is whole.
func seal(path string, whole int64) error {
	s, err := surveyState(path)
	if err == nil && s.records == 0 {
		err = errNoState
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|noFollow, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(s.size); err != nil {
		return err
	}
	_, err = f.WriteAt(endLine(whole, s.sum), s.size)
	return err
}
