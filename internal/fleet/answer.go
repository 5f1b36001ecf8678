package fleet

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Name is how reports call the question.
const Name = "fleet"

// Lay lays the report out. A screen has so many cases of it; 0 is all.
func (r *Report) Lay(most int) layout.Layout {
	l := layout.Layout{Experiment: Name, Whole: true, Title: layout.Text{EN: "What the same work costs on each machine", ZH: "同样的工作在各机器上的费用"}}
	shown := r.Cases
	if most > 0 {
		shown = shown[:min(most, len(shown))]
	}
	l.Answers = slices.Concat(r.wrong(), r.leading(shown), r.remarks(), r.leftOut(len(r.Cases)-len(shown)))
	for i := range l.Answers {
		l.Answers[i].Experiment, l.Answers[i].Short, l.Answers[i].Evidence = Name, true, []string{}
	}
	if r.Plan != nil {
		l.Tables = append(l.Tables, r.planTable(), r.choices())
	}
	for i := range shown {
		l.Tables = append(l.Tables, r.caseTable(&shown[i]))
	}
	l.Tables = answer.NonEmpty(append(l.Tables, r.machineTable())...)
	return l
}

func say(mark layout.Mark, en, zh string, args ...any) layout.Answer {
	return layout.Answer{Mark: mark, Text: layout.Say(en, zh, args...)}
}

// wrong says where an output was wrong: there nothing has a cost.
func (r *Report) wrong() (all []layout.Answer) {
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, row := range c.Rows {
			if row.Status == result.Incorrect {
				all = append(all, say(layout.Stop, "%s by %s is wrong on %s: it has no cost there (run of %s).", "%s（%s）在 %s 上的输出错误：不列出费用（%s 的运行）。",
					c.Text(), row.who(), row.Machine.Name, day(row.Started)))
			}
		}
	}
	return all
}

// leading are the least costs, of the plan or of each case.
func (r *Report) leading(shown []Case) (all []layout.Answer) {
	if r.Plan != nil {
		return r.leadingPlan()
	}
	for i := range shown {
		c := &shown[i]
		best := c.cheapest()
		if len(best) == 0 {
			all = append(all, say(layout.Unclear, "%s: no machine has both a price and a CPU time.", "%s：没有同时具备价格与 CPU 时间的机器。", c.Text()))
			continue
		}
		parts := []layout.Text{layout.Say("%s, %s per million, by %s", "%s，每百万次 %s，%s", best[0].Machine.Name, r.money(best[0].Cost), best[0].who())}
		for _, other := range best[1:min(len(best), mostNamed)] {
			parts = append(parts, layout.Say("%s, %s", "%s，%s", other.Machine.Name, r.money(other.Cost)))
		}
		all = append(all, say(layout.Plain, "%s, by rising cost: %s.", "%s，按费用由低到高：%s。", c.Text(), answer.Semicolons(parts)))
	}
	return all
}

// mostNamed is how many machines a sentence names.
const mostNamed = 3

// cheapest is the cheapest row of each machine that can be set beside the first, by cost.
func (c *Case) cheapest() (best []Row) {
	for _, row := range c.Rows {
		if row.Cost != nil && (len(best) == 0 || row.rank() == best[0].rank()) &&
			!slices.ContainsFunc(best, func(b Row) bool { return b.Machine == row.Machine }) {
			best = append(best, row)
		}
	}
	return best
}

func (r *Report) leadingPlan() (all []layout.Answer) {
	var parts []layout.Text
	for _, l := range r.Plan.Rows {
		switch {
		case len(parts) == mostNamed || l.Hour == nil || l.rank() != r.Plan.Rows[0].rank():
		case l.Cost != nil:
			parts = append(parts, layout.Say("%s, %s per million", "%s，每百万次 %s", l.Machine.Name, r.money(l.Cost)))
		default:
			parts = append(parts, layout.Say("%s, %s per hour", "%s，每小时 %s", l.Machine.Name, r.money(l.Hour)))
		}
	}
	if len(parts) == 0 {
		all = append(all, say(layout.Unclear, "%s: no machine has both a price and a number for each step.", "%s：没有一台机器既有价格，各步骤又都有数值。", r.Plan.title()))
	} else {
		all = append(all, say(layout.Plain, "%s, by rising cost: %s.", "%s，按费用由低到高：%s。", r.Plan.title(), answer.Semicolons(parts)))
	}
	for _, l := range r.Plan.Rows {
		if missing := l.Missing(); len(missing) > 0 {
			all = append(all, say(layout.Unclear, "%s has no number for %s: measure there with cryptogauge plan and the same --store.",
				"%s 没有以下步骤的数值：%s；请在该机器上以同样的 --store 运行 cryptogauge plan。", l.Machine.Name, answer.List(missing)))
		}
	}
	return all
}

// remarks are what holds for all of it.
func (r *Report) remarks() (all []layout.Answer) {
	if r.ordered() {
		all = append(all, say(layout.Beware, "This is an order of costs and no verdict that one machine is faster: their runs were not made in turns, "+
			"so what differed between the runs (load, neighbours, clock rate, day) is in no interval.",
			"以上只是费用的排序，并不判定哪台机器更快：各机器的运行并非交替进行，各次运行之间的差别（负载、相邻租户、主频、日期）不在区间之内。"))
	}
	full, alone := r.loads()
	switch {
	case full > 0 && alone > 0:
		all = append(all, say(layout.Beware, "%d of %d costs are of a loop that ran alone; they stand below the others and can't be set beside them, since "+
			"with every CPU busy the same work takes more CPU time. cryptogauge plan measures that.",
			"%[2]d 项费用中有 %[1]d 项由单独运行的循环测得，列在其他各项之后，不能与其并列比较：全部 CPU 繁忙时，同样的工作需要更多 CPU 时间。cryptogauge plan 可测出。",
			alone, full+alone))
	case alone > 0:
		all = append(all, say(layout.Beware, "The costs are of loops that ran alone: with every CPU busy the same work takes more CPU time. cryptogauge plan measures that.",
			"费用由单独运行的循环测得：全部 CPU 繁忙时，同样的工作需要更多 CPU 时间。cryptogauge plan 可测出。"))
	}
	if unpriced := r.unpriced(); len(unpriced) > 0 {
		all = append(all, say(layout.Unclear, "No price for %s: add a line with the machine's key, label or product to the price list.",
			"%s没有价格：请在价格文件中以机器的键、名称或产品名加上一行。", answer.List(unpriced)))
	}
	if len(r.Unused) > 0 {
		all = append(all, say(layout.Unclear, "No machine of the store is called %s, which the price list has.", "价格文件中的 %s 与存储中的任何机器都不符。",
			answer.List(same(r.Unused))))
	}
	return all
}

// leftOut says how many cases a screen has no room for.
func (r *Report) leftOut(n int) []layout.Answer {
	if n <= 0 {
		return nil
	}
	return []layout.Answer{say(layout.Plain, "%d more cases are left out: narrow them, for example by --algorithms and --sizes, or take --all.",
		"篇幅所限，另有 %d 个测试项未列出：请用 --algorithms、--sizes 等缩小范围，或使用 --all。", n)}
}

// ordered says whether several machines stand in an order.
func (r *Report) ordered() bool {
	priced := 0
	for _, m := range r.Machines {
		if m.VCPUHour != nil && r.has(m) {
			priced++
		}
	}
	return priced > 1
}

// has says whether a machine has any of what was asked for.
func (r *Report) has(m *Machine) bool {
	if r.Plan != nil {
		return slices.ContainsFunc(r.Plan.Rows, func(l Load) bool { return l.Machine == m })
	}
	return slices.ContainsFunc(r.Cases, func(c Case) bool {
		return slices.ContainsFunc(c.Rows, func(row Row) bool { return row.Machine == m })
	})
}

// loads counts the costs of full machines, and of loops that ran alone.
func (r *Report) loads() (full, alone int) {
	count := func(is, has bool) {
		switch {
		case has && is:
			full++
		case has:
			alone++
		}
	}
	for _, c := range r.Cases {
		for _, row := range c.Rows {
			count(row.Full(), row.Cost != nil)
		}
	}
	if r.Plan != nil {
		for _, l := range r.Plan.Rows {
			count(l.Full, l.Hour != nil)
		}
	}
	return full, alone
}

// unpriced are the machines without a price, with what a price list could call them.
func (r *Report) unpriced() (names []layout.Text) {
	for _, m := range r.Machines {
		if m.VCPUHour == nil {
			names = append(names, layout.Say("%s (key %s)", "%s（键 %s）", m.Name, m.Key))
		}
	}
	return names
}

// Text names a case.
func (c *Case) Text() layout.Text {
	row := &document.Row{Algorithm: c.Algorithm, Mode: c.Mode, Operation: c.Operation}
	parts := []layout.Text{answer.PrimitiveName(row)}
	if c.Bytes > 0 {
		parts = append(parts, layout.Same(layout.FormatSize(c.Bytes)))
	}
	return layout.Listed(append(parts, layout.Same(c.Parameters)))
}

// who names a row's library, and the way it is called where that is not the usual one.
func (r Row) who() string {
	if r.Subject.CallPath == subject.Purego {
		return r.Subject.Library + "/" + r.Subject.CallPath
	}
	return r.Subject.Library
}

func (p *Plan) title() layout.Text {
	name := layout.Same(p.Name)
	if p.Name == "" {
		var needs []layout.Text
		for _, s := range p.Steps {
			needs = append(needs, s.Need.Text())
		}
		name = answer.List(needs)
	}
	if !p.Rated() {
		return answer.Upper(name)
	}
	return layout.Say("%s, %s/s", "%s，%s/s", answer.Upper(name), layout.FormatCount(p.Rate))
}

// money prints an estimate of a price with its interval.
func (r *Report) money(e *document.Estimate) layout.Text {
	text := formatMoney(e.Median)
	if r.Currency != "" {
		text += " " + r.Currency
	}
	if e.Low == nil || e.High == nil {
		return layout.Say("%s (no interval: too few blocks)", "%s（数据组太少，没有区间）", text)
	}
	return layout.Say("%s (%s)", "%s（%s）", text, answer.Span(*e.Low, *e.High, formatMoney))
}

// formatMoney prints a price to three figures, also where it is a fraction of a cent.
func formatMoney(x float64) string {
	const least = 1e-6
	if x >= 0.1 || x < least {
		return layout.FormatNumber(x)
	}
	digits := 2
	for y := x; y < 1; y *= 10 {
		digits++
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

func same(names []string) (texts []layout.Text) {
	for _, name := range names {
		texts = append(texts, layout.Same(name))
	}
	return texts
}

// load names on how many CPUs at once a row was measured.
func (r Row) load() layout.Text {
	switch {
	case r.Busy == 0:
		return layout.Text{EN: "alone", ZH: "单独"}
	case r.Full():
		return layout.Say("all %d", "全部 %d", r.Busy)
	}
	return layout.Say("%d of %s", "%[2]s 之 %[1]d", r.Busy, r.Machine.cpus())
}
