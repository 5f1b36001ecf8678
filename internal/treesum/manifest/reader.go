package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// A Reader reads a manifest line by line, in memory that doesn't grow with it.
type Reader struct {
	// Comment, if it isn't nil, is called for each line that begins with #, without its end.
	Comment func(text []byte)

	parser
	lines *bufio.Reader
	long  []byte
	err   error
	line  int64
	nul   bool // there was one in a line
}

// ErrFormat is returned for a line that doesn't parse; the lines after it may.
var ErrFormat = errors.New("improperly formatted")

// A line of more bytes doesn't parse: no path that a system call takes is as long, nor any of nested
// folders that a person made.
const longest = 1 << 20

// NewReader returns a Reader of lines that end as those of form do; the form of each is seen from itself.
func NewReader(r io.Reader, form Form) *Reader {
	return &Reader{parser: parser{zero: form.Zero}, lines: bufio.NewReaderSize(r, 64<<10)}
}

// Line is the number of the line that was read last, from 1.
func (r *Reader) Line() int64 { return r.line }

// HasNUL says whether a line was read that should end in a newline, and has a NUL in it.
func (r *Reader) HasNUL() bool { return r.nul }

// Next reads the next line, but for empty ones and those that begin with #. What it returns is good until
// the next call. At the end the error is io.EOF.
func (r *Reader) Next() (Line, error) {
	for {
		text, err := r.read()
		if err != nil {
			return Line{}, err
		}
		if len(text) == 0 {
			continue
		}
		if text[0] == '#' {
			if r.Comment != nil {
				r.Comment(text)
			}
			continue
		}
		if l, ok := r.parse(text); ok {
			return l, nil
		}
		return Line{}, ErrFormat
	}
}

// read returns the next line without its end, cut to the longest that may parse.
func (r *Reader) read() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	end := Form{Zero: r.zero}.End()
	r.line++
	text, err := r.lines.ReadSlice(end)
	r.nul = r.nul || !r.zero && bytes.IndexByte(text, 0) >= 0
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], text...)
		for errors.Is(err, bufio.ErrBufferFull) {
			text, err = r.lines.ReadSlice(end)
			r.long = append(r.long, text[:min(len(text), max(0, longest-len(r.long)))]...)
		}
		text = r.long
		if len(text) >= longest {
			text = text[:1] // too long: nothing that parses
		}
	}
	r.err = err
	if err != nil && (err != io.EOF || len(text) == 0) {
		r.line--
		return nil, err
	}
	if n := len(text); n > 0 && text[n-1] == end {
		text = text[:n-1]
	}
	if n := len(text); !r.zero && n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	return text, nil
}
