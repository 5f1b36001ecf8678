//go:build linux && (amd64 || arm64)

package native

import (
	"errors"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestCrossings(t *testing.T) {
	b := Asked{Library: subject.Harness}.Bench(provider.Setting{Seed: 1})
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
