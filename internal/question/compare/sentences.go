package compare

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// mostNamed is how many cases a sentence names.
const mostNamed = 4

// findings are sentences about cases.
type findings []layout.Answer

// add adds a sentence about some cases, where there are any.
func (all *findings) add(cases []Judged, mark layout.Mark, en, zh string, args ...any) {
	if len(cases) > 0 {
		*all = append(*all, layout.Answer{Mark: mark, Evidence: evidence(cases), Text: layout.Say(en, zh, args...)})
	}
}

// sentences say what the line rests on: what can't be compared first, then what is worse.
func (v *sidesView) sentences(j Judgement) []layout.Answer {
	all := v.distrust(j)
	for _, s := range v.sides[min(1, len(v.sides)):] {
		all = append(all, v.found(s, j.of(s.Side.Side))...)
	}
	if len(v.sides) > 2 {
		all = append(all, v.steps())
	}
	if a := v.nulls(); a.Text != (layout.Text{}) && len(v.sides) > 1 {
		all = append(all, a)
	}
	unheld := answer.Select(j.Cases, Judged.unchecked)
	second := answer.Select(j.Cases, func(c Judged) bool { return c.Second })
	all.add(unheld, layout.Plain, "Unchecked: the output of %s is held against nothing.", "未核对：%s的输出没有可对照者。",
		counted(len(unheld)))
	all.add(second, layout.Plain, "The first run left %s undecided that a second run decides: %s.",
		"首次运行未能判定而由复测判定的有 %s：%s。", counted(len(second)), listed(second, Judged.name))
	all = append(all, v.built()...)
	for i := range all {
		all[i].Short = true
	}
	return all
}

// listed names the first of some cases, each with what is said of it.
func listed(cases []Judged, say func(Judged) layout.Text) layout.Text {
	parts := document.Mapped(cases[:min(len(cases), mostNamed)], say)
	if more := len(cases) - mostNamed; more > 0 {
		parts = append(parts, layout.Say("and %d more", "另有 %d 项", more))
	}
	return answer.Semicolons(parts)
}

// distrust says of which cases nothing can be said, since the sides do not do the same.
func (v *sidesView) distrust(j Judgement) (all findings) {
	differ, wrong := j.in(Differs), j.in(Wrong)
	all.add(differ, layout.Stop,
		"Outputs differ in %s: %s. The sides do not compute the same there, so their speeds are not compared.",
		"有 %s的输出不同：%s。各方所算并非同一结果，因此不比较速度。", counted(len(differ)), listed(differ, Judged.name))
	all.add(wrong, layout.Stop, "Wrong output where %s is right, in %s: %s.", "%s 正确而另一方输出错误，共 %s：%s。",
		v.of(v.first()).label, counted(len(wrong)), listed(wrong, Judged.name))
	return all
}

// found says of a side what is slower and what is faster.
func (v *sidesView) found(s named, j Judgement) (all findings) {
	beside := func(say func(Judged) layout.Text) func(Judged) layout.Text {
		return func(c Judged) layout.Text { return layout.Say("%s: %s", "%s：%s", c.name(), say(c)) }
	}
	add := func(mark layout.Mark, en, zh string, cases []Judged, say func(Judged) layout.Text) {
		all.add(cases, mark, en, zh, s.label, counted(len(cases)), listed(cases, say))
	}
	much := beside(func(c Judged) layout.Text { return much(c.Comparison) })
	faster := j.in(Faster)
	slices.Reverse(faster) // what gains most first
	add(layout.Stop, "%s is slower in %s, confirmed by a second run. %s.", "%s 有 %s更慢，复测已确认。%s。", j.in(Regressed), much)
	add(layout.Unclear, "%s looks slower in %s, and a second run does not confirm it. %s.", "%s 有 %s看似更慢，但复测未确认。%s。",
		j.in(Unconfirmed), much)
	add(layout.Beware, "%s looks slower in %s, which no second run has confirmed. %s.", "%s 有 %s看似更慢，尚未复测。%s。",
		j.in(Unrepeated), much)
	add(layout.Beware, "%s is a little slower in %s, within the tolerance. %s.", "%s 有 %s略慢，在容差之内。%s。", j.in(Slower), much)
	const undecided, undecidedZH = "%s is undecided in %s. %s.", "%s 有 %s未能判定。%s。"
	add(layout.Unclear, undecided, undecidedZH, answer.Select(j.Cases, Judged.few), much)
	add(layout.Unclear, undecided, undecidedZH, answer.Select(j.in(Undecided), func(c Judged) bool { return !c.few() }),
		beside(func(c Judged) layout.Text {
			return layout.Say("%s times as fast", "速度为 %s 倍", answer.Limits(c.Comparison))
		}))
	add(layout.Plain, "%s is faster in %s. %s.", "%s 有 %s更快。%s。", faster, much)
	wide := answer.Select(j.in(Close), Judged.wide)
	all.add(wide, layout.Plain, "%s is not slower by more than %s in %s; whether it is faster is undecided. %s.",
		"%s 有 %[3]s未慢 %[2]s 以上，是否更快未能判定。%[4]s。", s.label, v.beyond(), counted(len(wide)), listed(wide, Judged.name))
	if level := answer.Select(j.in(Same, Close), func(c Judged) bool { return !c.wide() }); len(level) > 0 {
		widest := slices.MaxFunc(level, func(x, y Judged) int { return int(1e6 * (reach(x) - reach(y))) })
		all.add(level, layout.Plain, "%s shows no difference in %s: none above %s.", "%s 有 %s未见差异：即使有也不超过 %s。",
			s.label, counted(len(level)), within(widest.Comparison))
	}
	lost, skipped, only := j.in(Lost), j.in(Skipped), j.in(Only)
	all.add(lost, layout.Beware, "No number: %s.", "没有数值：%s。", listed(lost, beside(v.without)))
	all.add(skipped, layout.Plain, "%s skipped on both sides. %s.", "有 %s双方均跳过。%s。",
		answer.Upper(are(len(skipped), len(skipped))),
		listed(skipped, beside(func(c Judged) layout.Text { return c.Other.Why })))
	all.add(only, layout.Plain, "%s on one side alone. %s.", "有 %s仅一方具有。%s。", answer.Upper(are(len(only), len(only))),
		listed(only, beside(v.only)))
	return all
}

// without says which side has no number of a case, and why.
func (v *sidesView) without(j Judged) layout.Text {
	one := func(side string, r *document.Row) layout.Text {
		why := r.Why
		if r.Status == result.Crashed && !r.Returned {
			why = layout.Say("the worker crashed: %s", "工作进程崩溃：%s", why)
		}
		return layout.Say("on %s %s", "%s 上%s", v.of(side).short, cmp.Or(why, r.StatusText()))
	}
	var parts []layout.Text
	if j.Base.Status != result.OK {
		parts = append(parts, one(v.first(), j.Base))
	}
	if j.Other.Status != result.OK {
		parts = append(parts, one(j.Side, j.Other))
	}
	if len(parts) == 2 && j.Base.Why == j.Other.Why && j.Base.Returned {
		return layout.Say("on both sides %s", "双方均%s", j.Base.Why)
	}
	return layout.JoinWith(parts, ", ", "，")
}

// unchecked says of a case with a speed that nothing is known of its output.
func (j Judged) unchecked() bool { return j.Comparison != nil && j.Other.Info.Unchecked }

// wide says that a case may be much faster: of such a one it is not said that there is no difference.
func (j Judged) wide() bool { return reach(j) > smallDifference }

// reach is the difference that a comparison leaves room for.
func reach(j Judged) float64 { return max(*j.Comparison.High-1, 1-*j.Comparison.Low) }

// step is a side beside the one before.
type step struct {
	from, to named
	changed  []*document.Comparison // that have a verdict, of those that were compared
	compared int
	ids      []string
}

func (v *sidesView) stepsOf() (steps []step) {
	for i := range v.sides[1:] {
		s := step{from: v.sides[i], to: v.sides[i+1]}
		for _, c := range v.cases {
			found := v.Declared(c.rows[s.from.Side.Side], c.rows[s.to.Side.Side])
			if found == nil {
				continue
			}
			s.compared++
			s.ids = append(s.ids, found.ID)
			if answer.Differs(found) {
				s.changed = append(s.changed, found)
			}
		}
		steps = append(steps, s)
	}
	return steps
}

func (v *sidesView) steps() layout.Answer {
	var parts []layout.Text
	a := layout.Answer{Mark: layout.Plain}
	for _, s := range v.stepsOf() {
		a.Evidence = append(a.Evidence, s.ids...)
		faster := answer.Select(s.changed, func(c *document.Comparison) bool { return c.Verdict == string(stat.Faster) })
		var what layout.Text
		switch slower := len(s.changed) - len(faster); {
		case s.compared == 0:
			what = layout.Text{EN: "nothing was compared", ZH: "没有可比的项"}
		case len(s.changed) == 0:
			what = layout.Say("no change found in %s", "%s中未见变化", counted(s.compared))
		case slower == 0:
			what = layout.Say("%d of %s faster", "%[2]s中 %[1]d 项变快", len(faster), counted(s.compared))
		case len(faster) == 0:
			what = layout.Say("%d of %s slower", "%[2]s中 %[1]d 项变慢", slower, counted(s.compared))
		default:
			what = layout.Say("%d faster and %d slower, of %s", "%[3]s中 %[1]d 项变快，%[2]d 项变慢", len(faster), slower, counted(s.compared))
		}
		parts = append(parts, layout.Say("%s to %s: %s", "%s 到 %s：%s", s.from.short, s.to.short, what))
	}
	a.Text = layout.Say("Where it changed. %s.", "变化出现在哪一步：%s。", answer.Semicolons(parts))
	return a
}

// nulls says what comes of the first side against itself; it is empty where that was not measured.
func (v *sidesView) nulls() (a layout.Answer) {
	called, most, n := 0, 0.0, 0
	for _, c := range v.cases {
		found := v.Declared(c.rows[v.first()], c.null)
		if found == nil || found.Low == nil || found.High == nil {
			continue
		}
		n++
		a.Evidence = append(a.Evidence, answer.Evidence(found)...)
		most = max(most, answer.Abs(found.Ratio-1))
		if answer.Differs(found) {
			called++
		}
	}
	switch {
	case n == 0:
		return layout.Answer{}
	case called > 0:
		a.Mark = layout.Beware
		a.Text = layout.Say("%s against itself: this machine calls %d of %s different, where nothing differs (by up to %s): do not rely on such differences today.",
			"%s 与自身对比：本机把 %[3]s中的 %[2]d 项判为不同，而实际并无差异（最大 %[4]s）：今天不要依据这样的差异。",
			v.of(v.first()).label, called, counted(n), layout.FormatShare(most))
	default:
		a.Mark = layout.Plain
		a.Text = layout.Say("%s against itself: of %s this machine calls none different; the medians differ by up to %s.",
			"%s 与自身对比：%s中本机没有把任何一项判为不同；中位数相差最大 %s。", v.of(v.first()).label, counted(n), layout.FormatShare(most))
	}
	return a
}

// built says how the sides were built, where there is something to say. A row of each stands for it.
func (v *sidesView) built() (all []layout.Answer) {
	var notes []result.Note
	of, rests := map[result.Note][]layout.Text{}, map[result.Note][]string{}
	for _, s := range v.sides {
		row := cmp.Or(document.Mapped(v.cases, func(c sided) *document.Row { return c.rows[s.Side.Side] })...)
		for _, n := range s.Notes {
			if of[n] == nil {
				notes = append(notes, n)
			}
			if name := layout.Same(readable(s.Name)); !slices.Contains(of[n], name) {
				of[n] = append(of[n], name)
			}
			if row != nil {
				rests[n] = append(rests[n], row.ID)
			}
		}
	}
	for _, n := range notes {
		if len(rests[n]) > 0 {
			all = append(all, layout.Answer{Mark: layout.Plain, Evidence: rests[n],
				Text: layout.Say("%s: %s.", "%s：%s。", layout.JoinWith(of[n], ", ", "、"), layout.Text(n))})
		}
	}
	return all
}
