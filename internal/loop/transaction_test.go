package loop

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestTransaction: each part is done as often as it should be, the figures are those of the
// sample, and a part that is wrong or fails is told.
func TestTransaction(t *testing.T) {
	once, twice, rarely := &noted{}, &noted{}, &noted{}
	s := NewTransaction([][]Part{{{once, 1}, {twice, 2}, {rarely, 0.25}}}, 1000, 7)
	if s.Check() == nil {
		t.Error("a Check before any Measure passes")
	}
	budget := provider.Budget{Seconds: 0.02, Sample: func(f func() (int64, error)) (result.Sample, error) {
		calls, err := f()
		return result.Sample{Calls: calls, Process: 5000 * calls}, err
	}}
	r, err := s.Measure(context.Background(), budget)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range r.Metrics {
		got[m.Name] = m.Value
	}
	if got["busy_cpu_ns"] != 5000 || got["rate_asked"] != 1000 {
		t.Errorf("%v", got)
	}
	n := once.calls.Load()
	if share := float64(rarely.calls.Load()) / float64(n); n < 10 || twice.calls.Load() != 2*n || n > 1000 && (share < 0.15 || share > 0.35) {
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

// TestTransactionsAreCapped: a rate beyond what servers can do is not asked of them.
func TestTransactionsAreCapped(t *testing.T) {
	s := NewTransaction([][]Part{{{&noted{}, 1}}}, 1e12, 7)
	budget := provider.Budget{Seconds: 0.02, Sample: func(f func() (int64, error)) (result.Sample, error) {
		_, err := f()
		return result.Sample{Calls: 10, Process: 10_000_000}, err // a millisecond each
	}}
	r, err := s.Measure(context.Background(), budget)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Metrics {
		if m.Name == "rate_asked" && math.Abs(m.Value-mostLoad*1000) > 1e-6 {
			t.Errorf("%v/s were asked", m.Value)
		}
	}
}
