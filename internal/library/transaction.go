package library

import (
	"cmp"
	"errors"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// transacting is the laboratory, which also runs what several libraries do as one transaction.
type transacting struct {
	laboratory
	vectors provider.Vectors
}

type laboratory interface {
	provider.Provider
	provider.Describer
}

func (l transacting) OpenScenario(c result.Case) (provider.Scenario, error) {
	if c.Algorithm != algorithm.Transaction {
		return provider.PrepareScenario(l.laboratory, c)
	}
	steps, err := parameter.ReadSteps(c.Mode)
	d := loop.Demand{Rate: float64(parameter.Rate.In(c.Parameters)), Load: float64(parameter.Load.In(c.Parameters)) / 100}
	count := cmp.Or(parameter.Workers.In(c.Parameters), runtime.GOMAXPROCS(0))
	known := parameter.Are(c.Parameters, parameter.Rate) || parameter.Are(c.Parameters, parameter.Load, parameter.Workers)
	if err != nil || !known || d == (loop.Demand{}) || c.Operation != algorithm.Transact {
		return nil, provider.Absent("parameters", c.Operation, "rate=TRANSACTIONS or load=PERCENT,workers=N", c.Parameters)
	}
	libraries := Go(l.vectors)
	var servers [][]loop.Part
	for range count {
		parts, err := partsOf(libraries, steps)
		servers = append(servers, parts)
		if err != nil {
			return nil, errors.Join(err, loop.NewTransaction(servers, d, 0).Close())
		}
	}
	return loop.NewTransaction(servers, d, provider.SettingOf(l.vectors).Seed), nil
}

// partsOf opens the operations of one server.
func partsOf(libraries []provider.Provider, steps []parameter.Step) (parts []loop.Part, err error) {
	for _, s := range steps {
		c := result.Case{Algorithm: s.Algorithm, Mode: s.Mode, Operation: s.Operation, Bytes: s.Bytes, Parameters: s.Parameters}
		op, err := openIn(libraries, s.Library, c)
		if err != nil {
			return parts, err
		}
		parts = append(parts, loop.Part{Operation: op, Times: s.Times})
	}
	return parts, nil
}

// openIn opens a case in the first of a library's implementations that has it.
func openIn(libraries []provider.Provider, name string, c result.Case) (op provider.Operation, err error) {
	err = provider.Absent("not-offered", name, c.Name()+" "+c.Operation)
	for _, p := range libraries {
		if p.Subject().Library != name {
			continue
		}
		if op, err = p.Open(c); !errors.Is(err, provider.ErrAbsent) {
			return op, err
		}
	}
	return nil, err
}
