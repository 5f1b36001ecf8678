package loop

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

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
		return result.Sample{Calls: calls, Process: (1-samples%2)*5000*calls + 100*calls}, err
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
	n := once.calls.Load()
	if off := math.Abs(float64(rarely.calls.Load()) - float64(n)/4); n < 10 || twice.calls.Load() != 2*n || off > 1 {
		t.Errorf("%d, %d and %d calls", n, twice.calls.Load(), rarely.calls.Load())
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	twice.wrong = errors.New("wrong")
	if _, err := s.Measure(context.Background(), budget); err != nil || s.Check() == nil {
		t.Errorf("a wrong part is not told: %v", err)
	}
	if err := s.Close(); err != nil || !rarely.closed {
		t.Error("not closed")
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
