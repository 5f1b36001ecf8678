package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestResident(t *testing.T) {
	for status, want := range map[string]int64{
		"Name:\tcryptogauge\nVmHWM:\t   30000 kB\nVmRSS:\t   12345 kB\nThreads:\t5\n": 12345 << 10,
		"Name:\tkworker\nThreads:\t1\n":                                               0, // a kernel thread has no memory of its own
		"VmRSS:\t x kB\n":                                                             0,
		"":                                                                            0,
	} {
		if got, ok := residentOf(status); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v", status, got, ok)
		}
	}
}

func TestMemory(t *testing.T) {
	if got, ok := (&Process{}).Memory(); ok {
		t.Errorf("a worker in process has %d bytes of its own", got)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if got, ok := (&Process{pid: os.Getpid()}).Memory(); !ok || got < 1<<20 {
		t.Errorf("this test has %d bytes, %v", got, ok)
	}
}

// TestQueueingOfChildren: who waits for a process that waits for a CPU waits too.
func TestQueueingOfChildren(t *testing.T) {
	root := t.TempDir()
	thread := func(pid, tid int, milliseconds int64, children string) {
		t.Helper()
		dir := filepath.Join(root, fmt.Sprint(pid), "task", fmt.Sprint(tid))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"schedstat": fmt.Sprintf("1 %d 3\n", milliseconds*1e6), "children": children} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(want time.Duration, queued func() time.Duration) {
		t.Helper()
		if got := queued(); got != want*time.Millisecond {
			t.Errorf("waited %v, want %d ms", got, want)
		}
	}
	thread(10, 10, 100, "20 ")
	thread(10, 11, 100, "")
	thread(20, 20, 50, "")
	queued := queueing(root, 10)
	check(0, queued)
	thread(10, 10, 107, "20 ")
	thread(10, 11, 105, "") // waited beside it
	thread(20, 20, 80, "")
	check(7+30, queued)
	if err := os.RemoveAll(filepath.Join(root, "20")); err != nil { // it ended, and another began
		t.Fatal(err)
	}
	thread(10, 10, 107, "30 ")
	thread(30, 30, 40, "31 ")
	thread(31, 31, 1, "")
	check(7+30+40+1, queued)
}
