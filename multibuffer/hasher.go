package multibuffer

import (
	"fmt"
	"strings"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// A Hasher is one implementation. Its methods may be called by any number of goroutines at once. The
// zero Hasher is serial: no lanes.
type Hasher struct {
	kernel kernel.Kernel
}

// serial names the implementation that every machine has.
const serial = "serial"

// Implementations are the names of those this machine can run, fastest first.
func Implementations() []string {
	var names []string
	for _, k := range kernel.Kernels() {
		names = append(names, k.String())
	}
	return append(names, serial)
}

// fastest is decided once: it depends on nothing but the processor.
var fastest = func() Hasher {
	if ks := kernel.Kernels(); len(ks) > 0 {
		return Hasher{ks[0]}
	}
	return Hasher{}
}()

// New returns the fastest Hasher of this machine.
func New() Hasher { return fastest }

// NewWith returns a Hasher by the name of its implementation, for tests and measurements.
func NewWith(implementation string) (Hasher, error) {
	if implementation == serial {
		return Hasher{}, nil
	}
	for _, k := range kernel.Kernels() {
		if k.String() == implementation {
			return Hasher{k}, nil
		}
	}
	return Hasher{}, fmt.Errorf("multibuffer: no implementation %q here, only %s", implementation, strings.Join(Implementations(), ", "))
}

// Implementation names what does the work: see the package documentation.
func (h Hasher) Implementation() string {
	if h.kernel == kernel.None {
		return serial
	}
	return h.kernel.String()
}
