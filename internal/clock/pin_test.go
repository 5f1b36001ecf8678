package clock

import (
	"errors"
	"runtime"
	"slices"
	"testing"
)

func TestPin(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	allowed := needAffinity(t)
	defer Allow(0, allowed)
	for _, cpu := range allowed {
		if err := Pin(cpu); err != nil {
			t.Fatal(err)
		}
		if got := CPU(); got != cpu {
			t.Errorf("pinned to CPU %d, running on %d", cpu, got)
		}
		if got, err := AllowedCPUs(0); err != nil || !slices.Equal(got, []int{cpu}) {
			t.Errorf("pinned to CPU %d, allowed are %v (%v)", cpu, got, err)
		}
	}
	for _, cpu := range []int{-1, 8191, 1 << 20} {
		if Pin(cpu) == nil {
			t.Errorf("pinned to CPU %d", cpu)
		}
	}
}

func TestBestCPU(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	allowed := needAffinity(t)
	cpu, err := BestCPU()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(allowed, cpu) {
		t.Errorf("CPU %d of %v", cpu, allowed)
	}
	if after, _ := AllowedCPUs(0); !slices.Equal(after, allowed) {
		t.Errorf("the thread was allowed on %v and now is on %v", allowed, after)
	}
}

func TestBest(t *testing.T) {
	for _, tt := range []struct {
		thread []int64 // of 1000 on the wall
		want   int
	}{
		{[]int64{1000}, 0},
		{[]int64{1000, 998}, 1},
		{[]int64{1000, 400}, 0},
		{[]int64{300, 500, 400}, 1},
		{[]int64{1000, 992, 984}, 1}, // ties are with the highest, not with each other
		{[]int64{0, 0}, 1},
	} {
		var cpus []int
		var got []Reading
		for i, ns := range tt.thread {
			cpus, got = append(cpus, i), append(got, Reading{Thread: ns, Wall: 1000})
		}
		if cpu := best(cpus, got); cpu != tt.want {
			t.Errorf("of %v CPU %d is taken", tt.thread, cpu)
		}
	}
}

func TestSpread(t *testing.T) {
	var cpus []int
	for i := range 64 {
		cpus = append(cpus, 2*i)
	}
	for _, n := range []int{1, 9, 10, 11, 64} {
		got := spread(cpus[:n], 10)
		if len(got) != min(n, 10) || got[len(got)-1] != cpus[n-1] || !slices.IsSorted(got) || len(slices.Compact(got)) != min(n, 10) {
			t.Errorf("spread of %d: %v", n, got)
		}
	}
}

func needAffinity(t *testing.T) []int {
	t.Helper()
	allowed, err := AllowedCPUs(0)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil || len(allowed) == 0 {
		t.Fatalf("allowed CPUs %v: %v", allowed, err)
	}
	return allowed
}
