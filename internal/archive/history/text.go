package history

import (
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// How much the text format shows unless everything is asked for.
const (
	mostEvents = 10
	mostOfOne  = 6 // series of an event
	mostRows   = 30
)

const (
	usualWidth = 100
	leastWidth = 40
	sparkWidth = 30 // of the chart beside a series
	columnGap  = 2
)

// text draws the terminal's form.
type text struct {
	Report
	Options
	b strings.Builder
}

// writeText draws what changed, the newest first, and then each series in a line with a small chart.
func (r Report) writeText(w io.Writer, o Options) error {
	t := &text{Report: r, Options: o}
	if t.Width <= 0 {
		t.Width = usualWidth
	}
	t.Width = max(leastWidth, t.Width)
	t.line("", layout.Say("%s · %s", "%s · %s", r.span(), Summary(r.Courses)))
	for _, remark := range r.remarks() {
		t.line("", remark)
	}
	t.events()
	t.table()
	_, err := io.WriteString(w, t.b.String())
	return err
}

// line writes a sentence behind a prefix.
func (t *text) line(prefix string, said layout.Text) {
	for _, line := range render.Lines(prefix, said.In(t.Lang), t.Width) {
		t.b.WriteString(line + "\n")
	}
}

func (t *text) events() {
	events := t.Report.events()
	shown := events
	if !t.All {
		shown = events[:min(len(events), mostEvents)]
	}
	for _, e := range shown {
		t.b.WriteString("\n")
		t.line("", t.title(e))
		says := e.says
		if !t.All {
			says = says[:min(len(says), mostOfOne)]
		}
		for _, s := range says {
			t.marked(s.change.Kind.Mark(), t.Report.says(s))
		}
		if more := len(e.says) - len(says); more > 0 {
			t.line("    ", layout.Say("and %d more series; --all shows them", "另有 %d 个序列；--all 可全部列出", more))
		}
	}
	if more := len(events) - len(shown); more > 0 {
		t.b.WriteString("\n")
		t.line("", layout.Say("%d earlier times at which something changed are not shown; --all shows them", "另有 %d 个更早的变化时点未列出；--all 可全部列出", more))
	}
}

// marked writes a sentence behind a sign, which is in colour where that is wanted.
func (t *text) marked(m layout.Mark, said layout.Text) {
	for i, line := range render.Lines("  "+m.Sign()+" ", said.In(t.Lang), t.Width) {
		code := map[layout.Mark]string{layout.Stop: "\x1b[31m", layout.Choose: "\x1b[32m", layout.Beware: "\x1b[33m"}[m]
		if i == 0 && t.Colour && code != "" {
			line = strings.Replace(line, m.Sign(), code+m.Sign()+"\x1b[0m", 1)
		}
		t.b.WriteString(line + "\n")
	}
}

// row is a series in the table.
type row struct {
	what, who, runs, first, last, chart string
}

func (t *text) table() {
	machines := t.byMachine()
	left, total := mostRows, 0
	for _, courses := range machines {
		total += len(courses)
		shown := courses
		if !t.All {
			shown = courses[:min(len(courses), left)]
		}
		if left -= len(shown); len(shown) > 0 {
			t.b.WriteString("\n")
			t.line("", layout.Same(shown[0].Label))
			t.rows(shown)
		}
	}
	if more := total - mostRows; more > 0 && !t.All {
		t.line("", layout.Say("%d more series are not shown; name a case, or --all shows them",
			"另有 %d 个序列未列出；可指定测试项，或用 --all 全部列出", more))
	}
}

// byMachine are the courses of each machine that a table has a number for, those that changed last first.
func (r Report) byMachine() (machines [][]Course) {
	at := map[string]int{}
	for _, c := range Newest(r.Courses) {
		if !c.timed() {
			continue
		}
		i, known := at[c.Machine]
		if !known {
			i = len(machines)
			at[c.Machine], machines = i, append(machines, nil)
		}
		machines[i] = append(machines[i], c)
	}
	return machines
}

// timed says whether any run had a time, or a wrong output in its place. What a library does not offer has neither, nor
// have scenarios that measure something else.
func (c *Course) timed() bool {
	return slices.ContainsFunc(c.Points, func(p archive.Point) bool { return p.NsPerOp != nil || p.Status == result.Incorrect })
}

func (t *text) rows(courses []Course) {
	heads := tableHeads()
	in := func(i int) string { return heads[i].In(t.Lang) }
	head, rows := row{in(0), in(1), in(2), in(3), in(4), in(5)}, []row(nil)
	for i := range courses {
		rows = append(rows, t.row(&courses[i], t.Options))
	}
	widths := make([]int, 5)
	for _, r := range append(rows, head) {
		for i, cell := range r.cells() {
			widths[i] = max(widths[i], render.Width(cell))
		}
	}
	chart := render.Width(head.chart)
	for _, r := range rows {
		chart = max(chart, render.Width(r.chart))
	}
	if whole := widths[0] + widths[1] + widths[2] + widths[3] + widths[4] + 5*columnGap + min(chart, sparkWidth); whole > t.Width {
		t.grouped(head, rows, widths)
		return
	}
	for _, r := range append([]row{head}, rows...) {
		t.b.WriteString(strings.TrimRight(pad(r.what, widths[0])+r.numbers(widths, sparkWidth), " ") + "\n")
	}
}

// grouped writes the name of each case in a line of its own, whole, and those who were measured on it below: cut, names
// that differ at their end would look alike.
func (t *text) grouped(head row, rows []row, widths []int) {
	const indent = 2
	widths = slices.Clone(widths)
	left := t.Width - indent - widths[2] - widths[3] - widths[4] - 4*columnGap
	chart := min(sparkWidth, max(0, left-widths[1]))
	if chart < sparkWidth/3 {
		chart = 0
	}
	widths[1] = min(widths[1], left-chart)
	t.b.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+head.numbers(widths, chart), " ") + "\n")
	last := ""
	for _, r := range rows {
		if r.what != last {
			t.line("", layout.Same(r.what))
		}
		last = r.what
		t.b.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+r.numbers(widths, chart), " ") + "\n")
	}
}

// numbers are the cells of a row behind its case, with so many columns for its chart.
func (r row) numbers(widths []int, chart int) string {
	cells := pad(r.who, widths[1]) + padLeft(r.runs, widths[2]) + padLeft(r.first, widths[3]) + padLeft(r.last, widths[4])
	if chart > 0 {
		cells += render.Cut(r.chart, chart)
	}
	return cells
}

func (r row) cells() []string { return []string{r.what, r.who, r.runs, r.first, r.last} }

// tableHeads are those of the table of series.
func tableHeads() [6]layout.Text {
	return [6]layout.Text{{EN: "case", ZH: "测试项"}, {EN: "library", ZH: "库"}, {EN: "runs", ZH: "次数"},
		{EN: "first", ZH: "最早"}, {EN: "last", ZH: "最近"}, {EN: "time taken: up is slower", ZH: "耗时：越高越慢"}}
}

// row is a series as tables show it: its first level, where it changed, and its last.
func (r Report) row(c *Course, o Options) row {
	line := row{what: render.Clean(Case(c.Series).In(o.Lang)), who: render.Clean(Who(c.Series, r.Courses)),
		runs: layout.FormatThousands(int64(len(c.Points))), chart: c.spark(sparkWidth), last: "–"}
	last := c.Points[len(c.Points)-1]
	if last.NsPerOp != nil { // of a run that was left out of the judgement, where there is no level
		line.last = Speed(c.Series, last.NsPerOp.Median)
	}
	if n := len(c.Levels); n > 0 {
		line.last = Speed(c.Series, c.Levels[n-1].NsPerOp)
		if n > 1 {
			line.first = Speed(c.Series, c.Levels[0].NsPerOp)
		}
	}
	if last.Status != result.OK && last.NsPerOp == nil {
		line.last = (&document.Row{Status: last.Status, Withheld: last.Withheld}).StatusText().In(o.Lang)
	}
	return line
}

// pad fills a cell on the right, and cuts what is too long.
func pad(cell string, width int) string {
	cell = render.Cut(cell, width)
	return cell + strings.Repeat(" ", max(0, width-render.Width(cell))+columnGap)
}

func padLeft(cell string, width int) string {
	return strings.Repeat(" ", max(0, width-render.Width(cell))) + cell + strings.Repeat(" ", columnGap)
}
