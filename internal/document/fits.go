package document

import (
	"cmp"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// The cost models, as Fit.Model names them.
const (
	ModelAffine   = "affine"   // over the bytes of a message, or of the chunks of a stream
	ModelBoundary = "boundary" // over the calls, messages and bytes of one way to call a library
	ModelScaling  = "usl"      // over the goroutines that share one cipher
	ModelPower    = "power"    // over the length of a key: t = factor·bits^exponent
)

// LeastFitted is the shortest message whose calls are modelled: shorter ones are measured
// for the steps of their time.
const LeastFitted = 1 << 10

// model is fitted over the rows of one experiment and subject whose cases differ in
// nothing but what it is about. A refused fit is kept, with its reason.
type model struct {
	name  string
	over  func(*Row) any     // what the row's time is modelled over; nil: it is not
	least int                // as many different of those make a fit
	apart func(*result.Case) // takes from a case what the rows of a fit differ in
	fit   func(rows []*Row, cpus int) Fit
}

// A message that says how it was handed over has its calls as a term of their own.
var models = []model{
	{ModelAffine, func(r *Row) any {
		if way, _ := r.Way(); way != "" || r.Bytes <= 0 || r.laboratory {
			return nil
		}
		return sizeOf(r)
	}, 3, func(c *result.Case) { c.Bytes, c.Parameters = 0, parameter.Without(c.Parameters, parameter.Chunk) }, fitSizes},
	{ModelBoundary, func(r *Row) any {
		if way, _ := r.Way(); way == "" || r.Bytes < LeastFitted {
			return nil
		}
		return r.Work(0)
	}, 3, func(c *result.Case) { c.Bytes, c.Parameters = 0, parameter.Without(c.Parameters, parameter.Call) }, fitCalls},
	{ModelScaling, func(r *Row) any {
		if r.Goroutines() == 0 || parameter.Holding.In(r.Parameters) != parameter.Shared || r.Environment != "" {
			return nil
		}
		return r.Goroutines()
	}, 2, func(c *result.Case) { c.Parameters = "" }, fitGoroutines},
	{ModelPower, func(r *Row) any {
		if bits := algorithm.RSABits(r.Algorithm); bits > 0 {
			return bits
		}
		return nil
	}, 3, func(c *result.Case) { c.Algorithm, c.Parameters = "", parameter.Without(c.Parameters, parameter.Draws) }, fitKeyBits},
}

func (b *builder) buildFits() {
	type fitted struct {
		experiment string
		trial      result.Trial
	}
	for _, m := range models {
		modelled := slices.DeleteFunc(slices.Clone(b.doc.Rows), func(r *Row) bool {
			return r.NsPerOp == nil || m.over(r) == nil
		})
		together := func(r *Row) fitted {
			trial := r.Info.Trial
			m.apart(&trial.Case)
			return fitted{r.Experiment, trial}
		}
		for _, rows := range Grouped(modelled, together) {
			if len(Grouped(rows, m.over)) >= m.least {
				b.doc.Fits = append(b.doc.Fits, m.of(rows, b.doc.CPUs()))
			}
		}
	}
}

// of fits the model, and leaves out what is no number.
func (m model) of(rows []*Row, cpus int) Fit {
	f := m.fit(rows, cpus)
	f.Model, f.RowIDs = m.name, Mapped(rows, func(r *Row) string { return r.ID })
	if finite(f.RMS) == nil {
		f.RMS = 0
	}
	for name, value := range f.Terms {
		if !f.OK || finite(value) == nil {
			delete(f.Terms, name)
		}
	}
	return f
}

// ChunkOf is the size of the chunks that a row's stream is cut into, in bytes; 0
// where it is none.
func ChunkOf(row *Row) int64 { return parameter.Chunk.In(row.Parameters) }

// sizeOf is what a row's time is modelled over, in bytes.
func sizeOf(row *Row) float64 { return float64(cmp.Or(ChunkOf(row), row.Bytes)) }

// secondsOf is what they take. A chunk takes its share of its stream.
func secondsOf(row *Row) float64 {
	ns := row.NsPerOp.Median
	if chunk := ChunkOf(row); chunk > 0 {
		ns = ns * float64(chunk) / float64(row.Bytes)
	}
	return ns * 1e-9
}

func fitSizes(rows []*Row, _ int) Fit {
	s := stat.FitAffine(Mapped(rows, sizeOf), Mapped(rows, secondsOf))
	return Fit{OK: s.OK, Reason: s.Reason, RMS: s.RMS, Terms: map[string]float64{"fixed_ns": s.Fixed * 1e9,
		"ns_per_byte": s.PerByte * 1e9, "bytes_per_second": s.Rate(), "half_size_bytes": s.HalfSize()}}
}

// Way is the way in which a row's message was handed over, and in calls of how many
// bytes; "" where it does not say.
func (r *Row) Way() (way string, call int64) {
	if call = parameter.Call.In(r.Parameters); call == 0 {
		return "", 0
	}
	return string(parameter.Way.In(r.Parameters)), call
}

// Work is what the row's operation does by its way, in some seconds.
func (r *Row) Work(seconds float64) stat.Work {
	_, call := r.Way()
	return stat.Work{Calls: math.Ceil(float64(r.Bytes) / float64(call)), Messages: 1, Bytes: float64(r.Bytes), Seconds: seconds}
}

func fitCalls(rows []*Row, _ int) Fit {
	s := stat.FitCost(Mapped(rows, func(r *Row) stat.Work { return r.Work(r.NsPerOp.Median * 1e-9) }))
	f := Fit{OK: s.OK, Reason: s.Reason, RMS: s.RMS, Terms: map[string]float64{"call_ns": s.PerCall * 1e9,
		"message_ns": s.PerMessage * 1e9, "ns_per_byte": s.PerByte * 1e9}}
	if s.Merged {
		delete(f.Terms, "call_ns")
	}
	return f
}

// Case is what a row did.
func (r *Row) Case() result.Case {
	return result.Case{Algorithm: r.Algorithm, Mode: r.Mode, Operation: r.Operation, Bytes: r.Bytes, Parameters: r.Parameters}
}

// Parameter returns one of the row's parameters, or "".
func (r *Row) Parameter(key string) string {
	return r.Case().Parameter(key)
}

// Goroutines is how many goroutines shared a row's work; 0 where none did.
func (r *Row) Goroutines() int { return parameter.Goroutines.In(r.Parameters) }

func fitGoroutines(rows []*Row, cpus int) Fit {
	workers := Mapped(rows, func(r *Row) float64 { return float64(r.Goroutines()) })
	s := stat.FitScaling(workers, Mapped(rows, func(r *Row) float64 { return 1e9 / r.NsPerOp.Median }), cpus)
	return Fit{OK: s.OK, Reason: s.Reason, RMS: s.RMS, Terms: map[string]float64{"alone_per_second": s.Alone,
		"sigma": s.Serial, "kappa": s.Crosstalk, "peak_workers": s.Peak()}}
}

func fitKeyBits(rows []*Row, _ int) Fit {
	bits := Mapped(rows, func(r *Row) float64 { return float64(algorithm.RSABits(r.Algorithm)) })
	s := stat.FitPower(bits, Mapped(rows, func(r *Row) stat.Span {
		e := r.NsPerOp
		span := stat.Span{Median: e.Median * 1e-9, Low: e.Median * 1e-9, High: e.Median * 1e-9}
		if e.Low != nil && e.High != nil {
			span.Low, span.High = *e.Low*1e-9, *e.High*1e-9
		}
		return span
	}))
	return Fit{OK: s.OK, Reason: s.Reason, RMS: s.RMS, Terms: map[string]float64{"exponent": s.Exponent,
		"exponent_low": s.Low, "exponent_high": s.High, "factor_ns": s.Factor * 1e9}}
}
