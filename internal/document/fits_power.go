package document

import (
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// ModelPower is the growth of time with the length of a key: t = factor·bits^exponent.
const ModelPower = "power"

// KeyBits is the length that an algorithm's name ends with, of those whose keys
// have one to choose: 2048 of "RSA-2048"; else 0.
func KeyBits(algorithm string) int {
	length, ok := strings.CutPrefix(algorithm, "RSA-")
	if bits, err := strconv.Atoi(length); ok && err == nil {
		return bits
	}
	return 0
}

// buildPowerFits fits time against the length of the key for every subject and
// operation that was measured at three lengths or more.
func (b *builder) buildPowerFits() {
	rows := map[fitKey][]*Row{}
	var order []fitKey
	for i := range b.doc.Rows {
		row := &b.doc.Rows[i]
		if row.NsPerOp == nil || KeyBits(row.Algorithm) == 0 {
			continue
		}
		key := fitKey{row.Experiment, row.Info.Subject, row.Info.Case}
		key.what.Algorithm = ""
		if p, err := result.ParseParameters(key.what.Parameters); err == nil {
			delete(p, "draws") // how many there are, not how long each takes
			key.what.Parameters = p.String()
		}
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], row)
	}
	for _, key := range order {
		if len(rows[key]) >= 3 {
			b.doc.Fits = append(b.doc.Fits, powerFit(rows[key]))
		}
	}
}

func powerFit(rows []*Row) Fit {
	fit := Fit{Model: ModelPower, Terms: map[string]float64{}}
	bits, times := make([]float64, len(rows)), make([]stat.Span, len(rows))
	for i, r := range rows {
		fit.RowIDs = append(fit.RowIDs, r.ID)
		bits[i] = float64(KeyBits(r.Algorithm))
		s := r.NsPerOp.Median * 1e-9
		times[i] = stat.Span{Median: s, Low: s, High: s}
		if r.NsPerOp.Low != nil && r.NsPerOp.High != nil {
			times[i].Low, times[i].High = *r.NsPerOp.Low*1e-9, *r.NsPerOp.High*1e-9
		}
	}
	s := stat.FitPower(bits, times)
	fit.OK, fit.Reason = s.OK, s.Reason
	if rms := finite(s.RMS); rms != nil {
		fit.RMS = *rms
	}
	if !s.OK {
		return fit
	}
	for name, value := range map[string]float64{
		"exponent": s.Exponent, "exponent_low": s.Low, "exponent_high": s.High, "factor_ns": s.Factor * 1e9,
	} {
		if finite(value) != nil {
			fit.Terms[name] = value
		}
	}
	return fit
}
