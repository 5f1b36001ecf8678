package answer

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// charts are the ratios that the sentences stand on, then speed over size, one
// chart an algorithm and direction.
func (m *modesView) charts() []layout.Chart {
	var out []layout.Chart
	if c := m.headlineRatios(); len(c.Ratios) > 0 {
		out = append(out, c)
	}
	if len(m.sizes) < 2 {
		return out
	}
	for _, a := range m.algorithms() {
		for _, op := range []string{"encrypt", "decrypt"} {
			if c := m.speedOverSize(a, op); len(c.Series) > 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

func (v *view) headlineRatios() layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios,
		Title: layout.Text{EN: "Headline comparisons: speed of the first over the second", ZH: "主要比较：前者相对后者的速度"},
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, c := range v.doc.Comparisons {
		base, other := v.byID[c.Base], v.byID[c.Other]
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
func (v *view) contrast(base, other *document.Row) layout.Text {
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
		parts = append(parts, say("%s %s", "%s %s", layout.Same(base.Algorithm), differ(base.Mode, other.Mode)))
	} else {
		add(caseName(base.Algorithm, base.Mode), caseName(other.Algorithm, other.Mode))
	}
	if base.Operation == other.Operation {
		parts = append(parts, operation(base.Operation))
	} else {
		parts = append(parts, say("%s / %s", "%s / %s", operation(other.Operation), operation(base.Operation)))
	}
	add(v.name(base), v.name(other))
	parts = append(parts, lengths(base, other)...)
	return join(parts)
}

// lengths names the sizes of two rows, where they have one.
func lengths(base, other *document.Row) []layout.Text {
	switch {
	case base.Bytes == 0 && other.Bytes == 0:
		return nil
	case base.Bytes != other.Bytes:
		return []layout.Text{layout.Same(sizeText(other.Bytes) + " / " + sizeText(base.Bytes))}
	}
	return []layout.Text{length(base)}
}

func (m *modesView) speedOverSize(algorithm, op string) layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize,
		Title: say("%s, %s: speed over message size", "%s，%s：吞吐量与消息长度", layout.Same(algorithm), operation(op))}
	for _, mode := range m.modeNames(algorithm) {
		for _, lib := range m.libraries(algorithm) {
			s := m.series(lib, algorithm, mode, op)
			if len(s.Points) > 0 || s.Struck {
				chart.Series = append(chart.Series, s)
			}
		}
	}
	return chart
}

func (m *modesView) series(lib, algorithm, mode, op string) layout.Series {
	name := strings.TrimSpace(lib + " " + mode)
	if mode == "" {
		name = lib + " " + algorithm
	}
	s := layout.Series{Name: layout.Same(name), New: isNew(lib)}
	for _, size := range m.sizes {
		r := m.row(key{lib, algorithm, mode, op, size})
		if r != nil && r.Status == result.Incorrect {
			s.Struck = true
		}
		if p, ok := point(r); ok {
			s.Points = append(s.Points, p)
			s.Model = m.model(r.ID)
		}
	}
	return s
}

func point(r *document.Row) (layout.Point, bool) {
	y, ok := speed(r)
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

// model is the cost model that a row took part in, as a rate over size.
func (v *view) model(id string) func(float64) float64 {
	for _, f := range v.doc.Fits {
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

// pictures shows the drawn picture under each mode, side by side.
func (m *modesView) pictures() (out []layout.Picture) {
	titles := map[string]layout.Text{
		"plain": {EN: "The picture", ZH: "原图"},
		"ecb":   {EN: "under ECB: still the picture", ZH: "ECB 加密：轮廓仍在"},
		"cbc":   {EN: "under CBC", ZH: "CBC 加密"},
		"ctr":   {EN: "under CTR", ZH: "CTR 加密"},
	}
	for _, kind := range []string{"plain", "ecb", "cbc", "ctr"} {
		for _, a := range m.doc.Artifacts {
			if a.Name == "picture-plain.png" && kind == "plain" || a.Name == "picture-sm4-"+kind+".png" {
				out = append(out, layout.Picture{Title: titles[kind], Artifact: a.Name})
				break
			}
		}
	}
	return out
}
