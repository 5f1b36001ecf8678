package decide

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Lay puts a decision into a document that has its answers, in their place: the formats draw
// it. What is wrong stays first.
func (d *Decision) Lay(doc *document.Document) {
	doc.Suite, doc.Unmeasured, doc.Answers = ExperimentName, nil, slices.Clone(doc.WrongOutputs)
	l := layout.Layout{Experiment: ExperimentName, Whole: true, Answers: d.sentences(), Figures: d.figures(), FiguresSayLine: true, Charts: d.charts(),
		Title: layout.Say("%s: what to choose, and how many CPUs it takes", "%s：选用什么，需要多少 CPU", d.what())}
	l.Headline = answer.NonEmpty(d.leading())
	l.Tables = answer.NonEmpty(d.table(), d.together(), d.latencies(), d.weighed(), d.excluded(), d.required(), d.known())
	for i := range l.Answers {
		l.Answers[i].Experiment, l.Answers[i].Short = ExperimentName, true
	}
	l.Line = layout.Answer{Experiment: ExperimentName, Mark: layout.Plain, Text: d.Headline()}
	doc.Layouts = []layout.Layout{l}
	d.keep(doc)
	if doc.Seconds != nil { // of all that was measured
		whole := *doc.Seconds + d.checking
		doc.Seconds = &whole
	}
	doc.Answers = append(doc.Answers, l.Answers...)
}

// keep leaves a document the rows of candidates, as rows of this plan: those of a run of other
// experiments say more than was asked.
func (d *Decision) keep(doc *document.Document) {
	ids := map[string]bool{}
	for _, s := range d.Steps {
		for _, c := range s.Candidates {
			ids[c.Row.ID] = true
		}
	}
	rows := []*document.Row{}
	for _, r := range doc.Rows {
		if ids[r.ID] || r.Experiment == ExperimentName {
			kept := *r // candidates go on naming the experiment that measured them
			kept.Experiment = ExperimentName
			rows, ids[r.ID] = append(rows, &kept), true
		}
	}
	doc.Rows = rows
	doc.Comparisons = answer.Select(doc.Comparisons, func(c document.Comparison) bool { return ids[c.Base] && ids[c.Other] })
}

// what names the plan, and the rate that it is for.
func (d *Decision) what() layout.Text {
	what := layout.Same(d.Workload.Name)
	if d.Workload.Name == "" {
		what = d.Steps[0].Need.Text()
		if len(d.Steps) > 1 {
			what = layout.Say("%d steps", "%d 个步骤", len(d.Steps))
		}
	}
	switch {
	case !d.Workload.Rated():
		what = layout.Say("%s, for every %s/s (no rate was given)", "%s，按每 %s/s 计（未指定速率）", what, layout.FormatCount(d.Rate()))
	case d.Rate() > 0:
		what = layout.Say("%s, %s/s", "%s，%s/s", what, layout.FormatCount(d.Rate()))
	}
	return answer.Upper(what)
}

// Headline is the first line: the choice, the CPUs that it takes, the rate that they are for, and what they assume.
func (d *Decision) Headline() layout.Text {
	if d.VCPU == nil {
		return layout.Say("%s: no number of CPUs: a step has no candidate left (see below)",
			"%s：无法给出 vCPU 数：有步骤没有可用的候选（见下）", d.what())
	}
	line := layout.Say("%s: %s, %s vCPU, %s", "%s：%s，需 %s vCPU，%s", d.what(), d.choice(), figure(d.VCPU, formatCPUs), d.assumed())
	if c := d.Check; c != nil && c.Outcome == Off {
		line = layout.Say("%s; run together the steps took %s times what was predicted", "%s；各步骤合在一起运行时，实测为预测的 %s 倍", line,
			layout.FormatNumber(c.ObservedVCPU/c.PredictedVCPU))
	}
	return line
}

// choice names what is chosen, of many steps the first ones.
func (d *Decision) choice() layout.Text {
	var names []layout.Text
	for _, s := range d.Steps {
		if s.Chosen != nil && !slices.Contains(names, s.Chosen.text()) {
			names = append(names, s.Chosen.text())
		}
	}
	use := layout.Say("use %s", "用 %s", answer.List(names[:min(len(names), mostTold)]))
	if more := len(names) - mostTold; more > 0 {
		use = layout.Say("%[1]s and %[2]d more", "%[1]s 等 %[3]d 种", use, more, len(names))
	}
	return use
}

// usualUtilization is what services are planned for where nobody says: the rest is for bursts, and the wait for a
// CPU grows without bound towards 1.
const usualUtilization = 0.7

// assumed is what a number of CPUs assumes, and how many whole ones that makes.
func (d *Decision) assumed() layout.Text {
	text := d.how()
	if d.Workload.Limits.Utilization == 0 {
		text = layout.Say("%s, at a utilization of 1 (none was given); at 0.7, the usual one, %s", "%s，利用率按 1 计（未指定）；按常用的 0.7 计为 %s 个",
			text, formatCPUs(over(d.VCPU, usualUtilization).Median))
	} else {
		text = layout.Say("%s, at a utilization of %s", "%s，利用率按 %s 计", text, strconv.FormatFloat(d.Workload.Limits.Utilization, 'g', 3, 64))
	}
	if n := d.wholeCPUs(); n > 0 {
		if d.CPUsForP99 != nil {
			text = layout.Say("%s; for 99 %% of the transactions within %s", "%s；要使 99%% 的事务在 %s 内完成",
				text, layout.FormatTime(float64(d.Workload.Limits.P99)))
		}
		is := layout.Text{EN: "are enough", ZH: "即可"}
		if n == 1 {
			is.EN = "is enough"
		}
		text = layout.Say("%s: %s %s", "%s：%s%s", text, answer.CPUs(n), is)
	}
	if d.Extrapolates() {
		text = layout.Say("%s; extrapolated: this machine has %s", "%s；属外推：本机只有 %s", text, answer.CPUs(d.CPUs))
	}
	return text
}

// wholeCPUs is how many CPUs the plan says are enough, for the load and for the limit of latency; 0 where it can't say.
func (d *Decision) wholeCPUs() (n int) {
	if d.VCPU == nil {
		return 0
	}
	if d.CPUsForP99 != nil {
		n = *d.CPUsForP99
	}
	return max(n, d.enough(d.VCPU))
}

// enough is how many CPUs are enough, at the usual utilization where none was given; 0 where there
// is no interval or no rate, or where arrivals say how many.
func (d *Decision) enough(e *document.Estimate) int {
	if !d.Workload.Rated() || d.Workload.Limits.P99 > 0 || e.High == nil {
		return 0
	}
	if d.Workload.Limits.Utilization == 0 {
		e = over(e, usualUtilization)
	}
	return max(1, int(math.Ceil(*e.High-1e-9)))
}

// how says by which loops CPUs were counted.
func (d *Decision) how() layout.Text {
	if d.Alone {
		return layout.Text{EN: "by a lone loop, since busy CPUs were not measured", ZH: "按单独循环测得，未测全部 CPU 繁忙的情形"}
	}
	return layout.Text{EN: "with every CPU busy", ZH: "全部 CPU 繁忙时测得"}
}

// over is an estimate of CPUs at a utilization, of one at 1.
func over(e *document.Estimate, utilization float64) *document.Estimate {
	scaled := document.Estimate{Median: e.Median / utilization, Level: e.Level}
	if e.Low != nil && e.High != nil {
		low, high := *e.Low/utilization, *e.High/utilization
		scaled.Low, scaled.High = &low, &high
	}
	return &scaled
}

// formatCPUs prints a number of CPUs to three figures, also where a fraction of one does.
func formatCPUs(x float64) string {
	const least = 1e-6
	if x >= 0.1 || x < least {
		return layout.FormatNumber(x)
	}
	return strconv.FormatFloat(x, 'f', 2-int(math.Floor(math.Log10(x))), 64)
}

// formatBytes prints a mean number of bytes, rounded.
func formatBytes(x float64) string { return layout.FormatCount(math.Round(x)) }

// figure is an estimate with its interval, or with what stands in its place.
func figure(e *document.Estimate, show func(float64) string) layout.Text {
	if e.Low == nil || e.High == nil {
		return layout.Say("%s (inconclusive: too few blocks)", "%s（数据组太少，无法判定）", show(e.Median))
	}
	return layout.Same(show(e.Median) + " (" + answer.Span(*e.Low, *e.High, show) + ")")
}

// sentences say what to do in each step, then what holds for all of them, then what else
// could be chosen.
func (d *Decision) sentences() (all []layout.Answer) {
	for _, c := range d.Steps {
		c.told = len(c.rivals())
		if c.tabled = len(d.Steps) > mostTold; c.tabled {
			c.told = min(c.told, 1)
		}
		all = append(all, c.advice())
		all = append(all, c.unjudged()...)
		if c.Use != nil && c.Today == nil {
			all = append(all, layout.Answer{Mark: layout.Unclear, Evidence: []string{}, Text: layout.Say(
				"%s: what runs today (%s %s) has no row here; measure it, without --budget 0.",
				"%s：此处没有现用方案（%s 的 %s）的结果；请去掉 --budget 0 重新测量。", c.label(), c.Use.Library, c.Use.names()[0])})
		}
	}
	all = append(all, d.notes()...)
	all = append(all, d.firsts()...)
	for _, c := range d.Steps {
		all = append(all, c.others()...)
	}
	return all
}

// firsts are what the weights rank first, step by step.
func (d *Decision) firsts() []layout.Answer {
	a := layout.Answer{Mark: layout.Plain, Evidence: []string{}}
	var parts []layout.Text
	for i, w := range d.Weighed {
		if w.First == nil {
			continue
		}
		part := layout.Say("%s (first in %s of all possible weightings)", "%s（在 %s 的权重组合下居首）", w.First.text(), layout.FormatShare(w.Share))
		if len(d.Steps) > 1 {
			part = layout.Say("%s: %s", "%s：%s", d.Steps[i].label(), part)
		}
		parts, a.Evidence = append(parts, part), append(a.Evidence, w.First.Row.ID)
	}
	if len(parts) == 0 {
		return nil
	}
	a.Text = layout.Say("First under your weights: %s.", "按所给权重居首的是：%s。", answer.Semicolons(parts))
	return []layout.Answer{a}
}

// notes are what holds for the plan as a whole.
func (d *Decision) notes() (all []layout.Answer) {
	say := func(mark layout.Mark, en, zh string, args ...any) {
		all = append(all, layout.Answer{Mark: mark, Text: layout.Say(en, zh, args...), Evidence: []string{}})
	}
	if cost := d.CostPerMillion(); cost != nil {
		amount := strings.TrimSpace(layout.FormatNumber(*cost) + " " + d.Workload.Price.Currency)
		say(layout.Plain, "The CPUs for a million transactions cost %s.", "每百万笔事务的 CPU 费用为 %s。", amount)
	}
	if n := d.Instances(); n != nil {
		each := layout.FormatCount(d.Workload.Price.VCPUPerInstance)
		if *n == 1 {
			say(layout.Plain, "One instance of %s vCPU is enough.", "1 台 %s vCPU 的实例即可。", each)
		} else {
			say(layout.Plain, "%d instances of %s vCPU are enough.", "需要 %d 台 %s vCPU 的实例。", *n, each)
		}
	}
	all = append(all, d.checked()...)
	if len(d.Unasked) > 0 {
		names := strings.Join(d.Unasked, ",")
		say(layout.Plain, "Not measured, since a Go program calls them through C: %s; to let them compete, name them: --libraries go,gmsm,%s.",
			"未测量 %s：Go 程序须经 C 调用它们；如需一并比较，请加 --libraries go,gmsm,%s。", strings.ReplaceAll(names, ",", ", "), names)
	}
	for _, c := range d.Steps {
		if c.ofDigest() && len(c.Sizes) > 0 {
			say(layout.Plain, "%s: the time is that of %s; for long messages add a step that hashes them.",
				"%s：耗时只含%s；消息较长时，请另加一个杂凑步骤。", c.label(), c.task())
		}
		if c.Need == Handshake {
			say(layout.Plain, "%s: CPU time is the server's alone.", "%s：CPU 时间只计服务器一侧。", c.label())
		}
	}
	return all
}

// checked says what the chosen steps took together, and whether a limit is kept.
func (d *Decision) checked() (all []layout.Answer) {
	say := func(mark layout.Mark, en, zh string, args ...any) {
		all = append(all, layout.Answer{Mark: mark, Text: layout.Say(en, zh, args...), Evidence: []string{}})
	}
	if d.Unchecked != nil {
		say(layout.Unclear, "Not checked: %s.", "未核对：%s。", *d.Unchecked)
	}
	if c := d.Check; c != nil {
		off := c.ObservedVCPU/c.PredictedVCPU - 1
		mark, held := layout.Plain, layout.Text{EN: "the prediction holds", ZH: "预测成立"}
		switch c.Outcome {
		case Off:
			mark, held = layout.Beware, layout.Text{EN: "steps that run together share caches, clock and garbage collection, which single steps don't show",
				ZH: "各步骤合在一起时共用缓存、主频与垃圾回收，单独测量无法反映"}
		case Inconclusive:
			mark, held = layout.Unclear, c.unclear()
		}
		say(mark, "Checked by running the chosen steps together: %s vCPU observed, %s predicted (%s off, both at a utilization of 1); %s.",
			"已将所选步骤合在一起运行以核对：实测 %s 个 vCPU，预测 %s（相差 %s，均按利用率 1 计）；%s。",
			formatCPUs(c.ObservedVCPU), formatCPUs(c.PredictedVCPU), layout.FormatShare(answer.Abs(off)), held)
		if c.InRequests != nil {
			all = append(all, d.inRequests(c.InRequests))
		}
	}
	if limit := d.Workload.Limits.P99; limit > 0 {
		d.latency(say)
	}
	return all
}

// inRequests says what the steps cost in the handlers of a service.
func (d *Decision) inRequests(e *document.Estimate) layout.Answer {
	factor, within := layout.FormatNumber(e.Median), answer.Interval(*e.Low, *e.High)
	switch {
	case *e.High < 1:
		less := func(x float64) string { return layout.FormatShare(1 - x) }
		return layout.Answer{Mark: layout.Plain, Evidence: []string{}, Text: layout.Say(
			"In the handlers of an HTTP service (net/http, loopback) the steps take %s less CPU (%s) than in loops: the number of CPUs above is on the safe side.",
			"在 HTTP 服务（net/http，回环）的处理函数中，这些步骤的 CPU 用量比循环中少 %s（%s）：按上述 CPU 数规划即留有余量。", less(e.Median), answer.Span(*e.High, *e.Low, less))}
	case *e.Low <= 1:
		return layout.Answer{Mark: layout.Unclear, Evidence: []string{}, Text: layout.Say(
			"In the handlers of an HTTP service (net/http, loopback) the steps take %s times the CPU that they take in loops (%s): whether that is more or less is inconclusive.",
			"在 HTTP 服务（net/http，回环）的处理函数中，这些步骤的 CPU 用量为循环中的 %s 倍（%s）：增减无法判定。", factor, within)}
	}
	more := over(d.VCPU, 1/e.Median)
	there := layout.Say("%s vCPU", "%s 个 vCPU", formatCPUs(more.Median))
	if n := d.enough(more); n > d.enough(d.VCPU) {
		there = layout.Say("%s, %s", "%s，即 %s", there, answer.CPUs(n))
	}
	return layout.Answer{Mark: layout.Plain, Evidence: []string{}, Text: layout.Say(
		"In the handlers of an HTTP service (net/http, loopback) the steps take %s times the CPU that they take in loops (%s), since requests push them out of the caches: plan %s there.",
		"在 HTTP 服务（net/http，回环）的处理函数中，这些步骤的 CPU 用量为循环中的 %s 倍（%s），因为请求处理会把它们挤出缓存：这类服务请按 %s 规划。", factor, within, there)}
}

// unclear is why a check neither holds nor fails.
func (c *Check) unclear() layout.Text {
	if c.Ratio.Low == nil || c.Ratio.High == nil {
		return layout.Text{EN: "inconclusive: too few blocks; give more time, with --budget", ZH: "无法判定：数据组太少；请用 --budget 给出更长的时间"}
	}
	return layout.Say("inconclusive: the interval of their ratio, %s, reaches beyond 10 %% off",
		"无法判定：两者之比的区间 %s 超出了 10%% 的范围", answer.Interval(*c.Ratio.Low, *c.Ratio.High))
}

// text names a candidate and its library.
func (c *Candidate) text() layout.Text {
	if !c.established() {
		return layout.Say("%s %s (new)", "%s 的 %s（新）", c.Row.Who(), c.name())
	}
	return layout.Say("%s %s", "%s 的 %s", c.Row.Who(), c.name())
}

// versus compares the speed of other with base's, block by block, on busy CPUs where both
// were measured so.
func versus(base, other *Candidate) *document.Comparison {
	x, y := base.beside, other.beside
	if x == nil || y == nil {
		x, y = base.alone, other.alone
	}
	s := stat.Compare(singles(x), singles(y), stat.RowLevel, stat.MinFloor)
	c := &document.Comparison{Ratio: s.Ratio, Verdict: string(s.Verdict)}
	if s.Level >= stat.LeastLevel {
		c.Low, c.High, c.Level = &s.Low, &s.High, min(s.Level, stat.RowLevel)
	}
	return c
}

func singles(values []float64) [][]float64 {
	blocks := make([][]float64, len(values))
	for i := range values {
		blocks[i] = values[i : i+1]
	}
	return blocks
}

// label names a step in a sentence. A need that is a flag has the flag's name in English.
func (c *Choice) label() layout.Text {
	if c.Name == string(c.Need) {
		return layout.Text{EN: c.Name, ZH: c.Need.Text().ZH}
	}
	return layout.Same(c.Name)
}

// advice is what to do in a step.
func (c *Choice) advice() layout.Answer {
	x, t := c.Chosen, c.Today
	switch {
	case x == nil:
		return c.nothing()
	case t != nil && t != x:
		return layout.Answer{Mark: layout.Choose, Text: c.move(t), Evidence: compared(x, t)}
	}
	return layout.Answer{Mark: layout.Choose, Text: c.recommendation(), Evidence: x.evidence()}
}

// unjudged says which candidates had too little time for a number: one of them may be the better choice.
func (c *Choice) unjudged() []layout.Answer {
	var names []layout.Text
	var ids []string
	for _, x := range c.Candidates {
		if len(x.Excluded) == 1 && x.Row.Status == result.Unstable && x.CPU == nil {
			names, ids = append(names, x.text()), append(ids, x.Row.ID)
		}
	}
	if len(names) == 0 || c.Chosen == nil {
		return nil
	}
	return []layout.Answer{{Mark: layout.Unclear, Evidence: ids, Text: layout.Say("%s: the time was too short to judge %s; give more, with --budget.",
		"%s：时间太短，未能评定 %s；请用 --budget 给出更长的时间。", c.label(), answer.List(names))}}
}

// others are what could be chosen in its place, on which condition.
func (c *Choice) others() (all []layout.Answer) {
	if c.Chosen == nil {
		return nil
	}
	say := func(x *Candidate, text layout.Text) {
		all = append(all, layout.Answer{Mark: layout.Plain, Text: text, Evidence: compared(c.Chosen, x)})
	}
	for _, x := range c.Candidates {
		if x.Standing == New && x != c.Chosen {
			say(x, layout.Say("%s: %s is %s; choose it once you trust new code.", "%s：%s %s；它是新实现，信任之后再选用。",
				c.label(), x.text(), ratio(c.Chosen, x)))
		}
	}
	for _, x := range c.Dropped {
		say(x.Candidate, layout.Say("%s: without %s it would be %s, %s.", "%s：若不要求 %s，则选 %s，%s。",
			c.label(), string(x.Requirement), x.Candidate.text(), ratio(c.Chosen, x.Candidate)))
	}
	return all
}

// ratio words how fast other is beside base.
func ratio(base, other *Candidate) layout.Text { return answer.Ratio(versus(base, other), base.text()) }

// pays words how fast other is beside what runs today, which was named before.
func pays(today, other *Candidate) layout.Text {
	text := answer.Ratio(versus(today, other), layout.Text{EN: "before", ZH: "原方案"})
	text.ZH = strings.ReplaceAll(text.ZH, " 原方案 ", "原方案")
	return text
}

// mostTold is of how many steps each is told with all rivals and with what it takes: a plan is
// one screen, and its table has them.
const mostTold = 2

// recommendation is what to choose, by how much it pays, and what it takes.
func (c *Choice) recommendation() layout.Text {
	x := c.Chosen
	text := layout.Say("%s: use %s", "%s：请用 %s", c.label(), x.text())
	if !x.established() {
		text = layout.Say("%s, since nothing established meets the need", "%s（没有成熟的实现满足该需求）", text)
	}
	if x == c.Today {
		text = layout.Say("%s, as today", "%s，与现用方案相同", text)
	}
	for i, r := range c.rivals()[:c.told] {
		join := layout.Text{EN: "%s; %s", ZH: "%s；%s"}
		if i == 0 {
			join = layout.Text{EN: "%s: %s", ZH: "%s：%s"}
		}
		text = layout.Say(join.EN, join.ZH, text, ratio(r, x))
		if !x.faster(r) { // what decided
			text = x.instead(text, r)
		}
	}
	if c.tabled && c.told > 0 {
		return layout.Say("%s.", "%s。", text)
	}
	return layout.Say("%s; %s.", "%s；%s。", text, c.takes())
}

// instead adds to a sentence by what a candidate is better than one that may be as fast.
func (c *Candidate) instead(text layout.Text, of *Candidate) layout.Text {
	switch fewer := compareKnown(c.Bytes, of.Bytes); {
	case fewer < 0:
		return layout.Say("%s, and %s bytes sent instead of %s", "%s，传输 %s 字节而非 %s 字节", text, formatBytes(*c.Bytes), formatBytes(*of.Bytes))
	case fewer == 0 && c.Strength() > of.Strength():
		return layout.Say("%s, and %d bits of strength instead of %d", "%s，安全强度 %d 比特而非 %d 比特", text, c.Strength(), of.Strength())
	}
	return text
}

// takes is what the chosen one takes.
func (c *Choice) takes() layout.Text {
	x := c.Chosen
	text := layout.Say("%s of CPU per call", "每次耗 CPU 时间 %s", figure(x.cost(), layout.FormatTime))
	if x.Busy != nil {
		text = layout.Say("%s with every CPU busy", "%s（全部 CPU 繁忙）", text)
	}
	text = layout.Say("%s, %s vCPU", "%s，需 %s 个 vCPU", text, figure(x.VCPU, formatCPUs))
	if x.Bytes != nil && !c.tabled {
		text = layout.Say("%s, %s bytes sent", "%s，传输 %s 字节", text, formatBytes(*x.Bytes))
	}
	return text
}

// rivals are whom the chosen one is told beside: the next of another algorithm, and what most have.
func (c *Choice) rivals() []*Candidate {
	if c.Chosen == nil {
		return nil
	}
	all := answer.Select(c.Candidates, func(x *Candidate) bool {
		return x != c.Chosen && x != c.Today && x.Standing != Excluded && x.established() && x.name() != c.Chosen.name()
	})
	if len(all) == 0 {
		return nil
	}
	next := slices.MinFunc(all, func(a, b *Candidate) int { return cmp.Compare(costOf(a), costOf(b)) })
	usual := answer.First(all, func(x *Candidate) bool { return x.Row.Algorithm == algorithm.RSA2048 && x != next })
	return answer.Present([]*Candidate{next, usual})
}

func costOf(c *Candidate) float64 {
	if c.CPU == nil {
		return 0
	}
	return c.cost().Median
}

// move is what leaving today's way for the chosen one brings.
func (c *Choice) move(t *Candidate) layout.Text {
	if t.CPU == nil {
		return layout.Say("%s: use %s instead of %s: %s; %s.", "%s：请用 %s 代替 %s：%s；%s。", c.label(), c.Chosen.text(), t.text(), t.Excluded[0].Why, c.takes())
	}
	text := layout.Say("%s: move from %s to %s: %s", "%s：请从 %s 改用 %s：%s", c.label(), t.text(), c.Chosen.text(), pays(t, c.Chosen))
	for _, w := range t.Row.Weaknesses() {
		text = layout.Say("%s, and %s", "%s，并且%s", text, answer.LackOf(w).Gain)
	}
	if c.tabled {
		return layout.Say("%s.", "%s。", text)
	}
	return layout.Say("%s; %s.", "%s；%s。", text, c.takes())
}

// nothing says that no candidate is left, and why.
func (c *Choice) nothing() layout.Answer {
	var reasons []layout.Text
	with, ids, short := map[layout.Text][]*Candidate{}, []string{}, false
	for _, x := range c.Candidates {
		why := x.Excluded[0].Why
		if with[why] == nil {
			reasons = append(reasons, why)
		}
		with[why], ids, short = append(with[why], x), append(ids, x.Row.ID), short || x.Row.Status == result.Unstable
	}
	var why []layout.Text
	for _, r := range reasons[:min(len(reasons), 3)] {
		who := with[r][0].text()
		if more := len(with[r]) - 1; more > 0 {
			who = layout.Say("%[1]s and %[2]d more", "%[1]s 等 %[3]d 个", who, more, more+1)
		}
		why = append(why, layout.Say("%s: %s", "%s：%s", who, r))
	}
	if len(why) == 0 {
		why = append(why, layout.Text{EN: "nothing was measured", ZH: "没有任何测量结果"})
	}
	text := layout.Say("%s: no candidate is left: %s", "%s：没有可用的候选：%s", c.label(), answer.Semicolons(why))
	if short {
		text = layout.Say("%s; give more time, with --budget", "%s；请用 --budget 给出更长的时间", text)
	}
	for _, x := range c.Dropped {
		text = layout.Say("%s; without %s there would be %s", "%s；若不要求 %s，则有 %s", text, string(x.Requirement), x.Candidate.text())
	}
	return layout.Answer{Mark: layout.Unclear, Text: layout.Say("%s.", "%s。", text), Evidence: ids}
}
