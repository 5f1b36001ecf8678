// Package scratch makes files without a name, which leave nothing behind, and says
// what a directory for them lies on and whether it has room.
package scratch

import (
	"cmp"
	"errors"
	"io/fs"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// File makes a file that nothing is left of, however the process ends. An empty dir is
// the system's for temporary files, as for all that follow.
func File(dir string) (*os.File, error) { return unnamed(cmp.Or(dir, os.TempDir())) }

func FileSystem(dir string) string {
	return "on " + cmp.Or(fileSystem(cmp.Or(dir, os.TempDir())), "an unknown file system")
}

// removed makes a file and removes its name at once; what is written into it goes
// when it is closed, by whomever.
func removed(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "cryptogauge-*")
	if err != nil {
		return nil, reason.New("making-file", dir, Bare(err))
	}
	if err := os.Remove(f.Name()); err != nil { // a system that keeps the name of an open file
		_ = f.Close()
		_ = os.Remove(f.Name())
		return nil, reason.New("unnamed-file", dir, Bare(err))
	}
	return f, nil
}

// Room says in one line why files of so many bytes can't be had in a directory, and
// what to set; nil where they can.
func Room(dir string, bytes int64) error {
	set := reason.Cause("name-dir")
	if dir == "" {
		dir, set = os.TempDir(), reason.Cause("set-dir")
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return reason.New("dir-missing", dir, set)
	case err != nil:
		return reason.New("dir-refused", reason.New("path-says", dir, Bare(err)), set)
	case !info.IsDir():
		return reason.New("dir-none", dir, set)
	}
	f, err := File(dir)
	if err != nil {
		return reason.New("dir-refused", err, set)
	}
	defer f.Close()
	if free, ok := freeBytes(dir); ok && free < bytes {
		return reason.New("dir-full", dir, free>>20, (bytes+1<<20-1)>>20, set)
	}
	return nil
}

// Bare leaves out the name of a file that has none: a reader could not find it. Where there is no error, as
// of most reads and writes, it allocates nothing.
func Bare(err error) error {
	if p, named := errors.AsType[*os.PathError](err); named {
		return p.Err
	}
	return err
}
