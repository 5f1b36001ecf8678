package clock

import (
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
)

// Pin lets the calling thread run on one CPU only, until [Allow] says
// otherwise. The caller has locked the thread.
func Pin(cpu int) error { return Allow(0, []int{cpu}) }

// The probe of BestCPU. A probe shorter than a millisecond would end within one
// turn of whoever has the CPU, hence the limit on how many CPUs are looked at.
const (
	probeTime   = 20 * time.Millisecond
	probeRounds = 2
	probeCPUs   = 10
)

// BestCPU returns the CPU on which the calling thread now gets most of the wall
// clock's time. It tries ten of the allowed CPUs, evenly spread, where there are
// more. CPUs within 1 % are equal; of these the highest number wins, since
// interrupts go to the low ones by custom.
//
// It takes 20 ms on a quiet machine, longer by the turns of others on a busy
// one, and leaves the thread's affinity as it was.
func BestCPU() (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	allowed, err := AllowedCPUs(0)
	if err != nil {
		return 0, err
	}
	defer Allow(0, allowed)

	candidates := spread(allowed, probeCPUs)
	slice := probeTime / time.Duration(probeRounds*len(candidates))
	got := make([]Reading, len(candidates))
	for start, round := Wall(), 0; round < probeRounds; round++ {
		// Busy CPUs hold us up; another round only if there is time for it.
		if round > 0 && Wall()-start > int64(probeTime)*3/4 {
			break
		}
		for i, c := range candidates {
			r, err := probe(c, slice)
			if err != nil {
				return 0, err
			}
			got[i].Thread += r.Thread
			got[i].Wall += r.Wall
		}
	}
	return best(candidates, got), nil
}

// probe counts from before the move, so that waiting for the CPU counts too.
func probe(cpu int, slice time.Duration) (Reading, error) {
	start := Read()
	if err := Pin(cpu); err != nil {
		return Reading{}, err
	}
	for {
		chain.Add(1 << 14)
		if r := Read().Sub(start); r.Wall >= int64(slice) {
			return r, nil
		}
	}
}

// best returns the last of the CPUs whose share is as good as the highest.
func best(cpus []int, got []Reading) (cpu int) {
	const tie = 0.01 // a difference of shares that says nothing
	shares := make([]float64, len(got))
	for i, r := range got {
		shares[i] = min(1, float64(r.Thread)/float64(max(r.Wall, 1)))
	}
	highest := slices.Max(shares)
	for i, s := range shares {
		if s >= highest-tie {
			cpu = cpus[i]
		}
	}
	return cpu
}

func spread(cpus []int, n int) []int {
	if len(cpus) <= n {
		return cpus
	}
	picked := make([]int, n)
	for i := range picked {
		picked[i] = cpus[(i+1)*len(cpus)/n-1]
	}
	return picked
}
