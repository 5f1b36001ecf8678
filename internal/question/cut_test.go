package question

import (
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
)

// cutTo makes the plan of a selection and cuts it.
func cutTo(e plan.Experiment, s plan.Selection, offers plan.Offers, within time.Duration) (
	whole, kept plan.Plan, c plan.Config, core plan.Core, left []result.LeftOut) {
	short := s
	short.Short = true
	core = plan.Core{Groups: e.Plan(short, e.Asked(short, offers)), Config: e.Form(short).Config}
	whole = plan.Plan{Experiment: e.Name, Groups: planned(e, s, offers)}
	kept, c, left = plan.Cut(whole, e.Form(s).Config, core, within)
	return whole, kept, c, core, left
}

// headlines are the comparisons that a plan's answer stands on. Forms may differ in how long a
// message is, how many there are, and by which path a library is called.
func headlines(groups []plan.Group) map[string]bool {
	of := func(t plan.Trial) string {
		var kept []string
		for p := range strings.SplitSeq(t.Case.Parameters, ",") {
			if !strings.HasPrefix(p, "messages=") {
				kept = append(kept, p)
			}
		}
		return strings.Join([]string{t.Case.Name(), t.Case.Operation, strings.Join(kept, ","), t.Subject.Library, t.Subject.Environment}, "/")
	}
	all := map[string]bool{}
	for _, g := range groups {
		for _, p := range g.Pairs {
			if p.Headline {
				all[of(g.Trials[p.Base])+" ~ "+of(g.Trials[p.Other])] = true
			}
		}
	}
	return all
}

// asked are the trials that answer by themselves.
func asked(groups []plan.Group) map[string]bool {
	all := map[string]bool{}
	for _, g := range groups {
		for _, t := range g.Trials {
			if t.Asked {
				all[t.Case.Name()+" "+t.Case.Operation+" "+t.Subject.Library] = true
			}
		}
	}
	return all
}

// TestCut: within whatever time is given, every experiment's plan fits into it, by estimate, with
// an interval for what is left; no headline comparison of the short form is missing at 10 s and
// more, narrowed or not; and what was left out is said.
func TestCut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	onTwoCPUs(t)
	offers, _ := recorded(t)
	selections := map[string]plan.Selection{"libraries": {Libraries: []string{"go", "gmsm"}}}
	maps.Copy(selections, plantest.Selections)
	times := []time.Duration{10 * time.Second, 30 * time.Second, time.Minute}
	for _, e := range All() {
		for name, s := range selections {
			for _, within := range times {
				whole, kept, c, core, left := cutTo(e, s, offers, within)
				if len(core.Groups) == 0 {
					continue
				}
				where := e.Name + ", " + name + ", " + within.String()
				form := e.Form(s).Config
				if took := c.Duration(kept); took > within || c.Blocks < plan.LeastBlocks || c.Rounds < 1 ||
					c.Blocks > form.Blocks || c.Rounds > form.Rounds || c.Target > form.Target {
					t.Errorf("%s: %v for %d blocks of %d rounds of %v", where, took, c.Blocks, c.Rounds, c.Target)
				}
				has := headlines(kept.Groups)
				for pair := range headlines(core.Groups) {
					if asked := len(s.Sizes) > 0 && within < 30*time.Second; !has[pair] && !asked { // long messages that the user asks for take longer
						t.Errorf("%s lacks %s", where, pair)
					}
				}
				if want, got := asked(core.Groups), asked(kept.Groups); !maps.Equal(want, got) && (len(s.Sizes) == 0 || within >= 30*time.Second) {
					t.Errorf("%s: asked outright are %v, and kept %v", where, want, got)
				}
				checkLeftOut(t, where, form.Duration(whole), c.Duration(kept), left)
				if full := form.Duration(whole) <= within; full != (len(left) == 0) || full && !reflect.DeepEqual(whole, kept) {
					t.Errorf("%s: of %v there is left out %v", where, form.Duration(whole), left)
				}
			}
		}
	}
}

// checkLeftOut holds the times of what was left out against what is saved by it.
func checkLeftOut(t *testing.T, where string, whole, kept time.Duration, left []result.LeftOut) {
	t.Helper()
	sum := kept.Seconds()
	for _, l := range left {
		if sum += l.Seconds; l.What == "" || l.Code == "" || l.Seconds <= 0 {
			t.Errorf("%s: left out %+v", where, l)
		}
	}
	if math.Abs(sum-whole.Seconds()) > 0.02*whole.Seconds() {
		t.Errorf("%s: %.1f s with what is left out, %.1f s in all", where, sum, whole.Seconds())
	}
}

// TestCutOrder: rows go before rounds, and blocks last.
func TestCutOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts every full plan eight times")
	}
	onTwoCPUs(t)
	offers, _ := recorded(t)
	for _, e := range All() {
		form, rows := e.Full.Config, 1<<30
		for within := time.Hour; within > time.Second; within /= 3 {
			_, kept, c, core, left := cutTo(e, plan.Selection{}, offers, within)
			if kept.Trials() > rows+20 {
				t.Errorf("%s: %d rows in %v, and %d in more", e.Name, kept.Trials(), within, rows)
			}
			rows = kept.Trials()
			thinner := c.Rounds < form.Rounds || c.Target < form.Target || c.Blocks < form.Blocks
			if n := spare(kept.Groups); thinner && n > 0 {
				t.Errorf("%s at %v: %d rows that no headline comparison needs, and %v", e.Name, within, n, left)
			}
			if c.Blocks < min(form.Blocks, core.Config.Blocks) && c.Rounds > 1 {
				t.Errorf("%s at %v: %d blocks of %d rounds", e.Name, within, c.Blocks, c.Rounds)
			}
		}
	}
}

// TestExhibitsStay: however short the time, what is shown because its output is wrong is asked, of the short form.
func TestExhibitsStay(t *testing.T) {
	onTwoCPUs(t)
	offers, _ := recorded(t)
	shown := func(groups []plan.Group) (n int) {
		for _, g := range groups {
			for _, trial := range g.Trials {
				if trial.Exhibit {
					n++
				}
			}
		}
		return n
	}
	found := 0
	for _, e := range All() {
		_, kept, _, core, _ := cutTo(e, plan.Selection{Short: true}, offers, 2*time.Second)
		if all := shown(core.Groups); shown(kept.Groups) != all {
			t.Errorf("%s: %d of %d", e.Name, shown(kept.Groups), all)
		} else {
			found += all
		}
	}
	if found == 0 {
		t.Error("nothing is shown because it is wrong")
	}
}

// spare counts the trials of what is asked that no headline comparison needs.
func spare(groups []plan.Group) (n int) {
	for _, g := range groups {
		needed := map[int]bool{}
		for _, p := range g.Pairs {
			needed[p.Base], needed[p.Other] = needed[p.Base] || p.Headline, needed[p.Other] || p.Headline
		}
		for i, t := range g.Trials {
			if g.Kind == "" && !needed[i] && t.Case != plan.Unopened && !t.Exhibit && !t.Asked {
				n++
			}
		}
	}
	return n
}
