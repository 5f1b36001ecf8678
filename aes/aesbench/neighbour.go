package main

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// What the neighbour costs: an odd number of rounds, in each of which a thread works for so long before scalar code is
// timed, longer than Intel documents that a core keeps the lower frequency of wide instructions.
const (
	neighbourRounds = 101
	worked          = time.Millisecond
	scalarSteps     = 1 << 20 // a quarter of a millisecond
)

// scalar is a chain of additions: its time is the core's frequency, and nothing else.
func scalar() { runtime.KeepAlive(chain.Add(scalarSteps)) }

// neighbour prints how much longer scalar code takes after and beside this package's kernels than after and beside
// crypto/aes, which has registers of 128 bits.
func neighbour(w io.Writer, c config) error {
	ours, std := sides(c)
	const bytes = 16 << 10
	wide, narrow := modeNamed("GCM seal").make(ours, keyOf(128), bytes), modeNamed("GCM seal").make(std, keyOf(128), bytes)
	ratio, low, high := turns.Ratio(neighbourRounds, func() int64 { return after(wide) }, func() int64 { return after(narrow) })
	fmt.Fprintf(w, "scalar code after GCM of 16 KiB, on the same core: %.4f times as long as after crypto/aes (%.4f to %.4f)\n", ratio, low, high)
	if runtime.GOMAXPROCS(0) < 2 {
		_, err := fmt.Fprintln(w, "scalar code beside it: there is one CPU")
		return err
	}
	b := beside([]func(){scalar, narrow, wide})
	defer b.stop()
	for _, other := range []struct {
		name string
		does int32
	}{{"crypto/aes", 1}, {"scalar code", 0}} {
		ratio, low, high := turns.Ratio(neighbourRounds, func() int64 { return b.timed(2) }, func() int64 { return b.timed(other.does) })
		if _, err := fmt.Fprintf(w, "scalar code beside it, on another core: %.4f times as long as beside %s (%.4f to %.4f)\n",
			ratio, other.name, low, high); err != nil {
			return err
		}
	}
	return nil
}

// after is how long scalar code takes when f has worked.
func after(f func()) int64 {
	for began := time.Now(); time.Since(began) < worked; {
		f()
	}
	return turns.Time(scalar)
}

// A busy is a thread that does one of several things, again and again.
type busy struct {
	doing atomic.Int32
	done  atomic.Bool
	wait  sync.WaitGroup
}

func beside(things []func()) *busy {
	b := new(busy)
	b.wait.Go(func() {
		runtime.LockOSThread()
		for !b.done.Load() {
			things[b.doing.Load()]()
		}
	})
	return b
}

// timed is how long scalar code takes beside a thing that has been done for a while.
func (b *busy) timed(thing int32) int64 {
	b.doing.Store(thing)
	time.Sleep(worked)
	return turns.Time(scalar)
}

func (b *busy) stop() {
	b.done.Store(true)
	b.wait.Wait()
}
