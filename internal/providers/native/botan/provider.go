//go:build linux && (amd64 || arm64)

package botan

import (
	"github.com/cryptogauge/cryptogauge/internal/providers/catalog"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/call"
	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// On is the library as it is called by one path, in the everyday way.
func (l *Library) On(p call.Path, s result.Subject) provider.Provider {
	return on{Library: l, path: p, subject: s}
}

// Workarounds are the library as it is called by one path around a slow update, each
// way a subject of its own.
func (l *Library) Workarounds(p call.Path, s result.Subject) (all []provider.Provider) {
	for _, name := range catalog.BotanWorkarounds() {
		s.Implementation = name
		all = append(all, around{on{l, p, s}})
	}
	return all
}

// on is the everyday provider.
type on struct {
	*Library
	path    call.Path
	subject result.Subject
}

func (o on) Subject() result.Subject { return o.subject }

func (o on) Open(c result.Case) (provider.Operation, error) {
	if !catalog.BotanHas(c) {
		return nil, provider.Absent("of Botan %s %s is not measured", c.Name(), c.Operation)
	}
	return o.openMessage(c)
}

// Implementation: Botan tells of no cipher which kernel it runs.
func (on) Implementation(result.Case) string { return "unknown" }

func (on) ConstantTime(result.Case) result.ConstantTime { return constantTime }

var constantTime = result.ConstantTime{Value: "unknown", Basis: "the kernel is chosen inside the library"}

func (on) Note(c result.Case) string { return noteOf(c) }
