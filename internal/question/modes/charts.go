package modes

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// charts are the ratios that the sentences stand on, then speed over size, one
// chart an algorithm and direction.
func (m *modesView) charts() []layout.Chart {
	var out []layout.Chart
	if c := m.HeadlineRatios(); len(c.Ratios) > 0 {
		out = append(out, c)
	}
	if len(m.sizes) < 2 {
		return out
	}
	for _, a := range m.algorithms() {
		for _, op := range []string{algorithm.Encrypt, algorithm.Decrypt} {
			if c := m.speedOverSize(a, op); len(c.Series) > 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

func (m *modesView) speedOverSize(algorithm, op string) layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize,
		Title: layout.Say("%s, %s: speed over message size", "%s，%s：吞吐量与消息长度", layout.Same(algorithm), answer.Operation(op))}
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
	s := layout.Series{Name: layout.Same(name), New: answer.IsNew(lib)}
	for _, size := range m.sizes {
		r := m.Row(answer.Key{Subject: lib, Algorithm: algorithm, Mode: mode, Operation: op, Bytes: size})
		if r != nil && r.Status == result.Incorrect {
			s.Struck = true
		}
		if p, ok := answer.Point(r); ok {
			s.Points = append(s.Points, p)
			s.Model = m.Model(r.ID)
		}
	}
	return s
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
		for _, a := range m.Doc.Artifacts {
			if a.Name == "picture-plain.png" && kind == "plain" || a.Name == "picture-sm4-"+kind+".png" {
				out = append(out, layout.Picture{Title: titles[kind], Artifact: a.Name})
				break
			}
		}
	}
	return out
}
