package stopping

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// withoutSignals is the runtime's setting under which it stops goroutines at safe points only.
const withoutSignals = "asyncpreemptoff=1"

// WithoutSignals starts the program again with GODEBUG=asyncpreemptoff=1, unless it has that already. To
// stop the world, Go's runtime marks every goroutine's stack, which a stack check notices, and sends its
// thread a signal, which can stop Go code anywhere but never assembly. On a virtual machine the signal
// alone takes some 100 µs, in which a call that would have stopped long before is interrupted. Without
// it, what is measured is how soon the call itself stops.
func WithoutSignals() error {
	setting := os.Getenv("GODEBUG")
	if slices.Contains(strings.Split(setting, ","), withoutSignals) {
		return nil
	}
	if setting != "" {
		setting += ","
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GODEBUG=") })
	return syscall.Exec(program, os.Args, append(env, "GODEBUG="+setting+withoutSignals))
}
