package traffic

import (
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/stat"
)

// delayed is a result whose requests all took one time, of which the generator's own delay was a part: at the
// beginning for being late, and at the end for want of a CPU.
func delayed(latency, late, queued time.Duration) *Result {
	r := newResult(Plan{Rate: 1000, Connections: 8, Lasts: time.Second})
	r.Took, r.Due, r.Right = time.Second, 1000, 1000
	for range 1000 {
		r.Latency.Record(latency)
		r.Late.Record(late)
	}
	r.queue = queue{[]float64{0, queued.Seconds(), 1}, []uint64{0, 1000}}
	return r
}

// slowTail makes the latency of 20 of 1000 requests ten times as long.
func (r *Result) slowTail() *Result {
	slow := 10 * time.Duration(r.Latency.Max())
	for range 20 {
		r.Latency.Record(slow)
	}
	return r
}

// TestOwnDelayIsNotShown: a percentile is shown where less than half of it may be the generator's own, to people and
// to programs.
func TestOwnDelayIsNotShown(t *testing.T) {
	for _, test := range []struct {
		name       string
		result     *Result
		says       string
		p50, p99   bool
		everything bool
	}{
		{"prompt", delayed(time.Millisecond, 50*time.Microsecond, 20*time.Microsecond), "p50 1.00 ms · p90 1.00 ms", true, true, true},
		{"late", delayed(time.Millisecond, 501*time.Microsecond, 0), "p50 p90 p95 p99 p99.9 not shown: half of it or more", false, false, false},
		{"queued", delayed(time.Millisecond, 200*time.Microsecond, 400*time.Microsecond), "p50 p90 p95 p99 p99.9 not shown", false, false, false},
		{"late, but for the slowest", delayed(time.Millisecond, 600*time.Microsecond, 0).slowTail(), "p99 10.0 ms · p99.9 10.0 ms (p50 p90 p95 not shown", false, true, false},
	} {
		r := test.result
		if said := r.latency().EN; !strings.Contains(said, test.says) {
			t.Errorf("%s: %q", test.name, said)
		}
		if r.Shows(50) != test.p50 || r.Shows(99) != test.p99 || r.Doubtful() == test.everything {
			t.Errorf("%s: p50 %v, p99 %v, doubtful %v", test.name, r.Shows(50), r.Shows(99), r.Doubtful())
		}
		got := r.json().Latency
		if (got.P50 != nil) != test.p50 || (got.P99 != nil) != test.p99 || (got.Max != nil) != test.everything || (got.Mean != nil) != test.everything {
			t.Errorf("%s: %+v", test.name, got)
		}
		if own := r.json().Schedule.Late; own.P50 == nil || own.P99 == nil {
			t.Errorf("%s: the generator's own delay is not shown: %+v", test.name, own)
		}
	}
}

// TestOwnDelayIsNotCompared: of two servers those metrics are compared that are the servers' of both.
func TestOwnDelayIsNotCompared(t *testing.T) {
	prompt, late := delayed(time.Millisecond, 0, 0).slowTail(), delayed(time.Millisecond, 600*time.Microsecond, 0).slowTail()
	times := map[Metric][2][][]float64{
		Median: {planted(1, 1e-3, Blocks), planted(2, 2e-3, Blocks)}, Tail: {planted(3, 1e-2, Blocks), planted(4, 2e-2, Blocks)},
	}
	for other, want := range map[*Result][]Metric{prompt: {Median, Tail}, late: {Tail}, delayed(time.Millisecond, time.Millisecond, 0): nil} {
		turns := Turns{Results: [2]*Result{prompt, other}, Pairs: Blocks}
		turns.compare(times)
		if len(turns.Compared) != len(want) {
			t.Fatalf("%+v, want %v", turns.Compared, want)
		}
		for i, c := range turns.Compared {
			if c.Metric != want[i] || c.Verdict != stat.Slower {
				t.Errorf("%s: %s", c.Metric, c.Verdict)
			}
		}
		if lines := turns.Lines(); len(want) == 0 && !strings.Contains(lines[0].Said.EN, "may be the generator's own delay") {
			t.Errorf("%+v", lines)
		}
	}
}

// TestUnreachedRateHasNoLatency: they would be those of as long as it was asked for.
func TestUnreachedRateHasNoLatency(t *testing.T) {
	r := delayed(time.Second, 0, 0)
	r.Waited, r.Ended = 900, 3*time.Second
	if said := r.latency(); !r.Missed() || !strings.Contains(said.EN, "the rate was not reached") || strings.Contains(said.EN, "p50") || r.json().Latency != nil {
		t.Errorf("%v: %q", r.Missed(), said.EN)
	}
}

// TestQueues: what waited before is none of a measurement's, and two measurements add up.
func TestQueues(t *testing.T) {
	times := []float64{0, 1e-6, 1e-3, 1}
	before, after := queue{times, []uint64{5, 100, 0}}, queue{times, []uint64{5, 101, 99}}
	q := after.since(before)
	if q.at(50) != time.Millisecond || q.at(1) != time.Microsecond || (queue{}).at(50) != 0 {
		t.Errorf("%v, %v", q.at(50), q.at(1))
	}
	both := q.and(queue{times, []uint64{200, 0, 0}})
	if both.at(50) != 0 || both.at(99) != time.Millisecond || (queue{}).and(q).at(50) != q.at(50) || q.and(queue{}).at(50) != q.at(50) {
		t.Errorf("%v", both)
	}
	if (queue{times, []uint64{1}}).since(before).at(50) != 0 {
		t.Error("readings of two kinds are set against each other")
	}
	if now := queueing(); len(now.counts) == 0 {
		t.Error("the runtime has no such histogram")
	}
}
