// Package bench makes of libraries what a worker offers. It knows none by itself, so that a
// worker of one library is built without the others.
package bench

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Of is the bench of libraries in the order in which they are shown.
func Of(j *judge.Judge, libraries []provider.Provider) worker.Bench {
	b := worker.Bench{Judge: j, Providers: libraries}
	for _, p := range b.Providers {
		s := p.Subject()
		l := result.Library{Library: s.Library, Version: s.Version, Implementation: s.Implementation, CallPath: s.CallPath}
		same := func(o result.Library) bool {
			return o.Library == l.Library && o.Implementation == l.Implementation && o.CallPath == l.CallPath
		}
		if !slices.ContainsFunc(b.Libraries, same) {
			b.Libraries = append(b.Libraries, l)
		}
	}
	return b
}
