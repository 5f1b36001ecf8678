package manifest

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
)

// A Line is what a line of a manifest says.
type Line struct {
	Tag    string // the algorithm, in BSD's form; "" in GNU's
	Digest []byte
	Name   []byte
	Form   Form // how it is written
	Loose  bool // no program of today writes it so: a single space or a tab before the name, or blanks at the beginning
}

// A parser reads lines of one manifest.
type parser struct {
	zero bool
	// Very old BSD lines have one space between digest and name. Names may begin with spaces, so the first
	// line decides for all that follow, as with md5sum: nobody renames a file by mixing them.
	spaces spaces
	digest []byte
	base64 bool   // that digest was
	tag    string // of the last line that had one
}

type spaces int

const (
	undecided spaces = iota
	oneSpace
	twoSpaces
)

// parse reads a line without its end. The line is overwritten, and what is returned lies in it or is
// overwritten by the next. It returns false for what md5sum calls improperly formatted.
func (p *parser) parse(line []byte) (Line, bool) {
	indented := len(line)
	line = bytes.TrimLeft(line, " \t")
	indented -= len(line)
	escaped := false
	if !p.zero && len(line) > 0 && line[0] == '\\' {
		escaped, line = true, line[1:]
	}
	var l Line
	var ok bool
	if tag := p.tagOf(line); tag != "" {
		l, ok = p.tagged(tag, line[len(tag):])
	} else {
		l, ok = p.plain(line)
	}
	l.Form.Zero, l.Form.Base64, l.Loose = p.zero, p.base64, l.Loose || indented > 0
	if ok && escaped {
		l.Name, ok = Unescape(l.Name)
	} else if ok && bytes.IndexByte(l.Name, 0) >= 0 {
		ok = false // md5sum would take the name to end there
	}
	return l, ok
}

// tagOf is the algorithm that a line begins with: letters, digits and hyphens before a parenthesis, with no more
// than a space between.
func (p *parser) tagOf(line []byte) string {
	n := 0
	isTag := func(c byte) bool {
		return c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	for n < len(line) && isTag(line[n]) {
		n++
	}
	rest := bytes.TrimPrefix(line[n:], []byte{' '})
	if n == 0 || n > 16 || len(rest) == 0 || rest[0] != '(' {
		return ""
	}
	if string(line[:n]) != p.tag {
		p.tag = string(line[:n])
	}
	return p.tag
}

// tagged reads what follows the algorithm: (name) = digest. The name ends at the last parenthesis, which
// no digest has.
func (p *parser) tagged(tag string, rest []byte) (Line, bool) {
	if len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	end := bytes.LastIndexByte(rest, ')')
	if end < 1 || rest[0] != '(' {
		return Line{}, false
	}
	name, rest := rest[1:end], bytes.TrimLeft(rest[end+1:], " \t")
	if len(rest) == 0 || rest[0] != '=' {
		return Line{}, false
	}
	ok := p.setDigest(bytes.TrimLeft(rest[1:], " \t"))
	return Line{Tag: tag, Digest: p.digest, Name: name, Form: Form{Tag: tag}}, ok
}

// plain reads digest, a space, a space or *, name.
func (p *parser) plain(line []byte) (Line, bool) {
	n := bytes.IndexAny(line, " \t")
	if n < 0 || !p.setDigest(line[:n]) {
		return Line{}, false
	}
	l := Line{Digest: p.digest, Loose: line[n] == '\t'}
	rest := line[n+1:]
	two := len(rest) > 1 && (rest[0] == ' ' || rest[0] == '*')
	switch {
	case len(rest) == 0, !two && p.spaces == twoSpaces:
		return Line{}, false
	case !two:
		p.spaces = oneSpace
	case p.spaces != oneSpace:
		p.spaces = twoSpaces
		l.Form.Binary = rest[0] == '*'
		rest = rest[1:]
	}
	l.Name, l.Loose = rest, l.Loose || p.spaces == oneSpace
	return l, true
}

// isSpoilt says whether digits are hexadecimal but for a few, and not padded as base64 is: of base64 a third is
// hexadecimal. Fewer digits than MD5's tell nothing: of short digests in base64 many look so.
func isSpoilt(digits []byte) bool {
	if len(digits) < hex.EncodedLen(md5.Size) {
		return false
	}
	n := 0
	for _, c := range digits {
		if '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' {
			n++
		}
	}
	return digits[len(digits)-1] != '=' && 4*n > 3*len(digits)
}

// setDigest takes hexadecimal digits, or base64: padded, and with no bit set that counts for nothing. Hexadecimal
// is tried first. Of the lengths in use only SHA-384's base64 is unpadded, and its 64 characters are all
// hexadecimal digits for one digest in 10^29.
func (p *parser) setDigest(digits []byte) bool {
	if len(digits) == 0 {
		return false
	}
	var err error
	p.base64 = false
	if p.digest, err = hex.AppendDecode(p.digest[:0], digits); err != nil {
		if bytes.ContainsAny(digits, "\r\n") || isSpoilt(digits) { // the decoder passes over ends of lines
			return false
		}
		p.base64 = true
		p.digest, err = base64.StdEncoding.Strict().AppendDecode(p.digest[:0], digits)
	}
	return err == nil && len(p.digest) > 0
}
