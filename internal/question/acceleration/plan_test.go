package acceleration

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

// native are the subjects of a library behind the boundary.
func native(library, version string) (s []result.Subject) {
	for _, path := range []string{"cgo", "purego", subject.CLoop} {
		s = append(s, result.Subject{Library: library, Version: version, CallPath: path})
	}
	return s
}

// everywhere offers the cases of the experiment in libraries of all kinds.
func everywhere() (o plan.Offers) {
	o = plantest.Offered(Experiment())
	beyond := slices.Concat(native("openssl", "3.0.19"), native("openssl", "3.5.1"), native("botan", "2.19.3"), native("botan", "3.1.1"),
		[]result.Subject{{Library: "botan", Version: "2.19.3", Implementation: "ctr-bypass", CallPath: "c-loop"}, {Library: "libgcrypt", CallPath: "purego"}})
	for _, s := range beyond {
		for _, c := range Experiment().Cases {
			o = append(o, plan.Offer{Subject: s, Case: c, Loop: "foreign"})
		}
	}
	return o
}

// environments are those that a library's version runs a case in, at a size.
func environments(groups []plan.Group, library, version string, c result.Case) (found []string) {
	for _, g := range groups {
		for _, t := range g.Trials {
			if t.Subject.Library == library && t.Subject.Version == version && t.Case == c {
				found = append(found, t.Subject.Environment)
			}
		}
	}
	return found
}

func TestAccelerationTriesEverySwitch(t *testing.T) {
	groups := planAcceleration(Experiment().Narrowed(plan.Selection{}, everywhere()), "amd64")
	gcm := plan.Of("AES-128", "GCM", algorithm.Encrypt)
	gcm.Bytes = usualSize
	for _, test := range []struct {
		library, version string
		want             int
	}{
		{"go", "go1.26", 8}, {"openssl", "3.0.19", 9}, {"openssl", "3.5.1", 9}, {"botan", "3.1.1", 9},
		{"botan", "2.19.3", 1}, // as it is: it has no switch
		{"libgcrypt", "", 1},   // not there: one row says so
	} {
		got := environments(groups, test.library, test.version, gcm)
		want := []string{""}
		if test.version != "" {
			for _, s := range switches.Of(test.library, test.version, "amd64") {
				want = append(want, s.Environment)
			}
		}
		if !slices.Equal(got, want) || len(got) != test.want {
			t.Errorf("%s %s runs in %q", test.library, test.version, got)
		}
	}
	for _, g := range groups {
		for _, x := range g.Trials {
			if s := x.Subject; (s.Library == "openssl" || s.Library == "botan") && (s.CallPath != subject.CLoop || s.Implementation != "") {
				t.Errorf("%s: it is the library that is asked about, as it runs by itself", x.ID())
			}
		}
	}
}

// TestAccelerationComparesWithItself: of each pair the base lacks a feature that the
// other has, and nothing else is different.
func TestAccelerationComparesWithItself(t *testing.T) {
	decisive := map[result.Case][]switches.Feature{}
	for _, a := range accelerated {
		decisive[a.Case] = a.decisive
	}
	headlines := 0
	for _, g := range planAcceleration(Experiment().Narrowed(plan.Selection{}, everywhere()), "amd64") {
		for _, p := range g.Pairs {
			base, other := g.Trials[p.Base].Trial, g.Trials[p.Other].Trial
			feature, ok := switches.FeatureOf(base.Subject.Library, base.Subject.Environment)
			base.Subject.Environment = ""
			if !ok || base != other {
				t.Errorf("%s is compared with %s", g.Trials[p.Other].ID(), g.Trials[p.Base].ID())
			}
			if !p.Headline {
				continue
			}
			headlines++
			bare := base.Case
			bare.Bytes = 0
			if base.Case.Bytes != usualSize || !slices.Contains(decisive[bare], feature) {
				t.Errorf("%s without %s is a headline", base.ID(), feature)
			}
		}
	}
	if headlines == 0 || headlines > 36 {
		t.Errorf("%d headline comparisons", headlines)
	}
}

// TestShortAcceleration: a handful of cells, and as few workers.
func TestShortAcceleration(t *testing.T) {
	groups := planAcceleration(Experiment().Narrowed(plan.Selection{Short: true}, everywhere()), "amd64")
	workers := map[plan.WorkerKey]bool{}
	trials := 0
	for _, g := range groups {
		for _, x := range g.Trials {
			workers[x.Worker()] = true
			trials++
			if !slices.Contains(shortLibraries, x.Subject.Library) {
				t.Errorf("%s", x.ID())
			}
		}
		for _, p := range g.Pairs {
			if !p.Headline {
				t.Errorf("%s: the short form measures what its answer needs", g.Trials[p.Base].ID())
			}
		}
	}
	if len(workers) != 12 || trials != 15 { // go and two versions of OpenSSL, with three switches
		t.Errorf("%d trials in %d workers", trials, len(workers))
	}
	if arm := planAcceleration(Experiment().Narrowed(plan.Selection{Short: true}, everywhere()), "arm64"); !slices.ContainsFunc(arm, func(g plan.Group) bool {
		return slices.ContainsFunc(g.Trials, func(x plan.Trial) bool { return strings.HasPrefix(x.Subject.Environment, "OPENSSL_armcap=") })
	}) {
		t.Error("on ARM, OpenSSL has other switches")
	}
}
