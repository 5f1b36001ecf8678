// Mbbench compares package multibuffer with the libraries that hash one message at a time, crypto/md5,
// github.com/emmansun/gmsm/sm3, crypto/sha256, crypto/sha1 and crypto/hmac, in one run:
//
//	go run ./multibuffer/mbbench [-impl name] [-time d] [-sweep] [-coalesce] [-stops]
//
// Without -sweep it prints the table of targets. With it, batches of 1 to 1000 messages of many sizes
// are measured, equal, mixed and with one long message, and the worst ratios are printed; those below 1
// after measuring them again for longer, and those more than 5 % below three times, at different times.
// The subjects of a row take turns in short batches on one locked thread; figures are medians over
// batches on the thread's CPU clock, ratios medians over pairs of them. With -coalesce, goroutines that
// call a Coalescer are compared with goroutines that call the library, on the wall clock; what reads
// below 1 is measured again over more rounds. With -stops, the world is stopped while 64 MiB are
// hashed, by each hash and implementation and in each way, and how long that took is printed: the garbage
// collector waits as long.
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

	"github.com/cryptogauge/cryptogauge/internal/kernel/stopping"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
	"github.com/cryptogauge/cryptogauge/multibuffer"
)

// A config is what the flags say.
type config struct {
	hasher                 multibuffer.Hasher
	only                   string
	perRow                 time.Duration
	sweep, coalesce, stops bool
}

func main() {
	if slices.Contains(os.Args[1:], "-stops") {
		if err := stopping.WithoutSignals(); err != nil {
			fmt.Fprintln(os.Stderr, "mbbench:", err)
			os.Exit(1)
		}
	}
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mbbench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) (err error) {
	c := config{}
	flags := flag.NewFlagSet("mbbench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	implementations := multibuffer.Implementations()
	implementation := flags.String("impl", "",
		"one of "+strings.Join(implementations, ", ")+"; the first if empty, or all with -stops")
	flags.StringVar(&c.only, "hash", "", "one of the table's first column; all if empty")
	flags.DurationVar(&c.perRow, "time", 0, "time for a row; 300ms, or 4ms in a sweep, if 0")
	flags.BoolVar(&c.sweep, "sweep", false, "measure many counts and sizes and print the worst ratios")
	flags.BoolVar(&c.coalesce, "coalesce", false, "measure the coalescer at 1 to 10,000 goroutines")
	flags.BoolVar(&c.stops, "stops", false, "measure how long the world takes to stop during a call")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *implementation != "" {
		implementations = []string{*implementation}
	}
	if c.hasher, err = multibuffer.NewWith(implementations[0]); err != nil {
		return err
	}
	if c.perRow == 0 {
		c.perRow = 300 * time.Millisecond
		if c.sweep {
			c.perRow = 4 * time.Millisecond
		}
	}
	clock := turns.Clock
	if c.coalesce || c.stops {
		clock = "wall clock"
	}
	fmt.Fprintf(stdout, "multibuffer %s, %s %s/%s, %s\n\n",
		implementations[0], runtime.Version(), runtime.GOOS, runtime.GOARCH, clock)
	if c.coalesce {
		return coalesce(stdout, c)
	}
	if c.stops {
		return stops(stdout, c, implementations)
	}
	runtime.LockOSThread()
	if c.sweep {
		return sweep(stdout, c)
	}
	return targets(stdout, c)
}

// batch is long enough for the clock's own cost not to show.
const batch = 100 * time.Microsecond
