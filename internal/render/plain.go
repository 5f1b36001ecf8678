package render

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

const ownLibrary = subject.Engine

// layouts are those of package question, and a plain one for every experiment of
// the run that has none. Each report shows every row of a library somewhere.
func layouts(d *document.Document) []layout.Layout {
	all := slices.Clip(d.Layouts)
	for _, rows := range document.Grouped(d.OfLibraries(), func(r *document.Row) string { return r.Experiment }) {
		experiment := rows[0].Experiment
		if !slices.ContainsFunc(d.Layouts, func(l layout.Layout) bool { return l.Experiment == experiment }) {
			all = append(all, PlainLayout(d, experiment))
		}
	}
	return all
}

// PlainLayout sets the rows of an experiment as tables, without a judgement.
func PlainLayout(d *document.Document, experiment string) layout.Layout {
	l := layout.Layout{
		Experiment: experiment,
		Title:      titleOf(experiment),
		Tables:     []layout.Table{plainTable(d, experiment)},
	}
	if t := metricsTable(d, experiment); len(t.Rows) > 0 {
		l.Tables = append(l.Tables, t)
	}
	if c := ratioChart(d, experiment); len(c.Ratios) > 0 {
		l.Charts = []layout.Chart{c}
	}
	return l
}

func titleOf(experiment string) layout.Text {
	title := document.ExperimentText(experiment)
	if title == layout.Same(experiment) {
		return layout.Say("Experiment %s", "实验 %s", experiment)
	}
	title.EN = strings.ToUpper(title.EN[:1]) + title.EN[1:]
	return title
}

func words(en, zh string) layout.Column { return layout.Column{Title: layout.Text{EN: en, ZH: zh}} }

func numbers(en, zh string) layout.Column {
	return layout.Column{Title: layout.Text{EN: en, ZH: zh}, Numeric: true}
}

func cell(text string) layout.Cell { return layout.Cell{Text: layout.Same(text)} }

func subjectCell(r *document.Row) layout.Cell {
	return layout.Cell{Text: layout.Same(subjectName(r)), New: r.Library == ownLibrary}
}

func intervalOf(low, high *float64, show func(float64) string) layout.Cell {
	if low == nil || high == nil {
		return layout.Cell{}
	}
	return cell(layout.FormatRange(*low, *high, " – ", show))
}

// plainTable sets every row of an experiment as a table, without a judgement:
// the rows of one case under a heading, in the order in which cases appear.
func plainTable(d *document.Document, experiment string) layout.Table {
	title := layout.Text{EN: "All measurements", ZH: "全部测量结果"}
	return tableOf(d, experiment, layout.Table{Title: title, Columns: []layout.Column{
		columnSize, columnLibrary, words("implementation", "实现"), columnTime, columnInterval, columnRate,
		numbers("allocs", "内存分配"),
	}}, func(r *document.Row) [][]layout.Cell {
		if onlyMetrics(r) {
			return nil
		}
		e, rate, allocations := orZero(r.NsPerOp), layout.Cell{}, layout.Cell{}
		if r.BytesPerSecond != nil {
			rate = cell(layout.FormatRate(*r.BytesPerSecond))
		}
		if r.AllocsPerOp != nil && r.Status == result.OK {
			allocations = cell(layout.FormatCount(*r.AllocsPerOp))
		}
		return [][]layout.Cell{{cell(r.SizeName()), subjectCell(r), {Text: document.KernelText(r.Implementation)},
			r.TimeCell(), intervalOf(e.Low, e.High, layout.FormatTime), rate, allocations}}
	})
}

// metricsTable sets what scenarios of an experiment measured besides time; it
// has no rows where there is nothing of the kind.
func metricsTable(d *document.Document, experiment string) layout.Table {
	title := layout.Text{EN: "Metrics", ZH: "其他指标"}
	return tableOf(d, experiment, layout.Table{Title: title, Columns: []layout.Column{
		columnSize, columnLibrary, words("metric", "指标"), numbers("value", "数值"), columnInterval, words("unit", "单位"),
	}}, func(r *document.Row) [][]layout.Cell {
		return each(slices.Sorted(maps.Keys(r.Metrics)), func(name string) []layout.Cell {
			m := r.Metrics[name]
			return []layout.Cell{cell(r.SizeName()), subjectCell(r), cell(name), cell(layout.FormatNumber(m.Value)),
				intervalOf(m.Low, m.High, layout.FormatNumber), cell(unitName(m))}
		})
	})
}

// tableOf fills a table with lines of an experiment's rows by case, and within each by size.
func tableOf(d *document.Document, experiment string, t layout.Table, lines func(*document.Row) [][]layout.Cell) layout.Table {
	rows := slices.DeleteFunc(d.OfLibraries(), func(r *document.Row) bool {
		return r.Experiment != experiment || r.Missing() // why that is stands in the head
	})
	for _, same := range document.Grouped(rows, caseName) {
		slices.SortStableFunc(same, func(a, b *document.Row) int { return cmp.Compare(a.Bytes, b.Bytes) })
		group := layout.Same(caseName(same[0])) // above the first of them
		for _, r := range same {
			for _, cells := range lines(r) {
				t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Group: group, Cells: cells})
				group = layout.Text{}
			}
		}
	}
	return t
}

func onlyMetrics(r *document.Row) bool { return r.NsPerOp == nil && len(r.Metrics) > 0 }

// unitName is the unit as it is shown; a share or a count has none.
func unitName(m document.Metric) string {
	if m.Unit == "1" {
		return ""
	}
	return m.Unit
}

func joined(parts ...string) string { return strings.Join(some(parts...), " ") }

func algorithmName(r *document.Row) string {
	if r.Algorithm == algorithm.Planted { // the pair that is measured twice
		return r.Mode + " (A/A)"
	}
	return result.Case{Algorithm: r.Algorithm, Mode: r.Mode}.Name()
}

func algorithmText(r *document.Row) layout.Text {
	if r.Mode == algorithm.OneBlock {
		return layout.Say("%s of one block", "%s 单个分组", r.Algorithm)
	}
	return layout.Same(algorithmName(r))
}

// caseName is what was done, but for the size: "SM4-CBC encrypt".
func caseName(r *document.Row) string { return joined(algorithmName(r), r.Operation, r.Parameters) }

// parameters are how it was done, by their names.
func parameters(text string) map[string]layout.Text {
	how := map[string]layout.Text{}
	for p := range strings.SplitSeq(text, ",") {
		name, value, set := strings.Cut(p, "=")
		how[name] = layout.Same(p)
		if !set {
			continue // it may have the name of an operation
		}
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && (name == "chunk" || name == "call" || name == "heap") {
			value = layout.FormatSize(n)
		}
		if words, known := pageNames()[name+"=%s"]; known {
			if value == "1" {
				words.EN = strings.TrimSuffix(words.EN, "s")
			}
			how[name] = layout.Say(words.EN, words.ZH, value)
		}
		how[name] = cmp.Or(pageNames()[p], how[name])
	}
	return how
}

// spelled are the parameters by the order of their names.
func spelled(r *document.Row) []layout.Text {
	how := parameters(r.Parameters)
	return each(slices.Sorted(maps.Keys(how)), func(name string) layout.Text { return how[name] })
}

// ParameterText says in words how a case is done, as pages do.
func ParameterText(text string) layout.Text {
	how := parameters(text)
	return layout.Listed(each(strings.Split(text, ","), func(p string) layout.Text {
		name, _, _ := strings.Cut(p, "=")
		return how[name]
	}))
}

// OperationText names what is done, as pages do.
func OperationText(name string) layout.Text { return cmp.Or(pageNames()[name], layout.Same(name)) }

// caseParts are what a case is made of, with the parameters of these names.
func caseParts(r *document.Row, names []string) []layout.Text {
	parts, how := []layout.Text{algorithmText(r), OperationText(r.Operation)}, parameters(r.Parameters)
	return append(parts, each(names, func(name string) layout.Text { return how[name] })...)
}

// caseLabel is a case's name on a page, and more of it.
func caseLabel(r *document.Row, more ...string) layout.Text {
	return layout.Listed(slices.Concat(caseParts(r, nil), spelled(r), each(more, layout.Same)))
}

// subjectName is who did it, but for version and implementation.
func subjectName(r *document.Row) string { return joined(r.Who(), r.Environment) }

func ratioChart(d *document.Document, experiment string) layout.Chart {
	c := layout.Chart{Title: layout.Text{EN: "Ratios of speed", ZH: "速度比"}}
	rows := map[string]*document.Row{}
	for _, r := range d.Rows {
		rows[r.ID] = r
	}
	for _, x := range d.Comparisons {
		base, other := rows[x.Base], rows[x.Other]
		if x.Headline && base != nil && other != nil && base.Experiment == experiment {
			c.Ratios = append(c.Ratios, x.AsRatio(ratioLabel(base, other)))
		}
	}
	return c
}

// ratioLabel says what stands against what, and then what they have in common:
// "SM4-CTR / SM4-CBC, encryption, gmsm, 1 KiB".
func ratioLabel(base, other *document.Row) layout.Text {
	how := parameters(base.Parameters)
	maps.Copy(how, parameters(other.Parameters))
	names := slices.Sorted(maps.Keys(how))
	parts := func(r *document.Row, more ...string) []layout.Text {
		who := slices.Concat([]string{subjectName(r)}, more, []string{r.SizeName()})
		return append(caseParts(r, names), each(who, document.KernelText)...)
	}
	first, second := parts(other), parts(base)
	same := slices.Equal(caseParts(base, nil), caseParts(other, nil)) && subjectName(base) == subjectName(other)
	if same && base.Implementation != other.Implementation || slices.Equal(first, second) {
		// Two kernels, ways or versions of one library, or a twin.
		kernel := func(r *document.Row) string {
			how := strings.TrimPrefix(r.Implementation, "unknown")
			if base.Version != other.Version {
				how = joined(how, r.Version)
			}
			return how
		}
		first, second = parts(other, kernel(other)), parts(base, kernel(base))
	}
	return layout.Contrast(first, second)
}
