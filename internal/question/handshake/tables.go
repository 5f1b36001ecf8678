package handshake

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

var (
	handshakeColumn = answer.TextColumn("Key exchange + certificate", "密钥交换 + 证书")
	kindColumn      = answer.TextColumn("", "")
	bothCaption     = layout.Text{
		EN: "Both: CPU time of the process, measured separately, garbage collection included. Client, server: CPU time of the thread while that side ran. Server/s: handshakes per second of server CPU time. B up: bytes to the server. The chain has two certificates; the root is ECDSA P-256. Each handshake includes one byte of data each way and the session ticket.",
		ZH: "双方合计：另行测量的进程 CPU 时间，含垃圾回收。客户端、服务器：该方运行期间的线程 CPU 时间。次/秒：按服务器部分折算，每 CPU 秒可完成的握手次数。上行：发往服务器。证书链为两级，根证书为 ECDSA P-256；双向各一字节应用数据与会话票据计入握手。"}
)

// begin names a row's handshake.
func (of handshakeOf) begin() []layout.Cell {
	return []layout.Cell{answer.TextCell(of.exchange + "+" + of.certificate), {Text: of.kind()}}
}

// headlineTables are for the quick screen.
func (h *handshakeView) headlineTables() []layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Handshakes in memory, CPU time each", ZH: "内存中的握手，每次的 CPU 时间"},
		Columns: []layout.Column{handshakeColumn, kindColumn, answer.NumberColumn(layout.Text{EN: "both", ZH: "双方合计"}),
			answer.NumberColumn(layout.Text{EN: "server", ZH: "服务器"}), answer.NumberColumn(layout.Text{EN: "bytes", ZH: "字节"})}}
	for _, r := range h.Rows {
		of := handshakeOfRow(r)
		if of.transport != "memory" || of.exchange == algorithm.P256 || of.certificate == algorithm.Ed25519 || of.resumed && (of.exchange != usualExchange || of.certificate != usualCertificate) {
			continue
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: append(of.begin(), answer.TimeCell(r), metricTimeCell(r, "server_cpu_ns"), wireBytesCell(r, "bytes_to_server", "bytes_to_client"))})
	}
	return answer.NonEmpty(t)
}

func metricTimeCell(r *document.Row, name string) layout.Cell {
	m, ok := answer.Metric(r, name)
	if !ok {
		return answer.Dash()
	}
	return answer.TextCell(layout.FormatTime(m.Value))
}

// wireBytesCell sums up bytes on the wire.
func wireBytesCell(r *document.Row, names ...string) layout.Cell {
	sum := 0.0
	for _, name := range names {
		m, ok := answer.Metric(r, name)
		if !ok {
			return answer.Dash()
		}
		sum += m.Value
	}
	return answer.TextCell(fmt.Sprintf("%.0f", sum))
}

// tables are the full ones.
func (h *handshakeView) tables() []layout.Table {
	return answer.NonEmpty(h.inMemory(), h.latencies())
}

func (h *handshakeView) inMemory() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Cost of a handshake in memory", ZH: "内存中握手的代价"}, Caption: bothCaption,
		Columns: []layout.Column{handshakeColumn, kindColumn, answer.NumberColumn(layout.Text{EN: "both", ZH: "双方合计"}),
			answer.NumberColumn(layout.Text{EN: "client", ZH: "客户端"}), answer.NumberColumn(layout.Text{EN: "server", ZH: "服务器"}), answer.NumberColumn(layout.Text{EN: "server/s", ZH: "次/秒"}),
			answer.NumberColumn(layout.Text{EN: "B up", ZH: "上行 B"}), answer.NumberColumn(layout.Text{EN: "B down", ZH: "下行 B"}), answer.NumberColumn(layout.Text{EN: "allocs", ZH: "分配次数"})}}
	line := func(r *document.Row, begin []layout.Cell, serverRate layout.Cell) {
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: append(begin, answer.TimeCell(r), metricTimeCell(r, "client_cpu_ns"), metricTimeCell(r, "server_cpu_ns"),
			serverRate, wireBytesCell(r, "bytes_to_server"), wireBytesCell(r, "bytes_to_client"), answer.Allocations(r))})
	}
	for _, r := range h.Rows {
		if of := handshakeOfRow(r); of.transport == "memory" {
			rate := answer.Dash()
			if served, _, _, ok := servedIn(r); ok {
				rate = answer.TextCell(fmt.Sprintf("%.0f", round3(served)))
			}
			line(r, of.begin(), rate)
		}
	}
	if r := h.empty("memory"); r != nil && len(t.Rows) > 0 {
		line(r, withoutTLS(), answer.Dash())
	}
	return t
}

// withoutTLS begins the row of the laboratory's own cost.
func withoutTLS() []layout.Cell {
	return []layout.Cell{{Text: layout.Text{EN: "same bytes without TLS", ZH: "不用 TLS 收发同样字节"}, Faint: true}, answer.TextCell("–")}
}

// latencies is how long handshakes take by the wall clock.
func (h *handshakeView) latencies() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Latency of a handshake, wall time", ZH: "握手延迟（墙钟时间）"},
		Caption: layout.Text{EN: "Handshakes one after the other; time from creating both tls.Conn (TCP: from dialling) to the first byte back, over all blocks. Network delay is not included: add two round trips for TCP with TLS 1.3.",
			ZH: "逐次进行，自创建双方 tls.Conn（TCP 为自拨号）起到收到第一个字节；所有数据组合并。不含网络：请另加往返时间（TCP 加 TLS 1.3 共两个往返）。"},
		Columns: []layout.Column{handshakeColumn, kindColumn, answer.TextColumn("Over", "传输"), answer.NumberColumn(layout.Text{EN: "CPU", ZH: "双方 CPU"}),
			answer.NumberColumn(layout.Same("p50")), answer.NumberColumn(layout.Same("p95")), answer.NumberColumn(layout.Same("p99"))}}
	line := func(r *document.Row, begin []layout.Cell, over layout.Text) {
		row := layout.TableRow{RowID: r.ID, Cells: append(begin, layout.Cell{Text: over}, answer.TimeCell(r))}
		d := h.latency(r)
		if d == nil {
			row.Cells = append(row.Cells, answer.Dash(), answer.Dash(), answer.Dash())
		} else {
			row.Cells = append(row.Cells, answer.TextCell(layout.FormatTime(d.P50)), percentileCell(d.P95), percentileCell(d.P99))
		}
		t.Rows = append(t.Rows, row)
	}
	for _, r := range h.Rows {
		of := handshakeOfRow(r)
		line(r, of.begin(), of.over())
	}
	for _, transport := range []string{"memory", "tcp"} {
		if r := h.empty(transport); r != nil && len(t.Rows) > 0 {
			line(r, withoutTLS(), handshakeOf{transport: transport}.over())
		}
	}
	return t
}

func percentileCell(ns *float64) layout.Cell {
	if ns == nil {
		return answer.Dash()
	}
	return answer.TextCell(layout.FormatTime(*ns))
}

// charts are the comparisons.
func (h *handshakeView) charts() []layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios,
		Title: layout.Text{EN: "Handshakes: speed of the first over the second, CPU time of both sides", ZH: "握手：前者相对后者的速度（双方 CPU 时间）"},
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, c := range h.Doc.Comparisons {
		base, other := h.ByID[c.Base], h.ByID[c.Other]
		if base == nil || other == nil || !c.Headline || c.Ratio == 0 {
			continue
		}
		r := layout.Ratio{Label: apart(handshakeOfRow(base), handshakeOfRow(other)), Value: c.Ratio, Verdict: c.Verdict, ID: c.ID}
		if c.Low != nil && c.High != nil {
			r.Low, r.High, r.HasInterval = *c.Low, *c.High, true
		}
		chart.Ratios = append(chart.Ratios, r)
	}
	if len(chart.Ratios) == 0 {
		return nil
	}
	return []layout.Chart{chart}
}

// apart names what tells two handshakes apart, and what they have in common.
func apart(base, other handshakeOf) layout.Text {
	switch {
	case base.exchange != other.exchange:
		return layout.Say("%s / %s, %s, %s, %s", "%s / %s，%s，%s，%s", other.exchange, base.exchange, base.certificate, base.kind(), base.over())
	case base.certificate != other.certificate:
		return layout.Say("%s / %s, %s, %s, %s", "%s / %s，%s，%s，%s", other.certificate, base.certificate, base.exchange, base.kind(), base.over())
	case base.resumed != other.resumed:
		return layout.Say("%s / %s, %s, %s, %s", "%s / %s，%s，%s，%s", other.kind(), base.kind(), base.exchange, base.certificate, base.over())
	}
	return layout.Say("%s / %s, %s, %s, %s", "%s / %s，%s，%s，%s", other.over(), base.over(), base.exchange, base.certificate, base.kind())
}
