package check

import (
	"math"

	"github.com/cryptogauge/cryptogauge/stat"
)

// Under stress a trial is held against itself: the last quarter of its samples
// against the first.

const (
	// stressMargin is the change of rate between the quarters that counts as none.
	stressMargin = 0.05
	// tailBeyond marks a sample as one of the tail: so many times the trial's median.
	tailBeyond = 1.5
	// leastRounds are the fewest samples whose quarters say anything.
	leastRounds = 32
)

type steadiness struct {
	Stress
	tested       bool
	slower, tail bool
}

// steady compares the quarters of one of m trials. ratios are the log ratios to a
// reference, times the times themselves, both in order of time.
func steady(ratios, times []float64, m int) (s steadiness) {
	ratios, times = usable(ratios), usable(times)
	q := min(len(ratios), len(times)) / 4
	if 4*q < leastRounds {
		return s
	}
	s.tested = true
	first, last := ratios[:q], ratios[len(ratios)-q:]
	level := stat.FamilyLevel(m)
	x, okX := stat.MedianInterval(first, level)
	y, okY := stat.MedianInterval(last, level)
	s.Change = math.Exp(stat.Median(last) - stat.Median(first))
	s.Low, s.High = math.Exp(y.Low-x.High), math.Exp(y.High-x.Low)
	s.slower = okX && okY && s.Low > 1+stressMargin
	s.P50, s.P99 = stat.Quantile(times, 0.5)*1e9, stat.Quantile(times, 0.99)*1e9
	s.TailFirst, s.TailLast = beyond(times[:q], s.P50), beyond(times[len(times)-q:], s.P50)
	s.tail = tailGrew(s.TailFirst, s.TailLast, m)
	return s
}

func beyond(times []float64, p50 float64) (n int) {
	for _, t := range times {
		if t*1e9 > tailBeyond*p50 {
			n++
		}
	}
	return n
}

// tailGrew says that the tail of the last quarter is longer than the first's, for
// one of m trials: were it not, each of its samples would fall into either with
// the same chance (the sign test).
func tailGrew(first, last, m int) bool {
	return last > first && signTail(first+last, last) <= 0.01/float64(m)
}

// signTail is the chance that of n fair coins at least k show heads.
func signTail(n, k int) (p float64) {
	for i := k; i <= n; i++ {
		all, _ := math.Lgamma(float64(n + 1))
		in, _ := math.Lgamma(float64(i + 1))
		out, _ := math.Lgamma(float64(n - i + 1))
		p += math.Exp(all - in - out - float64(n)*math.Ln2)
	}
	return min(p, 1)
}

// Memory of a worker grows where every quarter of its readings lies above the one
// before, and the last above the first by more than what the garbage collector's heap
// breathes.
const (
	memoryMargin = 8 << 20
	memoryShare  = 0.10
	leastReads   = 8
)

// growth returns the medians of the first and of the last quarter, and whether
// memory grew in between.
func growth(reads []float64) (first, last float64, grew bool) {
	if len(reads) < leastReads {
		return 0, 0, false
	}
	var q [4]float64
	for k := range q {
		q[k] = stat.Median(reads[k*len(reads)/4 : (k+1)*len(reads)/4])
	}
	first, last = q[0], q[3]
	rising := q[0] < q[1] && q[1] < q[2] && q[2] < q[3]
	return first, last, rising && last-first > max(memoryMargin, memoryShare*first)
}
