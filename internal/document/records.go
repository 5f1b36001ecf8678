package document

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// fillRecords puts in what a scenario measured: the median over blocks of each
// metric, and the histograms of all blocks as one. A metric that sums up such a
// histogram, as latency_p99_ns does, is that of all blocks too: two numbers of one
// name, from two populations, would contradict each other wherever a block was
// disturbed.
func (b *builder) fillRecords(row *Row, records []*result.Record) {
	values, units := map[string][]float64{}, map[string]string{}
	inBlocks := map[int]bool{}
	for _, r := range records {
		inBlocks[r.Block] = true
		for _, m := range r.Metrics {
			values[m.Name] = append(values[m.Name], m.Value)
			units[m.Name] = m.Unit
		}
	}
	blocks := len(inBlocks)
	row.Blocks = max(row.Blocks, blocks)
	distributions := distributionsOf(row.ID, records)
	b.doc.Distributions = append(b.doc.Distributions, distributions...)
	alone, least := false, stat.RowLevel
	for name, xs := range values {
		m := Metric{Value: stat.Median(xs), Unit: units[name]}
		if v, ok := summary(distributions, name); ok {
			m.Value = v
		} else if finite(m.Value) == nil {
			continue
		} else if iv, _ := stat.MedianInterval(xs, stat.RowLevel); iv.Level >= stat.LeastLevel {
			m.Low, m.High, m.Level = finite(iv.Low), finite(iv.High), shownLevel(iv.Level, stat.RowLevel)
			least = min(least, m.Level)
		} else if slices.Min(xs) != slices.Max(xs) { // a value that never varies needs no interval
			alone = true
		}
		row.Metrics[name] = m
	}
	if alone {
		row.doubt(doubt{reason.Cause("metrics-blocks", blocks), noteSpread})
	} else if least < stat.RowLevel {
		row.doubt(lowerLevel(blocks, least))
	}
	judgeSchedule(row, records, blocks)
}

// summary is the value of a metric that sums up one of the histograms, by its
// name: "latency_p99_ns" of the histogram "latency" in ns.
func summary(ds []Distribution, metric string) (value float64, ok bool) {
	for _, d := range ds {
		kind, prefixed := strings.CutPrefix(metric, d.Name+"_")
		kind, inUnit := strings.CutSuffix(kind, "_"+d.Unit)
		if !prefixed || !inUnit {
			continue
		}
		if v := map[string]*float64{"mean": &d.Mean, "p50": &d.P50, "p95": d.P95, "p99": d.P99}[kind]; v != nil {
			return *v, true
		}
	}
	return 0, false
}

// mostBehind is the share of its schedule by which a generator of requests may be
// late before latencies say more of it than of what served them. Blocks in which
// it was later hold no latencies.
const mostBehind = 0.01

// judgeSchedule says where the generator of a constant rate did not keep it. A row
// without a block in which it did has no percentiles to show.
func judgeSchedule(row *Row, records []*result.Record, blocks int) {
	late, worst := 0, 0.0
	for _, r := range records {
		for _, m := range r.Metrics {
			if m.Name == "behind" && m.Value > mostBehind {
				late, worst = late+1, max(worst, m.Value)
			}
		}
	}
	exact := reason.Cause("behind", layout.FormatShare(worst), late, blocks, layout.FormatShare(mostBehind))
	switch {
	case late == 0:
	case late == len(records):
		row.unstable(doubt{exact, whyBehind})
	default:
		row.doubt(doubt{exact, noteBehind})
	}
}

func distributionsOf(rowID string, records []*result.Record) (ds []Distribution) {
	var histograms grouped[string, result.Histogram]
	for _, r := range records {
		for _, h := range r.Histograms {
			histograms.add(h.Name, h)
		}
	}
	for _, name := range histograms.keys {
		var buckets [][2]int64
		for _, h := range histograms.of[name] {
			buckets = append(buckets, h.Buckets...)
		}
		if d, ok := percentiles(buckets); ok {
			d.RowID, d.Name, d.Unit = rowID, name, histograms.of[name][0].Unit
			ds = append(ds, d)
		}
	}
	return ds
}

// percentiles reads the usual ones off (value, count) pairs in any order. One
// that fewer than one value would lie beyond is left null: it would be the
// greatest value under another name.
func percentiles(buckets [][2]int64) (d Distribution, ok bool) {
	slices.SortFunc(buckets, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	for _, b := range buckets {
		d.Count += max(b[1], 0)
		d.Mean += float64(b[0]) * float64(max(b[1], 0))
	}
	if d.Count == 0 {
		return d, false
	}
	d.Mean /= float64(d.Count)
	at := func(p float64) float64 {
		rank := int64(p*float64(d.Count)+1-1e-9) - 1 // of the value, from 0: ceil(p·n)-1
		for _, b := range buckets {
			if rank -= max(b[1], 0); rank < 0 {
				return float64(b[0])
			}
		}
		return float64(buckets[len(buckets)-1][0])
	}
	beyond := func(p float64) *float64 {
		if float64(d.Count)*(1-p) < 1-1e-9 {
			return nil
		}
		v := at(p)
		return &v
	}
	d.P50, d.P90, d.Max = at(0.5), at(0.9), at(1)
	d.P95, d.P99, d.P999 = beyond(0.95), beyond(0.99), beyond(0.999)
	return d, true
}
