package document

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// fitKey is what the rows of one fit have in common: all but the size.
type fitKey struct {
	experiment string
	subject    result.Subject
	what       result.Case // without the size
}

// fitKeyOf leaves out of a row's case what time is fitted over: the length of the
// message, or of the chunks where a stream is cut into such.
func fitKeyOf(row *Row) fitKey {
	key := fitKey{row.Experiment, row.Info.Subject, row.Info.Case}
	key.what.Bytes = 0
	if p, err := result.ParseParameters(key.what.Parameters); err == nil && p["chunk"] != "" {
		delete(p, "chunk")
		key.what.Parameters = p.String()
	}
	return key
}

// ChunkOf is the size of the chunks that a row's stream is cut into, in bytes; 0
// where it is none.
func ChunkOf(row *Row) int64 {
	n, err := strconv.ParseInt(result.Case{Parameters: row.Parameters}.Parameter("chunk"), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// sizeAndTime is a point of a fit: bytes, and the seconds that they take. A chunk
// takes its share of its stream.
func sizeAndTime(row *Row) (bytes, seconds float64) {
	size, ns := float64(row.Bytes), row.NsPerOp.Median
	if chunk := ChunkOf(row); chunk > 0 {
		return float64(chunk), ns * float64(chunk) / size * 1e-9
	}
	return size, ns * 1e-9
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
		if way, _ := row.Way(); way != "" { // whose calls are a term of their own
			continue
		}
		key := fitKeyOf(row)
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
	sizes := map[float64]bool{}
	for _, r := range rows {
		size, _ := sizeAndTime(r)
		sizes[size] = true
	}
	return len(sizes)
}

func fitOf(rows []*Row) Fit {
	fit := Fit{Model: "affine", Terms: map[string]float64{}}
	bytes, seconds := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		fit.RowIDs = append(fit.RowIDs, r.ID)
		bytes[i], seconds[i] = sizeAndTime(r)
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
