package compare

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// State is how a case ends on a side, beside the first.
type State string

// The states, worst first.
const (
	Differs     State = "differs"     // outputs differ: a speed of two different things is none
	Wrong       State = "wrong"       // an output is wrong
	Regressed   State = "regressed"   // slower by more than the tolerance, which a second run confirms
	Unconfirmed State = "unconfirmed" // slower by more than the tolerance, which a second run does not confirm
	Unrepeated  State = "unrepeated"  // and there is no second run
	Lost        State = "lost"        // it has no number on one of the sides
	Undecided   State = "undecided"   // the interval reaches below the tolerance, or has too few blocks
	Slower      State = "slower"      // by no more than the tolerance
	Close       State = "close"       // no difference was found, and there is none beyond the tolerance
	Same        State = "same"
	Faster      State = "faster"
	Only        State = "only"    // one side alone has it
	Skipped     State = "skipped" // a benchmark that skips itself on both sides
)

var worstFirst = []State{Differs, Wrong, Regressed, Unconfirmed, Unrepeated, Lost, Undecided, Slower, Close, Same, Faster, Only, Skipped}

// Judged is a case on a side, beside the first side.
type Judged struct {
	State
	Base, Other *document.Row        // nil where the side does not have it
	Comparison  *document.Comparison // in the run that decides
	Side        string               // the other's
	Second      bool                 // the second run decides, where the first did not
}

// row is one that there is.
func (j Judged) row() *document.Row { return cmp.Or(j.Other, j.Base) }

// Judgement is what a run says of its sides.
type Judgement struct {
	Cases []Judged // of all sides beside the first, worst first
}

// Judge holds every side of a run against the first.
func Judge(d *document.Document) Judgement { return newSidesView(answer.NewView(d, Name)).judge() }

// Failed says that a side must not take the place of the first: a case is slower beyond the tolerance and
// that is confirmed, or an output is wrong where the first side's is right.
func (j Judgement) Failed() bool { return j.count(Regressed, Wrong) > 0 }

// Open says that it is not known of every case.
func (j Judgement) Open() bool {
	return j.count(Slower, Close, Same, Faster) == 0 || j.count(Differs, Unconfirmed, Unrepeated, Lost, Undecided) > 0
}

// Slow are the cases that look slower by more than the tolerance, which a second run has to confirm, and Unclear
// those that it may decide.
func (j Judgement) Slow() []result.Case { return j.cases(Unrepeated) }

func (j Judgement) Unclear() []result.Case { return j.cases(Undecided) }

func (j Judgement) cases(s State) (cases []result.Case) {
	for _, c := range j.in(s) {
		if c.Comparison != nil && c.Comparison.Low != nil && !slices.Contains(cases, c.row().Info.Case) {
			cases = append(cases, c.row().Info.Case)
		}
	}
	return cases
}

func (j Judgement) count(states ...State) int { return len(j.in(states...)) }

// in are the cases of some states, in the order of these.
func (j Judgement) in(states ...State) (all []Judged) {
	for _, s := range states {
		for _, c := range j.Cases {
			if c.State == s {
				all = append(all, c)
			}
		}
	}
	return all
}

func (j Judgement) of(side string) Judgement {
	j.Cases = slices.DeleteFunc(slices.Clone(j.Cases), func(c Judged) bool { return c.Side != side })
	return j
}

// leastLevel is that of an interval that decides.
var leastLevel = stat.FamilyLevel(1)

// stateOf judges a case that both sides have.
func stateOf(d *document.Document, base, other *document.Row, c *document.Comparison, tolerance float64) State {
	switch {
	case document.OutputsDiffer(base, other):
		return Differs
	case other.Status == result.Incorrect && base.Status != result.Incorrect:
		return Wrong
	case base.Status == result.Unsupported && other.Status == result.Unsupported:
		return Only // neither has it
	case reason.Skipped(base.Cause) && reason.Skipped(other.Cause):
		return Skipped
	case base.Status == result.Unsupported || other.Status == result.Unsupported:
		return Only
	case c == nil && short(base) && short(other):
		return Undecided
	case c == nil:
		return Lost
	case fewBlocks(c): // of so few blocks nothing is said for a side either
		return Undecided
	}
	limit := 1 - tolerance
	switch below := *c.High < limit; {
	case confirmed(c, limit):
		return Regressed
	case below && d.Repeated:
		return Unconfirmed
	case below:
		return Unrepeated
	case *c.Low <= limit:
		return Undecided
	case c.Verdict == string(stat.Inconclusive):
		return Close
	}
	return State(c.Verdict)
}

// short says of a row that it has a number, or too few blocks for one.
func short(r *document.Row) bool {
	return r.Status == result.OK || r.Status == result.Unstable && r.Blocks < stat.MinBlocks(stat.LeastLevel)
}

// confirmed says that something is slower beyond the limit: each of two runs finds it slower by itself, and
// together they leave out that it is so by less. Neither has to leave that out by itself, with the half of the
// time; and no disturbance of one run alone fails anything.
func confirmed(c *document.Comparison, limit float64) bool {
	slower := string(stat.Slower)
	if c.Again == nil || c.Verdict != slower || c.Again.Verdict != slower || c.Again.High == nil {
		return false
	}
	return *c.High < limit && *c.Again.High < limit || c.Again.Both != nil && c.Again.Both.High < limit
}

// decide lets the second run decide what the first left open: by itself, since its samples had no part in
// choosing what it measures, or else with the first. That something is slower takes both, and is told by both.
func (j *Judged) decide(d *document.Document, tolerance float64) {
	if j.Comparison == nil || j.Comparison.Again == nil {
		return
	}
	again, both := j.Comparison.Again, *j.Comparison
	alone := both
	alone.Again, alone.Ratio, alone.Low, alone.High, alone.Verdict, alone.Level = nil, again.Ratio, again.Low, again.High, again.Verdict, again.Level
	readings := []*document.Comparison{&alone}
	if b := again.Both; b != nil {
		both.Again, both.Ratio, both.Low, both.High, both.Verdict, both.Level = nil, b.Ratio, &b.Low, &b.High, b.Verdict, b.Level
		readings = append(readings, &both)
		if j.State == Regressed || j.State == Undecided {
			j.Comparison = &both
		}
	}
	if j.State != Undecided {
		return
	}
	for _, c := range readings {
		switch s := stateOf(d, j.Base, j.Other, c, tolerance); s {
		case Slower, Close, Same, Faster:
			j.State, j.Comparison, j.Second = s, c, true
			return
		}
	}
}

// sort puts the worst first: by state, and of one state by the ratio.
func (j *Judgement) sort() {
	ratio := func(c Judged) float64 {
		if c.Comparison == nil {
			return 1
		}
		return c.Comparison.Ratio
	}
	slices.SortStableFunc(j.Cases, func(x, y Judged) int {
		return cmp.Or(slices.Index(worstFirst, x.State)-slices.Index(worstFirst, y.State), cmp.Compare(ratio(x), ratio(y)))
	})
}

// Entry is a case on a side as a list of tests has it.
type Entry struct {
	State
	Name, Text layout.Text
}

// Bad says that it speaks against the side, and Good that nothing does.
func (e Entry) Bad() bool { return e.State == Regressed || e.State == Wrong }
func (e Entry) Good() bool {
	return slices.Contains([]State{Slower, Close, Same, Faster}, e.State)
}

// Entries are the cases of all sides, worst first.
func Entries(d *document.Document) (all []Entry) {
	v := newSidesView(answer.NewView(d, Name))
	for _, c := range v.judge().Cases {
		e := Entry{State: c.State, Name: layout.Say("%s: %s", "%s：%s", v.of(c.Side).label, c.name()), Text: v.verdict(c)}
		if c.Comparison != nil {
			e.Text = layout.Say("%s: %s", "%s：%s", e.Text, much(c.Comparison))
		}
		all = append(all, e)
	}
	return all
}
