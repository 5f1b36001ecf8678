package traffic

import (
	"context"
	"strings"
	"testing"
	"time"
)

// limited is a generator that keeps its schedule up to a rate, and then is late or fails.
func limited(kept float64, by Limit, stalls map[int]bool) (Search, *int) {
	n := 0
	return Search{Least: 10, Tell: func(float64) {}, Measure: func(rate float64) *Result {
		r := newResult(Plan{Rate: rate})
		r.Took, r.Due, r.Right = time.Second, int64(rate), int64(rate)
		r.Late.Record(50 * time.Microsecond)
		n++
		if stalls[n] {
			r.Overrun = 100 * time.Millisecond
		}
		if rate > kept {
			switch by {
			case BySchedule:
				r.Late.Record(2 * time.Millisecond)
			case ByServer:
				r.Failures[Reset] = 1
			}
		}
		return r
	}}, &n
}

func TestHighestRateIsFound(t *testing.T) {
	for _, test := range []struct {
		kept   float64
		by     Limit
		stalls map[int]bool
	}{
		{23_456, BySchedule, nil}, {23_456, ByServer, nil}, {23_456, BySchedule, map[int]bool{2: true}},
		{999, BySchedule, nil}, {17, ByServer, nil}, {1000, BySchedule, nil},
	} {
		s, n := limited(test.kept, test.by, test.stalls)
		h := s.Highest(context.Background(), 1000)
		if h.Rate > test.kept || h.Rate*1.06 < test.kept || h.Limit != test.by || h.At == nil || h.At.Plan.Rate != h.Rate ||
			h.Above == nil || h.Above.Plan.Rate <= test.kept {
			t.Errorf("%+v: found %g, limited by %q", test, h.Rate, h.Limit)
		}
		if *n > 30 {
			t.Errorf("%g: %d measurements", test.kept, *n)
		}
	}
}

func TestNoRateIsKept(t *testing.T) {
	s, n := limited(0, ByServer, nil)
	if h := s.Highest(context.Background(), 1000); h.Rate != 0 || h.Limit != ByServer || *n > 40 {
		t.Errorf("found %g after %d", h.Rate, *n)
	}
}

func TestSearchGoesNoFurtherThanItMay(t *testing.T) {
	s, _ := limited(1e9, BySchedule, nil)
	if h := s.Highest(context.Background(), 1000); h.Rate != MostRate || h.Limit != ByNothing {
		t.Errorf("found %g, limited by %q", h.Rate, h.Limit)
	}
}

func TestInterruptedSearchKeepsWhatItFound(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, n := limited(1e5, BySchedule, nil)
	measure := s.Measure
	s.Measure = func(rate float64) *Result {
		if *n == 3 {
			cancel()
		}
		return measure(rate)
	}
	if h := s.Highest(ctx, 1000); h.Rate != 4000 || h.Limit != ByNothing {
		t.Errorf("found %g, limited by %q", h.Rate, h.Limit)
	}
}

// TestWhyNoRateWasKept: the server and the connections are not taken for other programs.
func TestWhyNoRateWasKept(t *testing.T) {
	for _, test := range []struct {
		change func(*Result)
		limit  Limit
		says   string
	}{
		{func(r *Result) { r.Waited, r.Right, r.Ended = 296, 300, 3800*time.Millisecond }, ByServer, "the server or 4 connections give 79 answers a second; give more --connections"},
		{func(r *Result) { r.Failures[Reset] = 7 }, ByServer, "7 of 300 requests had no right answer"},
		{func(r *Result) { r.Overrun = time.Second }, BySchedule, "the generator was late, since other programs"},
		{func(r *Result) { r.Waited, r.Starved = 296, time.Second }, BySchedule, "the generator was late, since other programs"},
	} {
		h := Search{Least: 667, Tell: func(float64) {}, Measure: func(rate float64) *Result {
			r := newResult(Plan{Rate: rate, Connections: 4})
			r.Took, r.Due = 300*time.Millisecond, 300
			test.change(r)
			return r
		}}.Highest(t.Context(), 1000)
		if said := h.Text(); h.Rate != 0 || h.Limit != test.limit || !strings.Contains(said.EN, test.says) || strings.Contains(said.ZH, "%!") {
			t.Errorf("%q: %+v", h.Limit, said)
		}
	}
}
