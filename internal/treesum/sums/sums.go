// Package sums does what the verb hash does: it makes manifests of files and trees, resumes one that was
// made in part or long ago, and checks them, as md5sum and its like do.
package sums

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A Making is a manifest to be made.
type Making struct {
	Algorithm *digest.Algorithm
	Form      manifest.Form
	JSON      bool // an object a line, in the place of Form
	Source    treehash.Source
	Objects   treehash.Objects // where objects are, or nil
	Stdin     io.Reader

	Output string // the file to write; "" is Out
	Out    io.Writer
	Err    io.Writer   // where Say's lines go, or nil: Output may be another name of it
	Resume string      // a manifest: what its state says is unchanged isn't read; "" is none
	Rehash bool        // with Resume: everything is read, and held against the state
	Inputs []string    // files and folders that the user named one by one: none of them is to be written
	Part   *shard.Part // what is made is this part of a manifest; nil: it is made whole
	List   os.FileInfo // of the file that their names come from, which isn't to be written either; or nil

	// Say tells the user one line: what is wrong with a file, or a remark. It may be called at any time,
	// by any goroutine.
	Say      func(language.Text)
	Progress *treehash.Progress
}

// Made is what became of a Making.
type Made struct {
	Lines, Skipped int64  // of the manifest, and of these, for files that were not read again
	Failed         int64  // files that have no line, or one that they had changed under
	Last           string // the name in the last line that was written
	File           string // where the manifest is; "" where it went to Out
	State          string // the manifest whose state was kept, to resume from; "" where none was
	Kept           int64  // lines of File, which is of an earlier run: this one came to fewer
	Partial        bool   // it ends before the files did
	specials       int64
	special        string
	outputs        []string
	parts          bool // there are several, one manifest's
}

// An OutputError is that a manifest couldn't be written on.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return e.Err.Error() }
func (e *OutputError) Unwrap() error { return e.Err }

// A UsageError is the user's to mend; nothing was written.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Make makes a manifest. The error is an *OutputError, a *UsageError, what reading names failed with, or
// the context's; what was made until then is told all the same.
func Make(ctx context.Context, m Making) (*Made, error) {
	out, err := m.open(ctx)
	if err != nil {
		return new(Made), err
	}
	made := &Made{parts: out.part != ""}
	out.begin(m.Part)
	job := treehash.Job{Algorithm: m.Algorithm, Source: m.Source, Objects: m.Objects, Stdin: m.Stdin, Progress: m.Progress, Reread: m.Rehash,
		Outputs: out.files(), Flush: out.flush, Emit: func(r *treehash.Result) error { return m.emit(made, out, r) },
		Rest: func(r *treehash.Result, done bool) { out.state.rest(r, done) }}
	if out.before != nil {
		job.Known = out.before.find
	}
	if m.Part != nil {
		job.Mine = m.Part.Has
	}
	if err = treehash.Run(ctx, job); err == nil {
		out.end(m.Part, made.Failed)
	}
	if closeErr := out.close(err); closeErr != nil && (err == nil || ctx.Err() != nil) {
		err = closeErr
	}
	made.Lines, made.Last, made.File, made.Partial = out.written, out.last, out.at, err != nil
	if out.kept {
		made.Kept = out.lines
	}
	if out.state.kept {
		made.State = m.Output
	}
	m.sayLeftOut(made)
	return made, err
}

// emit writes the line of one file, or says why there is none.
func (m *Making) emit(made *Made, out *output, r *treehash.Result) error {
	switch {
	case r.LeftOut && r.Output:
		made.outputs = append(made.outputs, string(r.Name))
		return nil
	case r.LeftOut:
		if made.specials++; made.specials == 1 {
			made.special = string(r.Name)
		}
		return nil
	case r.Err != nil:
		made.Failed++
		m.Say(about(r.Name, language.Of(r.Err)))
		if m.JSON {
			return out.write(r.Name, appendJSON(out.line[:0], jsonLine{Error: r.Err.Error()}, r.Name))
		}
		return nil
	case r.Changed:
		made.Failed++
		m.Say(about(r.Name, language.Text{EN: "changed while it was read; its digest is of no state that it was in",
			ZH: "读取期间有变化；所得摘要不对应它的任何一个状态"}))
	case m.Rehash && r.Given.Stamp.Is(r.Stamp) && r.Digest != r.Given.Digest:
		m.Say(about(r.Name, language.Text{EN: "its contents are others than before, and its size and times are not",
			ZH: "内容与先前不同，而大小与时间未变"}))
	}
	if r.Skipped {
		made.Skipped++
	}
	out.state.put(r.Name, r.Digest[:m.Algorithm.Size], r)
	digest := r.Digest[:m.Algorithm.Size]
	if m.JSON {
		return out.write(r.Name, appendJSON(out.line[:0], jsonLine{Algorithm: m.Algorithm.Name, Digest: hexOf(digest), Bytes: &r.Bytes, Changed: r.Changed}, r.Name))
	}
	return out.write(r.Name, m.Form.Append(out.line[:0], r.Name, digest))
}

// sayLeftOut says what has no line and needs none.
func (m *Making) sayLeftOut(made *Made) {
	if made.specials == 1 {
		m.Say(aboutFile(made.special, language.Text{EN: "left out: it is a FIFO, a device or a socket", ZH: "略去：它是 FIFO、设备或套接字"}))
	} else if made.specials > 1 {
		name, more := Quote([]byte(made.special)), made.specials-1
		m.Say(language.Text{EN: fmt.Sprintf("%s and %d more: left out: they are FIFOs, devices or sockets", name, more),
			ZH: fmt.Sprintf("%s 等共 %d 个：略去：它们是 FIFO、设备或套接字", name, more+1)})
	}
	if len(made.outputs) > 0 && made.parts {
		m.Say(aboutFile(m.Output, language.Text{EN: "left out, and what stands beside it: this run writes it", ZH: "略去，其旁的文件也略去：由本次运行写入"}))
		return
	}
	for _, name := range made.outputs {
		m.Say(aboutFile(name, language.Text{EN: "left out: it is written by this run", ZH: "略去：由本次运行写入"}))
	}
}

// about says something of a file, whose name stays as it is in every language.
func about(name []byte, t language.Text) language.Text { return said(Quote(name), t) }

func aboutFile(name string, t language.Text) language.Text { return about([]byte(name), t) }

func said(of string, t language.Text) language.Text {
	return language.Text{EN: of + ": " + t.EN, ZH: of + "：" + t.ZH}
}

// Quote is a name as it can stand in a line on a terminal: as it is, or in quotes where it holds what
// would break the line or isn't text.
func Quote(name []byte) string {
	plain := utf8.Valid(name) && len(name) > 0
	for _, c := range string(name) {
		plain = plain && unicode.IsPrint(c)
	}
	if plain {
		return string(name)
	}
	return strconv.Quote(string(name))
}

// reason is an error without the path in it.
func reason(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
