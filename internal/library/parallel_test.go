package library

import (
	"runtime"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// parallel are the cases of many goroutines in which a library holds its cipher so.
func parallel(algorithm, mode string, goroutines int, holdings ...parameter.Hold) (cs []result.Case) {
	for _, h := range holdings {
		cs = append(cs, providertest.Sizes(result.Case{Algorithm: algorithm, Mode: mode, Operation: "encrypt",
			Parameters: parameter.Join(parameter.Goroutines.Is(goroutines), parameter.Holding.Is(h), parameter.Request.Is(4))}, 0, 1, 64, 1024)...)
	}
	return cs
}

// TestParallelConformance: whoever holds a cipher as the library allows gets right
// outputs from many goroutines, and a wrong one would be found.
func TestParallelConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	all := parameter.Holding.Words
	for _, test := range []struct {
		i               int
		algorithm, mode string
		holdings        []parameter.Hold
	}{
		{0, "AES-128", "GCM", all}, {0, "AES-256", "GCM", all}, {1, "ChaCha20-Poly1305", "", all}, {2, "SM4", "GCM", all},
		{3, "SM4", "GCM", []parameter.Hold{parameter.Own, parameter.PerCall, parameter.Pooled}}, {established, "SM4", "GCM", all},
	} {
		open, judge := library(test.i), judge.New(provider.Setting{Seed: 1})
		for _, goroutines := range []int{1, 5} {
			cs := parallel(test.algorithm, test.mode, goroutines, test.holdings...)
			for _, c := range cs {
				if err := providertest.Verify(open(judge), c); err != nil {
					t.Errorf("%s %s %s of %d bytes: %v", open(judge).Subject().Library, c.Name(), c.Parameters, c.Bytes, err)
				}
				if c.Bytes > 0 {
					if err := providertest.Sensitive(open, judge, c); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
}

// TestSharedTjfocIsWrong: the block cipher of tjfoc keeps its working state in the
// cipher, so one that two goroutines share gives wrong outputs.
func TestSharedTjfocIsWrong(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("on one CPU goroutines hardly ever meet inside a call")
	}
	judge := judge.New(provider.Setting{Seed: 1})
	for _, c := range parallel("SM4", "GCM", 4, parameter.Shared) {
		if c.Bytes != 1024 {
			continue
		}
		op, err := provider.Prepare(library(3)(judge), c)
		if err != nil {
			t.Fatal(err)
		}
		defer op.Close()
		for range 200 { // on a busy machine they may not meet at once
			if err = op.Run(64); err == nil {
				err = op.Check()
			}
			if err != nil {
				break
			}
		}
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("shared by four goroutines: %v", err)
		}
		t.Log(err)
	}
}

// TestOneMessageForAll: however many ask for it, the reference computes a message
// once, and its digest is known for all.
func TestOneMessageForAll(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	plain := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 64}
	v, err := judge.Vector(plain)
	if err != nil {
		t.Fatal(err)
	}
	many := parallel("SM4", "GCM", 4, parameter.Shared)[2]
	rate := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: algorithm.Arrival, Bytes: 64, Parameters: "load=80,request=4"}
	for _, c := range []result.Case{many, rate} {
		if same, err := judge.Vector(c); err != nil || same != v {
			t.Errorf("%s %s has a message of its own: %v", c.Operation, c.Parameters, err)
		}
		if d, ok := judge.Digest(c); !ok || d == "" {
			t.Errorf("%s %s has no digest", c.Operation, c.Parameters)
		}
	}
}

// TestParallelMix: goroutines replay the run's mix, each message judged.
func TestParallelMix(t *testing.T) {
	setting := provider.Setting{Seed: 1, Mix: []result.SizeShare{{Bytes: 64, Weight: 6}, {Bytes: 1350, Weight: 3}, {Bytes: 0, Weight: 1}}}
	total := 0
	for _, n := range seeded.DrawMix(setting.Seed, setting.Mix, 10) {
		total += n
	}
	open, judge := library(2), judge.New(setting)
	for _, holding := range parameter.Holding.Words {
		c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: int64(total),
			Parameters: seeded.MixParameters(parameter.Join(parameter.Goroutines.Is(3), parameter.Holding.Is(holding), parameter.Request.Is(2)), 10)}
		if err := providertest.Verify(open(judge), c); err != nil {
			t.Errorf("%s: %v", holding, err)
		}
		if err := providertest.Sensitive(open, judge, c); err != nil {
			t.Error(err)
		}
	}
}

// TestArrivalIsOffered, as a scenario and not as an operation, by whose cipher may
// be shared.
func TestArrivalIsOffered(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for i, p := range append(withCiphers(judge), Harness(judge)...) {
		for _, c := range []result.Case{
			{Algorithm: "AES-256", Mode: "GCM", Bytes: 64}, {Algorithm: "ChaCha20-Poly1305", Bytes: 64}, {Algorithm: "SM4", Mode: "GCM", Bytes: 64},
			{Algorithm: "empty"},
		} {
			c.Operation, c.Parameters = algorithm.Arrival, "load=80,request=4"
			if c.Algorithm == "empty" {
				c.Parameters = "rate=20000"
			}
			s, err := provider.PrepareScenario(p, c)
			l := p.Subject().Library
			want := l == "go" && c.Algorithm == "AES-256" || l == "xcrypto" && c.Mode == "" && c.Algorithm != "empty" ||
				(l == "gmsm" || l == "cryptogauge") && c.Algorithm == "SM4" || l == "harness" && c.Algorithm == "empty"
			if (err == nil) != want {
				t.Errorf("%d %s: %s: %v, want it opened: %v", i, l, c.Name(), err, want)
			}
			if err == nil {
				s.Close()
			}
		}
	}
}
