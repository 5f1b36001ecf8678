package gc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// answers are the sentences, the most useful first.
func (g *collectorView) answers() (out []layout.Answer) {
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = g.Experiment
			out = append(out, *a)
		}
	}
	for _, s := range g.spots {
		add(g.allocating(s))
	}
	sealed, keyed := g.split()
	for i, s := range sealed {
		a := g.sealed(s)
		if a != nil {
			a.Short = i == 0
		}
		add(a)
	}
	for _, s := range keyed {
		add(g.keyed(s))
	}
	for _, s := range sealed {
		add(g.besideHeap(s, smallHeap))
		add(g.besideHeap(s, largeHeap))
	}
	for _, s := range sealed {
		add(g.byGOGC(s))
	}
	return out
}

// split parts the usual spots into those with buffers for their output, the
// longest messages of each first, and those with key pairs.
func (g *collectorView) split() (sealed, keyed []*spotRows) {
	for _, s := range g.spots {
		switch {
		case !s.usual():
		case s.sealing():
			sealed = append(sealed, s)
		default:
			keyed = append(keyed, s)
		}
	}
	slices.SortStableFunc(sealed, func(a, b *spotRows) int {
		if a.library == b.library && a.algorithm == b.algorithm {
			return int(b.bytes - a.bytes)
		}
		return 0
	})
	return sealed, keyed
}

// who names an operation and who does it, as a sentence begins.
func (s spot) who() layout.Text {
	return layout.Say("%s, %s", "%s，%s", s.name(), answer.Label(s.library))
}

// sealed says what buffers made for every call lose, and what a pool wins back.
func (g *collectorView) sealed(s *spotRows) *layout.Answer {
	c := g.Compare(s.reused, s.fresh)
	if c == nil {
		return nil
	}
	a := &layout.Answer{Evidence: []string{c.ID, c.Base, c.Other}}
	switch c.Verdict {
	case "slower":
		won, wins := g.wonBack(s, c, a)
		a.Mark = layout.Beware
		if wins {
			a.Mark = layout.Choose // to reuse buffers, and no library
		}
		if answer.IsNew(s.library) {
			a.Mark = layout.Plain
		}
		lost := layout.Say("%s: reuse buffers; a new buffer for every call loses %s of the throughput (%s)",
			"%s：请复用缓冲区；每次调用都新建缓冲区会损失 %s 的吞吐量（%s）", s.who(), lossShare(1-c.Ratio), lossRange(c))
		a.Text, a.Brief = layout.Say("%s%s.%s", "%s%s。%s", lost, g.because(s), won), layout.Say("%s.%s", "%s。%s", lost, won)
	case "same":
		a.Mark = layout.Plain
		a.Text = layout.Say("%s: new buffers cost no more than reused ones (within 0.5 %%); a pool gains nothing.",
			"%s：新建缓冲区与复用缓冲区速度相同（差异在 0.5 %% 以内），缓冲池没有收益。", s.who())
	case "faster":
		a.Mark = layout.Plain
		a.Text = layout.Say("%s: new buffers lose nothing: a call with new buffers %s.", "%s：新建缓冲区没有损失：新建时的调用%s。",
			s.who(), answer.Versus(c, layout.Text{EN: "with reused buffers", ZH: "复用缓冲区"}))
	default:
		a.Mark = layout.Unclear
		a.Text = layout.Say("%s: no loss from new buffers was found (at most %s of the throughput).",
			"%s：未发现新建缓冲区有损失（至多损失 %s 的吞吐量）。", s.who(), lossShare(1-*c.Low))
	}
	return a
}

// because gives the garbage and the collections behind a loss.
func (g *collectorView) because(s *spotRows) layout.Text {
	bytes, ok := gcMetric(s.fresh, "alloc_bytes_per_call")
	often, counted := gcMetric(s.fresh, "collections_per_second")
	switch {
	case !ok:
		return layout.Same("")
	case !counted || often.Value == 0:
		return layout.Say(" (%s allocated per call)", "（每次调用分配 %s）", answer.CallBytes(bytes.Value))
	}
	return layout.Say(" (%s allocated per call, %s collections per second)", "（每次调用分配 %s，每秒 GC %s 次）",
		answer.CallBytes(bytes.Value), layout.FormatNumber(often.Value))
}

// wonBack says what a pool makes good of the loss c, and adds its evidence.
func (g *collectorView) wonBack(s *spotRows, c *document.Comparison, a *layout.Answer) (text layout.Text, wins bool) {
	p := g.Compare(s.reused, s.pool)
	if p == nil {
		return layout.Text{}, true
	}
	a.Evidence = append(a.Evidence, p.ID, p.Other)
	most, least := 1-*p.Low, 1-*c.High // that the pool may lose, and that fresh buffers lose
	switch {
	case p.Verdict == "same" || p.Verdict == "faster":
		return layout.Text{EN: " A sync.Pool avoids this entirely.", ZH: "用 sync.Pool 可完全避免。"}, true
	case p.Verdict == "slower" && most < least:
		return layout.Say(" A sync.Pool loses only %s (%s).", "sync.Pool 只损失 %s（%s）。", lossShare(1-p.Ratio), lossRange(p)), true
	case most < least:
		return layout.Say(" A sync.Pool avoids this: no loss of its own was found (at most %s).", "用 sync.Pool 可以避免：未发现 sync.Pool 本身有损失（至多 %s）。", lossShare(most)), true
	}
	return layout.Text{EN: " How much a sync.Pool recovers is inconclusive.", ZH: "sync.Pool 能避免多少损失，无法判定。"}, false
}

// keyed says what an operation with key pairs costs the collector, most of which
// is the library's own doing.
func (g *collectorView) keyed(s *spotRows) *layout.Answer {
	c := g.Compare(s.reused, s.fresh)
	all, ok := gcMetric(s.fresh, "alloc_bytes_per_call")
	own, okOwn := gcMetric(s.reused, "alloc_bytes_per_call")
	rate, okRate := gcMetric(s.fresh, "alloc_bytes_per_second")
	if c == nil || !ok || !okOwn || !okRate {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: []string{c.ID, c.Base, c.Other}, Short: s.algorithm == algorithm.RSA2048 && s.operation == algorithm.Sign}
	pays := layout.Say("no gain from a pool was found (at most %s)", "没有迹象表明值得用缓冲池（收益至多 %s）", lossShare(max(0, 1-*c.Low)))
	switch c.Verdict {
	case "same", "faster":
		pays = layout.Text{EN: "a pool gains nothing", ZH: "缓冲池没有收益"}
	case "slower":
		a.Mark = layout.Beware
		pays = layout.Say("new buffers lose %s of the throughput (%s)", "新建缓冲区损失 %s 的吞吐量（%s）", lossShare(1-c.Ratio), lossRange(c))
	}
	a.Text = layout.Say("%s: %s. Each call allocates %s (%s), of which %s inside the library, where a pool does not help; %s.",
		"%s：%s。每次调用分配 %s（%s），其中 %s 由库内部分配，缓冲池省不掉；%s。",
		s.who(), g.busy(s.fresh), answer.CallBytes(all.Value), layout.FormatRate(rate.Value), answer.CallBytes(own.Value), pays)
	return a
}

// busy says how much of the CPU the collector takes, or that it hardly ran.
func (g *collectorView) busy(r *document.Row) layout.Text {
	n := g.seen[r.Trial]
	share, ok := gcMetric(r, "gc_cpu_share")
	switch {
	case n.all > 0 && n.empty == n.all:
		return layout.Say("no garbage collection ran in %s measuring windows (%s in total)",
			"几乎不触发垃圾回收，%s 个测量窗口（共 %s）内一次也没有", strconv.Itoa(n.all), layout.FormatTime(n.seconds*1e9))
	case ok && n.empty > 0:
		return layout.Say("garbage collection takes %s of the CPU%s in the windows in which it ran (%s of %s)", "在发生回收的测量窗口中（%[4]s 个中的 %[3]s 个）垃圾回收占用 %[1]s 的 CPU%[2]s",
			layout.FormatShare(share.Value), within(share), strconv.Itoa(n.all-n.empty), strconv.Itoa(n.all))
	case !ok:
		return layout.Text{EN: "garbage collection ran", ZH: "触发了垃圾回收"}
	}
	return layout.Say("garbage collection takes %s of the CPU%s", "垃圾回收占用 %s 的 CPU%s", layout.FormatShare(share.Value), within(share))
}

// within prints the interval of a share.
func within(m document.Metric) layout.Text {
	if m.Low == nil || m.High == nil {
		return layout.Same("")
	}
	r := strings.TrimSuffix(layout.FormatShare(*m.Low), " %") + "–" + layout.FormatShare(*m.High)
	return layout.Text{EN: " (" + r + ")", ZH: "（" + r + "）"}
}

// besideHeap says what a live heap changes: there is more to mark, and more may
// be allocated before it has to be marked again.
func (g *collectorView) besideHeap(s *spotRows, heap int64) *layout.Answer {
	o := g.where(s.spot, heap, s.gogc)
	if o == nil {
		return nil
	}
	c, d := g.Compare(s.reused, s.fresh), g.Compare(o.reused, o.fresh)
	before, ok := gcMetric(s.fresh, "collections_per_second")
	after, okAfter := gcMetric(o.fresh, "collections_per_second")
	if c == nil || d == nil || !ok || !okAfter || d.Verdict != "slower" || after.High == nil || before.Low == nil {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: []string{d.ID, d.Base, d.Other, c.ID, c.Base, c.Other}}
	often := layout.Same("")
	if *after.High < *before.Low {
		often = layout.Say("; collections are rarer, %s per second, without a live heap %s", "；GC 次数减少，每秒 %s 次，无存活堆时为 %s 次",
			layout.FormatNumber(after.Value), layout.FormatNumber(before.Value))
	}
	p, q := g.pauses(s.fresh), g.pauses(o.fresh)
	pause := layout.Same("")
	if p != nil && q != nil {
		pause = layout.Say("; the median pause was %s, without a live heap %s", "；暂停中位数为 %s，无存活堆时为 %s", layout.FormatTime(q.P50), layout.FormatTime(p.P50))
	}
	a.Text = layout.Say("%s with a live heap of %s: new buffers lose %s of the throughput (%s), without a live heap %s (%s)%s%s.",
		"%s，另有 %s 存活堆：新建缓冲区损失 %s 的吞吐量（%s），无存活堆时为 %s（%s）%s%s。",
		s.who(), layout.Same(answer.SizeText(heap)), lossShare(1-d.Ratio), lossRange(d), lossShare(1-c.Ratio), lossRange(c), often, pause)
	return a
}

// byGOGC says how GOGC moves the loss of an operation.
func (g *collectorView) byGOGC(s *spotRows) *layout.Answer {
	var cs []*document.Comparison
	var en, zh []string
	a := &layout.Answer{Mark: layout.Plain}
	for _, n := range []int{50, usualGOGC, 400} {
		o := g.where(s.spot, s.heap, n)
		if o == nil {
			return nil
		}
		c := g.Compare(o.reused, o.fresh)
		if c == nil {
			return nil
		}
		cs = append(cs, c)
		en = append(en, lossShare(1-c.Ratio)+" at GOGC="+strconv.Itoa(n)+" ("+lossRange(c)+")")
		zh = append(zh, "GOGC="+"GOGC="+strconv.Itoa(n)+" 时 "+lossShare(1-c.Ratio)+"（"+lossRange(c)+"）")
		a.Evidence = append(a.Evidence, c.ID, c.Base, c.Other)
	}
	end := layout.Text{EN: "the intervals overlap: no effect of GOGC was found", ZH: "置信区间重叠，未发现 GOGC 有影响"}
	if first, last := cs[0], cs[len(cs)-1]; *first.High < *last.Low {
		end = layout.Text{EN: "a greater GOGC raises throughput and memory use; reused buffers do not need it", ZH: "增大 GOGC 可提高吞吐量，但要多用内存；复用缓冲区则无需如此"}
	}
	a.Text = layout.Say("%s: new buffers lose throughput, %s; %s.", "%s：新建缓冲区损失的吞吐量，%s；%s。",
		s.who(), layout.Text{EN: strings.Join(en, ", "), ZH: strings.Join(zh, "，")}, end)
	return a
}

// allocatesAt is how many objects a call must leave to be said to allocate: one
// in every second, which no cleared pool and no rare growth does.
const allocatesAt = 0.5

// allocates says whether an operation that was given a buffer for its output, and
// the same one again and again, allocates all the same.
func (s *spotRows) allocates() (objects, bytes document.Metric, yes bool) {
	objects, ok := gcMetric(s.reused, "alloc_objects_per_call")
	bytes, okBytes := gcMetric(s.reused, "alloc_bytes_per_call")
	return objects, bytes, s.sealing() && s.usual() && ok && okBytes && objects.Value >= allocatesAt
}

// allocating warns of a library that allocates where the caller does not, to an
// effect; what has none is a finding and no sentence.
func (g *collectorView) allocating(s *spotRows) *layout.Answer {
	if _, _, yes := s.allocates(); !yes || s.severity() == "note" {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Short: true, Evidence: []string{s.reused.ID}, Text: g.allocation(s)}
}

func (g *collectorView) allocation(s *spotRows) layout.Text {
	objects, bytes, _ := s.allocates()
	n := callObjects(objects.Value)
	many := layout.Say("%s objects", "%s 个对象", n)
	if n == "1" {
		many = layout.Text{EN: "1 object", ZH: "1 个对象"}
	}
	return layout.Say("%s allocates although the output goes into a reused buffer: %s in %s per call; %s. A pool does not help here.",
		"%s 在输出写入复用缓冲区时仍然分配内存：每次调用 %s、%s；%s。缓冲池对此无能为力。",
		s.who(), answer.CallBytes(bytes.Value), many, g.busy(s.reused))
}

// Severities of an allocation by the share of the CPU that the collector takes
// for it, at least.
const (
	pathologicalShare = 0.10
	degradedShare     = 0.005 // the margin within which things are the same
)

// findings are the operations that allocate where they need not.
func (g *collectorView) findings() (out []layout.Finding) {
	for _, s := range g.spots {
		objects, bytes, yes := s.allocates()
		if !yes {
			continue
		}
		out = append(out, layout.Finding{Kind: "allocation", Severity: s.severity(), Text: g.allocation(s),
			Evidence: map[string]any{"row": s.reused.ID, "alloc_bytes_per_call": bytes.Value,
				"alloc_objects_per_call": objects.Value, "gc_cpu_share_at_least": s.leastShare()}})
	}
	return out
}

// leastShare is what the collector takes of the CPU for a spot whose buffers are
// reused, at least; 0 where that is not known.
func (s *spotRows) leastShare() float64 {
	if m, ok := gcMetric(s.reused, "gc_cpu_share"); ok && m.Low != nil {
		return *m.Low
	}
	return 0
}

func (s *spotRows) severity() string {
	switch share := s.leastShare(); {
	case share >= pathologicalShare:
		return "pathological"
	case share >= degradedShare:
		return "degraded"
	}
	return "note"
}
