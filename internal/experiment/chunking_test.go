package experiment

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// nativeOffers are those of OpenSSL and Botan by every path, of Botan's workarounds,
// and of empty calls.
func nativeOffers(e plan.Experiment) (o plan.Offers) {
	for _, path := range []string{"cgo", "purego", "c-loop"} {
		openssl := result.Subject{Library: "openssl", Version: "3.0.19", CallPath: path}
		botan := result.Subject{Library: "botan", Version: "2.19.3", CallPath: path}
		o = append(o, plan.Offer{Subject: result.Subject{Library: plan.HarnessLibrary, Version: "1", CallPath: path}, Case: plan.Crossing})
		for _, c := range e.Cases {
			way := c.Parameter("way")
			if way != wayFinal && way != wayBlocks && (c.Parameter("batch") == "" || path == "cgo") {
				o = append(o, plan.Offer{Subject: openssl, Case: c, Loop: "foreign"})
			}
			if c.Algorithm == "SHA-256" || c.Parameter("batch") != "" {
				continue
			}
			stream := c.Mode == "CTR" || c.Mode == "OFB" || c.Algorithm == "ChaCha20"
			if way == "" || way == wayUpdate || way == wayOneshot || way == wayFinal && stream || way == wayBlocks && c.Mode == "CTR" {
				o = append(o, plan.Offer{Subject: botan, Case: c, Loop: "foreign"})
			}
			around := botan
			around.Implementation = "ctr-bypass"
			if c.Mode == "CTR" && (way == "" || way == wayUpdate) {
				o = append(o, plan.Offer{Subject: around, Case: c, Loop: "foreign"})
			}
		}
	}
	return o
}

func chunkingPlan(s plan.Selection) []plan.Group { return chunking().Plan(s, nativeOffers(chunking())) }

// TestChunkingSweeps: of each cipher of each library every way is in the plan, update
// in calls of several sizes, and neighbouring lengths through update and by a way
// beside it, all by one path that loops in C.
func TestChunkingSweeps(t *testing.T) {
	groups := chunkingPlan(plan.Selection{})
	if len(groups) != 24 { // twelve ciphers of two libraries
		t.Errorf("%d groups", len(groups))
	}
	for _, g := range groups {
		calls, steps, ways := map[string]bool{}, map[string]int{}, map[string]bool{}
		for _, trial := range g.Trials {
			way := trial.Case.Parameter("way")
			call, _ := strconv.ParseInt(trial.Case.Parameter("call"), 10, 64)
			switch {
			case trial.Subject.Implementation != "" && trial.Case.Bytes == gainAt:
			case trial.Case.Bytes < 1<<10:
				if steps[way]++; trial.Subject.CallPath != loopPath || call != trial.Case.Bytes {
					t.Errorf("%s is no step", trial.ID())
				}
			default:
				ways[way] = true
				if way == wayUpdate && trial.Subject.CallPath == "cgo" {
					calls[strconv.FormatInt(call, 10)] = true
				}
			}
		}
		if len(calls) < 4 || !ways[wayUpdate] || !ways[wayOneshot] {
			t.Errorf("%s: calls of %v, ways %v", g.Name, calls, ways)
		}
		if steps[wayUpdate] < 20 || steps[wayUpdate] != steps[wayOneshot] {
			t.Errorf("%s: %v steps", g.Name, steps)
		}
		if botanCTR := strings.HasPrefix(g.Name, "botan") && strings.HasSuffix(g.Name, "-CTR"); ways[wayBlocks] != botanCTR {
			t.Errorf("%s: ways %v", g.Name, ways)
		}
		for _, p := range g.Pairs {
			base, other := g.Trials[p.Base], g.Trials[p.Other]
			if base.Case.Parameter("way") != wayUpdate || base.Subject.Implementation != "" || base.Case.Bytes != gainAt || other.Case.Bytes != gainAt ||
				p.Headline != (other.Subject.Implementation != "" && other.Case.Parameters == "" || other.Subject.Implementation == "" && other.Case.Parameter("way") != wayUpdate) {
				t.Errorf("%s against %s, headline %v", other.ID(), base.ID(), p.Headline)
			}
		}
	}
}

// TestChunkingAsksWhoIsMissingOnce: a library that is not here has one row.
func TestChunkingAsksWhoIsMissingOnce(t *testing.T) {
	var o plan.Offers
	for _, c := range chunking().Cases {
		o = append(o, plan.Offer{Subject: result.Subject{Library: "botan", CallPath: "purego"}, Case: c})
	}
	groups := chunking().Plan(plan.Selection{}, o)
	if len(groups) != 1 || len(groups[0].Trials) != 1 {
		t.Errorf("%+v", groups)
	}
}

// TestBoundaryPaths: every path is set against the loop in C, and asked from which size
// on it costs next to nothing; batches are cgo's.
func TestBoundaryPaths(t *testing.T) {
	e := boundary()
	offers := append(nativeOffers(e), plan.Offer{Subject: goLibrary, Case: plan.Crossing})
	for _, c := range e.Cases {
		if c.Parameters == "" {
			offers = append(offers, plan.Offer{Subject: goLibrary, Case: c, Loop: "aead"})
		}
	}
	groups := e.Plan(plan.Selection{}, offers)
	if groups[0].Name != emptyCallsName || len(groups[0].Trials) != 4 {
		t.Errorf("the first group is %+v", groups[0])
	}
	for _, g := range groups[1:] {
		var within []string
		for _, p := range g.Pairs {
			base, other := g.Trials[p.Base], g.Trials[p.Other]
			if p.Within > 0 {
				within = append(within, other.Subject.CallPath)
				if base.Subject.CallPath != loopPath || p.Within != Negligible || p.Headline != (other.Subject.CallPath == "cgo") {
					t.Errorf("%s: %+v", g.Name, p)
				}
			}
			if other.Case.Parameters != "" && (other.Subject.CallPath != "cgo" || other.Case.Bytes != batchMessages*base.Case.Bytes) {
				t.Errorf("%s is compared with %s", other.ID(), base.ID())
			}
		}
		if slices.Sort(within); !slices.Equal(within, []string{"cgo", "purego"}) {
			t.Errorf("%s: %v", g.Name, within)
		}
	}
	if groups := e.Plan(plan.Selection{}, plan.SelfOffers()); groups != nil {
		t.Errorf("without a library there are groups: %+v", groups)
	}
}
