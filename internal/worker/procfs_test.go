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

// proc is a folder as Linux has it of processes.
type proc struct {
	*testing.T
	root string
}

func newProc(t *testing.T) proc { return proc{t, t.TempDir()} }

// thread writes what it tells of a thread.
func (p proc) thread(pid, tid int, state string, ran, waited time.Duration, children string) {
	p.Helper()
	dir := filepath.Join(p.root, fmt.Sprint(pid), "task", fmt.Sprint(tid))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.Fatal(err)
	}
	for name, text := range map[string]string{"schedstat": fmt.Sprintf("%d %d 3\n", ran, waited), "children": children,
		"stat": fmt.Sprintf("%d (its ) R (name) %s 1 1 1\n", tid, state)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			p.Fatal(err)
		}
	}
}

// TestQueueingOfChildren: who waits for a process that waits for a CPU waits too.
func TestQueueingOfChildren(t *testing.T) {
	p := newProc(t)
	check := func(want time.Duration, queued func() time.Duration) {
		t.Helper()
		if got := queued(); got != want {
			t.Errorf("waited %v, want %v", got, want)
		}
	}
	const ms = time.Millisecond
	p.thread(10, 10, "S", 1, 100*ms, "20 ")
	p.thread(10, 11, "S", 1, 100*ms, "")
	p.thread(20, 20, "S", 1, 50*ms, "")
	queued := queueing(p.root, 10)
	check(0, queued)
	p.thread(10, 10, "S", 1, 107*ms, "20 ")
	p.thread(10, 11, "S", 1, 105*ms, "") // waited beside it
	p.thread(20, 20, "S", 1, 80*ms, "")
	check((7+30)*ms, queued)
	if err := os.RemoveAll(filepath.Join(p.root, "20")); err != nil { // it ended, and another began
		t.Fatal(err)
	}
	p.thread(10, 10, "S", 1, 107*ms, "30 ")
	p.thread(30, 30, "S", 1, 40*ms, "31 ")
	p.thread(31, 31, "S", 1, 1*ms, "")
	check((7+30+40+1)*ms, queued)
}

// TestQueueGoesOn: a wait that is not over is seen, too, of which the kernel says nothing yet.
func TestQueueGoesOn(t *testing.T) {
	const ms = time.Millisecond
	p := newProc(t)
	q := &queue{root: p.root, pid: 10}
	begun := time.Now()
	for _, step := range []struct {
		at          time.Duration
		state       string
		ran, waited time.Duration
		want        time.Duration
		why         string
	}{
		{0, "S", 4 * ms, 7 * ms, 7 * ms, "it sleeps"},
		{50 * ms, "R", 4 * ms, 7 * ms, 7 * ms, "nobody knows since when it wants a CPU"},
		{100 * ms, "R", 4 * ms, 7 * ms, 57 * ms, "it had none since then"},
		{5000 * ms, "R", 4 * ms, 7 * ms, 4957 * ms, "still not"},
		{5050 * ms, "R", 24 * ms, 4990 * ms, 4990 * ms, "it has one, and the kernel tells"},
		{5060 * ms, "R", 24 * ms, 4990 * ms, 4990 * ms, "it has it since the kernel's latest tick"},
		{5100 * ms, "R", 34 * ms, 4990 * ms, 4990 * ms, "it still has one"},
		{5150 * ms, "D", 34 * ms, 4990 * ms, 4990 * ms, "it waits for a disk"},
		{5200 * ms, "D", 34 * ms, 4990 * ms, 4990 * ms, "it still does"},
		{5250 * ms, "R", 34 * ms, 4990 * ms, 4990 * ms, "nobody knows since when it wants one again"},
		{5300 * ms, "R", 34 * ms, 4990 * ms, 5040 * ms, "it had none since then"},
	} {
		p.thread(10, 10, step.state, step.ran, step.waited, "")
		if got := q.look(begun.Add(step.at)); got != step.want {
			t.Errorf("after %v it has waited %v, want %v: %s", step.at, got, step.want, step.why)
		}
	}
	if err := os.RemoveAll(filepath.Join(p.root, "10")); err != nil { // it ended
		t.Fatal(err)
	}
	if got := q.look(begun.Add(time.Minute)); got != 5040*ms {
		t.Errorf("what ended waited for %v", got)
	}
}
