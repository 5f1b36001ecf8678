package stat_test

import (
	"fmt"
	"math"

	"github.com/cryptogauge/cryptogauge/stat"
)

// ticks stands for a measurement: blocks of three rounds around a time, each
// block and each round a little different.
func ticks(blocks int, seconds float64) [][]float64 {
	b := make([][]float64, blocks)
	for i := range b {
		worker := 1 + 0.001*float64(i*7%5-2)
		b[i] = []float64{seconds * worker, seconds * worker * 1.002, seconds * worker * 0.999}
	}
	return b
}

func ExampleSummarize() {
	s := stat.Summarize(ticks(15, 250e-9), 0.99, stat.MinFloor)
	fmt.Printf("%.1f ns (%.1f to %.1f), %v, level %.4f\n", 1e9*s.Median, 1e9*s.Low, 1e9*s.High, s.OK, s.Level)

	s = stat.Summarize(ticks(3, 250e-9), 0.99, stat.MinFloor)
	fmt.Println(s.OK, s.Warnings[0])
	// Output:
	// 250.0 ns (249.0 to 251.0), true, level 0.9926
	// false 3 blocks are too few for an interval at 99 %, which takes 8: theirs, from the least to the greatest, has 75 %
}

func ExampleCompare() {
	base, other := ticks(15, 250e-9), ticks(15, 200e-9)
	other[4][1] = math.NaN() // the scheduler throttled this one

	floor := stat.NoiseFloor(ticks(15, 250e-9), ticks(15, 251e-9))
	c := stat.Compare(base, other, stat.FamilyLevel(50), floor)
	fmt.Printf("other is %s: %.3f times (%.3f to %.3f)\n", c.Verdict, c.Ratio, c.Low, c.High)
	fmt.Println(c.Warnings[0])
	// Output:
	// other is faster: 1.250 times (1.245 to 1.255)
	// 1 of 45 rounds were discarded
}

func ExampleFitAffine() {
	n := []float64{64, 256, 1024, 8192, 65536}
	seconds := []float64{232e-9, 328e-9, 712e-9, 9e-6, 32.968e-6} // 200 ns + 0.5 ns/B, but for one
	f := stat.FitAffine(n, seconds)
	fmt.Printf("%.0f ns + %.2f ns/B: %.1f GB/s, half of it at %.0f B\n", 1e9*f.Fixed, 1e9*f.PerByte, f.Rate()/1e9, f.HalfSize())
	fmt.Println(f.Warnings[0])
	// Output:
	// 200 ns + 0.50 ns/B: 2.0 GB/s, half of it at 400 B
	// sizes off the line of the others and left out: 8192 bytes (+109 %)
}

func ExampleMinBlocks() {
	fmt.Println(stat.MinBlocks(0.99), stat.MinBlocks(stat.FamilyLevel(50)), stat.MinBlocks(stat.FamilyLevel(160)))
	// Output: 8 14 15
}
