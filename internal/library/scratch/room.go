// Package scratch makes files without a name, which leave nothing behind, and says
// what a directory for them lies on and whether it has room.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// removed makes a file and removes its name at once; what is written into it goes
// when it is closed, by whomever.
func removed(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "cryptogauge-*")
	if err != nil {
		return nil, fmt.Errorf("making a file in %s: %w", dir, Bare(err))
	}
	if err := os.Remove(f.Name()); err != nil { // a system that keeps the name of an open file
		_ = f.Close()
		_ = os.Remove(f.Name())
		return nil, fmt.Errorf("files without a name can't be had in %s: %w", dir, Bare(err))
	}
	return f, nil
}

// Room says in one line why files of so many bytes can't be had in a directory, and
// what to set; nil where they can. An empty dir is the system's for temporary files.
func Room(dir string, bytes int64) error {
	set := "name"
	if dir == "" {
		dir, set = os.TempDir(), "set TMPDIR or --dir to"
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist; %s a directory that does", dir, set)
	case err != nil:
		return fmt.Errorf("%s: %w; %s another directory", dir, Bare(err), set)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory; %s one", dir, set)
	}
	f, err := File(dir)
	if err != nil {
		return fmt.Errorf("%w; %s another directory", err, set)
	}
	defer f.Close()
	if free, ok := freeBytes(dir); ok && free < bytes {
		return fmt.Errorf("%s has %d MiB left, and the files need %d MiB at a time; %s another directory, or give a smaller --total (streaming) or fewer --chunks",
			dir, free>>20, (bytes+1<<20-1)>>20, set)
	}
	return nil
}

// Bare leaves out the name of a file that has none: a reader could not find it.
func Bare(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}
