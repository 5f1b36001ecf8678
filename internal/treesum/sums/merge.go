package sums

import (
	"container/heap"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
)

// A Merging is parts of a manifest to be made one.
type Merging struct {
	Parts  []string
	Output string // as Making's
	Out    io.Writer
	Err    io.Writer
	Say    func(language.Text)
}

// Merge makes of all parts of a manifest the one that a run without shards would have made: inputs in their order, and
// in each names in the order of their bytes. Parts are read more than once, so that nothing is written unless all are there,
// whole, and as they were made. The error is a *UsageError, an *OutputError or the context's.
func Merge(ctx context.Context, m Merging) (*Made, error) {
	made := new(Made)
	parts, err := m.open()
	defer func() {
		for _, p := range parts {
			p.file.Close()
		}
	}()
	if err != nil {
		return made, err
	}
	form, err := m.verify(ctx, parts)
	if err != nil {
		return made, err
	}
	a, err := digest.Named(parts[0].part.Algorithm, 0)
	if err != nil {
		return made, &UsageError{err}
	}
	if err := m.refuseParts(parts); err != nil {
		return made, err
	}
	out, err := (&Making{Algorithm: a, Form: form, Output: m.Output, Out: m.Out, Err: m.Err, Say: m.Say}).open(ctx)
	if err != nil {
		return made, err
	}
	if err = merge(ctx, parts, out, form); err != nil {
		out.discard()
		return made, err
	}
	err = out.close(nil)
	made.Lines, made.Last, made.File = out.written, out.last, out.at
	for _, p := range parts {
		made.Failed += p.end.Failed
		p.sayFailed(m.Say)
	}
	return made, err
}

// discard gives up a manifest and what stands beside it.
func (o *output) discard() {
	if o.state.file != nil {
		o.state.file.Close()
		os.Remove(o.state.path)
	}
	o.takeBack()
}

// open opens the parts, and refuses what are not all parts of one manifest.
func (m *Merging) open() (parts []*partReader, err error) {
	if len(m.Parts) == 0 {
		return nil, usage("name the parts to merge", "请给出要合并的分片")
	}
	byIndex := map[int]*partReader{}
	for _, path := range m.Parts {
		p, err := openPart(path)
		if err != nil {
			return parts, err
		}
		parts = append(parts, p)
		if err := p.refuseBeside(parts[0]); err != nil {
			return parts, err
		}
		if twice := byIndex[p.part.Index]; twice != nil {
			return parts, usage("%s and %s: both are shard %s; leave one out", "%s 与 %s：都是分片 %s；请去掉其一",
				Quote([]byte(twice.path)), Quote([]byte(path)), p.part.Shard)
		}
		byIndex[p.part.Index] = p
	}
	of := parts[0].part.Of
	if len(parts) == of {
		return parts, nil
	}
	var missing []string
	for i := range of {
		if byIndex[i] == nil && len(missing) < mostNamed {
			missing = append(missing, fmt.Sprint(i))
		}
	}
	if of-len(parts) > len(missing) {
		missing = append(missing, "…")
	}
	en := "%d of %d shards are missing: %s"
	if of-len(parts) == 1 {
		en = "%d of %d shards is missing: %s"
	}
	return parts, usage(en, "缺少 %d 个分片（共 %d 个）：%s", of-len(parts), of, strings.Join(missing, ", "))
}

// refuseParts refuses a manifest in the place of a part.
func (m *Merging) refuseParts(parts []*partReader) error {
	if m.Output == "" {
		return nil
	}
	output, err := os.Stat(m.Output)
	if err != nil {
		return nil
	}
	for _, p := range parts {
		if info, err := p.file.Stat(); err == nil && os.SameFile(info, output) {
			return usage("%s: is one of the parts; name another file", "%s：是分片之一；请另取文件名", Quote([]byte(m.Output)))
		}
	}
	return nil
}

// mostNamed is how many missing shards are named.
const mostNamed = 20

// refuseBeside refuses a part of another manifest.
func (p *partReader) refuseBeside(first *partReader) error {
	a, b := first.part, p.part
	one, other := Quote([]byte(first.path)), Quote([]byte(p.path))
	switch {
	case a.Like(b):
		return nil
	case a.Of != b.Of:
		return usage("%s is one of %d shards, and %s one of %d", "%s 是 %d 个分片之一，而 %s 是 %d 个分片之一", one, a.Of, other, b.Of)
	case a.Algorithm != b.Algorithm:
		return usage("%s is by %s, and %s by %s", "%s 的算法是 %s，而 %s 的是 %s", one, a.Algorithm, other, b.Algorithm)
	}
	return usage("%s and %s are not of the same files and folders: see the first line of each", "%s 与 %s 的输入不同：请比较两者的首行", one, other)
}

// verify reads all parts, and returns the form of their lines.
func (m *Merging) verify(ctx context.Context, parts []*partReader) (form manifest.Form, err error) {
	var formed *partReader
	for _, p := range parts {
		for {
			err := p.advance(ctx)
			if err == io.EOF {
				if err := p.refuseDamaged(); err != nil {
					return form, err
				}
				break
			} else if err != nil {
				return form, err
			}
			if formed == nil {
				formed, form = p, p.line.Form
			} else if p.line.Form != form {
				return form, p.wrong("is in another form than those of %s", "的格式与 %s 不同", Quote([]byte(formed.path)))
			}
		}
	}
	if formed == nil {
		form.Zero = parts[0].zero
	}
	return form, nil
}

// merge writes the lines of all parts, each part from its beginning.
func merge(ctx context.Context, parts []*partReader, out *output, form manifest.Form) error {
	var h byOrder
	advance := func(p *partReader) error {
		err := p.advance(ctx)
		if err == nil {
			heap.Push(&h, p)
		} else if err == io.EOF {
			err = nil
		}
		return err
	}
	for _, p := range parts {
		if err := p.rewind(); err != nil {
			return err
		}
		if err := advance(p); err != nil {
			return err
		}
	}
	for len(h) > 0 {
		p := heap.Pop(&h).(*partReader)
		if err := out.write([]byte(p.name), form.Append(out.line[:0], []byte(p.name), p.line.Digest)); err != nil {
			return err
		}
		if err := advance(p); err != nil {
			return err
		}
	}
	return nil
}

// byOrder is parts by their next lines.
type byOrder []*partReader

func (h byOrder) Len() int      { return len(h) }
func (h byOrder) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h byOrder) Less(i, j int) bool {
	return h[i].input < h[j].input || h[i].input == h[j].input && h[i].name < h[j].name
}
func (h *byOrder) Push(p any) { *h = append(*h, p.(*partReader)) }
func (h *byOrder) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// A partReader reads a part line by line, and refuses lines that the part can't have.
type partReader struct {
	path  string
	file  *os.File
	part  shard.Part
	by    *digest.Algorithm
	zero  bool
	lines *manifest.Reader

	line  manifest.Line
	name  string // of line
	input int    // of part.Inputs, in which it lies
	read  int64
	end   *shard.End
	late  bool // there is something behind the end
}

// openPart opens a file that must be a part.
func openPart(path string) (*partReader, error) {
	name := Quote([]byte(path))
	info, err := os.Stat(path)
	if err != nil {
		return nil, usage("%s: %w", "%s：%s", name, reason(err))
	} else if !info.Mode().IsRegular() {
		return nil, usage("%s: is no regular file; parts are read twice", "%s：不是普通文件；分片会被读取两次", name)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("%s: %w", "%s：%s", name, reason(err))
	}
	p := &partReader{path: path, file: f}
	if err := p.begin(); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// begin reads the first line, which says what the part is of.
func (p *partReader) begin() error {
	name := Quote([]byte(p.path))
	head := make([]byte, mostComment+1)
	n, err := io.ReadFull(p.file, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return usage("%s: %w", "%s：%s", name, reason(err))
	}
	ends := strings.IndexAny(string(head[:n]), "\n\x00")
	ok := ends >= 0
	if ok {
		p.zero = head[ends] == 0
		p.part, ok = shard.ReadPart(string(head[:ends]))
	}
	if !ok {
		return usage("%s: is no part of a manifest: its first line doesn't say which; parts are made by --shard",
			"%s：不是清单的分片：首行未注明；分片由 --shard 生成", name)
	}
	if p.by, err = digest.Named(p.part.Algorithm, 0); err != nil {
		return usage("%s: %w", "%s：%s", name, err)
	}
	return p.rewind()
}

// rewind begins at the first line again.
func (p *partReader) rewind() error {
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return usage("%s: %w", "%s：%s", Quote([]byte(p.path)), reason(err))
	}
	p.lines = manifest.NewReader(p.file, manifest.Form{Zero: p.zero})
	p.lines.Comment = func(text []byte) {
		e, ok := shard.ReadEnd(string(text))
		if p.late = p.end != nil; ok {
			p.end = &e
		}
	}
	p.name, p.input, p.read, p.end, p.late = "", 0, 0, nil, false
	return nil
}

// advance reads the next line. At the end of a part that is whole the error is io.EOF.
func (p *partReader) advance(ctx context.Context) error {
	if p.read%1024 == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	line, err := p.lines.Next()
	switch {
	case err == io.EOF:
		return p.ended()
	case errors.Is(err, manifest.ErrFormat), err == nil && !p.fits(line):
		return p.wrong("is none of a manifest by %s", "不是 %s 清单的行", p.by.Name)
	case err != nil:
		return usage("%s: %w", "%s：%s", Quote([]byte(p.path)), reason(err))
	case p.end != nil:
		return p.wrong("stands behind the part's end", "位于分片结尾之后")
	}
	p.read++
	p.line = line
	if n := shard.Number(line.Name, p.part.Of); n != p.part.Index {
		return p.wrong("belongs to shard %d/%d, and the part is %s", "属于分片 %d/%d，而该文件是分片 %s", n, p.part.Of, p.part.Shard)
	}
	return p.place(string(line.Name))
}

func (p *partReader) fits(line manifest.Line) bool {
	return len(line.Digest) == p.by.Size && !line.Loose && (line.Tag == "" || digest.Tagged(line.Tag) == p.by)
}

// place finds the input in which a name lies: the one of the line before, or one after it.
func (p *partReader) place(name string) error {
	last, inputs := p.name, p.part.Inputs
	for at := p.input; at < len(inputs); at++ {
		if shard.Covers(inputs[at], name) && (at > p.input || p.read == 1 || name > last) {
			p.input, p.name = at, name
			return nil
		}
	}
	return p.wrong("is out of order, or in none of the inputs", "次序不对，或不在任何输入之中")
}

// refuseDamaged refuses a part that was read to its end, and isn't what that says it was. One of an earlier version
// doesn't say.
func (p *partReader) refuseDamaged() error {
	if p.end.Digest == "" {
		return nil
	}
	size, err := p.file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = p.file.Seek(0, io.SeekStart)
	}
	sum := sha256.New()
	if err == nil {
		_, err = io.CopyN(sum, p.file, max(0, size-int64(len(p.end.Comment())+1)))
	}
	if err != nil {
		return usage("%s: %w", "%s：%s", Quote([]byte(p.path)), reason(err))
	}
	if hex.EncodeToString(sum.Sum(nil)) != p.end.Digest {
		return usage("%s: was changed after it was made: it is not what the digest in its last line says; make it again",
			"%s：生成之后被改动过：内容与末行的摘要不符；请重新生成", Quote([]byte(p.path)))
	}
	return nil
}

func (p *partReader) ended() error {
	switch {
	case p.end == nil:
		return usage("%s: is not whole: its last line is missing; finish it with --resume", "%s：不完整：缺少末行；请用 --resume 完成",
			Quote([]byte(p.path)))
	case p.late:
		return usage("%s: something stands behind its end", "%s：结尾之后还有内容", Quote([]byte(p.path)))
	case p.end.Lines != p.read:
		return usage("%s: has %d lines, and its end says %d; make it again", "%s：有 %d 行，而结尾注明 %d 行；请重新生成",
			Quote([]byte(p.path)), p.read, p.end.Lines)
	}
	return io.EOF
}

// wrong says what is wrong with the line that was read last.
func (p *partReader) wrong(en, zh string, args ...any) error {
	return usage("%s: line %d %s", "%s：第 %d 行%s", Quote([]byte(p.path)), p.lines.Line(), language.Say(en, zh, args...))
}

// sayFailed says that a part lacks files, as the run that made it did.
func (p *partReader) sayFailed(say func(language.Text)) {
	switch p.end.Failed {
	case 0:
	case 1:
		say(aboutFile(p.path, language.Text{EN: "1 file could not be read, or changed meanwhile, when it was made",
			ZH: "生成时有 1 个文件无法读取或有变化"}))
	default:
		say(aboutFile(p.path, language.Say("%d files could not be read, or changed meanwhile, when it was made",
			"生成时有 %d 个文件无法读取或有变化", p.end.Failed)))
	}
}
