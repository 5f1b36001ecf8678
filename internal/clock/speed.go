package clock

import (
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
)

// SpinSteps is the number of additions, each one cycle, that [Spin] times: 11 µs
// at 3 GHz, so that a spin of three takes about 35 µs.
const SpinSteps = 1 << 15

// Spin returns the CPU time in nanoseconds that the calling thread takes for
// [SpinSteps] dependent additions: the median of three goes. Where the spins
// before and after a sample differ by more than 3 %, the CPU's clock moved.
func Spin() int64 { return medianAdd(SpinSteps, 3) }

// medianAdd returns the CPU time of the ADD chain, the median of an odd number
// of goes, at most five. An interrupt makes a go too long; but one that is
// preempted can come out too short, by microseconds, where the kernel takes
// stolen time off the thread clock (CONFIG_PARAVIRT_TIME_ACCOUNTING). So the
// shortest would be wrong. The chain's result may be dropped: Go's compiler
// removes no calls.
func medianAdd(steps uint64, goes int) int64 {
	var times [5]int64
	for i := range goes {
		start := Thread()
		chain.Add(steps)
		times[i] = Thread() - start
	}
	slices.Sort(times[:goes])
	return times[goes/2]
}

// Frequency returns the rate in Hz at which the CPU of the caller runs now, or
// 0 where there is no thread clock to tell by. It takes about 0.7 ms.
//
// It is derived and not read from a counter: the thread's CPU time of a chain
// of dependent additions, taken as one cycle each, which holds for current x86
// and arm64 cores. Time stolen by a hypervisor that the guest does not see, and
// a sibling thread's work, make it lower.
func Frequency() float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The difference of two lengths is free of what reading the clock costs.
	const steps, goes = 1 << 17, 5
	short := medianAdd(steps, goes)
	long := medianAdd(2*steps, goes)
	if short <= 0 || long <= short {
		return 0
	}
	return steps / (float64(long-short) * 1e-9)
}
