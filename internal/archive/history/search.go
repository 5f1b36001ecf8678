package history

import (
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/stat"
)

const (
	// mostWrong is the share of the changes shown that may be none, as of all verdicts of this program.
	mostWrong = 0.01
	// margin is the change that is none, as a share: twice what a run calls the same on either side of 1, and less
	// than a gate lets pass, since a history can wait for more nights.
	margin = 0.02
	// fewest is how many runs make a level. Two could be one evening.
	fewest = 3
	// longest is how many points are searched in all their pairs at once.
	longest = 400
	// enough is how many values tell a level: of more, those next to the change.
	enough = 300
)

// course is a series as it is searched.
type course struct {
	values   []float64 // logarithms of times, in order
	recorded []bool    // something that is recorded changed between the value before and this one
}

func (c course) part(from, to int) course { return course{c.values[from:to], c.recorded[from:to]} }

// stretch is a part of a course, from one value to before another, that has another level than the rest.
type stretch struct {
	from, to int
	// chance is the logarithm of the chance that noise alone makes this stretch as different, and trials that of the
	// number of stretches that were tested: their sum is that of the chance that noise alone makes any.
	chance, trials float64
}

func (s stretch) any() float64 { return min(0, s.chance+s.trials) }

// differs finds the stretch that differs most from the rest of a course: its end, or, since what was broken is mended,
// a part within (circular binary segmentation; A. B. Olshen and others, Biostatistics 5 (2004) 557). Half of the error
// goes to ends before which something recorded changed, since that is where changes come from; the other half to
// other ends and to parts within.
func (c course) differs() (best stretch) {
	n := len(c.values)
	if n < 2*fewest {
		return stretch{}
	}
	sums := make([]float64, n+1)
	for i, r := range ranks(c.values) {
		sums[i+1] = sums[i] + r
	}
	trials := c.trials()
	for from := 1; from <= n-fewest; from++ {
		for to := from + fewest; to <= min(n, from+n-fewest); to++ {
			s := stretch{from, to, logTail(sums[to]-sums[from], to-from, n-to+from), trials(from, to)}
			if s.any() < best.any() {
				best = s
			}
		}
	}
	if !c.jumps(best) {
		best.chance = deflated(best.chance, c.wander(best))
	}
	return best
}

// jumped is by how many times the range of values around their level another level is away that no wandering led to.
const jumped = 4

// jumps says whether a stretch is so far from the rest that noise which wanders can't have led there in a night. Ranks
// don't see how far levels are apart: of twelve nights and eight they say the same of 1 % and of 20 %. Of 150 simulated
// series that become 20 % slower so, among four times as many, 20 don't show it without this.
func (c course) jumps(s stretch) bool {
	if s.to == 0 { // there is none
		return false
	}
	rest := slices.Concat(c.values[:s.from], c.values[s.to:])
	low, high := slices.Min(rest), slices.Max(rest)
	least, most := slices.Min(c.values[s.from:s.to]), slices.Max(c.values[s.from:s.to])
	return max(least-high, low-most) > jumped*max(high-low, most-least)
}

// trials gives, for each stretch, the logarithm of the number of stretches that it shares its part of the error with,
// over that part.
func (c course) trials() func(from, to int) float64 {
	n := len(c.values)
	ends, within, known := n+1-2*fewest, 0, 0
	for from := 1; from < n; from++ {
		within += max(0, min(n-1, from+n-fewest)-(from+fewest)+1)
		if from >= fewest && n-from >= fewest && c.recorded[from] {
			known++
		}
	}
	parts := 2.0
	if known > 0 {
		parts = 4
	}
	atEnd, inside := math.Log(parts*float64(ends)), math.Log(parts*float64(within))
	atKnown := min(atEnd, math.Log(2*float64(known)))
	return func(from, to int) float64 {
		switch {
		case to < n:
			return inside
		case c.recorded[from]:
			return atKnown
		}
		return atEnd
	}
}

// wander is by how much noise that is like the night before's makes levels vary more than noise that is not: the root of
// (1+r)/(1-r), where r is the correlation of neighbours around the levels of a stretch and of what surrounds it. Taking
// levels from so few values makes r too small, for which 2/n is added. Of 500 simulated series of 30 nights without a
// change, with 3 % between nights and r of 0.3, 17 show one without this, and 4 with it.
func (c course) wander(s stretch) float64 {
	var rest []float64
	for _, part := range [][]float64{c.values[:s.from], c.values[s.from:s.to], c.values[s.to:]} {
		level := stat.Median(part)
		for _, x := range part {
			rest = append(rest, x-level)
		}
	}
	most := 3 * spread(rest) // of a wild night
	squares, products := 0.0, 0.0
	for i := range rest {
		rest[i] = max(-most, min(most, rest[i]))
		squares += rest[i] * rest[i]
		if i > 0 {
			products += rest[i] * rest[i-1]
		}
	}
	if squares == 0 {
		return 1
	}
	r := max(0, min(0.9, products/squares+2/float64(len(rest))))
	return math.Sqrt((1 + r) / (1 - r))
}

// spread is the standard deviation of normal values around 0, by their median: wild ones do not change it.
func spread(xs []float64) float64 {
	far := make([]float64, len(xs))
	for i, x := range xs {
		far[i] = math.Abs(x)
	}
	return 1.4826 * stat.Median(far)
}

// step is a change of level between two values of a course.
type step struct {
	at             int // the first value of the new level
	by, low, high  float64
	before, values int // how many values have the old level, and the new one
}

// steps are the changes of level that a course shows at a chance of being wrong.
func (c course) steps(wrong float64) []step {
	var at []int
	shown := map[int]step{} // as they were found
	c.search(0, wrong, func(s stretch, found step) {
		for _, b := range []int{s.from, s.to} {
			if b > 0 && b < len(c.values) && !slices.Contains(at, b) {
				at = append(at, b)
			}
		}
		shown[s.from] = found
		found.by, found.low, found.high = -found.by, -found.high, -found.low
		shown[s.to] = found
	})
	slices.Sort(at)
	return c.confirmed(at, shown, wrong)
}

// search finds stretches, and then what differs within each part that they leave. Values count from first.
func (c course) search(first int, wrong float64, found func(stretch, step)) {
	s := c.most()
	if s.any() >= math.Log(wrong) {
		return
	}
	whole := stretch{first + s.from, first + s.to, s.chance, s.trials}
	rest := slices.Concat(c.values[max(0, s.from-enough/2):s.from], c.values[s.to:min(len(c.values), s.to+enough/2)])
	by, ok := c.change(rest, c.values[s.from:s.to], c.wander(s), wrong)
	if !ok {
		return
	}
	found(whole, by)
	for _, part := range [][2]int{{0, s.from}, {s.from, s.to}, {s.to, len(c.values)}} {
		c.part(part[0], part[1]).search(first+part[0], wrong, found)
	}
}

// most is the stretch that differs most. Of a course too long for all pairs, the medians of a few values each are
// searched, and all of what is newest.
func (c course) most() stretch {
	n := len(c.values)
	if n <= longest {
		return c.differs()
	}
	each := (n + longest - 1) / longest
	var coarse course
	for from := 0; from < n; from += each {
		to := min(n, from+each)
		coarse.values = append(coarse.values, stat.Median(c.values[from:to]))
		coarse.recorded = append(coarse.recorded, slices.Contains(c.recorded[from:to], true))
	}
	old, recent := coarse.differs(), c.part(n-longest, n).differs()
	old.from, old.to = old.from*each, min(n, old.to*each)
	recent.from, recent.to = recent.from+n-longest, recent.to+n-longest
	old.trials, recent.trials = old.trials+math.Log(2), recent.trials+math.Log(2)
	if recent.any() < old.any() {
		return recent
	}
	if old.any() < 0 {
		old.from, old.to = c.placed(0, old.from, old.to, each), c.placed(old.from, old.to, n, each)
	}
	return old
}

// change is by how much the values after lie above those before; ok is false where that is not beyond the margin, or
// where there are too few values to say so at this chance of being wrong.
func (c course) change(before, after []float64, wander, wrong float64) (s step, ok bool) {
	by, low, high, ok := shift(before[max(0, len(before)-enough):], after[:min(enough, len(after))], 1-wrong)
	low, high = by-(by-low)*wander, by+(high-by)*wander
	return step{by: by, low: low, high: high, before: len(before), values: len(after)}, ok && beyond(low, high)
}

func beyond(low, high float64) bool { return low > math.Log1p(margin) || high < -math.Log1p(margin) }

// confirmed places the changes, and leaves out those which the levels on either side do not show.
func (c course) confirmed(at []int, shown map[int]step, wrong float64) (steps []step) {
	bounds := slices.Concat([]int{0}, at, []int{len(c.values)})
	for i := 1; i < len(bounds)-1; i++ {
		s, known := shown[bounds[i]]
		bounds[i] = c.placed(bounds[i-1], bounds[i], bounds[i+1], 2)
		before, after := c.values[bounds[i-1]:bounds[i]], c.values[bounds[i]:bounds[i+1]]
		if len(before) == 0 || len(after) == 0 {
			bounds = slices.Delete(bounds, i, i+1)
			i--
			continue
		}
		span := c.part(bounds[i-1], bounds[i+1])
		wander := span.wander(stretch{from: len(before), to: len(before) + len(after)})
		found, ok := c.change(before, after, wander, wrong)
		switch {
		case ok:
			s = found
		case !math.IsInf(found.low, 0) || !known: // there are values enough, and they don't show it
			bounds = slices.Delete(bounds, i, i+1)
			i--
			continue
		}
		s.at, s.before, s.values = bounds[i], len(before), len(after)
		steps = append(steps, s)
	}
	return steps
}

// placed is where between two others a change lies, at most so far from where it was found: where the values depart
// least from the levels on either side. What is recorded decides between places that are as good.
func (c course) placed(from, at, to, reach int) int {
	if at-from < fewest || to-at < fewest {
		return at
	}
	left, right := stat.Median(c.values[from:at]), stat.Median(c.values[at:to])
	var rest []float64
	for i := from; i < to; i++ {
		if i < at {
			rest = append(rest, c.values[i]-left)
		} else {
			rest = append(rest, c.values[i]-right)
		}
	}
	noise := spread(rest)
	cost, least := 0.0, math.Inf(1) // of places from the first one on, as they differ
	best, isRecorded := at, false
	for i := max(from+fewest, at-reach); i <= min(to-fewest, at+reach); i++ {
		if with := cost; with < least-noise || with < least && !isRecorded || with < least+noise && c.recorded[i] && !isRecorded {
			best, isRecorded, least = i, c.recorded[i], min(least, with)
		}
		cost += math.Abs(c.values[i]-left) - math.Abs(c.values[i]-right)
	}
	return best
}

// deflated is a chance, as a logarithm, where noise wanders.
func deflated(chance, wander float64) float64 {
	if wander <= 1 || chance >= 0 {
		return chance
	}
	low, high := 0.0, 60.0
	for range 50 {
		if z := (low + high) / 2; logNormalTail(z) > chance {
			low = z
		} else {
			high = z
		}
	}
	return logNormalTail(low / wander)
}
