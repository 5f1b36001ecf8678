// Package turns times functions in turns, for the benchmark programs beside the
// engine's packages: what moves the machine's speed moves all of them.
package turns

import (
	"slices"
	"time"
)

// Measure runs the subjects in turns for about d, in batches of at least batch, which should be long
// enough for the clock's own cost not to show, and returns each one's median time in nanoseconds, on
// the clock that Clock names. A nil subject has no time.
func Measure(d, batch time.Duration, subjects ...func()) []float64 {
	medians := make([]float64, len(subjects))
	for i, s := range rounds(d, batch, subjects) {
		medians[i] = median(s)
	}
	return medians
}

// Compare is Measure for two subjects, and how many times as long the second one takes: the median over
// rounds. The two batches of a round meet the same machine, while the medians of all batches may be of
// different ones where its speed has two steps, as that of a core that is shared has.
func Compare(d, batch time.Duration, first, second func()) (times [2]float64, ratio float64) {
	samples := rounds(d, batch, []func(){first, second})
	ratios := make([]float64, len(samples[0]))
	for i := range ratios {
		ratios[i] = samples[1][i] / samples[0][i]
	}
	return [2]float64{median(samples[0]), median(samples[1])}, median(ratios)
}

// rounds times a batch of every subject in each round, and returns the times of one call, in order.
func rounds(d, batch time.Duration, subjects []func()) [][]float64 {
	samples := make([][]float64, len(subjects))
	repeats := make([]int, len(subjects))
	for i, f := range subjects {
		if f != nil {
			f() // what is done once, as growing the stack
			repeats[i] = calibrate(batch, f)
		}
	}
	for spent, round := int64(0), 0; spent < int64(d) || round < 7; round++ {
		for i := range subjects {
			// Every other round the other way, so that none always follows the same one.
			if round%2 == 1 {
				i = len(subjects) - 1 - i
			}
			f := subjects[i]
			if f == nil {
				continue
			}
			t := took(repeats[i], f)
			spent += t
			samples[i] = append(samples[i], float64(t)/float64(repeats[i]))
		}
	}
	return samples
}

// median is that of samples, or 0 of none.
func median(samples []float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Clone(samples)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// calibrate is how often f must run for a batch to last. One pause of the machine must not end it.
func calibrate(batch time.Duration, f func()) int {
	for n := 1; ; n *= 2 {
		shortest := took(n, f)
		shortest = min(shortest, took(n, f))
		if shortest >= int64(batch) {
			return n
		}
	}
}

func took(n int, f func()) int64 {
	began := now()
	for range n {
		f()
	}
	return now() - began
}
