package clock

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// HasCPUTime says whether [Thread] and [Process] are clocks on this system.
const HasCPUTime = true

// Thread returns the CPU time of the calling thread in nanoseconds.
func Thread() int64 { return cpuTime(unix.CLOCK_THREAD_CPUTIME_ID) }

// Process returns the CPU time of the whole process in nanoseconds.
func Process() int64 { return cpuTime(unix.CLOCK_PROCESS_CPUTIME_ID) }

// cpuTime asks the kernel without telling Go's scheduler (RawSyscall): the call
// never waits, and being handed to another thread inside it would be measured.
// The error is dropped since these two clocks exist on every Linux.
func cpuTime(id uintptr) int64 {
	var ts unix.Timespec
	unix.RawSyscall(unix.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}

// CPU returns the number of the CPU the caller runs on, or −1 where the system
// does not tell. Two different answers around a sample are a migration.
func CPU() int {
	var cpu uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); e != 0 {
		return -1
	}
	return int(cpu)
}
