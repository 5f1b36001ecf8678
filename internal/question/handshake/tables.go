package handshake

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// The columns of a handshake; the laboratory's own rows have no certificate.
var (
	nameColumn = answer.Words("Key exchange + certificate", "密钥交换 + 证书", func(r *document.Row) layout.Cell {
		if isEmpty(r) {
			return answer.Faintly("same bytes without TLS", "不用 TLS 收发同样字节")
		}
		return answer.TextCell(r.Mode)
	})
	kindColumn = answer.Words("", "", func(r *document.Row) layout.Cell {
		if isEmpty(r) {
			return answer.TextCell("–")
		}
		return layout.Cell{Text: meetingOf(r).kind()}
	})
	both   = answer.Figure("both", "双方合计", answer.TimeCell)
	server = answer.MetricFigure("server", "服务器", "server_cpu_ns", layout.FormatTime)
)

func isEmpty(r *document.Row) bool { return r.Algorithm == algorithm.Empty }

// count prints bytes on the wire.
func count(bytes float64) string { return fmt.Sprintf("%.0f", bytes) }

func (h *handshakeView) headline() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Handshakes in memory, CPU time each", ZH: "内存中的握手，每次的 CPU 时间"},
		Columns: []answer.RowColumns{nameColumn, kindColumn, both, server,
			answer.Shown("bytes", "字节", func(r *document.Row) (float64, bool) {
				up, okUp := answer.Metric(r, "bytes_to_server")
				down, okDown := answer.Metric(r, "bytes_to_client")
				return up.Value + down.Value, okUp && okDown
			}, count)},
	}.Of(h.Select(func(r *document.Row) bool {
		m := meetingOf(r)
		return m.transport == parameter.InMemory && m.exchange != algorithm.P256 && m.certificate != algorithm.Ed25519 &&
			(m.resumed != parameter.Yes || m == usual.again())
	}))
}

// costs are those of handshakes in memory, and last of the same without TLS.
func (h *handshakeView) costs() layout.Table {
	inMemory := func(r *document.Row) bool { return meetingOf(r).transport == parameter.InMemory }
	rows := h.Select(inMemory)
	if len(rows) > 0 {
		rows = append(rows, answer.Select(h.empty(), inMemory)...)
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Cost of a handshake in memory", ZH: "内存中握手的代价"},
		Caption: layout.Text{
			EN: "Both: CPU time of the process, measured separately, garbage collection included. " +
				"Client, server: CPU time of the thread while that side ran. Server/s: handshakes per second of server CPU time. " +
				"B up: bytes to the server. The chain has two certificates; the root is ECDSA P-256. " +
				"Each handshake includes one byte of data each way and the session ticket.",
			ZH: "双方合计：另行测量的进程 CPU 时间，含垃圾回收。客户端、服务器：该方运行期间的线程 CPU 时间。" +
				"次/秒：按服务器部分折算，每秒 CPU 时间可完成的握手次数。上行：发往服务器。" +
				"证书链为两级，根证书为 ECDSA P-256；双向各一字节应用数据与会话票据计入握手。"},
		Columns: []answer.RowColumns{nameColumn, kindColumn, both,
			answer.MetricFigure("client", "客户端", "client_cpu_ns", layout.FormatTime), server,
			answer.Shown("server/s", "次/秒", func(r *document.Row) (float64, bool) {
				rate, _, _, ok := servedIn(r)
				return round3(rate), ok && !isEmpty(r)
			}, count),
			answer.MetricFigure("B up", "上行 B", "bytes_to_server", count),
			answer.MetricFigure("B down", "下行 B", "bytes_to_client", count), answer.Allocs},
	}.Of(rows)
}

func (h *handshakeView) latencies() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Latency of a handshake, wall time", ZH: "握手延迟（实际耗时）"},
		Caption: layout.Text{
			EN: "Handshakes one after the other; time from creating both tls.Conn (TCP: from dialling) to the first byte back, " +
				"over all blocks. Network delay is not included: add two round trips for TCP with TLS 1.3.",
			ZH: "逐次进行，自创建双方 tls.Conn（TCP 为自拨号）起到收到第一个字节；所有数据组合并。" +
				"不含网络：请另加往返时间（TCP 加 TLS 1.3 共两个往返）。"},
		Columns: []answer.RowColumns{nameColumn, kindColumn,
			answer.Told("Over", "传输", func(r *document.Row) layout.Text { return meetingOf(r).way() }),
			answer.Figure("CPU", "双方 CPU", answer.TimeCell),
			answer.On(h.latency,
				answer.Figure("p50", "p50", answer.Quantile(answer.P50)),
				answer.Figure("p95", "p95", answer.Quantile(answer.P95)),
				answer.Figure("p99", "p99", answer.Quantile(answer.P99)))},
	}.Of(append(slices.Clone(h.Rows), h.empty()...))
}
