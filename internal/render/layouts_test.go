package render

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// withLayouts gives a document what package question would.
func withLayouts(d *document.Document) *document.Document {
	l := layout.Layout{
		Experiment: "modes",
		Title:      layout.Text{EN: "Modes of operation", ZH: "分组密码工作模式"},
		Question:   layout.Text{EN: "What do the modes of a block cipher cost, and what do the fast ones give away?", ZH: "分组密码的各工作模式代价几何？快的模式又牺牲了什么？"},
		Answers: []layout.Answer{
			{Experiment: "modes", Mark: layout.Stop, Short: true, Text: layout.Text{
				EN: "Stop using ECB: 42 % of the ciphertext blocks of structured records repeat, and anyone who sees the ciphertext sees which records are equal.",
				ZH: "停止使用电码本 (ECB) 模式：结构化记录的密文分组中有 42% 重复，任何看到密文的人都能看出哪些记录相同。",
			}},
			{Experiment: "modes", Mark: layout.Choose, Short: true, Text: layout.Text{
				EN: "Choose SM4-GCM (gmsm): 2.61 times the speed of SM4-CBC [2.60, 2.62], with integrity.",
				ZH: "选用 SM4-GCM（gmsm）：速度为密文分组链接 (CBC) 模式的 2.61 倍 [2.60, 2.62]，显著快于 CBC，且具备完整性保护。",
			}},
			{Experiment: "modes", Mark: layout.Beware, Short: true, Text: layout.Text{EN: "tjfoc's own GCM computes wrong tags.", ZH: "tjfoc 自带的 GCM 计算出错误的鉴别标签。"}},
			{Experiment: "modes", Mark: layout.Unclear, Short: false, Text: layout.Text{EN: "OFB: no number can be believed today.", ZH: "OFB：本次无可信数值，无法判定。"}},
		},
		Next: []layout.Next{{Command: "cryptogauge run modes --libraries gmsm", Why: layout.Text{EN: "one library", ZH: "一个密码库"}}, {Command: "cryptogauge report RUN --format html"}},
	}
	l.Line = l.Answers[0]
	head := layout.Table{
		Title:   layout.Text{EN: "SM4, 1 KiB", ZH: "SM4，1 KiB"},
		Columns: []layout.Column{{Title: layout.Text{EN: "mode", ZH: "工作模式"}}, columnLibrary, columnRate, columnTime},
		Caption: layout.Text{EN: "Thread CPU time; established libraries first.", ZH: "线程 CPU 时间；成熟密码库在前。"},
	}
	for _, r := range d.Rows {
		if r.Bytes == 1024 && r.Group == 0 {
			head.Rows = append(head.Rows, layout.TableRow{RowID: r.ID, Cells: []layout.Cell{
				{Text: layout.Same(r.Mode)}, {Text: layout.Same(r.Library), New: r.Library == ownLibrary}, speedCell(r), r.TimeCell(),
			}})
		}
	}
	l.Headline = []layout.Table{head}
	l.Tables = []layout.Table{plainTable(d, "modes")}
	l.Charts = []layout.Chart{ratioChart(d, "modes")}
	d.Layouts = []layout.Layout{l}
	d.Answers = l.Answers
	d.Findings = []layout.Finding{{Kind: "granularity", Severity: "degraded", Text: layout.Text{EN: "Small writes cost 3.1 times as much.", ZH: "小块写入的代价为 3.1 倍。"}}}
	return d
}

// crowd gives a document far more than a screen holds.
func crowd(d *document.Document) *document.Document {
	for i := range 15 {
		l := d.Layouts[0]
		l.Experiment = fmt.Sprintf("experiment%d", i)
		d.Layouts = append(d.Layouts, l)
	}
	return d
}
