package handshake

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "handshake", Narrowing: []string{"--modes", "--libraries"}, Layout: layOut,
	Use: wrongUse,
	Asks: layout.Text{EN: "What does a TLS 1.3 handshake cost: which certificate, which key exchange, and how much does resumption save?",
		ZH: "一次 TLS 1.3 握手开销多大？选哪种证书、哪种密钥交换？会话恢复能省多少？"}}

// layOut lays out what TLS handshakes cost either side, by certificate and key
// exchange, full and resumed.
func layOut(v *answer.View) layout.Layout {
	h := &handshakeView{View: v}
	line, chosen := h.Chosen(h.advice()...)
	return layout.Layout{
		Line:  answer.FirstSaid(line),
		Title: layout.Text{EN: "TLS 1.3 handshakes", ZH: "TLS 1.3 握手"},
		Answers: answer.Said(append(chosen, answer.Short(h.certificates()), answer.Short(h.quantum()), answer.Short(h.resumption()),
			h.curves(), h.overTCP(), h.withoutTLS())...),
		Headline: answer.NonEmpty(h.headline()),
		Tables:   answer.NonEmpty(h.costs(), h.latencies()),
		Charts: h.Ratios(layout.Text{EN: "Handshakes: speed of the first over the second, CPU time of both sides",
			ZH: "握手：前者相对后者的速度（双方 CPU 时间）"}, layout.Text{}, h.Headlines(), apart),
		Next: []layout.Next{
			{Command: "cryptogauge run handshake --modes X25519MLKEM768+RSA-2048,X25519MLKEM768+ECDSA-P-256",
				Why: layout.Text{EN: "two certificates", ZH: "对比两种证书"}},
			{Command: "cryptogauge run handshake",
				Why: layout.Text{EN: "every certificate and key exchange, over TCP too", ZH: "全部证书与密钥交换，也经由 TCP"}},
		},
	}
}

// advice is which key exchange and certificate to shake hands with: one that withstands
// quantum computers, and a certificate that every client takes.
func (h *handshakeView) advice() (all []answer.Advice) {
	quantum := func(r *document.Row) bool { return meetingOf(r).exchange == algorithm.X25519MLKEM768 }
	rows := h.Select(func(r *document.Row) bool { return r.Operation == algorithm.Handshake })
	for _, same := range answer.Grouped(rows, func(r *document.Row) [2]string {
		return [2]string{meetingOf(r).kind().EN, meetingOf(r).way().EN}
	}) {
		m := meetingOf(same[0])
		all = append(all, answer.Advice{Rows: same, Contrast: len(all) > 0,
			Job: layout.Say("%s handshakes in %s", "%s握手（%s）", m.kind(), m.way()),
			Name: func(r *document.Row) layout.Text {
				return layout.Say("%s with %s", "%s 加 %s 证书", meetingOf(r).exchange, meetingOf(r).certificate)
			},
			Rank: func(r *document.Row) int {
				return slices.Index([]bool{quantum(r) && meetingOf(r).certificate != algorithm.Ed25519, quantum(r), true}, true)
			},
			Gains: func(best, other *document.Row) layout.Text {
				if quantum(best) && !quantum(other) {
					return layout.Text{EN: "quantum computers cannot read it later", ZH: "日后的量子计算机也无法解密"}
				}
				return layout.Text{}
			},
			Usual: func(r *document.Row) bool { return algorithm.RSABits(meetingOf(r).certificate) > 0 && quantum(r) },
			Costs: func(best *document.Row) layout.Text {
				rate, ok := servedText(best)
				if !ok {
					return layout.Text{}
				}
				return layout.Say("one server CPU does %s a second", "服务器每用 1 秒 CPU 可完成 %s 次", rate)
			}})
	}
	return all
}

type handshakeView struct{ *answer.View }

func meetingOf(r *document.Row) meeting {
	exchange, certificate := algorithm.HandshakeParts(r.Mode)
	return meeting{exchange, certificate, parameter.Resumed.In(r.Parameters), parameter.Transport.In(r.Parameters)}
}

// find is the first row of a handshake; nil where there is none.
func (h *handshakeView) find(m meeting) *document.Row {
	return h.First(func(r *document.Row) bool { return meetingOf(r) == m })
}

func (h *handshakeView) compare(base, other meeting) *document.Comparison {
	return h.Compare(h.find(base), h.find(other))
}

// empty are the laboratory's rows of the same flights without TLS, in memory and over TCP.
func (h *handshakeView) empty() (rows []*document.Row) {
	for _, transport := range []parameter.Connection{parameter.InMemory, parameter.TCP} {
		if r := h.Laboratory(func(r *document.Row) bool {
			return r.Operation == algorithm.Handshake && parameter.Transport.In(r.Parameters) == transport
		}); r != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// latency is a row's histogram of whole handshakes; nil without one.
func (h *handshakeView) latency(r *document.Row) *document.Distribution {
	if r == nil || r.Status != result.OK {
		return nil
	}
	return h.Distribution(r, "latency")
}

// servedIn is how many handshakes a server does in a second of CPU time, by its
// part of each, with the interval turned over.
func servedIn(r *document.Row) (rate, low, high float64, ok bool) {
	m, there := answer.Metric(r, "server_cpu_ns")
	if !there || m.Value <= 0 || m.Low == nil || m.High == nil || *m.Low <= 0 {
		return 0, 0, 0, false
	}
	return 1e9 / m.Value, 1e9 / *m.High, 1e9 / *m.Low, true
}

// servedText prints it: "3760 (3750–5170)".
func servedText(r *document.Row) (string, bool) {
	rate, low, high, ok := servedIn(r)
	return fmt.Sprintf("%.0f (%.0f–%.0f)", round3(rate), round3(low), round3(high)), ok
}

// round3 keeps three digits.
func round3(x float64) float64 {
	unit := 1.0
	for x/unit >= 1000 {
		unit *= 10
	}
	return float64(int64(x/unit+0.5)) * unit
}

// kind says whether a handshake is a full one, and way what it is spoken over.
func (m meeting) kind() layout.Text {
	if m.resumed == parameter.Yes {
		return layout.Text{EN: "resumed", ZH: "恢复"}
	}
	return layout.Text{EN: "full", ZH: "完整"}
}

func (m meeting) way() layout.Text {
	if m.transport == parameter.TCP {
		return layout.Text{EN: "TCP (127.0.0.1)", ZH: "本机 TCP"}
	}
	return layout.Text{EN: "memory", ZH: "内存"}
}

// apart names what tells two handshakes apart, and what they have in common.
func apart(base, other *document.Row) layout.Text {
	facts := func(r *document.Row) []layout.Text {
		m := meetingOf(r)
		return []layout.Text{layout.Same(m.exchange), layout.Same(m.certificate), m.kind(), m.way()}
	}
	a, b := facts(base), facts(other)
	i := 0
	for i < len(a)-1 && a[i] == b[i] {
		i++
	}
	differ := layout.Say("%s / %s", "%s / %s", b[i], a[i])
	return answer.Join(append([]layout.Text{differ}, slices.Delete(a, i, i+1)...))
}

// wrongUse says which kind of handshake went wrong.
func wrongUse(r *document.Row) layout.Text {
	if r.Operation != algorithm.Handshake {
		return layout.Text{}
	}
	return meetingOf(r).kind()
}
