package document

import (
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// CPUs is how many CPUs the run's workers could use: those that affinity allows,
// what a quota leaves of them, and what GOMAXPROCS says where it was set. 0 where
// the run does not tell.
func (d *Document) CPUs() int {
	n := max(1, int(d.Machine.CPUs()))
	if d.Machine.CPUs() == 0 {
		n = d.Machine.CPU.Online
	}
	for _, set := range d.Environment {
		if value, ok := strings.CutPrefix(set, "GOMAXPROCS="); ok {
			if k, err := strconv.Atoi(value); err == nil && k > 0 {
				n = min(n, k)
			}
		}
	}
	return n
}

// Goroutines is how many goroutines shared a row's work; 0 where none did.
func (r *Row) Goroutines() int {
	n, _ := strconv.Atoi(r.Parameter("goroutines"))
	return n
}

// Parameter returns one of the row's parameters, or "".
func (r *Row) Parameter(key string) string {
	return result.Case{Parameters: r.Parameters}.Parameter(key)
}

// buildScaling fits the scaling law to the rates of each subject and case over the
// numbers of goroutines that shared one cipher. Refused fits are kept, with their
// reason.
func (b *builder) buildScaling() {
	rows := map[fitKey][]*Row{}
	var order []fitKey
	for i := range b.doc.Rows {
		row := &b.doc.Rows[i]
		if row.NsPerOp == nil || row.Goroutines() == 0 || row.Parameter("holding") != "shared" || row.Environment != "" {
			continue
		}
		key := fitKey{row.Experiment, row.Info.Subject, row.Info.Case}
		key.what.Parameters = ""
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], row)
	}
	for _, key := range order {
		if len(rows[key]) >= 2 {
			b.doc.Fits = append(b.doc.Fits, scalingOf(rows[key], b.doc.CPUs()))
		}
	}
}

// scalingOf fits the rows, whose rates are operations per second.
func scalingOf(rows []*Row, cpus int) Fit {
	fit := Fit{Model: "usl", Terms: map[string]float64{}}
	workers, rates := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		fit.RowIDs = append(fit.RowIDs, r.ID)
		workers[i], rates[i] = float64(r.Goroutines()), 1e9/r.NsPerOp.Median
	}
	s := stat.FitScaling(workers, rates, cpus)
	fit.OK, fit.Reason = s.OK, s.Reason
	if rms := finite(s.RMS); rms != nil {
		fit.RMS = *rms
	}
	if !s.OK {
		return fit
	}
	for name, value := range map[string]float64{"alone_per_second": s.Alone, "sigma": s.Serial, "kappa": s.Crosstalk, "peak_workers": s.Peak()} {
		if finite(value) != nil {
			fit.Terms[name] = value
		}
	}
	return fit
}
