package decide

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// What a plan rests on beside its candidates' rows: the check, the weights, and what is known of
// requirements and libraries.

// figures are the numbers that decide: CPUs, what a change brings or a transaction takes, and
// what was observed.
func (d *Decision) figures() (all []layout.Figure) {
	if d.VCPU == nil {
		return nil
	}
	first := d.Steps[0].Chosen.Row.ID
	all = append(all, layout.Figure{Name: d.what(), Value: formatCPUs(d.VCPU.Median) + " vCPU", Span: span(d.VCPU, 1, formatCPUs),
		Label: d.assumed(), Evidence: first})
	if i := slices.IndexFunc(d.Steps, func(c *Choice) bool { return c.Today != nil && c.Today != c.Chosen && c.Today.CPU != nil }); i >= 0 {
		all = append(all, d.Steps[i].gain())
	}
	if d.Rate() > 0 {
		scale := 1e9 * d.Workload.Limits.Used() / d.Rate()
		all = append(all, layout.Figure{Name: layout.Text{EN: "CPU time per transaction", ZH: "每笔事务的 CPU 时间"},
			Value: layout.FormatTime(scale * d.VCPU.Median), Span: span(d.VCPU, scale, layout.FormatTime), Evidence: first,
			Label: layout.Say("%s, %s", "%s，%s", d.chosen(), d.how())})
	}
	if c := d.Check; c != nil {
		all = append(all, layout.Figure{Name: layout.Text{EN: "Check: the chosen steps run together", ZH: "核对：所选步骤合在一起运行"},
			Value: formatCPUs(c.ObservedVCPU) + " vCPU", Label: layout.Say("observed; %s predicted, both at a utilization of 1",
				"实测；预测 %s，均按利用率 1 计", formatCPUs(c.PredictedVCPU)), Span: span(c.Ratio, c.PredictedVCPU, formatCPUs)})
	}
	return all
}

func span(e *document.Estimate, scale float64, show func(float64) string) string {
	if e.Low == nil || e.High == nil {
		return ""
	}
	return "(" + answer.Span(*e.Low*scale, *e.High*scale, show) + ")"
}

// gain is the speed of the chosen one beside today's.
func (c *Choice) gain() layout.Figure {
	v := versus(c.Today, c.Chosen)
	f := layout.Figure{Name: c.label(), Value: answer.Factor(v.Ratio) + "×", Evidence: c.Chosen.Row.ID,
		Label: layout.Say("speed of %s beside %s", "%s 与 %s 的速度之比", c.Chosen.text(), c.Today.text())}
	if v.Low != nil && v.High != nil {
		f.Span = "(" + answer.Limits(v) + ")"
	}
	return f
}

// chosen names what was chosen, step by step.
func (d *Decision) chosen() layout.Text {
	var en, zh []string
	for _, c := range d.Steps {
		t := c.Chosen.text()
		en, zh = append(en, t.EN), append(zh, t.ZH)
	}
	return layout.Text{EN: strings.Join(slices.Compact(en), ", "), ZH: strings.Join(slices.Compact(zh), "、")}
}

// observed is a quantity of the check, predicted and observed.
type observed struct {
	what                layout.Text
	predicted, observed *float64
	show                func(float64) string
}

// together sets what the steps took when they ran together beside the prediction.
func (d *Decision) together() layout.Table {
	c := d.Check
	if c == nil {
		return layout.Table{}
	}
	lines := []observed{{layout.Text{EN: "vCPU", ZH: "vCPU"}, &c.PredictedVCPU, &c.ObservedVCPU, formatCPUs}}
	if c.ObservedP99 != nil {
		lines = append(lines, observed{layout.Text{EN: "p99 of a transaction", ZH: "一笔事务的 p99"}, c.PredictedP99, c.ObservedP99, layout.FormatTime})
	}
	number := func(of func(observed) *float64) func(observed) layout.Cell {
		return func(o observed) layout.Cell {
			if of(o) == nil {
				return answer.Dash()
			}
			return answer.TextCell(o.show(*of(o)))
		}
	}
	return answer.Table[observed]{
		Title: layout.Text{EN: "Check: the chosen steps as one transaction", ZH: "核对：所选步骤合为一笔事务"},
		Caption: layout.Say("In random order; vCPU with every CPU busy at a utilization of 1, latency at %s transactions a second.",
			"次序随机；vCPU 在全部 CPU 繁忙时测得，按利用率 1 计；延迟在每秒 %s 笔事务下测得。", layout.FormatNumber(c.Rate)),
		Columns: []answer.Columns[observed]{
			answer.Told("Quantity", "量", func(o observed) layout.Text { return o.what }),
			answer.Figure("predicted", "预测", number(func(o observed) *float64 { return o.predicted })),
			answer.Figure("observed", "实测", number(func(o observed) *float64 { return o.observed })),
			answer.Figure("off by", "相差", func(o observed) layout.Cell {
				if o.predicted == nil || !(*o.predicted > 0) {
					return answer.Dash()
				}
				ratio := *o.observed / *o.predicted
				if ratio >= 2 {
					return layout.Cell{Text: layout.Say("%s times", "%s 倍", layout.FormatNumber(ratio))}
				}
				return answer.TextCell(layout.FormatShare(ratio - 1))
			}),
		},
	}.Of(lines)
}

// latencies sets the 99th percentile beside the number of CPUs, where there is a limit.
func (d *Decision) latencies() layout.Table {
	kept := map[Outcome]layout.Text{Held: answer.Yes, Off: answer.No, Inconclusive: {EN: "inconclusive", ZH: "无法判定"}}
	return answer.Table[Latency]{
		Title: layout.Say("Number of CPUs and the limit of p99, %s", "CPU 数与 p99 限值 %s", layout.FormatTime(float64(d.Workload.Limits.P99))),
		Caption: layout.Text{EN: "Arrivals at random; latency from when a transaction arrives. Measured on no more CPUs than this machine has.",
			ZH: "随机到达；延迟自事务到达时起算。测量所用 CPU 不多于本机所有。"},
		Columns: []answer.Columns[Latency]{
			answer.Printed("CPUs", "CPU 数", func(l Latency) string { return strconv.Itoa(l.CPUs) }),
			answer.Printed("measured on", "测量所用", func(l Latency) string { return strconv.Itoa(l.Servers) }),
			answer.Printed("utilization", "利用率", func(l Latency) string { return layout.FormatShare(l.Utilization) }),
			answer.Figure("p99", "p99", func(l Latency) layout.Cell { return layout.Cell{Text: figure(l.P99, layout.FormatTime)} }),
			answer.Told("limit kept", "满足限值", func(l Latency) layout.Text { return kept[l.Kept] }),
		},
	}.Of(d.Latencies)
}

// ranked is a candidate under the weights of a step.
type ranked struct {
	Score
	step *Choice
}

// weighed ranks those that nothing dominates by the given weights.
func (d *Decision) weighed() layout.Table {
	var lines []ranked
	for i, w := range d.Weighed {
		for _, s := range w.Scores {
			lines = append(lines, ranked{s, d.Steps[i]})
		}
	}
	return answer.Table[ranked]{
		Title: layout.Text{EN: "Under your weights", ZH: "按所给权重排序"},
		Caption: layout.Text{EN: "A score is the weighted mean of how near a candidate comes to the best one (1): in CPU time alone (time), " +
			"in CPU time with every CPU busy (throughput), in errors, which no candidate here has, and in bytes sent and allocated (resources).",
			ZH: "得分为各项指标的加权平均，每项以最优候选为 1：单独运行的 CPU 时间（time）、全部 CPU 繁忙时的 CPU 时间（throughput）、错误（errors，此处候选均无错误）、传输与分配的字节数（resources）。"},
		Row:   func(r ranked) *document.Row { return r.Row },
		Group: func(r ranked) layout.Text { return d.group(line{r.Candidate, r.step}) },
		Columns: []answer.Columns[ranked]{
			answer.Titled("Candidate", "候选", func(r ranked) string { return r.name() }),
			answer.By(func(r ranked) string { return r.Row.Who() }),
			answer.Printed("score", "得分", func(r ranked) string { return layout.FormatNumber(r.Value) }),
		},
	}.Of(lines)
}

// required lists on what the judgement of the plan's requirements rests.
func (d *Decision) required() layout.Table {
	asked := answer.Select(rules, func(r rule) bool {
		return slices.ContainsFunc(d.Steps, func(c *Choice) bool { return slices.Contains(c.Require, r.name) })
	})
	return answer.Table[rule]{
		Title: layout.Text{EN: "Requirements, and how they are judged", ZH: "要求及其判断依据"},
		Columns: []answer.Columns[rule]{
			answer.Titled("Requirement", "要求", func(r rule) string { return string(r.name) }),
			answer.Told("met where", "满足条件", func(r rule) layout.Text { return r.basis }),
		},
	}.Of(asked)
}

// known lists what is known of the libraries that have candidates.
func (d *Decision) known() layout.Table {
	here := answer.Select(Libraries, func(k Known) bool {
		return slices.ContainsFunc(d.Steps, func(c *Choice) bool {
			return slices.ContainsFunc(c.Candidates, func(x *Candidate) bool { return x.Row.Library == k.Library })
		})
	})
	yes := func(is bool) layout.Text {
		if is {
			return answer.Yes
		}
		return answer.No
	}
	return answer.Table[Known]{
		Title: layout.Text{EN: "Libraries: what is known beside the measurements", ZH: "密码库：测量之外的已知信息"},
		Columns: []answer.Columns[Known]{
			answer.By(func(k Known) string { return k.Library }),
			answer.Told("maintained", "仍在维护", func(k Known) layout.Text { return yes(k.Maintained) }),
			answer.Told("FIPS 140-3 module", "FIPS 140-3 模块", func(k Known) layout.Text { return yes(k.FIPS) }),
			answer.Told("basis", "依据", func(k Known) layout.Text { return k.Basis }),
		},
	}.Of(here)
}
