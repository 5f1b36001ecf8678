// Sm4bench compares package sm4 with github.com/emmansun/gmsm and github.com/tjfoc/gmsm in one run:
//
//	go run ./sm4/sm4bench [-impl name] [-time d] [-modes regexp] [-sweep | -steps | -bound | -stops | -coalesce]
//
// Without -sweep it prints the table of targets, with the libraries in C that are installed beside the others. With it, every
// mode is measured at sizes from nothing to 64 KiB against gmsm, GCM also with nonces and tags of other lengths, and
// first calls, keys and all; the worst ratio of each is printed, and what looks slower than gmsm by more than 3 % is measured
// again, over 41 rounds, before it counts. With -steps every length to 8 KiB is
// measured, and which costs most over the next multiple of 2 KiB is printed. Both take the modes that -modes
// matches: "gmsm's" are gmsm's own constructors, over the package's cipher and over gmsm's. With -bound it prints what bounds
// the modes that have targets: instructions counted, their throughput, and what is lost waiting; it needs
// the build of make bound. With -stops, the world is stopped, as the garbage collector does, while every
// mode of every implementation works on 64 MiB, and how long that took is printed. With -coalesce, goroutines seal
// messages of their own, on all processors and by the wall clock, with a Coalescer and without, and it prints the
// ratio of the times: above 1 where the Coalescer is faster. Elsewhere the subjects
// of a row take turns in short batches on one locked thread; figures are medians over batches on the
// thread's CPU clock.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/stopping"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// A config is what the flags say.
type config struct {
	implementation string
	perRow         time.Duration
	names          *regexp.Regexp
	sweep          bool
	steps          bool
	bound          bool
	stops          bool
	coalesce       bool
}

func main() {
	if slices.Contains(os.Args[1:], "-stops") {
		if err := stopping.WithoutSignals(); err != nil {
			fmt.Fprintln(os.Stderr, "sm4bench:", err)
			os.Exit(1)
		}
	}
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "sm4bench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	c := config{}
	flags := flag.NewFlagSet("sm4bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	implementations := sm4.Implementations()
	flags.StringVar(&c.implementation, "impl", "", "one of "+strings.Join(implementations, ", ")+"; the first if empty, or all with -stops")
	names := flags.String("modes", "", "regular expression of the modes to -sweep or -steps")
	flags.DurationVar(&c.perRow, "time", 300*time.Millisecond, "CPU time for a row")
	flags.BoolVar(&c.sweep, "sweep", false, "measure all sizes and print the worst ratios")
	flags.BoolVar(&c.steps, "steps", false, "measure every length to 8 KiB and print the worst over the next full one")
	flags.BoolVar(&c.bound, "bound", false, "say what bounds the modes of the table")
	flags.BoolVar(&c.stops, "stops", false, "measure how long the world takes to stop during a call")
	flags.BoolVar(&c.coalesce, "coalesce", false, "measure single calls of many goroutines with a Coalescer")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if c.names, err = regexp.Compile(*names); err != nil {
		return fmt.Errorf("reading -modes: %w", err)
	}
	if c.implementation != "" {
		implementations = []string{c.implementation}
	}
	c.implementation = implementations[0]
	if c.stops {
		return stops(stdout, c, implementations)
	}
	if c.coalesce {
		return coalesce(stdout, c)
	}
	runtime.LockOSThread()
	fmt.Fprintf(stdout, "sm4 %s, %s %s/%s, %s\n\n", c.implementation, runtime.Version(), runtime.GOOS, runtime.GOARCH, turns.Clock)
	if c.sweep {
		return sweep(stdout, c)
	}
	if c.steps {
		return steps(stdout, c)
	}
	if c.bound {
		return bounds(stdout, c)
	}
	return targets(stdout, c)
}

// modes are those that were asked for.
func (c config) modes() (chosen []mode) {
	for _, m := range modes {
		if c.names.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

// batch is long enough for the clock's own cost not to show.
const batch = 200 * time.Microsecond
