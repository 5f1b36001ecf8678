package traffic

import (
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/stat"
)

// delayed is a result whose requests all took one time, of which the generator's own delay was a part: at the
// beginning for being late, and at the end for want of a CPU.
func delayed(latency, late, queued time.Duration) *Result {
	r := newResult(Plan{Rate: 1000, Connections: 8, Lasts: 2 * time.Second})
	r.Took, r.Due, r.Right = 2*time.Second, 2000, 2000
	for range 2000 {
		r.Latency.Record(latency)
		r.Late.Record(late)
	}
	r.queue = queue{[]float64{0, queued.Seconds(), 1}, []uint64{0, 2000}}
	return r
}

// slowTail makes the latency of 40 more requests ten times as long.
func (r *Result) slowTail() *Result {
	slow := 10 * time.Duration(r.Latency.Max())
	for range 40 {
		r.Latency.Record(slow)
	}
	return r
}

// lateTail makes 40 more requests late by half their latency.
func (r *Result) lateTail() *Result {
	late := time.Duration(r.Latency.Max())
	for range 40 {
		r.Late.Record(late)
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
		{"late", delayed(time.Millisecond, 501*time.Microsecond, 0), "half or more, 501 µs of 1.00 ms, may be the generator's own delay; it sent 501 µs late: others", false, false, false},
		{"queued", delayed(time.Millisecond, 200*time.Microsecond, 400*time.Microsecond), "600 µs of 1.00 ms, may be the generator's own delay; its goroutines waited 400 µs for a CPU", false, false, false},
		{"as late as waking takes", delayed(200*time.Microsecond, 104*time.Microsecond, 0), "it sent 104 µs late, since its threads take so long to wake", false, false, false},
		{"late, but for the slowest", delayed(time.Millisecond, 600*time.Microsecond, 0).slowTail(), "p50 and above not shown", false, false, false},
		{"late at times", delayed(time.Millisecond, 10*time.Microsecond, 0).lateTail(), "p50 1.00 ms · p90 1.00 ms · p95 1.00 ms (p99 and above not shown", true, false, false},
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
	prompt, late := delayed(time.Millisecond, 0, 0), delayed(time.Millisecond, 0, 0).lateTail()
	times := map[Metric][2][][]float64{
		Median: {planted(1, 1e-3, Blocks), planted(2, 2e-3, Blocks)}, Tail: {planted(3, 1e-2, Blocks), planted(4, 2e-2, Blocks)},
	}
	for other, want := range map[*Result][]Metric{prompt: {Median, Tail}, late: {Median}, delayed(time.Millisecond, time.Millisecond, 0): nil} {
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

// TestTooFewForAPercentile: one is shown that a request lies beyond; the longest is, of however few.
func TestTooFewForAPercentile(t *testing.T) {
	for n, want := range map[int64]float64{1: 0, 2: 50, 9: 50, 10: 90, 19: 90, 20: 95, 99: 95, 100: 99, 999: 99, 1000: 99.9} {
		r := newResult(Plan{Rate: 10, Connections: 1})
		r.Took, r.Due, r.Right = time.Second, n, n
		record(r.Latency, time.Millisecond, int(n))
		record(r.Late, time.Microsecond, int(n))
		got, said := r.json(), r.latency()
		if r.mostShown() != want || r.Doubtful() || got.Latency.Max == nil || !strings.Contains(said.EN, "max 1.00 ms") || strings.Contains(said.EN, "own delay") {
			t.Errorf("%d: up to p%g, want p%g: %s", n, r.mostShown(), want, said.EN)
		}
		if few := n < 1000; few != strings.Contains(said.EN, "p99.9 takes 1,000 answers") || few != strings.Contains(said.ZH, "p99.9 需 1,000 个响应") ||
			(got.Latency.P999 == nil) != few || (got.Schedule.Late.P999 == nil) != few {
			t.Errorf("%d: %s, %s", n, said.EN, said.ZH)
		}
	}
}

func record(h arrival.Histogram, d time.Duration, times int) {
	for range times {
		h.Record(d)
	}
}

// TestFewToABlock: p99 of fewer than 100 requests a block is not compared.
func TestFewToABlock(t *testing.T) {
	for n, want := range map[int]bool{100*Blocks - 1: false, 100 * Blocks: true} {
		r := newResult(Plan{})
		record(r.Latency, time.Millisecond, n)
		if !r.Shows(99) || r.comparable(99) != want || !r.comparable(50) {
			t.Errorf("%d requests: %v", n, r.comparable(99))
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

// TestSendersWaitIsNotCountedTwice: how long those that send took to wake is in how late they sent.
func TestSendersWaitIsNotCountedTwice(t *testing.T) {
	all := queue{[]float64{0, 1e-6, 10e-6, 100e-6, 1e-3, 1}, []uint64{0, 80, 0, 95, 5}}
	sending := all.none()
	for range 95 {
		sending.add(150 * time.Microsecond)
	}
	for range 4 {
		sending.add(2 * time.Hour)
	}
	sending.add(1100 * time.Microsecond) // timed from a moment before, it was a millisecond at most
	rest := all.without(sending)
	if got := rest.counts; got[1] != 80 || got[3] != 0 || got[4] != 0 || all.counts[3] != 95 {
		t.Errorf("%v", got)
	}
	queue{}.add(time.Second) // where the runtime has no such histogram
	if got := (queue{}).without(sending); len(got.counts) != 0 {
		t.Errorf("%v", got)
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
