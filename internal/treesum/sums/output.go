package sums

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// Beside a manifest stand its state and, while it is being made, what there is of both. A manifest
// appears under its name only when it is whole, or where there was none, or only a part, before.
const (
	partSuffix  = ".part"
	stateSuffix = ".state"
)

// An output takes the lines of a manifest. What it holds back is whole lines, and so is what it leaves
// behind, whatever happens.
type output struct {
	at, part string // the manifest's path, and where it grows; "" where it isn't a file
	to       io.Writer
	file     *os.File
	was      os.FileInfo // what stands at at, or nil
	whole    int64       // the size of the whole manifest that there is already, or notWhole
	lines    int64       // of the part that there is already
	kept     bool        // that part, since this run has made less of it
	wasState stateSurvey
	expected expected // of what stands there
	lineEnd  byte
	share    *shard.Part // what is made is this part; nil: a whole manifest

	line   []byte // room for one
	buffer []byte
	names  []byte // of the lines in buffer
	marks  []mark

	written, size int64     // lines, and bytes
	last          string    // the name in the last of them
	sum           hash.Hash // SHA-256, of what was written

	state    *stateWriter
	before   *before // what is known from an earlier run, or nil
	unproven bool    // there is a state, and nothing in it can be relied on
}

// open prepares for a manifest. Before it returns an error it takes back what it has done.
func (m *Making) open(ctx context.Context) (*output, error) {
	o := &output{at: m.Output, to: m.Out, lineEnd: m.Form.End(), share: m.Part, whole: notWhole, state: new(stateWriter), sum: sha256.New(),
		expected: expected{named: m.Algorithm, form: m.Form}}
	if m.JSON {
		o.lineEnd = manifest.Form{}.End()
	}
	err := m.refuseLong()
	if err == nil {
		err = o.know(m) // what is to be refused is, before anything is touched
	}
	if err == nil {
		err = o.openFile(ctx, m)
	}
	if err == nil {
		err = o.know(m) // again: another run may have ended in between
	}
	if err == nil {
		err = o.beginState(m)
	}
	if err != nil {
		o.takeBack()
		return nil, err
	}
	return o, nil
}

// mostComment is how long the first line of a part may be, so that it is found again.
const mostComment = held / 2

// refuseLong refuses a part that would have to name too many inputs.
func (m *Making) refuseLong() error {
	if m.Part != nil && len(m.Part.Comment()) > mostComment {
		return usage("--shard: %d names are too many for the first line of each part; name folders, or objects by what they begin with",
			"--shard：%d 个名字太多，无法写入各分片的首行；请给出目录，或对象名的前缀", len(m.Part.Inputs))
	}
	return nil
}

// openFile opens the file to write.
func (o *output) openFile(ctx context.Context, m *Making) error {
	if m.Output == "" {
		return nil
	}
	if direct, err := o.openDirect(ctx, m); direct || err != nil {
		return err
	}
	o.part = o.at + partSuffix
	err := m.refuseInputs(o.at)
	if err == nil {
		_, err = o.look()
	}
	if err == nil {
		err = o.claim()
	}
	if err != nil {
		return err
	}
	o.to = o.file
	return nil
}

// openDirect opens what is no file that could be replaced, as a shell's > does: a FIFO, a terminal, /dev/null, or
// standard output or error under a name. It returns false for the rest.
func (o *output) openDirect(ctx context.Context, m *Making) (bool, error) {
	info, err := os.Stat(o.at)
	for _, stream := range []io.Writer{m.Out, m.Err} {
		f, ok := stream.(*os.File)
		if !ok || err != nil {
			continue
		}
		if mine, err := f.Stat(); err == nil && os.SameFile(mine, info) {
			o.at, o.to = "", f
			return true, nil
		}
	}
	switch {
	case err != nil || info.Mode().IsRegular():
		return false, nil
	case info.IsDir():
		return false, usage("%s: is a directory; name a file for the manifest", "%s：是一个目录；请为清单给出文件", m.Output)
	case info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) == 0:
		return false, usage("%s: is no regular file; name another for the manifest", "%s：不是普通文件；请为清单另给文件", m.Output)
	}
	if o.file, err = Open(ctx, o.at, os.O_WRONLY); ctx.Err() != nil {
		return false, ctx.Err()
	} else if err != nil {
		return false, usage("%s: %w", "%s：%s", m.Output, reason(err))
	}
	o.to = o.file
	return true, nil
}

// refuseInputs refuses a manifest in the place of a file that this run reads.
func (m *Making) refuseInputs(at string) error {
	for _, path := range []string{at, at + partSuffix, at + stateSuffix, at + stateSuffix + partSuffix} {
		output, err := os.Stat(path)
		if err != nil {
			continue
		}
		if m.List != nil && os.SameFile(m.List, output) {
			return usage("%s: holds the names of the files to hash, and this run would write it; name another file for the manifest",
				"%s：其中是待计算的文件名，而本次运行会写入它；请为清单另给文件", Quote([]byte(path)))
		}
		for _, name := range m.Inputs {
			if input, err := m.statInput(name); err == nil && os.SameFile(input, output) {
				return usage("%s: is to be hashed, and this run would write it; name another file for the manifest",
					"%s：是待计算的文件，而本次运行会写入它；请为清单另给文件",
					Quote([]byte(name)))
			}
		}
	}
	return nil
}

func (m *Making) statInput(name string) (os.FileInfo, error) {
	if in, ok := m.Stdin.(*os.File); ok && name == treehash.Stdin {
		return in.Stat()
	}
	return os.Stat(name)
}

// takeBack undoes open.
func (o *output) takeBack() {
	if o.before != nil {
		o.before.close()
	}
	if o.file == nil {
		return
	}
	if o.part != "" {
		os.Remove(o.part)
	}
	closeLocked(o.file)
}

// resolved is what a path leads to: a link to a manifest is not replaced, but the manifest is.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func usage(en, zh string, args ...any) error { return &UsageError{language.Errorf(en, zh, args...)} }

// know finds what is known from before, if that is wanted.
func (o *output) know(m *Making) (err error) {
	if m.Resume == "" {
		return nil
	}
	if o.before != nil {
		o.before.close()
	}
	o.before, err = openBefore(resolved(m.Resume)+stateSuffix, m.Algorithm, m.Part)
	if o.unproven = errors.Is(err, errUnproven); o.unproven || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// beginState says what isn't known, and begins a new state.
func (o *output) beginState(m *Making) (err error) {
	if m.Resume != "" {
		o.sayUnknown(m)
	}
	if o.part == "" {
		return nil
	}
	o.state, err = newState(o.at+stateSuffix+partSuffix, m.Algorithm, o.was, m.Say)
	return err
}

// sayUnknown says why files are read although there was an earlier run.
func (o *output) sayUnknown(m *Making) {
	path := resolved(m.Resume) + stateSuffix
	name := Quote([]byte(path))
	if o.before == nil {
		if o.unproven {
			m.Say(said(name, language.Say("%s; every file is read", "%s；将读取每个文件", language.Of(errUnproven))))
		} else if o.share == nil || o.was != nil { // a job's first run of a shard says --resume, too
			m.Say(said(name, language.Text{EN: "no earlier state; everything is read", ZH: "没有先前的状态；将读取全部内容"}))
		}
	} else if s, err := surveyState(path); err == nil && s.damaged > 0 {
		lines := "%d lines are not what their checksums say"
		if s.damaged == 1 {
			lines = "%d line is not what its checksum says"
		}
		m.Say(said(name, language.Say("is damaged ("+lines+"); what isn't proven is read again",
			"已损坏（有 %d 行与其校验和不符）；未得到证明的将重新读取", s.damaged)))
	}
}

// files are those that lines are written into, and those that stand beside them.
func (o *output) files() (infos []os.FileInfo) {
	if f, ok := o.to.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			infos = append(infos, info)
		}
	}
	if o.part == "" {
		return infos
	}
	for _, path := range []string{o.at, o.at + stateSuffix, o.at + stateSuffix + partSuffix} {
		if info, err := os.Stat(path); err == nil {
			infos = append(infos, info)
		}
	}
	return infos
}
