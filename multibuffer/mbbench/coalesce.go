package main

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/multibuffer"
)

var (
	crowds     = []int{1, 2, 4, 8, 16, 64, 256, 1000, 10_000}
	crowdSizes = []int{64, 2 << 10, 8 << 10, 64 << 10}
)

// coalesce prints, for every number of goroutines, how many times faster calls of a Coalescer are than
// calls of the library.
func coalesce(w io.Writer, c config) error {
	for _, a := range []struct {
		name string
		make func() (ours, serial func([]byte))
	}{
		{"MD5", func() (ours, serial func([]byte)) {
			var c multibuffer.Coalescer
			return func(m []byte) { c.SumMD5(m) }, func(m []byte) { md5.Sum(m) }
		}},
		{"SM3", func() (ours, serial func([]byte)) {
			var c multibuffer.Coalescer
			return func(m []byte) { c.SumSM3(m) }, func(m []byte) { sm3.Sum(m) }
		}},
		{"SHA-256", func() (ours, serial func([]byte)) {
			var c multibuffer.Coalescer
			return func(m []byte) { c.SumSHA256(m) }, func(m []byte) { sha256.Sum256(m) }
		}},
		{"SHA-1", func() (ours, serial func([]byte)) {
			var c multibuffer.Coalescer
			return func(m []byte) { c.SumSHA1(m) }, func(m []byte) { sha1.Sum(m) }
		}},
	} {
		if c.only != "" && c.only != a.name {
			continue
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "%s, goroutines\t", a.name)
		for _, n := range crowdSizes {
			fmt.Fprintf(t, "%s\t", size(n))
		}
		fmt.Fprintln(t)
		worst, longer := 1e9, 0
		for _, crowd := range crowds {
			fmt.Fprintf(t, "%d\t", crowd)
			for _, n := range crowdSizes {
				ours, serial := a.make()
				ratio := race(crowd, make([]byte, n), c.perRow, rounds, ours, serial)
				if ratio < 1 {
					longer++
					ratio = race(crowd, make([]byte, n), roundsLonger/rounds*c.perRow, roundsLonger, ours, serial)
				}
				worst = min(worst, ratio)
				fmt.Fprintf(t, "%.2f\t", ratio)
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(w, "worst: %.3f; %d of %d read below 1 at first and were measured again over %d rounds\n\n", worst, longer, len(crowds)*len(crowdSizes), roundsLonger)
	}
	return nil
}

// So many rounds a cell, and for one that reads below 1.
const rounds, roundsLonger = 9, 9 * 7

// race lets crowd goroutines call each function in turns for about d and returns how many times faster
// the first is: the median over rounds.
func race(crowd int, message []byte, d time.Duration, rounds int, ours, serial func([]byte)) float64 {
	// How many calls of the serial function fit into a round.
	began, n := time.Now(), 0
	for ; time.Since(began) < time.Millisecond; n++ {
		serial(message)
	}
	calls := max(int(float64(n)*float64(d/time.Duration(2*rounds))/float64(time.Millisecond))/crowd, 1)
	for began := time.Now(); time.Since(began) < d/2; { // it finds out whether gathering pays
		together(crowd, calls, message, ours)
	}
	var ratios []float64
	for i := range rounds {
		var a, b time.Duration
		if i%2 == 0 {
			a, b = together(crowd, calls, message, ours), together(crowd, calls, message, serial)
		} else {
			b, a = together(crowd, calls, message, serial), together(crowd, calls, message, ours)
		}
		ratios = append(ratios, float64(b)/float64(a))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// together returns how long it takes crowd goroutines to make their calls.
func together(crowd, calls int, message []byte, f func([]byte)) time.Duration {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(crowd)
	for range crowd {
		done.Go(func() {
			own := slices.Clone(message)
			ready.Done()
			<-start
			for range calls {
				f(own)
			}
		})
	}
	ready.Wait()
	began := time.Now()
	close(start)
	done.Wait()
	return time.Since(began)
}
