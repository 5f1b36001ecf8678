// Package library lists the libraries under test.
package library

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/blake3"
	"github.com/cryptogauge/cryptogauge/internal/library/engine"
	"github.com/cryptogauge/cryptogauge/internal/library/gmsm"
	"github.com/cryptogauge/cryptogauge/internal/library/gostd"
	"github.com/cryptogauge/cryptogauge/internal/library/harness"
	"github.com/cryptogauge/cryptogauge/internal/library/md5simd"
	"github.com/cryptogauge/cryptogauge/internal/library/tjfoc"
	"github.com/cryptogauge/cryptogauge/internal/library/xcrypto"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Go lists the Go libraries, in the order in which they are shown.
func Go(v provider.Vectors) []provider.Provider {
	return OnEveryCPU(slices.Concat(
		gostd.Providers(v),
		xcrypto.Providers(v),
		gmsm.Providers(v),
		tjfoc.Providers(v), // the block cipher, then the helpers
		md5simd.Providers(v),
		blake3.Providers(v),
		engine.Providers(v), // our own, after the established ones: SM4, then hashing
	))
}

// Harness lists the laboratory itself: empty operations, work of known cost, and what several
// libraries do as one transaction.
func Harness(v provider.Vectors) []provider.Provider {
	all := harness.Providers(v)
	for i, p := range all {
		if l, ok := p.(laboratory); ok {
			all[i] = transacting{l, v}
		}
	}
	return all
}

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
