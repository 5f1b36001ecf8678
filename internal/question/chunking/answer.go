package chunking

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "chunking", Narrowing: []string{"--algorithms", "--modes", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "Which libraries split input into small pieces, and how can this be avoided?",
		ZH: "哪些密码库在内部把输入切成小块？如何避免？"}}

// layOut lays out which libraries cut what they are given into small pieces, what
// that costs, and the way around it.
func layOut(v *answer.View) layout.Layout {
	c := newChunkingView(v)
	return layout.Layout{
		Experiment: "chunking",
		Title:      layout.Text{EN: "Internal pieces: libraries that split input into small pieces", ZH: "内部分块：把输入切成小块的密码库"},
		Answers:    c.answers(),
		Headline:   c.headlineTables(),
		Tables:     c.tables(),
		Charts:     c.charts(),
		Listings:   c.listings(),
		Findings:   c.findings(),
		Next: []layout.Next{
			{Command: "cryptogauge run chunking", Why: layout.Text{EN: "every cipher, mode and call size of the installed libraries", ZH: "已安装密码库的全部算法、工作模式与调用长度"}},
			{Command: "cryptogauge run chunking --library botan=/path/to/libbotan-3.so", Why: layout.Text{EN: "another version", ZH: "其他版本"}},
		},
	}
}

// Severities of pieces, by the ratio of what a byte costs in the streaming way to what
// it costs in another, for certain. Below the lesser there are none.
const (
	pathologicalSlope = 3
	degradedSlope     = 1.5
)

// chunkingView is the view with what all parts of this layout need.
type chunkingView struct {
	*answer.View
	patterns []*pattern
	compared []*pattern // of them in the everyday path, with another way to compare
	sick     []sickness
}

// sickness is a cipher whose streaming way costs more a byte than it need, for certain.
type sickness struct {
	*pattern
	slope    *slope
	severity string
	around   *document.Comparison // the best way around it at a page; nil where none was shown to be one
}

func newChunkingView(v *answer.View) *chunkingView {
	c := &chunkingView{View: v, patterns: patternsOf(v)}
	for _, p := range c.patterns {
		if len(p.slopes) == 0 {
			continue
		}
		c.compared = append(c.compared, p)
		if !p.isDegraded() {
			continue
		}
		s := p.worstSlope()
		sick := sickness{pattern: p, slope: s, severity: "degraded", around: c.bestAround(p)}
		if s.Low > pathologicalSlope {
			sick.severity = "pathological"
		}
		c.sick = append(c.sick, sick)
	}
	return c
}

// handingName names a way in a sentence.
func handingName(way string) layout.Text {
	switch way {
	case wayUpdate:
		return layout.Text{EN: "update", ZH: "update"}
	case wayFinal:
		return layout.Text{EN: "update with the flag FINAL", ZH: "带 FINAL 标志的 update"}
	case wayOneshot:
		return layout.Text{EN: "one call a message", ZH: "整条消息一次调用"}
	case wayBlocks:
		return layout.Text{EN: "the block function", ZH: "调用分组函数"}
	}
	return layout.Same(way)
}

// arounds are the workarounds, as implementations are called, in words.
var arounds = map[string]layout.Text{
	"ctr-bypass": {EN: "counters, the block function and XOR by the caller", ZH: "由调用方生成计数器、调用分组函数并异或"},
	"final":      {EN: "the flag FINAL on every call", ZH: "每次调用都带 FINAL 标志"},
	"oneshot":    {EN: "one call a message", ZH: "整条消息一次调用"},
	"coalesced":  {EN: "small writes copied together", ZH: "合并小块写入"},
}

// aroundName names what another row of a comparison does in the place of update.
func aroundName(r *document.Row) layout.Text {
	if way, _ := r.Way(); way != "" && way != wayUpdate {
		return handingName(way)
	}
	if name, ok := arounds[r.Implementation]; ok {
		return layout.Say("%s (%s)", "%s（%s）", name, r.Implementation)
	}
	return layout.Same(r.Implementation)
}

// The ways, as rows have them.
const (
	wayUpdate  = string(parameter.Update)
	wayFinal   = string(parameter.Final)
	wayOneshot = string(parameter.Oneshot)
	wayBlocks  = string(parameter.Blocks)
)

// againstUpdate are the comparisons of a cipher's workarounds with update, where a
// page is handed over in calls of so many bytes.
func (c *chunkingView) againstUpdate(h *pattern, call int64) (cs []*document.Comparison) {
	for i := range c.Doc.Comparisons {
		got := &c.Doc.Comparisons[i]
		base, other := c.ByID[got.Base], c.ByID[got.Other]
		if base == nil || other == nil || got.Low == nil || got.High == nil || base.Bytes != page || !of(base, h) || base.Implementation != h.Implementation {
			continue
		}
		if way, size := base.Way(); way == wayUpdate && size == call {
			cs = append(cs, got)
		}
	}
	if slices.ContainsFunc(cs, c.named) { // they are those ways of calling, as people would use them
		cs = slices.DeleteFunc(cs, func(x *document.Comparison) bool { return !c.named(x) })
	}
	return cs
}

// named says whether a comparison is with an implementation that has a name of its own.
func (c *chunkingView) named(x *document.Comparison) bool {
	return c.ByID[x.Other].Implementation != c.ByID[x.Base].Implementation
}

// of says whether a row is of the library and cipher of a pattern, by its path.
func of(r *document.Row, h *pattern) bool {
	return r.Library == h.Library && r.Version == h.Version && r.CallPath == h.CallPath && r.Algorithm == h.Algorithm && r.Mode == h.Mode
}

// bestAround is the workaround that is the fastest at a page, of those that are
// certainly faster than update; but what is for small writes is the last choice.
func (c *chunkingView) bestAround(h *pattern) *document.Comparison {
	var best *document.Comparison
	rank := func(x *document.Comparison) int {
		if c.ByID[x.Other].Implementation == "coalesced" {
			return 0
		}
		return 1
	}
	for _, x := range c.againstUpdate(h, page) {
		if x.Verdict == "faster" && (best == nil || rank(x) > rank(best) || rank(x) == rank(best) && x.Ratio > best.Ratio) {
			best = x
		}
	}
	return best
}

func cipherName(h *pattern) string { return answer.CaseName(h.Algorithm, h.Mode) }

func libraryName(h *pattern) string { return h.Library + " " + h.Version }

// libraries are those that have something to compare, in their order.
func (c *chunkingView) libraries() (names []string) {
	for _, h := range c.compared {
		if name := libraryName(h); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
