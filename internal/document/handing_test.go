package document

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// handedLibrary is a library behind the boundary, whose update loops over pieces.
type handedLibrary struct {
	piece, cost float64               // bytes of a piece and ns for each; 0: none
	blocks      int                   // of the run
	noise       float64               // of a round
	time        func(float64) float64 // of a message, in ns, where it is none of ours
}

func (l handedLibrary) ns(way string, bytes, call int64) float64 {
	if l.time != nil {
		return l.time(float64(bytes))
	}
	ns := 60*math.Ceil(float64(bytes)/float64(call)) + 150 + 0.4*float64(bytes)
	if way == "update" && l.piece > 0 {
		ns += l.cost * math.Ceil(float64(bytes)/l.piece)
	}
	return ns
}

// run is what experiment chunking leaves of it, with a fixed seed.
func (l handedLibrary) run() *result.Run {
	f := documenttest.NewFixture(l.blocks, 2)
	var trials []int
	add := func(path, way string, bytes, call int64) int {
		c := result.Case{Algorithm: "ChaCha20", Operation: "encrypt", Bytes: bytes, Parameters: fmt.Sprintf("call=%d,way=%s", call, way)}
		t := f.Trial("chunking", c, result.Subject{Library: "botan", Version: "2", Implementation: "unknown", CallPath: path}, documenttest.Plan{NS: l.ns(way, bytes, call), Spread: l.noise})
		trials = append(trials, t)
		return t
	}
	for _, bytes := range []int64{1 << 10, 4 << 10, 16 << 10} {
		for _, call := range []int64{256, 1 << 10, bytes} {
			add("cgo", "update", bytes, call)
		}
		add("cgo", "oneshot", bytes, bytes)
	}
	for n := int64(33); n <= 60; n++ {
		add("c-loop", "update", n, n)
		add("c-loop", "oneshot", n, n)
	}
	for _, n := range []int64{127, 128, 129, 255, 256, 257, 511, 512, 513, 767, 768, 769} {
		add("c-loop", "update", n, n)
		add("c-loop", "oneshot", n, n)
	}
	f.Group("chunking", "botan 2, ChaCha20", "", trials)
	return f.End()
}

func TestHandingsFindPieces(t *testing.T) {
	for _, test := range []struct{ piece, cost, ratio float64 }{{1, 6, 16}, {7, 14, 6}, {16, 40, 7.25}} {
		d := Build(handedLibrary{piece: test.piece, cost: test.cost, blocks: 15, noise: 0.003}.run())
		if len(d.Handings) != 1 || len(d.Handings[0].Slopes) != 1 {
			t.Fatalf("%+v", d.Handings)
		}
		h := &d.Handings[0]
		s := h.Dearest()
		if s == nil || s.Low > test.ratio || s.High < test.ratio || s.High/s.Low > 1.1 {
			t.Errorf("pieces of %g bytes: slopes %+v", test.piece, h.Slopes)
		}
		if h.Steps == nil || !h.Steps.OK || math.Abs(h.Steps.Bytes-test.piece) > 1 || len(h.StepRows) != 80 {
			t.Errorf("pieces of %g bytes: steps %+v", test.piece, h.Steps)
		}
		fits := 0
		for _, f := range d.Fits {
			if f.Model == "boundary" {
				if fits++; !f.OK || f.Terms["ns_per_byte"] <= 0 {
					t.Errorf("%+v", f)
				}
			} else {
				t.Errorf("a fit %s of rows that say how a message was handed over", f.Model)
			}
		}
		if fits != 2 {
			t.Errorf("%d cost models", fits)
		}
	}
}

// TestHandingsAccuseNobody: of a library without pieces nothing is said, however many
// calls cross.
func TestHandingsAccuseNobody(t *testing.T) {
	for _, noise := range []float64{0.002, 0.02} {
		h := Build(handedLibrary{blocks: 15, noise: noise}.run()).Handings[0]
		if s := h.Dearest(); s == nil || s.Low > 1 || s.High > 1.5 || h.Steps != nil {
			t.Errorf("noise %g: %+v, %+v", noise, s, h.Steps)
		}
	}
}

func TestHandingsRefuse(t *testing.T) {
	square := handedLibrary{blocks: 15, noise: 0.003, time: func(n float64) float64 { return n * n }}
	h := Build(square.run()).Handings[0]
	if h.Dearest() != nil || h.Ways[0].Fit.OK || !strings.Contains(h.Slopes[0].Reason, "rms") {
		t.Errorf("a time that is no sum of calls and bytes: %+v", h)
	}
	few := handedLibrary{piece: 1, cost: 6, blocks: 5, noise: 0.003}
	for _, h := range Build(few.run()).Handings { // rows without an interval have no number
		if h.Dearest() != nil {
			t.Errorf("of five blocks: %+v", h.Slopes)
		}
	}
}

func TestFading(t *testing.T) {
	sizes := []int64{64, 1 << 10, 16 << 10, 256 << 10}
	for _, test := range []struct {
		name     string
		crossing float64 // ns
		kind     string
		low, hi  float64 // where it fades
	}{
		{"between two sizes", 100, Fades, 1800, 2300}, // 100 ns are 5 % of 2000 ns
		{"at every size", 1, Fades, 0, 0},
		{"at none", 1e6, Never, 0, 0},
	} {
		f := documenttest.NewFixture(15, 5)
		for _, n := range sizes {
			c := result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: n}
			loop := f.Trial("boundary", c, result.Subject{Library: "openssl", Version: "3", CallPath: "c-loop"}, documenttest.Plan{NS: 40 + float64(n)})
			cgo := f.Trial("boundary", c, result.Subject{Library: "openssl", Version: "3", CallPath: "cgo"}, documenttest.Plan{NS: 40 + float64(n) + test.crossing})
			f.Group("boundary", layout.FormatSize(n), "", []int{loop, cgo}, result.Pair{Base: loop, Other: cgo, Within: 0.05})
		}
		d := Build(f.End())
		if len(d.Crossovers) != 1 {
			t.Fatalf("%s: %+v", test.name, d.Crossovers)
		}
		c := d.Crossovers[0]
		if c.Kind != test.kind || c.Within != 0.05 || len(c.Sizes) != len(sizes) || (c.Bytes != nil) != (test.hi > 0) {
			t.Errorf("%s: %+v", test.name, c)
		}
		if c.Bytes != nil && (c.Bytes.Low == nil || c.Bytes.Median < test.low || c.Bytes.Median > test.hi) {
			t.Errorf("%s: %+v", test.name, c.Bytes)
		}
	}
}
