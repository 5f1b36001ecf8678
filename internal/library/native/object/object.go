//go:build linux && (amd64 || arm64)

// Package object opens shared objects, and only such as nobody but their owner
// and the superuser can have changed: code that is loaded runs with all rights of
// who loads it. What was opened is recorded by its path, its links resolved, and
// its SHA-256.
package object

import (
	"slices"
	"strings"

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
