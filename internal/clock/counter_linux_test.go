package clock

import (
	"errors"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
)

func TestCounter(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := OpenCounter()
	if err != nil {
		if strings.Contains(err.Error(), "\n") || c.Read() != NoCycles || c.Close() != nil {
			t.Errorf("a counter that did not open: %q", err)
		}
		t.Skip(err) // most virtual machines have none
	}
	defer c.Close()
	const steps = 1 << 20
	before := c.Read()
	chain.Add(steps)
	after := c.Read()
	if before == NoCycles || after == NoCycles {
		t.Skip("another user took the counter")
	}
	if after-before < steps*9/10 {
		t.Errorf("%d dependent additions took %d cycles", steps, after-before)
	}
}

func TestCounterError(t *testing.T) {
	for errno, want := range map[syscall.Errno]string{
		unix.ENOENT: "no PMU (ENOENT)",
		unix.EACCES: "perf_event_paranoid=",
		unix.EPERM:  "seccomp",
		unix.ENOSYS: "(ENOSYS)",
		unix.EMFILE: "refused (EMFILE)",
	} {
		var err error = &counterError{errno}
		if !strings.Contains(err.Error(), want) || !errors.Is(err, errno) {
			t.Errorf("%v: %q", errno, err)
		}
	}
}
