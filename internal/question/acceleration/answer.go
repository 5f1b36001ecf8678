package acceleration

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "acceleration", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "How much does each CPU feature speed up each library and mode?",
		ZH: "每项 CPU 特性能让各个库、各种模式快多少？"}}

// layOut lays out what the CPU's features are worth: each library as it is
// against itself without one.
func layOut(v *answer.View) layout.Layout {
	a := newView(v)
	chosen, sentences := a.Chosen(a.advice()...)
	return layout.Layout{
		Line:     answer.FirstSaid(a.line(), chosen),
		Title:    layout.Text{EN: "Hardware acceleration", ZH: "硬件加速"},
		Answers:  answer.Said(slices.Concat(a.flags(), a.worth(), a.faster(), a.useless(), a.noSwitch(), sentences)...),
		Headline: answer.NonEmpty(a.headline()),
		Tables:   a.tables(),
		Charts:   a.charts(),
		Next:     []layout.Next{answer.Run("acceleration", "every library, mode and feature", "全部密码库、工作模式与特性")},
	}
}

type view struct {
	*answer.View
	usual   int64 // the size that the answer is about: that of the headline comparisons, else the longest
	names   []string
	toggles []toggle
}

// toggle is a row beside the same without a feature: how many times as fast the
// feature makes it.
type toggle struct {
	feature switches.Feature
	off, on *document.Row
	c       *document.Comparison // with an interval; nil where there is none
}

func newView(v *answer.View) *view {
	a := &view{View: v}
	for _, off := range a.Rows {
		a.usual = max(a.usual, off.Bytes)
		feature, ok := switches.FeatureOf(off.Library, off.Environment)
		for _, on := range a.Rows {
			if ok && on.Environment == "" && sameBut(on, off) {
				a.toggles = append(a.toggles, toggle{feature, off, on, a.Compare(off, on)})
			}
		}
	}
	if i := slices.IndexFunc(a.toggles, toggle.headline); i >= 0 {
		a.usual = a.toggles[i].on.Bytes
	}
	a.names = answer.Values(a.Rows, a.Versioned, nil)
	slices.SortStableFunc(a.names, answer.Behind(answer.IsNew))
	return a
}

func sameBut(a, b *document.Row) bool {
	return a.Library == b.Library && a.Version == b.Version && a.CallPath == b.CallPath && a.Case() == b.Case()
}

func (t toggle) headline() bool { return t.c != nil && t.c.Headline }

func (t toggle) differs() bool { return t.c != nil && answer.Differs(t.c) }

// gravely is from how many times as long on a missing feature is something to beware of.
func (t toggle) gravely() bool {
	const grave = 1.5
	return answer.Decided(t.c, "faster") && *t.c.Low >= grave
}

func (a *view) of(keep func(toggle) bool) []toggle { return answer.Select(a.toggles, keep) }

func (a *view) by(who string) []toggle {
	return a.of(func(t toggle) bool { return a.Versioned(t.on) == who })
}

func (a *view) headlines() []toggle { return byFeature(a.of(toggle.headline)) }

// byFeature orders toggles as features are shown, and keeps the rows' order within.
func byFeature(ts []toggle) []toggle {
	return slices.SortedStableFunc(slices.Values(ts), func(a, b toggle) int {
		return cmp.Compare(slices.Index(switches.Features(), a.feature), slices.Index(switches.Features(), b.feature))
	})
}

func comparisons(ts []toggle) (cs []*document.Comparison) {
	for _, t := range ts {
		if t.c != nil {
			cs = append(cs, t.c)
		}
	}
	return cs
}

// features are what tables call each, what sentences do where that is otherwise, and
// what /proc/cpuinfo does on amd64 and on arm64; "" where it has no one name.
var features = map[switches.Feature]struct {
	column, text layout.Text
	amd64, arm64 string
}{
	switches.AES: {layout.Same("AES"), layout.Text{EN: "AES instructions", ZH: "AES 指令"}, "aes", "aes"},
	switches.CarrylessMultiply: {layout.Same("CLMUL"), layout.Text{EN: "carry-less multiplication", ZH: "无进位乘法指令"},
		"pclmulqdq", "pmull"},
	switches.SHA:    {layout.Same("SHA"), layout.Text{EN: "SHA instructions", ZH: "SHA 指令"}, "sha_ni", "sha2"},
	switches.AVX:    {column: layout.Same("AVX"), amd64: "avx"},
	switches.AVX2:   {column: layout.Same("AVX2"), amd64: "avx2"},
	switches.AVX512: {column: layout.Same("AVX-512"), amd64: "avx512f"},
	switches.VAES:   {column: layout.Same("VAES"), amd64: "vaes"},
	switches.GFNI:   {column: layout.Same("GFNI"), amd64: "gfni"},
	switches.All:    {column: layout.Text{EN: "all", ZH: "全部"}, text: layout.Text{EN: "any of them", ZH: "任何加速特性"}},
}

func (a *view) flag(f switches.Feature) string {
	if a.Doc.Machine.Arch == "arm64" {
		return features[f].arm64
	}
	return features[f].amd64
}

// lacks says whether this CPU has not what a switch turns off, as far as the run tells: then the switch had no effect,
// whatever the times say.
func (a *view) lacks(f switches.Feature) bool {
	has, flag := a.Doc.Machine.CPU.Features, a.flag(f)
	return len(has) > 0 && flag != "" && !slices.Contains(has, flag)
}

func column(f switches.Feature) layout.Text { return features[f].column }

// flags says which features a virtual machine must not hide: those that are worth
// much to a headline case of the first library that has it. The first is the example.
func (a *view) flags() []*layout.Answer {
	var said answer.Clauses
	var worth []toggle
	for _, f := range switches.Features() {
		i := slices.IndexFunc(a.toggles, func(t toggle) bool { return t.feature == f && t.gravely() && t.c.Headline })
		if flag := a.flag(f); i >= 0 && flag != "" {
			worth = append(worth, a.toggles[i])
			said.Tell(layout.Same(flag), a.toggles[i].c)
		}
	}
	if len(worth) == 0 {
		return nil
	}
	t, word := worth[0], layout.Text{EN: "flags", ZH: "标志"}
	if len(worth) == 1 {
		word.EN = "flag"
	}
	return []*layout.Answer{answer.Short(said.Sentence(layout.Choose,
		"Expose the CPU %s %s to virtual machines: without %s, %s in %s takes %s times as long (%s).",
		"请向虚拟机开放 CPU %s %s 对应的指令集：没有 %s 时，%[5]s 的 %[4]s 耗时增至 %[6]s 倍（%[7]s）。",
		word, answer.List(said.Parts), said.Parts[0], answer.CaseName(t.on.Algorithm, t.on.Mode),
		answer.Label(a.Versioned(t.on)), answer.Factor(t.c.Ratio), answer.Limits(t.c)))}
}

// line is to expose the feature that is worth most to the first case that it is worth much to.
func (a *view) line() *layout.Answer {
	for _, t := range slices.Concat(a.headlines(), a.of(func(t toggle) bool { return t.c != nil && !t.c.Headline })) {
		flag := a.flag(t.feature)
		if flag == "" || !t.gravely() {
			continue
		}
		l := answer.Summary{Mark: layout.Choose, Do: layout.Say("Keep the CPU flag %s exposed to virtual machines", "请始终向虚拟机开放 CPU 标志 %s 对应的指令集", flag),
			Costs: layout.Text{EN: "it costs nothing", ZH: "不增加任何开销"}}
		l.Pay(layout.Say("%s (%s) is %s", "%s（%s）的%s", answer.CipherText(t.on), a.Versioned(t.on),
			answer.Ratio(t.c, layout.Text{EN: "without it", ZH: "未开放时"})), t.c)
		return l.Said(t.c)
	}
	return nil
}

// advice is which library to use for each cipher and hash with all of the CPU's features.
func (a *view) advice() []answer.Advice {
	rows := answer.Select(a.Rows, func(r *document.Row) bool { return r.Environment == "" && r.Bytes == a.usual })
	groups := document.Grouped(rows, func(r *document.Row) [2]string { return [2]string{r.Algorithm, r.Operation} })
	return document.Mapped(groups, func(same []*document.Row) answer.Advice {
		job := layout.Say("%s of %s", "%s %s 消息", answer.Operation(same[0].Operation), answer.SizeText(a.usual))
		return answer.Advice{Contrast: true, Rows: same, Job: job, Name: answer.CipherText,
			Secure: layout.Text{EN: "an authenticated mode", ZH: "认证加密模式"}}
	})
}

// worth says, feature by feature and case by case, what it takes to do without,
// by the headline comparisons; two of the sentences go on the quick screen.
func (a *view) worth() []*layout.Answer {
	type loss struct {
		feature switches.Feature
		done    result.Case
	}
	groups := document.Grouped(a.headlines(), func(t toggle) loss { return loss{t.feature, t.on.Case()} })
	return answer.FirstShort(2, document.Mapped(groups, a.without))
}

func (a *view) without(ts []toggle) *layout.Answer {
	var said answer.Clauses
	for i, t := range ts {
		said.Tell(a.part(t, i), t.c)
	}
	mark := answer.MarkOf(said.Found...)
	if slices.ContainsFunc(ts, toggle.gravely) {
		mark = layout.Beware
	}
	of := features[ts[0].feature]
	what := cmp.Or(of.text, of.column)
	if flag := a.flag(ts[0].feature); flag != "" {
		what = layout.Say("%s (CPU flag %s)", "%s（CPU 标志 %s）", what, flag)
	}
	return said.Sentence(mark, "Without %s, %s of %s: %s%s.", "没有 %s 时的耗时（%s，%s）：%s%s。",
		what, answer.PrimitiveName(ts[0].on), answer.SizeText(ts[0].on.Bytes), answer.Semicolons(said.Parts), leaks(ts))
}

// part says of one library how long it takes without the feature; the first says
// it in full.
func (a *view) part(t toggle, place int) layout.Text {
	who, c := answer.Label(a.Versioned(t.on)), t.c
	switch {
	case c.Verdict == "faster" && answer.Abs(c.Ratio-1) < 0.1:
		return layout.Say("%s takes %s %% longer (%s %%)", "%s 增加 %s%%（%s%%）", who, answer.Percent(c.Ratio),
			answer.Percents(c))
	case c.Verdict == "faster" && place == 0:
		return layout.Say("%s takes %s times as long (%s)", "%s 为原来的 %s 倍（%s）",
			who, answer.Factor(c.Ratio), answer.Limits(c))
	case c.Verdict == "faster":
		return layout.Say("%s %s times (%s)", "%s 为 %s 倍（%s）", who, answer.Factor(c.Ratio), answer.Limits(c))
	case c.Verdict == "slower":
		return layout.Say("%s is %s times as fast as with it (%s)", "%s 反而更快，速度为原来的 %s 倍（%s）",
			who, answer.Factor(1/c.Ratio), answer.LimitsSlower(c))
	case c.Verdict == "same":
		return layout.Say("%s is as fast as with it (within 0.5 %%)", "%s 不受影响（差异在 0.5%% 以内）", who)
	}
	return layout.Say("%s inconclusive (%s times as long)", "%s 无法判定（耗时比 %s）", who, answer.Limits(c))
}

func leaks(ts []toggle) layout.Text {
	var who []layout.Text
	for _, t := range ts {
		name := layout.Same(t.on.Library)
		if t.off.ConstantTime.Value == "no" && t.on.ConstantTime.Value == "yes" && !slices.Contains(who, name) {
			who = append(who, name)
		}
	}
	if len(who) == 0 {
		return layout.Text{}
	}
	return layout.Say("; no longer constant-time then: %s (the time depends on secrets)",
		"；此时 %s 不再是常数时间实现（耗时取决于机密数据）", layout.JoinWith(who, " and ", "、"))
}

func (a *view) faster() []*layout.Answer {
	const clearly = 1.02
	var said answer.Clauses
	for _, t := range a.toggles {
		if answer.Decided(t.c, "slower") && *t.c.High <= 1/clearly && t.on.Bytes == a.usual {
			said.Tell(layout.Say("%s, %s, without %s (%s times as fast, %s)", "%s，%s，关闭 %s（速度为 %s 倍，%s）",
				answer.Label(a.Versioned(t.on)), answer.PrimitiveName(t.on), column(t.feature),
				answer.Factor(1/t.c.Ratio), answer.LimitsSlower(t.c)), t.c)
		}
	}
	return []*layout.Answer{said.Sentence(layout.Plain, "Faster without a feature than with it, at %s: %s.",
		"%s 时，以下各项关闭特性反而更快：%s。", answer.SizeText(a.usual), answer.Semicolons(said.Parts))}
}

// useless says, library by library, which switches have no effect on anything that
// was measured: those of which all comparisons say the same, and those of which none
// can tell a difference, with how large it could be.
func (a *view) useless() (out []*layout.Answer) {
	for _, who := range a.names {
		var none, unclear, absent []layout.Text
		var said answer.Clauses
		for _, f := range switches.Features() {
			cs := comparisons(a.of(func(t toggle) bool { return t.feature == f && a.Versioned(t.on) == who }))
			switch {
			case len(cs) > 0 && a.lacks(f):
				absent = append(absent, column(f))
			case len(cs) == 0 || slices.ContainsFunc(cs, answer.Differs):
				continue
			case answer.AllAre(cs, "same"):
				none = append(none, column(f))
			default:
				low, high := *cs[0].Low, *cs[0].High
				for _, c := range cs {
					low, high = min(low, *c.Low), max(high, *c.High)
				}
				unclear = append(unclear, layout.Say("%s (%s times as long)", "%s（耗时比 %s）", column(f), answer.Interval(low, high)))
			}
			said.Evidence = append(said.Evidence, answer.Evidence(cs...)...)
		}
		add := func(en, zh string, of []layout.Text) {
			if len(of) > 0 {
				said.Add(layout.Say(en, zh, answer.List(of)))
			}
		}
		add("no effect on anything measured: %s", "对所测各项均无作用：%s", none)
		add("effect inconclusive: %s", "无法判定有无作用：%s", unclear)
		add("not in this CPU: %s", "此 CPU 没有：%s", absent)
		out = append(out, said.Sentence(layout.Plain, "Switches that turn CPU features off in %s: %s.",
			"%s 关闭 CPU 特性的开关：%s。", answer.Label(who), answer.Semicolons(said.Parts)))
	}
	return out
}

func (a *view) noSwitch() []*layout.Answer {
	if len(a.toggles) == 0 {
		return nil
	}
	var said answer.Clauses
	var why layout.Text
	present := answer.Select(a.Rows, func(r *document.Row) bool { return r.Environment == "" && r.Status == result.OK })
	for _, rows := range document.Grouped(present, a.Versioned) {
		r, who := rows[0], a.Versioned(rows[0])
		if len(a.by(who)) > 0 {
			continue
		}
		if r.Library == "botan" && strings.HasPrefix(r.Version, "2.") {
			who = answer.Versioned(r)
			why = layout.Text{EN: "; Botan reads BOTAN_CLEAR_CPUID from version 3 on", ZH: "；Botan 自第 3 版起才读取 BOTAN_CLEAR_CPUID"}
		}
		said.Add(answer.Label(who), r.ID)
	}
	return []*layout.Answer{said.Sentence(layout.Plain,
		"These libraries cannot turn CPU features off, so the effect of the features is unknown: %s%s.",
		"以下库没有关闭 CPU 特性的开关，因此无法得知硬件加速的作用：%s%s。", answer.List(said.Parts), why)}
}
