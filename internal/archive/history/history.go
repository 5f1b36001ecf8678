// Package history says when something changed in the course of a series, by how much, and what else changed then.
//
// A series is one subject on one case on one kind of machine, a point a run. What is between two runs (placement in memory,
// neighbours, the temperature of a room) moves its times by a percent or two, so a point is no news. A change is said
// where the runs since a day have another level than those before, with an interval that lies beyond 2 %, and of the
// changes said for all series together at most 1 in 100 is expected to be none ([Analyse]). A wrong output is said of
// the first run that shows it: there is no noise in that.
//
//	rank.go      the test of two levels, and the interval of their shift
//	search.go    where the levels of a course change
//	history.go   series → courses with their changes, and what changed then
//	words.go     what is said of them
//	report.go    the verb history: a file a format
package history

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Kind is what a change is.
type Kind string

const (
	Faster Kind = "faster"
	Slower Kind = "slower"
	Wrong  Kind = "wrong" // an output that was right is wrong, or one is wrong that nobody knew before
	Right  Kind = "right" // an output that was wrong is right
)

// Change is one that a course shows.
type Change struct {
	Kind   Kind      `json:"kind"`
	Time   time.Time `json:"time"`             // of the first run that shows it
	Run    string    `json:"run"`              // that run
	Before string    `json:"before,omitempty"` // the last run that does not; empty where there is none
	// Ratio is the time since then over the time before, with its interval; 0 of outputs.
	Ratio float64 `json:"ratio,omitempty"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	Level float64 `json:"level,omitempty"` // of the interval
	Runs  [2]int  `json:"runs"`            // how many have the level before, and the level since; of one sitting, one
	// Causes is what is recorded of runs and changed between Before and Run: none where nothing did.
	Causes []Cause `json:"causes"`
}

// Level is what a series was between two changes: the median of its runs, with its interval at 99 %.
type Level struct {
	From    time.Time `json:"from"` // first run of it
	To      time.Time `json:"to"`   // last
	NsPerOp float64   `json:"ns_per_op"`
	Low     *float64  `json:"low"` // null where the runs are too few for an interval
	High    *float64  `json:"high"`
	Runs    int       `json:"runs"` // of one sitting, one
}

// Cause is something that changed.
type Cause struct {
	What What   `json:"what"`
	Name string `json:"name"` // of the library; empty of others
	From string `json:"from"`
	To   string `json:"to"`
}

// What is it that changed.
type What string

const (
	Library        What = "library"
	Implementation What = "implementation" // the kernel that the library chose
	Go             What = "go"
	Kernel         What = "kernel"
	Microcode      What = "microcode"
	Tool           What = "tool" // this program
)

// Course is a series with what changed in it.
type Course struct {
	archive.Series
	Changes []Change `json:"changes"` // the newest first
	Levels  []Level  `json:"levels"`  // between changes of speed, the oldest first
	// Judged is how many points the changes of speed are found in, of one sitting one; LeftOut those with a number that were left out,
	// since confidence in their run is low or they were timed by another clock.
	Judged  int `json:"judged"`
	LeftOut int `json:"left_out"`
}

// Analyse finds the changes in series. They are a family: the more of them there are, the surer each must be, and the more of
// them change, the less (Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289), so that of all
// changes said together 1 in 100 is expected to be none. The error of the search in one series is shared
// by all places at which it may change.
//
// Points of runs in which confidence is low are left out. Simulated over 40 nights with 1 % between them, a week with a
// neighbour, 8 % slower and four times as noisy, is taken for a change in 177 of 300 series if its points count, and in
// none if they don't; a change of 5 % three days later is then dated to its day in 282 of 300, and else in none.
func Analyse(series []archive.Series) []Course {
	courses := make([]Course, 0, len(series))
	var searched []*searching
	for _, s := range series {
		courses = append(courses, Course{Series: s, Changes: []Change{}, Levels: []Level{}})
	}
	for i := range courses {
		c := &courses[i]
		c.outputs()
		searched = append(searched, c.search())
	}
	wrong := share(searched)
	for _, s := range searched {
		s.steps(wrong)
	}
	for i := range courses {
		slices.SortStableFunc(courses[i].Changes, func(a, b Change) int { return b.Time.Compare(a.Time) })
	}
	return courses
}

// share is the chance of being wrong that each series has, as its own share.
func share(searched []*searching) float64 {
	chances := make([]float64, len(searched))
	for i, s := range searched {
		chances[i] = s.chance
	}
	slices.Sort(chances)
	for n := len(chances); n > 0; n-- {
		if wrong := mostWrong * float64(n) / float64(len(chances)); chances[n-1] < math.Log(wrong) {
			return wrong
		}
	}
	return 0
}

// sitting is within what time runs are one: what lies between two nights, such as a neighbour, is the same in all of
// them. A check that finds something slow looks three times, each a run; taken for three nights, which agree so well, they would
// show that nights are like the ones before, and hide a slowdown of 15 %.
const sitting = 30 * time.Minute

// searching is a course with the points that are searched, by sittings.
type searching struct {
	of     *Course
	points []int // index of the first point of each
	last   []int // and of the last
	course course
	chance float64 // logarithm of the chance that noise alone shows a change
}

// search picks the points that are comparable.
func (c *Course) search() *searching {
	s := &searching{of: c}
	clock := c.clock()
	var together []float64
	for i, p := range c.Points {
		switch {
		case p.NsPerOp == nil || !(p.NsPerOp.Median > 0):
			continue
		case p.Confidence == document.TrustLow || p.NsPerOp.Clock != clock:
			c.LeftOut++
			continue
		}
		n := len(s.points)
		changed := n > 0 && len(c.causes(s.last[n-1], i)) > 0
		if n == 0 || changed || p.Time.Sub(c.Points[s.points[n-1]].Time) >= sitting {
			together = together[:0]
			s.points, s.last = append(s.points, i), append(s.last, i)
			s.course.values, s.course.recorded = append(s.course.values, 0), append(s.course.recorded, changed)
			n++
		}
		together = append(together, math.Log(p.NsPerOp.Median))
		s.last[n-1], s.course.values[n-1] = i, stat.Median(together)
	}
	c.Judged = len(s.points)
	s.chance = s.course.most().any()
	return s
}

// clock is the one by which most points were timed.
func (c *Course) clock() string {
	count := map[string]int{}
	for _, p := range c.Points {
		if p.NsPerOp != nil {
			count[p.NsPerOp.Clock]++
		}
	}
	var best string
	for clock, n := range count {
		if n > count[best] || n == count[best] && clock < best {
			best = clock
		}
	}
	return best
}

// steps adds the changes of speed, and the levels between them.
func (s *searching) steps(wrong float64) {
	var steps []step
	if s.chance < math.Log(wrong) {
		steps = s.course.steps(wrong)
	}
	from := 0
	for _, step := range steps {
		before, since := s.last[step.at-1], s.points[step.at]
		c := s.of.change(before, since, Slower)
		if step.by < 0 {
			c.Kind = Faster
		}
		c.Ratio, c.Low, c.High, c.Level = math.Exp(step.by), math.Exp(step.low), math.Exp(step.high), 1-wrong
		c.Runs = [2]int{step.before, step.values}
		s.of.Changes = append(s.of.Changes, c)
		s.level(from, step.at)
		from = step.at
	}
	if len(s.points) > 0 {
		s.level(from, len(s.points))
	}
}

// level adds that of values from one to before another.
func (s *searching) level(from, to int) {
	values := s.course.values[from:to]
	l := Level{From: s.of.Points[s.points[from]].Time, To: s.of.Points[s.last[to-1]].Time, NsPerOp: math.Exp(stat.Median(values)), Runs: to - from}
	if iv, ok := stat.MedianInterval(values, stat.RowLevel); ok {
		low, high := math.Exp(iv.Low), math.Exp(iv.High)
		l.Low, l.High = &low, &high
	}
	s.of.Levels = append(s.of.Levels, l)
}

// outputs adds where an output became wrong, or right again. An exhibit is shown because it is wrong, and no news.
func (c *Course) outputs() {
	if c.Exhibit {
		return
	}
	last := -1
	for i, p := range c.Points {
		wrong := p.Status == result.Incorrect
		switch {
		case p.Status != result.OK && !wrong || p.Withheld: // it says nothing of the output
			continue
		case wrong && (last < 0 || c.Points[last].Status != result.Incorrect):
			c.Changes = append(c.Changes, c.change(last, i, Wrong))
		case !wrong && last >= 0 && c.Points[last].Status == result.Incorrect:
			c.Changes = append(c.Changes, c.change(last, i, Right))
		}
		last = i
	}
}

// change is one between two points; before is -1 where there is none.
func (c *Course) change(before, since int, kind Kind) Change {
	change := Change{Kind: kind, Time: c.Points[since].Time, Run: c.Points[since].Run, Causes: []Cause{}}
	if before >= 0 {
		change.Before, change.Causes = c.Points[before].Run, c.causes(before, since)
	}
	return change
}

// causes is what is recorded and changed between two points. What has the version of another is said once: the standard
// library is Go's, and our own is this program's.
func (c *Course) causes(before, since int) []Cause {
	a, b := &c.Points[before], &c.Points[since]
	causes := []Cause{}
	add := func(what What, name, from, to string) {
		if from != to {
			causes = append(causes, Cause{what, name, from, to})
		}
	}
	add(Library, c.Subject.Library, a.Version, b.Version)
	add(Implementation, c.Subject.Library, a.Implementation, b.Implementation)
	if a.Version != a.Go || b.Version != b.Go {
		add(Go, "", a.Go, b.Go)
	}
	add(Kernel, "", a.Kernel, b.Kernel)
	add(Microcode, "", a.Microcode, b.Microcode)
	if a.Version != a.Tool || b.Version != b.Tool {
		add(Tool, "", a.Tool, b.Tool)
	}
	return causes
}

// Newest orders courses by their newest change, those without one last, each in the order in which they came.
func Newest(courses []Course) []Course {
	ordered := slices.Clone(courses)
	slices.SortStableFunc(ordered, func(a, b Course) int {
		x, y := a.newest(), b.newest()
		return cmp.Or(y.Compare(x))
	})
	return ordered
}

func (c *Course) newest() (t time.Time) {
	if len(c.Changes) > 0 {
		t = c.Changes[0].Time
	}
	return t
}
