package worker

import (
	"os"
	"runtime"
	"testing"
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
