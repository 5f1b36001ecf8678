package messages

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// charts are the ratios that the sentences stand on, then speed over size with the
// cost models, one chart a direction, with AES instructions and without.
func (m *messagesView) charts() []layout.Chart {
	var out []layout.Chart
	if c := m.HeadlineRatios(); len(c.Ratios) > 0 {
		out = append(out, c)
	}
	if len(m.sizes) < 2 {
		return out
	}
	for _, op := range []string{algorithm.Encrypt, algorithm.Decrypt} {
		for _, without := range []bool{false, true} {
			if c := m.speedOverSize(op, without); len(c.Series) > 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// speedOverSize draws every library's own choice of kernel. Without AES
// instructions stand those that were told so, and those that have none; not our
// engine, whose GFNI no CPU has that lacks them.
func (m *messagesView) speedOverSize(op string, without bool) layout.Chart {
	name := layout.Say("%s with AES instructions: speed over message size", "%s，有 AES 指令：吞吐量与报文长度", answer.Upper(direction(op)))
	if without {
		name = layout.Say("%s without AES instructions: speed over message size", "%s，无 AES 指令：吞吐量与报文长度", answer.Upper(direction(op)))
	}
	chart := layout.Chart{Kind: layout.SpeedOverSize, Title: name}
	if without {
		chart.Caption = layout.Text{EN: "Measured with " + WithoutAES + "; a CPU without AES instructions may also lack AVX2, which ChaCha20-Poly1305 still uses here.",
			ZH: "在 " + WithoutAES + " 下测得；没有 AES 指令的 CPU 可能也没有 AVX2，而此处 ChaCha20-Poly1305 仍在使用。"}
	}
	told := false
	for _, l := range m.lines(op) {
		told = told || l.withoutAES
		if !answer.Primary(l.name) && !l.withoutAES || l.withoutAES && !without || without && !l.withoutAES && (answer.IsNew(l.name) || m.hasTwin(l, op)) {
			continue
		}
		if s := m.series(l, op); len(s.Points) > 0 || s.Struck {
			chart.Series = append(chart.Series, s)
		}
	}
	if without && !told {
		return layout.Chart{} // nothing differs from the chart with them
	}
	return chart
}

// hasTwin says whether a line was measured without AES instructions too.
func (m *messagesView) hasTwin(l line, op string) bool {
	for _, other := range m.lines(op) {
		if other.withoutAES && answer.LibraryOf(other.name) == answer.LibraryOf(l.name) && other.algorithm == l.algorithm && other.mode == l.mode {
			return true
		}
	}
	return false
}

func (m *messagesView) series(l line, op string) layout.Series {
	s := layout.Series{Name: layout.Same(answer.CaseName(l.algorithm, l.mode) + " " + answer.LibraryOf(l.name)), New: answer.IsNew(l.name)}
	for _, size := range m.sizes {
		r := m.cellRow(l, op, size)
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
