package service

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// busyEnough is the share of its CPU from which on the server is what limits.
const busyEnough = 0.95

// busy is the share of one CPU that the server used while it was asked.
func busy(r *document.Row) (share float64, ok bool) {
	ns, ok := answer.Nanoseconds(r)
	if !ok || r.WallNsPerOp == nil || r.WallNsPerOp.Median <= 0 {
		return 0, false
	}
	return ns / r.WallNsPerOp.Median, true
}

// What says which service a row is.
var (
	protectionColumn  = answer.Words("Protection", "保护方式", func(r *document.Row) layout.Cell { return layout.Cell{Text: protection(r.Mode)} })
	connectionsColumn = answer.Words("Connections", "连接", func(r *document.Row) layout.Cell { return layout.Cell{Text: wayOf(of(r).connections)} })
)

var busyColumn = answer.Shown("busy", "占用", busy,
	func(share float64) string { return fmt.Sprintf("%.0f %%", 100*min(1, share)) })

func (v *serviceView) headline() layout.Table {
	at := v.usual()
	return answer.Table[*document.Row]{
		Title: layout.Say("A server's CPU time per request, answers of %s", "服务器每个请求的 CPU 时间，响应 %s", answer.SizeText(at)),
		Columns: []answer.RowColumns{protectionColumn, connectionsColumn, answer.Library,
			answer.Figure("CPU", "CPU", answer.TimeCell)},
	}.Of(v.Select(func(r *document.Row) bool { return r.Bytes == at && follows(r) }))
}

func (v *serviceView) costs() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Cost of a request", ZH: "每个请求的代价"},
		Caption: layout.Text{
			EN: "CPU: time of the server's process per request, the kernel's part included, and the garbage collection that falls into it. Cryptography: the part of it that the " +
				"same service without it does not take. busy: share of its one CPU that the server used. Requests/s: what was answered in a second, " +
				"where the server was at least 95 % busy; else the client limits.",
			ZH: "CPU：服务器进程每个请求的 CPU 时间，含内核部分与其间的垃圾回收。密码运算：其中不加密的同一服务所没有的部分。占用：服务器对其唯一 CPU 的占用率。" +
				"请求/秒：服务器占用率至少 95% 时每秒响应的请求数；否则受限于客户端。"},
		Columns: []answer.RowColumns{
			protectionColumn, connectionsColumn, answer.Library,
			answer.Figure("Answer", "响应", func(r *document.Row) layout.Cell { return answer.TextCell(answer.SizeText(r.Bytes)) }),
			answer.Figure("CPU", "CPU", answer.TimeCell),
			answer.Figure("Cryptography", "密码运算", v.shareCell),
			busyColumn,
			answer.Figure("requests/s", "请求/秒", saturated),
		},
	}.Of(v.timed())
}

// shareCell is the part of a row's time that is cryptography, by the difference to the same without.
func (v *serviceView) shareCell(r *document.Row) layout.Cell {
	plain := v.First(func(o *document.Row) bool {
		return o.Bytes == r.Bytes && of(o).connections == of(r).connections && o.Mode == algorithm.Cleartext && o.Operation == r.Operation && loadOf(o) == 0
	})
	c := v.Compare(plain, r)
	if c == nil {
		return answer.Dash()
	}
	return layout.Cell{Text: share(c)}
}

func saturated(r *document.Row) layout.Cell {
	if share, ok := busy(r); !ok || share < busyEnough {
		return answer.Dash()
	}
	return answer.TextCell(layout.FormatNumber(1e9 / r.WallNsPerOp.Median))
}
