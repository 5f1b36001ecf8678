package acceleration

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

// headlineTables are for the quick screen: what the sentences stand on.
func (a *accelerationView) headlineTables() []layout.Table {
	t := layout.Table{Title: layout.Say("With and without CPU features, messages of %s", "有无 CPU 特性，消息长度 %s", answer.SizeText(a.usual())),
		Columns: []layout.Column{answer.TextColumn("Primitive", "密码原语"), answer.LibraryColumn, answer.TextColumn("feature", "特性"),
			answer.NumberColumn(layout.Text{EN: "with", ZH: "有"}), answer.NumberColumn(layout.Text{EN: "without", ZH: "无"}), answer.NumberColumn(layout.Text{EN: "speed-up", ZH: "加速倍数"})}}
	for _, x := range byFeature(a.of(func(t toggle) bool { return t.c != nil && t.c.Headline })) {
		t.Rows = append(t.Rows, layout.TableRow{RowID: x.on.ID, Cells: []layout.Cell{{Text: answer.PrimitiveName(x.on)},
			{Text: layout.Same(a.who(x.on)), New: answer.IsNew(x.on.Library)}, {Text: featureColumn(x.feature)}, answer.Cell(x.on), answer.Cell(x.off), a.worthCell(x)}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []layout.Table{t}
}

// tables are the full ones: a table a library and size, the longest size first, and
// the switches.
func (a *accelerationView) tables() (out []layout.Table) {
	sizes := slices.Clone(a.sizes)
	slices.SortFunc(sizes, func(x, y int64) int { return int(y - x) })
	if at := slices.Index(sizes, a.usual()); at > 0 {
		sizes = slices.Insert(slices.Delete(sizes, at, at+1), 0, a.usual())
	}
	for _, size := range sizes {
		for _, who := range a.whos() {
			out = append(out, a.matrix(who, size))
		}
		out = append(out, a.asTheyAre(size))
	}
	out = slices.DeleteFunc(append(out, a.switchTable()), func(t layout.Table) bool { return len(t.Rows) == 0 })
	for i := range out {
		if i > 0 && out[i].Caption == worthCaption {
			out[i].Caption = layout.Text{} // it is said once
		}
	}
	return out
}

// worthCaption says how to read the cells.
var worthCaption = layout.Text{
	EN: "8.00×: 8 times as fast as without this feature and the features built on it. none: no difference (within 0.5 %). ?: inconclusive. Intervals: see the comparisons.",
	ZH: "8.00×：速度是关闭该特性（及以其为基础的特性）时的 8 倍；无：差异在 0.5 % 以内；?：无法判定有无差异。置信区间见各项比较。",
}

// matrix is one library at one size: a line a case, a column a feature.
func (a *accelerationView) matrix(who string, size int64) layout.Table {
	ts := a.of(func(t toggle) bool { return a.who(t.on) == who && t.on.Bytes == size })
	t := layout.Table{Title: layout.Say("%s, messages of %s: speed-up by each feature", "%s，消息长度 %s：各特性的作用", answer.Label(who), answer.SizeText(size)),
		Caption: worthCaption, Columns: []layout.Column{answer.TextColumn("Primitive", "密码原语"), answer.NumberColumn(layout.Text{EN: "rate", ZH: "吞吐量"})}}
	features := slices.DeleteFunc(switches.Features(), func(f switches.Feature) bool {
		return !slices.ContainsFunc(ts, func(t toggle) bool { return t.feature == f })
	})
	if len(features) == 0 {
		return layout.Table{}
	}
	for _, f := range features {
		t.Columns = append(t.Columns, answer.NumberColumn(featureColumn(f)))
	}
	for _, r := range a.asIs(size) {
		if a.who(r) != who {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.NameCell(r), answer.Cell(r)}}
		for _, f := range features {
			i := slices.IndexFunc(ts, func(t toggle) bool { return t.feature == f && t.on == r })
			if i < 0 {
				row.Cells = append(row.Cells, answer.Dash())
				continue
			}
			row.Cells = append(row.Cells, a.worthCell(ts[i]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// asIs are the rows of a size without any switch.
func (a *accelerationView) asIs(size int64) (rows []*document.Row) {
	for _, r := range a.Rows {
		if r.Environment == "" && r.Bytes == size {
			rows = append(rows, r)
		}
	}
	return rows
}

// asTheyAre are the libraries that have no switch, or are not here.
func (a *accelerationView) asTheyAre(size int64) layout.Table {
	t := layout.Table{Title: layout.Say("Libraries without a switch, messages of %s", "没有开关的库，消息长度 %s", answer.SizeText(size)),
		Columns: []layout.Column{answer.TextColumn("Primitive", "密码原语"), answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "rate", ZH: "吞吐量"})}}
	for _, who := range a.whos() {
		if slices.ContainsFunc(a.toggles, func(t toggle) bool { return a.who(t.on) == who }) {
			continue
		}
		for _, r := range a.asIs(size) {
			if a.who(r) == who {
				t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.NameCell(r), {Text: layout.Same(who), New: answer.IsNew(who)}, answer.Cell(r)}})
			}
		}
	}
	return t
}

// worthCell shows how many times as fast the feature makes it, or why that is not known.
func (a *accelerationView) worthCell(t toggle) layout.Cell {
	switch {
	case t.c == nil && t.off.Status != result.OK:
		return answer.Cell(t.off)
	case t.c == nil:
		return answer.Dash()
	case t.c.Verdict == "same":
		return layout.Cell{Text: layout.Text{EN: "none", ZH: "无"}, Faint: true}
	case !different(t.c):
		return layout.Cell{Text: layout.Same("?"), Faint: true}
	}
	return answer.TextCell(answer.Factor(t.c.Ratio) + "×")
}

// switchTable lists how each library is told, and whether an effect was seen.
func (a *accelerationView) switchTable() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Switches that turn CPU features off, and whether they had an effect", ZH: "关闭 CPU 特性的各开关及是否见到作用"},
		Caption: layout.Text{EN: "A switch is used only if it had an effect: the library may not know it or have no code for the feature, or the CPU may lack the feature. Turning a feature off also turns off the features built on it. Each variable is set in a separate worker. For libgcrypt CRYPTOGAUGE_GCRYPT_DISABLE_HWF is passed on as GCRYCTL_DISABLE_HWF.",
			ZH: "只有见到作用的开关才算数：库可能不识别该开关，可能没有用到该特性的代码，CPU 也可能没有该特性。关闭一项特性时，以其为基础的特性一并关闭。各变量只设在单独的工作进程中。libgcrypt 以 GCRYCTL_DISABLE_HWF 关闭，由 CRYPTOGAUGE_GCRYPT_DISABLE_HWF 传入。"},
		Columns: []layout.Column{answer.LibraryColumn, answer.TextColumn("version", "版本"), answer.TextColumn("feature", "特性"), answer.TextColumn("variable", "变量"), answer.TextColumn("effect", "作用")}}
	add := func(r *document.Row, more ...layout.Cell) {
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: append([]layout.Cell{{Text: layout.Same(r.Library), New: answer.IsNew(r.Library)}, answer.TextCell(version(r))}, more...)})
	}
	for _, who := range a.whos() {
		of := byFeature(a.of(func(t toggle) bool { return a.who(t.on) == who }))
		if len(of) == 0 {
			r := a.Rows[slices.IndexFunc(a.Rows, func(r *document.Row) bool { return a.who(r) == who })]
			add(r, answer.Dash(), answer.Dash(), a.noSwitchCell(r))
		}
		for len(of) > 0 {
			this := of[0].off.Environment
			same := slices.DeleteFunc(slices.Clone(of), func(t toggle) bool { return t.off.Environment != this })
			of = slices.DeleteFunc(of, func(t toggle) bool { return t.off.Environment == this })
			add(same[0].off, layout.Cell{Text: featureColumn(same[0].feature)}, answer.TextCell(this), a.effectCell(same))
		}
	}
	return t
}

func version(r *document.Row) string {
	if r.Version == "" {
		return "–"
	}
	return r.Version
}

func (a *accelerationView) noSwitchCell(r *document.Row) layout.Cell {
	if r.Status != result.OK {
		return answer.Cell(r)
	}
	return layout.Cell{Text: layout.Text{EN: "no switch", ZH: "没有开关"}, Faint: true}
}

// effectCell says what a switch did at most.
func (a *accelerationView) effectCell(ts []toggle) layout.Cell {
	if s, ok := strongest(ts); ok {
		return layout.Cell{Text: layout.Say("seen, up to %s× (%s)", "已见到，最高 %s×（%s）", answer.Factor(s.c.Ratio), answer.PrimitiveName(s.on))}
	}
	if i := slices.IndexFunc(ts, refused); i >= 0 {
		return answer.Cell(ts[i].off)
	}
	told := slices.DeleteFunc(slices.Clone(ts), func(t toggle) bool { return t.c == nil })
	switch {
	case len(told) == 0:
		return answer.Dash()
	case slices.ContainsFunc(told, func(t toggle) bool { return t.c.Verdict != "same" }):
		return layout.Cell{Text: layout.Text{EN: "inconclusive", ZH: "无法判定"}, Faint: true}
	}
	return layout.Cell{Text: layout.Text{EN: "none", ZH: "无"}, Faint: true}
}

// charts are what the sentences stand on, then each library without all of it.
func (a *accelerationView) charts() (out []layout.Chart) {
	for _, c := range []layout.Chart{
		a.ratios(layout.Text{EN: "Speed-up by a feature: speed with it over speed without it", ZH: "特性的作用：有该特性与无该特性的速度之比"},
			func(t toggle) bool { return t.c != nil && t.c.Headline }),
		a.ratios(layout.Say("Speed-up by all features together, messages of %s", "全部特性合计的作用，消息长度 %s", answer.SizeText(a.usual())),
			func(t toggle) bool { return t.feature == switches.All && t.on.Bytes == a.usual() }),
	} {
		if len(c.Ratios) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func (a *accelerationView) ratios(name layout.Text, keep func(toggle) bool) layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios, Title: name,
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, t := range byFeature(a.of(keep)) {
		if t.c == nil || t.c.Ratio == 0 {
			continue
		}
		parts := []layout.Text{answer.PrimitiveName(t.on), answer.Label(a.who(t.on))}
		if t.feature != switches.All {
			parts = append(parts, featureColumn(t.feature))
		}
		chart.Ratios = append(chart.Ratios, layout.Ratio{Label: answer.Join(parts), Value: t.c.Ratio, Low: *t.c.Low, High: *t.c.High,
			HasInterval: true, Verdict: t.c.Verdict, ID: t.c.ID})
	}
	return chart
}
