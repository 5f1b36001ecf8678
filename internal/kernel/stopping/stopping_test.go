package stopping

import (
	"bytes"
	"math"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// One call into assembly over much memory holds up a stop until it ends. Of 15 stops at random moments of
// the call the worst one waits for more than a quarter of it, whatever else the machine does.
func TestALongCallIsSeen(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	memory := bytes.Repeat([]byte{1}, 64<<20)
	call := func() {
		if bytes.IndexByte(memory, 2) >= 0 {
			t.Error("a byte was found that isn't there")
		}
	}
	shortest := time.Hour
	for range 5 {
		began := time.Now()
		call()
		shortest = min(shortest, time.Since(began))
	}
	d, err := Measure(0, call)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a call of %v: %+v", shortest, d)
	if d.Stops < fewest || d.Median > d.Worst || d.Worst < shortest/4 {
		t.Errorf("a call of %v was planted, which can't be preempted; the delay is %+v", shortest, d)
	}
	var report strings.Builder
	if err := Report(&report, 0, []Subject{{"a planted call", call}}); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + report.String())
	for _, want := range []string{"a loop in Go", "a planted call", "or more: 1 of 1"} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

func TestOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	_, err := Measure(0, func() { t.Error("called") })
	if err == nil || !strings.Contains(err.Error(), "GOMAXPROCS is 1, at least 2 are needed") {
		t.Errorf("error %v", err)
	}
}

func TestDelay(t *testing.T) {
	buckets := []float64{math.Inf(-1), 0, 10e-6, 20e-6, 30e-6, math.Inf(1)}
	for _, c := range []struct {
		counts        [5]uint64
		median, worst time.Duration
		stops         int
	}{
		{[5]uint64{}, 0, 0, 0},
		{[5]uint64{0, 1}, 10 * time.Microsecond, 10 * time.Microsecond, 1},
		{[5]uint64{0, 2, 2}, 10 * time.Microsecond, 20 * time.Microsecond, 4},
		{[5]uint64{0, 2, 1, 2}, 20 * time.Microsecond, 30 * time.Microsecond, 5},
		{[5]uint64{0, 3, 0, 0, 1}, 10 * time.Microsecond, 30 * time.Microsecond, 4}, // no upper bound
	} {
		before := &metrics.Float64Histogram{Buckets: buckets, Counts: []uint64{0, 7, 0, 100, 3}}
		after := &metrics.Float64Histogram{Buckets: buckets, Counts: make([]uint64, len(c.counts))}
		for i, n := range c.counts {
			after.Counts[i] = before.Counts[i] + n
		}
		var h histogram
		h.add(before, after)
		if got := h.delay(); got != (Delay{c.median, c.worst, c.stops}) {
			t.Errorf("%v: %+v, want %v, %v of %d", c.counts, got, c.median, c.worst, c.stops)
		}
	}
}
