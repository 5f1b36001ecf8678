package rsa

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// short is the small table: a line an operation, a column a length.
func (r *rsaView) short() layout.Table {
	t := layout.Table{Title: layout.Say("RSA in %s: CPU time of a call", "%s 的 RSA：单次调用的 CPU 时间", answer.Label(r.first())),
		Columns: []layout.Column{answer.OperationColumn}}
	for _, length := range r.lengths {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(length)))
	}
	for _, what := range [][2]string{{pss, "sign"}, {pss, "verify"}, {oaep, "decrypt"}, {oaep, "encrypt"}} {
		row := layout.TableRow{}
		for _, length := range r.lengths {
			found := r.of(length, what[0], what[1], "")
			if found != nil && len(row.Cells) == 0 {
				row.RowID = found.ID
			}
			row.Cells = append(row.Cells, answer.TimeCell(found))
		}
		row.Cells = append([]layout.Cell{{Text: layout.Say("%s %s", "%s %s", answer.Padding(what[0]), answer.KeyOperation(what[1]))}}, row.Cells...)
		if !slices.ContainsFunc(r.lengths, func(length string) bool { return r.of(length, what[0], what[1], "") != nil }) {
			continue
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// full lists every operation, under its key length.
func (r *rsaView) full() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Every operation, by key length", ZH: "各密钥长度的全部操作"},
		Caption: layout.Text{EN: "Microseconds of CPU time per call, with the exact interval at 99 %. Encrypted is a key of 32 bytes, signed a SHA-256 digest. The keys are fixed and built into cryptogauge.",
			ZH: "单次调用的 CPU 时间（微秒）及 99 % 精确置信区间。加密对象为 32 字节密钥，签名对象为 SHA-256 摘要。密钥为本程序内置的固定密钥。"},
		Columns: slices.Concat([]layout.Column{answer.OperationColumn, answer.LibraryColumn}, answer.MicroColumns, answer.AllocationColumns)}
	for _, length := range r.lengths {
		first := true
		for _, row := range r.Rows {
			if row.Algorithm != length || row.Operation == "generate" {
				continue
			}
			who := []layout.Cell{{Text: answer.CaseText(row)}, whoCell(r.View, row)}
			line := layout.TableRow{RowID: row.ID, Cells: slices.Concat(who, answer.MicroCells(row), answer.AllocationCells(row))}
			if first {
				line.Group = strengthOfLength(length)
				first = false
			}
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

// whoCell names who computes a row, by its kernel too where a library has several.
func whoCell(v *answer.View, r *document.Row) layout.Cell {
	return layout.Cell{Text: layout.Same(v.Name(r)), New: answer.IsNew(v.Name(r))}
}

// strengthOfLength names a length with its strength.
func strengthOfLength(length string) layout.Text {
	if s := answer.StrengthOf(length); s > 0 {
		return layout.Say("%s: strength of %s bits", "%s：安全强度 %s 比特", length, strconv.Itoa(s))
	}
	return layout.Same(length)
}

// growth is the table of power laws.
func (r *rsaView) growth() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Growth with the key length: t = c·bitsᵏ", ZH: "耗时随密钥长度的增长：t = c·bitsᵏ"},
		Caption: layout.Text{EN: "Range: the exponents found when any one length is left out and every time varies within its interval. A model that misses the times by more than 15 % (rms) is not used.",
			ZH: "指数范围：去掉任意一个长度、并使每个耗时在其置信区间内变动时所得的指数。均方根误差超过 15 % 的模型不采用。"},
		Columns: []layout.Column{answer.OperationColumn, answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "exponent", ZH: "指数"}), answer.NumberColumn(layout.Text{EN: "range", ZH: "范围"}),
			answer.NumberColumn(layout.Text{EN: "twice the length", ZH: "长度加倍"}), answer.NumberColumn(layout.Text{EN: "misfit (rms)", ZH: "拟合误差（均方根）"})}}
	for i := range r.Doc.Fits {
		f := &r.Doc.Fits[i]
		if f.Model != document.ModelPower || len(f.RowIDs) == 0 || r.ByID[f.RowIDs[0]] == nil {
			continue
		}
		first := r.ByID[f.RowIDs[0]]
		row := layout.TableRow{RowID: first.ID, Cells: []layout.Cell{{Text: answer.CaseText(first)}, whoCell(r.View, first)}}
		if f.OK {
			row.Cells = append(row.Cells, answer.TextCell(exponent(f.Terms["exponent"])), answer.TextCell(exponentRange(f)), answer.TextCell("×"+factorOfDoubling(f)), answer.TextCell(layout.FormatShare(f.RMS)))
		} else {
			row.Cells = append(row.Cells, layout.Cell{Text: layout.Text{EN: "no fit", ZH: "不拟合"}, Faint: true, Footnotes: []layout.Text{reason.Words(f.Reason)}},
				answer.TextCell("–"), answer.TextCell("–"), answer.TextCell(layout.FormatShare(f.RMS)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// draws is the table of key generation.
func (r *rsaView) draws() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Key generation: distribution of the time", ZH: "密钥生成耗时的分布"},
		Caption: layout.Text{EN: "CPU time per key. The mean is dominated by a few slow keys, so do not plan by it. p95 needs at least 90 keys. The same seed gives the same keys if the library uses the given random source (GODEBUG=cryptocustomrand=1 in Go); under GODEBUG=fips140=only it does not, and runs cannot be repeated.",
			ZH: "每个密钥的 CPU 时间。均值有误导性：它由少数很长的几次决定。90 次以上才给出 p95。库采用所给随机源时（Go 需设 GODEBUG=cryptocustomrand=1），相同种子得到相同密钥；GODEBUG=fips140=only 下不采用，结果无法重现。"},
		Columns: []layout.Column{answer.TextColumn("Key", "密钥"), answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "keys", ZH: "次数"}), answer.NumberColumn(layout.Same("p50")), answer.NumberColumn(layout.Same("p90")),
			answer.NumberColumn(layout.Same("p95")), answer.NumberColumn(layout.Text{EN: "longest", ZH: "最长"}), answer.NumberColumn(layout.Text{EN: "mean (misleading)", ZH: "均值（有误导性）"})}}
	for _, length := range r.lengths {
		row, d := r.drawn(length)
		if row == nil {
			continue
		}
		line := layout.TableRow{RowID: row.ID,
			Cells: []layout.Cell{{Text: layout.Same(length), Footnotes: row.Notes}, whoCell(r.View, row)}}
		if d == nil {
			line.Cells = append(line.Cells, answer.Cell(row), answer.TextCell("–"), answer.TextCell("–"), answer.TextCell("–"), answer.TextCell("–"), answer.TextCell("–"))
			t.Rows = append(t.Rows, line)
			continue
		}
		p95 := answer.TextCell("–")
		if d.P95 != nil && d.Count >= leastForP95 {
			p95 = answer.TextCell(layout.FormatTime(*d.P95))
		}
		line.Cells = append(line.Cells, answer.TextCell(strconv.FormatInt(d.Count, 10)), answer.TextCell(layout.FormatTime(d.P50)), answer.TextCell(layout.FormatTime(d.P90)), p95,
			answer.TextCell(layout.FormatTime(d.Max)), answer.TextCell(layout.FormatTime(d.Mean)))
		t.Rows = append(t.Rows, line)
	}
	return t
}
