package sums

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cryptogauge/cryptogauge/internal/manifest"
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
	whole    bool // there is a whole manifest already
	end      byte

	line   []byte // room for one
	buffer []byte
	names  []byte // of the lines in buffer
	marks  []mark

	written, size int64  // lines, and bytes
	last          string // the name in the last of them

	state  *stateWriter
	before *before // what is known from an earlier run, or nil
}

// A mark is where a line ends in buffer, and its name in names.
type mark struct{ line, name int }

// held is how much is written at once.
const held = 64 << 10

// open prepares for a manifest. Before it returns an error it takes back what it has done.
func (m *Making) open() (*output, error) {
	o := &output{at: m.Output, to: m.Out, end: m.Form.End(), state: new(stateWriter)}
	if m.JSON {
		o.end = manifest.Form{}.End()
	}
	err := o.know(m) // what is to be refused is, before anything is touched
	if err == nil {
		err = o.openFile(m)
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

// openFile opens the file to write, which stays as it is for now.
func (o *output) openFile(m *Making) error {
	if m.Output == "" {
		return nil
	}
	o.at = resolved(m.Output)
	info, err := os.Stat(o.at)
	switch {
	case err == nil && info.IsDir():
		return usage("%s: is a directory; name a file for the manifest", m.Output)
	case err == nil && !info.Mode().IsRegular():
		o.file, err = os.OpenFile(o.at, os.O_WRONLY, 0) // a device: there can be no part
	case err == nil, errors.Is(err, fs.ErrNotExist):
		o.part = o.at + partSuffix
		o.file, err = openLocked(o.part)
	}
	if err != nil {
		return usage("%s: %w", m.Output, reason(err))
	}
	o.to = o.file
	if o.part == "" {
		return nil
	}
	if info, err = os.Stat(o.at); err == nil { // there may be one by now
		o.whole = !isPart(o.at)
		_ = o.file.Chmod(info.Mode().Perm())
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
	if info, err := o.file.Stat(); err == nil && o.part != "" && info.Size() == 0 {
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
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// begin empties the file, and begins a new state.
func (o *output) begin(m *Making) (err error) {
	if state := resolved(m.Resume) + stateSuffix; m.Resume != "" && o.before == nil {
		// A run that was killed has left it under the name under which it grows.
		if m.Resume == m.Output && os.Rename(state+partSuffix, state) == nil {
			err = o.know(m)
		}
		if err != nil {
			return err
		}
		if o.before == nil {
			m.Say(Quote([]byte(state)) + ": there is none, which would prove what is unchanged; every file is read")
		}
	}
	if o.part == "" {
		return nil
	}
	if o.state, err = newState(o.at+stateSuffix+partSuffix, m.Algorithm, m.Say); err != nil {
		return err
	}
	if err := o.file.Truncate(0); err != nil {
		return usage("%s: %w", o.part, reason(err))
	}
	return nil
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
	whole = whole && err == nil
	o.state.close(whole || o.whole, !whole, o.before)
	if o.before != nil {
		o.before.close()
	}
	if o.file == nil {
		return err
	}
	if o.part == "" {
		return errors.Join(err, o.file.Close())
	}
	if syncErr := o.file.Sync(); err == nil && syncErr != nil {
		err = &OutputError{fmt.Errorf("writing %s: %w", o.part, reason(syncErr))}
		whole = false
	}
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

// name gives the manifest its name, unless it is a part and there is a whole one.
func (o *output) name(whole bool, err error) error {
	if !whole && o.whole {
		o.at = o.part
		return err
	}
	if renameErr := os.Rename(o.part, o.at); renameErr != nil {
		err = errors.Join(err, &OutputError{fmt.Errorf("renaming %s to %s: %w", o.part, o.at, reason(renameErr))})
		o.at = o.part
	}
	return err
}

// isPart says whether a manifest ends before its files did, as its state tells.
func isPart(manifest string) bool {
	f, err := os.Open(manifest + stateSuffix)
	if err != nil {
		return false // it is of md5sum, or of a run without a state: whole
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < int64(len(stateEnd)) {
		return true
	}
	tail := make([]byte, len(stateEnd))
	_, err = f.ReadAt(tail, info.Size()-int64(len(tail)))
	return err != nil || !bytes.Equal(tail, []byte(stateEnd))
}
