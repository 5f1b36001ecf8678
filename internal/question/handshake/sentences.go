package handshake

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// answers are the sentences, the most useful first.
func (h *handshakeView) answers() []layout.Answer {
	var out []layout.Answer
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = h.Experiment
			out = append(out, *a)
		}
	}
	add(h.certificates())
	add(h.quantum())
	add(h.resumption())
	add(h.curves())
	add(h.overTCP())
	add(h.withoutTLS())
	return out
}

// certificates says which certificate a server should have: its own part of a full
// handshake, and the comparison of the whole.
func (h *handshakeView) certificates() *layout.Answer {
	base := h.full(usualExchange, usualCertificate)
	rate, ok := servedText(base)
	if !ok {
		return nil
	}
	parts := []layout.Text{layout.Say("%s %s", "%s %s", usualCertificate, rate)}
	evidence := []string{base.ID}
	slower, best := 0, true
	for _, certificate := range []string{algorithm.Ed25519, algorithm.RSA2048, algorithm.RSA4096} {
		r := h.full(usualExchange, certificate)
		c := h.Compare(base, r)
		rate, ok := servedText(r)
		if c == nil || !ok {
			continue
		}
		parts = append(parts, layout.Say("%s %s", "%s %s", certificate, rate))
		evidence = append(evidence, r.ID, c.ID)
		_, _, theirs, _ := servedIn(r)
		_, ours, _, _ := servedIn(base)
		if c.Verdict == "slower" && theirs < ours {
			slower++
		}
		best = best && (c.Verdict == "slower" || certificate == algorithm.Ed25519)
	}
	if len(parts) < 2 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence}
	head := layout.Text{EN: "The certificate decides how large the server must be", ZH: "证书类型决定所需的服务器规模"}
	if slower > 0 && best {
		a.Mark = layout.Choose
		head = layout.Text{EN: "Choose an ECDSA P-256 certificate, not RSA", ZH: "请选用 ECDSA P-256 证书，不要用 RSA"}
	}
	a.Text = layout.Say("%s: full handshakes (%s) per second of server CPU time: %s.", "%s：使用 %s 的完整握手，服务器每 CPU 秒可完成的次数：%s。",
		head, layout.Same(usualExchange), answer.Join(parts))
	return a
}

// quantum says what the hybrid with ML-KEM costs in a full handshake.
func (h *handshakeView) quantum() *layout.Answer {
	base, other := h.full(algorithm.X25519, usualCertificate), h.full(usualExchange, usualCertificate)
	c := h.Compare(base, other)
	if c == nil {
		return nil
	}
	added, ok := h.bytesBetween(base, other)
	if !ok {
		return nil
	}
	server := layout.Same("")
	if before, okBefore := answer.Metric(base, "server_cpu_ns"); okBefore {
		if after, okAfter := answer.Metric(other, "server_cpu_ns"); okAfter {
			server = layout.Say("; the server's part is %s, with X25519 %s", "；服务器部分为 %s，X25519 为 %s", answer.MetricTime(after), answer.MetricTime(before))
		}
	}
	return &layout.Answer{Mark: factMark(c), Short: true, Evidence: []string{c.ID, base.ID, other.ID},
		Text: layout.Say("Post-quantum key exchange: a full handshake with X25519MLKEM768 %s (CPU time of both sides)%s; it sends %s.",
			"抗量子密钥交换：X25519MLKEM768 的完整握手%s（双方 CPU 时间合计）%s；%s。", answer.Versus(c, layout.Same(algorithm.X25519)), server, added)}
}

// bytesBetween says how many bytes more another handshake sends each way.
func (h *handshakeView) bytesBetween(base, other *document.Row) (layout.Text, bool) {
	var more [2]float64
	for i, name := range []string{"bytes_to_server", "bytes_to_client"} {
		a, okA := answer.Metric(base, name)
		b, okB := answer.Metric(other, name)
		if !okA || !okB {
			return layout.Text{}, false
		}
		more[i] = b.Value - a.Value
	}
	return layout.Say("%s bytes to the server and %s to the client", "发往服务器 %s 字节、发往客户端 %s 字节", differs(more[0]), differs(more[1])), true
}

func differs(bytes float64) layout.Text {
	if bytes < 0 {
		return layout.Say("%s fewer", "少 %s", fmt.Sprintf("%.0f", -bytes))
	}
	return layout.Say("%s more", "多 %s", fmt.Sprintf("%.0f", bytes))
}

// resumption says what a ticket gives back.
func (h *handshakeView) resumption() *layout.Answer {
	base := h.full(usualExchange, usualCertificate)
	other := h.find(handshakeOf{usualExchange, usualCertificate, true, "memory"})
	c := h.Compare(base, other)
	if c == nil {
		return nil
	}
	sent, ok := h.bytesBetween(base, other)
	if !ok {
		return nil
	}
	return &layout.Answer{Mark: factMark(c), Short: true, Evidence: []string{c.ID, base.ID, other.ID},
		Text: layout.Say("Resuming a session (%s, certificate of %s) %s; it sends %s. Resumption repeats the key exchange and skips the certificate.",
			"恢复会话（%s，%s 证书）%s；%s。恢复会话仍要交换密钥，但省去证书的签名与验证。", layout.Same(usualExchange), layout.Same(usualCertificate),
			answer.Versus(c, layout.Text{EN: "a full handshake", ZH: "完整握手"}), sent)}
}

// factMark is a fact's mark, or that of what could not be told.
func factMark(c *document.Comparison) layout.Mark {
	if c.Verdict == "inconclusive" {
		return layout.Unclear
	}
	return layout.Plain
}

// curves compares the classical key exchanges.
func (h *handshakeView) curves() *layout.Answer {
	c := h.Compare(h.full(algorithm.X25519, usualCertificate), h.full(algorithm.P256, usualCertificate))
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{c.ID},
		Text: layout.Say("A full handshake with the key exchange P-256 %s.", "使用 P-256 密钥交换的完整握手%s。", answer.Versus(c, layout.Same(algorithm.X25519)))}
}

// overTCP says what connections add.
func (h *handshakeView) overTCP() *layout.Answer {
	base := h.full(usualExchange, usualCertificate)
	other := h.find(handshakeOf{usualExchange, usualCertificate, false, "tcp"})
	c, d := h.Compare(base, other), h.latency(other)
	if c == nil || d == nil || d.P99 == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{c.ID, other.ID},
		Text: layout.Say("Over a TCP connection of its own on 127.0.0.1 a full handshake %s in CPU time; from dialling to the first byte back p50 is %s and p99 is %s.",
			"在 127.0.0.1 上各自建立 TCP 连接时，完整握手的 CPU 时间%s；从拨号到收到第一个字节，p50 为 %s，p99 为 %s。",
			answer.Versus(c, layout.Text{EN: "one in memory", ZH: "内存中的握手"}), layout.Same(layout.FormatTime(d.P50)), layout.Same(layout.FormatTime(*d.P99)))}
}

// withoutTLS says what the laboratory's own part is.
func (h *handshakeView) withoutTLS() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	for _, transport := range []string{"memory", "tcp"} {
		if r := h.empty(transport); r != nil && r.NsPerOp != nil && r.Status == result.OK {
			parts = append(parts, layout.Say("%s %s", "%s %s", handshakeOf{transport: transport}.over(), layout.FormatTime(r.NsPerOp.Median)))
			evidence = append(evidence, r.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: evidence,
		Text: layout.Say("Sending the same bytes without TLS, a cost that every number here includes: %s.", "不用 TLS、收发同样字节的开销（已计入本节各数值）：%s。", answer.Join(parts))}
}
