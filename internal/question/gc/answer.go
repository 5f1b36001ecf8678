package gc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "gc", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "How much garbage collection does each algorithm cause, and is a buffer pool worth it?",
		ZH: "每种算法给垃圾回收器带来多少负担？缓冲池是否值得？"}}

// layOut lays out what each algorithm allocates, what that costs, and whether a pool of
// buffers pays.
func layOut(v *answer.View) layout.Layout {
	g := newView(v)
	return layout.Layout{
		Line:     answer.FirstSaid(g.line()),
		Title:    layout.Text{EN: "Garbage collection: what allocation costs", ZH: "垃圾回收：内存分配的代价"},
		Answers:  g.answers(),
		Headline: answer.NonEmpty(g.headline()),
		Tables:   answer.NonEmpty(g.losses(), g.garbage(), g.work(), g.underGOGC()),
		Charts: g.Ratios(layout.Text{EN: "Speed compared with reused buffers", ZH: "相对复用缓冲区的速度"},
			layout.Say("1 is no loss. %s", "1 表示没有损失。%s", answer.Intervals), g.Headlines(), ratioLabel),
		Findings: g.findings(),
		Next: []layout.Next{answer.Run("gc --sizes 4KiB,64KiB", "your own message sizes", "自定义消息长度"),
			answer.Run("gc", "live heaps up to 1 GiB, GOGC 50, 100 and 400", "存活堆至 1 GiB，GOGC 为 50、100 与 400")},
	}
}

type view struct {
	*answer.View
	cells   []*cell          // in the run's order
	windows map[int]*windows // by trial
}

// place is an operation of a library in its surroundings: what the ways to have buffers are compared in.
type place struct {
	answer.Key
	heap int64
	gogc int
}

// cell has the rows of a place by their buffers; nil where there is none.
type cell struct {
	place
	reused, fresh, pool *document.Row
}

// windows are those that a trial had, how many of them held no collection, and how long
// they lasted together.
type windows struct {
	all, empty int
	seconds    float64
}

func placeOf(r *document.Row) place {
	done := answer.Key{Subject: r.Who(), Algorithm: r.Algorithm, Mode: r.Mode, Operation: r.Operation, Bytes: r.Bytes}
	return place{done, parameter.Heap.In(r.Parameters), cmp.Or(parameter.GOGC.In(r.Environment), parameter.UsualGOGC)}
}

func buffersOf(r *document.Row) parameter.Buffering { return parameter.Buffers.In(r.Parameters) }

func newView(v *answer.View) *view {
	g := &view{View: v, windows: map[int]*windows{}}
	measured := answer.Select(v.Rows, func(r *document.Row) bool { return parameter.Heap.Has(r.Parameters) })
	for _, rows := range document.Grouped(measured, placeOf) {
		of := func(b parameter.Buffering) *document.Row { return answer.FirstWith(rows, buffersOf, b) }
		g.cells = append(g.cells,
			&cell{placeOf(rows[0]), of(parameter.Reused), of(parameter.Fresh), of(parameter.Recycled)})
		for _, r := range rows {
			g.windows[r.Trial] = &windows{}
		}
	}
	if v.Doc.Run != nil {
		g.countWindows(v.Doc.Run)
	}
	return g
}

func (g *view) countWindows(run *result.Run) {
	closed := map[result.Closed]bool{}
	for _, c := range run.Closed {
		closed[c] = true
	}
	for _, s := range run.Samples {
		if n := g.windows[int(s.Trial)]; n != nil && closed[result.Closed{Trial: int(s.Trial), Block: int(s.Block)}] {
			n.all++
			n.seconds += float64(s.Wall) * 1e-9
			if s.Collections == 0 {
				n.empty++
			}
		}
	}
}

func (g *view) pauses(r *document.Row) *document.Distribution { return g.Distribution(r, "gc_pause") }

// usual says whether an operation stands as most programs have it.
func (p place) usual() bool { return p.heap == 0 && p.gogc == parameter.UsualGOGC }

// name is what is done: "AES-256-GCM 16 KiB", "RSA-2048 signature (PSS-SHA-256)".
func (p place) name() layout.Text {
	var padding layout.Text
	if scheme, _, _ := strings.Cut(p.Mode, "-"); scheme != "" {
		padding = layout.Text{EN: " (" + scheme + ")", ZH: "（" + scheme + "）"}
	}
	switch {
	case seals(p.Mode):
		return layout.Same(answer.CaseName(p.Algorithm, p.Mode) + " " + answer.SizeText(p.Bytes))
	case p.Operation == algorithm.Agree:
		return layout.Say("%s agreement", "%s 密钥协商", layout.Same(p.Algorithm))
	case p.Operation == algorithm.Decrypt:
		return layout.Say("%s decryption%s", "%s 解密%s", layout.Same(p.Algorithm), padding)
	}
	return layout.Say("%s signature%s", "%s 签名%s", layout.Same(p.Algorithm), padding)
}

func (p place) who() layout.Text {
	return layout.Say("%s, %s", "%s，%s", p.name(), answer.Label(p.Subject))
}

func (p place) heapText() layout.Text {
	if p.heap == 0 {
		return layout.Text{EN: "none", ZH: "无"}
	}
	return layout.Same(answer.SizeText(p.heap))
}

func (g *view) among(k answer.Key, heap int64, gogc int) *cell {
	return answer.First(g.cells, func(c *cell) bool { return c.place == place{k, heap, gogc} })
}

func (g *view) answers() []layout.Answer {
	usual := answer.Select(g.cells, (*cell).usual)
	keyed := answer.Select(usual, func(c *cell) bool { return !seals(c.Mode) })
	sealed := answer.Select(usual, func(c *cell) bool { return seals(c.Mode) })
	slices.SortStableFunc(sealed, func(a, b *cell) int {
		if a.Subject == b.Subject && a.Algorithm == b.Algorithm {
			return int(b.Bytes - a.Bytes)
		}
		return 0
	})
	var heaps []*layout.Answer
	for _, c := range sealed {
		heaps = append(heaps, g.besideHeap(c, smallHeap), g.besideHeap(c, largeHeap))
	}
	first := answer.FirstShort(1, document.Mapped(sealed, g.sealed))
	return answer.Said(slices.Concat(document.Mapped(g.cells, g.allocating), first, document.Mapped(keyed, g.keyed), heaps,
		document.Mapped(sealed, g.byGOGC))...)
}

// line is to reuse buffers, by the first operation of which that was measured.
func (g *view) line() *layout.Answer {
	compared := answer.Select(g.cells, func(s *cell) bool {
		return g.Compare(s.reused, s.fresh) != nil && !answer.IsNew(s.Subject)
	})
	if len(compared) == 0 {
		return nil
	}
	s := cmp.Or(answer.First(compared, (*cell).usual), compared[0])
	c := g.Compare(s.reused, s.fresh)
	l := answer.Summary{Mark: layout.Choose, Do: layout.Say("Reuse buffers (%s)", "请复用缓冲区（%s）", s.who())}
	l.Pay(layout.Say("a new one for every call loses %s of the throughput (%s)", "每次调用都新建会损失 %s 的吞吐量（%s）", lost(c), lostSpan(c)), c)
	switch c.Verdict {
	case "same", "faster":
		l.Mark, l.Do = layout.Plain, layout.Say("Reuse buffers or not (%s)", "缓冲区复用与否均可（%s）", s.who())
	case "slower":
		if p := g.Compare(s.reused, s.pool); p != nil {
			l.Costs = layout.Say("a sync.Pool loses at most %s", "sync.Pool 至多损失 %s", share(max(0, 1-*p.Low)))
		}
	default:
		l.Pays[0] = layout.Say("%s, %s", "%s，%s", l.Pays[0], answer.Open(c))
	}
	return l.Said(c)
}

// share prints a share of throughput that is lost; less than nothing is a gain.
func share(x float64) string { return strings.Replace(layout.FormatShare(x), "-", "−", 1) }

// lost is the share that a comparison's other loses, and lostSpan its interval, the
// smaller end first.
func lost(c *document.Comparison) string     { return share(1 - c.Ratio) }
func lostSpan(c *document.Comparison) string { return answer.Span(1-*c.High, 1-*c.Low, share) }

// sealed says what buffers made for every call lose, and what a pool wins back.
func (g *view) sealed(s *cell) *layout.Answer {
	c := g.Compare(s.reused, s.fresh)
	if c == nil {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: answer.Evidence(c)}
	switch c.Verdict {
	case "slower":
		won, wins := g.wonBack(s, c, a)
		switch {
		case answer.IsNew(s.Subject):
		case wins:
			a.Mark = layout.Choose // to reuse buffers, and no library
		default:
			a.Mark = layout.Beware
		}
		loses := layout.Say("%s: reuse buffers; a new buffer for every call loses %s of the throughput (%s)",
			"%s：请复用缓冲区；每次调用都新建缓冲区会损失 %s 的吞吐量（%s）", s.who(), lost(c), lostSpan(c))
		a.Text = layout.Say("%s%s.%s", "%s%s。%s", loses, why(s), won)
	case "same":
		a.Text = layout.Say("%s: new buffers cost no more than reused ones (within 0.5 %%); a pool gains nothing.",
			"%s：新建缓冲区与复用缓冲区速度相同（差异在 0.5%% 以内），缓冲池没有收益。", s.who())
	case "faster":
		a.Text = layout.Say("%s: new buffers lose nothing: a call with new buffers %s.", "%s：新建缓冲区没有损失：新建时的调用%s。",
			s.who(), answer.Versus(c, layout.Text{EN: "with reused buffers", ZH: "复用缓冲区"}))
	default:
		a.Mark = layout.Unclear
		if c.TooBusy() {
			a.Text = layout.Say("%s: a new buffer for every call loses %s of the throughput (%s; %s).", "%s：每次调用都新建缓冲区会损失 %s 的吞吐量（%s；%s）。",
				s.who(), lost(c), lostSpan(c), answer.Open(c))
			break
		}
		most := 1 - *c.Low
		en, zh := "%s: no loss from new buffers was found (at most %s of the throughput).",
			"%s：未发现新建缓冲区有损失（至多损失 %s 的吞吐量）。"
		if most > muchLost {
			en, zh = "%s: what new buffers lose is inconclusive: between nothing and %s of the throughput.",
				"%s：新建缓冲区损失多少，无法判定：介于没有损失与损失 %s 的吞吐量之间。"
		}
		a.Text = layout.Say(en, zh, s.who(), share(most))
	}
	return a
}

// muchLost is more than a reader takes for no loss.
const muchLost = 0.25

func why(s *cell) layout.Text {
	bytes, ok := answer.Metric(s.fresh, "alloc_bytes_per_call")
	often, counted := answer.Metric(s.fresh, "collections_per_second")
	switch {
	case !ok:
		return layout.Text{}
	case !counted || often.Value == 0:
		return layout.Say(", with %s allocated per call", "，每次调用分配 %s", answer.CallBytes(bytes.Value))
	}
	return layout.Say(", with %s allocated per call and %s collections per second", "，每次调用分配 %s，每秒 GC %s 次",
		answer.CallBytes(bytes.Value), layout.FormatNumber(often.Value))
}

// wonBack says what a pool makes good of the loss c, and adds its evidence.
func (g *view) wonBack(s *cell, c *document.Comparison, a *layout.Answer) (text layout.Text, wins bool) {
	p := g.Compare(s.reused, s.pool)
	if p == nil {
		return layout.Text{}, true
	}
	a.Evidence = append(a.Evidence, p.ID, p.Other)
	most, least := 1-*p.Low, 1-*c.High // that the pool may lose, and that new buffers lose
	switch {
	case p.Verdict == "same" || p.Verdict == "faster":
		return layout.Text{EN: " A sync.Pool avoids this entirely.", ZH: "用 sync.Pool 可完全避免。"}, true
	case most >= least:
		return layout.Text{EN: " How much a sync.Pool recovers is inconclusive.", ZH: "sync.Pool 能避免多少损失，无法判定。"}, false
	case p.Verdict == "slower":
		return layout.Say(" A sync.Pool loses only %s (%s).", "sync.Pool 只损失 %s（%s）。", lost(p), lostSpan(p)), true
	}
	return layout.Say(" A sync.Pool avoids this: no loss of its own was found (at most %s).",
		"用 sync.Pool 可以避免：未发现 sync.Pool 本身有损失（至多 %s）。", share(most)), true
}

// keyed says what an operation with key pairs costs garbage collection, most of which
// is the library's own doing.
func (g *view) keyed(s *cell) *layout.Answer {
	c := g.Compare(s.reused, s.fresh)
	all, ok := answer.Metric(s.fresh, "alloc_bytes_per_call")
	own, okOwn := answer.Metric(s.reused, "alloc_bytes_per_call")
	rate, okRate := answer.Metric(s.fresh, "alloc_bytes_per_second")
	if c == nil || !ok || !okOwn || !okRate {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: answer.Evidence(c), Short: s.Algorithm == algorithm.RSA2048 &&
		s.Operation == algorithm.Sign}
	pays := layout.Say("no gain from a pool was found (at most %s)", "没有迹象表明值得用缓冲池（收益至多 %s）", share(max(0, 1-*c.Low)))
	switch {
	case c.TooBusy():
		a.Mark = layout.Unclear
		pays = layout.Say("new buffers lose %s of the throughput (%s; %s)", "新建缓冲区损失 %s 的吞吐量（%s；%s）", lost(c), lostSpan(c), answer.Open(c))
	case c.Verdict == "inconclusive" && 1-*c.Low > muchLost:
		a.Mark = layout.Unclear
		pays = layout.Say("whether a pool pays is inconclusive: new buffers lose between nothing and %s of the throughput", "是否值得用缓冲池，无法判定：每次新建的损失介于零与 %s 之间", share(1-*c.Low))
	case c.Verdict == "same", c.Verdict == "faster":
		pays = layout.Text{EN: "a pool gains nothing", ZH: "缓冲池没有收益"}
	case c.Verdict == "slower":
		a.Mark = layout.Beware
		pays = layout.Say("new buffers lose %s of the throughput (%s)", "新建缓冲区损失 %s 的吞吐量（%s）", lost(c), lostSpan(c))
	}
	a.Text = layout.Say("%s: %s. Each call allocates %s (%s), of which %s inside the library, where a pool does not help; %s.",
		"%s：%s。每次调用分配 %s（%s），其中 %s 由库内部分配，缓冲池省不掉；%s。",
		s.who(), g.busy(s.fresh), answer.CallBytes(all.Value), layout.FormatRate(rate.Value),
		answer.CallBytes(own.Value), pays)
	return a
}

func (g *view) busy(r *document.Row) layout.Text {
	n := g.windows[r.Trial]
	m, ok := answer.Metric(r, "gc_cpu_share")
	var span layout.Text
	if ok && m.Low != nil && m.High != nil {
		span = layout.Say(" (%s)", "（%s）", answer.Span(*m.Low, *m.High, layout.FormatShare))
	}
	switch {
	case n.all > 0 && n.empty == n.all:
		return layout.Say("no garbage collection ran in %s measuring windows (%s in total)",
			"几乎不触发垃圾回收，%s 个测量窗口（共 %s）内一次也没有", answer.Number(n.all), layout.FormatTime(n.seconds*1e9))
	case !ok:
		return layout.Text{EN: "garbage collection ran", ZH: "触发了垃圾回收"}
	case n.empty > 0:
		return layout.Say("garbage collection takes %s of the CPU%s in the windows in which it ran (%s of %s)",
			"在发生回收的测量窗口中（%[4]s 个中的 %[3]s 个）垃圾回收占用 %[1]s 的 CPU%[2]s",
			layout.FormatShare(m.Value), span, answer.Number(n.all-n.empty), answer.Number(n.all))
	}
	return layout.Say("garbage collection takes %s of the CPU%s", "垃圾回收占用 %s 的 CPU%s", layout.FormatShare(m.Value), span)
}

// besideHeap says what a live heap changes: there is more to mark, and more may
// be allocated before it has to be marked again.
func (g *view) besideHeap(s *cell, heap int64) *layout.Answer {
	o := g.among(s.Key, heap, s.gogc)
	if o == nil {
		return nil
	}
	c, d := g.Compare(s.reused, s.fresh), g.Compare(o.reused, o.fresh)
	before, ok := answer.Metric(s.fresh, "collections_per_second")
	after, okAfter := answer.Metric(o.fresh, "collections_per_second")
	if c == nil || !answer.Decided(d, "slower") || !ok || !okAfter || after.High == nil || before.Low == nil {
		return nil
	}
	var often, pause layout.Text
	if *after.High < *before.Low {
		often = layout.Say("; collections are rarer, %s per second, without a live heap %s", "；GC 次数减少，每秒 %s 次，无存活堆时为 %s 次",
			layout.FormatNumber(after.Value), layout.FormatNumber(before.Value))
	}
	if p, q := g.pauses(s.fresh), g.pauses(o.fresh); p != nil && q != nil {
		pause = layout.Say("; the median pause was %s, without a live heap %s", "；暂停中位数为 %s，无存活堆时为 %s",
			layout.FormatTime(q.P50), layout.FormatTime(p.P50))
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: answer.Evidence(d, c), Text: layout.Say(
		"%s with a live heap of %s: new buffers lose %s of the throughput (%s), without a live heap %s (%s)%s%s.",
		"%s，另有 %s 存活堆：新建缓冲区损失 %s 的吞吐量（%s），无存活堆时为 %s（%s）%s%s。",
		s.who(), answer.SizeText(heap), lost(d), lostSpan(d), lost(c), lostSpan(c), often, pause)}
}

func (g *view) byGOGC(s *cell) *layout.Answer {
	var said answer.Clauses
	for _, n := range []int{50, parameter.UsualGOGC, 400} {
		o := g.among(s.Key, s.heap, n)
		if o == nil || g.Compare(o.reused, o.fresh) == nil {
			return nil
		}
		c := g.Compare(o.reused, o.fresh)
		said.Tell(layout.Say("%s at GOGC=%s (%s)", "GOGC=%[2]s 时 %[1]s（%[3]s）", lost(c), answer.Number(n), lostSpan(c)), c)
	}
	end := layout.Text{EN: "the intervals overlap: no effect of GOGC was found", ZH: "置信区间重叠，未发现 GOGC 有影响"}
	if *said.Found[0].High < *said.Found[2].Low {
		end = layout.Text{EN: "a greater GOGC raises throughput and memory use; reused buffers do not need it",
			ZH: "增大 GOGC 可提高吞吐量，但要多用内存；复用缓冲区则无需如此"}
	}
	return said.Sentence(layout.Plain, "%s: new buffers lose throughput, %s; %s.", "%s：新建缓冲区损失的吞吐量，%s；%s。", s.who(),
		said.Join(), end)
}

// allocates says whether an operation that was given a buffer for its output, and
// the same one again and again, allocates all the same: an object in every second call,
// which no cleared pool and no rare growth does.
func (s *cell) allocates() (objects, bytes document.Metric, yes bool) {
	const atLeast = 0.5
	objects, ok := answer.Metric(s.reused, "alloc_objects_per_call")
	bytes, okBytes := answer.Metric(s.reused, "alloc_bytes_per_call")
	return objects, bytes, seals(s.Mode) && s.usual() && ok && okBytes && objects.Value >= atLeast
}

// allocating warns of a library that allocates where the caller does not, to an
// effect; what has none is a finding and no sentence.
func (g *view) allocating(s *cell) *layout.Answer {
	if _, _, yes := s.allocates(); !yes || s.severity() == "note" {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Short: true, Evidence: []string{s.reused.ID}, Text: g.allocation(s)}
}

func (g *view) allocation(s *cell) layout.Text {
	objects, bytes, _ := s.allocates()
	many := layout.Say("%s objects", "%s 个对象", callObjects(objects.Value))
	if callObjects(objects.Value) == "1" {
		many.EN = "1 object"
	}
	return layout.Say("%s allocates although the output goes into a reused buffer: %s in %s per call; %s. A pool does not help here.",
		"%s 在输出写入复用缓冲区时仍然分配内存：每次调用 %s、%s；%s。缓冲池对此无能为力。",
		s.who(), answer.CallBytes(bytes.Value), many, g.busy(s.reused))
}

func (g *view) findings() (out []layout.Finding) {
	for _, s := range g.cells {
		if objects, bytes, yes := s.allocates(); yes {
			out = append(out, layout.Finding{Kind: "allocation", Severity: s.severity(), Text: g.allocation(s),
				Evidence: map[string]any{"row": s.reused.ID, "alloc_bytes_per_call": bytes.Value,
					"alloc_objects_per_call": objects.Value, "gc_cpu_share_at_least": s.leastShare()}})
		}
	}
	return out
}

// leastShare is what garbage collection takes of the CPU where buffers are reused, at
// least; 0 where that is not known.
func (s *cell) leastShare() float64 {
	if m, ok := answer.Metric(s.reused, "gc_cpu_share"); ok && m.Low != nil {
		return *m.Low
	}
	return 0
}

// severity is that of an allocation, by the share of the CPU that it takes.
func (s *cell) severity() string {
	switch share := s.leastShare(); {
	case share >= 0.10:
		return "pathological"
	case share >= 0.005: // the margin within which things are the same
		return "degraded"
	}
	return "note"
}
