package gc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "gc", Narrowing: []string{"--algorithms", "--sizes", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "How much garbage collection does each algorithm cause, and is a buffer pool worth it?",
		ZH: "每种算法给垃圾回收器带来多少负担？缓冲池是否值得？"}}

// layOut lays out what each algorithm's garbage costs, and whether a pool of
// buffers pays.
func layOut(v *answer.View) layout.Layout {
	g := newCollectorView(v)
	return layout.Layout{
		Experiment: "gc",
		Title:      layout.Text{EN: "Garbage collection: what allocation costs", ZH: "垃圾回收：内存分配的代价"},
		Answers:    g.answers(),
		Headline:   g.headlineTables(),
		Tables:     g.tables(),
		Charts:     g.charts(),
		Findings:   g.findings(),
		Next: []layout.Next{
			{Command: "cryptogauge run gc --sizes 4KiB,64KiB", Why: layout.Text{EN: "your own message sizes", ZH: "自定消息长度"}},
			{Command: "cryptogauge run gc", Why: layout.Text{EN: "live heaps up to 1 GiB, GOGC 50, 100 and 400", ZH: "存活堆至 1 GiB，GOGC 为 50、100 与 400"}},
		},
	}
}

// spot is one operation in its surroundings: what the ways to have buffers are
// compared in.
type spot struct {
	library, algorithm, mode, operation string
	bytes, heap                         int64
	gogc                                int
}

// spotRows are the rows of a spot by their buffers; nil where there is none.
type spotRows struct {
	spot
	reused, fresh, pool *document.Row
}

// collectorView is the view with what all parts of this layout need.
type collectorView struct {
	*answer.View
	spots []*spotRows // in the run's order
	seen  map[int]windowCount
}

// windowCount is how many windows a trial had, how many of them held no
// collection, and how long they lasted together.
type windowCount struct {
	all, empty int
	seconds    float64
}

func newCollectorView(v *answer.View) *collectorView {
	g := &collectorView{View: v, seen: map[int]windowCount{}}
	at := map[spot]*spotRows{}
	for _, r := range v.Rows {
		parameters, err := result.ParseParameters(r.Parameters)
		heap, heapErr := strconv.ParseInt(parameters["heap"], 10, 64)
		if err != nil || heapErr != nil {
			continue
		}
		key := spot{r.Who(), r.Algorithm, r.Mode, r.Operation, r.Bytes, heap, gogcOf(r.Environment)}
		s := at[key]
		if s == nil {
			s = &spotRows{spot: key}
			at[key] = s
			g.spots = append(g.spots, s)
		}
		switch parameters["buffers"] {
		case "reused":
			s.reused = r
		case "fresh":
			s.fresh = r
		case "pool":
			s.pool = r
		}
	}
	g.countWindows()
	return g
}

// gogcOf reads GOGC out of a worker's environment; 100 is Go's own.
func gogcOf(environment string) int {
	for _, variable := range strings.Fields(environment) {
		if value, ok := strings.CutPrefix(variable, "GOGC="); ok {
			if n, err := strconv.Atoi(value); err == nil {
				return n
			}
		}
	}
	return 100
}

// countWindows counts the windows of closed blocks, and those without a collection.
func (g *collectorView) countWindows() {
	if g.Doc.Run == nil {
		return
	}
	mine := map[int]bool{}
	for _, r := range g.Rows {
		mine[r.Trial] = true
	}
	type block struct{ trial, block int }
	closed := map[block]bool{}
	for _, c := range g.Doc.Run.Closed {
		closed[block{c.Trial, c.Block}] = true
	}
	for _, s := range g.Doc.Run.Samples {
		if t := int(s.Trial); mine[t] && closed[block{t, int(s.Block)}] {
			n := g.seen[t]
			n.all++
			n.seconds += float64(s.Wall) * 1e-9
			if s.Collections == 0 {
				n.empty++
			}
			g.seen[t] = n
		}
	}
}

// gcMetric is a metric's value, where the row may be shown.
func gcMetric(r *document.Row, name string) (document.Metric, bool) {
	if r == nil || r.Status != result.OK {
		return document.Metric{}, false
	}
	m, ok := r.Metrics[name]
	return m, ok
}

// pauses are how long the world stood still for a row's collections, or nil.
func (g *collectorView) pauses(r *document.Row) *document.Distribution {
	for i := range g.Doc.Distributions {
		if d := &g.Doc.Distributions[i]; r != nil && d.RowID == r.ID && d.Name == "gc_pause" {
			return d
		}
	}
	return nil
}

// sealing says whether the caller gives the operation a buffer for its output.
func (s spot) sealing() bool { return s.mode == algorithm.GCM }

// usual says whether an operation stands as most programs have it.
func (s spot) usual() bool { return s.heap == 0 && s.gogc == usualGOGC }

// name is what is done: "AES-256-GCM 16 KiB", "RSA-2048 signature (PSS-SHA-256)".
func (s spot) name() layout.Text {
	switch {
	case s.sealing():
		return layout.Same(answer.CaseName(s.algorithm, s.mode) + " " + answer.SizeText(s.bytes))
	case s.operation == algorithm.Agree:
		return layout.Say("%s agreement", "%s 密钥协商", layout.Same(s.algorithm))
	case s.operation == algorithm.Decrypt:
		return layout.Say("%s decryption%s", "%s 解密%s", layout.Same(s.algorithm), s.padding())
	}
	return layout.Say("%s signature%s", "%s 签名%s", layout.Same(s.algorithm), s.padding())
}

func (s spot) padding() layout.Text {
	scheme, _, _ := strings.Cut(s.mode, "-")
	if scheme == "" {
		return layout.Same("")
	}
	return layout.Text{EN: " (" + scheme + ")", ZH: "（" + scheme + "）"}
}

func (s spot) heapText() layout.Text {
	if s.heap == 0 {
		return layout.Text{EN: "none", ZH: "无"}
	}
	return layout.Same(answer.SizeText(s.heap))
}

// where finds the spot of an operation in other surroundings.
func (g *collectorView) where(s spot, heap int64, gogc int) *spotRows {
	s.heap, s.gogc = heap, gogc
	i := slices.IndexFunc(g.spots, func(r *spotRows) bool { return r.spot == s })
	if i < 0 {
		return nil
	}
	return g.spots[i]
}
