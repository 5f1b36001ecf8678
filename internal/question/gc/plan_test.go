package gc

import (
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
)

// offeredGC are the offers for gc: Go's for all but what is Chinese.
func offeredGC() (o plan.Offers) {
	o = plan.SelfOffers()
	for _, s := range []result.Subject{plantest.GoLibrary, plantest.GMSM, plantest.TJFOC} {
		for _, c := range Experiment().Cases {
			if chinese := strings.HasPrefix(c.Algorithm, "SM"); chinese == (s != plantest.GoLibrary) {
				o = append(o, plan.Offer{Subject: s, Case: c, Loop: "scenario"})
			}
		}
	}
	return o
}

func heapOf(c result.Case) string      { return c.Parameter("heap") }
func bufferingOf(c result.Case) string { return c.Parameter("buffers") }

// TestGCGroups: what is compared differs in nothing but its buffers, and
// the heaps of a group are one.
func TestGCGroups(t *testing.T) {
	for name, s := range plantest.Selections {
		for _, g := range planGC(Experiment().Narrowed(s, offeredGC())) {
			for _, p := range g.Pairs {
				base, other := g.Trials[p.Base], g.Trials[p.Other]
				if bufferingOf(base.Case) != "reused" {
					t.Errorf("%s: %s is a baseline", name, base.ID())
				}
				base.Case.Parameters = other.Case.Parameters
				if base.Trial != other.Trial {
					t.Errorf("%s: %s is compared with %s", name, other.ID(), base.ID())
				}
				if p.Headline && (base.Blocks != 0 || other.Blocks != 0) {
					t.Errorf("%s: %s is not measured in all blocks, and decides", name, base.ID())
				}
			}
			for _, trial := range g.Trials {
				first := g.Trials[0]
				if heapOf(trial.Case) != heapOf(first.Case) || trial.Subject.Environment != first.Subject.Environment ||
					heapOf(trial.Case) != "0" && trial.Worker() != first.Worker() {
					t.Errorf("%s: %s stands beside %s: their heaps are in memory at once", name, trial.ID(), first.ID())
				}
				if trial.Window <= 0 || trial.Window > 4*time.Second || !strings.HasPrefix(trial.Subject.Environment, "GOGC=") {
					t.Errorf("%s: %s has a window of %v", name, trial.ID(), trial.Window)
				}
			}
		}
	}
}

// TestGCSurroundings: the full form has every heap and GOGC, and never a
// large heap that grows to five times its size.
func TestGCSurroundings(t *testing.T) {
	seen := map[string]int{}
	for _, g := range planGC(Experiment().Narrowed(plan.Selection{}, offeredGC())) {
		for _, trial := range g.Trials {
			if c := trial.Case; c.Algorithm == "AES-256" && bufferingOf(c) == "fresh" && c.Bytes == 16<<10 {
				seen[heapOf(c)+" "+trial.Subject.Environment]++
			}
		}
	}
	for _, want := range []string{"0 GOGC=50", "0 GOGC=100", "0 GOGC=400", "268435456 GOGC=50", "268435456 GOGC=100", "268435456 GOGC=400", "1073741824 GOGC=100"} {
		if seen[want] != 1 {
			t.Errorf("%s is measured %d times", want, seen[want])
		}
		delete(seen, want)
	}
	if len(seen) > 0 {
		t.Errorf("besides these: %v", seen)
	}
}

// TestGCAsksEveryLibrary in the full form, and the first in the short.
func TestGCAsksEveryLibrary(t *testing.T) {
	for _, short := range []bool{false, true} {
		asked := map[string]bool{}
		for _, g := range planGC(Experiment().Narrowed(plan.Selection{Short: short}, offeredGC())) {
			for _, trial := range g.Trials {
				asked[trial.Case.Name()+" "+trial.Case.Operation+" "+trial.Subject.Library] = true
			}
		}
		want := []string{"AES-256-GCM encrypt go", "RSA-2048-PSS-SHA-256 sign go", "SM2 sign gmsm"}
		if !short {
			want = append(want, "SM4-GCM encrypt gmsm", "SM4-GCM encrypt tjfoc", "RSA-2048-OAEP-SHA-256 decrypt go", "ECDSA-P-256 sign go",
				"SM2 sign tjfoc", "ECDH-P-256 agree go", "X25519 agree go")
		}
		for _, w := range want {
			if !asked[w] {
				t.Errorf("short %v: %s is not asked", short, w)
			}
			delete(asked, w)
		}
		if len(asked) > 0 {
			t.Errorf("short %v: %v besides", short, asked)
		}
	}
	if e := Experiment(); e.Short.Config.Duration(planOfShort(e)) > 3*time.Second {
		t.Errorf("the short form takes %v", e.Short.Config.Duration(planOfShort(e)))
	}
}

func planOfShort(e plan.Experiment) plan.Plan {
	return plan.Plan{Groups: e.Plan(plan.Selection{Short: true}, offeredGC())}
}
