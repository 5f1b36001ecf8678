package sums

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/digest"
	"github.com/cryptogauge/cryptogauge/internal/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treehash"
)

// A Checking is manifests to check, as md5sum --check does.
type Checking struct {
	Algorithm *digest.Algorithm // nil: what the first line of a manifest is of
	Form      manifest.Form     // only how lines end counts
	JSON      bool              // an object a file
	Manifests []string          // treehash.Stdin is standard input
	Stdin     io.Reader

	IgnoreMissing bool // a file that isn't there is no fault
	Quiet         bool // nothing is printed for files that are right
	Status        bool // nothing is printed at all
	Strict        bool // a line that doesn't parse is a fault
	Warn          bool // each line that doesn't parse is told of

	Out      io.Writer
	Say      func(string) // as Making's
	Progress *treehash.Progress
}

// Checked is what became of a Checking.
type Checked struct {
	Right, Failed, Unreadable, Misformatted int64
	Fine                                    bool // as md5sum's exit code 0
}

// Check checks manifests. The error is an *OutputError or the context's.
func Check(ctx context.Context, c Checking) (*Checked, error) {
	all := &Checked{Fine: true}
	for _, path := range c.Manifests {
		one, err := c.check(ctx, path)
		all.add(one)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func (a *Checked) add(b *Checked) {
	a.Right += b.Right
	a.Failed += b.Failed
	a.Unreadable += b.Unreadable
	a.Misformatted += b.Misformatted
	a.Fine = a.Fine && b.Fine
}

// A checker checks one manifest.
type checker struct {
	*Checking
	Checked
	name         string // of the manifest, quoted
	stdin        bool   // the manifest is standard input
	lines        *manifest.Reader
	first        manifest.Line // that parsed; none where its name is nil
	firstLine    int64
	misformatted atomic.Int64 // counted by the source
	firstBad     int64        // number of the first line that doesn't parse
	out          output
}

func (c *Checking) check(ctx context.Context, path string) (*Checked, error) {
	k := &checker{Checking: c, name: Quote([]byte(path)), out: output{to: c.Out, state: new(stateWriter)}}
	in := c.Stdin
	if path == treehash.Stdin {
		k.name, k.stdin = "standard input", true
	} else {
		f, err := os.Open(path)
		if err != nil {
			c.Say(k.name + ": " + reason(err).Error())
			return &k.Checked, nil
		}
		defer f.Close()
		in = f
	}
	k.lines = manifest.NewReader(interruptible{ctx, in}, c.Form)
	a, err := k.begin()
	if err == nil && a != nil {
		err = treehash.Run(ctx, treehash.Job{Algorithm: a, Stdin: c.Stdin, Progress: c.Progress,
			Source: func(f *treehash.Feed) error { return k.feed(f, a) },
			Emit:   func(r *treehash.Result) error { return k.emit(r, a) }, Flush: k.out.flush})
	}
	if flushErr := k.out.flush(); err == nil {
		err = flushErr
	}
	var output *OutputError
	if ctx.Err() != nil {
		return &k.Checked, ctx.Err()
	} else if errors.As(err, &output) {
		return &k.Checked, err
	}
	k.sum(a != nil, err)
	return &k.Checked, nil
}

// An interruptible stops reading when its context is done: a terminal or a pipe may keep it waiting.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	type read struct {
		n   int
		err error
	}
	done := make(chan read, 1)
	go func() {
		n, err := i.r.Read(p)
		done <- read{n, err}
	}()
	select {
	case r := <-done:
		return r.n, r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// begin reads up to the first line that parses, which tells the algorithm where the user doesn't. There is
// none if no line parses.
func (k *checker) begin() (*digest.Algorithm, error) {
	for {
		line, err := k.lines.Next()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil && !errors.Is(err, manifest.ErrFormat) {
			return nil, err
		}
		a := k.Algorithm
		if err == nil && a == nil {
			a = algorithmOf(line)
		}
		if err != nil || a == nil || !k.fits(line, a) {
			k.malformed(a)
			continue
		}
		k.firstLine = k.lines.Line()
		k.first = manifest.Line{Tag: line.Tag, Digest: append([]byte(nil), line.Digest...), Name: append([]byte{}, line.Name...)}
		return a, nil
	}
}

func algorithmOf(line manifest.Line) *digest.Algorithm {
	if line.Tag != "" {
		return digest.Tagged(line.Tag)
	}
	if fitting := digest.Fitting(len(line.Digest)); len(fitting) > 0 {
		return fitting[0]
	}
	return nil
}

// fits says whether a line is of an algorithm. One that names standard input can't be checked where that
// is the manifest.
func (k *checker) fits(line manifest.Line, a *digest.Algorithm) bool {
	return len(line.Digest) == a.Size && (line.Tag == "" || line.Tag == a.Tag) && !(k.stdin && string(line.Name) == treehash.Stdin)
}

// malformed counts the line that was read last.
func (k *checker) malformed(a *digest.Algorithm) {
	if k.misformatted.Add(1) == 1 {
		k.firstBad = k.lines.Line()
	}
	if k.Warn {
		what := "checksum"
		if a != nil {
			what = a.Tag + " checksum"
		}
		k.Say(fmt.Sprintf("%s: %d: improperly formatted %s line", k.name, k.lines.Line(), what))
	}
}

// feed is the source: the files that the lines name.
func (k *checker) feed(f *treehash.Feed, a *digest.Algorithm) error {
	line, number := k.first, k.firstLine
	for {
		g := treehash.Given{Line: number}
		copy(g.Digest[:], line.Digest)
		if err := f.List(line.Name, g); err != nil {
			return err
		}
		for {
			var err error
			line, err = k.lines.Next()
			number = k.lines.Line()
			if err == io.EOF {
				return nil
			} else if err == nil && k.fits(line, a) {
				break
			} else if err != nil && !errors.Is(err, manifest.ErrFormat) {
				return err
			}
			k.malformed(a)
		}
	}
}

// emit compares one file.
func (k *checker) emit(r *treehash.Result, a *digest.Algorithm) error {
	status := "ok"
	switch {
	case r.Err != nil && k.IgnoreMissing && errors.Is(r.Err, fs.ErrNotExist):
		return nil
	case r.Err != nil:
		k.Unreadable++
		status = "unreadable"
		k.Say(about(r.Name) + r.Err.Error())
	case r.Digest != r.Given.Digest:
		k.Failed++
		status = "failed"
	default:
		k.Right++
	}
	if r.Changed {
		k.Say(about(r.Name) + "changed while it was read")
	}
	if k.Status || k.Quiet && status == "ok" {
		return nil
	}
	if k.JSON {
		l := jsonLine{Algorithm: a.Name, Status: status, Changed: r.Changed}
		if r.Err != nil {
			l.Error = r.Err.Error()
		}
		return k.out.write(r.Name, appendJSON(k.out.line[:0], l, r.Name))
	}
	return k.out.write(r.Name, append(append(appendName(k.out.line[:0], r.Name), verdicts[status]...), '\n'))
}

var verdicts = map[string]string{"ok": ": OK", "failed": ": FAILED", "unreadable": ": FAILED open or read"}

// appendName appends a name as md5sum does: one that would break the line is escaped, and no other.
func appendName(line, name []byte) []byte {
	if bytes.IndexByte(name, '\n') >= 0 {
		return manifest.AppendEscaped(append(line, '\\'), name)
	}
	return append(line, name...)
}

// sum says in the end what was wrong, and decides whether all was fine.
func (k *checker) sum(formatted bool, err error) {
	k.Misformatted = k.misformatted.Load()
	if err != nil {
		k.Say(k.name + ": " + reason(err).Error())
		return
	}
	if !formatted {
		k.Say(k.name + ": no properly formatted checksum lines found")
		return
	}
	if !k.Status {
		k.warn(k.Misformatted, "line is improperly formatted", "lines are improperly formatted", fmt.Sprintf(", the first is line %d", k.firstBad))
		k.warn(k.Unreadable, "listed file could not be read", "listed files could not be read", "")
		k.warn(k.Failed, "computed checksum did NOT match", "computed checksums did NOT match", "")
		if k.IgnoreMissing && k.Right == 0 {
			k.Say(k.name + ": no file was verified")
		}
	}
	k.Fine = k.Right > 0 && k.Failed == 0 && k.Unreadable == 0 && (!k.Strict || k.Misformatted == 0)
}

func (k *checker) warn(n int64, one, more, then string) {
	if n == 1 {
		k.Say("WARNING: 1 " + one + then)
	} else if n > 1 {
		k.Say(fmt.Sprintf("WARNING: %d %s%s", n, more, then))
	}
}
