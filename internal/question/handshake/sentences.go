package handshake

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

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
	slower, best := 0, true
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
	return said.Sentence(mark, "%s: full handshakes (%s) per second of server CPU time: %s.",
		"%s：使用 %s 的完整握手，服务器每秒 CPU 时间可完成的次数：%s。", head, usual.exchange, said.Join())
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

// curves compares the classical key exchanges.
func (h *handshakeView) curves() *layout.Answer {
	c := h.compare(usual.by(algorithm.X25519), usual.by(algorithm.P256))
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{c.ID},
		Text: layout.Say("A full handshake with the key exchange P-256 %s.", "使用 P-256 密钥交换的完整握手%s。",
			answer.Versus(c, layout.Same(algorithm.X25519)))}
}

// overTCP says what connections add.
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
