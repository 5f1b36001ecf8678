package streaming

import (
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// stages are the parts of a pipeline, in order, by the metrics of their mean time for a chunk.
var stages = []struct {
	metric     string
	name, does layout.Text
}{
	{"stage_read_ns", layout.Text{EN: "read", ZH: "读取"}, layout.Text{EN: "reading", ZH: "读取"}},
	{"stage_compress_ns", layout.Text{EN: "compress", ZH: "压缩"}, layout.Text{EN: "compression", ZH: "压缩"}},
	{"stage_seal_ns", layout.Text{EN: "seal", ZH: "加密"}, layout.Text{EN: "sealing", ZH: "加密"}},
	{"stage_write_ns", layout.Text{EN: "write", ZH: "写出"}, layout.Text{EN: "writing", ZH: "写出"}},
}

// bound is the stage that certainly takes the most of a row's time for a chunk, and its share; false where the intervals
// leave that open, or where there are none.
func bound(r *document.Row) (does layout.Text, share float64, ok bool) {
	all, longest := 0.0, -1
	var of []document.Metric
	for _, s := range stages {
		m, _ := answer.Metric(r, s.metric)
		if of = append(of, m); longest < 0 || m.Value > of[longest].Value {
			longest = len(of) - 1
		}
		all += m.Value
	}
	if all == 0 || of[longest].Low == nil {
		return layout.Text{}, 0, false
	}
	for i, m := range of {
		if i != longest && m.Value > 0 && (m.High == nil || *m.High >= *of[longest].Low) {
			return layout.Text{}, 0, false
		}
	}
	return stages[longest].does, of[longest].Value / all, true
}

func (s *view) bounds() *layout.Answer {
	var said answer.Clauses
	add := func(r *document.Row, of layout.Text) {
		if does, share, ok := bound(r); ok {
			said.Add(layout.Say("%s, %s (%s of a chunk's time)", "%s：%s（占单个分块耗时的 %s）", of, does, layout.FormatShare(share)), r.ID)
		}
	}
	for _, c := range s.curves {
		if c.subject == s.curves[0].subject && c.cipher == s.curves[0].cipher {
			add(c.at(s.usual), layout.Say("%s of %s in %s", "%[2]s 的 %[1]s，%[3]s", c.cipher, answer.Label(c.subject), ends[c.end]))
		}
	}
	for _, p := range s.packed {
		if p.chunk == s.usual {
			add(p.zstd, layout.Say("%s with zstd", "%s 经 zstd", kinds[p.data]))
		}
	}
	return said.Sentence(layout.Plain, "What bounds the pipeline in chunks of %s: %s.", "分块 %s 时，流水线的瓶颈：%s。",
		answer.SizeText(s.usual), answer.Semicolons(said.Parts))
}

func (s *view) stageTable() layout.Table {
	var timed []*document.Row
	for _, r := range s.Rows {
		if _, ok := answer.Metric(r, "stage_seal_ns"); ok && answer.Primary(s.Name(r)) {
			timed = append(timed, r)
		}
	}
	columns := []rows{answer.On(s.kindOf, named), answer.Words("Chunk", "分块", func(r *document.Row) layout.Cell { return sizeCell(document.ChunkOf(r)) }),
		answer.Told("Data", "数据", packedData)}
	for _, of := range stages {
		columns = append(columns, answer.MetricFigure(of.name.EN, of.name.ZH, of.metric, layout.FormatTime))
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Stages of a chunk: mean wall time", ZH: "单个分块各阶段的平均实际耗时"},
		Caption: layout.Text{EN: "Timed for one chunk in every MiB. The stage that takes the most bounds the pipeline.",
			ZH: "每 1 MiB 计时一个分块。耗时最多的阶段即流水线的瓶颈。"},
		Row: answer.Itself,
		Columns: append(columns, answer.Words("bound by", "瓶颈", func(r *document.Row) layout.Cell {
			if does, _, ok := bound(r); ok {
				return layout.Cell{Text: does}
			}
			return answer.Dash()
		})),
	}.Of(timed)
}

// packedData names a row's data where compression is asked about, and that it is compressed.
func packedData(r *document.Row) layout.Text {
	switch compression(r) {
	case "":
		return layout.Same("–")
	case parameter.Uncompressed:
		return kinds[packOf(r).data]
	}
	return layout.Say("%s, zstd", "%s，zstd", kinds[packOf(r).data])
}
