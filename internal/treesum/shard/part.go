package shard

import (
	"slices"
	"strconv"
	"strings"
)

// A Part says what part of a manifest a file holds. It is the file's first line, a comment, which md5sum --check and
// its like pass over:
//
//	# cryptogauge.part/1 shard=3/16 algorithm=sha256 input="s3://bucket/prefix"
type Part struct {
	Shard
	Algorithm string
	Follow    bool     // symbolic links in folders were followed
	Inputs    []string // as the user named them, in that order
}

// An End is the last line of a part, a comment too. A part without it isn't whole.
//
//	# cryptogauge.part/1 end lines=1234 failed=0 digest=5f3c…
type End struct {
	Lines  int64  // of files
	Failed int64  // files without a line, or that changed while they were read
	Digest string // the SHA-256 of all before this line, in hexadecimal digits; "" where whoever made it gave none
}

const (
	format = "# cryptogauge.part/1 "
	end    = "end"
)

// Comment is the first line of a part, without what lines end in. Nothing in it ends a line.
func (p Part) Comment() string {
	var b strings.Builder
	b.WriteString(format + "shard=" + p.Shard.String() + " algorithm=" + p.Algorithm)
	if p.Follow {
		b.WriteString(" links=follow")
	}
	for _, input := range p.Inputs {
		b.WriteString(" input=" + strconv.Quote(input))
	}
	return b.String()
}

// Like says whether two parts may be of one manifest.
func (p Part) Like(q Part) bool {
	return p.Of == q.Of && p.Algorithm == q.Algorithm && p.Follow == q.Follow && slices.Equal(p.Inputs, q.Inputs)
}

// ReadPart reads a comment that Comment has made.
func ReadPart(comment string) (p Part, ok bool) {
	rest, ok := strings.CutPrefix(comment, format+"shard=")
	if !ok {
		return p, false
	}
	number, rest, _ := strings.Cut(rest, " ")
	s, err := Parse(number, func(string) string { return "" })
	if err != nil {
		return p, false
	}
	p.Shard = s
	if rest, ok = strings.CutPrefix(rest, "algorithm="); !ok {
		return p, false
	}
	p.Algorithm, rest, _ = strings.Cut(rest, " ")
	if after, follows := strings.CutPrefix(rest, "links=follow"); follows {
		p.Follow, rest = true, strings.TrimPrefix(after, " ")
	}
	for rest != "" {
		if rest, ok = strings.CutPrefix(rest, "input="); !ok {
			return p, false
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return p, false
		}
		input, err := strconv.Unquote(quoted)
		if err != nil {
			return p, false
		}
		p.Inputs = append(p.Inputs, input)
		rest = strings.TrimPrefix(rest[len(quoted):], " ")
	}
	return p, p.Comment() == comment
}

// Comment is the last line of a part, without what lines end in.
func (e End) Comment() string {
	text := format + end + " lines=" + strconv.FormatInt(e.Lines, 10) + " failed=" + strconv.FormatInt(e.Failed, 10)
	if e.Digest != "" {
		text += " digest=" + e.Digest
	}
	return text
}

// ReadEnd reads a comment that an End has made.
func ReadEnd(comment string) (e End, ok bool) {
	rest, ok := strings.CutPrefix(comment, format+end+" lines=")
	if !ok {
		return e, false
	}
	rest, e.Digest, _ = strings.Cut(rest, " digest=")
	lines, failed, _ := strings.Cut(rest, " failed=")
	e.Lines, _ = strconv.ParseInt(lines, 10, 64)
	e.Failed, _ = strconv.ParseInt(failed, 10, 64)
	return e, e.Comment() == comment
}

// Covers says whether a name is an input, or lies in it: below a folder, or among the objects that begin so.
func Covers(input, name string) bool {
	rest, ok := strings.CutPrefix(name, input)
	return ok && (rest == "" || strings.HasSuffix(input, "/") || rest[0] == '/' || beginsObjects(input))
}

// objects begins the names of objects.
const objects = "s3://"

// beginsObjects says whether an input is the beginning of keys, and not a bucket alone.
func beginsObjects(input string) bool {
	path, ok := strings.CutPrefix(input, objects)
	return ok && strings.Contains(path, "/")
}
