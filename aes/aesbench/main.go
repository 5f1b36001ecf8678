// Aesbench compares package aes with crypto/aes, and its XTS with golang.org/x/crypto/xts, in one run:
//
//	go run ./aes/aesbench [-impl name] [-time d] [-sweep | -bound | -stops | -neighbour]
//
// Without a flag it prints the table of targets. With -sweep every mode, direction and length of keys is
// measured at sizes from nothing to 64 KiB, and the worst ratio of each is printed; what looks slower than
// crypto/aes by more than 3 % is measured again, over 41 rounds, before it counts. With -bound it prints what bounds
// the modes that have targets: instructions counted, how long they take when none waits, and what is lost
// waiting; it needs the build of make bound. With -stops the world is
// stopped, as the garbage collector does, while every mode works on 64 MiB, and how long that took is printed.
// With -neighbour scalar code is timed after and beside the kernels, whose wide registers may slow a core down.
// Elsewhere the two sides of a row take turns in short batches on one locked thread, on the thread's CPU clock.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/stopping"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// A config is what the flags say.
type config struct {
	implementation string
	perRow         time.Duration
	sweep, stops   bool
	bound          bool
	neighbour      bool
}

func main() {
	if slices.Contains(os.Args[1:], "-stops") {
		if err := stopping.WithoutSignals(); err != nil {
			fmt.Fprintln(os.Stderr, "aesbench:", err)
			os.Exit(1)
		}
	}
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "aesbench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	c := config{}
	flags := flag.NewFlagSet("aesbench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	implementations := aes.Implementations()
	flags.StringVar(&c.implementation, "impl", implementations[0], "one of "+strings.Join(implementations, ", "))
	flags.DurationVar(&c.perRow, "time", 0, "CPU time for a row; 300ms for targets and stops, 4ms for the sweep if 0")
	flags.BoolVar(&c.sweep, "sweep", false, "measure all sizes and print the worst ratios")
	flags.BoolVar(&c.bound, "bound", false, "say what bounds the modes of the table")
	flags.BoolVar(&c.stops, "stops", false, "measure how long the world takes to stop during a call")
	flags.BoolVar(&c.neighbour, "neighbour", false, "measure what scalar code pays after and beside the kernels")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if c.perRow == 0 {
		if c.perRow = 300 * time.Millisecond; c.sweep {
			c.perRow = 4 * time.Millisecond
		}
	}
	if c.stops {
		return stops(stdout, c)
	}
	runtime.LockOSThread()
	fmt.Fprintf(stdout, "aes %s, %s %s/%s, %s\n\n", c.implementation, runtime.Version(), runtime.GOOS, runtime.GOARCH, turns.Clock)
	switch {
	case c.sweep:
		return sweep(stdout, c)
	case c.bound:
		return bounds(stdout, c)
	case c.neighbour:
		return neighbour(stdout, c)
	}
	return targets(stdout, c)
}

// batch is long enough for the clock's own cost not to show.
const batch = 200 * time.Microsecond
