package check

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

const SchemaReport = "cryptogauge.check/1"

// ReportFile is the report's name in the folder of the last run of a check: what a check finds it finds in several runs
// and a baseline, and no run file holds it.
const ReportFile = "check.json"

// Report is a check as it is told. Its JSON form is an interface: its names stay.
type Report struct {
	Schema    string           `json:"schema"`
	Tool      string           `json:"tool"`
	Suite     string           `json:"suite"`
	Started   time.Time        `json:"started"`
	Seed      uint64           `json:"seed"`
	Machine   result.Machine   `json:"machine"`
	Libraries []result.Library `json:"libraries"`
	Own       *result.OwnData  `json:"sample,omitempty"` // the user's data that were encrypted
	Verdict   Verdict          `json:"verdict"`
	Baseline  *BaselineRef     `json:"baseline"` // null where there was none and none was made
	Rounds    []Round          `json:"rounds"`
}

type BaselineRef struct {
	Path string    `json:"path"`
	Made time.Time `json:"made"`
	Seed uint64    `json:"seed"`
	New  bool      `json:"new"` // made by this check
}

type Round struct {
	Round   string   `json:"round"` // "screening", "stress", "baseline", "regression", "comparability"
	Verdict Verdict  `json:"verdict"`
	Folders []string `json:"folders"` // of the runs it measured
	Seconds float64  `json:"seconds"`
	Says    []Line   `json:"says"` // the first is what came out
	// Abnormal is what each library did with abnormal inputs; null of rounds that give none.
	Abnormal []Abnormal `json:"abnormal"`
	Trials   []*Trial   `json:"trials"`
}

type Line struct {
	Mark layout.Mark `json:"mark"`
	Text layout.Text `json:"text"`
}

// Trial is what a round found of one trial. Fields that do not apply are null.
type Trial struct {
	ID         string      `json:"id"`
	Library    string      `json:"library"`
	Verdict    Verdict     `json:"verdict"`
	Reason     layout.Text `json:"reason"`
	Reference  string      `json:"reference,omitempty"` // the fixed work that its speed is held against
	Slowdown   *Slowdown   `json:"slowdown"`
	Stress     *Stress     `json:"stress"`
	AllocsThen *float64    `json:"allocs_per_op_baseline"`
	AllocsNow  *float64    `json:"allocs_per_op"`

	answered bool // with an output that was judged right
	compared bool // its output is the baseline's
	redrawn  bool // its data are not the baseline's

	name layout.Text // as people read it
	what result.Trial
}

// Slowdown is how many times as long a trial takes as in the baseline.
type Slowdown struct {
	Ratio      float64 `json:"ratio"`
	Low        float64 `json:"low"` // for all trials of the check at once, at 99 %
	High       float64 `json:"high"`
	Excluded   float64 `json:"excluded"`   // a slowdown of this much or more is excluded, of this trial alone, at 99 %
	Tolerance  float64 `json:"tolerance"`  // as a share: what counts as none
	Resolution float64 `json:"resolution"` // as a share: what shows
	Coarse     bool    `json:"coarse"`     // in the noise of its baseline 15 % could hide
	Looks      int     `json:"looks"`
}

// Stress is a trial's last quarter against its first.
type Stress struct {
	Change    float64 `json:"change"` // time of the last quarter over the first's
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	TailFirst int     `json:"tail_first"` // samples beyond 1.5 times the median
	TailLast  int     `json:"tail_last"`
	P50       float64 `json:"p50_ns"`
	P99       float64 `json:"p99_ns"`
}

// unchecked says that nothing is known of its output: no time was left for it.
func (t *Trial) unchecked() bool { return t.Verdict == Inconclusive && !t.answered }

func countUnchecked(trials []*Trial) (n int) {
	for _, t := range trials {
		if t.unchecked() {
			n++
		}
	}
	return n
}

func (r *Report) WriteJSON(w io.Writer) error {
	if err := layout.WriteJSON(w, "  ", r); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (r Round) Lines(lang layout.Lang, columns int) (lines []string) {
	for i, l := range r.Says {
		prefix := "    " + l.Mark.Sign() + " "
		text := l.Text.In(lang)
		if i == 0 {
			prefix = l.Mark.Sign() + " "
			text = layout.Say("%s: %s", "%s：%s", r.Name(), l.Text).In(lang) + fmt.Sprintf(" (%.1f s)", r.Seconds)
		}
		lines = append(lines, render.Lines(prefix, text, columns)...)
	}
	return lines
}

func (r Round) Name() layout.Text { return roundNames[r.Round] }

var roundNames = map[string]layout.Text{
	screening:     {EN: "screening", ZH: "筛查"},
	stress:        {EN: "stress", ZH: "压力"},
	passes:        {EN: "baseline", ZH: "基线"},
	regression:    {EN: "regression", ZH: "回归"},
	comparability: {EN: "baseline", ZH: "基线"},
}

func markOf(v Verdict) layout.Mark {
	marks := map[Verdict]layout.Mark{Fine: layout.Choose, Inconclusive: layout.Unclear, Interrupted: layout.Unclear}
	return cmp.Or(marks[v], layout.Stop)
}
