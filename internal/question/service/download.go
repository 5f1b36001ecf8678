package service

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

func suiteOf(r *document.Row) layout.Text {
	if r.Mode == algorithm.Cleartext {
		return protection(r.Mode)
	}
	return layout.Same(parameter.Suite.In(r.Parameters))
}

func (v *serviceView) downloadRows() []*document.Row {
	return v.Select(func(r *document.Row) bool { return r.Operation == algorithm.Download })
}

// clientRate is how many bytes of a download the client takes in a second of its CPU time.
func clientRate(r *document.Row) (bytesPerSecond float64, ok bool) {
	m, ok := answer.Metric(r, "client_cpu_ns")
	return 1e9 * float64(r.Bytes) / m.Value, ok && m.Value > 0
}

// downloaded says what each cipher suite leaves of a CPU's throughput, on both sides.
func (v *serviceView) downloaded() *layout.Answer {
	var said answer.Clauses
	for _, r := range v.downloadRows() {
		server, ok := answer.Speed(r)
		client, known := clientRate(r)
		if ok && known {
			said.Add(layout.Say("%s %s and %s", "%s %s 与 %s", suiteOf(r), layout.FormatRate(server), layout.FormatRate(client)), r.ID)
		}
	}
	return said.Sentence(layout.Plain, "A long download, bytes per second of CPU time of the server and of the client: %s.",
		"长下载，服务器与客户端每秒 CPU 时间的字节数：%s。", answer.Semicolons(said.Parts))
}

func (v *serviceView) downloads() layout.Table {
	rows := v.downloadRows()
	if len(rows) == 0 {
		return layout.Table{}
	}
	return answer.Table[*document.Row]{
		Title: layout.Say("Downloads of %s by cipher suite of TLS 1.3", "按 TLS 1.3 密码套件的下载，每次 %s", answer.SizeText(rows[0].Bytes)),
		Caption: layout.Text{
			EN: "Server and client: bytes per second of CPU time of their processes, the kernel's part included; records are sealed by the one and opened by the " +
				"other. Cryptography: the part of the server's CPU time that the same download without TLS does not take. The client offers one suite alone: " +
				"crypto/tls does not let programs choose.",
			ZH: "服务器与客户端：各自进程每秒 CPU 时间的字节数，含内核部分；记录由前者加密、后者解密。密码运算：服务器 CPU 时间中不用 TLS 的同一下载所没有的部分。" +
				"客户端只提供一种套件：crypto/tls 不允许配置。"},
		Columns: []answer.RowColumns{
			answer.Words("Cipher suite", "密码套件", func(r *document.Row) layout.Cell { return layout.Cell{Text: suiteOf(r)} }),
			answer.Figure("server", "服务器", answer.Cell),
			answer.Shown("client", "客户端", clientRate, layout.FormatRate),
			answer.Figure("CPU per download", "每次下载的 CPU", answer.TimeCell),
			answer.Figure("Cryptography", "密码运算", v.shareCell),
			busyColumn,
		},
	}.Of(rows)
}
