package history

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/result"
)

func quiet(count int) archive.Series {
	return nights(noises[0].values(rand.New(rand.NewPCG(7, 7)), count))
}

func changes(s archive.Series) []Change { return Analyse([]archive.Series{s})[0].Changes }

func TestCausesAreNamed(t *testing.T) {
	s := quiet(30)
	since(s, 20, slowed(0.6))
	since(s, 20, func(p *archive.Point) { p.Version, p.Implementation = "v0.44.0", "avx2+gfni" })
	c := changes(s)
	want := []Cause{{Library, "gmsm", "v0.43.0", "v0.44.0"}, {Implementation, "gmsm", "", "avx2+gfni"}}
	if len(c) != 1 || c[0].Kind != Faster || !reflect.DeepEqual(c[0].Causes, want) {
		t.Fatalf("%+v", c)
	}
	if c[0].Before != s.Points[19].Run || c[0].Run != s.Points[20].Run || c[0].Runs != [2]int{20, 10} || c[0].Level < 0.98 {
		t.Errorf("%+v", c[0])
	}
	s.Subject.Library = "go" // whose version is Go's
	since(s, 0, func(p *archive.Point) { p.Version, p.Implementation = "go1.26.7", "" })
	since(s, 20, func(p *archive.Point) { p.Version, p.Go, p.Kernel = "go1.26.8", "go1.26.8", "6.6.0" })
	want = []Cause{{Library, "go", "go1.26.7", "go1.26.8"}, {Kernel, "", "6.1.0", "6.6.0"}}
	if c = changes(s); len(c) != 1 || !reflect.DeepEqual(c[0].Causes, want) {
		t.Errorf("%+v", c)
	}
}

func TestNothingRecordedChanged(t *testing.T) {
	s := quiet(30)
	since(s, 12, slowed(1.3))
	if c := changes(s); len(c) != 1 || len(c[0].Causes) != 0 || c[0].Kind != Slower || c[0].Run != s.Points[12].Run {
		t.Errorf("%+v", c)
	}
}

func wrong(p *archive.Point) { p.Status, p.NsPerOp = result.Incorrect, nil }

func TestOutputs(t *testing.T) {
	s := quiet(10)
	since(s, 6, wrong)
	since(s, 6, func(p *archive.Point) { p.Version = "v0.44.0" })
	c := changes(s)
	if len(c) != 1 || c[0].Kind != Wrong || c[0].Run != s.Points[6].Run || c[0].Before != s.Points[5].Run || len(c[0].Causes) != 1 {
		t.Errorf("wrong from one day on: %+v", c)
	}
	since(s, 8, func(p *archive.Point) { p.Status, p.NsPerOp = result.OK, quiet(10).Points[0].NsPerOp })
	if c = changes(s); len(c) != 2 || c[0].Kind != Right || c[1].Kind != Wrong {
		t.Errorf("and mended, the newest first: %+v", c)
	}
	s.Exhibit = true
	if c = changes(s); len(c) != 0 {
		t.Errorf("an exhibit is wrong on purpose: %+v", c)
	}
	s = quiet(4)
	since(s, 0, wrong)
	if c = changes(s); len(c) != 1 || c[0].Kind != Wrong || c[0].Before != "" {
		t.Errorf("wrong from the first run on: %+v", c)
	}
	s = quiet(4)
	since(s, 2, func(p *archive.Point) { p.Status, p.Withheld, p.NsPerOp = result.Unstable, true, nil })
	if c = changes(s); len(c) != 0 {
		t.Errorf("what is withheld is right itself: %+v", c)
	}
}

func TestOtherClocksAreLeftOut(t *testing.T) {
	s := quiet(30)
	for i := range 5 {
		p := &s.Points[20+i]
		slowed(2)(p)
		p.NsPerOp.Clock = "process"
	}
	if c := Analyse([]archive.Series{s})[0]; len(c.Changes) != 0 || c.LeftOut != 5 || c.Judged != 25 {
		t.Errorf("%+v, %d left out of %d", c.Changes, c.LeftOut, c.Judged)
	}
}

func TestFewPoints(t *testing.T) {
	for n := range 2 * fewest {
		if c := changes(quiet(n)); len(c) != 0 {
			t.Errorf("%d points: %+v", n, c)
		}
	}
	s := quiet(20)
	since(s, 0, func(p *archive.Point) { p.NsPerOp.Median = 5 })
	if c := changes(s); len(c) != 0 {
		t.Errorf("equal points: %+v", c)
	}
}

func TestNewest(t *testing.T) {
	a, b, c := quiet(30), quiet(30), quiet(30)
	since(b, 10, slowed(1.3))
	since(c, 20, slowed(1.3))
	a.Experiment, b.Experiment, c.Experiment = "a", "b", "c"
	got := Newest(Analyse([]archive.Series{a, b, c}))
	if got[0].Experiment != "c" || got[1].Experiment != "b" || got[2].Experiment != "a" {
		t.Errorf("%s %s %s", got[0].Experiment, got[1].Experiment, got[2].Experiment)
	}
}
