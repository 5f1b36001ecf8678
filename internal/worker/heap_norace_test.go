//go:build linux && !race

// The race detector has memory of its own beside what is allocated, which it touches too.

package worker

import (
	"os"
	"runtime/debug"
	"syscall"
	"testing"
)

// TestHeapWasUsedBefore: what a sample allocates is no page that the kernel gives for the first time.
func TestHeapWasUsedBefore(t *testing.T) {
	if !populate(4 << 20) {
		const why = "the kernel gives no memory that isn't touched; Linux does from 5.14 on"
		if os.Getenv("CI") == "true" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	s := newServer(t)
	o := &opened{op: &allocating{}}
	const calls, bytes = 256, 3 << 10 // less than is collected between samples
	debug.FreeOSMemory()              // what other tests have used
	if _, err := s.ready(o, calls, 0); err != nil {
		t.Fatal(err)
	}
	before := faults(t)
	if _, err := s.timer.sample(o, calls); err != nil {
		t.Fatal(err)
	}
	if n, pages := faults(t)-before, int64(calls*bytes/4096); n > pages/4 {
		t.Errorf("%d page faults in a sample that allocates %d pages", n, pages)
	}
}

func faults(t *testing.T) int64 {
	t.Helper()
	const thread = 1 // RUSAGE_THREAD
	var r syscall.Rusage
	if err := syscall.Getrusage(thread, &r); err != nil {
		t.Fatal(err)
	}
	return r.Minflt
}
