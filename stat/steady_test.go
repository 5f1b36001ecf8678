package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// movingClock draws times of a trial under a clock that jumps between three
// rates, as a shared CPU's does. share is how much of the trial follows it.
func movingClock(rnd *rand.Rand, blocks, rounds int, base, share, noise float64) (times, yardstick [][]float64) {
	rates := []float64{1, 1.033, 1.067}
	for range blocks {
		var t, y []float64
		for range rounds {
			slow := rates[rnd.IntN(len(rates))]
			y = append(y, 10500*slow)
			t = append(t, base*math.Pow(slow, share)*math.Exp(noise*rnd.NormFloat64()))
		}
		times, yardstick = append(times, t), append(yardstick, y)
	}
	return times, yardstick
}

func correctAll(times, yardstick [][]float64) [][]float64 {
	c := SteadyClock(times, yardstick)
	out := make([][]float64, len(times))
	for i := range times {
		for j, t := range times[i] {
			out[i] = append(out[i], c.Correct(t, yardstick[i][j]))
		}
	}
	return out
}

func TestSteadyClockLearnsTheShare(t *testing.T) {
	for _, share := range []float64{0, 0.5, 1} {
		rnd := rand.New(rand.NewPCG(1, uint64(share*10)))
		times, yardstick := movingClock(rnd, 15, 7, 100, share, 0.005)
		if got := SteadyClock(times, yardstick).Share; math.Abs(got-share) > 0.1 {
			t.Errorf("share %g learnt as %.2f", share, got)
		}
	}
}

// TestSteadyClockKeepsTheCentre: over many draws the corrected ratio of two
// trials is the true one, and its spread is smaller than without.
func TestSteadyClockKeepsTheCentre(t *testing.T) {
	const draws, truth = 200, 1.02
	var raw, steady []float64
	for i := range uint64(draws) {
		rnd := rand.New(rand.NewPCG(2, i))
		a, ya := movingClock(rnd, 15, 7, 100*truth, 1, 0.004)
		b, yb := movingClock(rnd, 15, 7, 100, 1, 0.004)
		raw = append(raw, Compare(a, b, 0.99, MinFloor).Ratio-truth)
		steady = append(steady, Compare(correctAll(a, ya), correctAll(b, yb), 0.99, MinFloor).Ratio-truth)
	}
	if bias := Median(steady); math.Abs(bias) > 0.0005 {
		t.Errorf("the corrected ratio is off by %.4f in the median", bias)
	}
	spread := func(xs []float64) float64 { // about zero
		distances := make([]float64, len(xs))
		for i, x := range xs {
			distances[i] = math.Abs(x)
		}
		return Median(distances)
	}
	if spread(steady) > spread(raw)/2 {
		t.Errorf("corrected ratios spread by %.4f, raw ones by %.4f; want less than half", spread(steady), spread(raw))
	}
}

// TestSteadyClockLeavesWhatTheTrialDoes: a trial that always runs at a slower
// clock, because it makes it slower, stays slower.
func TestSteadyClockLeavesWhatTheTrialDoes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	times, yardstick := movingClock(rnd, 15, 7, 100, 1, 0.004)
	for i := range times {
		for j := range times[i] {
			times[i][j] *= 1.1
			yardstick[i][j] *= 1.1
		}
	}
	before := Median(slices.Concat(times...))
	if after := Median(slices.Concat(correctAll(times, yardstick)...)); math.Abs(after/before-1) > 0.03 {
		t.Errorf("the median went from %.1f to %.1f", before, after)
	}
}

func TestSteadyClockWithoutGrounds(t *testing.T) {
	still := [][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}
	for name, c := range map[string]Clock{
		"a clock that stands still": SteadyClock(still, [][]float64{{5, 5, 5}, {5, 5, 5}, {5, 5, 5}}),
		"too few samples":           SteadyClock(still[:1], [][]float64{{5, 6, 7}}),
		"no yardstick":              SteadyClock(still, nil),
		"zeros":                     SteadyClock(still, [][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}),
	} {
		if c != (Clock{}) || c.Correct(7, 5) != 7 {
			t.Errorf("%s: %+v corrects 7 to %g", name, c, c.Correct(7, 5))
		}
	}
}
