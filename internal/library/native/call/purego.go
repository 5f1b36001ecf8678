//go:build linux && (amd64 || arm64)

package call

import (
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/cryptogauge/cryptogauge/internal/reason"
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

// Nothing is a call of a C function that does as little as one can and still be seen
// to have been called: abs of the C library, which every process has. It is given
// −1 and must return 1.
func Nothing() (Call, error) {
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, "abs")
	if err != nil {
		return Call{}, reason.New("looking-function", err)
	}
	const minusOne = ^uintptr(0)
	return New(fn, Positive, minusOne), nil
}
