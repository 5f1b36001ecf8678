package clock

import (
	"runtime"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
)

func TestMonotone(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	last := Read()
	for range 10_000 {
		now := Read()
		if d := now.Sub(last); d.Thread < 0 || d.Process < 0 || d.Wall < 0 {
			t.Fatalf("a clock went back: %+v", d)
		}
		last = now
	}
}

func TestThreadWithinProcess(t *testing.T) {
	needCPUTime(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The process clock is read outside, so that its interval holds the thread's.
	process := Process()
	thread := Thread()
	chain.Add(1 << 22)
	thread = Thread() - thread
	process = Process() - process
	if thread <= 0 {
		t.Errorf("the thread worked and its clock stood still")
	}
	const tolerance = int64(time.Millisecond) // the kernel sums threads without stopping them
	if thread > process+tolerance {
		t.Errorf("thread %d ns > process %d ns", thread, process)
	}
}

func TestSleepIsNoCPUTime(t *testing.T) {
	needCPUTime(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := Read()
	time.Sleep(50 * time.Millisecond)
	d := Read().Sub(start)
	if d.Wall < int64(50*time.Millisecond) {
		t.Errorf("50 ms of sleep took %d ns on the wall clock", d.Wall)
	}
	if d.Thread > d.Wall/2 {
		t.Errorf("asleep for %d ns, the thread clock moved %d ns", d.Wall, d.Thread)
	}
}

// kept keeps results, so that the calls are made.
var kept Reading

func TestNoAllocations(t *testing.T) {
	counter, _ := OpenCounter()
	defer counter.Close()
	for name, read := range map[string]func(){
		"Read":    func() { kept = Read().Sub(Reading{}) },
		"Spin":    func() { Spin() },
		"CPU":     func() { CPU() },
		"Counter": func() { counter.Read() },
	} {
		if n := testing.AllocsPerRun(100, read); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func TestSub(t *testing.T) {
	got := Reading{Thread: 5, Process: 7, Wall: 11}.Sub(Reading{Thread: 1, Process: 2, Wall: 3})
	if want := (Reading{Thread: 4, Process: 5, Wall: 8}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSpeed(t *testing.T) {
	needCPUTime(t)
	if ns := Spin(); ns <= 0 {
		t.Errorf("Spin() = %d ns", ns)
	}
	f := Frequency()
	for range 10 { // a busy neighbour can make the long chain look the shorter
		if f > 0 {
			break
		}
		f = Frequency()
	}
	if f < 1e7 || f > 1e11 {
		t.Errorf("Frequency() = %g Hz", f)
	}
}

func TestCost(t *testing.T) {
	for _, c := range Cost() {
		if c.Read <= 0 {
			t.Errorf("%+v: costs nothing", c)
		}
		if c.Step > 0 && (c.Resolution <= 0 || c.Step%c.Resolution != 0) {
			t.Errorf("%+v: the resolution does not divide the step", c)
		}
	}
}

func needCPUTime(t *testing.T) {
	t.Helper()
	if !HasCPUTime {
		t.Skip("no thread clock on " + runtime.GOOS)
	}
}

func BenchmarkThread(b *testing.B) {
	for b.Loop() {
		Thread()
	}
}

func BenchmarkProcess(b *testing.B) {
	for b.Loop() {
		Process()
	}
}

func BenchmarkWall(b *testing.B) {
	for b.Loop() {
		Wall()
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		Read()
	}
}
