package traffic

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/stat"
)

func drawn(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// planted are times of so many blocks, with noise of 1 % beside a factor.
func planted(seed uint64, seconds float64, blocks int) (times [][]float64) {
	rng := drawn(seed)
	for range blocks {
		times = append(times, []float64{seconds * math.Exp(0.01*rng.NormFloat64())})
	}
	return times
}

// TestVerdicts: what a plan measures is compared, and the better side named in words.
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		rate, factor float64
		blocks       int
		verdict      stat.Verdict
		said         string
	}{
		{1000, 1, Blocks, stat.Inconclusive, "inconclusive"}, {1000, 0.5, Blocks, stat.Faster, "the second's is 0.5"},
		{0, 0.5, Blocks, stat.Faster, "the second's is 1.99 (1.97–2.02)"}, {0, 2, Blocks, stat.Slower, "the second is worse"},
		{0, 2, 3, stat.Inconclusive, "too few turns"},
	} {
		p := Plan{Rate: test.rate}
		turns := Turns{Results: [2]*Result{newResult(p), newResult(p)}}
		for _, r := range turns.Results {
			r.Right = 100 * Blocks
			record(r.Latency, time.Millisecond, 100*Blocks)
		}
		times := map[Metric][2][][]float64{}
		for _, m := range metricsOf(p) {
			times[m] = [2][][]float64{planted(1, 1e-3, test.blocks), planted(2, 1e-3*test.factor, test.blocks)}
		}
		turns.compare(times)
		if len(turns.Compared) != 2 {
			t.Fatalf("%+v: %d comparisons", test, len(turns.Compared))
		}
		if first := turns.Compared[0].Metric; (first == Answers) != (test.rate == 0) {
			t.Errorf("%+v: compared by %s", test, first)
		}
		c := turns.Compared[0]
		if c.Verdict != test.verdict || !strings.Contains(c.Text().EN, test.said) {
			t.Errorf("%+v: %s, %q", test, c.Verdict, c.Text().EN)
		}
	}
}

// TestGeneratorThatMeasuredItself: it has no latencies, no comparison and no verdict.
func TestGeneratorThatMeasuredItself(t *testing.T) {
	p := Plan{Rate: 1000, Connections: 1, Lasts: time.Second}
	late, starved, kept := newResult(p), newResult(p), newResult(p)
	for _, r := range []*Result{late, starved, kept} {
		r.Took, r.Right, r.Due = time.Second, 1000, 1000
		record(r.Latency, 3*time.Millisecond, 1000)
	}
	late.Overrun = 11 * time.Millisecond
	starved.Waited, starved.Starved = 500, 2*time.Millisecond
	kept.Waited, kept.Overrun = 500, 9*time.Millisecond
	for r, want := range map[*Result]bool{late: false, starved: false, kept: true} {
		said := ""
		for _, l := range r.Lines() {
			said += l.Said.EN
		}
		if r.Kept() != want || strings.Contains(said, "p50 3") != want || (r.json().Latency != nil) != want {
			t.Errorf("kept %v, want %v: %s", r.Kept(), want, said)
		}
	}
	turns := Turns{Results: [2]*Result{kept, late}}
	turns.compare(map[Metric][2][][]float64{Median: {planted(1, 1, Blocks), planted(2, 2, Blocks)}})
	if len(turns.Compared) != 0 {
		t.Errorf("%+v", turns.Compared)
	}
}

// TestTooHighARate: who waited is told, and that it need not be the server's fault; answers a second are those of
// the whole time, in which the last ones came.
func TestTooHighARate(t *testing.T) {
	r := newResult(Plan{Rate: 1000, Connections: 1})
	r.Took, r.Ended, r.Due, r.Right, r.Waited = time.Second, 4*time.Second, 1000, 800, 900
	record(r.Latency, time.Second, 800)
	if said := r.schedule().EN; !r.Doubtful() || r.PerSecond() != 200 || !strings.Contains(said, "or this generator can do") {
		t.Errorf("%g a second: %s", r.PerSecond(), said)
	}
	r.Waited = 10
	if said := r.schedule().EN; r.Doubtful() || strings.Contains(said, "or this generator can do") {
		t.Errorf("1 %% waited: %s", said)
	}
}

// TestEveryFailureHasItsWords in both languages.
func TestEveryFailureHasItsWords(t *testing.T) {
	seen := map[language.Text]Failure{}
	for _, kind := range Failures {
		text := kind.Text()
		if other, twice := seen[text]; twice || text.EN == "" || text.ZH == text.EN {
			t.Errorf("%s: %+v, as %s", kind, text, other)
		}
		seen[text] = kind
	}
}

// TestRateThatWasNotReached is said first; one that many waited for and that was reached all the same is not.
func TestRateThatWasNotReached(t *testing.T) {
	for ended, want := range map[time.Duration]bool{3 * time.Second: true, 1005 * time.Millisecond: false} {
		r := newResult(Plan{Rate: 1000, Connections: 1})
		r.Took, r.Ended, r.Due, r.Right, r.Waited = time.Second, ended, 1000, 1000, 900
		said := r.Lines()[0].Said
		if r.Missed() != want || strings.HasPrefix(said.EN, "the rate was not reached: 333 of 1,000 requests a second") != want ||
			strings.HasPrefix(said.ZH, "未达到所要求的速率：每秒应发 1,000 个请求，实发 333 个") != want {
			t.Errorf("ended after %s: %v, %+v", ended, r.Missed(), said)
		}
	}
}

// TestLatenciesLeaveFailuresOut: that is said where there are failures.
func TestLatenciesLeaveFailuresOut(t *testing.T) {
	for _, failed := range []int64{0, 10, 11} {
		r := newResult(Plan{Rate: 1000, Connections: 1})
		r.Took, r.Due, r.Right, r.Failures[Refused] = time.Second, 1000, 1000-failed, failed
		record(r.Latency, time.Millisecond, int(r.Right))
		said := r.latency()
		if r.Failing() != (failed > 10) || strings.Contains(said.EN, "right answers only: p50") != (failed > 0) ||
			strings.Contains(said.ZH, "个正确响应：p50") != (failed > 0) {
			t.Errorf("%d failed: %v, %+v", failed, r.Failing(), said)
		}
	}
}

// TestComparisonThatWasInterrupted says so, and doesn't blame the schedule.
func TestComparisonThatWasInterrupted(t *testing.T) {
	late := newResult(Plan{Rate: 1000})
	late.Took, late.Overrun = time.Second, time.Second
	for pairs, want := range map[int]string{0: "before the interruption", 1: "kept their schedule"} {
		turns := Turns{Results: [2]*Result{late, newResult(Plan{Rate: 1000})}, Pairs: pairs}
		turns.compare(nil)
		if lines := turns.Lines(); len(lines) != 1 || !strings.Contains(lines[0].Said.EN, want) {
			t.Errorf("%d pairs: %+v", pairs, lines)
		}
	}
}

// TestBehindIsNeverWhatIsAccepted: more than 1 % has as many digits as show it.
func TestBehindIsNeverWhatIsAccepted(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 0.0099: "0.99 %", 0.01: "1.0 %", 0.01004: "1.004 %", 0.0104: "1.04 %", 0.0106: "1.1 %", 0.5: "50 %"} {
		if said := behindShare(share); said != want {
			t.Errorf("%g: %s, want %s", share, said, want)
		}
	}
}
