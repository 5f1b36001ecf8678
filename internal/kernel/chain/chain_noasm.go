//go:build purego || !(amd64 || arm64)

package chain

// Implementation names what runs: "assembly" or "generic".
const Implementation = "generic"

func add(a, b, turns uint64) (uint64, uint64) { return addGeneric(a, b, turns) }
func mul(a, b, turns uint64) (uint64, uint64) { return mulGeneric(a, b, turns) }
