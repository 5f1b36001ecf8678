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
	samples := make([][]float64, len(subjects))
	repeats := make([]int, len(subjects))
	for i, f := range subjects {
		if f != nil {
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
			began := now()
			for range repeats[i] {
				f()
			}
			took := now() - began
			spent += took
			samples[i] = append(samples[i], float64(took)/float64(repeats[i]))
		}
	}
	medians := make([]float64, len(subjects))
	for i, s := range samples {
		if len(s) > 0 {
			slices.Sort(s)
			medians[i] = s[len(s)/2]
		}
	}
	return medians
}

func calibrate(batch time.Duration, f func()) int {
	for n := 1; ; n *= 2 {
		began := now()
		for range n {
			f()
		}
		if now()-began >= int64(batch) {
			return n
		}
	}
}
