package traffic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/stat"
)

// Metric is what two servers are compared by.
type Metric string

const (
	Median  Metric = "latency_p50"
	Tail    Metric = "latency_p99"
	Answers Metric = "answers_per_second"
)

// Compared is how much faster the second server is, by one metric.
type Compared struct {
	Metric Metric
	stat.Comparison
}

// Turns are two servers that were measured in turns.
type Turns struct {
	Results  [2]*Result
	Pairs    int        // turns in which both were measured
	Compared []Compared // empty where a schedule wasn't kept, or no block is whole
}

// Blocks are the turns that each server has: as many as the laboratory's comparisons have.
const Blocks = 15

// LeastCompared is how long a comparison measures each server at least.
const LeastCompared = 3 * time.Second

// InTurns measures two servers for the time that is planned each, in [Blocks] turns whose order is drawn.
// tell is told the share that is done.
func InTurns(ctx context.Context, rng *rand.Rand, pair [2]*Generator, p Plan, tell func(done float64)) *Turns {
	whole := p
	p.Lasts /= Blocks
	all := &Turns{Results: [2]*Result{newResult(whole), newResult(whole)}}
	times := map[Metric][2][][]float64{}
	for block := range Blocks {
		var each [2]*Result
		for i, which := range rng.Perm(len(pair)) {
			each[which] = pair[which].Measure(ctx, p)
			all.Results[which].add(each[which])
			tell((float64(block) + float64(i+1)/2) / Blocks)
			if ctx.Err() != nil {
				all.compare(times)
				return all
			}
		}
		all.Pairs++
		for _, metric := range metricsOf(p) {
			of := times[metric]
			for which, r := range each {
				of[which] = append(of[which], []float64{r.seconds(metric)})
			}
			times[metric] = of
		}
	}
	all.compare(times)
	return all
}

// metricsOf are those that a plan measures: at a constant rate answers come as fast as they are asked for.
func metricsOf(p Plan) []Metric {
	if p.Rate > 0 {
		return []Metric{Median, Tail}
	}
	return []Metric{Answers, Tail}
}

// seconds is a metric as a time; NaN where nothing was answered right.
func (r *Result) seconds(m Metric) float64 {
	if r.Right == 0 {
		return math.NaN()
	}
	if percent, latency := m.percentile(); latency {
		return float64(r.Latency.ValueAtQuantile(percent)) / 1e9
	}
	return r.whole().Seconds() / float64(r.Right)
}

// percentile is that of the latency which a metric is; false where it is none.
func (m Metric) percentile() (percent float64, latency bool) {
	switch m {
	case Median:
		return 50, true
	case Tail:
		return 99, true
	}
	return 0, false
}

// comparable says whether a percentile of the latency is one in every block, too.
func (r *Result) comparable(percent float64) bool {
	return r.Shows(percent) && carries(r.Latency.TotalCount()/Blocks, percent)
}

// compare sets the servers beside each other, unless the generator measured itself.
func (t *Turns) compare(times map[Metric][2][][]float64) {
	if !t.Results[0].Measured() || !t.Results[1].Measured() || len(times) == 0 {
		return
	}
	metrics := slices.DeleteFunc(metricsOf(t.Results[0].Plan), func(m Metric) bool {
		percent, latency := m.percentile()
		return latency && !(t.Results[0].comparable(percent) && t.Results[1].comparable(percent))
	})
	if len(metrics) == 0 {
		return
	}
	var pairs []stat.Pair
	for _, m := range metrics {
		pairs = append(pairs, stat.Pair{Base: times[m][0], Other: times[m][1], Headline: true})
	}
	for i, c := range stat.CompareFamily(pairs, len(pairs), stat.MinFloor) {
		t.Compared = append(t.Compared, Compared{metrics[i], c})
	}
}
