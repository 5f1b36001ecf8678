package compare

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// table sets a side beside the first, worst first.
func (v *sidesView) table(s named, j Judgement) layout.Table {
	first := v.of(v.first())
	return answer.Table[Judged]{
		Title: layout.Say("%s beside %s, worst first", "%s 与 %s 对比，最差者在前", s.label, first.label),
		Caption: layout.Say("Speed is that of %s over %s. %% are of speed: 3 %% slower is 97 %% of it. No difference (±2 %%): "+
			"none was found, and none above 2 %% is left possible. Of the verdicts shown, at most 1 in 100 is expected to be wrong; "+
			"differences within ±0.5 %% count as the same.",
			"速度比为 %s 与 %s 之比。百分数均指速度：慢 3%% 即速度为其 97%%。未见差异（±2%%）：未发现差异，且可排除 2%% 以上的差异。"+
				"所列判定中，预期至多 1%% 有误；差异在 ±0.5%% 以内视为相同。", s.short, first.short),
		Row: func(c Judged) *document.Row { return c.row() },
		Columns: []answer.Columns[Judged]{
			answer.Told("case", "测试项", Judged.name),
			answer.Figure(first.short, first.short, func(c Judged) layout.Cell { return c.timeOf(c.Base) }),
			answer.Figure(s.short, s.short, func(c Judged) layout.Cell { return c.timeOf(c.Other) }),
			answer.Figure("speed", "速度比", func(c Judged) layout.Cell { return speed(c.Comparison) }),
			answer.Told("verdict", "判定", v.verdict),
		},
	}.Of(j.Cases)
}

// timeOf is a row's time with what is doubtful of it, or how it ended. That a mode is weak is true of all sides,
// and is said where one chooses a mode; what is compared with nothing rests on a few blocks.
func (j Judged) timeOf(r *document.Row) layout.Cell {
	if r == nil {
		return answer.Dash()
	}
	cell := answer.TimeCell(r)
	switch {
	case r.Status != result.OK:
	case j.State == Only:
		cell.Footnotes = nil
	default:
		cell.Footnotes = r.Notes[len(r.Security):]
	}
	return cell
}

// stepTable shows where it changed, a column a step, of the cases that did.
func (v *sidesView) stepTable() layout.Table {
	steps := v.stepsOf()
	t := answer.Table[sided]{
		Title: layout.Text{EN: "Where it changed", ZH: "变化出现在哪一步"},
		Caption: layout.Text{EN: "Each figure is the speed of a side over the one before, with its interval. –: no difference was shown (same or undecided).",
			ZH: "每个数值为该方与前一方的速度之比及其置信区间；–：未能确认有差异（相当，或未能判定）。"},
		Row:     func(c sided) *document.Row { return c.any(v.sides) },
		Columns: []answer.Columns[sided]{answer.Told("case", "测试项", func(c sided) layout.Text { return caseName(c.any(v.sides).Info.Case) })},
	}
	changes := func(c sided, s step) *document.Comparison {
		if found := v.Declared(c.rows[s.from.Side.Side], c.rows[s.to.Side.Side]); found != nil && answer.Differs(found) {
			return found
		}
		return nil
	}
	for _, s := range steps {
		t.Columns = append(t.Columns, answer.Figure(s.to.short, s.to.short, func(c sided) layout.Cell { return speed(changes(c, s)) }))
	}
	return t.Of(answer.Select(v.cases, func(c sided) bool {
		return slices.ContainsFunc(steps, func(s step) bool { return changes(c, s) != nil })
	}))
}

// any is the row of the first side that has the case.
func (c sided) any(sides []named) *document.Row {
	return cmp.Or(document.Mapped(sides, func(s named) *document.Row { return c.rows[s.Side.Side] })...)
}

func (v *sidesView) nullTable() layout.Table {
	first := v.of(v.first())
	return answer.Table[sided]{
		Title: layout.Say("%s beside itself: what this machine would call different", "%s 与自身对比：本机会判为不同的项", first.label),
		Row:   func(c sided) *document.Row { return c.null },
		Columns: []answer.Columns[sided]{
			answer.Told("case", "测试项", func(c sided) layout.Text { return caseName(c.null.Info.Case) }),
			answer.Figure("speed", "速度比", func(c sided) layout.Cell { return speed(v.Declared(c.rows[v.first()], c.null)) }),
			answer.Told("verdict", "判定", func(c sided) layout.Text {
				if found := v.Declared(c.rows[v.first()], c.null); found != nil {
					return found.VerdictText()
				}
				return layout.Same("–")
			}),
		},
	}.Of(answer.Select(v.cases, func(c sided) bool { return c.null != nil && c.rows[v.first()] != nil }))
}

// chart draws the comparisons with the first side, worst first.
func (v *sidesView) chart(j Judgement) (all []layout.Chart) {
	for _, s := range v.sides[min(1, len(v.sides)):] {
		judged := map[string]Judged{} // by the comparison's id
		var cs []*document.Comparison
		names := map[*document.Row]layout.Text{}
		for _, c := range j.of(s.Side.Side).Cases {
			if c.Comparison != nil {
				cs, names[c.Other], judged[c.Comparison.ID] = append(cs, c.Comparison), c.name(), c
			}
		}
		title := layout.Say("Speed of %s over %s", "%s 与 %s 的速度之比", s.label, v.of(v.first()).label)
		charts := v.Ratios(title, layout.Text{}, cs, func(_, other *document.Row) layout.Text { return names[other] })
		for _, chart := range charts {
			for i, r := range chart.Ratios {
				chart.Ratios[i].Says = v.verdict(judged[r.ID])
			}
		}
		all = append(all, charts...)
	}
	return all
}

// figures are the numbers that decide: what became slowest, and what became fastest. Where a side must not take
// the first one's place, only what speaks against it.
func (v *sidesView) figures(j Judgement) (all []layout.Figure) {
	shown := answer.Select(j.Cases, func(c Judged) bool { return c.Comparison != nil && c.Comparison.Low != nil && c.Comparison.High != nil })
	against := answer.Select(shown, func(c Judged) bool { return c.State == Regressed || c.State == Wrong })
	switch {
	case len(against) > 0:
		shown = against
	case len(shown) > 1:
		if decided := answer.Select(shown, func(c Judged) bool { return c.State != Undecided }); len(decided) > 1 {
			shown = decided
		}
		shown = []Judged{shown[0], shown[len(shown)-1]}
	}
	for _, c := range shown {
		f := layout.Figure{Value: answer.Factor(c.Comparison.Ratio) + "×", Span: "(" + answer.Limits(c.Comparison) + ")", Evidence: c.Comparison.ID,
			Label: layout.Say("speed in %s: %s", "%s 的速度之比：%s", c.name(), v.verdict(c))}
		if len(v.sides) > 2 {
			f.Name = layout.Same(v.of(c.Side).label)
		}
		all = append(all, f)
	}
	return all
}
