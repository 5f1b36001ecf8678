package streaming

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "streaming", Narrowing: []string{"--algorithms", "--chunks", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "Which chunk size for big files, in memory and in files, and what does it cost in latency and memory?",
		ZH: "大文件加密应选多大的分块？在内存中与经文件时各如何？延迟与内存代价多大？"}}

// layOut lays out which chunk size is enough for big files, and what a larger one
// costs beside its speed.
func layOut(v *answer.View) layout.Layout {
	s := newStreamsView(v)
	return layout.Layout{
		Experiment: "streaming",
		Title:      layout.Text{EN: "Big files in chunks", ZH: "大文件分块加密"},
		Answers:    s.answers(),
		Headline:   s.headlineTables(),
		Tables:     s.tables(),
		Charts:     s.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run streaming --chunks 64KiB,1MiB --dir /data", Why: layout.Text{EN: "your own chunks, on your own disk", ZH: "自定分块大小，在自己的磁盘上"}},
		},
	}
}

// streamsView is the view with its rows in curves.
type streamsView struct {
	*answer.View
	curves []*curve
	chunks []int64 // of all curves, rising
	packed []packing
}

// curve is one library's cipher in memory or through files, over chunk sizes.
type curve struct {
	subject, cipher string
	file            bool
	rows            []*document.Row // by rising chunk
}

// packing is one kind of data at one chunk size, without and with compression.
type packing struct {
	data        string
	chunk       int64
	plain, zstd *document.Row
}

func newStreamsView(v *answer.View) *streamsView {
	s := &streamsView{View: v}
	for _, r := range v.Rows {
		if document.ChunkOf(r) == 0 || !answer.Primary(v.Name(r)) {
			continue
		}
		if s.isPacking(r) {
			s.addPacking(r)
			continue
		}
		s.curveOf(r).rows = append(s.curveOf(r).rows, r)
		if chunk := document.ChunkOf(r); !slices.Contains(s.chunks, chunk) {
			s.chunks = append(s.chunks, chunk)
		}
	}
	slices.Sort(s.chunks)
	for _, c := range s.curves {
		slices.SortFunc(c.rows, func(a, b *document.Row) int { return cmp.Compare(document.ChunkOf(a), document.ChunkOf(b)) })
	}
	return s
}

func (s *streamsView) isPacking(r *document.Row) bool { return r.Parameter("compress") != "" }

func (s *streamsView) addPacking(r *document.Row) {
	data, chunk := r.Parameter("data"), document.ChunkOf(r)
	i := slices.IndexFunc(s.packed, func(p packing) bool { return p.data == data && p.chunk == chunk })
	if i < 0 {
		i = len(s.packed)
		s.packed = append(s.packed, packing{data: data, chunk: chunk})
	}
	if r.Parameter("compress") == "none" {
		s.packed[i].plain = r
	} else {
		s.packed[i].zstd = r
	}
}

// curveOf finds or begins the curve that a row belongs to.
func (s *streamsView) curveOf(r *document.Row) *curve {
	want := curve{subject: s.Name(r), cipher: answer.CaseName(r.Algorithm, r.Mode), file: r.Parameter("io") == "file"}
	for _, c := range s.curves {
		if c.subject == want.subject && c.cipher == want.cipher && c.file == want.file {
			return c
		}
	}
	s.curves = append(s.curves, &want)
	return &want
}

// at is the curve's row for a chunk, or nil.
func (c *curve) at(chunk int64) *document.Row {
	for _, r := range c.rows {
		if document.ChunkOf(r) == chunk {
			return r
		}
	}
	return nil
}

// name is a curve's as a column or a series has it.
func (c *curve) name() string { return c.cipher + " " + c.subject }

// partner is the same cipher and library at the other end.
func (s *streamsView) partner(c *curve) *curve {
	for _, other := range s.curves {
		if other.subject == c.subject && other.cipher == c.cipher && other.file != c.file {
			return other
		}
	}
	return nil
}

// usual is the chunk at which other things than chunks are told: the one at which
// memory and files are compared for the headline, else the first.
func (s *streamsView) usual() int64 {
	for _, c := range s.Doc.Comparisons {
		base, other := s.ByID[c.Base], s.ByID[c.Other]
		if c.Headline && base != nil && other != nil && document.ChunkOf(base) == document.ChunkOf(other) && base.Parameter("io") != other.Parameter("io") {
			return document.ChunkOf(base)
		}
	}
	if len(s.chunks) > 0 {
		return s.chunks[0]
	}
	return 0
}

var endNames = map[bool]layout.Text{
	false: {EN: "memory", ZH: "内存"},
	true:  {EN: "files", ZH: "文件"},
}

var dataNames = map[string]layout.Text{
	"text":    {EN: "text", ZH: "文本"},
	"records": {EN: "records", ZH: "结构化记录"},
	"random":  {EN: "random data", ZH: "随机数据"},
}

func dataName(data string) layout.Text {
	if t, ok := dataNames[data]; ok {
		return t
	}
	return layout.Same(data)
}
