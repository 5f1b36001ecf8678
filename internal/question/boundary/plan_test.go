package boundary

import (
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// TestBoundaryPaths: every path is set against the loop in C, and asked from which size
// on it costs next to nothing; batches are cgo's.
func TestBoundaryPaths(t *testing.T) {
	e := Experiment()
	offers := append(plantest.NativeOffers(e), plan.Offer{Subject: plantest.GoLibrary, Case: plan.Crossing})
	for _, c := range e.Cases {
		if c.Parameters == "" {
			offers = append(offers, plan.Offer{Subject: plantest.GoLibrary, Case: c, Loop: "aead"})
		}
	}
	groups := e.Plan(plan.Selection{}, offers)
	if groups[0].Title != emptyCallsTitle || len(groups[0].Trials) != 4 {
		t.Errorf("the first group is %+v", groups[0])
	}
	for _, g := range groups[1:] {
		var within []string
		for _, p := range g.Pairs {
			base, other := g.Trials[p.Base], g.Trials[p.Other]
			if p.Within > 0 {
				within = append(within, other.Subject.CallPath)
				if base.Subject.CallPath != subject.CLoop || p.Within != Negligible || p.Headline != (other.Subject.CallPath == "cgo") {
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
