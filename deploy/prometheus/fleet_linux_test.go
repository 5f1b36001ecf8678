package prometheus_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// state is what the store holds of a machine.
type state struct {
	wrong, slower int           // trials of the last check
	age           time.Duration // of that check
	changed       bool          // a library became slower some days ago
}

// fleet is a store of three machines.
type fleet struct {
	mu       sync.Mutex
	machines map[string]state
	marks    int
	err      error
}

func newFleet() *fleet { return &fleet{machines: map[string]state{"m": {}, "n": {}, "o": {}}} }

func (f *fleet) set(machine string, s state) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.machines[machine] = s
	f.marks++
}

// mark changes how many runs there are, by which a scrape is known, and gives it.
func (f *fleet) mark() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.marks++
	return f.marks
}

func (f *fleet) fail() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = errors.New("away")
}

// each calls see for every machine.
func (f *fleet) each(see func(machine string, s state)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, machine := range slices.Sorted(maps.Keys(f.machines)) {
		see(machine, f.machines[machine])
	}
	return f.err
}

func (f *fleet) Machines(context.Context) (all []archive.Machine, err error) {
	err = f.each(func(machine string, _ state) {
		all = append(all, archive.Machine{Key: machine, Label: "a machine", Runs: f.marks, Tool: "v0.1.0"})
	})
	return all, err
}

func (f *fleet) Totals(context.Context) (t archive.Totals, err error) {
	err = f.each(func(string, state) { t.Runs = f.marks })
	return t, err
}

var (
	what = result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 16384}
	who  = result.Subject{Library: "gmsm", Version: "v0.44.0", CallPath: "go"}
)

func (f *fleet) Latest(context.Context, archive.CellQuery) (cells []archive.Cell, err error) {
	err = f.each(func(machine string, _ state) {
		low, high, rate := 19_900.0, 20_100.0, 8e8
		cells = append(cells, archive.Cell{Machine: machine, Experiment: "modes", Case: what, Subject: who, Status: result.OK,
			NsPerOp: &document.Estimate{Median: 20_000, Low: &low, High: &high}, BytesPerSecond: &rate})
	})
	return cells, err
}

func (f *fleet) LatestChecks(context.Context) (checks []archive.Check, err error) {
	err = f.each(func(machine string, s state) {
		severity := archive.SeverityNone
		if s.slower > 0 {
			severity = archive.SeverityTicket
		}
		if s.wrong > 0 {
			severity = archive.SeverityPage
		}
		checks = append(checks, archive.Check{Machine: machine, Suite: "quick", Started: time.Now().Add(-s.age), Severity: severity, Wrong: s.wrong, Slower: s.slower})
	})
	return checks, err
}

// History has a library that became half as slow again eight days ago, by its next version, where a machine says so.
func (f *fleet) History(context.Context, archive.Filter) (all []archive.Series, err error) {
	err = f.each(func(machine string, state state) {
		s := archive.Series{Machine: machine, Experiment: "modes", Case: what, Subject: result.Subject{Library: who.Library, CallPath: who.CallPath}}
		for i := range 30 {
			p := archive.Point{Run: fmt.Sprintf("%064d", i), Time: time.Now().AddDate(0, 0, i-30), Status: result.OK, Confidence: document.TrustGood,
				Version: "v0.43.0", NsPerOp: &document.Estimate{Median: 20_000 + 10*float64(i%7)}}
			if state.changed && i >= 22 {
				p.Version, p.NsPerOp = who.Version, &document.Estimate{Median: 30_000 + 10*float64(i%7)}
			}
			s.Points = append(s.Points, p)
		}
		all = append(all, s)
	})
	return all, err
}
