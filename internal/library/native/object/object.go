//go:build linux && (amd64 || arm64)

// Package object opens shared objects, and only such as nobody but their owner
// and the superuser can have changed: code that is loaded runs with all rights of
// who loads it. What was opened is recorded by its path, its links resolved, and
// its SHA-256.
package object

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/ebitengine/purego"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Object is an open shared object. It stays open until the process ends: nobody
// can know what it has registered where.
type Object struct {
	Path   string // absolute, its links resolved
	SHA256 string // of the file, in hexadecimal
	handle uintptr
}

// Open opens the shared object at an absolute path. Its constructors run, which
// may be the end of the process. The error says in a line why a file is not
// opened, and what would help.
func Open(path string) (*Object, error) {
	real, err := trusted(path)
	if err != nil {
		return nil, err
	}
	sum, err := examine(real)
	if err != nil {
		return nil, err
	}
	handle, err := purego.Dlopen(real, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, reason.New("cant-load", real, err)
	}
	if now, err := examine(real); err != nil || now != sum {
		return nil, reason.New("replaced-loading", real)
	}
	return &Object{real, sum, handle}, nil
}

func (o *Object) Symbol(name string) (uintptr, error) {
	address, err := purego.Dlsym(o.handle, name)
	if err != nil || address == 0 {
		return 0, reason.New("no-function", o.Path, name)
	}
	return address, nil
}

// Has says which of these functions there are not.
func (o *Object) Has(names ...string) error {
	missing := slices.DeleteFunc(names, func(name string) bool {
		_, err := o.Symbol(name)
		return err == nil
	})
	switch n := len(missing); {
	case n > 3:
		return reason.New("lacks-functions", o.Path, n, strings.Join(missing[:3], ", "))
	case n > 0:
		return reason.New("no-function", o.Path, strings.Join(missing, ", "))
	}
	return nil
}

// trusted resolves the links of a path, and says whether nobody but the superuser
// and this user can write to what is there or put something else in its place.
func trusted(path string) (real string, err error) {
	if !filepath.IsAbs(path) {
		return "", reason.New("not-absolute", path)
	}
	real, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", reason.New("not-there", path)
	}
	if err != nil {
		return "", reason.New("path-says", path, err)
	}
	// Before it is opened, which waits at a pipe for a writer, and before advice on
	// its mode is given, which would be wrong for a device.
	switch info, err := os.Lstat(real); {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", reason.New("not-file", real)
	}
	// Links in a directory that others may write to could point elsewhere tomorrow.
	for _, p := range []string{filepath.Clean(path), real} {
		if err := ours(p); err != nil {
			return "", err
		}
	}
	return real, nil
}

func ours(path string) error {
	for p := path; ; p = filepath.Dir(p) {
		info, err := os.Lstat(p)
		if err != nil {
			return err
		}
		if err := owned(p, info); err != nil {
			return err
		}
		if p == filepath.Dir(p) {
			return nil
		}
	}
}

func owned(path string, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return reason.New("owner-unknown", path)
	}
	if uid := os.Getuid(); st.Uid != 0 && int(st.Uid) != uid {
		return reason.New("owner-other", path, st.Uid)
	}
	const others = 0o022
	mode := info.Mode()
	sticky := mode.IsDir() && mode&fs.ModeSticky != 0 // only an entry's owner can replace it, as in /tmp
	if mode&fs.ModeSymlink == 0 && mode.Perm()&others != 0 && !sticky {
		return reason.New("writable", path, mode)
	}
	return nil
}

// machines are the ELF machines of the platforms that this package is built for.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// examine says whether a file is a shared object of this machine, and returns the
// SHA-256 of it.
func examine(path string) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", reason.New("not-file", path)
	}
	magic := make([]byte, len(elf.ELFMAG))
	if n, _ := f.ReadAt(magic, 0); string(magic[:n]) != elf.ELFMAG {
		return "", reason.New("not-elf", path)
	}
	header, err := elf.NewFile(f)
	if err != nil {
		return "", reason.New("not-object", path, err)
	}
	switch want := machines[runtime.GOARCH]; {
	case header.Type != elf.ET_DYN:
		return "", reason.New("not-object-but", path, header.Type)
	case header.Machine != want || header.Class != elf.ELFCLASS64:
		return "", reason.New("built-for", path, header.Machine, header.Class, want)
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, info.Size())); err != nil {
		return "", reason.New("reading", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
