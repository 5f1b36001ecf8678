package fleet

import (
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// caseTable has a line a machine and subject, by rising cost.
func (r *Report) caseTable(c *Case) layout.Table {
	return answer.Table[Row]{
		Title: c.Text(),
		Caption: layout.Text{EN: "CPU time of an operation, with its interval; “all” says that every CPU was busy. Cost is that time at the price of a vCPU.",
			ZH: "每次运算的 CPU 时间及其区间；“全部”表示所有 CPU 都繁忙。费用为该时间乘以 vCPU 的价格。"},
		Columns: []answer.Columns[Row]{
			answer.Titled("Machine", "机器", func(row Row) string { return row.Machine.Name }),
			answer.Words("Library", "库", func(row Row) layout.Cell { return c.library(row) }),
			answer.Told("CPUs busy", "繁忙 CPU", Row.load),
			answer.Figure("CPU time", "CPU 时间", Row.time),
			answer.Figure(r.perMillion("per million")),
			answer.Titled("measured", "测量日期", func(row Row) string { return day(row.Started) }),
			answer.Told("confidence", "可信度", func(row Row) layout.Text { return trust(row.Confidence) }),
		},
	}.Of(c.Rows)
}

// perMillion is the column of costs, with the currency in its title.
func (r *Report) perMillion(what string) (en, zh string, cell func(Row) layout.Cell) {
	en, zh = r.titled(what, "每百万次费用")
	return en, zh, func(row Row) layout.Cell { return costCell(row.Cost) }
}

// titled adds the currency to a column's title.
func (r *Report) titled(en, zh string) (string, string) {
	if r.Currency != "" {
		return r.Currency + " " + en, zh + "（" + r.Currency + "）"
	}
	return "cost " + en, zh
}

func costCell(e *document.Estimate) layout.Cell {
	if e == nil {
		return answer.Dash()
	}
	return answer.TextCell(ranged(e, formatMoney))
}

// ranged prints an estimate, and its interval where it has one.
func ranged(e *document.Estimate, show func(float64) string) string {
	if e.Low == nil || e.High == nil {
		return show(e.Median)
	}
	return show(e.Median) + " (" + answer.Span(*e.Low, *e.High, show) + ")"
}

// time is a row's CPU time, or why it has none.
func (r Row) time() layout.Cell {
	if r.CPU == nil {
		return layout.Cell{Text: r.Why, Struck: r.Status == result.Incorrect, Faint: r.Status != result.Incorrect}
	}
	return answer.TextCell(ranged(r.CPU, layout.FormatTime))
}

// library names a row's, with its kernel and version where the machine has several of that library.
func (c *Case) library(row Row) layout.Cell {
	cell := answer.Named(row.who())
	others := answer.Select(c.Rows, func(o Row) bool { return o.Machine == row.Machine && o.who() == row.who() })
	if slices.ContainsFunc(others, func(o Row) bool { return o.Subject.Implementation != row.Subject.Implementation }) {
		cell.Text = layout.Listed([]layout.Text{cell.Text, layout.Same(row.Subject.Implementation)})
	}
	if slices.ContainsFunc(others, func(o Row) bool { return o.Subject.Version != row.Subject.Version }) {
		cell.Text = layout.Listed([]layout.Text{cell.Text, layout.Same(row.Subject.Version)})
	}
	return cell
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func trust(level string) layout.Text { return document.Trust{Level: level}.LevelText() }

// planTable has a line a machine.
func (r *Report) planTable() layout.Table {
	perHour, perHourZH := r.titled("per hour", "每小时费用")
	perMillion, perMillionZH := r.titled("per million", "每百万笔费用")
	vcpu := "vCPU"
	if !r.Plan.Rated() {
		vcpu = "vCPU, 1000/s"
	}
	return answer.Table[Load]{
		Title:   r.Plan.title(),
		Caption: r.Plan.assumed(),
		Columns: []answer.Columns[Load]{
			answer.Titled("Machine", "机器", func(l Load) string { return l.Machine.Name }),
			answer.Told("CPUs busy", "繁忙 CPU", Load.busy),
			answer.Figure(vcpu, vcpu, func(l Load) layout.Cell { return costCell(l.VCPU) }),
			answer.Figure(perHour, perHourZH, func(l Load) layout.Cell { return costCell(l.Hour) }),
			answer.Figure(perMillion, perMillionZH, func(l Load) layout.Cell { return costCell(l.Cost) }),
			answer.Titled("measured", "测量日期", func(l Load) string { return day(l.Started) }),
			answer.Told("confidence", "可信度", func(l Load) layout.Text { return trust(l.Confidence) }),
		},
	}.Of(r.Plan.Rows)
}

func (l Load) busy() layout.Text {
	switch {
	case l.VCPU == nil:
		return layout.Same("–")
	case l.Full:
		return layout.Say("all %d", "全部 %d", l.Machine.whole())
	}
	return layout.Text{EN: "alone, or some", ZH: "单独或部分"}
}

// assumed says what the numbers of a plan count.
func (p *Plan) assumed() layout.Text {
	return layout.Say("Each machine runs what is best on it (see below), at a utilization of %s; the cost is that of its vCPUs.",
		"各机器分别采用其上最优的方案（见下），利用率按 %s 计；费用为所需 vCPU 的费用。", strconv.FormatFloat(p.Limits.Used(), 'g', 3, 64))
}

// choice is what a machine would use for a step.
type choice struct {
	machine *Machine
	Step
}

// choices lists them, by machine.
func (r *Report) choices() layout.Table {
	var lines []choice
	for _, l := range r.Plan.Rows {
		for _, s := range l.Steps {
			lines = append(lines, choice{l.Machine, s})
		}
	}
	return answer.Table[choice]{
		Title: layout.Text{EN: "What is best on each machine", ZH: "各机器上最优的方案"},
		Columns: []answer.Columns[choice]{
			answer.Titled("Machine", "机器", func(c choice) string { return c.machine.Name }),
			answer.Titled("Step", "步骤", func(c choice) string { return c.Name }),
			answer.Words("use", "选用", func(c choice) layout.Cell {
				if c.Picked == (layout.Text{}) {
					return answer.Dash()
				}
				return layout.Cell{Text: c.Picked}
			}),
		},
	}.Of(lines)
}

// machineTable lists the machines, and what they are in a price list.
func (r *Report) machineTable() layout.Table {
	return answer.Table[*Machine]{
		Title:   layout.Text{EN: "Machines", ZH: "机器"},
		Caption: layout.Text{EN: "A price list may name a machine by its key, its label or its product.", ZH: "价格文件可用机器的键、名称或产品名。"},
		Columns: []answer.Columns[*Machine]{
			answer.Titled("Machine", "机器", func(m *Machine) string { return m.Name }),
			answer.Figure("vCPU hour", "每 vCPU 小时", func(m *Machine) layout.Cell {
				if m.VCPUHour == nil {
					return answer.Dash()
				}
				return answer.TextCell(formatMoney(*m.VCPUHour))
			}),
			answer.Printed("CPUs", "CPU 数", (*Machine).cpus),
			answer.Printed("runs", "运行次数", func(m *Machine) string { return strconv.Itoa(m.Runs) }),
			answer.Words("Label", "名称", func(m *Machine) layout.Cell {
				if m.Label == m.Name {
					return answer.Dash()
				}
				return answer.TextCell(m.Label)
			}),
			answer.Titled("Product", "产品名", func(m *Machine) string { return m.Product }),
			answer.Titled("Key", "键", func(m *Machine) string { return m.Key }),
		},
	}.Of(r.Machines)
}
