package handshake

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

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
			answer.Run("handshake --modes X25519MLKEM768+RSA-2048,X25519MLKEM768+ECDSA-P-256", "two certificates", "对比两种证书"),
			answer.Run("handshake", "every certificate and key exchange, over TCP too", "全部证书与密钥交换，也经由 TCP"),
		},
	}
}

// advice is which key exchange and certificate to shake hands with: one that withstands
// quantum computers, and a certificate that every client takes.
func (h *handshakeView) advice() (all []answer.Advice) {
	quantum := func(r *document.Row) bool { return meetingOf(r).exchange == algorithm.X25519MLKEM768 }
	rows := h.Select(func(r *document.Row) bool { return r.Operation == algorithm.Handshake })
	for _, same := range document.Grouped(rows, func(r *document.Row) [2]string {
		return [2]string{meetingOf(r).kind().EN, meetingOf(r).way().EN}
	}) {
		m := meetingOf(same[0])
		all = append(all, answer.Advice{Rows: same, Contrast: len(all) > 0,
			Job: layout.Say("%s handshakes in %s", "%s握手（%s）", m.kind(), m.way()),
			Name: func(r *document.Row) layout.Text {
				return layout.Say("%s with %s", "%s 加 %s 证书", meetingOf(r).exchange, meetingOf(r).certificate)
			},
			Prefer: []func(*document.Row) bool{
				func(r *document.Row) bool { return quantum(r) && meetingOf(r).certificate != algorithm.Ed25519 }, quantum},
			Gain:  layout.Text{EN: "quantum computers cannot read it later", ZH: "日后的量子计算机也无法解密"},
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
func (h *handshakeView) empty() []*document.Row {
	over := func(transport parameter.Connection) *document.Row {
		return h.Laboratory(func(r *document.Row) bool {
			return r.Operation == algorithm.Handshake && parameter.Transport.In(r.Parameters) == transport
		})
	}
	return answer.Present([]*document.Row{over(parameter.InMemory), over(parameter.TCP)})
}

// latency is a row's histogram of whole handshakes; nil without one.
func (h *handshakeView) latency(r *document.Row) *document.Distribution {
	return h.Believed(r, "latency")
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
	return layout.Contrast(facts(other), facts(base))
}

func wrongUse(r *document.Row) layout.Text {
	if r.Operation != algorithm.Handshake {
		return layout.Text{}
	}
	return meetingOf(r).kind()
}

// certificates says which certificate a server should have: its own part of a full
// handshake, and the comparison of the whole.
func (h *handshakeView) certificates() *layout.Answer {
	base := h.find(usual)
	rate, ok := servedText(base)
	if !ok {
		return nil
	}
	var said answer.Clauses
	said.Add(layout.Say("%s %s", "%s %s", usual.certificate, rate), base.ID)
	slower, best, issued := 0, true, layout.Text{}
	for _, certificate := range algorithm.Certificates()[1:] {
		r := h.find(usual.with(certificate))
		c := h.Compare(base, r)
		rate, ok := servedText(r)
		if c == nil || !ok {
			continue
		}
		said.Add(layout.Say("%s %s", "%s %s", certificate, rate), r.ID, c.ID)
		_, _, theirs, _ := servedIn(r)
		_, ours, _, _ := servedIn(base)
		if c.Verdict == "slower" && theirs < ours {
			slower++
		}
		if certificate == algorithm.Ed25519 {
			issued = layout.Text{EN: " Public authorities issue no Ed25519 certificates.", ZH: "公共 CA 不签发 Ed25519 证书。"}
		}
		best = best && (c.Verdict == "slower" || certificate == algorithm.Ed25519)
	}
	if len(said.Parts) < 2 {
		return nil
	}
	mark, head := layout.Plain, layout.Text{EN: "The certificate decides how large the server must be",
		ZH: "证书类型决定所需的服务器规模"}
	if slower > 0 && best {
		mark = layout.Choose
		head = layout.Text{EN: "Choose an ECDSA P-256 certificate, not RSA", ZH: "请选用 ECDSA P-256 证书，不要用 RSA"}
	}
	return said.Sentence(mark, "%s: full handshakes (%s) per second of server CPU time: %s.%s",
		"%s：使用 %s 的完整握手，服务器每秒 CPU 时间可完成的次数：%s。%s", head, usual.exchange, said.Join(), issued)
}

// quantum says what the hybrid with ML-KEM costs in a full handshake.
func (h *handshakeView) quantum() *layout.Answer {
	c := h.compare(usual.by(algorithm.X25519), usual)
	sent, ok := h.bytesBetween(c)
	if !ok {
		return nil
	}
	server := layout.Text{}
	before, okBefore := answer.Metric(h.ByID[c.Base], "server_cpu_ns")
	if after, okAfter := answer.Metric(h.ByID[c.Other], "server_cpu_ns"); okBefore && okAfter {
		server = layout.Say("; the server's part is %s, with X25519 %s", "；服务器部分为 %s，X25519 为 %s",
			answer.MetricTime(after), answer.MetricTime(before))
	}
	return &layout.Answer{Mark: answer.MarkOf(c), Evidence: answer.Evidence(c),
		Text: layout.Say("Post-quantum key exchange: a full handshake with X25519MLKEM768 %s (CPU time of both sides)%s; it sends %s.",
			"抗量子密钥交换：X25519MLKEM768 的完整握手%s（双方 CPU 时间合计）%s；%s。",
			answer.Versus(c, layout.Same(algorithm.X25519)), server, sent)}
}

// bytesBetween says how many bytes more the second of two handshakes sends each way.
func (h *handshakeView) bytesBetween(c *document.Comparison) (layout.Text, bool) {
	if c == nil {
		return layout.Text{}, false
	}
	var more []layout.Text
	for _, name := range []string{"bytes_to_server", "bytes_to_client"} {
		a, okA := answer.Metric(h.ByID[c.Base], name)
		b, okB := answer.Metric(h.ByID[c.Other], name)
		if !okA || !okB {
			return layout.Text{}, false
		}
		if b.Value < a.Value {
			more = append(more, layout.Say("%.0f fewer", "少 %.0f", a.Value-b.Value))
		} else {
			more = append(more, layout.Say("%.0f more", "多 %.0f", b.Value-a.Value))
		}
	}
	return layout.Say("%s bytes to the server and %s to the client", "发往服务器 %s 字节、发往客户端 %s 字节", more[0], more[1]), true
}

// resumption says what a ticket gives back.
func (h *handshakeView) resumption() *layout.Answer {
	c := h.compare(usual, usual.again())
	sent, ok := h.bytesBetween(c)
	if !ok {
		return nil
	}
	return &layout.Answer{Mark: answer.MarkOf(c), Evidence: answer.Evidence(c),
		Text: layout.Say("Resuming a session (%s, certificate of %s) %s; it sends %s. "+
			"Resumption repeats the key exchange and skips the certificate.",
			"恢复会话（%s，%s 证书）%s；%s。恢复会话仍要交换密钥，但省去证书的签名与验证。", usual.exchange, usual.certificate,
			answer.Versus(c, layout.Text{EN: "a full handshake", ZH: "完整握手"}), sent)}
}

func (h *handshakeView) curves() *layout.Answer {
	c := h.compare(usual.by(algorithm.X25519), usual.by(algorithm.P256))
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{c.ID},
		Text: layout.Say("A full handshake with the key exchange P-256 %s.", "使用 P-256 密钥交换的完整握手%s。",
			answer.Versus(c, layout.Same(algorithm.X25519)))}
}

func (h *handshakeView) overTCP() *layout.Answer {
	other := h.find(usual.over(parameter.TCP))
	c, d := h.Compare(h.find(usual), other), h.latency(other)
	if c == nil || d == nil || d.P99 == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{c.ID, other.ID},
		Text: layout.Say("Over a TCP connection of its own on 127.0.0.1 a full handshake %s in CPU time; "+
			"from dialling to the first byte back p50 is %s and p99 is %s.",
			"在 127.0.0.1 上各自建立 TCP 连接时，按 CPU 时间计，完整握手%s；从拨号到收到第一个字节，p50 为 %s，p99 为 %s。",
			answer.Versus(c,
				layout.Text{EN: "one in memory", ZH: "内存中的握手"}), layout.FormatTime(d.P50), layout.FormatTime(*d.P99))}
}

// withoutTLS says what the laboratory's own part is.
func (h *handshakeView) withoutTLS() *layout.Answer {
	var said answer.Clauses
	for _, r := range h.empty() {
		if ns, ok := answer.Nanoseconds(r); ok {
			said.Add(layout.Say("%s %s", "%s %s", meetingOf(r).way(), layout.FormatTime(ns)), r.ID)
		}
	}
	return said.Sentence(layout.Plain, "Sending the same bytes without TLS, a cost that every number here includes: %s.",
		"不用 TLS、收发同样字节的开销（已计入本节各数值）：%s。", said.Join())
}
