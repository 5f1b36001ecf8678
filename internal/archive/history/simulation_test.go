package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// noise is what lies between two runs.
type noise struct {
	name  string
	sd    float64 // relative
	like  float64 // correlation of a night with the one before
	tails bool    // as of Student's t with 3 degrees of freedom: one night in fifty is far off
}

var noises = []noise{
	{"quiet", 0.005, 0, false}, {"usual", 0.01, 0, false}, {"wild nights", 0.01, 0, true},
	{"wandering", 0.01, 0.4, false}, {"loud", 0.03, 0, true}, {"loud and wandering", 0.03, 0.3, false},
}

func (n noise) values(r *rand.Rand, count int) []float64 {
	xs := make([]float64, count)
	last := 0.0
	for i := range xs {
		e := r.NormFloat64()
		if n.tails {
			sum := 0.0
			for range 3 {
				z := r.NormFloat64()
				sum += z * z
			}
			e /= math.Sqrt(sum / 3)
		}
		if i > 0 {
			e = n.like*last + math.Sqrt(1-n.like*n.like)*e
		}
		last, xs[i] = e, n.sd*e
	}
	return xs
}

var first = time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)

// nights is a series with a run a day.
func nights(logs []float64) archive.Series {
	s := archive.Series{Machine: "m", Experiment: "modes", Case: result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 16384},
		Subject: result.Subject{Library: "gmsm", CallPath: "go"}}
	for i, x := range logs {
		s.Points = append(s.Points, archive.Point{Run: fmt.Sprintf("%064d", i), Time: first.AddDate(0, 0, i), Status: result.OK,
			NsPerOp:    &document.Estimate{Median: 20000 * math.Exp(x), Level: 0.99, Clock: "cpu"},
			Confidence: document.TrustGood, Version: "v0.43.0", Kernel: "6.1.0", Go: "go1.26.7", Tool: "v0.1.0"})
	}
	return s
}

// since changes all points from a day on.
func since(s archive.Series, day int, change func(*archive.Point)) {
	for i := day; i < len(s.Points); i++ {
		change(&s.Points[i])
	}
}

func slowed(by float64) func(*archive.Point) {
	return func(p *archive.Point) {
		e := *p.NsPerOp
		e.Median *= by
		p.NsPerOp = &e
	}
}

// TestNoiseAlone: of series in which nothing changes, each asked for by itself, at most 1 in 100 shows a change.
func TestNoiseAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, n := range noises {
		for _, count := range []int{10, 30, 90} {
			r := rand.New(rand.NewPCG(1, uint64(count)))
			const series = 500
			wrong := 0
			for range series {
				wrong += min(1, len(Analyse([]archive.Series{nights(n.values(r, count))})[0].Changes))
			}
			t.Logf("%s, %d nights: %d of %d series show a change", n.name, count, wrong, series)
			if wrong > series/100 {
				t.Errorf("%s, %d nights: %d of %d series show a change", n.name, count, wrong, series)
			}
		}
	}
}

// shows runs a simulation of series, and says in how many of them a change was found, and dated to its day alone.
func shows(series int, seed uint64, day int, make func(*rand.Rand) archive.Series) (found, dated, covered int) {
	r := rand.New(rand.NewPCG(2, seed))
	for range series {
		changes := Analyse([]archive.Series{make(r)})[0].Changes
		if len(changes) == 0 {
			continue
		}
		found++
		if len(changes) == 1 && changes[0].Time.Equal(first.AddDate(0, 0, day)) {
			dated++
		}
		if changes[0].Low <= 1.05 && 1.05 <= changes[0].High {
			covered++
		}
	}
	return found, dated, covered
}

// TestJump: a level that no noise leads to is found as soon as ranks can tell it, in many series of which few change.
func TestJump(t *testing.T) {
	const day, count = 12, 20
	r := rand.New(rand.NewPCG(3, 1))
	found := 0
	for range 50 {
		var series []archive.Series
		for i := range 12 {
			s := nights(noises[0].values(r, count))
			s.Case.Bytes = int64(16 << i)
			since(s, day, func(p *archive.Point) { p.Version = "v0.44.0" })
			if i < 3 {
				since(s, day, slowed(1.2))
			}
			series = append(series, s)
		}
		for i, c := range Analyse(series) {
			found += len(c.Changes)
			if i >= 3 && len(c.Changes) > 0 {
				t.Errorf("series %d, in which nothing changes: %+v", i, c.Changes)
			}
		}
	}
	if found != 150 {
		t.Errorf("%d of 150 are found", found)
	}
}

// TestPlanted: a slowdown of 5 % in a month of nightly runs is found, dated to its day and measured right: within days
// where a new version of the library is recorded, and some nights later where nothing is.
func TestPlanted(t *testing.T) {
	const series, month = 200, 30
	for _, test := range []struct {
		noise        noise
		after        int // nights
		recorded     bool
		found, dated int // at least, of the series
	}{
		{noises[0], 4, true, 185, 185}, {noises[0], 7, false, 165, 165},
		{noises[1], 4, true, 180, 180}, {noises[1], 7, true, 195, 195}, {noises[1], 7, false, 165, 165}, {noises[1], 13, true, 198, 195}, {noises[1], 13, false, 195, 190},
		{noises[2], 7, true, 170, 155}, {noises[2], 13, true, 185, 175}, {noises[3], 13, true, 165, 165},
	} {
		day := month - test.after
		found, dated, covered := shows(series, uint64(test.after), day, func(r *rand.Rand) archive.Series {
			s := nights(test.noise.values(r, month))
			since(s, day, slowed(1.05))
			since(s, 9, func(p *archive.Point) { p.Kernel = "6.1.1" }) // which changes nothing
			if test.recorded {
				since(s, day, func(p *archive.Point) { p.Version = "v0.44.0" })
			}
			return s
		})
		t.Logf("%s, %d nights, recorded %v: %d found, %d dated, %d in the interval", test.noise.name, test.after, test.recorded, found, dated, covered)
		if found < test.found || dated < test.dated || covered < found*97/100 {
			t.Errorf("%s, %d nights, recorded %v: %d found, %d dated, %d in the interval", test.noise.name, test.after, test.recorded, found, dated, covered)
		}
	}
}

// TestMended: a slowdown that is mended after a week is two changes.
func TestMended(t *testing.T) {
	const series = 100
	r := rand.New(rand.NewPCG(3, 1))
	both := 0
	for range series {
		s := nights(noises[1].values(r, 40))
		since(s, 20, slowed(1.1))
		since(s, 27, slowed(1/1.1))
		c := Analyse([]archive.Series{s})[0].Changes
		if len(c) == 2 && c[0].Kind == Faster && c[1].Kind == Slower && c[0].Time.Equal(first.AddDate(0, 0, 27)) && c[1].Time.Equal(first.AddDate(0, 0, 20)) {
			both++
		}
	}
	if both < 80 {
		t.Errorf("%d of %d", both, series)
	}
}

// TestFamily: of a thousand series of a machine none shows a change where there is none, and where a library slows down
// in fifty of them, those show it, and next to no others.
func TestFamily(t *testing.T) {
	const series, slower, month = 1000, 50, 30
	r := rand.New(rand.NewPCG(4, 1))
	var all []archive.Series
	for range series {
		all = append(all, nights(noises[1].values(r, month)))
	}
	for i, c := range Analyse(all) {
		if len(c.Changes) > 0 {
			t.Errorf("series %d: %+v", i, c.Changes)
		}
	}
	for _, s := range all[:slower] {
		since(s, 18, slowed(1.05))
		since(s, 18, func(p *archive.Point) { p.Version = "v0.44.0" })
	}
	found, others := 0, 0
	for i, c := range Analyse(all) {
		switch {
		case len(c.Changes) == 0:
		case i < slower:
			found++
		default:
			others++
		}
	}
	if found < 48 || others > 1 {
		t.Errorf("%d of %d found, and %d others", found, slower, others)
	}
}

// TestLowConfidence: a week with a neighbour is no change of the library, and hides none.
func TestLowConfidence(t *testing.T) {
	week := func(r *rand.Rand, confidence string, day int) archive.Series {
		s := nights(noises[1].values(r, 40))
		beside := noise{sd: 0.04}.values(r, 7)
		for i, x := range beside {
			p := &s.Points[20+i]
			p.Confidence = confidence
			slowed(1.08 * (1 + x))(p)
		}
		since(s, day, slowed(1.05))
		return s
	}
	const series = 100
	if found, _, _ := shows(series, 5, 0, func(r *rand.Rand) archive.Series { return week(r, document.TrustLow, 40) }); found > 1 {
		t.Errorf("left out, the neighbour is taken for a change in %d of %d", found, series)
	}
	if found, dated, _ := shows(series, 5, 30, func(r *rand.Rand) archive.Series { return week(r, document.TrustLow, 30) }); dated < 90 {
		t.Errorf("beside it the change is found in %d and dated in %d of %d", found, dated, series)
	}
	if found, _, _ := shows(series, 5, 0, func(r *rand.Rand) archive.Series { return week(r, document.TrustFair, 40) }); found < series/3 {
		t.Errorf("counted, the neighbour is taken for a change in %d of %d only: then why leave out such runs?", found, series)
	}
}

// TestLongCourse: of ten thousand runs the changes are found, old ones and new ones.
func TestLongCourse(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	s := nights(noises[1].values(r, 10_000))
	since(s, 4321, slowed(1.1))
	since(s, 9990, slowed(1.1))
	since(s, 9990, func(p *archive.Point) { p.Version = "v0.44.0" })
	c := Analyse([]archive.Series{s})[0].Changes
	if len(c) != 2 || !c[0].Time.Equal(first.AddDate(0, 0, 9990)) || c[1].Time.Sub(first.AddDate(0, 0, 4321)).Abs() > 24*time.Hour {
		t.Errorf("%+v", c)
	}
}

// TestSittings: a check that finds something slow looks three times that night. The slowdown is found as if each night had
// one run, and dated to the first look; nights on which nothing changes show nothing, however often they are looked at.
func TestSittings(t *testing.T) {
	looked := func(r *rand.Rand, from int, by float64) archive.Series {
		s := nights(noises[1].values(r, 30))
		since(s, 18, slowed(by))
		if by != 1 {
			since(s, 18, func(p *archive.Point) { p.Version = "v0.44.0" })
		}
		all := s.Points[:from:from]
		for _, p := range s.Points[from:] {
			for look := range 3 {
				again := p
				again.Run, again.Time = fmt.Sprintf("%s%d", p.Run, look), p.Time.Add(time.Duration(look)*4*time.Minute)
				slowed(1 + 0.001*r.NormFloat64())(&again)
				all = append(all, again)
			}
		}
		s.Points = all
		return s
	}
	const series = 100
	found, dated, covered := shows(series, 7, 18, func(r *rand.Rand) archive.Series { return looked(r, 18, 1.05) })
	t.Logf("%d found, %d dated, %d in the interval", found, dated, covered)
	if found < 97 || dated < 95 || covered < 95 {
		t.Errorf("%d found, %d dated, %d in the interval", found, dated, covered)
	}
	if found, _, _ := shows(series, 8, 18, func(r *rand.Rand) archive.Series { return looked(r, 0, 1) }); found > 1 {
		t.Errorf("%d of %d show a change, and there is none", found, series)
	}
}
