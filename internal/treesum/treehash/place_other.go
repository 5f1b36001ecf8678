//go:build !linux

package treehash

import (
	"io/fs"
	"os"
)

// A place is where a worker opens files. Here it is everywhere.
type place struct{}

func (*place) settle() bool      { return false }
func (*place) leave()            {}
func (*place) exit()             {}
func (*place) enter(*batch, int) {}

// A file is an open one.
type file struct{ *os.File }

// open opens the file of an entry. What isn't a regular file is not opened, since that may wait for
// somebody.
func (p *place) open(b *batch, e *entry) (file, error) {
	name := string(b.name(e))
	look := os.Stat
	if e.from == inTree {
		look = os.Lstat
	}
	info, err := look(name)
	switch {
	case err != nil:
		return file{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		return file{}, errLink
	case info.IsDir():
		return file{}, errFolder
	case !info.Mode().IsRegular():
		return file{}, errStrange
	}
	f, err := os.Open(name)
	return file{f}, err
}

func (p *place) openAlone(b *batch, e *entry) (file, error) { return p.open(b, e) }

// look looks at the file of an entry without opening it.
func (p *place) look(b *batch, e *entry) (found, error) {
	look := os.Stat
	if e.from == inTree {
		look = os.Lstat
	}
	info, err := look(string(b.name(e)))
	if err != nil {
		return found{}, err
	}
	return foundIn(info), nil
}

func foundIn(info fs.FileInfo) found {
	f := found{stamp: stampOf(info), id: idOf(info), sort: special}
	switch {
	case info.Mode().IsRegular():
		f.sort = regular
	case info.IsDir():
		f.sort = folder
	}
	return f
}

func (f file) close() { f.File.Close() }

func (f file) look() (found, error) {
	info, err := f.Stat()
	if err != nil {
		return found{}, err
	}
	return foundIn(info), nil
}

func (f file) readAt(p []byte, from int64) (int, error) { return f.ReadAt(p, from) }

func (f file) inOrder() {}

// openShared opens a file, whose path ends in NUL, for any goroutine.
func openShared(path []byte) (*os.File, error) { return os.Open(string(path[:len(path)-1])) }

func inOrder(*os.File) {}

func lookShared(f *os.File) (found, error) { return file{f}.look() }
