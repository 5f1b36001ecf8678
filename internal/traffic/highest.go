package traffic

import (
	"context"
	"math"
	"time"
)

// MostLate is the scheduling error, at 99 % of the requests, up to which a rate counts as kept.
const MostLate = time.Millisecond

// MostRate is what no generator is asked for.
const MostRate = 1e6

// Limit is what ended the search for the highest rate.
type Limit string

const (
	BySchedule Limit = "schedule" // the generator's own error
	ByServer   Limit = "server"   // requests failed, or waited for a free connection
	ByNothing  Limit = ""         // the search was interrupted, or went as far as it may
)

// Highest is the highest rate whose schedule is kept.
type Highest struct {
	Rate  float64 // 0 where none was
	Limit Limit
	At    *Result // at that rate
	Above *Result // at the lowest one that wasn't kept
}

// Search is the search for the highest rate.
type Search struct {
	Least   float64 // of lower rates a measurement has too few requests to speak of 99 % of them
	Measure func(rate float64) *Result
	Tell    func(rate float64)
}

// Highest doubles the rate from first until the schedule isn't kept, and halves the distance until it is
// less than 5 %. A rate counts as not kept when two measurements say so: one stall is the machine's.
func (s Search) Highest(ctx context.Context, first float64) (h Highest) {
	kept, lost := 0.0, math.Inf(1)
	for rate := first; ctx.Err() == nil && kept < MostRate; rate = min(MostRate, between(kept, lost)) {
		s.Tell(rate)
		r := s.Measure(rate)
		limit := r.limit()
		if limit != ByNothing && ctx.Err() == nil {
			r = s.Measure(rate)
			limit = r.limit()
		}
		if ctx.Err() != nil {
			return h
		}
		if limit == ByNothing {
			kept, h.Rate, h.At = rate, rate, r
		} else {
			lost, h.Limit, h.Above = rate, limit, r
		}
		if lost/kept < 1.05 || kept == 0 && lost/2 < s.Least {
			break
		}
	}
	return h
}

// between is the next rate to try.
func between(kept, lost float64) float64 {
	switch {
	case math.IsInf(lost, 1):
		return 2 * kept
	case kept == 0:
		return lost / 2
	}
	return math.Sqrt(kept * lost)
}

// limit says what a rate was too high for.
func (r *Result) limit() Limit {
	switch {
	case r.Failed() > 0, r.Kept() && r.Overloaded():
		return ByServer
	case !r.Kept(), time.Duration(r.Late.ValueAtQuantile(99)) > MostLate:
		return BySchedule
	}
	return ByNothing
}

// Highest searches the highest rate at which this generator keeps its schedule towards its server.
func (g *Generator) Highest(ctx context.Context, p Plan, tell func(rate float64)) Highest {
	const first, fewest = 1000, 200
	return Search{Least: fewest / p.Lasts.Seconds(), Tell: tell, Measure: func(rate float64) *Result {
		p.Rate = rate
		return g.Measure(ctx, p)
	}}.Highest(ctx, first)
}
