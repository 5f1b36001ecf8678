package document

import (
	"fmt"
	"math"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

const rowLevel = 0.99

// Build computes what a run says, and every doubt about it. It does not change
// the run, and the same run gives the same document. Layouts and answers are
// left to package question.
func Build(run *result.Run) *Document {
	b := &builder{run: run, doc: newDocument(run), index: IndexSamples(run)}
	b.doc.built = b
	b.buildRows()
	b.nameSubjects()
	b.noises = measureNoises(b)
	worst := b.worstNoise()
	b.doc.NoiseFloor, b.doc.Resolution, b.doc.NoiseMeasured = worst.floor, worst.resolution, worst.declared && worst.measured
	for i := range b.doc.Rows {
		b.fillRow(i)
	}
	b.buildComparisons()
	b.buildFits()
	b.buildCrossovers()
	b.doc.Trust = judgeTrust(b)
	return b.doc
}

// builder holds what the steps of Build share. Row i of the document is trial i
// of the run.
type builder struct {
	run     *result.Run
	doc     *Document
	index   SampleIndex
	noises  map[string]noise // by experiment
	stats   []sampleStats    // of each row
	spin    float64
	opened  [][]*result.Opened // by trial, of closed blocks
	records [][]*result.Record // by trial, of closed blocks
}

func newDocument(run *result.Run) *Document {
	h := run.Header
	doc := &Document{
		Schema: Schema, Tool: h.Tool, Suite: h.Suite,
		Machine: h.Machine, Started: h.Started, Seed: h.Seed,
		Partial: run.Partial(), Run: run,
		Rows: []Row{}, Comparisons: []Comparison{}, Fits: []Fit{}, Crossovers: []Crossover{},
		Distributions: []Distribution{}, Findings: []layout.Finding{}, Answers: []layout.Answer{}, Artifacts: []ArtifactRef{},
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
		doc.Partly = reason.Said(run.End.Reason, run.End.Cause)
	}
	doc.PartialReason = doc.Partly.EN
	doc.LeftOut = leftOut(run)
	for _, a := range run.Artifacts {
		doc.Artifacts = append(doc.Artifacts, ArtifactRef{a.Name, a.MediaType})
	}
	return doc
}

type noise struct {
	floor    float64 // relative
	declared bool    // there is an A/A pair
	measured bool    // one has a usable round

	resolution *float64 // how far the interval of an A/A pair reaches from 1; nil without one
}

// measureNoises takes the greatest difference that any A/A pair of an experiment
// shows: each has its own, measured in its own blocks and workers.
func measureNoises(b *builder) map[string]noise {
	noises := map[string]noise{}
	for _, g := range b.run.Groups {
		if g.Kind != result.KindNoise {
			continue
		}
		n, there := noises[g.Experiment]
		if !there {
			n.floor = stat.MinFloor
		}
		for i := 1; i < len(g.Trials); i++ {
			x, y := g.Trials[0], g.Trials[i]
			if b.doc.Rows[x].Status != result.OK || b.doc.Rows[y].Status != result.OK {
				continue
			}
			p := b.pair(x, y)
			floor := stat.NoiseFloor(p.base, p.other)
			if p.rounds > 0 && !math.IsNaN(floor) {
				n.measured, n.floor = true, max(n.floor, floor)
				n.resolve(stat.Compare(p.base, p.other, rowLevel, stat.MinFloor))
			}
		}
		noises[g.Experiment] = n
	}
	return noises
}

func (b *builder) floor(experiment string) float64 {
	if n, ok := b.noises[experiment]; ok {
		return n.floor
	}
	return stat.MinFloor
}

func (b *builder) worstNoise() noise {
	worst := noise{floor: stat.MinFloor, declared: len(b.noises) > 0, measured: true}
	for _, n := range b.noises {
		worst.floor = max(worst.floor, n.floor)
		worst.measured = worst.measured && n.measured
		if n.resolution != nil && (worst.resolution == nil || *n.resolution > *worst.resolution) {
			worst.resolution = n.resolution
		}
	}
	return worst
}

// resolve keeps the widest reach of an A/A pair's interval.
func (n *noise) resolve(c stat.Comparison) {
	if !c.OK {
		return
	}
	if reach := max(c.High-1, 1-c.Low); n.resolution == nil || reach > *n.resolution {
		n.resolution = &reach
	}
}

func (b *builder) clockOf(trial int) Clock { return b.stats[trial].clock }

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
