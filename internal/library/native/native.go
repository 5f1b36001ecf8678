//go:build linux && (amd64 || arm64)

// Package native lists the libraries that are not Go's. Each is opened from a
// shared object in a worker of its own, so that it can crash, hang or wait in its
// constructors without anybody else's harm, and is called by every path that the
// binary has.
package native

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/bench"
	"github.com/cryptogauge/cryptogauge/internal/library/native/botan"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/libgcrypt"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/library/native/openssl"
	"github.com/cryptogauge/cryptogauge/internal/library/native/pkcs11"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

type opened interface {
	Version() string
	Lacks() []string // the functions that all versions have, and the object has not
	// On is the library as it is called by a path, the everyday way first. Behind it are the
	// ways around that, each a subject of its own, whose implementation names it.
	On(p call.Path, s result.Subject) []provider.Provider
}

var openers = []struct {
	name string
	open func(*object.Object, provider.Vectors) (opened, error)
}{
	{"openssl", func(o *object.Object, v provider.Vectors) (opened, error) { return openssl.Open(o, v) }},
	{"botan", func(o *object.Object, v provider.Vectors) (opened, error) { return botan.Open(o, v) }},
	{"libgcrypt", func(o *object.Object, v provider.Vectors) (opened, error) { return libgcrypt.Open(o, v) }},
}

func Names() (names []string) {
	for _, o := range openers {
		names = append(names, o.name)
	}
	return names
}

type Asked struct {
	Library, Path string
	// Twin, above 1, is told from another of the same version by its number.
	Twin int
	// Access is to the token behind a PKCS#11 module.
	Access pkcs11.Access
}

// Bench is what a worker offers that opened a library; where it can't be opened,
// the library with the reason.
func (a Asked) Bench(s provider.Setting) worker.Bench {
	judge := judge.New(s)
	b := worker.Bench{Judge: judge}
	if a.Library == subject.Harness { // the boundary itself, without a library behind it
		for _, p := range call.Paths() {
			b.Providers = append(b.Providers, crossing{p, result.Subject{Library: subject.Harness, Version: "1", CallPath: p.Name}})
		}
		return b
	}
	if err := a.open(&b, judge); err != nil {
		b.Libraries = []result.Library{{Library: a.Library, CallPath: call.Purego.Name, Path: a.Path,
			Missing: err.Error(), Cause: reason.Of(err)}}
	}
	b.Providers = bench.OnEveryCPU(b.Providers)
	return b
}

// open offers a library by every path. A PKCS#11 module is called by cgo alone, as Go programs do.
func (a Asked) open(b *worker.Bench, v provider.Vectors) error {
	i := slices.Index(Names(), a.Library)
	if i < 0 && a.Library != subject.PKCS11 {
		return reason.New("no-library", a.Library)
	}
	o, err := object.Open(a.Path)
	if err != nil {
		return err
	}
	offer := func(p provider.Provider, lacks []string) {
		s := p.Subject()
		b.Providers = append(b.Providers, p)
		b.Libraries = append(b.Libraries, result.Library{Library: s.Library, Version: s.Version, CallPath: s.CallPath,
			Path: o.Path, SHA256: o.SHA256, Lacks: strings.Join(lacks, " ")})
	}
	if a.Library == subject.PKCS11 {
		p, err := pkcs11.Open(o, a.Access, v)
		if err == nil {
			offer(p, nil)
		}
		return err
	}
	lib, err := openers[i].open(o, v)
	if err != nil {
		return err
	}
	version := lib.Version()
	if a.Twin > 1 {
		version = fmt.Sprintf("%s#%d", version, a.Twin)
	}
	for _, p := range call.Paths() {
		s := result.Subject{Library: a.Library, Version: version, CallPath: p.Name}
		ways := lib.On(p, s)
		offer(ways[0], lib.Lacks())
		b.Providers = append(b.Providers, ways[1:]...)
	}
	return nil
}

// Crossing is the case of an empty call.
var Crossing = result.Case{Algorithm: algorithm.Empty, Mode: algorithm.Crossing, Operation: algorithm.Call}

// crossing is a provider of calls that do nothing: what it takes is what a path takes.
type crossing struct {
	path    call.Path
	subject result.Subject
}

func (x crossing) Subject() result.Subject { return x.subject }

func (x crossing) Open(c result.Case) (provider.Operation, error) {
	if c != Crossing {
		return nil, provider.Absent("not-offered", subject.Harness, c.Name()+" "+c.Operation)
	}
	nothing, err := call.Nothing()
	if err != nil {
		return nil, err
	}
	return calling(x.path, call.Program{nothing})
}

// calling is the operation of an empty call. Check demands its result, and forgets it.
func calling(path call.Path, empty call.Program) (provider.Operation, error) {
	return loop.NewForeign(loop.Foreign{
		Run: func(n int) error { return path.Run(empty, n) },
		Accept: func([]byte) error {
			got := int32(empty[0].Result)
			if empty[0].Result = 0; got != 1 {
				return reason.New("not-called")
			}
			return nil
		},
	})
}

func (crossing) Implementation(result.Case) string { return "" }

func (crossing) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("unknown", "no-secret-involved")
}

func (crossing) Note(result.Case) string { return "abs of the C library, called with -1" }
