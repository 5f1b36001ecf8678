package decide

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Lay puts a decision into a document that has its answers, in their place: the formats draw
// it. What is wrong stays first.
func (d *Decision) Lay(doc *document.Document) {
	doc.Suite, doc.Unmeasured, doc.Answers = ExperimentName, nil, slices.Clone(doc.WrongOutputs)
	l := layout.Layout{Experiment: ExperimentName, Title: d.Headline(), Answers: d.sentences()}
	l.Headline = answer.NonEmpty(d.leading())
	l.Tables = answer.NonEmpty(d.table(), d.excluded())
	l.Charts = d.charts()
	for i := range l.Answers {
		l.Answers[i].Experiment, l.Answers[i].Short = ExperimentName, true
	}
	l.Line = layout.Answer{Experiment: ExperimentName, Mark: layout.Plain, Text: l.Title}
	doc.Layouts = []layout.Layout{l}
	d.keep(doc)
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
	rows := []document.Row{}
	for _, r := range doc.Rows {
		if ids[r.ID] || r.Experiment == ExperimentName {
			r.Experiment = ExperimentName
			rows = append(rows, r)
		}
	}
	doc.Rows = rows
	doc.Comparisons = slices.DeleteFunc(slices.Clone(doc.Comparisons), func(c document.Comparison) bool {
		is := func(id string) bool {
			return slices.ContainsFunc(rows, func(r document.Row) bool { return r.ID == id })
		}
		return !is(c.Base) || !is(c.Other)
	})
}

// Headline is the first line: CPUs, the rate that they are for, and what they assume.
func (d *Decision) Headline() layout.Text {
	what := layout.Same(d.Workload.Name)
	if d.Workload.Name == "" {
		what = d.Steps[0].Need.Text()
		if len(d.Steps) > 1 {
			what = layout.Say("%d steps", "%d 个步骤", len(d.Steps))
		}
	}
	if d.Rate() > 0 {
		what = layout.Say("%s, %s/s", "%s，%s/s", answer.Upper(what), layout.FormatCount(d.Rate()))
	}
	if d.VCPU == nil {
		return layout.Say("%s: no number of CPUs, since a step has no candidate with one (below)",
			"%s：无法给出 vCPU 数，有步骤没有可用的候选（见下）", what)
	}
	how := layout.Text{EN: "with every CPU busy", ZH: "按全部 CPU 繁忙计"}
	if d.Alone {
		how = layout.Text{EN: "by a lone loop, since busy CPUs were not measured", ZH: "仅按单独循环计，未测全部 CPU 繁忙"}
	}
	used := layout.Say("a utilization of %s", "利用率 %s", layout.FormatCount(d.Workload.Limits.Used()))
	if d.Workload.Limits.Utilization == 0 {
		used = layout.Text{EN: "a utilization of 1 (none was given)", ZH: "利用率 1（未指定）"}
	}
	line := layout.Say("%s: %s vCPU, %s, at %s", "%s：%s 个 vCPU，%s，%s", what, figure(d.VCPU, layout.FormatNumber), how, used)
	if d.Extrapolates() {
		line = layout.Say("%s; extrapolated: this machine has %d CPUs", "%s；系外推：本机只有 %d 个 CPU", line, d.CPUs)
	}
	if c := d.Check; c != nil && c.Outcome == Off {
		line = layout.Say("%s; run together the steps took %s times what was predicted", "%s；各步骤合在一起运行时为预测的 %s 倍", line,
			layout.FormatNumber(c.ObservedVCPU/c.PredictedVCPU))
	}
	return line
}

// figure is an estimate with its interval, or with what stands in its place.
func figure(e *document.Estimate, show func(float64) string) layout.Text {
	if e.Low == nil || e.High == nil {
		return layout.Say("%s (inconclusive: too few blocks)", "%s（数据组太少，无法判定）", show(e.Median))
	}
	return layout.Same(show(e.Median) + " (" + answer.Span(*e.Low, *e.High, show) + ")")
}

func (d *Decision) sentences() (all []layout.Answer) {
	for i, c := range d.Steps {
		if len(d.Steps) <= mostTold {
			c.told = len(c.rivals())
		}
		all = append(all, c.sentences()...)
		if i < len(d.Weighed) && d.Weighed[i].First != nil {
			w := d.Weighed[i]
			all = append(all, layout.Answer{Mark: layout.Plain, Evidence: []string{w.First.Row.ID}, Text: layout.Say(
				"%s: under your weights %s comes first; it does under %s of all weightings.", "%s：按您的权重，%s 居首；在全部可能的权重中有 %s 如此。",
				c.Name, w.First.text(), layout.FormatShare(w.Share))})
		}
	}
	return append(all, d.notes()...)
}

// notes are what holds for the plan as a whole.
func (d *Decision) notes() (all []layout.Answer) {
	say := func(mark layout.Mark, en, zh string, args ...any) {
		all = append(all, layout.Answer{Mark: mark, Text: layout.Say(en, zh, args...), Evidence: []string{}})
	}
	if cost := d.CostPerMillion(); cost != nil {
		say(layout.Plain, "A million transactions cost %s %s of CPU.", "每百万笔事务的 CPU 费用为 %s %s。", layout.FormatNumber(*cost), d.Workload.Price.Currency)
	}
	if n := d.Instances(); n != nil {
		say(layout.Plain, "%d instances of %s vCPU are enough.", "%d 台 %s vCPU 的实例即够。", *n, layout.FormatCount(d.Workload.Price.VCPUPerInstance))
	}
	all = append(all, d.checked()...)
	for _, c := range d.Steps {
		if (c.Need == Sign || c.Need == Verify) && len(c.Sizes) > 0 {
			say(layout.Plain, "%s: signatures are of a digest; where messages are long, add hashing them as a step of its own.",
				"%s：签名的对象是摘要；消息较长时，请把杂凑另列为一个步骤。", c.Name)
		}
		if c.Need == Handshake {
			say(layout.Plain, "%s: CPU time is that of the server's side alone.", "%s：CPU 时间只计服务器一侧。", c.Name)
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
			mark, held = layout.Beware, layout.Text{EN: "what the parts don't explain: caches, clocks and garbage collection", ZH: "各部分之和未能解释：缓存、主频与垃圾回收"}
		case Inconclusive:
			mark, held = layout.Unclear, layout.Text{EN: "inconclusive: the machine was too busy to tell", ZH: "无法判定：测量时机器过忙"}
		}
		say(mark, "Checked by running the chosen steps together: %s vCPU observed, %s predicted (%s off); %s.",
			"将所选步骤合在一起运行核对：实测 %s vCPU，预测 %s（相差 %s）；%s。",
			layout.FormatNumber(c.ObservedVCPU), layout.FormatNumber(c.PredictedVCPU), layout.FormatShare(answer.Abs(off)), held)
	}
	if limit := d.Workload.Limits.P99; limit > 0 {
		d.latency(say)
	}
	return all
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
	x, y := base.load, other.load
	if base.Busy == nil || other.Busy == nil {
		x, y = base.alone, other.alone
	}
	s := stat.Compare(singles(x), singles(y), level, stat.MinFloor)
	c := &document.Comparison{Ratio: s.Ratio, Verdict: string(s.Verdict)}
	if s.Level >= stat.LeastLevel {
		c.Low, c.High, c.Level = &s.Low, &s.High, min(s.Level, level)
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

func (c *Choice) sentences() (all []layout.Answer) {
	if c.Chosen == nil {
		return []layout.Answer{c.nothing()}
	}
	say := func(mark layout.Mark, with *Candidate, text layout.Text) {
		a := layout.Answer{Mark: mark, Text: text, Evidence: []string{c.Chosen.Row.ID}}
		if with != nil && with != c.Chosen {
			a.Evidence = append(a.Evidence, with.Row.ID)
		}
		all = append(all, a)
	}
	say(layout.Choose, nil, c.recommendation())
	if t := c.Today; t != nil && t != c.Chosen {
		say(layout.Choose, t, c.move(t))
	}
	for _, x := range c.Candidates {
		if x.Standing == New && x != c.Chosen {
			say(layout.Plain, x, layout.Say("%s: %s is %s; choose it once you trust new code.", "%s：%s：%s；信任新代码后再选它。",
				c.Name, x.text(), ratio(c.Chosen, x)))
		}
	}
	for _, x := range c.Dropped {
		say(layout.Plain, x.Candidate, layout.Say("%s: without %s it would be %s, %s.", "%s：若去掉 %s，则选 %s：%s。",
			c.Name, string(x.Requirement), x.Candidate.text(), ratio(c.Chosen, x.Candidate)))
	}
	return all
}

// ratio words how fast other is beside base.
func ratio(base, other *Candidate) layout.Text { return answer.Ratio(versus(base, other), base.text()) }

// mostTold is of how many steps each is told with its rivals: a plan is one screen.
const mostTold = 2

// recommendation is what to choose, what it takes, and how it compares.
func (c *Choice) recommendation() layout.Text {
	x := c.Chosen
	text := layout.Say("%s: use %s: %s of CPU a call, %s vCPU", "%s：请用 %s：每次耗 CPU %s，需 %s 个 vCPU",
		c.Name, x.text(), figure(x.cost(), layout.FormatTime), figure(x.VCPU, layout.FormatNumber))
	if !x.established() {
		text = layout.Say("%s; nothing established meets the need", "%s；没有成熟的实现满足需要", text)
	}
	for _, r := range c.rivals()[:c.told] {
		text = layout.Say("%s; %s", "%s；%s", text, ratio(r, x))
	}
	if x.Bytes != nil && c.told > 0 {
		text = layout.Say("%s; %s bytes are sent", "%s；传输 %s 字节", text, layout.FormatCount(float64(int64(*x.Bytes+0.5))))
	}
	return layout.Say("%s.", "%s。", text)
}

// rivals are whom the chosen one is told beside: the next of another algorithm, and what most have.
func (c *Choice) rivals() (few []*Candidate) {
	if c.Chosen == nil {
		return nil
	}
	add := func(is func(*Candidate) bool) {
		for _, x := range c.Candidates {
			if x != c.Chosen && x != c.Today && x.Standing != Excluded && x.established() && x.name() != c.Chosen.name() && is(x) && !slices.Contains(few, x) {
				few = append(few, x)
				return
			}
		}
	}
	next := slices.Clone(c.Candidates)
	slices.SortStableFunc(next, func(a, b *Candidate) int { return cmp.Compare(costOf(a), costOf(b)) })
	for _, x := range next {
		before := len(few)
		if add(func(y *Candidate) bool { return x == y }); len(few) > before {
			break
		}
	}
	add(func(x *Candidate) bool { return x.Row.Algorithm == algorithm.RSA2048 })
	return few
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
		return layout.Say("%s: use %s instead of %s: %s.", "%s：请用 %s 代替 %s：%s。", c.Name, c.Chosen.text(), t.text(), t.Excluded[0].Why)
	}
	text := layout.Say("%s: move from %s to %s: %s", "%s：请从 %s 改为 %s：%s", c.Name, t.text(), c.Chosen.text(), ratio(t, c.Chosen))
	for _, w := range t.Row.Weaknesses() {
		text = layout.Say("%s, and %s", "%s，并且%s", text, answer.LackOf(w).Gain)
	}
	return layout.Say("%s.", "%s。", text)
}

// nothing says that no candidate is left, and why.
func (c *Choice) nothing() layout.Answer {
	why, ids := []layout.Text{}, []string{}
	for _, x := range c.Candidates {
		why, ids = append(why, layout.Say("%s: %s", "%s：%s", x.text(), x.Excluded[0].Why)), append(ids, x.Row.ID)
	}
	if len(why) == 0 {
		why = append(why, layout.Text{EN: "nothing was measured", ZH: "没有任何测量结果"})
	}
	text := layout.Say("%s: no candidate is left: %s", "%s：没有候选：%s", c.Name, joined(why[:min(len(why), 3)]))
	for _, x := range c.Dropped {
		text = layout.Say("%s; without %s there would be %s", "%s；去掉 %s 则有 %s", text, string(x.Requirement), x.Candidate.text())
	}
	return layout.Answer{Mark: layout.Unclear, Text: layout.Say("%s.", "%s。", text), Evidence: ids}
}
