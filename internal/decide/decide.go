package decide

import (
	"cmp"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Decision is what a workload should run, and what that takes.
type Decision struct {
	Workload *Workload
	Steps    []*Choice
	VCPU     *document.Estimate // of all steps, the utilization included; nil where a step has no number
	Alone    bool               // some time is that of a lone loop: busy CPUs were not measured
	CPUs     int                // of the machine
	Weighed  []Weighed          // by step, where weights were given
	Check    *Check             // nil where the steps did not run together
	checking float64            // seconds that their run took
	// Unchecked is why they did not; nil where they did.
	Unchecked  *layout.Text
	Latencies  []Latency // by number of CPUs, where there is a limit
	CPUsForP99 *int      // the fewest that are shown to keep it; nil where none is
	// Unasked are the libraries that are installed and called through C, where they were not asked.
	Unasked []string
	pool    Pool
	apart   bool // the chosen steps were measured again, beside the check
}

// Choice is a step with its candidates, the chosen one among them.
type Choice struct {
	*Step
	RatePerSecond float64
	Candidates    []*Candidate
	Chosen        *Candidate // nil where nothing is left
	Today         *Candidate // what runs today; nil where that is not known, or has no rows
	Dropped       []Drop
	told          int  // rivals in its sentence
	tabled        bool // what it takes stands in the table alone
}

// Drop is what would be chosen without a requirement.
type Drop struct {
	Requirement Requirement
	Candidate   *Candidate
}

// Make chooses. The runs are of one machine.
func Make(w *Workload, weights *Weights, runs ...*document.Document) *Decision {
	d, floor := &Decision{Workload: w, pool: runs}, 0.0
	for _, doc := range runs {
		d.CPUs, floor = max(d.CPUs, doc.CPUs()), max(floor, doc.NoiseFloor)
	}
	for i := range w.Steps {
		c := d.choose(&w.Steps[i], floor)
		d.Steps = append(d.Steps, c)
		if weights != nil {
			d.Weighed = append(d.Weighed, weights.weigh(c.Candidates))
		}
		d.Alone = d.Alone || c.Chosen != nil && c.Chosen.Busy == nil
	}
	d.count(floor)
	return d
}

// count adds up the CPUs that the chosen steps take.
func (d *Decision) count(floor float64) {
	var loads [][]float64
	for _, c := range d.Steps {
		if c.Chosen == nil {
			return
		}
		loads = append(loads, scaled(c.Chosen.load, c.RatePerSecond/d.Workload.Limits.Used()))
	}
	d.VCPU = estimate(zip(loads), floor, 1)
}

func scaled(values []float64, factor float64) []float64 {
	scaled := slices.Clone(values)
	for i := range scaled {
		scaled[i] *= factor
	}
	return scaled
}

func (d *Decision) choose(s *Step, floor float64) *Choice {
	c := &Choice{Step: s, RatePerSecond: d.Workload.rate(s), Candidates: d.pool.candidates(s)}
	for _, x := range c.Candidates {
		if x.CPU != nil {
			x.VCPU = estimate(scaled(x.load, c.RatePerSecond/d.Workload.Limits.Used()), floor, 1)
		}
		if s.Use != nil && x.Row.Library == s.Use.Library && x.main() == s.over(s.Use.of()).main() {
			c.Today = x
		}
	}
	c.Chosen = rank(c.Candidates, c.Today)
	for _, r := range s.Require {
		if x := c.without(r); x != nil {
			c.Dropped = append(c.Dropped, Drop{r, x})
		}
	}
	slices.SortStableFunc(c.Candidates, func(a, b *Candidate) int {
		return cmp.Or(standingOrder(a)-standingOrder(b), cmp.Compare(costOf(a), costOf(b)))
	})
	return c
}

// without is what would be chosen if a requirement were dropped; nil where that changes nothing.
func (c *Choice) without(r Requirement) *Candidate {
	in := answer.Select(c.Candidates, func(x *Candidate) bool {
		return x.CPU != nil && !slices.ContainsFunc(x.Excluded, func(e Exclusion) bool { return e.Requirement != r })
	})
	if b := best(in, c.Today); b != nil && b != c.Chosen && len(b.Excluded) > 0 {
		return b
	}
	return nil
}

// standingOrder is where a candidate stands in lists.
func standingOrder(c *Candidate) int {
	return slices.Index([]string{Chosen, Front, New, Dominated, Excluded}, c.Standing)
}

// Rate is how many transactions a second the costs are of; 0 where every step has its own.
func (d *Decision) Rate() float64 { return d.Workload.transactions() }

// Extrapolates says that the plan takes more CPUs than this machine has.
func (d *Decision) Extrapolates() bool {
	return d.Workload.Rated() && d.VCPU != nil && d.VCPU.Median > float64(d.CPUs)
}

// CostPerMillion is the price of a million transactions; nil where there is none.
func (d *Decision) CostPerMillion() *float64 {
	p := d.Workload.Price.VCPUHour
	if p == 0 || d.VCPU == nil || d.Rate() == 0 {
		return nil
	}
	const secondsPerHour = 3600
	cost := d.VCPU.Median * p / secondsPerHour / d.Rate() * 1e6
	return &cost
}

// Instances is how many machines it takes; nil where their size is not known, or how many whole CPUs are enough.
func (d *Decision) Instances() *int {
	size, cpus := d.Workload.Price.VCPUPerInstance, d.wholeCPUs()
	if size == 0 || cpus == 0 {
		return nil
	}
	n := int(math.Ceil(float64(cpus)/size - 1e-9))
	return &n
}

// Complete says whether every step has a choice with a number.
func (d *Decision) Complete() bool { return d.VCPU != nil }
