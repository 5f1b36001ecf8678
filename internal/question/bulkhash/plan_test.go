package bulkhash

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

var (
	md5simd = result.Subject{Library: "md5-simd", Version: "v1.1.2", CallPath: "go"}
	blake3  = result.Subject{Library: "blake3", Version: "v0.2.4", CallPath: "go"}
	ourHash = result.Subject{Library: "cryptogauge", Version: "devel", Implementation: "avx512", CallPath: "go"}
)

// bulkOffers are what the libraries offer of it.
func bulkOffers() (o plan.Offers) {
	for _, s := range []result.Subject{plantest.GoLibrary, plantest.GMSM, md5simd, blake3, ourHash} {
		for _, c := range bulkCases() {
			way := parameter.Way.In(c.Parameters)
			has := false
			switch s {
			case plantest.GoLibrary:
				has = c.Algorithm == "MD5" && way != parameter.Lanes || c.Algorithm == "SHA-256" && way == parameter.Sum || c.Operation == algorithm.Start
			case plantest.GMSM:
				has = c.Algorithm == "SM3" && way == parameter.Sum
			case md5simd:
				has = c.Algorithm == "MD5" && way == parameter.Counter
			case blake3:
				has = c.Algorithm == "BLAKE3" && way == parameter.Sum
			case ourHash:
				has = c.Algorithm != "BLAKE3" && way == parameter.Lanes || c.Algorithm == "MD5" && (way == parameter.Split || way == parameter.Counter)
			}
			if has {
				o = append(o, plan.Offer{Subject: s, Case: c, Loop: "bulk-hash"})
			}
		}
	}
	return o
}

// TestBulkPlansForAnyMachine: on any number of CPUs no trial is planned twice, no pair
// is compared twice, and the blocks carry the comparisons.
func TestBulkPlansForAnyMachine(t *testing.T) {
	for _, cpus := range []int{1, 2, 3, 4, 8, 16, 64, 192} {
		for _, s := range []plan.Selection{{}, {Short: true}, {Sizes: []int64{1, 100, 5000}}, {Messages: 5, Sizes: []int64{64}}, {Algorithms: []string{"MD5"}}, {Chunks: []int64{5000}}} {
			groups := planBulk(Experiment().Narrowed(s, bulkOffers()), cpus)
			planned := map[result.Trial]bool{}
			for _, g := range groups {
				pairs := map[[2]int]bool{}
				for _, trial := range g.Trials {
					if planned[trial.Trial] {
						t.Errorf("%d CPUs, %+v: %s is planned twice", cpus, s, trial.ID())
					}
					planned[trial.Trial] = true
				}
				for _, p := range g.Pairs {
					if pairs[[2]int{p.Base, p.Other}] {
						t.Errorf("%d CPUs, %+v: %s is compared twice with %s", cpus, s, g.Trials[p.Other].ID(), g.Trials[p.Base].ID())
					}
					pairs[[2]int{p.Base, p.Other}] = true
				}
			}
			if n := plantest.Headlines(groups); n == 0 || stat.MinBlocks(stat.FamilyLevel(n)) > Experiment().Form(s).Config.Blocks {
				t.Errorf("%d CPUs, %+v: %d headline comparisons", cpus, s, n)
			}
		}
	}
}

// TestBulkShortIsShort: the short form fits into its four seconds, and is a part of
// what the full one asks.
func TestBulkShortIsShort(t *testing.T) {
	c := Experiment().Short.Config
	short := plan.Plan{Groups: planBulk(Experiment().Narrowed(plan.Selection{Short: true}, bulkOffers()), 2)}
	if took := c.Duration(short); took > 4*time.Second {
		t.Errorf("it takes about %v", took)
	}
	what := func(s plan.Selection) (names []string) {
		for _, g := range planBulk(Experiment().Narrowed(s, bulkOffers()), 2) {
			for _, p := range g.Pairs {
				name := func(i int) string {
					c := g.Trials[i].Case
					return g.Trials[i].Subject.Library + " " + c.Algorithm + " " + c.Parameter("way") + c.Parameter("batch") + c.Parameter("workers")
				}
				if p.Headline {
					names = append(names, name(p.Base)+" ~ "+name(p.Other))
				}
			}
		}
		return names
	}
	full := what(plan.Selection{})
	for _, name := range what(plan.Selection{Short: true}) {
		if !slices.Contains(full, name) {
			t.Errorf("the short form stands on %s, and the full one does not", name)
		}
	}
}

// TestGoroutinesHaveProcessesOfTheirOwn: what the runtime keeps of a million of them
// would lie under everything that its worker measures later.
func TestGoroutinesHaveProcessesOfTheirOwn(t *testing.T) {
	users := map[plan.WorkerKey]int{}
	for _, g := range planBulk(Experiment().Narrowed(plan.Selection{}, bulkOffers()), 2) {
		for _, trial := range g.Trials {
			users[trial.Worker()]++
		}
	}
	counts := 0
	for _, g := range planBulk(Experiment().Narrowed(plan.Selection{}, bulkOffers()), 2) {
		for _, trial := range g.Trials {
			if trial.Case.Operation != algorithm.Start {
				continue
			}
			counts++
			if users[trial.Worker()] != 1 || trial.Blocks != plan.EnoughBlocks {
				t.Errorf("%s shares its worker with %d others, in %d blocks", trial.ID(), users[trial.Worker()]-1, trial.Blocks)
			}
		}
	}
	if counts != len(crowds) {
		t.Errorf("%d numbers of goroutines", counts)
	}
}

func TestMessagesOf(t *testing.T) {
	for _, test := range []struct {
		s    plan.Selection
		size int64
		want int64
	}{
		{plan.Selection{}, 64, 100_000}, {plan.Selection{}, 1 << 10, 32 << 10}, {plan.Selection{}, 64 << 10, 512}, {plan.Selection{}, 1 << 20, 32}, {plan.Selection{}, 1 << 30, 1},
		{plan.Selection{Short: true}, 64, 10_000}, {plan.Selection{Short: true}, 1 << 20, 4},
		{plan.Selection{Messages: 1_000_000}, 64, 1_000_000}, {plan.Selection{Messages: 1_000_000}, 1 << 10, 1_000_000}, {plan.Selection{Messages: 1_000_000}, 64 << 10, 512},
		{plan.Selection{Messages: 10}, 1 << 20, 10}, {plan.Selection{Messages: 10_000_000}, 1 << 10, 1 << 20},
		{plan.Selection{Messages: 5000, Sizes: []int64{64 << 10}}, 64 << 10, 5000},
	} {
		if got := messagesOf(test.s, test.size); got != test.want {
			t.Errorf("%+v of %d bytes: %d messages, want %d", test.s, test.size, got, test.want)
		}
	}
}

func TestParseMessages(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "1000000": 1_000_000, "10000000": 10_000_000} {
		if got, err := ParseMessages(text); err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "10000001", "1e6", "1,000", "99999999999999999999", "many"} {
		if _, err := ParseMessages(text); err == nil || !strings.Contains(err.Error(), "give a whole number from 1 to 10000000") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := MessagesFit((plan.Selection{Messages: 1_000_000, Sizes: []int64{64, 1 << 10}})); err != nil {
		t.Error(err)
	}
	if err := MessagesFit((plan.Selection{Messages: 1_000_000, Sizes: []int64{64, 2 << 10}})); err == nil || !strings.Contains(err.Error(), "give 524288 or fewer") {
		t.Errorf("%v", err)
	}
}
