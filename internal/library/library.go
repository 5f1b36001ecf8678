// Package library lists the libraries under test.
package library

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/bench"
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
)

// Go lists the Go libraries, in the order in which they are shown.
func Go(v provider.Vectors) []provider.Provider {
	return bench.OnEveryCPU(slices.Concat(
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
	return []provider.Provider{transacting{harness.Providers(v)[0].(laboratory), v}}
}

func Bench(s provider.Setting) worker.Bench {
	judge := judge.New(s)
	b := bench.Of(judge, Go(judge))
	b.Providers = append(b.Providers, Harness(judge)...)
	return b
}
