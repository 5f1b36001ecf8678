package envelope

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// letters is a run of envelopes, made by hand: RSA's wrap takes 900 µs, SM2's 50 µs,
// and a payload a nanosecond a byte.
func letters() *answertest.Sheet {
	s := &answertest.Sheet{}
	row := func(mode, op, parameters, library string, size int64, ns float64) string {
		low, high, rate := ns*0.99, ns*1.01, float64(size)/ns*1e9
		r := &document.Row{ID: fmt.Sprintf("envelope/Envelope-%s/%s/%d/%s", mode, op, size, library), Experiment: "envelope", Algorithm: "Envelope",
			Mode: mode, Operation: op, Bytes: size, Parameters: parameters, Library: library, Version: "v1", Status: result.OK, BytesPerSecond: &rate,
			NsPerOp: &document.Estimate{Median: ns, Low: &low, High: &high, Clock: "cpu"}}
		if op == "seal" && parameters == "" {
			r.Metrics = map[string]document.Metric{"overhead_bytes": {Value: 141, Unit: "B"}}
		}
		s.Doc.Rows = append(s.Doc.Rows, r)
		return r.ID
	}
	for _, size := range []int64{1 << 10, 64 << 10, 16 << 20} {
		first := map[string]string{}
		for _, m := range []struct {
			mode, library, payload string
			wrap                   float64
		}{{"RSA-2048-OAEP+AES-256-GCM", "go", "AES-256-GCM", 900e3}, {"SM2+SM4-GCM", "gmsm", "SM4-GCM", 50e3}} {
			for _, op := range []string{"seal", "open"} {
				alone := row(m.payload, op, "key=reused", m.library, size, float64(size))
				whole := row(m.mode, op, "", m.library, size, float64(size)+m.wrap)
				ratio := (float64(size) + m.wrap) / float64(size)
				s.Compare(whole, alone, ratio, ratio*0.999, ratio*1.001, "faster")
				if size != 1<<10 {
					continue
				}
				if base := first[op]; base != "" {
					s.Compare(base, whole, 18, 17, 19, "faster")
				}
				first[op] = whole
			}
		}
	}
	return s
}

func TestEnvelopeSentences(t *testing.T) {
	d := &letters().Doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []string{
		"Opening an envelope of 1 KiB with a new content key: RSA-2048-OAEP (go) takes 901 µs; SM2+SM4-GCM (gmsm) is 18.0 times as fast as RSA-2048-OAEP (17.0–19.0).",
		"RSA-2048-OAEP: under half from 16 MiB on (more at 64 KiB), not certain to be under 5 % at any measured size; SM2+SM4-GCM: under half from 64 KiB " +
			"on (more at 1 KiB), under 5 % from 16 MiB on (more at 64 KiB).",
		"Speed of sealing 1 KiB with a reused key, compared with a new one: RSA-2048-OAEP 880 times (879–881), SM2+SM4-GCM 49.8 times (49.8–49.9).",
		"RSA-2048-OAEP 141, SM2+SM4-GCM 141.",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	short := 0
	for _, a := range d.Answers {
		if a.Short {
			short++
		}
	}
	if short < 2 || short > 4 {
		t.Errorf("%d answers are for the quick screen", short)
	}
	answertest.CheckLayout(t, d)
}

// TestEnvelopeWithoutIntervals: point estimates make no sentence of who is faster.
func TestEnvelopeWithoutIntervals(t *testing.T) {
	s := letters()
	for i := range s.Doc.Comparisons {
		s.Doc.Comparisons[i].Low, s.Doc.Comparisons[i].High = nil, nil
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	for _, never := range []string{"times", "less than", "Reusing"} {
		if strings.Contains(answertest.Texts(&s.Doc, layout.English), never) {
			t.Errorf("%q is said without an interval:\n%s", never, answertest.Texts(&s.Doc, layout.English))
		}
	}
}
