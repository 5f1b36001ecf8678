package loop

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestTransaction: each part is done as often as it should be, the figures are those of the
// sample, and a part that is wrong or fails is told.
func TestTransaction(t *testing.T) {
	once, twice, rarely := &noted{}, &noted{}, &noted{}
	s := NewTransaction([][]Part{{{once, 1}, {twice, 2}, {rarely, 0.25}}}, Demand{Rate: 1000}, 7)
	if s.Check() == nil {
		t.Error("a Check before any Measure passes")
	}
	samples := int64(0)
	budget := provider.Budget{Seconds: 0.02, Sample: func(f func() (int64, error)) (result.Sample, error) {
		calls, err := f()
		samples++ // the first is the loop's own
		if samples == 1 {
			return result.Sample{Calls: calls, Process: 100 * calls}, err
		}
		return result.Sample{Calls: calls, Process: 5100 * calls}, err
	}}
	r, err := s.Measure(context.Background(), budget)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range r.Metrics {
		got[m.Name] = m.Value
	}
	if got["busy_cpu_ns"] != 5000 || got["rate_asked"] != 1000 || got["servers"] != 1 || got["at_once"] != 2 || got["own_cpu_ns"] != 100 {
		t.Errorf("%v", got)
	}
	if got["step_1_cpu_ns"] != 5100 || got["step_3_cpu_ns"] != 5100 || samples < 5 {
		t.Errorf("%v after %d samples", got, samples)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	twice.wrong, samples = errors.New("wrong"), 0
	if _, err := s.Measure(context.Background(), budget); err != nil || s.Check() == nil {
		t.Errorf("a wrong part is not told: %v", err)
	}
	if err := s.Close(); err != nil || !rarely.closed {
		t.Error("not closed")
	}
}

// TestTimes: each part is done as often as it should be.
func TestTimes(t *testing.T) {
	once, twice, rarely := &noted{}, &noted{}, &noted{}
	s := NewTransaction([][]Part{{{once, 1}, {twice, 2}, {rarely, 0.25}}}, Demand{Rate: 1000}, 7).(*transactions)
	s.begin(0)
	s.servers[0].several(101)
	if n := rarely.calls.Load(); once.calls.Load() != 101 || twice.calls.Load() != 202 || n < 25 || n > 26 {
		t.Errorf("%d, %d and %d calls", once.calls.Load(), twice.calls.Load(), n)
	}
}

// TestTurns: transactions and each part by itself take turns, in an order drawn anew each time, and
// what is slow has its turn too.
func TestTurns(t *testing.T) {
	fast, slow := &noted{}, &called{func() { time.Sleep(time.Millisecond) }}
	s := NewTransaction([][]Part{{{fast, 1}, {slow, 0.001}}}, Demand{Rate: 1}, 7).(*transactions)
	s.begin(0)
	var seen []int64
	budget := provider.Budget{Sample: func(f func() (int64, error)) (result.Sample, error) {
		calls, err := f()
		seen = append(seen, calls)
		return result.Sample{Calls: calls, Process: calls * 7}, err
	}}
	took, err := s.inTurns(context.Background(), budget, 60*time.Millisecond)
	if err != nil || len(took.apart) != 2 || took.together.each() != 7 || took.apart[1].each() != 7 || took.with.each() != 7 || len(seen)%5 != 0 {
		t.Fatalf("%+v after %v: %v", took, seen, err)
	}
	var sum int64
	for _, calls := range seen {
		sum += calls
	}
	if sum != took.together.calls+took.apart[0].calls+took.apart[1].calls+took.with.calls+took.without.calls {
		t.Errorf("%d calls in %v", sum, seen)
	}
	slow.tell = func() { panic("gone") }
	if _, err := s.inTurns(context.Background(), budget, time.Millisecond); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Error(err)
	}
}

// TestRequests: a service's handlers do a transaction a request, or none, each connection's on the
// server of its own; a step that fails ends it, and is told.
func TestRequests(t *testing.T) {
	ops := []*noted{{}, {}}
	s := NewTransaction([][]Part{{{ops[0], 1}}, {{ops[1], 1}}}, Demand{Rate: 1}, 7).(*transactions)
	s.begin(0)
	q := openRequests(s.servers)
	if q == nil {
		t.Fatal("no loopback")
	}
	defer q.close()
	if n, err := q.run(withoutSteps, 0); n != 2 || err != nil || ops[0].calls.Load()+ops[1].calls.Load() != 0 {
		t.Errorf("%d answers: %v", n, err)
	}
	n, err := q.run(withSteps, 5*time.Millisecond)
	if a, b := ops[0].calls.Load(), ops[1].calls.Load(); err != nil || n != a+b || a < 1 || b < 1 {
		t.Errorf("%d answers to %d and %d calls: %v", n, a, b, err)
	}
	stranger, err := q.connect()
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if stranger.ask(withSteps) == nil || stranger.ask(withoutSteps) == nil {
		t.Error("a connection without a server of its own is answered")
	}
	s.servers[1].failed = errors.New("gone")
	if _, err := q.run(withSteps, time.Millisecond); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Error(err)
	}
}

// TestDemand: a rate beyond what servers can do is not asked of them, and a load is a share of that.
func TestDemand(t *testing.T) {
	for d, want := range map[Demand]float64{{Rate: 1e12}: mostLoad * 2000, {Load: 0.5}: 1000, {Rate: 300}: 300} {
		asked(t, NewTransaction([][]Part{{{&noted{}, 1}}, {{&noted{}, 1}}}, d, 7), want)
	}
}

func asked(t *testing.T, s provider.Scenario, want float64) {
	t.Helper()
	budget := provider.Budget{Seconds: 0.02, Sample: func(f func() (int64, error)) (result.Sample, error) {
		_, err := f()
		return result.Sample{Calls: 10, Process: 10_000_000}, err // a millisecond each
	}}
	r, err := s.Measure(context.Background(), budget)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Metrics {
		if m.Name == "rate_asked" && math.Abs(m.Value-want) > 1e-6 {
			t.Errorf("%v/s were asked, want %v", m.Value, want)
		}
	}
}

// TestOrderIsDrawn: the parts of a transaction come in every order, drawn anew each block, and
// the same in a block that is repeated.
func TestOrderIsDrawn(t *testing.T) {
	var order []byte
	part := func(name byte) Part { return Part{&called{func() { order = append(order, name) }}, 1} }
	s := NewTransaction([][]Part{{part('a'), part('b'), part('c')}}, Demand{Rate: 1}, 7).(*transactions)
	drawn := func(block int) string {
		order = nil
		s.begin(block)
		s.servers[0].several(60)
		return string(order)
	}
	first := drawn(0)
	for _, all := range []string{"abc", "acb", "bac", "bca", "cab", "cba"} {
		if found := slices.Contains(slices.Collect(chunks(first, 3)), all); !found {
			t.Errorf("%s never came in %s", all, first)
		}
	}
	if drawn(1) == first || drawn(0) != first {
		t.Error("the order is not that of the seed and the block")
	}
}

func chunks(s string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; len(s) >= n && yield(s[:n]); s = s[n:] {
		}
	}
}

// called is an operation that tells of its calls.
type called struct{ tell func() }

func (o *called) Run(n int) error {
	for range n {
		o.tell()
	}
	return nil
}
func (o *called) Check() error { return nil }
func (o *called) Close() error { return nil }

// TestLoneStep: what has one step runs in a loop like that of the step's row, as often.
func TestLoneStep(t *testing.T) {
	op := &noted{}
	s := NewTransaction([][]Part{{{op, 3}}}, Demand{Rate: 1}, 7).(*transactions)
	s.begin(0)
	s.servers[0].several(5)
	if n := op.calls.Load(); n != 15 || s.Check() != nil {
		t.Errorf("%d calls of 5 transactions with 3 each", n)
	}
	if _, lone := (&transacting{parts: []*due{{Part: Part{op, 0.5}}}}).lone(); lone {
		t.Error("half a call is made in each transaction")
	}
}

// TestFailureEndsTransactions: a part that fails or panics ends the measurement with its error.
func TestFailureEndsTransactions(t *testing.T) {
	budget := provider.Budget{Seconds: 0.02, Sample: func(f func() (int64, error)) (result.Sample, error) {
		calls, err := f()
		return result.Sample{Calls: calls, Process: 5000 * calls}, err
	}}
	s := NewTransaction([][]Part{{{&noted{}, 1}}, {{&called{func() { panic("gone") }}, 1}}}, Demand{Rate: 1000}, 7)
	if _, err := s.Measure(context.Background(), budget); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("%v", err)
	}
}
