package document

import (
	"fmt"
	"math"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Build computes what a run says, and every doubt about it. It does not change
// the run, and the same run gives the same document. Layouts and answers are
// left to package question.
func Build(run *result.Run) *Document {
	b := &builder{run: run, doc: newDocument(run), index: indexSamples(run)}
	b.doc.built = b
	b.buildRows()
	b.nameSubjects()
	b.noise = b.measureNoise("")
	b.doc.NoiseFloor, b.doc.Resolution, b.doc.NoiseMeasured = b.noise.floor, b.noise.resolution(), b.noise.measured
	for i := range b.doc.Rows {
		b.fillRow(i)
	}
	b.buildComparisons()
	b.buildFits()
	b.buildCrossovers()
	b.doc.Trust = judgeTrust(b)
	b.doc.everywhere()
	return b.doc
}

// builder holds what the steps of Build share. Row i of the document is trial i
// of the run.
type builder struct {
	run      *result.Run
	doc      *Document
	index    sampleIndex
	noise    noise
	unranked []string      // experiments without verdicts: they use every CPU, and others used some
	stats    []sampleStats // of each row
	spin     float64
	opened   [][]*result.Opened // by trial, of closed blocks
	records  [][]*result.Record // by trial, of closed blocks
}

func newDocument(run *result.Run) *Document {
	h := run.Header
	doc := &Document{
		Schema: Schema, Tool: h.Tool, Suite: h.Suite,
		Machine: h.Machine, Started: h.Started, Seed: h.Seed, Own: h.Own,
		Partial: run.Partial(), Run: run, Compared: h.Compared,
		Rows: []*Row{}, Comparisons: []Comparison{}, Fits: []Fit{}, Crossovers: []Crossover{},
		Distributions: []Distribution{}, Findings: []layout.Finding{}, Answers: []layout.Answer{}, Artifacts: []ArtifactRef{}, Notes: []layout.Text{},
	}
	// Readers of the JSON find empty lists, not nulls.
	doc.Command, doc.Environment = append([]string{}, h.Command...), append([]string{}, h.Environment...)
	doc.Libraries = append([]result.Library{}, h.Libraries...)
	if run.End != nil {
		doc.Seconds = finite(run.End.Seconds)
	}
	switch {
	case run.End == nil:
		doc.Partly = reason.Text(reason.Cause("no-end"))
	case run.End.Partial:
		doc.Partly = withExperiments(reason.Said(run.End.Reason, run.End.Cause))
	}
	doc.PartialReason = doc.Partly.EN
	doc.LeftOut = leftOut(run)
	for _, a := range run.Artifacts {
		doc.Artifacts = append(doc.Artifacts, ArtifactRef{a.Name, a.MediaType})
	}
	return doc
}

// noise is what equal things show, from the blocks of every A/A pair of the run: each
// experiment measures one pair in its own blocks and workers.
type noise struct {
	floor    float64 // relative
	measured bool    // one has a usable round
	pooled   stat.Comparison
	apart    []string // experiments whose own pair is shown to differ
}

// mostApart is how far beyond no difference the interval of equal things may lie, and mostOff
// their median.
const (
	mostApart = 0.005
	mostOff   = 0.03
)

// measureNoise pools the A/A pairs; experiment narrows it to that experiment's, "" to none.
func (b *builder) measureNoise(experiment string) (n noise) {
	var all pairs
	for _, g := range b.run.Groups {
		if g.Kind != result.KindNoise || len(g.Trials) < 2 || experiment != "" && g.Experiment != experiment {
			continue
		}
		x, y := g.Trials[0], g.Trials[1]
		if b.doc.Rows[x].Status != result.OK || b.doc.Rows[y].Status != result.OK {
			continue
		}
		p := b.pair(x, y)
		all.base, all.other = append(all.base, p.base...), append(all.other, p.other...)
		if differs(stat.Compare(p.base, p.other, stat.RowLevel, 0)) {
			n.apart = append(n.apart, g.Experiment)
		}
	}
	n.floor = stat.NoiseFloor(all.base, all.other)
	if math.IsNaN(n.floor) {
		n.floor = stat.MinFloor
	}
	n.pooled = stat.Compare(all.base, all.other, stat.RowLevel, 0)
	n.measured = n.pooled.Blocks > 0
	return n
}

// differs says that equal things are shown not to be, by more than a margin.
func differs(c stat.Comparison) bool {
	return c.OK && (c.Low > 1+mostApart || c.High < 1/(1+mostApart))
}

// resolution is how far the interval of equal things reaches from 1; nil without one.
func (n *noise) resolution() *float64 {
	if !n.pooled.OK {
		return nil
	}
	reach := max(n.pooled.High-1, 1/n.pooled.Low-1, n.floor)
	return &reach
}

func (b *builder) clockOf(trial int) result.Clock { return b.stats[trial].clock }

// pair aligns the times of two trials on a clock on which they may be compared.
func (b *builder) pair(base, other int) pairs {
	return b.index.pair(base, other, commonClock(b.clockOf(base), b.clockOf(other)))
}

// UniqueIDs makes names unique, in order: the second "x" becomes "x#2".
type UniqueIDs map[string]int

func (u UniqueIDs) Name(id string) string {
	u[id]++
	if n := u[id]; n > 1 {
		return u.Name(fmt.Sprintf("%s#%d", id, n))
	}
	return id
}

// finite returns a pointer to x, or nil where x is no number that JSON can hold.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Grouped parts what has different keys, in order of the first of each.
func Grouped[T any, K comparable](all []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, x := range all {
		i, there := at[key(x)]
		if !there {
			i = len(groups)
			at[key(x)], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// Mapped is a list of what f makes of each; nil of none.
func Mapped[T, U any](all []T, f func(T) U) (out []U) {
	for _, x := range all {
		out = append(out, f(x))
	}
	return out
}
