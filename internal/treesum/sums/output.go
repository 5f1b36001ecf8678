package sums

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
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
	end      byte

	line   []byte // room for one
	buffer []byte
	names  []byte // of the lines in buffer
	marks  []mark

	written, size int64  // lines, and bytes
	last          string // the name in the last of them

	state    *stateWriter
	before   *before // what is known from an earlier run, or nil
	unproven bool    // there is a state, and nothing in it can be relied on
}

// A mark is where a line ends in buffer, and its name in names.
type mark struct{ line, name int }

// held is how much is written at once.
const held = 64 << 10

// open prepares for a manifest. Before it returns an error it takes back what it has done.
func (m *Making) open(ctx context.Context) (*output, error) {
	o := &output{at: m.Output, to: m.Out, end: m.Form.End(), whole: notWhole, state: new(stateWriter),
		expected: expected{named: m.Algorithm, form: m.Form}}
	if m.JSON {
		o.end = manifest.Form{}.End()
	}
	err := o.know(m) // what is to be refused is, before anything is touched
	if err == nil {
		err = o.openFile(ctx, m)
	}
	if err == nil {
		err = o.know(m) // again: another run may have ended in between
	}
	if err == nil {
		err = o.begin(m)
	}
	if err != nil {
		o.takeBack()
		return nil, err
	}
	return o, nil
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
		return false, usage("%s: is a directory; name a file for the manifest", m.Output)
	case info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) == 0:
		return false, usage("%s: is no regular file; name another for the manifest", m.Output)
	}
	if o.file, err = Open(ctx, o.at, os.O_WRONLY); ctx.Err() != nil {
		return false, ctx.Err()
	} else if err != nil {
		return false, usage("%s: %w", m.Output, reason(err))
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
			return usage("%s: holds the names of the files to hash, and this run would write it; "+
				"name another file for the manifest", Quote([]byte(path)))
		}
		for _, name := range m.Inputs {
			if input, err := m.statInput(name); err == nil && os.SameFile(input, output) {
				return usage("%s: is to be hashed, and this run would write it; name another file for the manifest",
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

// look finds out what stands where the manifest and its state are to be, and refuses what isn't of earlier runs.
func (o *output) look() (partly standing, err error) {
	o.whole, o.lines, o.was = notWhole, 0, nil
	if o.wasState, err = surveyState(o.at + stateSuffix); err != nil {
		return partly, usage("%s: %w", o.at+stateSuffix, err)
	}
	if _, err := surveyState(o.at + stateSuffix + partSuffix); err != nil {
		return partly, usage("%s: %w", o.at+stateSuffix+partSuffix, err)
	}
	f, err := openStanding(o.at)
	if err != nil {
		return partly, usage("%s: %w", o.at, err)
	} else if f == nil {
		return partly, nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return partly, usage("%s: %w", o.at, reason(err))
	}
	o.was = info
	isPart := o.wasState.exists && o.wasState.whole != anyLength && o.wasState.whole != info.Size()
	o.expected.state, o.expected.torn = o.wasState.algorithm, isPart
	if partly, err = o.expected.look(f); err != nil {
		return partly, usage("%s: %w", o.at, reason(err))
	}
	if o.lines = partly.lines; !isPart {
		o.whole = info.Size()
	}
	return partly, nil
}

// claim locks the file in which the manifest grows. What a run that was killed has left of it and of its state is
// kept first.
func (o *output) claim() error {
	for {
		f, made, err := openLocked(o.part)
		if err == nil && made {
			o.file = f
			if _, err = o.look(); err != nil { // there may be more by now
				return err
			}
			inherit(f, o.was)
			return o.keepState()
		}
		if err == nil {
			err = o.keepPart(f)
			closeLocked(f)
		}
		if errors.Is(err, syscall.ELOOP) {
			err = errLink
		}
		if err != nil {
			name := o.part
			if errors.Is(err, errLocked) {
				name = o.at
			}
			return usage("%s: %w", name, reason(err))
		}
	}
}

// inherit gives a file the mode of the one that it is to replace, unless that is nil, and its owner and group as far
// as the system lets it.
func inherit(f *os.File, was os.FileInfo) {
	if was == nil {
		return
	}
	inheritOwner(f, was)
	_ = f.Chmod(was.Mode().Perm())
}

// keepPart gives a manifest in part its name if there is none that has as much, and removes it if there is one.
func (o *output) keepPart(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return errNoFile
	} else if namesOf(info) > 1 {
		return errNames
	}
	state, err := surveyState(o.at + stateSuffix + partSuffix)
	if err != nil {
		return err
	}
	expected := o.expected
	expected.state, expected.torn = cmp.Or(state.algorithm, o.wasState.algorithm), true
	part, err := expected.look(f)
	if err != nil {
		return err
	}
	if _, err = o.look(); err != nil {
		return err
	}
	if o.whole != notWhole || part.lines <= o.lines || f.Truncate(part.size) != nil {
		return os.Remove(o.part)
	}
	if err := o.keepState(); err != nil {
		return err
	}
	if !o.wasState.exists { // without one, it would pass for whole
		state, err := create(o.at + stateSuffix)
		if err != nil {
			return err
		}
		state.Close()
	}
	return os.Rename(o.part, o.at)
}

// keepState is keepPart for the state.
func (o *output) keepState() error {
	at := o.at + stateSuffix
	part, err := surveyState(at + partSuffix)
	if err == nil && part.exists && part.records > o.wasState.records {
		if o.whole != notWhole {
			err = seal(at+partSuffix, o.whole)
		}
		if err == nil {
			err = os.Rename(at+partSuffix, at)
		}
		if err == nil {
			o.wasState, err = surveyState(at)
		}
	} else if err == nil && part.exists {
		err = os.Remove(at + partSuffix)
	}
	if err != nil {
		return usage("%s: %w", at+partSuffix, reason(err))
	}
	return nil
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

func usage(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...).Error()}
}

// know finds what is known from before, if that is wanted.
func (o *output) know(m *Making) (err error) {
	if m.Resume == "" {
		return nil
	}
	if o.before != nil {
		o.before.close()
	}
	o.before, err = openBefore(resolved(m.Resume)+stateSuffix, m.Algorithm)
	if o.unproven = errors.Is(err, errUnproven); o.unproven || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// begin says what isn't known, and begins a new state.
func (o *output) begin(m *Making) (err error) {
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
			m.Say(fmt.Sprintf("%s: %s; every file is read", name, errUnproven))
		} else {
			m.Say(name + ": there is none, which would prove what is unchanged; every file is read")
		}
	} else if s, err := surveyState(path); err == nil && s.damaged > 0 {
		lines := fmt.Sprintf("%d lines are not what their checksums say", s.damaged)
		if s.damaged == 1 {
			lines = "1 line is not what its checksum says"
		}
		m.Say(name + ": is damaged (" + lines + "); what isn't proven is read again")
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

// write takes a line, which it may keep as room for the next.
func (o *output) write(name, line []byte) error {
	o.line = line
	o.buffer = append(o.buffer, line...)
	o.names = append(o.names, name...)
	o.marks = append(o.marks, mark{len(o.buffer), len(o.names)})
	if len(o.buffer) < held {
		return nil
	}
	return o.flush()
}

// flush writes what is held back. When that fails, what stands of a line is taken back.
func (o *output) flush() error {
	if len(o.buffer) == 0 {
		return nil
	}
	n, err := o.to.Write(o.buffer)
	whole, name := 0, 0
	for _, m := range o.marks {
		if m.line > n {
			break
		}
		o.written++
		o.last = string(o.names[name:m.name])
		whole, name = m.line, m.name
	}
	o.size += int64(whole)
	o.buffer, o.names, o.marks = o.buffer[:0], o.names[:0], o.marks[:0]
	if err == nil {
		o.state.flush()
		return nil
	}
	if o.part != "" && whole < n {
		_ = o.file.Truncate(o.size)
	}
	return &OutputError{fmt.Errorf("writing the manifest: %w", reason(err))}
}

// close ends the manifest: whole, or where the files were given up.
func (o *output) close(whole bool) error {
	err := o.flush()
	if o.before != nil {
		defer o.before.close()
	}
	if o.part == "" {
		if o.file != nil {
			err = errors.Join(err, o.file.Close())
		}
		return err
	}
	if syncErr := o.file.Sync(); err == nil && syncErr != nil {
		err = &OutputError{fmt.Errorf("writing %s: %w", o.part, reason(syncErr))}
	}
	if err == nil && whole {
		err = o.stillMine()
	}
	whole = whole && err == nil
	size := o.whole
	if whole {
		size = o.size
	} else {
		o.state.rememberRest(o.before)
	}
	o.state.close(size, !whole, o.wasState)
	if renamesOpen { // the lock is held until the file has its name
		err = o.name(whole, err)
		return o.closeFile(err)
	}
	if closeErr := o.closeFile(err); err == nil && closeErr != nil {
		err, whole = closeErr, false
	}
	return o.name(whole, err)
}

func (o *output) closeFile(err error) error {
	if closeErr := closeLocked(o.file); err == nil && closeErr != nil {
		return &OutputError{fmt.Errorf("writing %s: %w", o.part, reason(closeErr))}
	}
	return err
}

// stillMine refuses to replace what somebody has put in the manifest's place meanwhile, unless it is a manifest.
func (o *output) stillMine() error {
	info, err := os.Lstat(o.at)
	if err != nil || o.was != nil && unchanged(o.was, info) {
		return nil
	}
	f, err := openStanding(o.at)
	if err == nil && f != nil {
		defer f.Close()
		_, err = o.expected.look(f)
	}
	if err != nil {
		return &OutputError{fmt.Errorf("%s: %w", o.at, reason(err))}
	}
	return nil
}

// unchanged says whether a file is the one that it was, and nobody has written into it since.
func unchanged(was, is os.FileInfo) bool {
	return os.SameFile(was, is) && was.Size() == is.Size() && was.ModTime().Equal(is.ModTime())
}

// name gives the manifest its name, unless it is a part and there is a whole one, or one of more lines.
func (o *output) name(whole bool, err error) error {
	switch {
	case !whole && (o.whole != notWhole || o.stillMine() != nil):
		o.at = o.part
		return err
	case !whole && o.written < o.lines:
		o.kept = true
		os.Remove(o.part)
		return err
	}
	if renameErr := os.Rename(o.part, o.at); renameErr != nil {
		err = errors.Join(err, &OutputError{fmt.Errorf("renaming %s to %s: %w", o.part, o.at, reason(renameErr))})
		o.at = o.part
	}
	return err
}
