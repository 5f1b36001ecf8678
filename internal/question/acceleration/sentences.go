package acceleration

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

// answers are the sentences, the most useful first.
func (a *accelerationView) answers() (out []layout.Answer) {
	add := func(more ...layout.Answer) {
		for _, s := range more {
			s.Experiment = a.Experiment
			out = append(out, s)
		}
	}
	add(a.flags()...)
	add(a.worth()...)
	add(a.faster()...)
	add(a.useless()...)
	add(a.noSwitch()...)
	return out
}

// flags says which features a virtual machine must not hide: those that are worth
// much to a headline case of the first library that has it. The first is the example.
func (a *accelerationView) flags() []layout.Answer {
	var names []layout.Text
	var worth []toggle
	for _, f := range switches.Features() {
		i := slices.IndexFunc(a.toggles, func(t toggle) bool { return t.feature == f && t.gravely() && t.c.Headline })
		if i >= 0 && a.flag(f) != "" {
			names, worth = append(names, layout.Same(a.flag(f))), append(worth, a.toggles[i])
		}
	}
	if len(worth) == 0 {
		return nil
	}
	t, word := worth[0], layout.Text{EN: "flags", ZH: "标志"}
	if len(worth) == 1 {
		word.EN = "flag"
	}
	return []layout.Answer{{Mark: layout.Choose, Short: true, Evidence: evidenceOfToggles(worth),
		Text: layout.Say("Expose the CPU %s %s to virtual machines: without %s, %s in %s takes %s times as long (%s).", "请向虚拟机开放 CPU %s %s 对应的指令集：没有 %s 时，%[5]s 的 %[4]s 耗时增至 %[6]s 倍（%[7]s）。",
			word, answer.JoinWith(names, ", ", "、"), names[0], answer.CaseName(t.on.Algorithm, t.on.Mode), answer.Label(a.who(t.on)), answer.Factor(t.c.Ratio), answer.Interval(*t.c.Low, *t.c.High))}}
}

// shortWorth is how many of the sentences below go on the quick screen.
const shortWorth = 2

// worth says, feature by feature and case by case, what it takes to do without,
// by the headline comparisons.
func (a *accelerationView) worth() (out []layout.Answer) {
	type about struct {
		feature         switches.Feature
		algorithm, mode string
		operation       string
	}
	var order []about
	groups := map[about][]toggle{}
	for _, t := range byFeature(a.of(func(t toggle) bool { return t.c != nil && t.c.Headline })) {
		of := about{t.feature, t.on.Algorithm, t.on.Mode, t.on.Operation}
		if groups[of] == nil {
			order = append(order, of)
		}
		groups[of] = append(groups[of], t)
	}
	for i, of := range order {
		s := a.without(of.feature, groups[of])
		s.Short = i < shortWorth
		out = append(out, s)
	}
	return out
}

// grave is from how many times as long on a missing feature is something to beware of.
const grave = 1.5

func (t toggle) gravely() bool { return t.c != nil && t.c.Verdict == "faster" && *t.c.Low >= grave }

// without is the sentence of one feature and case over the libraries.
func (a *accelerationView) without(f switches.Feature, ts []toggle) layout.Answer {
	s := layout.Answer{Mark: layout.Plain, Evidence: evidenceOfToggles(ts)}
	var parts []layout.Text
	undecided := true
	for i, t := range ts {
		parts = append(parts, a.part(t, i == 0))
		undecided = undecided && t.c.Verdict == "inconclusive"
		if t.gravely() {
			s.Mark = layout.Beware
		}
	}
	if undecided {
		s.Mark = layout.Unclear
	}
	what := featureText(f)
	if flag := a.flag(f); flag != "" {
		what = layout.Say("%s (CPU flag %s)", "%s（CPU 标志 %s）", what, flag)
	}
	s.Text = layout.Say("Without %s, %s of %s: %s%s.", "没有 %s 时的耗时（%s，%s）：%s%s。", what, answer.PrimitiveName(ts[0].on), answer.SizeText(ts[0].on.Bytes),
		answer.JoinWith(parts, "; ", "；"), leaks(ts))
	return s
}

// part says of one library how long it takes without the feature; the first says
// it in full.
func (a *accelerationView) part(t toggle, first bool) layout.Text {
	who, c := answer.Label(a.who(t.on)), t.c
	switch {
	case c.Verdict == "faster" && answer.Abs(c.Ratio-1) < 0.1:
		return layout.Say("%s takes %s %% longer (%s %%)", "%s 增加 %s %%（%s %%）", who, answer.Percent(c.Ratio), answer.Percents(c))
	case c.Verdict == "faster" && first:
		return layout.Say("%s takes %s times as long (%s)", "%s 为原来的 %s 倍（%s）", who, answer.Factor(c.Ratio), answer.Interval(*c.Low, *c.High))
	case c.Verdict == "faster":
		return layout.Say("%s %s times (%s)", "%s 为 %s 倍（%s）", who, answer.Factor(c.Ratio), answer.Interval(*c.Low, *c.High))
	case c.Verdict == "slower":
		return layout.Say("%s is %s times as fast as with it (%s)", "%s 反而更快，速度为原来的 %s 倍（%s）", who, answer.Factor(1/c.Ratio), answer.Interval(1/(*c.High), 1/(*c.Low)))
	case c.Verdict == "same":
		return layout.Say("%s is as fast as with it (within 0.5 %%)", "%s 不受影响（差异在 0.5 %% 以内）", who)
	}
	return layout.Say("%s inconclusive (%s times as long)", "%s 无法判定（耗时比 %s）", who, answer.Interval(*c.Low, *c.High))
}

// leaks says whose time depends on secrets without the feature, and did not with it.
func leaks(ts []toggle) layout.Text {
	var who []string
	for _, t := range ts {
		if t.off.ConstantTime.Value == "no" && t.on.ConstantTime.Value == "yes" && !slices.Contains(who, t.on.Library) {
			who = append(who, t.on.Library)
		}
	}
	if len(who) == 0 {
		return layout.Text{}
	}
	return layout.Say("; no longer constant-time then: %s (the time depends on secrets)", "；此时 %s 不再是常数时间实现（耗时随机密数据变化）", answer.JoinWith(sames(who), " and ", "、"))
}

func sames(words []string) (ts []layout.Text) {
	for _, w := range words {
		ts = append(ts, layout.Same(w))
	}
	return ts
}

// clearly is by how much something must be faster without a feature to be told.
const clearly = 1.02

// faster says what a feature slows down.
func (a *accelerationView) faster() []layout.Answer {
	ts := a.of(func(t toggle) bool {
		return t.c != nil && t.c.Verdict == "slower" && *t.c.High <= 1/clearly && t.on.Bytes == a.usual()
	})
	if len(ts) == 0 {
		return nil
	}
	var parts []layout.Text
	for _, t := range ts {
		without := featureColumn(t.feature)
		parts = append(parts, layout.Say("%s, %s, without %s (%s)", "%s，%s，关闭 %s（%s）", answer.Label(a.who(t.on)), answer.PrimitiveName(t.on), without, fasterBy(1/t.c.Ratio, 1/(*t.c.High), 1/(*t.c.Low))))
	}
	return []layout.Answer{{Mark: layout.Plain, Evidence: evidenceOfToggles(ts),
		Text: layout.Say("Faster without a feature than with it, at %s: %s.", "%s 时，以下各项关闭特性反而更快：%s。", answer.SizeText(a.usual()), answer.JoinWith(parts, "; ", "；"))}}
}

// fasterBy prints a factor with its interval.
func fasterBy(x, low, high float64) layout.Text {
	return layout.Say("%s times as fast, %s", "%s 倍速度，%s", answer.Factor(x), answer.Interval(low, high))
}

// useless says, library by library, which switches have no effect on anything that
// was measured: those of which all comparisons say the same, and those of which none
// can tell a difference, with how large it could be.
func (a *accelerationView) useless() (out []layout.Answer) {
	for _, who := range a.whos() {
		var none, untold []layout.Text
		var evidence []toggle
		for _, f := range switches.Features() {
			ts := a.of(func(t toggle) bool { return t.feature == f && a.who(t.on) == who && t.c != nil })
			if len(ts) == 0 || slices.ContainsFunc(ts, func(t toggle) bool { return different(t.c) }) {
				continue
			}
			evidence = append(evidence, ts...)
			if answer.AllAre(comparisons(ts), "same") {
				none = append(none, featureColumn(f))
				continue
			}
			low, high := extremes(ts)
			untold = append(untold, layout.Say("%s (%s times as long)", "%s（耗时比 %s）", featureColumn(f), answer.Interval(low, high)))
		}
		var parts []layout.Text
		if len(none) > 0 {
			parts = append(parts, layout.Say("no effect on anything measured: %s", "对所测各项均无作用：%s", answer.JoinWith(none, ", ", "、")))
		}
		if len(untold) > 0 {
			parts = append(parts, layout.Say("effect inconclusive: %s", "作用无法判定：%s", answer.JoinWith(untold, ", ", "、")))
		}
		if len(parts) > 0 {
			out = append(out, layout.Answer{Mark: layout.Plain, Evidence: evidenceOfToggles(evidence),
				Text: layout.Say("Switches that turn CPU features off in %s: %s.", "%s 关闭 CPU 特性的开关：%s。", answer.Label(who), answer.JoinWith(parts, "; ", "；"))})
		}
	}
	return out
}

func comparisons(ts []toggle) (cs []*document.Comparison) {
	for _, t := range ts {
		cs = append(cs, t.c)
	}
	return cs
}

// extremes is how far all intervals reach together.
func extremes(ts []toggle) (low, high float64) {
	low, high = *ts[0].c.Low, *ts[0].c.High
	for _, t := range ts {
		low, high = min(low, *t.c.Low), max(high, *t.c.High)
	}
	return low, high
}

// noSwitch names the libraries that can't be told to do without.
func (a *accelerationView) noSwitch() []layout.Answer {
	var names, evidence []string
	var why layout.Text
	for _, r := range a.present() {
		who := a.who(r)
		if slices.Contains(names, who) || slices.ContainsFunc(a.toggles, func(t toggle) bool { return a.who(t.on) == who }) {
			continue
		}
		if r.Library == "botan" && strings.HasPrefix(r.Version, "2.") {
			who = r.Library + " " + r.Version
			why = layout.Text{EN: "; Botan reads BOTAN_CLEAR_CPUID from version 3 on", ZH: "；Botan 自第 3 版起才读取 BOTAN_CLEAR_CPUID"}
		}
		if !slices.Contains(names, who) {
			names, evidence = append(names, who), append(evidence, r.ID)
		}
	}
	if len(names) == 0 || len(a.toggles) == 0 {
		return nil
	}
	var labels []layout.Text
	for _, n := range names {
		labels = append(labels, answer.Label(n))
	}
	return []layout.Answer{{Mark: layout.Plain, Evidence: evidence,
		Text: layout.Say("These libraries cannot turn CPU features off, so the effect of the features is unknown: %s%s.", "以下库没有关闭 CPU 特性的开关，因此无法得知硬件加速的作用：%s%s。", answer.JoinWith(labels, ", ", "、"), why)}}
}

// refused says of rows whose switch the library does not know.
func refused(t toggle) bool { return t.off.Status == result.Unsupported && t.on.Status == result.OK }
