package primitives

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// charts are the ratios that the sentences stand on, then speed over size beside
// the cost model, a chart a kind of primitive.
func (p *primitivesView) charts() (out []layout.Chart) {
	if c := p.HeadlineRatios(); len(c.Ratios) > 0 {
		out = append(out, c)
	}
	if len(p.sizes) < 2 {
		return out
	}
	for _, kind := range []struct {
		title layout.Text
		keep  func(*document.Row) bool
	}{
		{layout.Text{EN: "Ciphers with integrity, encryption: speed over message size", ZH: "带完整性的对称密码加密：吞吐量与消息长度"},
			func(r *document.Row) bool { return r.Operation == algorithm.Encrypt && authenticates(r) }},
		{layout.Text{EN: "Ciphers without integrity, encryption: speed over message size", ZH: "无完整性的对称密码加密：吞吐量与消息长度"},
			func(r *document.Row) bool { return r.Operation == algorithm.Encrypt && !authenticates(r) }},
		{layout.Text{EN: "A new cipher for each message: speed over message size", ZH: "每条消息新建 cipher 实例：吞吐量与消息长度"},
			func(r *document.Row) bool { return r.Operation == algorithm.NewEncrypt }},
		{layout.Text{EN: "Hashes and MACs: speed over message size", ZH: "杂凑与消息鉴别码：吞吐量与消息长度"},
			func(r *document.Row) bool { return r.Operation == algorithm.Hash || r.Operation == algorithm.MAC }},
	} {
		chart := layout.Chart{Kind: layout.SpeedOverSize, Title: kind.title,
			Caption: layout.Text{EN: "Points are measured; dotted lines are the cost model, fixed part plus bytes over rate.",
				ZH: "点为实测值，虚线为代价模型：固定开销加字节数除以吞吐量。"}}
		for _, k := range p.messageKeys() {
			if s := p.series(k, kind.keep); len(s.Points) > 0 || s.Struck {
				chart.Series = append(chart.Series, s)
			}
		}
		if len(chart.Series) > 0 {
			out = append(out, chart)
		}
	}
	return out
}

// series is one primitive of one subject over the sizes.
func (p *primitivesView) series(k answer.Key, keep func(*document.Row) bool) layout.Series {
	s := layout.Series{Name: layout.Same(k.Subject + " " + answer.CaseName(k.Algorithm, k.Mode)), New: answer.IsNew(k.Subject)}
	for _, size := range p.sizes {
		k.Bytes = size
		r := p.Row(k)
		if r == nil || !keep(r) {
			continue
		}
		if r.Status == result.Incorrect {
			s.Struck = true
		}
		if pt, ok := answer.Point(r); ok {
			s.Points = append(s.Points, pt)
			s.Model = p.Model(r.ID)
		}
	}
	return s
}

func authenticates(r *document.Row) bool {
	return r.Mode == algorithm.GCM || r.Algorithm == algorithm.ChaCha20Poly1305
}
