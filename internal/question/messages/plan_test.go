package messages

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// messageOffers are those of the established libraries, and the engine's two kernels.
func messageOffers() (o plan.Offers) {
	engine := result.Subject{Library: "cryptogauge", Version: "v0", Implementation: "wide", CallPath: "go"}
	narrow := engine
	narrow.Implementation = "narrow"
	for _, s := range []result.Subject{plantest.GoLibrary, plantest.XCrypto, plantest.GMSM, plantest.TJFOC, engine, narrow} {
		for _, c := range Experiment().Cases {
			switch {
			case s == plantest.GoLibrary && c.Algorithm == algorithm.Random:
			case s == plantest.GoLibrary && !strings.HasPrefix(c.Algorithm, "AES"),
				s == plantest.XCrypto && c.Algorithm != "ChaCha20-Poly1305",
				s != plantest.GoLibrary && s != plantest.XCrypto && c.Algorithm != "SM4",
				c.Mode == "CCM" && (s == plantest.GoLibrary || s == plantest.TJFOC):
				continue
			}
			o = append(o, plan.Offer{Subject: s, Case: c})
		}
	}
	return o
}

// TestMessagesWithoutAES: who heeds the environment is measured with it and
// without it, the others once, and only trials of one environment are compared, but
// for what the instructions are worth.
func TestMessagesWithoutAES(t *testing.T) {
	for i, g := range Experiment().Plan(plan.Selection{}, messageOffers()) {
		count := map[string]int{}
		for _, trial := range g.Trials {
			switch trial.Subject.Environment {
			case "":
				count[trial.Subject.Library]++
			case parameter.WithoutAES:
				count[trial.Subject.Library+" without"]++
			default:
				t.Errorf("%s runs with %q", trial.ID(), trial.Subject.Environment)
			}
		}
		if i == 0 { // which has the nonce beside it
			count["go"]--
		}
		for name, want := range map[string]int{"go": 5, "go without": 4, "xcrypto": 3, "gmsm": 6, "gmsm without": 4, "tjfoc": 5, "cryptogauge": 12} {
			if count[name] != want {
				t.Errorf("%s: %d trials of %s, want %d", g.Name, count[name], name, want)
			}
		}
		for _, p := range g.Pairs {
			base, other := g.Trials[p.Base].Subject, g.Trials[p.Other].Subject
			worth := base.Library == other.Library && base.Environment == parameter.WithoutAES
			if base.Environment != other.Environment && !worth && base.Library != "xcrypto" && other.Library != "xcrypto" {
				t.Errorf("%s is compared with %s", g.Trials[p.Other].ID(), g.Trials[p.Base].ID())
			}
			renewed := g.Trials[p.Base].Case.Operation != g.Trials[p.Other].Case.Operation      // what a new key costs
			slow := g.Trials[p.Base].Case.Mode == "CCM" && g.Trials[p.Other].Case.Mode == "GCM" // which is faster at every size
			if p.Crossover == (worth && other.Environment == "" || renewed || slow) {
				t.Errorf("%s and %s: a crossover is asked for: %v", g.Trials[p.Other].ID(), g.Trials[p.Base].ID(), p.Crossover)
			}
		}
	}
}

// TestMessagesCrossover: between two sizes nothing is interpolated.
func TestMessagesCrossover(t *testing.T) {
	for _, test := range []struct {
		s    plan.Selection
		want bool
	}{
		{plan.Selection{Short: true}, false},
		{plan.Selection{Sizes: []int64{64, 1024}}, false},
		{plan.Selection{Sizes: []int64{64, 256, 1024}}, true},
		{plan.Selection{}, true},
	} {
		for _, g := range Experiment().Plan(test.s, messageOffers()) {
			if got := slices.ContainsFunc(g.Pairs, func(p result.Pair) bool { return p.Crossover }); got != test.want {
				t.Errorf("%v, %s: crossovers are asked for: %v", test.s, g.Name, got)
			}
		}
	}
}

func TestMessagesShortForm(t *testing.T) {
	groups := Experiment().Plan(plan.Selection{Short: true}, messageOffers())
	trials := 0
	for _, g := range groups {
		trials += len(g.Trials)
		if len(g.Pairs) == 0 {
			t.Errorf("%s compares nothing", g.Name)
		}
	}
	if len(groups) != 2 || trials != 12 {
		t.Errorf("the short form has %d groups of %d trials; each costs time of everybody's quick run", len(groups), trials)
	}
}

// TestMessagesShortCCM: the short form has CCM where the user names it.
func TestMessagesShortCCM(t *testing.T) {
	for _, g := range Experiment().Plan(plan.Selection{Short: true, Modes: []string{"ccm"}}, messageOffers()) {
		if !slices.ContainsFunc(g.Trials, func(t plan.Trial) bool { return t.Case.Name() == "SM4-CCM" && t.Case.Operation == "encrypt" }) {
			t.Errorf("%s: no CCM", g.Name)
		}
	}
}

// TestMessagesOfAMix: the plan states the bytes that a worker will draw, each case
// once, and one call is bounded however long the messages are.
func TestMessagesOfAMix(t *testing.T) {
	for _, test := range []struct {
		mix []result.SizeShare
		n   int
	}{
		{[]result.SizeShare{{Bytes: 64, Weight: 9}, {Bytes: 1350, Weight: 1}}, 1024},
		{[]result.SizeShare{{Bytes: 0, Weight: 1}}, 1024},
		{[]result.SizeShare{{Bytes: 4096, Weight: 1}}, 256},
		{[]result.SizeShare{{Bytes: 1 << 20, Weight: 1}}, 16},
	} {
		var bytes int64
		for _, size := range seeded.DrawMix(7, test.mix, test.n) {
			bytes += int64(size)
		}
		short := Experiment().Plan(plan.Selection{Mix: test.mix, Seed: 7, Short: true}, messageOffers())
		if n, _ := seeded.MixOf(short[0].Trials[0].Case); n != max(test.n/4, 16) || len(short) != 1 {
			t.Errorf("the short form replays %d messages a call, where the full form has %d", n, test.n)
		}
		groups := Experiment().Plan(plan.Selection{Mix: test.mix, Seed: 7}, messageOffers())
		seen := map[result.Trial]bool{}
		headline := 0
		for _, g := range groups {
			for _, p := range g.Pairs {
				if p.Headline {
					headline++
				}
				if p.Crossover {
					t.Errorf("%s: a mix has one size and no crossover", g.Name)
				}
			}
			for _, trial := range g.Trials {
				n, rest := seeded.MixOf(trial.Case)
				if n != test.n || trial.Case.Bytes != bytes || seen[trial.Trial] || (rest == parameter.PKCS7Padding) != strings.Contains(trial.Case.Mode, "HMAC") {
					t.Errorf("%s: want %d messages of %d bytes together, once", trial.ID(), test.n, bytes)
				}
				seen[trial.Trial] = true
			}
		}
		if len(seen) != 33 || headline == 0 || bytes > 16<<20 {
			t.Errorf("%d trials, %d headline comparisons, %d bytes a call", len(seen), headline, bytes)
		}
	}
}
