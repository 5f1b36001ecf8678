package stat

import (
	"math"
	"strings"
	"testing"
)

func exactly(times ...float64) (spans []Span) {
	for _, t := range times {
		spans = append(spans, Span{t, t, t})
	}
	return spans
}

func TestFitPowerFindsTheLaw(t *testing.T) {
	x := []float64{1024, 2048, 3072, 4096}
	for _, exponent := range []float64{1, 2, 2.83, 3} {
		var times []Span
		for _, v := range x {
			s := 1e-12 * math.Pow(v, exponent)
			times = append(times, Span{s, s / 1.01, s * 1.01})
		}
		f := FitPower(x, times)
		if !f.OK || math.Abs(f.Exponent-exponent) > 1e-9 || f.RMS > 1e-9 || math.Abs(f.At(2048)/times[1].Median-1) > 1e-9 {
			t.Errorf("exponent %v: %+v", exponent, f)
		}
		// A hundredth at both ends of two octaves moves it by 0.0144, and by more with fewer points.
		if reach := f.High - f.Exponent; reach < 0.0144 || reach > 0.031 || math.Abs(f.High+f.Low-2*f.Exponent) > 1e-9 {
			t.Errorf("exponent %v reaches %v to %v", exponent, f.Low, f.High)
		}
	}
}

// TestFitPowerShowsABend: times that are exact and bend have a range of exponents
// that holds both ends' slopes.
func TestFitPowerShowsABend(t *testing.T) {
	x := []float64{1000, 2000, 4000}
	f := FitPower(x, exactly(1, 4, 32*0.7)) // slopes 2 and 2.49
	if !f.OK || f.Low > 2.001 || f.High < 2.48 {
		t.Errorf("%+v", f)
	}
}

func TestFitPowerRefuses(t *testing.T) {
	for _, test := range []struct {
		x     []float64
		times []Span
		want  string
	}{
		{[]float64{1, 2}, exactly(1, 2), "too few"},
		{[]float64{1, 2, 2}, exactly(1, 2, 2), "2 values are too few"},
		{[]float64{1, 2, 4}, exactly(1, 2), "3 values with 2 times"},
		{[]float64{1, 2, 4}, exactly(1, 2, -4), "no measurement"},
		{[]float64{1, 0, 4}, exactly(1, 2, 4), "no measurement"},
		{[]float64{1, 2, 4}, []Span{{1, 2, 3}, {1, 1, 1}, {1, 1, 1}}, "no measurement"},
		{[]float64{1, 2, 4, 8}, exactly(1, 5, 2, 9), "depart from a power law"},
	} {
		if f := FitPower(test.x, test.times); f.OK || !strings.Contains(f.Reason, test.want) || f.At(2) != 0 {
			t.Errorf("%v, %v: %+v, want %q", test.x, test.times, f, test.want)
		}
	}
}

func FuzzFitPower(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 1.0, 2.0, 4.0)
	f.Fuzz(func(t *testing.T, a, b, c, s, u, v float64) {
		fit := FitPower([]float64{a, b, c}, exactly(s, u, v))
		if fit.OK && !(fit.Low <= fit.Exponent && fit.Exponent <= fit.High) {
			t.Errorf("%+v", fit)
		}
	})
}
