package password

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

func (c *choice) keptRow() *document.Row { return c.row(c.kept) }

func (c *choice) strength() layout.Text {
	switch {
	case c.unknown():
		return layout.Same("?")
	case c.kept == "":
		return layout.Text{EN: "none fits", ZH: "无可选参数"}
	case !c.enough():
		return layout.Text{EN: "too weak", ZH: "强度不足"}
	case len(c.recommended) > 0 && c.strong(c.kept, c.recommended):
		return layout.Text{EN: "RFC 9106", ZH: "RFC 9106"}
	}
	return layout.Text{EN: "OWASP", ZH: "OWASP"}
}

var (
	algorithmColumn = answer.Words("Algorithm", "算法", func(c *choice) layout.Cell {
		security, _ := answer.SplitNotes(c.rows[0].Notes, c.rows[0].Security)
		return layout.Cell{Text: layout.Same(c.name), Footnotes: security}
	})
	keptColumn = answer.Words("strongest", "最强参数", func(c *choice) layout.Cell { return c.setting(c.kept) })
)

func grew() answer.RowColumns {
	return answer.MetricFigure("process grew", "进程增长", "peak_bytes", answer.MemoryText)
}

func (c *choice) setting(parameters string) layout.Cell {
	if parameters == "" {
		return answer.Dash()
	}
	return layout.Cell{Text: c.say(parameters)}
}

func (c *choice) timeOf(parameters string) layout.Cell {
	if parameters == "" {
		return answer.Dash()
	}
	ns, ok := c.cost(parameters)
	switch {
	case !ok:
		return answer.TextCell("?")
	case !c.measured(parameters):
		return layout.Cell{Text: layout.Say("about %s", "约 %s", layout.FormatTime(ns))}
	}
	return answer.TextCell(layout.FormatTime(ns))
}

// login is what the choice takes, with the interval of a prediction.
func (c *choice) login() layout.Cell {
	switch {
	case c.unknown():
		return answer.TextCell("?")
	case c.kept == "":
		return answer.Dash()
	}
	return layout.Cell{Text: c.took(c.kept)}
}

func (p *view) cpuColumn() answer.Columns[*choice] {
	number, unit := p.rate()
	return answer.Shown(fmt.Sprintf("CPUs at %s/%s", number, unit.name), fmt.Sprintf("%s %s 次所需 CPU", unit.per.ZH, number),
		func(c *choice) (float64, bool) { return p.cpus(c), c.kept != "" }, layout.FormatNumber)
}

func (p *view) table() layout.Table {
	return answer.Table[*choice]{
		Title: layout.Say("Strongest parameters within %s", "%s 以内最强的参数", p.allowed()),
		Caption: layout.Text{
			EN: "Reaches: OWASP's minimum (Password Storage Cheat Sheet), or RFC 9106's second recommendation, 64 MiB and 3 passes, " +
				"counted without its four lanes. For SM3 there is no such minimum; SHA-256's counts. About: predicted from cheaper parameters; ?: it can't be.",
			ZH: "“达到”：OWASP 最低要求（Password Storage Cheat Sheet），或 RFC 9106 的第二推荐（64 MiB、3 遍，不计其 4 条通道）。" +
				"SM3 没有此类要求，按 SHA-256 的要求判断。“约”：由较弱参数预测；“?”：无法预测。"},
		Row: (*choice).keptRow,
		Columns: []answer.Columns[*choice]{algorithmColumn, keptColumn,
			answer.Figure("a login", "每次登录", (*choice).login), p.cpuColumn(),
			answer.Told("reaches", "达到", (*choice).strength)},
	}.Of(p.choices)
}

// costs is what the choices take, alone and with every CPU busy, and what is on either side of them.
func (p *view) costs() layout.Table {
	return answer.Table[*choice]{
		Title: layout.Text{EN: "What the choices cost, and the steps beside them", ZH: "所选参数的开销，及相邻的参数"},
		Caption: layout.Text{
			EN: "CPU time of a login. Memory: by the standard, and by how much the process grew. Predicted: by the line through " +
				"cheaper parameters. CPUs: by the time with every CPU busy where that was measured.",
			ZH: "每次登录的 CPU 时间。内存：按标准计算的，以及进程实际增长的。预测：由较弱参数按直线外推。CPU 数按全部 CPU 繁忙时的耗时计算（若已测）。"},
		Row: (*choice).keptRow,
		Columns: []answer.Columns[*choice]{
			algorithmColumn, answer.Titled("Library", "库", func(c *choice) string { return c.who }), keptColumn,
			answer.Figure("alone", "单独", func(c *choice) layout.Cell { return c.timeOf(c.kept) }),
			answer.Shown("predicted", "预测", (*choice).off, signed),
			answer.Figure("all CPUs busy", "全部 CPU 繁忙", func(c *choice) layout.Cell { return answer.TimeCell(c.busy) }),
			answer.Shown("memory", "内存",
				func(c *choice) (int64, bool) { return c.memory(c.kept), c.kept != "" }, layout.FormatSize),
			answer.On((*choice).keptRow, grew()),
			answer.Words("next step", "再强一级", func(c *choice) layout.Cell { return c.setting(c.next) }),
			answer.Figure("takes", "耗时", func(c *choice) layout.Cell { return c.timeOf(c.next) }),
			answer.Words("OWASP's minimum", "OWASP 最低要求", func(c *choice) layout.Cell { return c.setting(c.minimum[0]) }),
			answer.Figure("takes", "耗时", func(c *choice) layout.Cell { return c.timeOf(c.minimum[0]) }),
		},
	}.Of(p.choices)
}

func (p *view) measured() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "All that was measured", ZH: "全部测量结果"},
		Columns: []answer.RowColumns{
			answer.Titled("Algorithm", "算法", answer.AlgorithmOf),
			answer.Titled("Parameters", "参数", func(r *document.Row) string { return r.Parameters }),
			answer.Library, answer.Kernel,
			answer.Figure("CPU time", "CPU 时间", answer.TimeCell), grew(),
			answer.Secrets,
		},
	}.Of(p.Rows)
}

func (p *view) charts() []layout.Chart {
	var lines []answer.Line
	work := map[*document.Row]float64{}
	for _, c := range p.choices {
		for _, r := range c.rows {
			work[r] = c.work(r.Parameters) / c.work(c.minimum[0])
		}
		lines = append(lines, answer.Line{Name: layout.Say("%s, %s", "%s，%s", c.name, c.who), Rows: c.rows})
	}
	return p.Lines(layout.Chart{
		Title:   layout.Text{EN: "Time of a login over its work", ZH: "登录耗时与工作量"},
		Caption: layout.Text{EN: "Work as a multiple of OWASP's minimum for the algorithm.", ZH: "工作量为该算法 OWASP 最低要求的倍数。"},
		X:       layout.Axis{Title: layout.Text{EN: "work, times OWASP's minimum", ZH: "工作量（OWASP 最低要求的倍数）"}},
		Y:       answer.TimeAxis,
	}, lines, func(r *document.Row) (layout.Point, bool) { return answer.TimePoint(r, work[r]) })
}
