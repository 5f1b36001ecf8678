package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/cryptogauge/cryptogauge/sm4"
)

var (
	crowds     = []int{1, 2, 16, 64, 256}
	crowdSizes = []int{64, 128, 256, 512, 1 << 10, 1350}
)

// A gcmSeal is one call on a message, in a slice of one.
type gcmSeal func(one []sm4.GCMMessage)

// coalesce prints, for every number of goroutines that seal messages under new keys, how many times faster they
// are with a Coalescer than with calls of SealMany for one message, and of SealOnce.
func coalesce(w io.Writer, c config) error {
	fmt.Fprintf(w, "GOMAXPROCS %d\n", runtime.GOMAXPROCS(0))
	for _, plain := range []struct {
		name string
		seal gcmSeal
	}{
		{"SealMany of one message", sm4.SealMany},
		{"SealOnce", func(one []sm4.GCMMessage) {
			m := &one[0]
			if _, err := sm4.SealOnce(m.Dst[:0], m.Key, m.Nonce, m.Src, nil); err != nil {
				panic("sm4bench: internal error: " + err.Error())
			}
		}},
	} {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "Coalescer to %s, goroutines\t", plain.name)
		for _, n := range crowdSizes {
			fmt.Fprintf(t, "%s\t", size(n))
		}
		fmt.Fprintln(t)
		for _, crowd := range crowds {
			fmt.Fprintf(t, "%d\t", crowd)
			for _, n := range crowdSizes {
				fmt.Fprintf(t, "%.2f\t", race(crowd, n, c.perRow, plain.seal))
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

const coalesceRounds = 9

// race lets crowd goroutines seal messages of so many bytes in turns, for about d, and returns how many times
// faster a Coalescer is than plain calls: the median over rounds.
func race(crowd, bytes int, d time.Duration, plain gcmSeal) float64 {
	var coalescer sm4.Coalescer
	gathered := func(one []sm4.GCMMessage) {
		if err := coalescer.Seal(context.Background(), &one[0]); err != nil {
			panic("sm4bench: internal error: " + err.Error())
		}
	}
	calls := 1
	for together(crowd, calls, bytes, plain) < d/(2*coalesceRounds) {
		calls *= 2
	}
	together(crowd, calls, bytes, gathered) // it finds out whether calls come together
	var ratios []float64
	for i := range coalesceRounds {
		var a, b time.Duration
		if i%2 == 0 {
			a, b = together(crowd, calls, bytes, gathered), together(crowd, calls, bytes, plain)
		} else {
			b, a = together(crowd, calls, bytes, plain), together(crowd, calls, bytes, gathered)
		}
		ratios = append(ratios, float64(b)/float64(a))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// together returns how long it takes crowd goroutines to make their calls.
func together(crowd, calls, bytes int, seal gcmSeal) time.Duration {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(crowd)
	for _, key := range numberedKeys(crowd) {
		done.Go(func() {
			one := []sm4.GCMMessage{{Key: key, Nonce: make([]byte, 12), Dst: make([]byte, bytes+16), Src: make([]byte, bytes)}}
			ready.Done()
			<-start
			for range calls {
				seal(one)
			}
		})
	}
	ready.Wait()
	began := time.Now()
	close(start)
	done.Wait()
	return time.Since(began)
}
