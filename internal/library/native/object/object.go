//go:build linux && (amd64 || arm64)

// Package object opens shared objects, and only such as nobody but their owner
// and the superuser can have changed: code that is loaded runs with all rights of
// who loads it. What was opened is recorded by its path, its links resolved, and
// its SHA-256.
package object

import (
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

// Symbol returns the address of a function.
func (o *Object) Symbol(name string) (uintptr, error) {
	address, err := purego.Dlsym(o.handle, name)
	if err != nil || address == 0 {
		return 0, reason.New("no-function", o.Path, name)
	}
	return address, nil
}

// Symbols looks up functions by name, all or none.
func (o *Object) Symbols(names ...string) (map[string]uintptr, error) {
	found := make(map[string]uintptr, len(names))
	var missing []string
	for _, name := range names {
		address, err := o.Symbol(name)
		if err != nil {
			missing = append(missing, name)
		}
		found[name] = address
	}
	switch n := len(missing); {
	case n > 3:
		return nil, reason.New("lacks-functions", o.Path, n, strings.Join(missing[:3], ", "))
	case n > 0:
		return nil, reason.New("no-function", o.Path, strings.Join(missing, ", "))
	}
	return found, nil
}
