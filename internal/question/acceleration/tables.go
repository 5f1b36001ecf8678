package acceleration

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

func on(t toggle) *document.Row  { return t.on }
func off(t toggle) *document.Row { return t.off }

func named(t toggle) layout.Cell { return layout.Cell{Text: column(t.feature)} }

func (a *view) headline() layout.Table {
	return answer.Table[toggle]{
		Title: layout.Text{EN: "With and without CPU features", ZH: "有无 CPU 特性"},
		Row:   on,
		Columns: []answer.Columns[toggle]{
			answer.On(on, answer.Told("Primitive", "密码原语", answer.PrimitiveName), answer.By(a.Versioned),
				answer.Titled("message", "消息长度", func(r *document.Row) string { return answer.SizeText(r.Bytes) })),
			answer.Words("feature", "特性", named),
			answer.On(on, answer.Figure("with", "有", answer.Cell), answer.EachTime),
			answer.On(off, answer.Figure("without", "无", answer.Cell), answer.EachTime),
			answer.Figure("speed-up", "加速倍数", worthCell)},
	}.Of(a.headlines())
}

// tables are the full ones: a table a library and size, the longest size first, and
// the switches.
func (a *view) tables() []layout.Table {
	sizes := answer.Values(a.Rows, answer.BytesOf, func(r *document.Row) bool { return r.Bytes != a.usual })
	slices.SortFunc(sizes, func(x, y int64) int { return cmp.Compare(y, x) })
	var all []layout.Table
	for _, size := range append([]int64{a.usual}, sizes...) {
		for _, who := range a.names {
			all = append(all, a.matrix(who, size))
		}
		all = append(all, a.asTheyAre(size))
	}
	all = answer.NonEmpty(append(all, a.switchTable())...)
	for i := range all {
		if i > 0 && all[i].Caption == worthCaption {
			all[i].Caption = layout.Text{} // it is said once
		}
	}
	return all
}

var worthCaption = layout.Text{
	EN: "8.00×: 8 times as fast as without this feature and the features built on it. none: no difference (within 0.5 %). ?: inconclusive. Intervals: see the comparisons.",
	ZH: "8.00×：速度是关闭该特性（及以它为基础的特性）时的 8 倍；无：差异在 0.5% 以内；?：无法判定有无差异。置信区间见各项比较。",
}

func (a *view) matrix(who string, size int64) layout.Table {
	ts := answer.Select(a.by(who), func(t toggle) bool { return t.on.Bytes == size })
	features := answer.Select(switches.Features(), func(f switches.Feature) bool {
		return slices.ContainsFunc(ts, func(t toggle) bool { return t.feature == f })
	})
	if len(features) == 0 {
		return layout.Table{}
	}
	return answer.Table[*document.Row]{
		Title: layout.Say("%s, messages of %s: speed-up by each feature", "%s，消息长度 %s：各特性的作用",
			answer.Label(who), answer.SizeText(size)),
		Caption: worthCaption,
		Columns: []answer.RowColumns{answer.Words("Primitive", "密码原语", answer.NameCell),
			answer.Figure("rate", "吞吐量", answer.Cell), answer.EachTime,
			answer.Each(features, column, func(r *document.Row, f switches.Feature) layout.Cell {
				i := slices.IndexFunc(ts, func(t toggle) bool { return t.feature == f && t.on == r })
				if i < 0 {
					return answer.Dash()
				}
				return worthCell(ts[i])
			})},
	}.Of(a.asIs(who, size))
}

func (a *view) asIs(who string, size int64) []*document.Row {
	return answer.Select(a.Rows, func(r *document.Row) bool {
		return r.Environment == "" && r.Bytes == size && a.Versioned(r) == who
	})
}

// asTheyAre are the libraries that have no switch, or are not here.
func (a *view) asTheyAre(size int64) layout.Table {
	var rows []*document.Row
	for _, who := range a.names {
		if len(a.by(who)) == 0 {
			rows = append(rows, a.asIs(who, size)...)
		}
	}
	return answer.Table[*document.Row]{
		Title: layout.Say("Libraries without a switch, messages of %s", "没有开关的库，消息长度 %s", answer.SizeText(size)),
		Columns: []answer.RowColumns{answer.Words("Primitive", "密码原语", answer.NameCell), answer.By(a.Versioned),
			answer.Figure("rate", "吞吐量", answer.Cell), answer.EachTime},
	}.Of(rows)
}

func worthCell(t toggle) layout.Cell {
	switch {
	case t.c == nil && t.off.Status != result.OK:
		return answer.Cell(t.off)
	case t.c == nil:
		return answer.Dash()
	case t.c.Verdict == "same":
		return answer.Faintly("none", "无")
	case !t.differs():
		return answer.Faintly("?", "?")
	}
	return answer.TextCell(answer.Factor(t.c.Ratio) + "×")
}

// set is a switch as a worker is started with it, and what it does; without toggles it
// is that a library has none.
type set struct {
	row     *document.Row
	toggles []toggle
}

func (a *view) sets() (all []set) {
	for _, who := range a.names {
		ts := a.by(who)
		if len(ts) == 0 {
			all = append(all, set{row: a.First(func(r *document.Row) bool { return a.Versioned(r) == who })})
		}
		for _, same := range document.Grouped(byFeature(ts), func(t toggle) string { return t.off.Environment }) {
			all = append(all, set{same[0].off, same})
		}
	}
	return all
}

func (a *view) switchTable() layout.Table {
	row := func(s set) *document.Row { return s.row }
	of := func(cell func(set) layout.Cell) func(set) layout.Cell {
		return func(s set) layout.Cell {
			if len(s.toggles) == 0 {
				return answer.Dash()
			}
			return cell(s)
		}
	}
	return answer.Table[set]{
		Title: layout.Text{EN: "Switches that turn CPU features off, and whether they had an effect",
			ZH: "关闭 CPU 特性的各个开关，以及是否生效"},
		Caption: layout.Text{EN: "A switch is used only if it had an effect: the library may not know it or have no code for the feature, or the CPU may lack the feature. " +
			"Turning a feature off also turns off the features built on it. Each variable is set in a separate worker. " +
			"For libgcrypt CRYPTOGAUGE_GCRYPT_DISABLE_HWF is passed on as GCRYCTL_DISABLE_HWF.",
			ZH: "只采用确认生效的开关：库可能不识别该开关，可能没有用到该特性的代码，CPU 也可能没有该特性。关闭一项特性时，以它为基础的特性一并关闭。各变量只设在单独的工作进程中。" +
				"libgcrypt 以 GCRYCTL_DISABLE_HWF 关闭，由 CRYPTOGAUGE_GCRYPT_DISABLE_HWF 传入。"},
		Row: row,
		Columns: []answer.Columns[set]{
			answer.By(func(s set) string { return s.row.Library }),
			answer.Titled("version", "版本", func(s set) string { return cmp.Or(s.row.Version, "–") }),
			answer.Words("feature", "特性", of(func(s set) layout.Cell { return named(s.toggles[0]) })),
			answer.Words("variable", "变量", of(func(s set) layout.Cell { return answer.TextCell(s.row.Environment) })),
			answer.Words("effect", "作用", a.effectCell)},
	}.Of(a.sets())
}

func (a *view) effectCell(s set) layout.Cell {
	effect := func(t toggle) float64 { return max(t.c.Ratio, 1/t.c.Ratio) }
	seen := answer.Select(s.toggles, toggle.differs)
	refused := slices.IndexFunc(s.toggles, func(t toggle) bool {
		return t.off.Status == result.Unsupported && t.on.Status == result.OK
	})
	cs := comparisons(s.toggles)
	switch {
	case len(s.toggles) == 0 && s.row.Status == result.OK:
		return answer.Faintly("no switch", "没有开关")
	case len(s.toggles) == 0:
		return answer.Cell(s.row)
	case a.lacks(s.toggles[0].feature):
		return answer.Faintly("the CPU lacks it", "CPU 没有此特性")
	case len(seen) > 0:
		strongest := slices.MaxFunc(seen, func(x, y toggle) int { return cmp.Compare(effect(x), effect(y)) })
		return layout.Cell{Text: layout.Say("seen, up to %s× (%s)", "已生效，最高 %s×（%s）",
			answer.Factor(strongest.c.Ratio), answer.PrimitiveName(strongest.on))}
	case refused >= 0:
		return answer.Cell(s.toggles[refused].off)
	case len(cs) == 0:
		return answer.Dash()
	case !answer.AllAre(cs, "same"):
		return answer.Faintly("inconclusive", "无法判定")
	}
	return answer.Faintly("none", "无")
}

func (a *view) charts() []layout.Chart {
	all := a.of(func(t toggle) bool { return t.feature == switches.All && t.on.Bytes == a.usual })
	return append(a.ratios(layout.Text{EN: "Speed-up by a feature: speed with it over speed without it",
		ZH: "特性的作用：有该特性与无该特性的速度之比"}, a.headlines()),
		a.ratios(layout.Say("Speed-up by all features together, messages of %s", "全部特性合计的作用，消息长度 %s",
			answer.SizeText(a.usual)), all)...)
}

func (a *view) ratios(title layout.Text, ts []toggle) []layout.Chart {
	return a.Ratios(title, layout.Text{}, comparisons(ts), func(off, on *document.Row) layout.Text {
		features := layout.Text{EN: "all features", ZH: "全部特性"}
		if f, _ := switches.FeatureOf(off.Library, off.Environment); f != switches.All {
			features = column(f)
		}
		return answer.Join([]layout.Text{layout.Say("with %[1]s / without %[1]s", "有 %[1]s / 无 %[1]s", features),
			answer.PrimitiveName(on), answer.Label(a.Versioned(on))})
	})
}
