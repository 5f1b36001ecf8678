package bench

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// OnEveryCPU lets libraries do their operations on several CPUs at once, or in several sessions. A library need
// not know of it: each CPU, or session, has an operation of its own.
func OnEveryCPU(libraries []provider.Provider) []provider.Provider {
	for i, p := range libraries {
		if l, ok := p.(described); ok {
			libraries[i] = busyLibrary{l}
		}
	}
	return libraries
}

type described interface {
	provider.Provider
	provider.Describer
}

type busyLibrary struct{ described }

func (l busyLibrary) Open(c result.Case) (provider.Operation, error) {
	if alone, n := provider.AloneOf(c, parameter.Sessions); n > 0 {
		return l.several(alone, n, loop.NewSessions)
	}
	if alone, n := provider.AloneOf(c, parameter.Busy); n > 0 {
		return l.several(alone, n, loop.NewBusy)
	}
	return l.described.Open(c)
}

// several opens a case so many times, and makes one operation of all.
func (l busyLibrary) several(c result.Case, n int, together func([]provider.Operation) provider.Operation) (provider.Operation, error) {
	var ops []provider.Operation
	for range n {
		op, err := l.described.Open(c)
		if err != nil {
			return nil, errors.Join(err, together(ops).Close())
		}
		ops = append(ops, op)
	}
	return together(ops), nil
}

func (l busyLibrary) OpenScenario(c result.Case) (provider.Scenario, error) {
	return provider.PrepareScenario(l.described, c)
}

// aloneOf is the case that each of several does.
func aloneOf(c result.Case) result.Case {
	c, _ = provider.AloneOf(c, parameter.Sessions)
	c, _ = provider.AloneOf(c, parameter.Busy)
	return c
}

func (l busyLibrary) Implementation(c result.Case) string {
	return l.described.Implementation(aloneOf(c))
}

func (l busyLibrary) ConstantTime(c result.Case) result.ConstantTime {
	return l.described.ConstantTime(aloneOf(c))
}

func (l busyLibrary) Note(c result.Case) string {
	note := l.described.Note(aloneOf(c))
	if _, cpus := provider.AloneOf(c, parameter.Busy); cpus > 0 {
		note += fmt.Sprintf("; on %d CPUs at once: the CPU time of a call while all are busy", cpus)
	}
	return strings.TrimPrefix(note, "; ")
}
