//go:build linux && (amd64 || arm64)

package binding

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Opening opens a case, with a session that the operation keeps.
type Opening func(s *Session, c result.Case, v *provider.Vector) (provider.Operation, error)

// Asking opens what a loop of calls can't ask.
type Asking func(s *Session, c result.Case, v *provider.Vector) (provider.Scenario, error)

// Described is a library by one path, and all that it tells of its cases.
type Described interface {
	provider.Provider
	provider.ScenarioProvider
	provider.Kernel
	provider.Describer
}

// Provider is a library as it is called by one path.
type Provider struct {
	*Library
	Path call.Path
	As   result.Subject

	Kind  func(result.Case) Kind // KindOf, but None where the library is not asked
	AEAD  func(result.Case) loop.NewAEADFunc
	Opens map[Kind]Opening
	Asks  map[Kind]Asking
	Check func(result.Case) error // what is against a case before its vector is asked for; nil: nothing
	InGo  []Kind                  // those in which Go decides what comes next, beside those of AEADs
}

// Subject names it.
func (p Provider) Subject() result.Subject { return p.As }

func (p Provider) absent(c result.Case) error {
	return provider.Absent("not-offered", p.Name, c.Name()+" "+c.Operation)
}

// Open opens a case.
func (p Provider) Open(c result.Case) (provider.Operation, error) {
	kind := p.Kind(c)
	open, shaped := p.Opens[kind], kind == Stream || kind == Many && c.Operation != algorithm.Arrival
	switch {
	case open == nil && !shaped:
		return nil, p.absent(c)
	case p.Path.InC() && (shaped || slices.Contains(p.InGo, kind)):
		return nil, provider.Absent("c-loop")
	case shaped:
		return openShaped(c, p.Vectors, p.AEAD(c))
	}
	if p.Check != nil {
		if err := p.Check(c); err != nil {
			return nil, err
		}
	}
	asked := c
	if parameter.Call.Has(c.Parameters) {
		asked.Parameters = "" // how it is handed over changes nothing of the message
	}
	v, err := p.Vectors.Vector(asked)
	if err != nil {
		return nil, err
	}
	if kind == Signature && (v.Accept == nil || v.Signature == nil) {
		return nil, provider.Unsupported("key-short", c.Algorithm, c.Mode)
	}
	return open(p.Session(p.Path), c, v)
}

// OpenScenario opens what a loop of calls can't ask.
func (p Provider) OpenScenario(c result.Case) (provider.Scenario, error) {
	kind := p.Kind(c)
	ask, shaped := p.Asks[kind], kind == Sealing || kind == Many && c.Operation == algorithm.Arrival
	switch {
	case ask == nil && !shaped:
		return nil, p.absent(c)
	case p.Path.InC() && (shaped || kind == Private):
		return nil, provider.Absent("c-loop")
	}
	v, err := p.Vectors.Vector(provider.Alone(c))
	if err != nil {
		return nil, err
	}
	if shaped {
		return askShaped(c, p.AEAD(c), v)
	}
	return ask(p.Session(p.Path), c, v)
}
