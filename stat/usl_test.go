package stat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var eightCPUs = []float64{1, 2, 3, 4, 5, 6, 7, 8}

func lawful(s Scaling, counts []float64) (rates []float64) {
	for _, n := range counts {
		rates = append(rates, s.rate(n))
	}
	return rates
}

func TestScalingIsFoundAgain(t *testing.T) {
	for _, want := range []Scaling{
		{Alone: 1e5, Serial: 0, Crosstalk: 0},
		{Alone: 1e5, Serial: 0.05, Crosstalk: 0},
		{Alone: 3, Serial: 0, Crosstalk: 0.01},
		{Alone: 1e9, Serial: 0.1, Crosstalk: 0.002},
		{Alone: 1e5, Serial: 1, Crosstalk: 0}, // a lock around everything
	} {
		got := FitScaling(eightCPUs, lawful(want, eightCPUs), 8)
		if !got.OK || math.Abs(got.Alone/want.Alone-1) > 1e-6 || math.Abs(got.Serial-want.Serial) > 1e-6 || math.Abs(got.Crosstalk-want.Crosstalk) > 1e-6 {
			t.Errorf("want %+v, got %+v", want, got)
		}
	}
}

// TestScalingUnderNoise: with readings that are off by 1 % the terms are found
// closely, and none is ever negative.
func TestScalingUnderNoise(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	want := Scaling{Alone: 1e5, Serial: 0.05, Crosstalk: 0.004}
	far := 0
	for range 1000 {
		rates := lawful(want, eightCPUs)
		for i := range rates {
			rates[i] *= 1 + 0.01*rnd.NormFloat64()
		}
		got := FitScaling(eightCPUs, rates, 8)
		if !got.OK || got.Serial < 0 || got.Crosstalk < 0 {
			t.Fatalf("%+v", got)
		}
		if math.Abs(got.Serial-want.Serial) > 0.03 || math.Abs(got.Crosstalk-want.Crosstalk) > 0.003 || math.Abs(got.Alone/want.Alone-1) > 0.04 {
			far++
		}
	}
	if far > 10 {
		t.Errorf("%d of 1000 fits are far off", far)
	}
}

func TestScalingIsRobust(t *testing.T) {
	want := Scaling{Alone: 1e5, Serial: 0.05, Crosstalk: 0.002}
	for i := range eightCPUs {
		rates := lawful(want, eightCPUs)
		rates[i] *= 0.6 // a neighbour was there
		got := FitScaling(eightCPUs, rates, 8)
		if !got.OK || math.Abs(got.Serial-want.Serial) > 0.01 || math.Abs(got.Crosstalk-want.Crosstalk) > 0.001 {
			t.Errorf("with the rate of %v workers off: %+v", eightCPUs[i], got)
		}
		if len(got.Warnings) != 1 || got.Warnings[0].Code != CodeOutlier {
			t.Errorf("with the rate of %v workers off the warnings are %v", eightCPUs[i], got.Warnings)
		}
	}
}

func TestScalingRefuses(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		workers, rates []float64
		cpus           int
		want           string
	}{
		{[]float64{1, 2}, []float64{1, 2}, 2, "takes 4 CPUs to fit, and there are 2"},
		{eightCPUs, lawful(Scaling{Alone: 1}, eightCPUs), 2, "takes 4 CPUs to fit, and there are 2"},
		{[]float64{1, 2, 4, 8, 16, 32, 64}, []float64{1, 2, 4, 4, 4, 4, 4}, 4, "4 different numbers of workers up to the CPUs, and there are 3"},
		{[]float64{1, 2, 3, 4}, []float64{1, 2, nan, 4}, 4, "there are 3"},
		{[]float64{1, 2, 3, 4}, []float64{1, 2, 0, 4}, 4, "no measurement"},
		{[]float64{1, 2, 3}, []float64{1, 2, 3, 4}, 4, "3 numbers of workers with 4 rates"},
		{[]float64{1, 2, 3, 4}, []float64{1, 9, 1, 9}, 4, "depart from the law"},
	} {
		got := FitScaling(test.workers, test.rates, test.cpus)
		if got.OK || !strings.Contains(got.Reason, test.want) || got.Alone != 0 || got.Peak() != 0 {
			t.Errorf("%v: %+v, want a refusal with %q", test.workers, got, test.want)
		}
	}
}

func TestPeak(t *testing.T) {
	if p := (Scaling{OK: true, Serial: 0.19, Crosstalk: 0.01}).Peak(); math.Abs(p-9) > 1e-9 {
		t.Errorf("peak at %v workers, want 9", p)
	}
	if p := (Scaling{OK: true, Serial: 0.19}).Peak(); !math.IsInf(p, 1) {
		t.Errorf("without crosstalk there is no peak, not one at %v", p)
	}
}
