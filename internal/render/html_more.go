package render

import (
	"maps"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// The tables of what only some experiments have.

func crossoversTable(d *document.Document, id string, places *htmlPlaces) htmlTable {
	t := htmlTable{ID: id, Class: "wide", Sortable: true,
		Title:   layout.Text{EN: "Crossovers", ZH: "交叉点"},
		Caption: layout.Text{EN: "The size from which the second is faster than the first.", ZH: "自该长度起，后者快于前者。"},
		Columns: []layout.Column{htmlColumn("First", "前者"), htmlColumn("Second", "后者"), htmlNumeric("Size", "长度"), htmlNumeric("Interval", "置信区间")}}
	for _, c := range d.Crossovers {
		if c.Within > 0 { // whose answer has a table of its own
			continue
		}
		size, span := htmlCell{Text: crossoverKind(c.Kind), Class: "faint"}, absentCell()
		if c.Bytes != nil {
			size = numberCell(htmlBytes(c.Bytes.Median), c.Bytes.Median)
			span = htmlCell{Text: htmlInterval(c.Bytes.Low, c.Bytes.High, htmlBytes), Numeric: true}
		}
		t.Rows = append(t.Rows, htmlRow{Cells: []htmlCell{rowLinkCell(c.A, places), rowLinkCell(c.B, places), size, span}})
	}
	return t
}

// crossoverKind says why a pair has no crossover.
func crossoverKind(kind string) layout.Text {
	switch kind {
	case document.Level:
		return layout.Text{EN: "equal throughout", ZH: "始终相当"}
	case document.Undecided:
		return layout.Text{EN: "inconclusive", ZH: "无法判定"}
	}
	return layout.Text{EN: "never", ZH: "从不"}
}

func distributionsTable(d *document.Document, id string, places *htmlPlaces) htmlTable {
	t := htmlTable{ID: id, Class: "wide", Sortable: true,
		Title: layout.Text{EN: "Distributions", ZH: "分布"},
		Columns: []layout.Column{htmlColumn("Row", "结果行"), htmlColumn("Quantity", "量"), htmlNumeric("p50", "p50"), htmlNumeric("p90", "p90"), htmlNumeric("p95", "p95"),
			htmlNumeric("p99", "p99"), htmlNumeric("p99.9", "p99.9"), htmlNumeric("Max", "最大"), htmlNumeric("Count", "计数")}}
	for _, v := range d.Distributions {
		write := func(x float64) string { return quantity(x, v.Unit) }
		t.Rows = append(t.Rows, htmlRow{Cells: []htmlCell{rowLinkCell(v.RowID, places), textCell(v.Name), numberCell(write(v.P50), v.P50), numberCell(write(v.P90), v.P90),
			optionalCell(v.P95, write), optionalCell(v.P99, write), optionalCell(v.P999, write), numberCell(write(v.Max), v.Max),
			numberCell(strconv.FormatInt(v.Count, 10), float64(v.Count))}})
	}
	return t
}

func metricsTable(d *document.Document, id string, places *htmlPlaces) htmlTable {
	t := htmlTable{ID: id, Class: "wide", Sortable: true,
		Title:   layout.Text{EN: "Metrics", ZH: "指标"},
		Columns: []layout.Column{htmlColumn("Row", "结果行"), htmlColumn("Metric", "指标"), htmlNumeric("Value", "数值"), htmlNumeric("Interval", "置信区间")}}
	for _, r := range d.Rows {
		for _, name := range sortedKeys(r.Metrics) {
			m := r.Metrics[name]
			write := func(x float64) string { return quantity(x, m.Unit) }
			t.Rows = append(t.Rows, htmlRow{Cells: []htmlCell{rowLinkCell(r.ID, places), textCell(name), numberCell(write(m.Value), m.Value),
				{Text: htmlInterval(m.Low, m.High, write), Numeric: true}}})
		}
	}
	return t
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// quantity writes a value in its unit; "1" is the unit of a share or a count.
func quantity(v float64, unit string) string {
	switch unit {
	case "ns":
		return nanoseconds(v)
	case "1", "":
		return layout.FormatNumber(v)
	case "B/s", "bytes/s":
		return layout.FormatRate(v)
	case "B":
		return htmlBytes(v)
	}
	return layout.FormatNumber(v) + " " + unit
}

func librariesTable(d *document.Document, id string) htmlTable {
	t := htmlTable{ID: id, Class: "wide",
		Title: layout.Text{EN: "Libraries", ZH: "密码库"},
		Columns: []layout.Column{htmlColumn("Library", "密码库"), htmlColumn("Version", "版本"), htmlColumn("Implementation", "实现"),
			htmlColumn("Call path", "调用方式"), htmlColumn("Path", "路径"), htmlColumn(algorithm.SHA256, algorithm.SHA256)}}
	for _, l := range d.Libraries {
		t.Rows = append(t.Rows, htmlRow{Cells: []htmlCell{{Text: layout.Same(l.Library), Head: true, New: l.Library == ownLibrary}, textCell(l.Version),
			textCell(l.Implementation), textCell(l.CallPath), pathCell(l), {Text: layout.Same(l.SHA256), Class: "id"}}})
	}
	return t
}

// pathCell is where a library was found, or why it was not.
func pathCell(l result.Library) htmlCell {
	if l.Missing != "" {
		return htmlCell{Text: reason.Said(l.Missing, l.Cause)}
	}
	return htmlCell{Text: layout.Same(l.Path), Class: "id"}
}
