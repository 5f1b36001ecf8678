package document

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestWrongCodeHasNoNumber: a library that computes one size wrongly has no number at
// any size, in no direction, by no call path and in no other experiment; and none of
// it stands in a comparison, a fit, a crossover, a cost of a way or a distribution.
// Other code of the library keeps its numbers.
func TestWrongCodeHasNoNumber(t *testing.T) {
	liar := result.Subject{Library: "liar", Version: "2", Implementation: "wide", CallPath: "cgo"}
	loop, switched := liar, liar
	loop.CallPath, switched.Environment = "c-loop", "LIAR_CPU=0"
	short, own := liar, liar
	short.Implementation = "narrow" // which the library chooses for short messages
	own.Implementation = "own"      // which is asked for by its name
	op := func(mode, operation string, bytes int64, parameters string) result.Case {
		return result.Case{Algorithm: "SM4", Mode: mode, Operation: operation, Bytes: bytes, Parameters: parameters}
	}
	f := documenttest.NewFixture(15, 7)
	f.Run.Header.Libraries = append(f.Run.Header.Libraries, result.Library{Library: "liar", Version: "2", CallPath: "cgo"},
		result.Library{Library: "liar", Version: "2", Implementation: "own", CallPath: "cgo"})
	var withheld, kept []int
	add := func(list *[]int, experiment string, c result.Case, s result.Subject) int {
		i := f.Trial(experiment, c, s, documenttest.Plan{NS: 100 + float64(c.Bytes)})
		*list = append(*list, i)
		return i
	}
	for _, n := range []int64{1 << 10, 2 << 10, 4 << 10} {
		x := add(&withheld, "modes", op("CTR", "encrypt", n, ""), liar)
		y := add(&kept, "modes", op("CTR", "encrypt", n, ""), documenttest.GMSM)
		f.Group("modes", layout.FormatSize(n), "", []int{x, y}, result.Pair{Base: x, Other: y, Headline: true, Crossover: true})
	}
	for _, way := range []string{"update", "final"} {
		for _, n := range []int64{1 << 10, 2 << 10, 4 << 10} {
			add(&withheld, "chunking", op("CTR", "encrypt", n, "call=1024,way="+way), liar)
		}
	}
	add(&withheld, "modes", op("CTR", "encrypt", 16, ""), short)
	add(&withheld, "modes", op("CTR", "decrypt", 1<<10, ""), liar)
	add(&withheld, "boundary", op("CTR", "encrypt", 1<<10, ""), loop)
	add(&withheld, "gc", op("CTR", "encrypt", 1<<10, "buffers=fresh"), liar)
	add(&kept, "modes", op("CBC", "encrypt", 1<<10, ""), liar)
	add(&kept, "modes", op("CTR", "encrypt", 1<<10, ""), own)
	add(&kept, "acceleration", op("CTR", "encrypt", 1<<10, ""), switched)
	wrong := f.Trial("modes", op("CTR", "encrypt", 64<<10, ""), liar, documenttest.Plan{NS: 9e4})
	f.Status(wrong, result.Incorrect, "the output is wrong from byte 65535 on (0x00, should be 0x01)")

	d := Build(f.End())
	ids := map[string]bool{d.Rows[wrong].ID: true}
	for _, i := range withheld {
		r := d.Rows[i]
		ids[r.ID] = true
		if !r.Withheld || r.Status != result.Unstable || r.NsPerOp != nil || r.BytesPerSecond != nil || len(r.Metrics) > 0 || r.Blocks != 0 {
			t.Errorf("%s: %+v", r.ID, r)
		}
		if r.TimeCell().Text != wordWithheld || len(r.TimeCell().Footnotes) != 1 {
			t.Errorf("%s is shown as %+v", r.ID, r.TimeCell())
		}
	}
	for _, i := range kept {
		if r := d.Rows[i]; r.Withheld || r.Status != result.OK || r.NsPerOp == nil {
			t.Errorf("%s: %s, %s", r.ID, r.Status, r.Reason)
		}
	}
	for _, c := range d.Comparisons {
		if ids[c.Base] || ids[c.Other] {
			t.Errorf("compared: %s", c.ID)
		}
	}
	for _, fit := range d.Fits {
		if slices.ContainsFunc(fit.RowIDs, func(id string) bool { return ids[id] }) {
			t.Errorf("fitted: %+v", fit)
		}
	}
	if len(d.Crossovers)+len(d.Distributions) != 0 {
		t.Errorf("%+v %+v", d.Crossovers, d.Distributions)
	}
	for _, reason := range d.Trust.Reasons {
		if strings.Contains(reason.EN, "without a number") {
			t.Errorf("withheld rows are called noise: %s", reason.EN)
		}
	}
	if codes := d.Wrong(); len(codes) != 1 || len(codes[0]) != 1 || codes[0][0].ID != d.Rows[wrong].ID {
		t.Errorf("wrong are %v", codes)
	}
}

// TestWrongInOneUse: what is wrong in the hands of several goroutines is right in
// those of one, however many tried.
func TestWrongInOneUse(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	at := map[string]int{}
	for _, p := range []string{"", "goroutines=1,holding=shared", "goroutines=2,holding=own", "goroutines=2,holding=shared", "goroutines=8,holding=shared"} {
		c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 1024, Parameters: p}
		at[p] = f.Trial("concurrency", c, documenttest.GMSM, documenttest.Plan{NS: 1000})
	}
	f.Status(at["goroutines=8,holding=shared"], result.Incorrect, "wrong")
	d := Build(f.End())
	for p, i := range at {
		want := result.OK
		switch p {
		case "goroutines=8,holding=shared":
			want = result.Incorrect
		case "goroutines=2,holding=shared":
			want = result.Unstable
		}
		if d.Rows[i].Status != want {
			t.Errorf("%q is %s, want %s", p, d.Rows[i].Status, want)
		}
	}
}

// TestExhibitsComeLast: what is not known to be wrong is said before what is.
func TestExhibitsComeLast(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	known := f.Trial("modes", documenttest.SM4("GCM", 1024), documenttest.TJFOC, documenttest.Plan{NS: 1000})
	f.Run.Trials[known].Exhibit = true
	found := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 1000})
	f.Status(known, result.Incorrect, "wrong")
	f.Status(found, result.Incorrect, "wrong")
	if codes := Build(f.End()).Wrong(); len(codes) != 2 || codes[0][0].Library != "gmsm" || !codes[1][0].Exhibit() {
		t.Errorf("%v", codes)
	}
}
