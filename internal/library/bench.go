package library

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

func Bench(s provider.Setting) worker.Bench {
	judge := judge.New(s)
	b := worker.Bench{Judge: judge, Providers: Go(judge)}
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
	b.Providers = append(b.Providers, Harness(judge)...)
	return b
}
