//go:build !purego && (amd64 || arm64)

package chain

// Implementation names what runs: "assembly" or "generic".
const Implementation = "assembly"

// add runs turns times Unroll steps, turns above zero, and returns the pair.
func add(a, b, turns uint64) (endA, endB uint64)

// Pass returns its argument: it is called, and that is all.
func Pass(x uint64) uint64

// mul runs turns times Unroll steps, turns above zero, and returns the pair.
func mul(a, b, turns uint64) (endA, endB uint64)
