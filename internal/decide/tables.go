package decide

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// line is a candidate in a table, under its step.
type line struct {
	*Candidate
	step *Choice
}

func (l line) row() *document.Row { return l.Row }

// group is the heading of a step's lines; a single step needs none.
func (d *Decision) group(l line) layout.Text {
	if len(d.Steps) == 1 {
		return layout.Text{}
	}
	if l.step.Name == string(l.step.Need) {
		return layout.Say("%s, %s/s", "%s，%s/s", answer.Upper(l.step.task()), layout.FormatCount(l.step.RatePerSecond))
	}
	return layout.Say("%s: %s, %s/s", "%s：%s，%s/s", l.step.label(), l.step.task(), layout.FormatCount(l.step.RatePerSecond))
}

func (d *Decision) lines(keep func(*Candidate) bool) (lines []line) {
	for _, s := range d.Steps {
		for _, c := range s.Candidates {
			if keep(c) {
				lines = append(lines, line{c, s})
			}
		}
	}
	return lines
}

func timeText(e *document.Estimate) string { return layout.FormatTime(e.Median) }

func vcpuCell(l line) layout.Cell {
	if l.VCPU == nil {
		return answer.Dash()
	}
	if l.VCPU.Low == nil { // why is said above
		return layout.Cell{Text: layout.Say("about %s", "约 %s", formatCPUs(l.VCPU.Median))}
	}
	return layout.Cell{Text: figure(l.VCPU, formatCPUs)}
}

// standing words where a candidate stands, and in what it is behind: behind the chosen one, where no other is named.
func (l line) standing() layout.Text {
	if l.Standing == Dominated {
		worse, by := answer.List(l.worse()), l.By.name()
		if l.By == l.step.Chosen {
			return worse
		}
		if by == l.name() || l.step.Chosen != nil && by == l.step.Chosen.name() {
			by = l.By.Row.Who()
		}
		return layout.Say("behind %s: %s", "不及 %s：%s", by, worse)
	}
	if l.Standing == Excluded { // which only what runs today is shown for
		return layout.Say("today: %s", "现用：%s", l.Excluded[0].Why)
	}
	return map[string]layout.Text{
		Chosen: {EN: "chosen", ZH: "选用"}, Front: {EN: "on the Pareto front", ZH: "位于帕累托前沿"}, New: {EN: "new", ZH: "新实现"},
	}[l.Standing]
}

// mostLeading is how many candidates of each step stand on the first screen, of many steps fewer.
const (
	mostLeading = 3
	manySteps   = 4
)

// leading sets the best of each step against each other, and what runs today: of a single
// step all that are left.
func (d *Decision) leading() layout.Table {
	shown := map[*Candidate]bool{}
	for _, s := range d.Steps {
		left := answer.Select(s.Candidates, func(c *Candidate) bool { return c.Standing != Excluded })
		if len(d.Steps) > 1 {
			most := mostLeading
			if len(d.Steps) >= manySteps {
				most--
			}
			left = left[:min(len(left), most)]
		}
		for _, c := range append(left, s.Today) {
			shown[c] = true
		}
	}
	how := layout.Text{EN: "CPU time with every CPU busy", ZH: "全部 CPU 繁忙"}
	if d.Alone {
		how = layout.Text{EN: "CPU time, some by a lone loop", ZH: "部分为单独循环测得"}
	}
	title := layout.Say("Candidates: %s, and bytes sent", "候选（%s）", how)
	if len(d.Steps) == 1 {
		title = layout.Say("Candidates for %s: %s, and bytes sent", "候选：%s（%s）", d.Steps[0].task(), how)
	}
	return d.tableOf(title,
		d.lines(func(c *Candidate) bool { return shown[c] }), answer.Figure("per call", "每次 CPU 时间", answer.Known(line.cost, timeText)))
}

// tableOf has columns for what a candidate takes between those for who it is and where it stands.
func (d *Decision) tableOf(title layout.Text, lines []line, takes answer.Columns[line]) layout.Table {
	return answer.Table[line]{
		Title: title, Row: line.row, Group: d.group,
		Columns: []answer.Columns[line]{
			answer.Titled("Candidate", "候选", func(l line) string { return l.name() }),
			answer.Words("Library", "库", func(l line) layout.Cell {
				c := answer.Named(l.Row.Who())
				c.Footnotes = answer.RightForm(l.Row)
				return c
			}),
			takes,
			answer.Figure("CPUs (vCPU)", "CPU 数（vCPU）", vcpuCell),
			answer.Figure("bytes", "传输字节", answer.Known(func(l line) *float64 { return l.Bytes },
				func(n *float64) string { return formatBytes(*n) })),
			answer.Figure("strength", "强度", answer.Known(line.Strength, strconv.Itoa)),
			answer.Told("standing", "评定", line.standing),
		},
	}.Of(lines)
}

// table sets the candidates that are left against each other.
func (d *Decision) table() layout.Table {
	t := d.tableOf(layout.Text{EN: "Candidates: CPU time per call, alone and with every CPU busy, and bytes sent", ZH: "候选：每次的 CPU 时间（单独运行与全部 CPU 繁忙）与传输字节"},
		d.lines(func(c *Candidate) bool { return c.Standing != Excluded }),
		slices.Concat(
			answer.Figure("alone", "单独", answer.Known(func(l line) *document.Estimate { return l.CPU }, timeText)),
			answer.Figure("busy", "繁忙", answer.Known(func(l line) *document.Estimate { return l.Busy }, timeText)),
			answer.Figure("allocated", "分配", answer.Known(func(l line) *float64 { return l.Memory },
				func(n *float64) string { return layout.FormatSI(*n, "B", "kB", "MB") }))))
	t.Caption = frontMeans
	return t
}

// frontMeans says what a candidate's standing is.
var frontMeans = layout.Text{EN: "Slower, larger (more bytes sent), weaker: than the chosen one, where no other is named, which takes no more memory either. " +
	"On the Pareto front: no candidate is at least as good in CPU time, bytes sent and memory. " +
	"Strength in bits (NIST SP 800-57): it decides only where time and bytes are level.",
	ZH: "更慢、更大（传输字节更多）、强度更低：均与选用者相比（另注明者除外），后者占用的内存也不更多；位于帕累托前沿：没有候选在 CPU 时间、传输字节数与内存上都不差于它。" +
		"强度为安全强度（比特，NIST SP 800-57），仅在耗时与字节数相当时用于取舍。"}

// excluded lists who is out, and why; wrong outputs first.
func (d *Decision) excluded() layout.Table {
	lines := d.lines(func(c *Candidate) bool { return c.Standing == Excluded })
	return answer.Table[line]{
		Title: layout.Text{EN: "Excluded, and why", ZH: "排除的候选及原因"},
		Row:   line.row, Group: d.group,
		Columns: []answer.Columns[line]{
			answer.Titled("Candidate", "候选", func(l line) string { return l.name() }),
			answer.On(line.row, answer.Library),
			answer.Told("why", "原因", func(l line) layout.Text {
				var all []layout.Text
				for _, e := range l.Excluded {
					if !slices.Contains(all, e.Why) {
						all = append(all, e.Why)
					}
				}
				return answer.Semicolons(all)
			}),
		},
	}.Of(lines)
}

// charts draw CPU time over bytes sent, for steps whose candidates differ in them: what lies
// below and to the left is better.
func (d *Decision) charts() (charts []layout.Chart) {
	for _, s := range d.Steps {
		chart := layout.Chart{
			Title:   layout.Say("%s: CPU time and bytes sent", "%s：CPU 时间与传输字节数", answer.Upper(s.label())),
			Caption: layout.Text{EN: "Left and below is better.", ZH: "越靠左、越靠下越好。"},
			X:       layout.Axis{Title: layout.Text{EN: "bytes sent", ZH: "传输字节数"}, Unit: "B"},
			Y:       layout.Axis{Title: s.timed(), Unit: "ns"}}
		sizes := map[float64]bool{}
		for _, standing := range []string{Chosen, Front, New, Dominated} {
			points := points(s.Candidates, standing)
			for _, p := range points {
				sizes[p.X] = true
			}
			if len(points) > 0 {
				chart.Series = append(chart.Series, layout.Series{Name: drawn(standing), Points: points, Apart: true, New: standing == New})
			}
		}
		if len(sizes) > 1 {
			charts = append(charts, chart)
		}
	}
	return charts
}

// timed names the time that candidates are compared by.
func (c *Choice) timed() layout.Text {
	if c.Chosen == nil || c.Chosen.Busy == nil {
		return layout.Text{EN: "CPU time alone", ZH: "单独运行的 CPU 时间"}
	}
	return layout.Text{EN: "CPU time with every CPU busy", ZH: "全部 CPU 繁忙时的 CPU 时间"}
}

// drawn names the points of a standing.
func drawn(standing string) layout.Text {
	return map[string]layout.Text{
		Chosen: {EN: "chosen", ZH: "选用"}, Front: {EN: "on the Pareto front: behind no other", ZH: "位于帕累托前沿：不逊于任何候选"},
		New: {EN: "our own engine", ZH: "本项目的引擎"}, Dominated: {EN: "behind another", ZH: "不及另一候选"},
	}[standing]
}

func points(all []*Candidate, standing string) (points []layout.Point) {
	for _, c := range all {
		if c.Standing == standing && c.Bytes != nil && *c.Bytes > 0 {
			low, high := ends(c.cost())
			points = append(points, layout.Point{X: math.Round(*c.Bytes), Y: c.cost().Median, Low: low, High: high, RowID: c.Row.ID,
				Name: layout.Same(c.name() + " · " + c.Row.Who())})
		}
	}
	slices.SortFunc(points, func(a, b layout.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	return points
}
