package fleet

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/fleet/price"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// Plan is what a workload takes on each machine.
type Plan struct {
	*decide.Workload
	Rows []Load
}

// Load is what a workload takes on a machine.
type Load struct {
	Machine *Machine
	Steps   []Step
	VCPU    *document.Estimate // at the workload's rate and utilization; nil where a step has no number
	CPU     *document.Estimate // nanoseconds of vCPUs a transaction; nil too where each step has a rate of its own
	Hour    *document.Estimate // price of the vCPUs for an hour; nil without a price
	Cost    *document.Estimate // of a million transactions
	Full    bool               // every CPU was busy

	Runs       []string // the last first
	Started    time.Time
	Confidence string // the least of its runs
}

// Step is what was chosen for one of a workload's on a machine.
type Step struct {
	Name   string
	Picked layout.Text  // empty where no candidate has a number
	Row    document.Row // of what was chosen
}

// mostRuns is how many runs of a machine a workload's rows are looked for in: each is read whole.
const mostRuns = 6

// Plans decides a workload on each machine of a store, by its last rows there.
func Plans(ctx context.Context, s Store, p *price.List, w *decide.Workload) (*Report, error) {
	r, err := newReport(ctx, s, p)
	if err != nil {
		return nil, err
	}
	r.Plan = &Plan{Workload: w}
	for _, m := range r.Machines {
		l, err := load(ctx, s, m, w)
		if err != nil {
			return nil, err
		}
		if len(l.Runs) > 0 {
			r.Plan.Rows = append(r.Plan.Rows, l)
		}
	}
	r.keep(func(m *Machine) bool {
		return slices.ContainsFunc(r.Plan.Rows, func(l Load) bool { return l.Machine == m })
	})
	slices.SortStableFunc(r.Plan.Rows, loadsInOrder)
	return r, nil
}

// load decides on one machine.
func load(ctx context.Context, s Store, m *Machine, w *decide.Workload) (Load, error) {
	l := Load{Machine: m}
	cells, err := s.Latest(ctx, archive.CellQuery{Filter: archive.Filter{Machines: []string{m.Key}}})
	if err != nil {
		return l, err
	}
	wanted := slices.DeleteFunc(cells, func(c archive.Cell) bool {
		return c.Harness || c.Exhibit || c.Subject.Environment != "" || !w.Wants(c.Case)
	})
	// A run with busy CPUs says more than a later one without.
	slices.SortStableFunc(wanted, func(a, b archive.Cell) int {
		return cmp.Or(-cmp.Compare(min(busy(a), 1), min(busy(b), 1)), b.Started.Compare(a.Started))
	})
	for _, c := range wanted {
		if !slices.Contains(l.Runs, c.Run) && len(l.Runs) < mostRuns {
			l.Runs, l.Confidence = append(l.Runs, c.Run), least(l.Confidence, c.Confidence)
		}
		if c.Started.After(l.Started) {
			l.Started = c.Started
		}
	}
	var docs []*document.Document
	for _, id := range l.Runs {
		_, run, err := s.Run(ctx, id)
		if err != nil {
			return l, err
		}
		docs = append(docs, document.Build(run))
	}
	if len(docs) > 0 {
		l.decide(w, docs)
	}
	return l, nil
}

// least is the lower of two levels of confidence; "" is none yet.
func least(a, b string) string {
	rising := []string{document.TrustLow, document.TrustFair, document.TrustGood}
	if a == "" || slices.Index(rising, b) < slices.Index(rising, a) {
		return b
	}
	return a
}

// decide takes what the verb plan would.
func (l *Load) decide(w *decide.Workload, docs []*document.Document) {
	d := decide.Make(w, nil, docs...)
	for _, c := range d.Steps {
		step := Step{Name: c.Name, Picked: c.Picked()}
		if c.Chosen != nil {
			step.Row = *c.Chosen.Row
		}
		l.Steps = append(l.Steps, step)
	}
	if l.VCPU = d.VCPU; l.VCPU == nil {
		return
	}
	l.Full = !d.Alone && busyOf(docs) >= l.Machine.whole()
	if rate := d.Rate(); rate > 0 {
		l.CPU = scaled(d.VCPU, 1/(rate*nanosecond))
	}
	if l.Machine.VCPUHour != nil {
		l.Hour, l.Cost = scaled(d.VCPU, *l.Machine.VCPUHour), l.Machine.cost(l.CPU)
	}
}

// busyOf is the most CPUs that were busy in the runs.
func busyOf(docs []*document.Document) (most int) {
	for _, d := range docs {
		for _, r := range d.Rows {
			most = max(most, parameter.Busy.In(r.Parameters))
		}
	}
	return most
}

func (l Load) rank() int {
	switch {
	case l.VCPU == nil:
		return 3
	case l.Hour == nil:
		return 2
	case !l.Full:
		return 1
	}
	return 0
}

// loadsInOrder sorts by cost, and by that of an hour where there is none of a transaction.
func loadsInOrder(a, b Load) int {
	if n := cmp.Compare(a.rank(), b.rank()); n != 0 || a.Hour == nil {
		return n
	}
	return cmp.Compare(a.Hour.Median, b.Hour.Median)
}

// Missing are the steps for which no candidate has a number.
func (l Load) Missing() (names []layout.Text) {
	for _, s := range l.Steps {
		if s.Picked == (layout.Text{}) {
			names = append(names, layout.Same(s.Name))
		}
	}
	return names
}
