package suite

import (
	"crypto/aes"
	"crypto/cipher"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// allocating is Go's AES-GCM, but that it makes memory for its output whatever
// buffer it is given.
type allocating struct{ vectors provider.Vectors }

func (allocating) Subject() result.Subject {
	return result.Subject{Library: "allocating", Version: "planted", CallPath: "go"}
}

func (allocating) Open(result.Case) (provider.Operation, error) {
	return nil, provider.Absent("foreign", "this plant has the gc scenario alone")
}

func (p allocating) OpenScenario(c result.Case) (provider.Scenario, error) {
	if _, _, ok := provider.BuffersOf(c); !ok || c.Algorithm != "AES-256" {
		return nil, provider.Absent("foreign", "this plant has the gc scenario of AES-256 alone")
	}
	v, err := p.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	b, err := aes.NewCipher(v.Key)
	if err != nil {
		return nil, err
	}
	a, err := cipher.NewGCM(b)
	if err != nil {
		return nil, err
	}
	return loop.SealGC(c, leaving{a}, v)
}

type leaving struct{ cipher.AEAD }

func (l leaving) Seal(dst, nonce, plaintext, aad []byte) []byte {
	return append(dst, l.AEAD.Seal(nil, nonce, plaintext, aad)...)
}

// TestPlantedAllocation runs gc without live heaps, in real workers: an allocation
// that its caller can't see shows, and its absence does.
func TestPlantedAllocation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	t.Parallel()
	es, err := question.Find([]string{"gc"})
	if err != nil {
		t.Fatal(err)
	}
	whole := es[0].Make
	es[0].Make = func(n plan.Narrowed) []plan.Group {
		return slices.DeleteFunc(whole(n), func(g plan.Group) bool { return g.Trials[0].Case.Parameter("heap") != "0" })
	}
	cfg := tiny(nil, "go", "allocating")
	cfg.Name, cfg.Experiments = "gc", es
	cfg.Selection = plan.Selection{Algorithms: []string{"AES-256"}, Libraries: []string{"go", "allocating"}, Sizes: []int64{4096}}
	cfg.Command = func(k plan.WorkerKey) worker.Command {
		env := append(os.Environ(), roleVariable+"=worker")
		return worker.Command{Path: os.Args[0], Env: append(env, strings.Fields(k.Environment)...)}
	}
	run, _ := measured(t, cfg)
	seen := 0
	for _, rec := range run.Records {
		info := run.Trials[rec.Trial]
		if info.Clock != result.ProcessClock || len(run.Statuses) != 0 {
			t.Errorf("%s is on the %q clock; %+v", info.ID(), info.Clock, run.Statuses)
		}
		objects := -1.0
		for _, m := range rec.Metrics {
			if m.Name == "alloc_objects_per_call" {
				objects = m.Value
			}
		}
		least, most := 0.0, 0.1
		switch buffers := info.Case.Parameter("buffers"); {
		case buffers == "fresh":
			least, most = 2, 3.1
		case info.Subject.Library == "allocating":
			least, most = 1, 1.1
		}
		if info.Case.Parameter("buffers") == "pool" {
			most++ // under the race detector a pool drops a quarter of what is put into it
		}
		const miscounted = 0.01 // of thousands of calls the runtime may count an object late
		if objects < least-miscounted || objects > most {
			t.Errorf("%s leaves %v objects a call, want %v to %v", info.ID(), objects, least, most)
		}
		seen++
	}
	if seen != 18 { // two libraries, three ways to have buffers, three GOGCs
		t.Errorf("%d records", seen)
	}
}
