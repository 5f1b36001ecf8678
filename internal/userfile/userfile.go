// Package userfile opens the files that a user names on the command line: keys, certificates, bodies, PINs, runs.
//
// They are regular files. A pipe without a name, which /dev/stdin and <(…) of a shell stand for, is read until it ends
// or the program is interrupted. All else is refused at once: a pipe with a name waits for whoever opens its other
// end, and a device may never end.
package userfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// ErrTooLong is that of a file with more bytes than may be.
var ErrTooLong = errors.New("too long")

// Open opens a regular file, and nothing that has taken its place meanwhile.
func Open(name string) (*os.File, error) {
	return open(name, func(info fs.FileInfo) bool { return info.Mode().IsRegular() })
}

func open(name string, allowed func(fs.FileInfo) bool) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, opening(err)
	}
	if !allowed(info) {
		return nil, notRegular(name, info)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !allowed(info) {
		err = notRegular(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Read returns what a file or a pipe without a name holds, at most so many bytes.
func Read(ctx context.Context, name string, most int64) ([]byte, error) {
	name = filepath.Clean(name)
	f, err := open(name, func(info fs.FileInfo) bool { return info.Mode().IsRegular() || nameless(name, info) })
	if err != nil {
		return nil, err
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case int64(len(content)) > most:
		return nil, ErrTooLong
	}
	return content, nil
}

// opening words an error of stat(2) as one of open(2), which is what the user asked for.
func opening(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		path.Op = "open"
	}
	return err
}

func notRegular(name string, info fs.FileInfo) error {
	if info.IsDir() {
		return language.Errorf("%s is a directory: give a file", "%s 是目录：请给出文件", name)
	}
	return language.Errorf("%s is no regular file: write what it gives into one, and name that", "%s 不是普通文件：请先将内容写入文件再给出", name)
}
