package document

import (
	"fmt"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// QuickSuite is the run that asks every question in its short form, as package suite names it.
const QuickSuite = "quick"

// LeftOut is a part of the plan that was not measured, so that the run ended in the time
// that it was given.
type LeftOut struct {
	What    layout.Text `json:"-"`
	English string      `json:"what"`
	Seconds float64     `json:"seconds"` // of wall time that it would take
	thinner bool        // it leaves no row of an experiment out, of several
}

// leftOut lists what was cut in the end, or what is to be cut where a run has not ended.
func leftOut(run *result.Run) []LeftOut {
	list, all := []LeftOut{}, run.Header.LeftOut
	if run.End != nil {
		all = run.End.LeftOut
	}
	for _, l := range all {
		what := reason.Said(l.What, l.Cause)
		if l.Code == "cut-of" && len(l.Args) == 2 && l.Args[1].Cause != nil {
			what = layout.Say("%s: %s", "%s：%s", ExperimentText(l.Args[0].Text), reason.Text(*l.Args[1].Cause))
		}
		list = append(list, LeftOut{what, what.EN, l.Seconds, len(l.Args) == 2 && l.Args[1].Cause != nil && thinner[l.Args[1].Cause.Code]})
	}
	return list
}

// thinner are the codes of what leaves no row out.
var thinner = map[string]bool{"cut-rounds": true, "cut-target": true, "cut-blocks": true, "cut-draws": true}

// together makes one of what leaves no row of an experiment out, where there are several.
func together(all []LeftOut) (list []LeftOut) {
	less := LeftOut{What: layout.Text{EN: "rounds, blocks and time of samples", ZH: "部分轮次、数据组与采样时间"}}
	for _, l := range all {
		if l.thinner {
			less.Seconds += l.Seconds
		} else {
			list = append(list, l)
		}
	}
	if less.Seconds > 0 {
		list = append(list, less)
	}
	return list
}

// LeftOutLine follows the words "left out": it says what a run does not measure, what all of it
// would take, and how to have it. It is empty where nothing is left out.
func LeftOutLine(run *result.Run) layout.Text {
	line, command := LeftOutAlone(run), WholeCommand(run.Header)
	if line == (layout.Text{}) || command == "" {
		return line
	}
	return layout.Say("%s: %s", "%s：%s", line, command)
}

// WholeCommand is the command by which nothing is left out for lack of time; empty where nothing was.
func WholeCommand(h result.Header) string {
	whole := WholeBudget(h)
	if whole == 0 {
		return ""
	}
	return "cryptogauge " + Typed(WithBudget(h.Command, whole)...)
}

// LeftOutBriefly is LeftOutLine for a screen that has one line for it: how much was left out.
func LeftOutBriefly(run *result.Run) layout.Text {
	list, seconds := leftOut(run), 0.0
	if len(list) == 0 {
		return layout.Text{}
	}
	for _, l := range list {
		seconds += l.Seconds
	}
	return layout.Say("to keep within %s: about %s of the plan; report --format json lists it", "为在 %s 内完成，省去了约 %s 的测量（report --format json 列出明细）",
		AboutSeconds(run.Header.Budget+run.Header.Reserved), AboutSeconds(seconds))
}

// LeftOutAlone is LeftOutLine without the command.
func LeftOutAlone(run *result.Run) layout.Text {
	most, list, h := 4, leftOut(run), run.Header // so many on a line; programs read them all
	if h.Suite == QuickSuite {                   // whose screen has a line for every question
		most = 2
	}
	if len(list) == 0 {
		return layout.Text{}
	}
	if len(list) > most {
		list = together(list)
	}
	slices.SortStableFunc(list, func(a, b LeftOut) int { return int(math.Ceil(b.Seconds - a.Seconds)) })
	said := Mapped(list[:min(len(list), most)], func(l LeftOut) layout.Text {
		return layout.Say("%s (about %s)", "%s（约 %s）", l.What, AboutSeconds(l.Seconds))
	})
	if more := len(list) - most; more > 0 {
		said = append(said, layout.Say("and %d more", "另有 %d 项", more))
	}
	parts := layout.JoinWith(said, ", ", "、")
	reserved := layout.Text{}
	switch {
	case h.Reserved > 0 && h.Compared != nil:
		reserved = layout.Say(" (%s of it for a second run where one is needed)", "（其中 %s 留给必要时的复测）", AboutSeconds(h.Reserved))
	case h.Reserved > 0:
		reserved = layout.Say(" (%s of it for the check)", "（其中核对用 %s）", AboutSeconds(h.Reserved))
	}
	line := layout.Say("to keep within %s%s: %s", "为在 %s 内完成%s，省去了%s", AboutSeconds(h.Budget+h.Reserved), reserved, parts)
	whole := WholeBudget(h)
	if whole == 0 {
		return line
	}
	return layout.Say("%s; measuring everything takes about %s", "%s；全部测完约需 %s", line, AboutSeconds(whole))
}

// WholeBudget is the time in seconds in which nothing is left out for lack of time; 0 where that was given.
func WholeBudget(h result.Header) float64 {
	switch {
	case h.Budget == 0, h.Whole <= h.Budget:
		return 0
	case h.Compared != nil: // what the second run has grows with it
		return h.Whole * (1 + h.Reserved/h.Budget)
	}
	return h.Whole + h.Reserved
}

// ShortDone says of a short form that ended long before the budget that was asked for that it is done, and how a longer
// answer is had; it is empty of other runs.
func (d *Document) ShortDone() layout.Text {
	short := d.Suite == QuickSuite || slices.Contains(d.Command, "--quick")
	if !short || len(TypedFlags(d.Command, "budget")) == 0 || d.Run == nil || d.Seconds == nil || d.Partial || len(d.LeftOut) > 0 ||
		*d.Seconds > mostUnused*d.Run.Header.Budget {
		return layout.Text{}
	}
	longer := slices.DeleteFunc(slices.Clone(d.Command), func(word string) bool { return word == "--quick" })
	if d.Suite == QuickSuite {
		longer = slices.Insert(longer, 1, "full")
	}
	return layout.Say("the short form is done in %s of the %s; for more precise answers from the full form in that time: cryptogauge %s",
		"简短形式已测完，用时 %s（给定 %s）；若要在给定时间内由完整形式得出更精确的结论：cryptogauge %s",
		AboutSeconds(*d.Seconds), AboutSeconds(d.Run.Header.Budget), Typed(longer...))
}

// mostUnused is the share of a budget from which on nobody asks why it was not used.
const mostUnused = 0.8

// AboutSeconds prints a time to about two figures.
func AboutSeconds(s float64) layout.Text {
	switch {
	case s < 9.5:
		return layout.Same(fmt.Sprintf("%.1f s", s))
	case s < 99.5:
		return layout.Same(fmt.Sprintf("%.0f s", s))
	case s < 99.5*60:
		return layout.Say("%.0f min", "%.0f 分钟", s/60)
	}
	return layout.Say("%.1f h", "%.1f 小时", s/3600)
}
