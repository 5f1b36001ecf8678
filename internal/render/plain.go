package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// ownLibrary is our own engine, marked new wherever it stands.
const ownLibrary = subject.Engine

// layouts are those of package question, and a plain one for every experiment of
// the run that has none. Each report shows every row somewhere.
func layouts(d *document.Document) []layout.Layout {
	all := d.Layouts
	known := map[string]bool{}
	for _, l := range d.Layouts {
		known[l.Experiment] = true
	}
	for _, experiment := range experiments(d) {
		if !known[experiment] {
			all = append(all[:len(all):len(all)], plainLayout(d, experiment))
		}
	}
	return all
}

// experiments are those of the rows, in their order.
func experiments(d *document.Document) (names []string) {
	seen := map[string]bool{}
	for i := range d.Rows {
		if e := d.Rows[i].Experiment; !seen[e] {
			seen[e] = true
			names = append(names, e)
		}
	}
	return names
}

func plainLayout(d *document.Document, experiment string) layout.Layout {
	l := layout.Layout{
		Experiment: experiment,
		Title:      layout.Text{EN: fmt.Sprintf(experimentTitle.EN, experiment), ZH: fmt.Sprintf(experimentTitle.ZH, experiment)},
		Tables:     []layout.Table{PlainTable(d, experiment)},
	}
	if t := MetricsTable(d, experiment); len(t.Rows) > 0 {
		l.Tables = append(l.Tables, t)
	}
	if c := ratioChart(d, experiment); len(c.Ratios) > 0 {
		l.Charts = []layout.Chart{c}
	}
	return l
}

// PlainTable sets every row of an experiment as a table, without a judgement:
// the rows of one case under a heading, in the order in which cases appear.
func PlainTable(d *document.Document, experiment string) layout.Table {
	t := layout.Table{Title: allMeasurements, Columns: []layout.Column{
		{Title: columnSize, Numeric: true}, {Title: columnLibrary}, {Title: columnImplementation},
		{Title: columnTime, Numeric: true}, {Title: columnInterval, Numeric: true},
		{Title: columnRate, Numeric: true}, {Title: columnAllocations, Numeric: true},
	}}
	for _, rows := range byCase(d, experiment) {
		first := true
		for _, r := range rows {
			if onlyMetrics(r) {
				continue
			}
			row := plainRow(r)
			if first {
				row.Group, first = layout.Same(caseName(r)), false
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// byCase gathers an experiment's rows by case, each in the order of size.
func byCase(d *document.Document, experiment string) (groups [][]*document.Row) {
	at := map[string]int{}
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Experiment != experiment {
			continue
		}
		n, known := at[caseName(r)]
		if !known {
			n = len(groups)
			at[caseName(r)] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], r)
	}
	for _, rows := range groups {
		slices.SortStableFunc(rows, func(a, b *document.Row) int { return cmp.Compare(a.Bytes, b.Bytes) })
	}
	return groups
}

func plainRow(r *document.Row) layout.TableRow {
	interval, rate, allocs := layout.Cell{}, layout.Cell{}, layout.Cell{}
	if e := r.NsPerOp; e != nil && e.Low != nil && e.High != nil {
		interval.Text = layout.Same(layout.FormatRange(*e.Low, *e.High))
	}
	if r.BytesPerSecond != nil {
		rate.Text = layout.Same(layout.FormatRate(*r.BytesPerSecond))
	}
	if r.AllocsPerOp != nil && r.Status == result.OK {
		allocs.Text = layout.Same(layout.FormatCount(*r.AllocsPerOp))
	}
	return layout.TableRow{RowID: r.ID, Cells: []layout.Cell{
		{Text: layout.Same(r.SizeName())}, {Text: layout.Same(subjectName(r)), New: r.Library == ownLibrary}, {Text: layout.Same(r.Implementation)},
		r.TimeCell(), interval, rate, allocs,
	}}
}

// onlyMetrics is a row of a scenario whose answer is no time; see MetricsTable.
func onlyMetrics(r *document.Row) bool { return r.NsPerOp == nil && len(r.Metrics) > 0 }

// MetricsTable sets what scenarios of an experiment measured besides time; it
// has no rows where there is nothing of the kind.
func MetricsTable(d *document.Document, experiment string) layout.Table {
	t := layout.Table{Title: allMetrics, Columns: []layout.Column{
		{Title: columnSize, Numeric: true}, {Title: columnLibrary}, {Title: columnMetric},
		{Title: columnValue, Numeric: true}, {Title: columnInterval, Numeric: true}, {Title: columnUnit},
	}}
	for _, rows := range byCase(d, experiment) {
		first := true
		for _, r := range rows {
			for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
				row := metricRow(r, name)
				if first {
					row.Group, first = layout.Same(caseName(r)), false
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

func metricRow(r *document.Row, name string) layout.TableRow {
	m := r.Metrics[name]
	interval := layout.Cell{}
	if m.Low != nil && m.High != nil {
		interval.Text = layout.Same(layout.FormatNumber(*m.Low) + " – " + layout.FormatNumber(*m.High))
	}
	return layout.TableRow{RowID: r.ID, Cells: []layout.Cell{
		{Text: layout.Same(r.SizeName())}, {Text: layout.Same(subjectName(r)), New: r.Library == ownLibrary}, {Text: layout.Same(name)},
		{Text: layout.Same(layout.FormatNumber(m.Value))}, interval, {Text: layout.Same(unitName(m))},
	}}
}

// unitName is the unit as it is shown; a share or a count has none.
func unitName(m document.Metric) string {
	if m.Unit == "1" {
		return ""
	}
	return m.Unit
}

// caseName is what was done, but for the size: "SM4-CBC encrypt".
func caseName(r *document.Row) string {
	name := result.Case{Algorithm: r.Algorithm, Mode: r.Mode}.Name()
	for _, part := range []string{r.Operation, r.Parameters} {
		if part != "" {
			name += " " + part
		}
	}
	return name
}

// subjectName is who did it, but for version and implementation.
func subjectName(r *document.Row) string { return strings.TrimSpace(r.Who() + " " + r.Environment) }

func kernelName(r *document.Row) string { return strings.TrimSpace(r.Implementation + " " + r.Version) }

// ratioChart holds an experiment's headline comparisons.
func ratioChart(d *document.Document, experiment string) layout.Chart {
	c := layout.Chart{Kind: layout.Ratios, Title: wordRatios}
	rows := map[string]*document.Row{}
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

func ratioOf(x document.Comparison, base, other *document.Row) layout.Ratio {
	r := layout.Ratio{Label: layout.Same(ratioLabel(base, other)), Value: x.Ratio, Low: x.Ratio, High: x.Ratio, Verdict: x.Verdict, ID: x.ID}
	if x.Low != nil && x.High != nil {
		r.Low, r.High, r.HasInterval = *x.Low, *x.High, true
	}
	return r
}

// ratioLabel says what stands against what, and then what they have in common:
// "SM4-CTR : SM4-CBC · encrypt 1 KiB · gmsm".
func ratioLabel(base, other *document.Row) string {
	var differ [2][]string
	var common []string
	for _, part := range []func(*document.Row) string{
		func(r *document.Row) string { return result.Case{Algorithm: r.Algorithm, Mode: r.Mode}.Name() },
		func(r *document.Row) string { return strings.TrimSpace(r.Operation + " " + r.Parameters) },
		(*document.Row).SizeName,
		subjectName,
	} {
		b, o := part(base), part(other)
		if b == o && b != "" {
			common = append(common, b)
		} else if b != o {
			differ[0], differ[1] = append(differ[0], o), append(differ[1], b)
		}
	}
	if len(differ[0]) == 0 { // two kernels or versions of one library, or a twin
		differ[0], differ[1] = []string{kernelName(other)}, []string{kernelName(base)}
	}
	parts := append([]string{strings.Join(differ[0], " ") + " : " + strings.Join(differ[1], " ")}, common...)
	return strings.Join(parts, " · ")
}
