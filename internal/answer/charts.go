package answer

import (
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

func (v *View) HeadlineRatios() layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios,
		Title: layout.Text{EN: "Headline comparisons: speed of the first over the second", ZH: "主要比较：前者相对后者的速度"},
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, c := range v.Doc.Comparisons {
		base, other := v.ByID[c.Base], v.ByID[c.Other]
		if !c.Headline || base == nil || other == nil || c.Ratio == 0 {
			continue
		}
		r := layout.Ratio{Label: v.contrast(base, other), Value: c.Ratio, Verdict: c.Verdict, ID: c.ID}
		if c.Low != nil && c.High != nil {
			r.Low, r.High, r.HasInterval = *c.Low, *c.High, true
		}
		chart.Ratios = append(chart.Ratios, r)
	}
	return chart
}

// contrast names two rows by what tells them apart, and what they share after it.
func (v *View) contrast(base, other *document.Row) layout.Text {
	differ := func(a, b string) layout.Text { return layout.Same(b + " / " + a) }
	var parts []layout.Text
	add := func(a, b string) {
		if a == b {
			parts = append(parts, layout.Same(a))
			return
		}
		parts = append(parts, differ(a, b))
	}
	if base.Algorithm == other.Algorithm && base.Mode != other.Mode {
		parts = append(parts, layout.Say("%s %s", "%s %s", layout.Same(base.Algorithm), differ(base.Mode, other.Mode)))
	} else {
		add(CaseName(base.Algorithm, base.Mode), CaseName(other.Algorithm, other.Mode))
	}
	if base.Operation == other.Operation {
		parts = append(parts, Operation(base.Operation))
	} else {
		parts = append(parts, layout.Say("%s / %s", "%s / %s", Operation(other.Operation), Operation(base.Operation)))
	}
	add(v.Name(base), v.Name(other))
	parts = append(parts, lengths(base, other)...)
	return Join(parts)
}

func Point(r *document.Row) (layout.Point, bool) {
	y, ok := Speed(r)
	if !ok {
		return layout.Point{}, false
	}
	p := layout.Point{X: float64(r.Bytes), Y: y, Low: y, High: y, RowID: r.ID}
	if e := r.NsPerOp; e != nil && e.Low != nil && e.High != nil {
		// A short time is a high rate: the ends change places.
		p.Low, p.High = p.X/(*e.High)*1e9, p.X/(*e.Low)*1e9
	}
	return p, true
}

// Model is the cost model that a row took part in, as a rate over size.
func (v *View) Model(id string) func(float64) float64 {
	for _, f := range v.Doc.Fits {
		if !f.OK || f.Model != "affine" {
			continue
		}
		for _, r := range f.RowIDs {
			if r == id {
				fixed, perByte := f.Terms["fixed_ns"], f.Terms["ns_per_byte"]
				return func(n float64) float64 { return n / (fixed + perByte*n) * 1e9 }
			}
		}
	}
	return nil
}

// ContrastKeys names two rows of key pairs by what tells them apart.
func ContrastKeys(base, other *document.Row) layout.Text {
	a, b := CaseText(other), CaseText(base)
	who := func(r *document.Row) string { return r.Algorithm + " " + r.Who() }
	switch {
	case base.Algorithm == other.Algorithm && base.Who() == other.Who():
		return layout.Say("%s %s, %s / %s", "%s %s，%s / %s", other.Algorithm, other.Who(), a, b)
	case a == b:
		return layout.Say("%s, %s / %s", "%s，%s / %s", a, who(other), who(base))
	}
	return layout.Say("%s %s / %s %s", "%s %s / %s %s", who(other), a, who(base), b)
}

// ChunkPoint is a row's rate over its chunk.
func ChunkPoint(r *document.Row) (layout.Point, bool) {
	p, ok := Point(r)
	p.X = float64(document.ChunkOf(r))
	return p, ok
}
