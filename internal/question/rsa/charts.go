package rsa

import (
	"math"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

func factorOfDoubling(f *document.Fit) string { return answer.Factor(math.Exp2(f.Terms["exponent"])) }

// overLength draws time over the length of the key, an operation a line.
func (r *rsaView) overLength() []layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize, X: answer.LengthAxis, Y: answer.TimeAxis,
		Title:   layout.Say("CPU time of a call over key length, in %s", "%s：单次 CPU 时间与密钥长度", answer.Label(r.first())),
		Caption: layout.Text{EN: "Broken lines are the fitted power laws.", ZH: "虚线为拟合的幂律。"}}
	for _, what := range [][3]string{{pss, "sign", ""}, {pss, "sign", "crt=no"}, {pss, "verify", ""}, {oaep, "decrypt", ""}, {oaep, "encrypt", ""}, {pkcs1, "encrypt", ""}} {
		var s layout.Series
		for _, length := range r.lengths {
			row := r.of(length, what[0], what[1], what[2])
			if p, ok := answer.TimePoint(row, float64(algorithm.RSABits(length))); ok {
				s.Name = answer.CaseText(row)
				s.Points = append(s.Points, p)
			}
		}
		if f := r.fit(what[0], what[1], what[2]); f != nil && f.OK {
			s.Model = func(x float64) float64 { return f.Terms["factor_ns"] * math.Pow(x, f.Terms["exponent"]) }
		}
		if len(s.Points) > 1 {
			chart.Series = append(chart.Series, s)
		}
	}
	if len(chart.Series) == 0 {
		return nil
	}
	return []layout.Chart{chart}
}

// drawsOverLength draws what key generation takes, a percentile a line.
func (r *rsaView) drawsOverLength() []layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize, X: answer.LengthAxis, Y: answer.TimeAxis,
		Title:   layout.Text{EN: "Key generation: CPU time over key length", ZH: "密钥生成：CPU 时间与密钥长度"},
		Caption: layout.Text{EN: "Each line is a percentile over the keys; the spread between them is random.", ZH: "每条线为抽样的一个分位数；其间距即随机性。"}}
	for _, line := range []struct {
		name layout.Text
		of   func(*document.Distribution) float64
	}{
		{layout.Same("p50"), func(d *document.Distribution) float64 { return d.P50 }},
		{layout.Text{EN: "mean", ZH: "均值"}, func(d *document.Distribution) float64 { return d.Mean }},
		{layout.Same("p90"), func(d *document.Distribution) float64 { return d.P90 }},
		{layout.Text{EN: "longest", ZH: "最长"}, func(d *document.Distribution) float64 { return d.Max }},
	} {
		s := layout.Series{Name: line.name}
		for _, length := range r.lengths {
			if row, d := r.drawn(length); d != nil {
				y := line.of(d)
				s.Points = append(s.Points, layout.Point{X: float64(algorithm.RSABits(length)), Y: y, Low: y, High: y, RowID: row.ID})
			}
		}
		if len(s.Points) > 1 {
			chart.Series = append(chart.Series, s)
		}
	}
	if len(chart.Series) == 0 {
		return nil
	}
	return []layout.Chart{chart}
}
