package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/report"
)

// chunking lays out which libraries cut what they are given into small pieces, what
// that costs, and the way around it.
func chunking(v *view) report.Layout {
	c := newChunkingView(v)
	c.doc.Findings = append(c.doc.Findings, c.findings()...)
	return report.Layout{
		Experiment: "chunking",
		Title:      report.Text{EN: "Internal chunks: libraries that cut calls into small pieces", ZH: "内部分块：把调用切成小块的密码库"},
		Question: report.Text{EN: "Which libraries cut calls into small pieces, and what is the way around it?",
			ZH: "哪些密码库在内部把调用切成小块？如何绕开？"},
		Answers:  c.answers(),
		Headline: c.headlineTables(),
		Tables:   c.tables(),
		Charts:   c.charts(),
		Listings: c.listings(),
		Next: []report.Next{
			{Command: "cryptogauge run chunking", Why: report.Text{EN: "every cipher, mode and call size of the installed libraries", ZH: "已安装密码库的全部算法、工作模式与调用长度"}},
			{Command: "cryptogauge run chunking --library botan=/path/to/libbotan-3.so", Why: report.Text{EN: "another version", ZH: "其他版本"}},
		},
	}
}

// Severities of pieces, by the ratio of what a byte costs in the streaming way to what
// it costs in another, for certain. Below the lesser there are none (report.Handing.Dear).
const (
	pathologicalSlope = 3
	degradedSlope     = 1.5
)

// chunkingView is the view with what all parts of this layout need.
type chunkingView struct {
	*view
	handings []*report.Handing // in the everyday path, with another way to compare
	sick     []sickness
}

// sickness is a cipher whose streaming way costs more a byte than it need, for certain.
type sickness struct {
	*report.Handing
	slope    *report.SlopeCost
	severity string
	around   *report.Comparison // the best way around it at a page; nil where none was shown to be one
}

func newChunkingView(v *view) *chunkingView {
	c := &chunkingView{view: v}
	for i := range v.doc.Handings {
		h := &v.doc.Handings[i]
		if h.Experiment != v.experiment || len(h.Slopes) == 0 {
			continue
		}
		c.handings = append(c.handings, h)
		s := h.Dearest()
		if !h.Dear() {
			continue
		}
		sick := sickness{Handing: h, slope: s, severity: "degraded", around: c.bestAround(h)}
		if s.Low > pathologicalSlope {
			sick.severity = "pathological"
		}
		c.sick = append(c.sick, sick)
	}
	return c
}

// The ways of handing a message over, as the parameter names them.
const (
	wayUpdate  = "update"
	wayFinal   = "final"
	wayOneshot = "oneshot"
	wayBlocks  = "blocks"
)

// handingName names a way in a sentence.
func handingName(way string) report.Text {
	switch way {
	case wayUpdate:
		return report.Text{EN: "update", ZH: "update"}
	case wayFinal:
		return report.Text{EN: "update with the flag FINAL", ZH: "带 FINAL 标志的 update"}
	case wayOneshot:
		return report.Text{EN: "one call a message", ZH: "整条消息一次调用"}
	case wayBlocks:
		return report.Text{EN: "the block function", ZH: "调用分组函数"}
	}
	return report.Same(way)
}

// arounds are the workarounds, as implementations are called, in words.
var arounds = map[string]report.Text{
	"ctr-bypass": {EN: "counters, the block function and XOR by the caller", ZH: "由调用方生成计数器、调用分组函数并异或"},
	"final":      {EN: "the flag FINAL on every call", ZH: "每次调用都带 FINAL 标志"},
	"oneshot":    {EN: "one call a message", ZH: "整条消息一次调用"},
	"coalesced":  {EN: "small writes copied together", ZH: "合并小块写入"},
}

// aroundName names what another row of a comparison does in the place of update.
func aroundName(r *report.Row) report.Text {
	if way, _ := r.Way(); way != "" && way != wayUpdate {
		return handingName(way)
	}
	if name, ok := arounds[r.Implementation]; ok {
		return say("%s (%s)", "%s（%s）", name, r.Implementation)
	}
	return report.Same(r.Implementation)
}

// page is the message at which workarounds are compared with update, in bytes.
const page = 4 << 10

// againstUpdate are the comparisons of a cipher's workarounds with update, where a
// page is handed over in calls of so many bytes.
func (c *chunkingView) againstUpdate(h *report.Handing, call int64) (cs []*report.Comparison) {
	for i := range c.doc.Comparisons {
		got := &c.doc.Comparisons[i]
		base, other := c.byID[got.Base], c.byID[got.Other]
		if base == nil || other == nil || got.Low == nil || got.High == nil || base.Bytes != page || !of(base, h) || base.Implementation != h.Implementation {
			continue
		}
		if way, size := base.Way(); way == wayUpdate && size == call {
			cs = append(cs, got)
		}
	}
	if slices.ContainsFunc(cs, c.named) { // they are those ways of calling, as people would use them
		cs = slices.DeleteFunc(cs, func(x *report.Comparison) bool { return !c.named(x) })
	}
	return cs
}

// named says whether a comparison is with an implementation that has a name of its own.
func (c *chunkingView) named(x *report.Comparison) bool {
	return c.byID[x.Other].Implementation != c.byID[x.Base].Implementation
}

// of says whether a row is of the library and cipher of a Handing, by its path.
func of(r *report.Row, h *report.Handing) bool {
	return r.Library == h.Library && r.Version == h.Version && r.CallPath == h.CallPath && r.Algorithm == h.Algorithm && r.Mode == h.Mode
}

// bestAround is the workaround that is the fastest at a page, of those that are
// certainly faster than update; but what is for small writes is the last choice.
func (c *chunkingView) bestAround(h *report.Handing) *report.Comparison {
	var best *report.Comparison
	rank := func(x *report.Comparison) int {
		if c.byID[x.Other].Implementation == "coalesced" {
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

func cipherName(h *report.Handing) string { return caseName(h.Algorithm, h.Mode) }

func libraryName(h *report.Handing) string { return h.Library + " " + h.Version }

// libraries are those that have something to compare, in their order.
func (c *chunkingView) libraries() (names []string) {
	for _, h := range c.handings {
		if name := libraryName(h); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fit is the cost model of a way of a Handing; nil where there is none.
func fitOfWay(h *report.Handing, way string) *report.WayCost {
	for i := range h.Ways {
		if h.Ways[i].Way == way {
			return &h.Ways[i]
		}
	}
	return nil
}
