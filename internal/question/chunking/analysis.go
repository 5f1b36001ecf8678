package chunking

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// pattern is a library's cipher by one call path: what it takes in each way of calling it.
type pattern struct {
	*document.Row             // one of its rows, for the names of library, cipher and path
	ways          []*wayCost  // as they were planned
	slopes        []*slope    // of update against each other way
	steps         *stat.Steps // of its time over neighbouring lengths, where it is degraded
	stepRows      []*document.Row
	said          int64                // bytes of a piece, as the library itself says; 0 where it does not
	worst         *slope               // in which update costs the most for certain; nil without an interval
	around        *document.Comparison // the best way around a degraded update at a page, or nil
}

type wayCost struct {
	way parameter.Manner
	*document.Fit
}

type slope struct {
	other parameter.Manner
	stat.Slopes
}

// wayOf is the way in which a row's message was handed over, and callOf in calls of how many bytes; empty where it does
// not say.
func wayOf(r *document.Row) parameter.Manner { return parameter.Way.In(r.Parameters) }
func callOf(r *document.Row) int64           { return parameter.Call.In(r.Parameters) }

// patternsOf reads the cost models of an experiment, and compares their slopes.
func patternsOf(v *answer.View) (all []*pattern) {
	patternOf := func(r *document.Row) result.Trial { // what its rows have in common
		t := r.Info.Trial
		t.Case.Bytes, t.Case.Parameters = 0, ""
		return t
	}
	compared := 0 // slopes, which share one confidence level
	for _, fits := range document.Grouped(v.Fits(document.ModelBoundary),
		func(f *document.Fit) result.Trial { return patternOf(v.FitRow(f)) }) {
		p := &pattern{Row: v.FitRow(fits[0])}
		for _, f := range fits {
			p.ways = append(p.ways, &wayCost{wayOf(v.FitRow(f)), f})
		}
		for _, r := range v.Rows {
			if wayOf(r) == parameter.Update && patternOf(r) == patternOf(p.Row) {
				p.said = max(p.said, r.Info.Granularity)
			}
		}
		compared += len(p.others())
		all = append(all, p)
	}
	for _, r := range v.Rows { // what was asked for has no lengths enough for a model
		known := func(p *pattern) bool { return p.has(r) }
		if wayOf(r) == parameter.Update && r.CallPath != subject.CLoop && !slices.ContainsFunc(all, known) {
			all = append(all, &pattern{Row: r})
		}
	}
	for _, p := range all {
		// That a library is degraded accuses it: one false word in a hundred runs is all that is risked, over
		// all slopes together. So each has the level of the whole family, and none gains from what is found of
		// others, as the declared comparisons do (stat.CompareFamily).
		p.compareSlopes(v, stat.FamilyLevel(compared))
		p.findSteps(v)
	}
	return all
}

func (p *pattern) way(name parameter.Manner) *wayCost {
	return answer.First(p.ways, func(w *wayCost) bool { return w.way == name })
}

// others are the ways that update is compared with. A loop in C is the same calls by
// another path, and tells nothing new of their bytes.
func (p *pattern) others() []*wayCost {
	if p.way(parameter.Update) == nil || p.CallPath == subject.CLoop {
		return nil
	}
	return answer.Select(p.ways, func(w *wayCost) bool { return w.way != parameter.Update })
}

func (p *pattern) compareSlopes(v *answer.View, level float64) {
	base := p.way(parameter.Update)
	for _, w := range p.others() {
		s := &slope{other: w.way}
		switch {
		case !base.OK:
			s.Reason = base.Reason
		case !w.OK:
			s.Reason = w.Reason
		default:
			rows := func(f *document.Fit) []*document.Row {
				return document.Mapped(f.RowIDs, func(id string) *document.Row { return v.ByID[id] })
			}
			x, y := inBlocks(rows(base.Fit), rows(w.Fit), v.Doc.BlockMedians, worked)
			s.Slopes = stat.CompareSlopes(x, y, level, v.Doc.NoiseFloor)
		}
		p.slopes = append(p.slopes, s)
		if s.OK && (p.worst == nil || s.Low > p.worst.Low) {
			p.worst = s
		}
	}
}

// inBlocks is what rows of two sides show in each block, rising, in which any of them was measured; NaN is the time of
// one that was not.
func inBlocks[T any](base, other []*document.Row, times func(trial int) map[int32]float64,
	show func(r *document.Row, seconds float64) []T) (x, y [][]T) {
	measured, blocks := map[*document.Row]map[int32]float64{}, map[int32]bool{}
	for _, r := range slices.Concat(base, other) {
		measured[r] = times(r.Trial)
		for block := range measured[r] {
			blocks[block] = true
		}
	}
	side := func(rows []*document.Row, block int32) (shown []T) {
		for _, r := range rows {
			seconds, ok := measured[r][block]
			if !ok {
				seconds = math.NaN()
			}
			shown = append(shown, show(r, seconds)...)
		}
		return shown
	}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		x, y = append(x, side(base, block)), append(y, side(other, block))
	}
	return x, y
}

func worked(r *document.Row, seconds float64) []stat.Work {
	if math.IsNaN(seconds) {
		return nil
	}
	return []stat.Work{r.Work(seconds)}
}

// isDegraded says whether a byte of update certainly costs half as much again as in another
// way of the same interface: all of the message in one call, or each call told to be the
// last. The block function alone accuses nobody, since it is other code: where it is faster
// than the library's own mode, that is a slow mode and no small pieces.
func (p *pattern) isDegraded() bool {
	same := answer.Select(p.slopes, func(s *slope) bool { return s.other != parameter.Blocks })
	if len(same) == 0 {
		same = p.slopes
	}
	return slices.ContainsFunc(same, func(s *slope) bool { return s.OK && s.Low > degradedSlope })
}

// findSteps looks for the pieces that a library cuts calls into, where it is degraded: a
// healthy one has none that could be told from noise.
func (p *pattern) findSteps(v *answer.View) {
	base, other, lengths := p.neighbours(v)
	if !p.isDegraded() || len(lengths) == 0 {
		return
	}
	s := answer.First(p.slopes, func(s *slope) bool { return s.other == wayOf(other[0]) && s.OK })
	if s == nil {
		return
	}
	p.stepRows = slices.Concat(base, other)
	x, y := inBlocks(base, other, v.Doc.BlockMinima,
		func(_ *document.Row, seconds float64) []float64 { return []float64{seconds} })
	p.steps = new(stat.FindSteps(lengths, x, y, s.Excess))
}

// neighbours are the rows of neighbouring lengths, each in one call, by update and by the
// other way that they were measured in. They are of any path.
func (p *pattern) neighbours(v *answer.View) (base, other []*document.Row, lengths []float64) {
	at := map[int64]*document.Row{}
	var rest []*document.Row
	for _, r := range v.Rows {
		way := wayOf(r)
		if way == "" || callOf(r) != r.Bytes || r.Bytes >= document.LeastFitted || r.NsPerOp == nil || !p.isOf(r) {
			continue
		}
		if way == parameter.Update {
			at[r.Bytes] = r
		} else {
			rest = append(rest, r)
		}
	}
	slices.SortStableFunc(rest, func(x, y *document.Row) int { return cmp.Compare(x.Bytes, y.Bytes) })
	for _, r := range rest {
		if u := at[r.Bytes]; u != nil {
			base, other, lengths = append(base, u), append(other, r), append(lengths, float64(r.Bytes))
		}
	}
	return base, other, lengths
}
