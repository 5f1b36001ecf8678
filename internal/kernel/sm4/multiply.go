package sm4

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// Carryless says whether the processor multiplies polynomials, as far as GODEBUG leaves it that. Where it
// does not, gmsm's own GHASH looks up tables at addresses that depend on the data and the key.
func Carryless() bool {
	switch runtime.GOARCH {
	case "amd64":
		return cpu.X86.HasPCLMULQDQ
	case "arm64":
		return cpu.ARM64.HasPMULL
	}
	return true // elsewhere gmsm has a GCM of its own only where it multiplies without tables
}
