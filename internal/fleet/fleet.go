// Package fleet sets the machines of a store of runs side by side by what their work costs: the verb report with
// --fleet.
//
//	fleet.go    machines and their prices, which package price reads
//	costs.go    the last cells of cases on each machine, and what a million operations cost
//	plan.go     what a workload takes on each machine, by the choices of the verb plan
//	answer.go   sentences
//	tables.go   tables
//	json.go     the JSON report
//	csv.go      its rows
//	write.go    all of it in a format
//
// The cost of an operation is its CPU time times the price of a vCPU. The CPU time is that with every CPU busy where a
// run has it: CPUs share caches, memory, power and often cores, so that a lone loop takes less than a full machine
// does. Machines come in the order of their costs. That is no verdict: runs of several machines were not made in
// turns, and what differed between them is in no interval.
package fleet

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/fleet/price"
	"github.com/cryptogauge/cryptogauge/result"
)

// Store is what is read of a store of runs.
type Store interface {
	Machines(ctx context.Context) ([]archive.Machine, error)
	Latest(ctx context.Context, q archive.CellQuery) ([]archive.Cell, error)
	Run(ctx context.Context, id string) (archive.Run, *result.Run, error)
}

// Report is a fleet, and what its work costs.
type Report struct {
	Store    string // as it was named
	Currency string
	Machines []*Machine
	Unused   []string // names of prices that no machine has
	Cases    []Case   // none where a plan was asked for
	Plan     *Plan    // nil where cases were
}

// Machine is one of the fleet.
type Machine struct {
	archive.Machine
	Name     string   // that stands for it: its price's, where that is no key, else its label
	VCPUHour *float64 // its price; nil where it has none
}

// newReport reads which machines there are, and gives them their prices.
func newReport(ctx context.Context, s Store, p *price.List) (*Report, error) {
	all, err := s.Machines(ctx)
	if err != nil {
		return nil, err
	}
	r := &Report{Currency: p.Currency}
	used := make([]bool, len(p.Lines))
	names := document.UniqueIDs{}
	for _, m := range all {
		one := &Machine{Machine: m, Name: cmp.Or(m.Label, m.Key)}
		if i := p.Of(m.Key, m.Label, m.Product); i >= 0 {
			used[i] = true
			one.VCPUHour = &p.Lines[i].VCPUHour
			if name := p.Lines[i].Machine; !strings.EqualFold(name, m.Key) {
				one.Name = name
			}
		}
		one.Name = names.Name(one.Name)
		r.Machines = append(r.Machines, one)
	}
	for i, l := range p.Lines {
		if !used[i] {
			r.Unused = append(r.Unused, l.Machine)
		}
	}
	return r, nil
}

// machine is the one with a key; nil where there is none.
func (r *Report) machine(key string) *Machine {
	i := slices.IndexFunc(r.Machines, func(m *Machine) bool { return m.Key == key })
	if i < 0 {
		return nil
	}
	return r.Machines[i]
}

// keep leaves out machines that have nothing of what was asked for, and no price either.
func (r *Report) keep(has func(*Machine) bool) {
	r.Machines = slices.DeleteFunc(r.Machines, func(m *Machine) bool { return !has(m) && m.VCPUHour == nil })
}

// whole is how many CPUs are busy where all of the machine's are.
func (m *Machine) whole() int { return max(1, int(m.CPUs)) }

// cpus is how many CPUs a machine has, as it is printed: a quota may leave it a fraction of one.
func (m *Machine) cpus() string { return strconv.FormatFloat(m.CPUs, 'g', 4, 64) }

const (
	secondsPerHour = 3600
	million        = 1e6
	nanosecond     = 1e-9
)

// cost is the price of a million operations of so many nanoseconds of CPU time; nil where one of the two is not known.
func (m *Machine) cost(cpu *document.Estimate) *document.Estimate {
	if m.VCPUHour == nil || cpu == nil {
		return nil
	}
	return scaled(cpu, *m.VCPUHour/secondsPerHour*nanosecond*million)
}

// scaled is an estimate times a factor, on no clock.
func scaled(e *document.Estimate, factor float64) *document.Estimate {
	if e == nil {
		return nil
	}
	s := &document.Estimate{Median: e.Median * factor, Level: e.Level}
	if e.Low != nil && e.High != nil {
		low, high := *e.Low*factor, *e.High*factor
		s.Low, s.High = &low, &high
	}
	return s
}
