package messages

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

func (m *messagesView) draws() []*document.Row {
	return m.Select(func(r *document.Row) bool { return r.Operation == algorithm.Draw })
}

// sealedBy is the row of AES-128-GCM in the library that a nonce is drawn by, called in the same way.
func (m *messagesView) sealedBy(drawn *document.Row, size int64) *document.Row {
	return m.First(func(r *document.Row) bool {
		return plan.Of(r.Algorithm, r.Mode, r.Operation) == plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt) &&
			r.Library == drawn.Library && r.Version == drawn.Version && r.CallPath == drawn.CallPath &&
			r.Environment == "" && r.Bytes == size
	})
}

// share is the part of drawing a nonce and sealing a message that drawing is, with the least and the most that both
// intervals allow; false where either has none.
func share(drawn, sealed *document.Row) (median, low, high float64, ok bool) {
	for _, r := range []*document.Row{drawn, sealed} {
		if _, timed := answer.Nanoseconds(r); !timed || r.NsPerOp.Low == nil || r.NsPerOp.High == nil {
			return 0, 0, 0, false
		}
	}
	d, s := drawn.NsPerOp, sealed.NsPerOp
	of := func(d, s float64) float64 { return d / (d + s) }
	return of(d.Median, s.Median), of(*d.Low, *s.High), of(*d.High, *s.Low), true
}

func (m *messagesView) nonceTable() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "A random nonce for each message: what it takes, and its share of generating and sealing", ZH: "每条消息一个随机 nonce：耗时，以及它在生成与加密总耗时中所占比例"},
		Caption: layout.Say("12 bytes from the library's random number generator; the message is sealed with %s of the same library.",
			"由该库的随机数发生器生成 12 字节；消息由同一库的 %s 加密。", answer.CaseName(algorithm.AES128, algorithm.GCM)),
		Row: answer.Itself,
		Columns: []answer.Columns[*document.Row]{
			answer.Words("Library", "库", func(r *document.Row) layout.Cell { return answer.Named(m.Name(r)) }),
			answer.Figure("a nonce", "一个 nonce", answer.TimeCell),
			answer.EachSize(m.sizes, func(r *document.Row, size int64) layout.Cell {
				if part, _, _, ok := share(r, m.sealedBy(r, size)); ok {
					return answer.TextCell(layout.FormatShare(part))
				}
				return answer.Dash()
			})},
	}.Of(m.draws())
}

// nonces says what part of a small message drawing its nonce is, in the library that has it first.
func (m *messagesView) nonces() *layout.Answer {
	for _, r := range m.draws() {
		said := answer.Clauses{Evidence: []string{r.ID}}
		for _, size := range m.heads {
			sealed := m.sealedBy(r, size)
			if part, low, high, ok := share(r, sealed); ok {
				said.Add(layout.Say("%s (%s) at %s", "%[3]s 时 %[1]s（%[2]s）", layout.FormatShare(part),
					answer.Span(low, high, layout.FormatShare), answer.SizeText(size)), sealed.ID)
			}
		}
		if len(said.Parts) > 0 {
			return said.Sentence(layout.Plain, "A random nonce for each message (%s) takes %s. Its share of the time to generate it and to seal with %s: %s. "+
				"Where one sender alone uses the key, a counter instead costs next to nothing.",
				"每条消息生成一个随机 nonce（%s）需 %s，占生成与 %s 加密总耗时的比例：%s。若密钥只有一个发送方使用，改用计数器几乎没有开销。",
				answer.Label(r.Who()), layout.FormatTime(r.NsPerOp.Median), answer.CaseName(algorithm.AES128, algorithm.GCM),
				said.Join())
		}
	}
	return nil
}
