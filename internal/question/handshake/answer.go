package handshake

import (
	"fmt"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "handshake", Narrowing: []string{"--modes", "--libraries"}, Layout: layOut, Use: wrongUse,
	Asks: layout.Text{EN: "What does a handshake cost: which certificate, which key exchange, and how much does resumption save?",
		ZH: "一次握手开销多大？选哪种证书、哪种密钥交换？会话恢复能省多少？"}}

// layOut lays out what TLS handshakes cost either side, by certificate and key
// exchange, full and resumed.
func layOut(v *answer.View) layout.Layout {
	h := &handshakeView{View: v}
	return layout.Layout{
		Experiment: "handshake",
		Title:      layout.Text{EN: "TLS 1.3 handshakes", ZH: "TLS 1.3 握手"},
		Answers:    h.answers(),
		Headline:   h.headlineTables(),
		Tables:     h.tables(),
		Charts:     h.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run handshake --modes X25519MLKEM768+RSA-2048,X25519MLKEM768+ECDSA-P-256", Why: layout.Text{EN: "two certificates", ZH: "对比两种证书"}},
			{Command: "cryptogauge run handshake", Why: layout.Text{EN: "every certificate and key exchange, over TCP too", ZH: "全部证书与密钥交换，也经由 TCP"}},
		},
	}
}

// handshakeView is the view with what all parts of this layout need.
type handshakeView struct{ *answer.View }

// handshakeOf is what a row of this experiment is told apart by.
type handshakeOf struct {
	exchange, certificate string
	resumed               bool
	transport             string
}

func handshakeOfRow(r *document.Row) handshakeOf {
	exchange, certificate, _ := strings.Cut(r.Mode, "+")
	return handshakeOf{exchange, certificate, r.Parameter("resumed") == "yes", r.Parameter("transport")}
}

// find is the first row of a handshake; nil where there is none.
func (h *handshakeView) find(of handshakeOf) *document.Row {
	for _, r := range h.Rows {
		if handshakeOfRow(r) == of {
			return r
		}
	}
	return nil
}

// full is a full handshake in memory.
func (h *handshakeView) full(exchange, certificate string) *document.Row {
	return h.find(handshakeOf{exchange, certificate, false, "memory"})
}

// empty is the harness's row of the same flights without TLS.
func (h *handshakeView) empty(transport string) *document.Row {
	for i := range h.Doc.Rows {
		r := &h.Doc.Rows[i]
		if r.Experiment == h.Experiment && r.Library == "harness" && r.Operation == "handshake" && r.Parameter("transport") == transport {
			return r
		}
	}
	return nil
}

// latency is a row's histogram of whole handshakes; nil without one.
func (h *handshakeView) latency(r *document.Row) *document.Distribution {
	if r == nil || r.Status != result.OK {
		return nil
	}
	for i := range h.Doc.Distributions {
		if d := &h.Doc.Distributions[i]; d.RowID == r.ID && d.Name == "latency" {
			return d
		}
	}
	return nil
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

// kind says whether a handshake is a full one.
func (of handshakeOf) kind() layout.Text {
	if of.resumed {
		return layout.Text{EN: "resumed", ZH: "恢复"}
	}
	return layout.Text{EN: "full", ZH: "完整"}
}

func (of handshakeOf) over() layout.Text {
	if of.transport == "tcp" {
		return layout.Text{EN: "TCP (127.0.0.1)", ZH: "TCP（127.0.0.1）"}
	}
	return layout.Text{EN: "memory", ZH: "内存"}
}

// wrongUse says which kind of handshake went wrong.
func wrongUse(r *document.Row) layout.Text {
	if r.Operation != "handshake" {
		return layout.Text{}
	}
	return handshakeOfRow(r).kind()
}
