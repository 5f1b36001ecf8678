package sums

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A Checking is manifests to check, as md5sum --check does.
type Checking struct {
	Algorithm *digest.Algorithm // nil: what a line's tag says, or the manifest's state, or what fits
	AnyLength bool              // with BLAKE2b for Algorithm: of any size, as b2sum --check takes it
	Form      manifest.Form     // only how lines end counts
	JSON      bool              // an object a file
	Manifests []string          // treehash.Stdin is standard input
	Objects   treehash.Objects  // where objects are that they name, or nil
	Stdin     io.Reader

	IgnoreMissing bool // a file that isn't there is no fault
	Quiet         bool // nothing is printed for files that are right
	Status        bool // nothing is printed at all
	Strict        bool // a line that doesn't parse is a fault
	Warn          bool // each line that doesn't parse is told of

	Out      io.Writer
	Say      func(language.Text) // as Making's
	Progress *treehash.Progress
}

// Checked is what became of a Checking.
type Checked struct {
	Right, Failed, Unreadable, Misformatted int64
	Fine                                    bool // as md5sum's exit code 0
}

// Check checks manifests. The error is an *OutputError, the context's, or treehash.ErrUnreached where a store is away.
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
	guess
	name         string // of the manifest, quoted
	stdin        bool   // the manifest is standard input
	lines        *manifest.Reader
	next         checkLine
	any          bool         // there was a line that parses
	misformatted atomic.Int64 // counted by the source
	firstBad     int64        // number of the first line that doesn't parse
	short        int          // size of the first digest that is too short to be taken for one
	foreign      int64        // number of the first line with a tag that Algorithm contradicts
	out          output
}

// A checkLine is one that parses.
type checkLine struct {
	manifest.Line
	number int64
	by     *digest.Algorithm // or several, by digest.OneOf
}

func (c *Checking) check(ctx context.Context, path string) (*Checked, error) {
	k := &checker{Checking: c, name: Quote([]byte(path)), out: output{to: c.Out, state: new(stateWriter), sum: sha256.New()}}
	in := c.Stdin
	if path == treehash.Stdin {
		k.name, k.stdin = "standard input", true
	} else {
		f, err := Open(ctx, path, os.O_RDONLY)
		if ctx.Err() != nil {
			return &k.Checked, ctx.Err()
		} else if err != nil {
			c.Say(said(k.name, language.Of(reason(err))))
			return &k.Checked, nil
		}
		defer f.Close()
		in = f
		k.askState(path)
	}
	k.lines = manifest.NewReader(interruptible{ctx, in}, c.Form)
	err := k.run(ctx)
	if flushErr := k.out.flush(); err == nil {
		err = flushErr
	}
	var output *OutputError
	if ctx.Err() != nil {
		return &k.Checked, ctx.Err()
	} else if errors.As(err, &output) || errors.Is(err, treehash.ErrUnreached) {
		return &k.Checked, err
	}
	k.sum(err)
	return &k.Checked, nil
}

// run checks the files in order: in several jobs, one after the other, as long as it isn't known what algorithm
// lines are of that don't name one.
func (k *checker) run(ctx context.Context) error {
	for {
		err := k.advance()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		k.any = true
		err = treehash.Run(ctx, treehash.Job{Algorithm: k.next.by, Stdin: k.Stdin, Objects: k.Objects, Progress: k.Progress,
			Source: k.feed, Emit: k.emit, Flush: k.out.flush})
		if err != nil {
			return err
		}
		k.learn()
	}
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

// advance reads the next line that parses. At the end the error is io.EOF.
func (k *checker) advance() error {
	for {
		line, err := k.lines.Next()
		if err != nil && !errors.Is(err, manifest.ErrFormat) {
			return err
		}
		if err == nil {
			if by := k.algorithmOf(line); by != nil {
				k.next = checkLine{line, k.lines.Line(), by}
				return nil
			}
		}
		k.malformed()
	}
}

// algorithmOf is what a line is to be checked by, or nil where it is none of this manifest's. One that names
// standard input can't be checked where that is the manifest.
func (k *checker) algorithmOf(line manifest.Line) *digest.Algorithm {
	if k.stdin && string(line.Name) == treehash.Stdin {
		return nil
	}
	size := len(line.Digest)
	by := k.Algorithm
	switch {
	case line.Tag != "":
		if by = digest.Tagged(line.Tag); by != nil && k.Algorithm != nil && !k.wants(by) {
			by = nil
			if k.foreign == 0 {
				k.foreign = k.lines.Line()
				k.remark(language.Say("line %d is tagged %s, and -a says %s; without -a each line is checked by its tag",
					"第 %d 行标为 %s，而 -a 指定 %s；不用 -a 时各行按其标签校验", k.foreign, line.Tag, k.Algorithm.Name))
			}
		}
	case by == nil:
		by = k.of(size)
		if short := digest.BLAKE2b(size); by == nil && short != nil && digest.Tagged(short.Tag) != nil &&
			!line.Loose && !line.Form.Base64 && k.short == 0 {
			k.short = size
		}
	case k.AnyLength:
		by = digest.BLAKE2b(size)
	}
	if by == nil || by.Size != size {
		return nil
	}
	return by
}

// wants says whether an algorithm is the one that the user named.
func (k *checker) wants(a *digest.Algorithm) bool {
	return a == k.Algorithm || k.AnyLength && a == digest.BLAKE2b(a.Size)
}

// remark says something of the manifest that the exit code doesn't depend on.
func (k *checker) remark(t language.Text) {
	if !k.Status {
		k.Say(k.says(t))
	}
}

// says begins a line on the manifest.
func (k *checker) says(t language.Text) language.Text {
	if k.stdin {
		return language.Text{EN: "standard input: " + t.EN, ZH: "标准输入：" + t.ZH}
	}
	return said(k.name, t)
}

// malformed counts the line that was read last.
func (k *checker) malformed() {
	if k.misformatted.Add(1) == 1 {
		k.firstBad = k.lines.Line()
	}
	if !k.Warn {
		return
	}
	tag := ""
	if a := k.kind(); a != nil {
		tag = a.Tag + " "
	}
	k.Say(k.says(language.Say("%d: improperly formatted %schecksum line", "第 %d 行：%s校验行格式不正确", k.lines.Line(), tag)))
}

// kind is the algorithm of the lines, if that is known.
func (k *checker) kind() *digest.Algorithm {
	switch {
	case k.Algorithm != nil:
		return k.Algorithm
	case k.next.by == nil:
		return nil
	case len(k.next.by.Candidates()) > 1:
		return k.known[k.next.by.Size]
	}
	return k.next.by
}

// feed is the source: the files that the lines name. It ends where so many lines wait for their algorithm to be
// found that their results are wanted first.
func (k *checker) feed(f *treehash.Feed) error {
	for room := k.more(); ; {
		g := treehash.Given{Line: k.next.number, Algorithm: k.next.by}
		copy(g.Digest[:], k.next.Digest)
		if err := f.List(k.next.Name, g); err != nil {
			return err
		}
		if len(k.next.by.Candidates()) > 1 {
			if room--; room == 0 {
				return nil
			}
		}
		if err := k.advance(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// emit compares one file.
func (k *checker) emit(r *treehash.Result) error {
	by := r.Given.Algorithm
	status := "ok"
	switch {
	case r.Err != nil && k.IgnoreMissing && errors.Is(r.Err, fs.ErrNotExist):
		return nil
	case r.Err != nil:
		k.Unreadable++
		status = "unreadable"
		k.Say(about(r.Name, language.Of(r.Err)))
	case !k.right(r):
		k.Failed++
		status = "failed"
	default:
		k.Right++
		by = r.By
	}
	if r.Changed {
		k.Say(about(r.Name, language.Text{EN: "changed while it was read", ZH: "读取期间有变化"}))
	}
	if k.Status || k.Quiet && status == "ok" {
		return nil
	}
	if k.JSON {
		l := jsonLine{Status: status, Changed: r.Changed}
		if !ambiguous(by) {
			l.Algorithm = by.Candidates()[0].Name
		}
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
func (k *checker) sum(err error) {
	k.Misformatted = k.misformatted.Load()
	if err != nil {
		k.Say(k.says(language.Of(reason(err))))
		return
	}
	if !k.any {
		k.Say(k.says(language.Say("no properly formatted checksum lines found%s", "没有格式正确的校验行%s", k.hint())))
		return
	}
	if !k.Status {
		k.doubt()
		first := language.Say(", the first is line %d", "，首个为第 %d 行", k.firstBad)
		k.warn(k.Misformatted, "line is improperly formatted", "lines are improperly formatted", "行格式不正确", first)
		k.warn(k.Unreadable, "listed file could not be read", "listed files could not be read", "个列出的文件无法读取", language.Text{})
		k.warn(k.Failed, "computed checksum did NOT match", "computed checksums did NOT match", "个校验和不符", language.Text{})
		if k.IgnoreMissing && k.Right == 0 {
			k.Say(k.says(language.Text{EN: "no file was verified", ZH: "没有校验任何文件"}))
		}
	}
	k.Fine = k.Right > 0 && k.Failed == 0 && k.Unreadable == 0 && (!k.Strict || k.Misformatted == 0)
}

// hint is what may make lines of a manifest that has none.
func (k *checker) hint() language.Text {
	switch {
	case k.lines.HasNUL():
		return language.Text{EN: "; there are NULs in it: lines that end in NUL, not newline, need -z", ZH: "；其中有 NUL：以 NUL 而非换行结尾的行需用 -z"}
	case k.short > 0:
		return language.Say("; digests of %d bits are taken for some only with -a blake2b -l %[1]d",
			"；%d 位的摘要只有用 -a blake2b -l %[1]d 才按摘要处理", 8*k.short)
	}
	return language.Text{}
}

func (k *checker) warn(n int64, one, more, zh string, then language.Text) {
	if n == 1 {
		more = one
	}
	if n > 0 {
		k.Say(language.Say("WARNING: %d %s%s", "警告：%d %s%s", n, language.Text{EN: more, ZH: zh}, then))
	}
}
