package report

import "fmt"

// withLayouts gives a document what package answer would.
func withLayouts(d *Document) *Document {
	l := Layout{
		Experiment: "modes",
		Title:      Text{"Modes of operation", "分组密码工作模式"},
		Question:   Text{"What do the modes of a block cipher cost, and what do the fast ones give away?", "分组密码的各工作模式代价几何？快的模式又牺牲了什么？"},
		Answers: []Answer{
			{Experiment: "modes", Mark: Stop, Short: true, Text: Text{
				"Stop using ECB: 42 % of the ciphertext blocks of structured records repeat, and anyone who sees the ciphertext sees which records are equal.",
				"停止使用电码本 (ECB) 模式：结构化记录的密文分组中有 42 % 重复，任何看到密文的人都能看出哪些记录相同。",
			}},
			{Experiment: "modes", Mark: Choose, Short: true, Text: Text{
				"Choose SM4-GCM (gmsm): 2.61 times the speed of SM4-CBC [2.60, 2.62], with integrity.",
				"选用 SM4-GCM（gmsm）：速度为密文分组链接 (CBC) 模式的 2.61 倍 [2.60, 2.62]，显著快于 CBC，且具备完整性保护。",
			}},
			{Experiment: "modes", Mark: Beware, Short: true, Text: Text{"tjfoc's own GCM computes wrong tags.", "tjfoc 自带的 GCM 计算出错误的鉴别标签。"}},
			{Experiment: "modes", Mark: Unclear, Short: false, Text: Text{"OFB: no number can be believed today.", "OFB：本次无可信数值，无法判定。"}},
		},
		Next: []Next{{"cryptogauge run modes --libraries gmsm", Text{"one library", "一个密码库"}}, {Command: "cryptogauge report RUN --format html"}},
	}
	head := Table{
		Title:   Text{"SM4, 1 KiB", "SM4，1 KiB"},
		Columns: []Column{{Title: Text{"mode", "工作模式"}}, {Title: columnLibrary}, {Title: columnRate, Numeric: true}, {Title: columnTime, Numeric: true}},
		Caption: Text{"Thread CPU time; established libraries first.", "线程 CPU 时间；成熟密码库在前。"},
	}
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Bytes == 1024 && r.Group == 0 {
			head.Rows = append(head.Rows, TableRow{RowID: r.ID, Cells: []Cell{
				{Text: Same(r.Mode)}, {Text: Same(r.Library), New: r.Library == ownLibrary}, r.RateCell(), r.TimeCell(),
			}})
		}
	}
	l.Headline = []Table{head}
	l.Tables = []Table{PlainTable(d, "modes")}
	l.Charts = []Chart{d.ratioChart("modes")}
	d.Layouts = []Layout{l}
	d.Answers = l.Answers
	d.Findings = []Finding{{Kind: "granularity", Severity: "degraded", Text: Text{"Small writes cost 3.1 times as much.", "小块写入的代价为 3.1 倍。"}}}
	return d
}

// crowd gives a document far more than a screen holds.
func crowd(d *Document) *Document {
	for i := range 15 {
		l := d.Layouts[0]
		l.Experiment = fmt.Sprintf("experiment%d", i)
		d.Layouts = append(d.Layouts, l)
	}
	return d
}
