// Package library lists the libraries under test.
package library

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/library/blake3"
	"github.com/cryptogauge/cryptogauge/internal/library/engine"
	"github.com/cryptogauge/cryptogauge/internal/library/gmsm"
	"github.com/cryptogauge/cryptogauge/internal/library/gostd"
	"github.com/cryptogauge/cryptogauge/internal/library/harness"
	"github.com/cryptogauge/cryptogauge/internal/library/md5simd"
	"github.com/cryptogauge/cryptogauge/internal/library/tjfoc"
	"github.com/cryptogauge/cryptogauge/internal/library/xcrypto"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// Go lists the Go libraries, in the order in which they are shown.
func Go(v provider.Vectors) []provider.Provider {
	return slices.Concat(
		OnEveryCPU(gostd.Providers(v)),
		xcrypto.Providers(v),
		OnEveryCPU(gmsm.Providers(v)),
		OnEveryCPU(tjfoc.Providers(v)), // the block cipher, then the helpers
		md5simd.Providers(v),
		blake3.Providers(v),
		engine.Providers(v), // our own, after the established ones: SM4, then hashing
	)
}

// Harness lists the laboratory itself: empty operations and work of known cost.
func Harness(v provider.Vectors) []provider.Provider { return harness.Providers(v) }
