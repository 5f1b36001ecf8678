package sums

import (
	"errors"
	"io/fs"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

var errLocked = language.Error("another run is writing it; let it end first, or name another file",
	"另一个运行正在写入；请等它结束，或另取文件名")

// openLocked opens a file to write, which is this process's alone until it is closed, or the process ends, however
// that ends. It says whether it has made the file. Links are not followed.
func openLocked(path string) (f *os.File, made bool, err error) {
	for range 1000 {
		made = false
		f, err = os.OpenFile(path, os.O_RDWR|noFollow, 0)
		if errors.Is(err, fs.ErrNotExist) {
			made = true
			f, err = create(path)
		}
		if errors.Is(err, fs.ErrExist) {
			continue // another was faster
		} else if err != nil {
			return nil, false, err
		}
		if err = lock(f); err != nil {
			f.Close()
			return nil, false, err
		}
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, false, err
		}
		if there, err := os.Lstat(path); err == nil && os.SameFile(mine, there) {
			return f, made, nil
		}
		f.Close() // who had the lock has given the file its final name
	}
	return nil, false, errLocked
}

// create makes a file to write, where there is nothing of this name, and no link either.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o666)
}
