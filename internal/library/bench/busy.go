package bench

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// OnEveryCPU lets libraries do their operations on several CPUs at once. A library need
// not know of it: each CPU has an operation of its own.
func OnEveryCPU(libraries []provider.Provider) []provider.Provider {
	for i, p := range libraries {
		l, ok := p.(described)
		if !ok {
			continue
		}
		libraries[i] = busyLibrary{l}
		if kernel, chooses := p.(provider.Kernel); chooses {
			libraries[i] = busyChoosing{busyLibrary{l}, kernel}
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
	alone, cpus := provider.AloneOnCPU(c)
	if cpus == 0 {
		return l.described.Open(c)
	}
	var ops []provider.Operation
	for range cpus {
		op, err := l.described.Open(alone)
		if err != nil {
			return nil, errors.Join(err, loop.NewBusy(ops).Close())
		}
		ops = append(ops, op)
	}
	return loop.NewBusy(ops), nil
}

func (l busyLibrary) OpenScenario(c result.Case) (provider.Scenario, error) {
	return provider.PrepareScenario(l.described, c)
}

func (l busyLibrary) ConstantTime(c result.Case) result.ConstantTime {
	alone, _ := provider.AloneOnCPU(c)
	return l.described.ConstantTime(alone)
}

func (l busyLibrary) Note(c result.Case) string {
	alone, cpus := provider.AloneOnCPU(c)
	note := l.described.Note(alone)
	if cpus > 0 {
		busy := fmt.Sprintf("; on %d CPUs at once: the CPU time of a call while all are busy", cpus)
		return strings.TrimPrefix(note+busy, "; ")
	}
	return note
}

// busyChoosing is a library that chooses its kernel by the case.
type busyChoosing struct {
	busyLibrary
	kernel provider.Kernel
}

func (l busyChoosing) Implementation(c result.Case) string {
	alone, _ := provider.AloneOnCPU(c)
	return l.kernel.Implementation(alone)
}
