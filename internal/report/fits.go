package report

import (
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// fitKey is what the rows of one fit have in common: all but the size.
type fitKey struct {
	experiment string
	subject    result.Subject
	what       result.Case // with Bytes 0
}

// buildFits fits time against size for every subject and case that has three
// sizes or more. A refused fit is kept, with its reason.
func (b *builder) buildFits() {
	laboratory := b.laboratoryTrials()
	rows := map[fitKey][]*Row{}
	var order []fitKey
	for i := range b.doc.Rows {
		row := &b.doc.Rows[i]
		if row.NsPerOp == nil || row.Bytes <= 0 || laboratory[i] {
			continue
		}
		key := fitKey{row.Experiment, row.Info.Subject, row.Info.Case}
		key.what.Bytes = 0
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], row)
	}
	for _, key := range order {
		if sizesOf(rows[key]) >= 3 {
			b.doc.Fits = append(b.doc.Fits, fitOf(rows[key]))
		}
	}
}

// laboratoryTrials are those that measure the laboratory, which has no rate.
func (b *builder) laboratoryTrials() map[int]bool {
	own := map[int]bool{}
	for _, g := range b.run.Groups {
		if g.Kind == "" {
			continue
		}
		for _, t := range g.Trials {
			own[t] = true
		}
	}
	return own
}

func sizesOf(rows []*Row) int {
	sizes := map[int64]bool{}
	for _, r := range rows {
		sizes[r.Bytes] = true
	}
	return len(sizes)
}

func fitOf(rows []*Row) Fit {
	fit := Fit{Model: "affine", Terms: map[string]float64{}}
	bytes, seconds := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		fit.RowIDs = append(fit.RowIDs, r.ID)
		bytes[i], seconds[i] = float64(r.Bytes), r.NsPerOp.Median*1e-9
	}
	s := stat.FitAffine(bytes, seconds)
	fit.OK, fit.Reason = s.OK, s.Reason
	if rms := finite(s.RMS); rms != nil {
		fit.RMS = *rms
	}
	if !s.OK {
		return fit
	}
	for name, value := range map[string]float64{
		"fixed_ns":         s.Fixed * 1e9,
		"ns_per_byte":      s.PerByte * 1e9,
		"bytes_per_second": s.Rate(),
		"half_size_bytes":  s.HalfSize(),
	} {
		if finite(value) != nil {
			fit.Terms[name] = value
		}
	}
	return fit
}
