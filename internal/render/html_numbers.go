package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// htmlNumbers are the tables in which every number of a document stands.
func htmlNumbers(d *document.Document, id string, places *htmlPlaces) []htmlTable {
	var list []htmlTable
	for _, t := range []htmlTable{
		rowsTable(d, id+"-rows", places),
		comparisonsTable(d, id+"-comparisons", places),
		fitsTable(d, id+"-fits", places),
		crossoversTable(d, id+"-crossovers", places),
		distributionsTable(d, id+"-distributions", places),
		metricsTable(d, id+"-metrics", places),
		librariesTable(d, id+"-libraries"),
		machineTable(d.Machine, id+"-machine"),
	} {
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

func htmlColumn(en, zh string) layout.Column {
	return layout.Column{Title: layout.Text{EN: en, ZH: zh}}
}
func htmlNumeric(en, zh string) layout.Column {
	return layout.Column{Title: layout.Text{EN: en, ZH: zh}, Numeric: true}
}

// plain is a cell of text, sorted by it.
func textCell(s string) htmlCell { return htmlCell{Text: layout.Same(s)} }

// number is a cell that is sorted by its value and not by its digits.
func numberCell(s string, key float64) htmlCell {
	return htmlCell{Text: layout.Same(s), Key: strconv.FormatFloat(key, 'g', -1, 64), Numeric: true}
}

// absent is the cell of a number that does not apply.
func absentCell() htmlCell { return htmlCell{Text: layout.Same("–"), Class: "faint", Numeric: true} }

// optional is the cell of a number that may not apply.
func optionalCell(v *float64, write func(float64) string) htmlCell {
	if v == nil {
		return absentCell()
	}
	return numberCell(write(*v), *v)
}

func htmlInterval(low, high *float64, write func(float64) string) layout.Text {
	if low == nil || high == nil {
		return layout.Text{}
	}
	return layout.Same("[" + write(*low) + ", " + write(*high) + "]")
}

func rowsTable(d *document.Document, id string, places *htmlPlaces) htmlTable {
	t := htmlTable{ID: id, Class: "wide rows", Sortable: true,
		Title:   layout.Text{EN: "All rows", ZH: "全部结果"},
		Caption: layout.Text{EN: "Time per operation is the median over blocks, with its exact interval in brackets; the clock is the thread's unless named.", ZH: "单次耗时为各数据组的中位数，方括号内为精确置信区间；未注明时为线程 CPU 时钟。"},
		Columns: []layout.Column{htmlColumn("Case", "测试项"), htmlNumeric("Size", "长度"), htmlColumn("Library", "密码库"), htmlColumn("Status", "状态"),
			htmlNumeric("Time/op", "单次耗时"), htmlNumeric("Throughput", "吞吐量"), htmlNumeric("Cycles/B", "周期/字节"),
			htmlNumeric("Allocs/op", "分配次数"), htmlNumeric("Samples", "样本"), htmlColumn("Constant time", "常数时间"), htmlColumn("Standard", "标准"), htmlColumn("ID", "标识")}}
	for i, r := range d.Rows {
		t.Rows = append(t.Rows, htmlRow{Anchor: places.rowAnchor(i), Class: statusClass(r.Status), Cells: t.rowCells(r)})
	}
	return t
}

func (t *htmlTable) rowCells(r document.Row) []htmlCell {
	time := absentCell()
	if r.NsPerOp != nil {
		value, span := htmlTime(*r.NsPerOp)
		time = numberCell(value, r.NsPerOp.Median)
		time.Sub = clockNamed(span, r.NsPerOp.Clock)
	}
	size := absentCell()
	if r.Bytes > 0 {
		size = numberCell(layout.FormatSize(r.Bytes), float64(r.Bytes))
	}
	name := result.Case{Algorithm: r.Algorithm, Mode: r.Mode}.Name()
	cell := htmlCell{Text: layout.Same(name + " " + r.Operation), Sub: layout.Same(r.Parameters), Head: true}
	if r.Note != "" {
		cell.Notes = append(cell.Notes, t.note(layout.Same(r.Note)))
	}
	status := htmlCell{Text: r.StatusText(), Notes: t.notes(rowNotes(r))}
	if reason := rowReason(r); reason != (layout.Text{}) {
		status.Notes = append([]htmlNote{t.note(reason)}, status.Notes...)
	}
	constant := htmlCell{Text: constantWord(r.ConstantTime.Value)}
	if r.ConstantTime.Basis != "" {
		constant.Notes = []htmlNote{t.note(reason.Said(r.ConstantTime.Basis, r.ConstantTime.Cause))}
	}
	samples := numberCell(strconv.Itoa(r.Samples), float64(r.Samples))
	samples.Sub = layout.Same("/" + strconv.Itoa(r.Blocks))
	allocs := optionalCell(r.AllocsPerOp, layout.FormatCount)
	return []htmlCell{cell, size, libraryCell(r), status, time, optionalCell(r.BytesPerSecond, layout.FormatRate),
		optionalCell(r.CyclesPerByte, layout.FormatNumber), allocs, samples, constant, textCell(r.Standard), {Text: layout.Same(r.ID), Class: "id"}}
}

// rowReason is why a row has no number, in both languages where they are known.
func rowReason(r document.Row) layout.Text {
	if r.Because != (layout.Text{}) {
		return r.Because
	}
	return reason.Words(r.Reason)
}

// rowNotes are a row's warnings in both languages, where a reader of the run made them.
func rowNotes(r document.Row) []layout.Text {
	if len(r.Notes) > 0 {
		return r.Notes
	}
	var notes []layout.Text
	for _, w := range slices.Concat(r.Warnings, r.Security) {
		notes = append(notes, reason.Words(w))
	}
	return notes
}

func libraryCell(r document.Row) htmlCell {
	how := []string{r.Version}
	for _, s := range []string{r.Implementation, r.CallPath, r.Environment} {
		if s != "" {
			how = append(how, s)
		}
	}
	return htmlCell{Text: layout.Same(r.Library), Sub: layout.Same(strings.Join(how, " · ")),
		Struck: r.Status == result.Incorrect, New: r.Library == ownLibrary, Class: "library"}
}

// clockNamed adds the clock to an interval where it is not the thread's.
func clockNamed(span, clock string) layout.Text {
	switch clock {
	case "wall":
		return layout.Text{EN: strings.TrimSpace(span + " wall"), ZH: strings.TrimSpace(span + " 墙钟")}
	case "process":
		return layout.Text{EN: strings.TrimSpace(span + " process"), ZH: strings.TrimSpace(span + " 进程")}
	}
	return layout.Same(span)
}

func statusClass(s result.Status) string {
	switch s {
	case result.OK:
		return ""
	case result.Incorrect:
		return "incorrect"
	}
	return "faint"
}

func constantWord(v string) layout.Text {
	switch v {
	case "yes":
		return layout.Text{EN: "yes", ZH: "是"}
	case "no":
		return layout.Text{EN: "no", ZH: "否"}
	}
	return layout.Text{EN: "unknown", ZH: "未知"}
}

func comparisonsTable(d *document.Document, id string, places *htmlPlaces) htmlTable {
	t := htmlTable{ID: id, Class: "wide", Sortable: true,
		Title:   layout.Text{EN: "All comparisons", ZH: "全部比较"},
		Caption: layout.Text{EN: "Ratio: speed of “other” divided by speed of “base”, compared round by round; the interval is widened by the noise floor.", ZH: "比值：“对象”的速度除以“基准”的速度，逐轮配对；置信区间已按本底噪声放宽。"},
		Columns: []layout.Column{htmlColumn("Base", "基准"), htmlColumn("Other", "对象"), htmlNumeric("Ratio", "比值"), htmlNumeric("Interval", "置信区间"),
			htmlColumn("Verdict", "判定"), htmlNumeric("Level", "置信水平"), htmlNumeric("Blocks", "数据组"), htmlColumn("Headline", "主要")}}
	for i, c := range d.Comparisons {
		span := absentCell()
		if c.Low != nil && c.High != nil {
			span = numberCell(htmlInterval(c.Low, c.High, layout.FormatRatio).EN, *c.Low)
		}
		verdict := htmlCell{Text: document.VerdictText(c.Verdict), Class: verdictClass(c.Verdict)}
		for _, l := range []*string{&verdict.Text.EN, &verdict.Text.ZH} {
			*l = verdictSign(c.Verdict) + " " + *l
		}
		for _, w := range c.Warnings {
			verdict.Notes = append(verdict.Notes, t.note(reason.Words(w)))
		}
		headline := htmlCell{}
		if c.Headline {
			headline.Text = layout.Text{EN: "yes", ZH: "是"}
		}
		t.Rows = append(t.Rows, htmlRow{Anchor: places.pairAnchor(i), Cells: []htmlCell{
			rowLinkCell(c.Base, places), rowLinkCell(c.Other, places), numberCell(layout.FormatRatio(c.Ratio)+"×", c.Ratio), span, verdict,
			numberCell(figures(100*c.Level, 4)+" %", c.Level), numberCell(strconv.Itoa(c.Blocks), float64(c.Blocks)), headline}})
	}
	return t
}

// rowLink names a row and leads to it.
func rowLinkCell(id string, places *htmlPlaces) htmlCell {
	return htmlCell{Text: layout.Same(id), Href: places.number(id), Class: "id"}
}

func fitsTable(d *document.Document, id string, places *htmlPlaces) htmlTable {
	t := htmlTable{ID: id, Class: "wide", Sortable: true,
		Title: layout.Text{EN: "Cost models", ZH: "代价模型"},
		Caption: layout.Text{EN: "Time of a message of n bytes = fixed cost + n × slope; at n½ bytes half of the asymptotic rate is reached. Fits with a misfit above 15 % (rms) are not used.",
			ZH: "n 字节消息的耗时为固定开销加 n 倍斜率；n½ 为达到渐近吞吐量一半时的长度。均方根误差超过 15 % 的拟合不予采用。"},
		Columns: []layout.Column{htmlColumn("Rows", "结果行"), htmlColumn("Model", "模型"), htmlNumeric("Fixed cost", "固定开销"), htmlNumeric("Final rate", "极限速率"),
			htmlNumeric("n½", "n½"), htmlNumeric("RMS", "均方根误差"), htmlColumn("Other terms", "其他项"), htmlColumn("Refused", "不采用")}}
	known := []string{"fixed_ns", "bytes_per_second", "half_size_bytes", "ns_per_byte"}
	term := func(f document.Fit, name string, write func(float64) string) htmlCell {
		v, ok := f.Terms[name]
		if !ok || !f.OK {
			return absentCell()
		}
		return numberCell(write(v), v)
	}
	for _, f := range d.Fits {
		var others []string
		for _, k := range sortedKeys(f.Terms) {
			if !slices.Contains(known, k) {
				others = append(others, k+" = "+figures(f.Terms[k], 4))
			}
		}
		rows := htmlCell{Text: layout.Same(strconv.Itoa(len(f.RowIDs)))}
		if len(f.RowIDs) > 0 {
			rows = rowLinkCell(f.RowIDs[0], places)
			if n := len(f.RowIDs) - 1; n > 0 {
				rows.Sub = layout.Same("+" + strconv.Itoa(n))
			}
		}
		class := ""
		if !f.OK {
			class = "faint"
		}
		t.Rows = append(t.Rows, htmlRow{Class: class, Cells: []htmlCell{rows, textCell(f.Model),
			term(f, "fixed_ns", nanoseconds), term(f, "bytes_per_second", layout.FormatRate), term(f, "half_size_bytes", htmlBytes),
			numberCell(layout.FormatShare(f.RMS), f.RMS), textCell(strings.Join(others, ", ")), htmlCell{Text: reason.Words(f.Reason)}}})
	}
	return t
}

func nanoseconds(v float64) string { s, _ := htmlTime(document.Estimate{Median: v}); return s }
