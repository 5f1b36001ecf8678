package concurrency

import (
	"slices"
	"strconv"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

var ours = result.Subject{Library: "cryptogauge", Version: "devel", Implementation: "gfni", CallPath: "go"}

// concurrencyOffers are what the libraries offer to many goroutines.
func concurrencyOffers() plan.Offers {
	o := plantest.Offered(Experiment())
	for _, c := range concurrencyCases() {
		if c.Algorithm == "SM4" {
			o = append(o, plan.Offer{Subject: ours, Case: c})
		}
	}
	return slices.DeleteFunc(o, func(f plan.Offer) bool { return f.Subject.Library == "tjfoc" && f.Case.Operation == algorithm.Arrival })
}

// TestConcurrencyPlansForAnyMachine: on any number of CPUs the forms hold what the
// answers need, and the blocks carry their comparisons.
func TestConcurrencyPlansForAnyMachine(t *testing.T) {
	for _, cpus := range []int{1, 2, 3, 4, 8, 48, 64, 192} {
		for _, short := range []bool{true, false} {
			s := plan.Selection{Short: short}
			groups := planConcurrency(Experiment().Narrowed(s, concurrencyOffers()), cpus)
			planned := map[result.Trial]bool{}
			for _, g := range groups {
				for _, trial := range g.Trials {
					if planned[trial.Trial] {
						t.Errorf("%d CPUs: %s is planned twice", cpus, trial.ID())
					}
					planned[trial.Trial] = true
				}
			}
			form := Experiment().Form(s)
			if n := plantest.Headlines(groups); n == 0 || stat.MinBlocks(stat.FamilyLevel(n)) > form.Config.Blocks {
				t.Errorf("%d CPUs: %d headline comparisons over %d blocks", cpus, n, form.Config.Blocks)
			}
			for _, s := range []result.Subject{plantest.GoLibrary, plantest.GMSM} {
				c := result.Case{Algorithm: "AES-256", Mode: "GCM", Bytes: 1 << 10}
				if s == plantest.GMSM {
					c.Algorithm = "SM4"
				}
				for _, n := range []int{1, 2, cpus, plan.MostGoroutines(cpus)} {
					trial := result.Trial{Subject: s, Case: byGoroutines(c, n, parameter.Shared, requestOf(s, c))}
					if !planned[trial] {
						t.Errorf("%d CPUs, short %v: %s is not planned", cpus, short, trial.ID())
					}
				}
				for _, how := range parameter.Holding.Words {
					trial := result.Trial{Subject: s, Case: byGoroutines(c, 2*cpus, how, requestOf(s, c))}
					if !planned[trial] {
						t.Errorf("%d CPUs, short %v: %s is not planned", cpus, short, trial.ID())
					}
				}
			}
			empty := result.Case{Algorithm: "empty", Operation: algorithm.Arrival, Parameters: "rate=20000"}
			if !slices.ContainsFunc(groups[len(groups)-1].Trials, func(m plan.Trial) bool { return m.Case == empty }) &&
				!slices.ContainsFunc(groups, func(g plan.Group) bool {
					return slices.ContainsFunc(g.Trials, func(m plan.Trial) bool { return m.Case == empty })
				}) {
				t.Errorf("%d CPUs: the empty request has no row", cpus)
			}
		}
	}
}

// TestShortConcurrencyFits: what the short form measures fits into its four seconds.
func TestShortConcurrencyFits(t *testing.T) {
	for _, cpus := range []int{1, 2, 16} {
		groups := planConcurrency(Experiment().Narrowed(plan.Selection{Short: true}, concurrencyOffers()), cpus)
		groups = append(plan.Noise(concurrencyOffers()), groups...)
		if d := Experiment().Short.Config.Duration(plan.Plan{Groups: groups}); d.Seconds() > 4 {
			t.Errorf("%d CPUs: the short form is estimated at %s", cpus, d)
		}
	}
}

func TestGoroutineCounts(t *testing.T) {
	for cpus, want := range map[int][]int{
		1: {1, 2, 4, 8, 16, 32, 64},
		2: {1, 2, 4, 8, 16, 32, 64},
		4: {1, 2, 3, 4, 8, 16, 32, 64},
		6: {1, 2, 3, 4, 6, 8, 16, 32, 64},
	} {
		if got := goroutineCounts(cpus); !slices.Equal(got, want) {
			t.Errorf("%d CPUs: %v, want %v", cpus, got, want)
		}
	}
	for _, cpus := range []int{4, 5, 8, 96} { // enough for a scaling law
		up := 0
		for _, n := range goroutineCounts(cpus) {
			if n <= cpus {
				up++
			}
		}
		if up < stat.LeastCPUs {
			t.Errorf("%d CPUs: %d numbers of goroutines up to them", cpus, up)
		}
	}
}

func TestGoroutinesAskedFor(t *testing.T) {
	groups := planConcurrency(Experiment().Narrowed(plan.Selection{Goroutines: []int{8, 1, 8, 4}}, concurrencyOffers()), 4)
	for _, g := range groups {
		for _, trial := range g.Trials {
			n := trial.Case.Parameter("goroutines")
			if n != "" && !slices.Contains([]string{"1", "4", "8"}, n) {
				t.Errorf("%s was not asked for", trial.ID())
			}
		}
	}
	if plantest.Headlines(groups) == 0 {
		t.Error("no headline comparison")
	}
	if groups := planConcurrency(Experiment().Narrowed(plan.Selection{Goroutines: []int{3}}, concurrencyOffers()), 4); len(groups) == 0 {
		t.Error("one number of goroutines has no plan")
	}
}

// TestMixIsReplayed: every case of a run with a histogram says so, and has the bytes
// that the workers will draw.
func TestMixIsReplayed(t *testing.T) {
	s := plan.Selection{Seed: 7, Mix: []result.SizeShare{{Bytes: 64, Weight: 60}, {Bytes: 1350, Weight: 40}}}
	for _, s.Short = range []bool{true, false} {
		groups := planConcurrency(Experiment().Narrowed(s, concurrencyOffers()), 2)
		if len(groups) == 0 || plantest.Headlines(groups) == 0 {
			t.Fatal("no plan")
		}
		for _, g := range groups {
			for _, trial := range g.Trials {
				if trial.Case.Algorithm == "empty" {
					continue
				}
				n, _ := seeded.MixOf(trial.Case)
				total := 0
				for _, size := range seeded.DrawMix(7, s.Mix, n) {
					total += size
				}
				if n < fewestReplayed || int64(total) != trial.Case.Bytes || trial.Case.Parameter("request") == "" {
					t.Errorf("%s", trial.ID())
				}
			}
		}
	}
}

// TestRequestsAreWorthTheirHandOver: at the rates that the sizes stand for, each
// request takes 50 µs or more.
func TestRequestsAreWorthTheirHandOver(t *testing.T) {
	for _, x := range []struct {
		algorithm, library string
		rate               float64 // more than we have seen, B/s
	}{{"AES-256", "go", 8e9}, {"AES-128", "go", 9e9}, {"ChaCha20-Poly1305", "xcrypto", 4e9}, {"SM4", "gmsm", 2e9}, {"SM4", "cryptogauge", 4e9}, {"SM4", "tjfoc", 1e8}} {
		for _, size := range []int64{64, 1 << 10, 16 << 10, 1 << 20} {
			c := result.Case{Algorithm: x.algorithm, Bytes: size}
			request := requestOf(result.Subject{Library: x.library}, c)
			if seconds := float64(request*size) / x.rate; seconds < 50e-6 {
				t.Errorf("%s of %s: a request of %s messages of %d bytes takes %.0f µs", x.algorithm, x.library, strconv.FormatInt(request, 10), size, seconds*1e6)
			}
		}
	}
}

// TestSharedTjfocIsAnExhibit: its output is wrong, which a gate must not be held up by.
func TestSharedTjfocIsAnExhibit(t *testing.T) {
	for _, short := range []bool{true, false} {
		shown := 0
		for _, g := range planConcurrency(Experiment().Narrowed(plan.Selection{Short: short}, concurrencyOffers()), 2) {
			for _, tr := range g.Trials {
				is := tr.Subject.Library == "tjfoc" && parameter.Holding.In(tr.Case.Parameters) == parameter.Shared
				if tr.Exhibit != is {
					t.Errorf("short %v: %s: exhibit %v", short, tr.ID(), tr.Exhibit)
				}
				if is {
					shown++
				}
			}
		}
		if shown == 0 {
			t.Errorf("short %v: tjfoc's cipher is not shared", short)
		}
	}
}
