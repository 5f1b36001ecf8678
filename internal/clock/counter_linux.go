package clock

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
)

// Counter counts the cycles that one thread spends in user mode.
type Counter struct {
	fd  int
	buf [3]uint64 // value, time enabled, time running: perf_event_open(2), read_format
}

// OpenCounter opens the cycle counter of the calling thread, which the caller
// has locked. Where that can't be, the error says why in one line and wraps the
// system's errno.
func OpenCounter() (*Counter, error) {
	attr := unix.PerfEventAttr{
		Type:        unix.PERF_TYPE_HARDWARE,
		Config:      unix.PERF_COUNT_HW_CPU_CYCLES,
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		// Pinned: all the time or not at all; a multiplexed count is an estimate.
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv | unix.PerfBitPinned,
	}
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, &counterError{err}
	}
	c := &Counter{fd: fd}
	// Some hypervisors let the counter be opened and never move it.
	before := c.Read()
	chain.Add(1 << 16)
	if after := c.Read(); before == NoCycles || after <= before {
		c.Close()
		return nil, errors.New("opening the cycle counter: it opens but does not count")
	}
	return c, nil
}

// counterError says what an errno of perf_event_open(2) means. The errno's own
// text would mislead: ENOENT is "no such file or directory".
type counterError struct{ err error }

func (e *counterError) Unwrap() error { return e.err }

func (e *counterError) Error() string {
	name, reason := e.err.Error(), "refused"
	var errno syscall.Errno
	if errors.As(e.err, &errno) {
		name = unix.ErrnoName(errno)
	}
	switch errno {
	case unix.ENOENT, unix.ENODEV, unix.EOPNOTSUPP:
		reason = "the CPU or its hypervisor offers no counters, no PMU"
	case unix.EACCES:
		reason = fmt.Sprintf("not permitted with kernel.perf_event_paranoid=%s; 2 or less would do", paranoid())
	case unix.EPERM:
		reason = fmt.Sprintf("not permitted, by seccomp or for want of CAP_PERFMON; kernel.perf_event_paranoid=%s", paranoid())
	case unix.ENOSYS:
		reason = "the system call is blocked by seccomp or not in this kernel"
	}
	return fmt.Sprintf("opening the cycle counter: %s (%s)", reason, name)
}

func paranoid() string {
	b, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	return cmp.Or(strings.TrimSpace(string(b)), "unknown")
}

// Read returns the cycles counted since the counter was opened, or [NoCycles]
// where c is nil or the counter was not running all that time. It does not
// allocate. Only the thread that opened the counter is counted.
func (c *Counter) Read() int64 {
	if c == nil {
		return NoCycles
	}
	n, _, e := unix.RawSyscall(unix.SYS_READ, uintptr(c.fd), uintptr(unsafe.Pointer(&c.buf)), unsafe.Sizeof(c.buf))
	enabled, running := c.buf[1], c.buf[2]
	if e != 0 || n != unsafe.Sizeof(c.buf) || running < enabled-enabled/100 {
		return NoCycles
	}
	return int64(c.buf[0])
}

func (c *Counter) Close() error {
	if c == nil {
		return nil
	}
	return unix.Close(c.fd)
}
