package question

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// recorded are the offers of a machine that has every library, in the subjects' order, and
// all cases that anybody was asked for.
func recorded(t *testing.T) (offers plan.Offers, cases []result.Case) {
	t.Helper()
	text, err := os.ReadFile("testdata/offers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var subjects [][]string
	var by []string // letters of the subjects that offer a case
	for line := range strings.Lines(string(text)) {
		switch f := strings.Split(strings.TrimSuffix(line, "\n"), "|"); {
		case len(f) == 1: // a comment
		case len(f[0]) == 1:
			subjects = append(subjects, f)
		default:
			cases = append(cases, result.Case{Algorithm: f[0], Mode: f[1], Operation: f[2], Parameters: f[3]})
			by = append(by, f[4])
		}
	}
	for _, f := range subjects {
		s := result.Subject{Library: f[1], Version: f[2], Implementation: f[3], CallPath: f[4]}
		for i, c := range cases {
			if strings.Contains(by[i], f[0]) {
				offers = append(offers, plan.Offer{Subject: s, Case: c})
			}
		}
	}
	return append(offers, plan.SelfOffers()...), cases
}

// onTwoCPUs makes the plans of a machine with two.
func onTwoCPUs(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

func planned(e plan.Experiment, s plan.Selection, offers plan.Offers) []plan.Group {
	return append(plan.Noise(offers), e.Plan(s, e.Asked(s, offers))...)
}

// TestFormsEndInTime: on a machine with every library and two CPUs the short forms of twenty questions share
// a minute, with a tenth of it to spare for looking up what the libraries offer; a full form takes six minutes at
// most, and twenty of them 46, as a run of all of them leaves next to nothing out. A further question has their mean.
func TestFormsEndInTime(t *testing.T) {
	onTwoCPUs(t)
	offers, _ := recorded(t)
	for _, form := range []struct {
		name      string
		s         plan.Selection
		each, all time.Duration // all: as a mean
	}{
		{"short", plan.Selection{Short: true}, 10 * time.Second, 2700 * time.Millisecond},
		{"full", plan.Selection{}, 6 * time.Minute, 138 * time.Second},
	} {
		var all time.Duration
		for _, e := range All() {
			c, p := e.Form(form.s).Config, plan.Plan{Groups: planned(e, form.s, offers)}
			took := c.Duration(p)
			all += took
			t.Logf("%-5s %-12s %4d trials, %2d × %d of %5v: %6.1f s", form.name, e.Name, p.Trials(), c.Blocks, c.Rounds, c.Target, took.Seconds())
			if took > form.each {
				t.Errorf("the %s form of %s takes %v, %v at most", form.name, e.Name, took, form.each)
			}
			if c.Budget != 0 {
				t.Errorf("the %s form of %s is cut at %v", form.name, e.Name, c.Budget)
			}
			if n := plantest.Headlines(p.Groups); stat.MinBlocks(stat.FamilyLevel(n)) > c.Blocks {
				t.Errorf("the %s form of %s has %d blocks for %d headline comparisons", form.name, e.Name, c.Blocks, n)
			}
		}
		most := form.all * time.Duration(len(All()))
		if t.Logf("%s: %v", form.name, all); all > most {
			t.Errorf("the %s forms take %v, %v at most", form.name, all, most)
		}
	}
}

// TestHeadlinesAreMeasuredInEveryBlock: fewer blocks are for what no answer stands on.
func TestHeadlinesAreMeasuredInEveryBlock(t *testing.T) {
	offers, _ := recorded(t)
	for _, e := range All() {
		for _, s := range []plan.Selection{{Short: true}, {}} {
			for _, g := range planned(e, s, offers) {
				for _, p := range g.Pairs {
					for _, i := range []int{p.Base, p.Other} {
						if trial := g.Trials[i]; p.Headline && trial.Blocks != 0 {
							t.Errorf("%s: a headline stands on %s, which is measured in %d blocks", e.Name, trial.ID(), trial.Blocks)
						}
					}
				}
			}
		}
	}
}

// TestTrendsHaveSizesEnough: what is fitted over sizes, and where one cipher overtakes
// another, takes three of them.
func TestTrendsHaveSizesEnough(t *testing.T) {
	offers, _ := recorded(t)
	for _, e := range All() {
		sizes, crossed := map[result.Trial][]int64{}, map[[2]result.Trial][]int64{}
		unsized := func(t result.Trial) result.Trial { t.Case.Bytes = 0; return t }
		for _, g := range planned(e, plan.Selection{}, offers) {
			for _, trial := range g.Trials {
				if g.Kind != "" || trial.Case.Parameter("way") != "" {
					continue // fitted over its calls too: see FitCost
				}
				at := unsized(trial.Trial)
				sizes[at] = append(sizes[at], trial.Case.Bytes)
			}
			for _, p := range g.Pairs {
				base, other := g.Trials[p.Base].Trial, g.Trials[p.Other].Trial
				if pair := [2]result.Trial{unsized(base), unsized(other)}; p.Crossover || p.Within > 0 {
					crossed[pair] = append(crossed[pair], base.Case.Bytes)
				}
			}
		}
		for pair, of := range crossed {
			if len(of) < plan.LeastCrossed {
				t.Errorf("%s looks for the size at which %s overtakes %s among %d", e.Name, pair[1].ID(), pair[0].ID(), len(of))
			}
		}
		for trial, of := range sizes {
			if len(e.Full.Sizes) >= plan.LeastCrossed && len(of) == 2 {
				t.Errorf("%s has two sizes of %s, of which nothing can be fitted", e.Name, trial.ID())
			}
		}
	}
}

// TestOffersAreRecorded: a new case has a line in the record of what libraries offer.
func TestOffersAreRecorded(t *testing.T) {
	_, cases := recorded(t)
	for _, e := range All() {
		for _, c := range e.Cases {
			if !slices.Contains(cases, c) {
				t.Errorf("testdata/offers.txt lacks %s|%s|%s|%s, of %s", c.Algorithm, c.Mode, c.Operation, c.Parameters, e.Name)
			}
		}
	}
}
