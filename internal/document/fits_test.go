package document

import (
	"math"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestPowerFits: one fit an operation and way of holding the key, over the lengths,
// however many keys were drawn of each.
func TestPowerFits(t *testing.T) {
	b := &builder{doc: &Document{}}
	infos := []result.TrialInfo{}
	add := func(algorithm, operation, parameters string, ns float64) {
		infos = append(infos, result.TrialInfo{Trial: result.Trial{Subject: result.Subject{Library: "go"},
			Case: result.Case{Algorithm: algorithm, Operation: operation, Parameters: parameters}}})
		low, high := ns/1.01, ns*1.01
		b.doc.Rows = append(b.doc.Rows, &Row{ID: algorithm + operation + parameters, Algorithm: algorithm, NsPerOp: &Estimate{Median: ns, Low: &low, High: &high}})
	}
	for _, bits := range []float64{1024, 2048, 4096} {
		name := map[float64]string{1024: "RSA-1024", 2048: "RSA-2048", 4096: "RSA-4096"}[bits]
		add(name, "sign", "", 1e-4*math.Pow(bits, 3))
		add(name, "sign", "crt=no", math.Exp(bits/300))
		add(name, "generate", map[float64]string{1024: "draws=6", 2048: "draws=6", 4096: "draws=1"}[bits], 1e-4*math.Pow(bits, 4))
	}
	add("ECDSA-P-256", "sign", "", 5)
	for i := range b.doc.Rows {
		b.doc.Rows[i].Info = &infos[i]
	}
	b.buildFits()
	if len(b.doc.Fits) != 3 {
		t.Fatalf("%d fits", len(b.doc.Fits))
	}
	sign, bare, generate := b.doc.Fits[0], b.doc.Fits[1], b.doc.Fits[2]
	if !sign.OK || sign.Model != ModelPower || math.Abs(sign.Terms["exponent"]-3) > 1e-9 || sign.Terms["exponent_low"] >= 3 || sign.Terms["exponent_high"] <= 3 ||
		math.Abs(sign.Terms["factor_ns"]/1e-4-1) > 1e-6 {
		t.Errorf("%+v", sign)
	}
	if bare.OK || bare.Reason == "" || len(bare.Terms) != 0 {
		t.Errorf("what grows exponentially is fitted: %+v", bare)
	}
	if !generate.OK || math.Abs(generate.Terms["exponent"]-4) > 1e-9 || len(generate.RowIDs) != 3 {
		t.Errorf("%+v", generate)
	}
}

func TestStandardsOfKeyPairs(t *testing.T) {
	for c, want := range map[result.Case]string{
		{Algorithm: "SM2", Operation: "sign"}:                             "GB/T 32918.2-2016; GB/T 32918.5-2017",
		{Algorithm: "SM2", Operation: "encrypt"}:                          "GB/T 32918.4-2016; GB/T 32918.5-2017",
		{Algorithm: "RSA-2048", Operation: "generate"}:                    "RFC 8017; FIPS 186-5",
		{Algorithm: "RSA-2048", Mode: "PSS-SHA-256", Operation: "verify"}: "RFC 8017; FIPS 186-5",
		{Algorithm: "ML-KEM-768", Operation: "session"}:                   "FIPS 203",
		{Algorithm: "XYZ", Operation: "sign"}:                             "",
	} {
		if got := algorithm.Standard(c.Algorithm, c.Mode, c.Operation); got != want {
			t.Errorf("%s %s: %q, want %q", c.Name(), c.Operation, got, want)
		}
	}
}

// TestMeanOfDraws: the mean is of all values, however they lie in buckets.
func TestMeanOfDraws(t *testing.T) {
	d, ok := percentiles([][2]int64{{100, 1}, {10, 2}, {40, 1}})
	if !ok || d.Mean != 40 || d.P50 != 10 || d.Max != 100 {
		t.Errorf("%+v", d)
	}
}
