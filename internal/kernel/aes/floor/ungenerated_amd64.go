//go:build !purego && !floor

package floor

import (
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
)

// Loops tells how to get the kernels: their assembly is no part of this build.
func Loops(bits int) (map[string]bound.Loop, error) {
	return nil, errors.New("floors are not part of this build: run make bound, which generates them")
}
