package sums

import (
	"encoding/hex"
	"errors"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
)

// A mark is where a line ends in buffer, and its name in names.
type mark struct{ line, name int }

// held is how much is written at once.
const held = 64 << 10

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

// comment takes a line that is of no file.
func (o *output) comment(text string) { o.buffer = append(append(o.buffer, text...), o.lineEnd) }

// begin says of which part the lines are that follow.
func (o *output) begin(p *shard.Part) {
	if p != nil {
		o.comment(p.Comment())
	}
}

// end says that a part is whole.
func (o *output) end(p *shard.Part, failed int64) {
	if p != nil {
		o.sum.Write(o.buffer)
		o.comment(shard.End{Lines: o.written + int64(len(o.marks)), Failed: failed, Digest: hex.EncodeToString(o.sum.Sum(nil))}.Comment())
	}
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
	if err == nil {
		whole = n // with comments behind the last line
	}
	o.sum.Write(o.buffer[:whole])
	o.size += int64(whole)
	o.buffer, o.names, o.marks = o.buffer[:0], o.names[:0], o.marks[:0]
	if err == nil {
		o.state.flush()
		return nil
	}
	if o.part != "" && whole < n {
		_ = o.file.Truncate(o.size)
	}
	return &OutputError{language.Errorf("writing the manifest: %w", "写入清单：%s", reason(err))}
}

// close ends the manifest: whole, or where failed ended it.
func (o *output) close(failed error) error {
	err, whole := o.flush(), failed == nil
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
		err = &OutputError{language.Errorf("writing %s: %w", "写入 %s：%s", o.part, reason(syncErr))}
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
		return &OutputError{language.Errorf("writing %s: %w", "写入 %s：%s", o.part, reason(closeErr))}
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
		return &OutputError{language.Errorf("%s: %w", "%s：%s", o.at, reason(err))}
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
		err = errors.Join(err, &OutputError{language.Errorf("renaming %s to %s: %w", "将 %s 重命名为 %s：%s", o.part, o.at, reason(renameErr))})
		o.at = o.part
	}
	return err
}
