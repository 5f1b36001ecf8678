//go:build linux && (amd64 || arm64)

package call

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// Purego crosses by purego's SyscallN, once a call.
var Purego = Path{"purego", runPurego}

func runPurego(first *Call, calls, n int) int {
	program := unsafe.Slice(first, calls)
	for range n {
		for i := range program {
			c := &program[i]
			if c.Before != 0 {
				*word(&c.Before) = uint64(c.BeforeValue)
			}
			c.Result, _, _ = purego.SyscallN(c.Func, c.Args[:c.N]...)
			if c.refused() || c.unexpected() >= 0 {
				return i
			}
		}
	}
	return -1
}
