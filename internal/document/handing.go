package document

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Handing is what a library makes of the ways in which a message of a cipher can be
// handed over to it: what calls, messages and bytes cost in each of them.
type Handing struct {
	Experiment               string
	Library, Version         string
	Algorithm, Mode          string
	CallPath, Implementation string
	Ways                     []WayCost   // as they were planned
	Slopes                   []SlopeCost // of the streaming way against each other
	Steps                    *stat.Steps // of its time over neighbouring lengths, where its bytes are dear
	StepRows                 []string
	Said                     int64 // of how many bytes the library itself says that update makes pieces; 0 where it does not
}

// WayCost is one way, with its cost model.
type WayCost struct {
	Way  string
	Fit  stat.Cost
	Rows []string
}

// SlopeCost is what a byte costs in the streaming way, against what it costs in
// another.
type SlopeCost struct {
	Other string
	stat.Slopes
}

// streamingWay is the way in which people hand over messages: the one that is compared.
const streamingWay = "update"

// blocksWay is the block function, with the mode around it by the caller.
const blocksWay = "blocks"

// leastFitted is the shortest message whose time goes into a cost model: shorter ones
// are measured for their steps.
const leastFitted = 1 << 10

// dear is the ratio of slopes above which it is worth asking for the pieces.
const dear = 1.5

// Way is the way in which a row's message was handed over, and in calls of how many
// bytes; "" where it does not say.
func (r *Row) Way() (way string, call int64) {
	call, err := strconv.ParseInt(r.Parameter("call"), 10, 64)
	if way = r.Parameter("way"); way == "" || err != nil || call < 1 {
		return "", 0
	}
	return way, call
}

// handingKey is what the rows of one Handing have in common.
type handingKey struct {
	experiment string
	subject    result.Subject
	what       result.Case
}

func handingKeyOf(r *Row) handingKey {
	key := handingKey{r.Experiment, r.Info.Subject, r.Info.Case}
	key.what.Bytes, key.what.Parameters = 0, ""
	return key
}

// buildHandings fits the cost model to every way, and compares the slopes.
func (b *builder) buildHandings() {
	rows := map[handingKey][]*Row{}
	var order []handingKey
	for i := range b.doc.Rows {
		r := &b.doc.Rows[i]
		if way, _ := r.Way(); way == "" || r.NsPerOp == nil || r.Bytes <= 0 {
			continue
		}
		key := handingKeyOf(r)
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], r)
	}
	family := map[string]int{} // slopes that are compared, by experiment
	for _, key := range order {
		if h := b.handingOf(key, rows[key]); len(h.Ways) > 0 {
			b.doc.Handings = append(b.doc.Handings, h)
			family[key.experiment] += h.others()
		}
	}
	for i := range b.doc.Handings {
		h := &b.doc.Handings[i]
		b.compareSlopes(h, stat.FamilyLevel(family[h.Experiment]))
	}
	for i := range b.doc.Handings {
		b.findSteps(&b.doc.Handings[i])
	}
}

// handingOf fits what there is of each way.
func (b *builder) handingOf(key handingKey, rows []*Row) Handing {
	h := Handing{Experiment: key.experiment, Library: key.subject.Library, Version: key.subject.Version, Algorithm: key.what.Algorithm,
		Mode: key.what.Mode, CallPath: key.subject.CallPath, Implementation: key.subject.Implementation}
	byWay := map[string][]*Row{}
	var ways []string
	for _, r := range rows {
		way, _ := r.Way()
		if way == streamingWay {
			h.Said = max(h.Said, r.Info.Granularity)
		}
		if r.Bytes < leastFitted {
			continue
		}
		if byWay[way] == nil {
			ways = append(ways, way)
		}
		byWay[way] = append(byWay[way], r)
	}
	for _, way := range ways {
		if len(byWay[way]) < 3 {
			continue
		}
		w := WayCost{Way: way}
		var work []stat.Work
		for _, r := range byWay[way] {
			w.Rows = append(w.Rows, r.ID)
			work = append(work, workOf(r, r.NsPerOp.Median*1e-9))
		}
		w.Fit = stat.FitCost(work)
		h.Ways = append(h.Ways, w)
		b.doc.Fits = append(b.doc.Fits, boundaryFit(w))
	}
	return h
}

// workOf is what a row's operation does, in some seconds.
func workOf(r *Row, seconds float64) stat.Work {
	_, call := r.Way()
	return stat.Work{Calls: math.Ceil(float64(r.Bytes) / float64(call)), Messages: 1, Bytes: float64(r.Bytes), Seconds: seconds}
}

// boundaryFit is a cost model as reports have it.
func boundaryFit(w WayCost) Fit {
	f := Fit{RowIDs: w.Rows, Model: "boundary", Terms: map[string]float64{}, OK: w.Fit.OK, Reason: w.Fit.Reason}
	if rms := finite(w.Fit.RMS); rms != nil {
		f.RMS = *rms
	}
	if !f.OK {
		return f
	}
	f.Terms["message_ns"], f.Terms["ns_per_byte"] = w.Fit.PerMessage*1e9, w.Fit.PerByte*1e9
	if !w.Fit.Merged {
		f.Terms["call_ns"] = w.Fit.PerCall * 1e9
	}
	return f
}

func (h *Handing) way(name string) *WayCost {
	for i := range h.Ways {
		if h.Ways[i].Way == name {
			return &h.Ways[i]
		}
	}
	return nil
}

// others counts the ways that the streaming one is compared with. A loop in C is the
// same calls by another path, and tells nothing new of their bytes.
func (h *Handing) others() int {
	if h.way(streamingWay) == nil || h.CallPath == "c-loop" {
		return 0
	}
	return len(h.Ways) - 1
}

// compareSlopes sets the streaming way against each other that was fitted.
func (b *builder) compareSlopes(h *Handing, level float64) {
	if h.others() == 0 {
		return
	}
	base := h.way(streamingWay)
	for _, w := range h.Ways {
		if w.Way == streamingWay {
			continue
		}
		s := SlopeCost{Other: w.Way}
		if base.Fit.OK && w.Fit.OK {
			x, y := b.worksOf(base.Rows, w.Rows)
			s.Slopes = stat.CompareSlopes(x, y, level, b.floor(h.Experiment))
		} else if s.Reason = base.Fit.Reason; base.Fit.OK {
			s.Reason = w.Fit.Reason
		}
		h.Slopes = append(h.Slopes, s)
	}
}

// worksOf are the readings of two ways, block by block.
func (b *builder) worksOf(base, other []string) (x, y [][]stat.Work) {
	byBlock := [2]map[int32][]stat.Work{{}, {}}
	blocks := map[int32]bool{}
	for side, ids := range [2][]string{base, other} {
		for _, id := range ids {
			r := b.row(id)
			for block, seconds := range b.blockMedians(r.Trial) {
				byBlock[side][block] = append(byBlock[side][block], workOf(r, seconds))
				blocks[block] = true
			}
		}
	}
	for _, block := range sortedBlocks(blocks) {
		x, y = append(x, byBlock[0][block]), append(y, byBlock[1][block])
	}
	return x, y
}

func sortedBlocks(of map[int32]bool) (blocks []int32) {
	for block := range of {
		blocks = append(blocks, block)
	}
	slices.Sort(blocks)
	return blocks
}

func (b *builder) row(id string) *Row {
	if b.byID == nil {
		b.byID = map[string]*Row{}
		for i := range b.doc.Rows {
			b.byID[b.doc.Rows[i].ID] = &b.doc.Rows[i]
		}
	}
	return b.byID[id]
}

// Dearest is the comparison in which a byte of the streaming way is the dearest for
// certain; nil where none has an interval.
func (h *Handing) Dearest() *SlopeCost {
	var dearest *SlopeCost
	for i := range h.Slopes {
		if s := &h.Slopes[i]; s.OK && (dearest == nil || s.Low > dearest.Low) {
			dearest = s
		}
	}
	return dearest
}

// Dear says whether a byte of the streaming way certainly costs half as much again as in
// another way of the same interface: all of the message in one call, or each call told
// to be the last. The block function alone accuses nobody, since it is other code: where
// it is faster than the library's own mode, that is a slow mode and no small pieces.
func (h *Handing) Dear() bool {
	alone, dearer := true, false
	for _, s := range h.Slopes {
		if s.Other == blocksWay {
			continue
		}
		alone = false
		dearer = dearer || s.OK && s.Low > dear
	}
	if d := h.Dearest(); alone && d != nil {
		return d.Low > dear
	}
	return dearer
}

// findSteps looks for the pieces that a library cuts calls into, where its bytes are
// dear: a healthy one has none that could be told from noise.
func (b *builder) findSteps(h *Handing) {
	if !h.Dear() {
		return
	}
	base, other, lengths := b.stepRows(h)
	if len(lengths) == 0 {
		return
	}
	way, _ := other[0].Way()
	i := slices.IndexFunc(h.Slopes, func(s SlopeCost) bool { return s.Other == way && s.OK })
	if i < 0 {
		return
	}
	for _, r := range slices.Concat(base, other) {
		h.StepRows = append(h.StepRows, r.ID)
	}
	x, y := b.leastTimes(base, other)
	steps := stat.FindSteps(lengths, x, y, h.Slopes[i].Excess)
	h.Steps = &steps
}

// stepRows are the rows of neighbouring lengths, each in one call, through update and
// by the other way that they were measured in.
func (b *builder) stepRows(h *Handing) (base, other []*Row, lengths []float64) {
	at := map[int64]*Row{}
	var rest []*Row
	for i := range b.doc.Rows {
		r := &b.doc.Rows[i]
		way, call := r.Way()
		if way == "" || call != r.Bytes || r.Bytes >= leastFitted || r.NsPerOp == nil || r.Experiment != h.Experiment || r.Library != h.Library ||
			r.Version != h.Version || r.Algorithm != h.Algorithm || r.Mode != h.Mode || r.Implementation != h.Implementation {
			continue
		}
		if way == streamingWay {
			at[r.Bytes] = r
		} else {
			rest = append(rest, r)
		}
	}
	slices.SortStableFunc(rest, func(x, y *Row) int { return cmp.Compare(x.Bytes, y.Bytes) })
	for _, r := range rest {
		if u := at[r.Bytes]; u != nil {
			base, other, lengths = append(base, u), append(other, r), append(lengths, float64(r.Bytes))
		}
	}
	return base, other, lengths
}

// leastTimes are the least times of rows, block by block; NaN where one was not
// measured.
func (b *builder) leastTimes(base, other []*Row) (x, y [][]float64) {
	blocks := map[int32]bool{}
	least := map[*Row]map[int32]float64{}
	for _, r := range slices.Concat(base, other) {
		// As they were read: what others took from the clock is not in the least of them,
		// and a correction for it would add its own error.
		least[r] = b.blockValues(r.Trial, b.clockOf(r.Trial).Seconds, slices.Min)
		for block := range least[r] {
			blocks[block] = true
		}
	}
	times := func(rows []*Row, block int32) []float64 {
		seconds := make([]float64, len(rows))
		for i, r := range rows {
			seconds[i] = math.NaN()
			if t, there := least[r][block]; there {
				seconds[i] = t
			}
		}
		return seconds
	}
	for _, block := range sortedBlocks(blocks) {
		x, y = append(x, times(base, block)), append(y, times(other, block))
	}
	return x, y
}

// blockValues are a value of each block of a trial, made of the seconds of its samples.
func (b *builder) blockValues(trial int, seconds func(*result.Sample) float64, value func([]float64) float64) map[int32]float64 {
	of := map[int32]float64{}
	for _, s := range b.index.trials[trial] {
		var xs []float64
		for _, i := range b.index.order[s.from:s.to] {
			if x := seconds(&b.index.samples[i]); !math.IsNaN(x) {
				xs = append(xs, x)
			}
		}
		if len(xs) > 0 {
			of[s.block] = value(xs)
		}
	}
	return of
}

// blockMedians are those of a trial's seconds on its clock, as rows and comparisons
// have them.
func (b *builder) blockMedians(trial int) map[int32]float64 {
	return b.blockValues(trial, func(s *result.Sample) float64 { return b.index.seconds(b.clockOf(trial), s) }, stat.Median)
}
