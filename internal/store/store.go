// Package store keeps runs on disk: a directory with one folder a run, which
// holds the run file and the reports made from it. Runs are immutable; nothing
// here overwrites a file.
//
//	DIR/20261120T113300Z-quick/run.jsonl
//	DIR/20261120T113300Z-quick/report.html
package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

const RunFile = "run.jsonl"

type Folder struct{ Path string }

// Create makes the folder of a new run below dir, which is made as well where it
// is missing. Two runs that begin in the same second get folders of their own.
func Create(dir, name string, started time.Time) (Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Folder{}, language.Errorf("making the output directory: %w", "创建输出目录：%s", err)
	}
	stem := filepath.Join(dir, started.UTC().Format("20060102T150405Z")+"-"+name)
	path := stem
	for n := 2; ; n++ {
		err := os.Mkdir(path, 0o755)
		if err == nil {
			return Folder{path}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return Folder{}, language.Errorf("making the run's folder: %w", "创建运行目录：%s", err)
		}
		path = fmt.Sprintf("%s-%d", stem, n)
	}
}

func (f Folder) RunPath() string { return filepath.Join(f.Path, RunFile) }

// CreateRun creates the run file. It must not exist.
func (f Folder) CreateRun() (*os.File, error) {
	w, err := os.OpenFile(f.RunPath(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, language.Errorf("creating the run file: %w", "创建运行文件：%s", err)
	}
	return w, nil
}

// WriteReport writes a report beside the run file, whole or not at all.
func (f Folder) WriteReport(name string, write func(io.Writer) error) (path string, err error) {
	path = filepath.Join(f.Path, name)
	err = whole(path, func(w *os.File) error { return cmp.Or(write(w), w.Chmod(0o644)) }, place)
	if err != nil {
		return path, language.Errorf("writing %s: %w", "写入 %s：%s", name, err)
	}
	return path, nil
}

// Replace puts a file in the place of the one there is, whole or not at all.
func Replace(path string, content []byte) error {
	return whole(path, func(w *os.File) error {
		_, err := w.Write(content)
		return cmp.Or(err, w.Sync()) // the old one is given up for it
	}, os.Rename)
}

// whole writes a file under another name, and then places it.
func whole(path string, write func(*os.File) error, place func(from, to string) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // a no-op once it was renamed
	if err := cmp.Or(write(tmp), tmp.Close()); err != nil {
		return err
	}
	return place(tmp.Name(), path)
}

// place renames a finished file, unless something stands at its new name. The
// folder is one run's own, so nobody else puts a file there in between.
func place(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return language.Errorf("%s: %w", "%s：%s", to, fs.ErrExist)
	}
	return os.Rename(from, to)
}

// Open reads the run at a path: a run file, or a folder that holds one.
func Open(path string) (*result.Run, error) {
	file := path
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		file = filepath.Join(path, RunFile)
		info, err = os.Stat(file)
	}
	if err != nil {
		return nil, openError(path, err)
	}
	// Opening a named pipe would wait for a writer, beyond the reach of Ctrl-C.
	if in, err := os.Stdin.Stat(); info.Mode()&fs.ModeNamedPipe != 0 && (err != nil || !os.SameFile(in, info)) {
		return nil, language.Errorf("%s: it is a pipe; give a run file, or the folder that holds one",
			"%s：这是管道；请给出运行文件，或其所在目录", path)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, openError(path, err)
	}
	defer f.Close()
	run, err := result.Read(f)
	if err != nil {
		return nil, language.Errorf("%s: %w", "%s：%s", path, err)
	}
	return run, nil
}

func openError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return language.Errorf("%s: there is no run file; give the run.jsonl that a run wrote, or its folder",
			"%s：没有运行文件；请给出运行生成的 run.jsonl，或其所在目录", path)
	}
	return err
}
