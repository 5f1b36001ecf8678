//go:build linux && (amd64 || arm64) && !cgo

package botan

import (
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// bypassInC stands in where there is no C compiler, and so no loop in C either.
func (k *cipher) bypassInC(cbinding.Work, pattern) (func(n int) error, error) {
	return nil, provider.Absent("no-cgo")
}
