package question

import (
	"regexp"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// TestGroupsAreTitledInBothLanguages: the English title is the name that run files keep, and the Chinese one
// has no English word but names.
func TestGroupsAreTitledInBothLanguages(t *testing.T) {
	english := regexp.MustCompile(`\b(bytes|encrypt|decrypt|encryption|hash|sign|verify|agree|seal|open|key|calls|messages|in|of|before|beside|every|mix|could|between|operations|libraries)\b`)
	forAll(t, func(t *testing.T, e plan.Experiment, s plan.Selection, groups []plan.Group) {
		for _, g := range append(groups, append(plan.Noise(nil), plan.Empties(plan.SelfOffers())...)...) {
			if g.Title.EN != g.Name || g.Title.ZH == "" || english.MatchString(g.Title.ZH) {
				t.Errorf("%s: %q, %q", g.Name, g.Title.EN, g.Title.ZH)
			}
		}
	})
}
