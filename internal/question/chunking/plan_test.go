package chunking

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func chunkingPlan(s plan.Selection) []plan.Group {
	return Experiment().Plan(s, plantest.NativeOffers(Experiment()))
}

// TestChunkingSweeps: of each cipher of each library every way is in the plan, update
// in calls of several sizes, and neighbouring lengths through update and by a way
// beside it, all by one path that loops in C.
func TestChunkingSweeps(t *testing.T) {
	groups := chunkingPlan(plan.Selection{})
	if len(groups) != 28 { // fourteen ciphers of two libraries
		t.Errorf("%d groups", len(groups))
	}
	for _, g := range groups {
		calls, steps, ways := map[string]bool{}, map[string]int{}, map[string]bool{}
		for _, trial := range g.Trials {
			way := trial.Case.Parameter("way")
			call, _ := strconv.ParseInt(trial.Case.Parameter("call"), 10, 64)
			switch {
			case trial.Subject.Implementation != "" && trial.Case.Bytes == page:
			case trial.Case.Bytes < 1<<10:
				if steps[way]++; trial.Subject.CallPath != subject.CLoop || call != trial.Case.Bytes {
					t.Errorf("%s is no step", trial.ID())
				}
			default:
				ways[way] = true
				if way == string(parameter.Update) && trial.Subject.CallPath == "cgo" {
					calls[strconv.FormatInt(call, 10)] = true
				}
			}
		}
		whole := strings.HasSuffix(g.Name, "-CCM") // a message is one call
		if !whole && len(calls) < 4 || whole && len(calls) != 3 || !ways[string(parameter.Update)] || !ways[string(parameter.Oneshot)] {
			t.Errorf("%s: calls of %v, ways %v", g.Name, calls, ways)
		}
		if !whole && steps[string(parameter.Update)] < 20 || whole && len(steps) > 0 || steps[string(parameter.Update)] != steps[string(parameter.Oneshot)] {
			t.Errorf("%s: %v steps", g.Name, steps)
		}
		if botanCTR := strings.HasPrefix(g.Name, "botan") && strings.HasSuffix(g.Name, "-CTR"); ways[string(parameter.Blocks)] != botanCTR {
			t.Errorf("%s: ways %v", g.Name, ways)
		}
		for _, p := range g.Pairs {
			base, other := g.Trials[p.Base], g.Trials[p.Other]
			if base.Case.Parameter("way") != string(parameter.Update) || base.Subject.Implementation != "" || base.Case.Bytes != page || other.Case.Bytes != page ||
				p.Headline != (other.Subject.Implementation != "" && other.Case.Parameters == "" || other.Subject.Implementation == "" && other.Case.Parameter("way") != string(parameter.Update)) {
				t.Errorf("%s against %s, headline %v", other.ID(), base.ID(), p.Headline)
			}
		}
	}
}

// TestChunkingAsksWhoIsMissingOnce: a library that is not here has one row.
func TestChunkingAsksWhoIsMissingOnce(t *testing.T) {
	var o plan.Offers
	for _, c := range Experiment().Cases {
		o = append(o, plan.Offer{Subject: result.Subject{Library: "botan", CallPath: "purego"}, Case: c})
	}
	groups := Experiment().Plan(plan.Selection{}, o)
	if len(groups) != 1 || len(groups[0].Trials) != 1 {
		t.Errorf("%+v", groups)
	}
}
