//go:build linux && (amd64 || arm64)

package native

import (
	"errors"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestCrossings(t *testing.T) {
	b := Asked{Library: Harness}.Bench(provider.Setting{Seed: 1})
	if len(b.Providers) != len(call.Paths()) || len(b.Libraries) != 0 {
		t.Fatalf("%d providers, %d libraries", len(b.Providers), len(b.Libraries))
	}
	for _, p := range b.Providers {
		op, err := provider.Prepare(p, Crossing)
		if err != nil {
			t.Fatal(err)
		}
		if op.Check() == nil {
			t.Error("a Check before any Run passes")
		}
		if err := op.Run(3); err != nil {
			t.Error(err)
		}
		if err := op.Check(); err != nil {
			t.Error(err)
		}
		if op.Check() == nil {
			t.Error("a second Check without a Run passes")
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
		nothing, err := call.Nothing()
		if err != nil {
			t.Fatal(err)
		}
		program := call.Program{nothing}
		if op, err = calling(call.Purego, program); err != nil || op.Run(1) != nil {
			t.Fatal(err)
		}
		program[0].Result = 7
		if op.Check() == nil {
			t.Error("a wrong result passes")
		}
		for _, c := range []result.Case{{Algorithm: "empty", Mode: "aead", Operation: "call"}, {Algorithm: "planted", Mode: "AES-128-CBC", Operation: "encrypt", Bytes: 1024, Parameters: "calls=1"}} {
			if _, err := provider.Prepare(p, c); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s %s: %v", c.Name(), c.Operation, err)
			}
		}
	}
}

// counted is a library that counts messages, by path.
type counted struct{ calls map[string]int }

func (*counted) Version() string { return "1" }
func (*counted) Lacks() []string { return nil }

func (l *counted) On(p call.Path, s result.Subject) cbinding.Described {
	return countedOn{nil, l, p.Name, s}
}

type countedOn struct {
	cbinding.Described // of which nothing is asked
	*counted
	path    string
	subject result.Subject
}

func (o countedOn) Subject() result.Subject { return o.subject }

func (o countedOn) Open(c result.Case) (provider.Operation, error) {
	if c.Parameters != "" || c.Bytes != 64 {
		return nil, provider.Absent("foreign", "only 64 bytes without parameters")
	}
	return loop.NewForeign(loop.Foreign{Blank: true, Run: func(n int) error {
		o.calls[o.path] += n
		return nil
	}})
}

// TestBatches: a batch of cgo's is so many messages of the loop in C, each of its share
// of the bytes, and no other path has one.
func TestBatches(t *testing.T) {
	l := &counted{map[string]int{}}
	c := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 64 * 10, Parameters: "batch=10"}
	for _, path := range call.Paths() {
		p := batching(l.On(path, result.Subject{Library: "counted", CallPath: path.Name}), path, l)
		op, err := p.Open(c)
		if path.Name != "cgo" {
			if !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s has batches: %v", path.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(op.Run(3), op.Check()); err != nil || l.calls["c-loop"] != 30 || l.calls["cgo"] != 0 {
			t.Errorf("%v, %v", err, l.calls)
		}
		for _, parameters := range []string{"batch=7", "batch=0", "batch=10,way=update"} {
			odd := c
			odd.Parameters = parameters
			if _, err := p.Open(odd); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s: %v", parameters, err)
			}
		}
		alone := c
		alone.Bytes, alone.Parameters = 64, ""
		if op, err = p.Open(alone); err != nil || op.Run(2) != nil || l.calls["cgo"] != 2 {
			t.Errorf("a single message: %v, %v", err, l.calls)
		}
	}
}
