package archive

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/store"
)

// How much a transaction files at most where there are many runs: cells, and bytes of compressed files.
const (
	mostCells  = 50_000
	batchBytes = 64 << 20
)

// Import files the runs at paths, many in a transaction, and tells of each in their order: what became of it, or why it
// can't be filed, which keeps no other from being filed. The error is of the store; what was told of until then is filed.
func (a *Archive) Import(ctx context.Context, paths []string, tell func(path string, filed Filed, err error)) error {
	var batch []*entry
	var of []string
	cells, size := 0, 0
	flush := func() error {
		filed, err := a.file(ctx, batch)
		if err != nil {
			return err
		}
		for i, path := range of {
			tell(path, filed[i], a.fileCheck(ctx, path))
		}
		batch, of, cells, size = nil, nil, 0, 0
		return nil
	}
	for len(paths) > 0 {
		some := paths[:min(len(paths), runtime.GOMAXPROCS(0))]
		paths = paths[len(some):]
		entries, errs := readAll(some)
		for i, e := range entries {
			if errs[i] != nil {
				if err := flush(); err != nil { // told in their order
					return err
				}
				tell(some[i], Filed{}, errs[i])
				continue
			}
			batch, of = append(batch, e), append(of, some[i])
			cells, size = cells+len(e.cells), size+len(e.zstd)
		}
		if cells >= mostCells || size >= batchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return flush()
}

// readAll reads runs, one on each CPU.
func readAll(paths []string) (entries []*entry, errs []error) {
	entries, errs = make([]*entry, len(paths)), make([]error, len(paths))
	var wg sync.WaitGroup
	for i, path := range paths {
		wg.Go(func() { entries[i], errs[i] = read(path) })
	}
	wg.Wait()
	return entries, errs
}

// Found lists the run files at a path and below it: a run file, a folder that holds one, or a folder of such folders.
// Of a run with runs inside its folder it comes first. What can't be read is named, and keeps nothing else from being found.
func Found(path string) (files []string, refused []error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, []error{unreadable(path, err)}
	case !info.IsDir():
		return []string{path}, nil
	}
	_ = filepath.WalkDir(path, func(at string, d os.DirEntry, err error) error { // which never ends it
		switch {
		case err != nil:
			refused = append(refused, unreadable(at, err))
			return nil
		case !d.IsDir():
			return nil
		case at != path && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		}
		if info, err := os.Stat(filepath.Join(at, store.RunFile)); err == nil && info.Mode().IsRegular() {
			files = append(files, at)
		}
		return nil
	})
	return files, refused
}

// unreadable says why nothing is found at a path.
func unreadable(path string, err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = of.Err
	}
	return language.Errorf("%s: %w", "%s：%s", path, err)
}
