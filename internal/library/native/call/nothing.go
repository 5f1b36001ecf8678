//go:build linux && (amd64 || arm64)

package call

import (
	"github.com/ebitengine/purego"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Nothing is a call of a C function that does as little as one can and still be seen
// to have been called: abs of the C library, which every process has. It is given
// −1 and must return 1.
func Nothing() (Call, error) {
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, "abs")
	if err != nil {
		return Call{}, reason.New("looking-function", err)
	}
	const minusOne = ^uintptr(0)
	return New(fn, One, minusOne), nil
}
