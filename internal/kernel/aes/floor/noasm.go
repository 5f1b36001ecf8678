//go:build !amd64 || purego

package floor

import "github.com/cryptogauge/cryptogauge/internal/kernel/bound"

// Loops are the kernels by name, none here.
func Loops(bits int) (map[string]bound.Loop, error) { return nil, nil }
