package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: Name, Verb: true, Narrowing: []string{"--algorithms", "--sizes"}, Layout: layOut,
	Asks: layout.Text{EN: "Did anything become slower, or wrong, from one side to the other?",
		ZH: "从一方换到另一方，有没有变慢或出错？"}}

func layOut(view *answer.View) layout.Layout {
	v := newSidesView(view)
	j := v.judge()
	l := layout.Layout{Whole: true, Title: v.title(), Line: v.line(j), Answers: v.sentences(j), Next: v.next(j)}
	for _, s := range v.sides[min(1, len(v.sides)):] {
		l.Tables = append(l.Tables, v.table(s, j.of(s.Side.Side)))
	}
	if len(v.sides) > 2 {
		l.Tables = slices.Insert(l.Tables, 0, v.stepTable())
	}
	l.Tables = answer.NonEmpty(append(l.Tables, v.nullTable())...)
	l.Headline = l.Tables[:min(len(l.Tables), 1)]
	l.Charts, l.Figures = v.chart(j), v.figures(j)
	return l
}

func (v *sidesView) title() layout.Text {
	all := document.Mapped(v.sides, func(s named) layout.Text { return layout.Same(s.label) })
	if len(all) == 1 {
		return layout.Say("%s compared with itself", "%s 与自身对比", all[0])
	}
	return layout.Say("%s compared", "%s 的对比", layout.JoinWith(all, ", ", "、"))
}

// line is the answer in one sentence: may the first side be given up for the others?
func (v *sidesView) line(j Judgement) layout.Answer {
	a := layout.Answer{Mark: layout.Choose}
	switch {
	case len(v.sides) == 1:
		a = v.nulls()
	case v.total(j) == 0:
		a.Mark, a.Text = layout.Unclear, layout.Text{EN: "Nothing was compared: no case was measured on two sides.",
			ZH: "未作任何对比：没有一个测试项在两方都有测量。"}
	case j.Failed():
		a.Mark, a.Text = layout.Stop, v.refusal(j)
	case j.Open():
		a.Mark, a.Text = layout.Unclear, v.openness(j)
	default:
		a.Text = v.consent(j)
	}
	if a.Evidence = append(a.Evidence, evidence(j.Cases)...); len(a.Evidence) == 0 {
		for _, c := range v.cases {
			for _, r := range c.rows {
				a.Evidence = append(a.Evidence, r.ID)
			}
		}
		slices.Sort(a.Evidence)
	}
	return a
}

// change words what is asked: to give up the first side for some others.
func (v *sidesView) change(to []string) (verb, change layout.Text) {
	upgrade := v.library != "" && numbered(v.sides)
	var names []layout.Text
	for _, s := range to {
		name := v.of(s).label
		if upgrade {
			name = v.of(s).short
		}
		names = append(names, layout.Same(name))
	}
	from, others := v.of(v.first()), layout.JoinWith(names, " or ", " 或 ")
	if upgrade {
		return layout.Text{EN: "upgrade", ZH: "升级"}, layout.Say("from %[1]s %[2]s to %[3]s", "从 %[1]s %[2]s 升级到 %[3]s", v.library, from.short, others)
	}
	return layout.Text{EN: "change", ZH: "更换"}, layout.Say("from %s to %s", "从 %s 换成 %s", from.label, others)
}

// numbered says that the sides are versions with numbers, of which a later one is an upgrade.
func numbered(sides []named) bool {
	return !slices.ContainsFunc(sides, func(s named) bool {
		number := strings.TrimPrefix(s.short, "v")
		return number == "" || number[0] < '0' || number[0] > '9'
	})
}

// others are the sides beside the first, or those of some cases.
func (v *sidesView) others(cases []Judged) (sides []string) {
	for _, s := range v.sides[1:] {
		if slices.ContainsFunc(cases, func(c Judged) bool { return c.Side == s.Side.Side }) {
			sides = append(sides, s.Side.Side)
		}
	}
	return sides
}

// refusal says what speaks against it.
func (v *sidesView) refusal(j Judgement) layout.Text {
	var why []layout.Text
	if wrong := j.in(Wrong); len(wrong) > 0 {
		why = append(why, layout.Say("%d of %s wrong in its output, %s first", "%[2]s中有 %[1]d 项输出错误，首先是 %[3]s",
			len(wrong), are(v.total(j), len(wrong)), wrong[0].name()))
	}
	if slower := j.in(Regressed); len(slower) > 0 {
		worst := slower[0]
		why = append(why, layout.Say("%d of %s slower by more than %s, which a second run confirms; the worst is %s: %s",
			"%[2]s中有 %[1]d 项慢 %[3]s 以上，复测已确认；最严重的是 %[4]s：%[5]s",
			len(slower), are(v.total(j), len(slower)), v.beyond(), worst.name(), much(worst.Comparison)))
	}
	verb, change := v.change(v.others(j.in(Wrong, Regressed)))
	return layout.Say("Do not %s %s: %s.", "不要%[2]s：%[3]s。", verb, change, answer.Semicolons(why))
}

// are reads on after a number: "38 cases are", "38 cases is".
func are(total, n int) layout.Text {
	verb := " are"
	if n == 1 {
		verb = " is"
	}
	t := counted(total)
	t.EN += verb
	return t
}

// total is how many cases were judged.
func (v *sidesView) total(j Judgement) int { return len(j.Cases) - j.count(Only, Skipped) }

// openness says what is not decided, and why.
func (v *sidesView) openness(j Judgement) layout.Text {
	var why []layout.Text
	slower := layout.Say("slower by more than %s", "慢 %s 以上", v.beyond())
	for _, open := range []struct {
		state         State
		one, many, zh string
	}{
		{Differs, "outputs differ in %d (%s first)", "outputs differ in %d (%s first)", "%d 项输出不同（首先是 %s）"},
		{Unconfirmed, "%d looks slower and a second run does not confirm it (%s)", "%d look slower and a second run does not confirm it (%s first)",
			"%d 项看似更慢而复测未确认（首先是 %s）"},
		{Unrepeated, "%d looks slower and was not measured again (%s)", "%d look slower and were not measured again (%s first)", "%d 项看似更慢而未复测（首先是 %s）"},
		{Lost, "%d has no number on one of the sides (%s)", "%d have no number on one of the sides (%s first)", "%d 项在一方没有数值（首先是 %s）"},
		{Undecided, "%d may be %[3]s (%[2]s)", "%d may be %[3]s (%[2]s first)", "%d 项不能排除%[3]s（首先是 %[2]s）"},
	} {
		all, en := answer.Select(j.in(open.state), func(c Judged) bool { return !c.few() }), open.many
		if len(all) == 1 {
			en = open.one
		}
		if len(all) > 0 {
			args := []any{len(all), all[0].name()}
			if open.state == Undecided {
				args = append(args, slower)
			}
			why = append(why, layout.Say(en, open.zh, args...))
		}
	}
	if few := answer.Select(j.Cases, Judged.few); len(few) > 0 {
		en := "%d have too few blocks for a verdict (%s first)"
		if len(few) == 1 {
			en = "%d has too few blocks for a verdict (%s)"
		}
		why = append(why, layout.Say(en, "%d 项数据组太少，不足以判定（首先是 %s）", len(few), few[0].name()))
	}
	if len(why) == 0 {
		why = append(why, layout.Text{EN: "the sides have no case in common that has a number", ZH: "各方没有共同的、有数值的测试项"})
	}
	verb, change := v.change(v.others(j.Cases))
	return layout.Say("It is not decided whether you may %s %s: of %s, %s%s.", "能否%[2]s尚不能判定：%[3]s中，%[4]s%[5]s。", verb, change,
		counted(v.total(j)), answer.Semicolons(why), v.moreTime(j))
}

// moreTime says how what is open may be decided.
func (v *sidesView) moreTime(j Judgement) layout.Text {
	seconds := v.longer(j)
	if seconds == 0 {
		return layout.Text{}
	}
	budget := document.TypedFlags(document.WithBudget(nil, seconds), "budget")
	return layout.Say("; give more time (--budget %s)", "；请给出更多时间（--budget %s）", budget[0].Value)
}

// longer is the budget in seconds that may decide what is open: that of all that was left out, where something was,
// or thrice as much. It is 0 where time does not help.
func (v *sidesView) longer(j Judgement) float64 {
	h := v.Doc.Run.Header
	if j.count(Undecided, Unconfirmed) == 0 || len(h.Command) == 0 || h.Budget == 0 {
		return 0
	}
	return cmp.Or(document.WholeBudget(h), 3*(h.Budget+h.Reserved))
}

// consent says that nothing speaks against it, and what it brings.
func (v *sidesView) consent(j Judgement) layout.Text {
	verb, change := v.change(v.others(j.Cases))
	text := layout.Say("You may %s %s: of %s none is slower by more than %s", "可以%[2]s：%[3]s中没有一项慢 %[4]s 以上", verb, change,
		counted(v.total(j)), v.beyond())
	if slower := j.count(Slower); slower > 0 {
		text = layout.Say("%s; %d slower by less", "%s；%d 项略慢", text, slower)
	}
	if faster := j.in(Faster); len(faster) > 0 {
		most := faster[len(faster)-1]
		text = layout.Say("%s; %d faster, most of all %s: %s", "%s；%d 项更快，最明显的是 %s：%s", text, len(faster), most.name(), much(most.Comparison))
	}
	had := func(c Judged) bool { return c.Base != nil && c.Base.Status == result.OK }
	if lacks := answer.Select(j.in(Only), had); len(lacks) > 0 {
		text = layout.Say("%s; %s gone, %s first", "%s；%s不再提供，首先是 %s", text, are(len(lacks), len(lacks)), lacks[0].name())
	}
	return layout.Say("%s.", "%s。", text)
}

func evidence(cases []Judged) (ids []string) {
	for _, c := range cases {
		if c.Comparison != nil {
			ids = append(ids, c.Comparison.ID)
		}
		ids = append(ids, answer.IDs(answer.Present([]*document.Row{c.Base, c.Other}))...)
	}
	return ids
}

// next are commands that go on from here.
func (v *sidesView) next(j Judgement) (next []layout.Next) {
	if seconds := v.longer(j); seconds > 0 {
		next = append(next, layout.Next{Command: "cryptogauge " + document.Typed(document.WithBudget(v.Doc.Command, seconds)...),
			Why: layout.Text{EN: "to decide more: more blocks", ZH: "增加数据组，以判定更多项"}})
	}
	return next
}
