//go:build !linux

package treehash

import (
	"io"
	"io/fs"
	"os"
)

// someNames are read at a time.
const someNames = 1024

// read lists a folder. One that is found in another, and not given by the user, must be no link to one.
func (l *listing) read(path []byte, from origin, links Links, shared *descriptors) (id fileID, err error) {
	l.reset()
	name := string(path)
	var f *os.File
	release, err := shared.take(func() (err error) {
		f, err = os.Open(name)
		return err
	})
	if err != nil {
		return id, err
	}
	defer release()
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return id, err
	}
	for {
		entries, err := f.ReadDir(someNames)
		for _, e := range entries {
			l.append([]byte(e.Name()), sortOf(name, e, links))
		}
		switch {
		case err == io.EOF:
			return idOf(info), nil
		case err != nil:
			return id, err
		}
	}
}

func sortOf(dir string, e fs.DirEntry, links Links) sort {
	mode := e.Type()
	if mode&fs.ModeSymlink != 0 {
		if links == Leave {
			return link
		}
		info, err := os.Stat(dir + e.Name())
		if err != nil {
			return regular // opening it will say what is wrong
		}
		mode = info.Mode()
	}
	switch {
	case mode.IsRegular():
		return regular
	case mode.IsDir():
		return folder
	}
	return special
}
