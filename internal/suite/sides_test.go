package suite

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// side is a worker of this binary on a side of a comparison, of which one library takes part.
func side(name string, env ...string) Native {
	start := command(env...)
	return Native{Library: "well-liked", Side: name, Only: func(s result.Subject) bool { return s.Library == "well-liked" },
		Command: func(environment string, _ int) worker.Command {
			c := start(plan.WorkerKey{})
			if environment != "" { // the side is the laboratory's own affair
				c.Env = append(c.Env, "CRYPTOGAUGE_TEST_LEAKED="+environment)
			}
			return c
		}}
}

// paired compares whatever is offered of a case, the first subject against each other.
func paired(cases ...result.Case) plan.Experiment {
	form := plan.Form{Config: plan.Config{Blocks: 1, Rounds: 2, Target: time.Millisecond}}
	return plan.Experiment{Name: "compare", Short: form, Full: form, Cases: cases, Own: true,
		Make: func(n plan.Narrowed) []plan.Group {
			b := plan.NewBuilder(language.Same("all"))
			var first result.Trial
			for _, o := range n.Offers {
				if o.Subject.Library == "harness" {
					continue
				}
				if !o.Own {
					o.Case.Bytes = 1024
				}
				b.Add(o.Subject, o.Case)
				t := result.Trial{Subject: o.Subject, Case: o.Case}
				if first == (result.Trial{}) {
					first = t
				}
				b.Compare(first, t)
			}
			return b.Groups()
		}}
}

// TestSides takes two sides of the same library and version: what they are told apart by is their side
// alone, which no worker hears of.
func TestSides(t *testing.T) {
	t.Parallel()
	cfg := tiny(nil)
	cfg.Alone = true
	cfg.Native = []Native{side("A"), side("B")}
	cfg.Experiments = []plan.Experiment{paired(result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"})}
	run, _ := measured(t, cfg)
	var sides []string
	for _, r := range rows(run, "well-liked") {
		sides = append(sides, parameter.Side(r.info.Subject.Environment))
		if r.status != result.OK || r.samples != 2 || r.closed != 1 {
			t.Errorf("%+v", r)
		}
	}
	if len(sides) != 2 || sides[0] != "A" || sides[1] != "B" {
		t.Errorf("sides %q", sides)
	}
	for _, name := range []string{"go", "gmsm"} {
		if got := rows(run, name); got != nil {
			t.Errorf("%s is measured beside the sides: %+v", name, got)
		}
	}
	pairs := 0
	for _, g := range run.Groups {
		if g.Kind == "" {
			pairs += len(g.Pairs)
		}
	}
	if pairs != 1 {
		t.Errorf("%d comparisons", pairs)
	}
}

// TestForeign takes a worker whose input is its own, beside the laboratory's: neither takes the other's
// output for wrong. A case that only the worker knows is measured too, and said to be unchecked.
func TestForeign(t *testing.T) {
	t.Parallel()
	cfg := tiny(nil, "gmsm")
	foreign := side("", foreignVariable+"=1")
	foreign.Foreign, foreign.Library = true, "./somewhere"
	cfg.Native = []Native{foreign}
	cfg.Selection.Algorithms, cfg.Selection.Modes, cfg.Selection.Operations, cfg.Selection.Sizes = nil, nil, nil, nil
	cfg.Experiments = []plan.Experiment{paired(result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"})}
	run, _ := measured(t, cfg)
	theirs, ours := rows(run, "well-liked"), rows(run, "gmsm")
	if len(theirs) != 2 || len(ours) != 1 {
		t.Fatalf("%d rows of the foreign worker and %d of gmsm", len(theirs), len(ours))
	}
	for _, r := range append(theirs, ours...) {
		if r.status != result.OK || r.closed != 1 {
			t.Errorf("%+v", r)
		}
	}
	if a, b := theirs[0].info.Digest, ours[0].info.Digest; a == b || a == "" || b == "" {
		t.Errorf("digests %q and %q: each is of an input of its own", a, b)
	}
	if !slices.ContainsFunc(run.Header.Libraries, func(l result.Library) bool { return l.Library == "lacking" && l.Missing != "" }) {
		t.Errorf("%+v: what the worker lacks is not said, or hides the rest", run.Header.Libraries)
	}
	if own := theirs[1].info; own.Case != broughtCase || !own.Unchecked || theirs[0].info.Unchecked {
		t.Errorf("%+v", own)
	}
}

const foreignVariable = "CRYPTOGAUGE_TEST_FOREIGN" // a worker with an input and a case of its own

var broughtCase = result.Case{Algorithm: "Telegram", Operation: "seal", Bytes: 77}

// leaked says in a worker whether it was told its side.
func leaked() bool { return os.Getenv("side") != "" || os.Getenv("CRYPTOGAUGE_TEST_LEAKED") != "" }

// telegram is an operation that has nothing to be held against.
type telegram struct{}

func (telegram) Run(n int) error {
	for i := range n {
		sealed = sealed*31 + uint64(i)
	}
	return nil
}
func (telegram) Check() error { return nil }
func (telegram) Close() error { return nil }
func (telegram) Unchecked()   {}

var sealed uint64
