package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// ownLibrary is our own engine, marked new wherever it stands.
const ownLibrary = "cryptogauge"

// layouts are those of package answer, and a plain one for every experiment of
// the run that has none. Each report shows every row somewhere.
func (d *Document) layouts() []Layout {
	all := d.Layouts
	known := map[string]bool{}
	for _, l := range d.Layouts {
		known[l.Experiment] = true
	}
	for _, experiment := range d.experiments() {
		if !known[experiment] {
			all = append(all[:len(all):len(all)], d.plainLayout(experiment))
		}
	}
	return all
}

// experiments are those of the rows, in their order.
func (d *Document) experiments() (names []string) {
	seen := map[string]bool{}
	for i := range d.Rows {
		if e := d.Rows[i].Experiment; !seen[e] {
			seen[e] = true
			names = append(names, e)
		}
	}
	return names
}

func (d *Document) plainLayout(experiment string) Layout {
	l := Layout{
		Experiment: experiment,
		Title:      Text{fmt.Sprintf(experimentTitle.EN, experiment), fmt.Sprintf(experimentTitle.ZH, experiment)},
		Tables:     []Table{PlainTable(d, experiment)},
	}
	if t := MetricsTable(d, experiment); len(t.Rows) > 0 {
		l.Tables = append(l.Tables, t)
	}
	if c := d.ratioChart(experiment); len(c.Ratios) > 0 {
		l.Charts = []Chart{c}
	}
	return l
}

// PlainTable sets every row of an experiment as a table, without a judgement:
// the rows of one case under a heading, in the order in which cases appear.
func PlainTable(d *Document, experiment string) Table {
	t := Table{Title: allMeasurements, Columns: []Column{
		{Title: columnSize, Numeric: true}, {Title: columnLibrary}, {Title: columnImplementation},
		{Title: columnTime, Numeric: true}, {Title: columnInterval, Numeric: true},
		{Title: columnRate, Numeric: true}, {Title: columnAllocations, Numeric: true},
	}}
	for _, rows := range byCase(d, experiment) {
		first := true
		for _, r := range rows {
			if r.onlyMetrics() {
				continue
			}
			row := r.plainRow()
			if first {
				row.Group, first = Same(r.caseName()), false
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// byCase gathers an experiment's rows by case, each in the order of size.
func byCase(d *Document, experiment string) (groups [][]*Row) {
	at := map[string]int{}
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Experiment != experiment {
			continue
		}
		n, known := at[r.caseName()]
		if !known {
			n = len(groups)
			at[r.caseName()] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], r)
	}
	for _, rows := range groups {
		slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Bytes, b.Bytes) })
	}
	return groups
}

func (r *Row) plainRow() TableRow {
	interval, rate, allocs := Cell{}, Cell{}, Cell{}
	if e := r.NsPerOp; e != nil && e.Low != nil && e.High != nil {
		interval.Text = Same(formatRange(*e.Low, *e.High))
	}
	if r.BytesPerSecond != nil {
		rate.Text = Same(FormatRate(*r.BytesPerSecond))
	}
	if r.AllocsPerOp != nil && r.Status == result.OK {
		allocs.Text = Same(FormatCount(*r.AllocsPerOp))
	}
	return TableRow{RowID: r.ID, Cells: []Cell{
		{Text: Same(r.sizeName())}, {Text: Same(r.subjectName()), New: r.Library == ownLibrary}, {Text: Same(r.Implementation)},
		r.TimeCell(), interval, rate, allocs,
	}}
}

// onlyMetrics is a row of a scenario whose answer is no time; see MetricsTable.
func (r *Row) onlyMetrics() bool { return r.NsPerOp == nil && len(r.Metrics) > 0 }

// MetricsTable sets what scenarios of an experiment measured besides time; it
// has no rows where there is nothing of the kind.
func MetricsTable(d *Document, experiment string) Table {
	t := Table{Title: allMetrics, Columns: []Column{
		{Title: columnSize, Numeric: true}, {Title: columnLibrary}, {Title: columnMetric},
		{Title: columnValue, Numeric: true}, {Title: columnInterval, Numeric: true}, {Title: columnUnit},
	}}
	for _, rows := range byCase(d, experiment) {
		first := true
		for _, r := range rows {
			for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
				row := r.metricRow(name)
				if first {
					row.Group, first = Same(r.caseName()), false
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

func (r *Row) metricRow(name string) TableRow {
	m := r.Metrics[name]
	interval := Cell{}
	if m.Low != nil && m.High != nil {
		interval.Text = Same(FormatNumber(*m.Low) + " – " + FormatNumber(*m.High))
	}
	return TableRow{RowID: r.ID, Cells: []Cell{
		{Text: Same(r.sizeName())}, {Text: Same(r.subjectName()), New: r.Library == ownLibrary}, {Text: Same(name)},
		{Text: Same(FormatNumber(m.Value))}, interval, {Text: Same(m.unitName())},
	}}
}

// unitName is the unit as it is shown; a share or a count has none.
func (m Metric) unitName() string {
	if m.Unit == "1" {
		return ""
	}
	return m.Unit
}

// TimeCell is the row's time as a cell, or how the row ended, with its doubts as
// footnotes.
func (r *Row) TimeCell() Cell {
	if r.NsPerOp != nil {
		return r.ValueCell(FormatTime(r.NsPerOp.Median))
	}
	return r.ValueCell("–")
}

// RateCell is the row's rate as a cell, or how the row ended.
func (r *Row) RateCell() Cell {
	if r.BytesPerSecond != nil {
		return r.ValueCell(FormatRate(*r.BytesPerSecond))
	}
	return r.ValueCell("–")
}

// ValueCell shows a value of the row with the row's doubts as footnotes. A row
// without a number shows how it ended instead, and why.
func (r *Row) ValueCell(value string) Cell {
	if r.Status == result.OK {
		return Cell{Text: Same(value), Footnotes: r.Notes}
	}
	c := Cell{Text: r.StatusText(), Struck: r.Status == result.Incorrect, Faint: r.Status != result.Incorrect}
	if r.Because != (Text{}) {
		c.Footnotes = []Text{r.Because}
	}
	return c
}

// caseName is what was done, but for the size: "SM4-CBC encrypt".
func (r *Row) caseName() string {
	name := result.Case{Algorithm: r.Algorithm, Mode: r.Mode}.Name()
	for _, part := range []string{r.Operation, r.Parameters} {
		if part != "" {
			name += " " + part
		}
	}
	return name
}

func (r *Row) sizeName() string {
	if r.Bytes <= 0 {
		return ""
	}
	return FormatSize(r.Bytes)
}

// subjectName is who did it, but for version and implementation.
func (r *Row) subjectName() string { return strings.TrimSpace(r.Who() + " " + r.Environment) }

func (r *Row) kernelName() string { return strings.TrimSpace(r.Implementation + " " + r.Version) }

// ratioChart holds an experiment's headline comparisons.
func (d *Document) ratioChart(experiment string) Chart {
	c := Chart{Kind: Ratios, Title: wordRatios}
	rows := map[string]*Row{}
	for i := range d.Rows {
		rows[d.Rows[i].ID] = &d.Rows[i]
	}
	for _, x := range d.Comparisons {
		base, other := rows[x.Base], rows[x.Other]
		if !x.Headline || base == nil || other == nil || base.Experiment != experiment {
			continue
		}
		c.Ratios = append(c.Ratios, ratioOf(x, base, other))
	}
	return c
}

func ratioOf(x Comparison, base, other *Row) Ratio {
	r := Ratio{Label: Same(ratioLabel(base, other)), Value: x.Ratio, Low: x.Ratio, High: x.Ratio, Verdict: x.Verdict, ID: x.ID}
	if x.Low != nil && x.High != nil {
		r.Low, r.High, r.HasInterval = *x.Low, *x.High, true
	}
	return r
}

// ratioLabel says what stands against what, and then what they have in common:
// "SM4-CTR : SM4-CBC · encrypt 1 KiB · gmsm".
func ratioLabel(base, other *Row) string {
	var differ [2][]string
	var common []string
	for _, part := range []func(*Row) string{
		func(r *Row) string { return result.Case{Algorithm: r.Algorithm, Mode: r.Mode}.Name() },
		func(r *Row) string { return strings.TrimSpace(r.Operation + " " + r.Parameters) },
		(*Row).sizeName,
		(*Row).subjectName,
	} {
		b, o := part(base), part(other)
		if b == o && b != "" {
			common = append(common, b)
		} else if b != o {
			differ[0], differ[1] = append(differ[0], o), append(differ[1], b)
		}
	}
	if len(differ[0]) == 0 { // two kernels or versions of one library, or a twin
		differ[0], differ[1] = []string{other.kernelName()}, []string{base.kernelName()}
	}
	parts := append([]string{strings.Join(differ[0], " ") + " : " + strings.Join(differ[1], " ")}, common...)
	return strings.Join(parts, " · ")
}
