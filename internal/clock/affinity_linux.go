package clock

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// maxCPUs is more than any kernel is built for (CONFIG_NR_CPUS, at most 8192).
const maxCPUs = 8192

// AllowedCPUs returns the numbers of the CPUs that a thread may run on, in
// ascending order; thread 0 is the calling one.
func AllowedCPUs(thread int) ([]int, error) {
	set := unix.NewCPUSet(maxCPUs)
	if err := unix.SchedGetaffinityDynamic(thread, set); err != nil {
		return nil, fmt.Errorf("reading the thread's CPUs: %w", err)
	}
	var cpus []int
	for cpu := range maxCPUs {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// Allow lets a thread run on the given CPUs only; 0 is the calling one, which the
// caller has locked. Other threads are not touched.
func Allow(thread int, cpus []int) error {
	set := unix.NewCPUSet(maxCPUs)
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= maxCPUs {
			return fmt.Errorf("pinning the thread: there is no CPU %d", cpu)
		}
		set.Set(cpu)
	}
	err := unix.SchedSetaffinityDynamic(thread, set)
	if errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("pinning the thread: none of the CPUs %v is online and in the cpuset: %w", cpus, err)
	}
	if err != nil {
		return fmt.Errorf("pinning the thread to CPUs %v: %w", cpus, err)
	}
	return nil
}
