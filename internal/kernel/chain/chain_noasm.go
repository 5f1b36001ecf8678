//go:build purego || !(amd64 || arm64)

package chain

// Implementation names what runs: "assembly" or "generic".
const Implementation = "generic"

// Pass returns its argument: it is called, and that is all.
//
//go:noinline
func Pass(x uint64) uint64 { return x }

func add(a, b, turns uint64) (uint64, uint64) { return addGeneric(a, b, turns) }
func mul(a, b, turns uint64) (uint64, uint64) { return mulGeneric(a, b, turns) }
