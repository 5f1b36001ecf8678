//go:build linux && (amd64 || arm64)

// Command cryptogauge-native is the worker of cryptogauge for libraries in shared
// objects. It is a program of its own because whatever opens shared objects is
// linked dynamically, and cryptogauge is not. cryptogauge finds it beside itself
// and starts it; see docs/worker-protocol.md for how they speak.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/library/native"
	"github.com/cryptogauge/cryptogauge/internal/library/native/pkcs11"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

const usage = `cryptogauge-native is started by cryptogauge, beside which it lies:

  cryptogauge-native worker --library NAME=/path/to/object.so [--twin N] [--token LABEL] [--pin-fd N]

opens one library (%s, or pkcs11: a PKCS#11 module) and serves its operations over standard input and output.
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cryptogauge-native:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("cryptogauge-native", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprintf(os.Stderr, usage, strings.Join(native.Names(), ", ")) }
	name := flags.String("library", "", "NAME=/path")
	twin := flags.Int("twin", 1, "")
	token := flags.String("token", "", "")
	pin := flags.Int("pin-fd", -1, "")
	if len(args) == 0 || args[0] != "worker" {
		flags.Usage()
		return fmt.Errorf("the one verb is worker")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	asked := native.Asked{Twin: *twin, Access: pkcs11.Access{Token: *token}}
	if *pin >= 0 {
		asked.Access.PIN = os.NewFile(uintptr(*pin), "PIN")
	}
	var ok bool
	if asked.Library, asked.Path, ok = strings.Cut(*name, "="); !ok {
		return fmt.Errorf("--library %q: give NAME=/path", *name)
	}
	out, err := private()
	if err != nil {
		return err
	}
	worker.EndWith(os.Stdin, func() { os.Exit(0) })
	return worker.Serve(worker.Quiet(os.Stdin), out, asked.Bench)
}

// private takes standard output for the protocol alone: what a library prints goes to
// standard error.
func private() (*os.File, error) {
	fd, err := unix.FcntlInt(os.Stdout.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = unix.Dup3(int(os.Stderr.Fd()), int(os.Stdout.Fd()), 0)
	}
	if err != nil {
		return nil, fmt.Errorf("keeping standard output for the protocol: %w", err)
	}
	return os.NewFile(uintptr(fd), "protocol"), nil
}
