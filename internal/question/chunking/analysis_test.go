package chunking

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
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

// patterns analyses the run, as the room does.
func (l handedLibrary) patterns() (d *document.Document, all []*pattern) {
	d = document.Build(l.run())
	q := Question
	q.Layout = func(v *answer.View) layout.Layout {
		all = patternsOf(v)
		return layout.Layout{}
	}
	answer.Add(d, []answer.Question{q})
	return d, all
}

func TestPatternsFindPieces(t *testing.T) {
	for _, test := range []struct{ piece, cost, ratio float64 }{{1, 6, 16}, {7, 14, 6}, {16, 40, 7.25}} {
		d, patterns := handedLibrary{piece: test.piece, cost: test.cost, blocks: 15, noise: 0.003}.patterns()
		if len(patterns) != 1 || len(patterns[0].slopes) != 1 {
			t.Fatalf("%+v", patterns)
		}
		h := patterns[0]
		s := h.worst
		if s == nil || s.Low > test.ratio || s.High < test.ratio || s.High/s.Low > 1.1 {
			t.Errorf("pieces of %g bytes: slopes %+v", test.piece, h.slopes)
		}
		if h.steps == nil || !h.steps.OK || math.Abs(h.steps.Bytes-test.piece) > 1 || len(h.stepRows) != 80 {
			t.Errorf("pieces of %g bytes: steps %+v", test.piece, h.steps)
		}
		fits := 0
		for _, f := range d.Fits {
			if f.Model == document.ModelBoundary {
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

// TestPatternsAccuseNobody: of a library without pieces nothing is said, however many
// calls cross.
func TestPatternsAccuseNobody(t *testing.T) {
	for _, noise := range []float64{0.002, 0.02} {
		_, patterns := handedLibrary{blocks: 15, noise: noise}.patterns()
		h := patterns[0]
		if s := h.worst; s == nil || s.Low > 1 || s.High > 1.5 || h.steps != nil {
			t.Errorf("noise %g: %+v, %+v", noise, s, h.steps)
		}
	}
}

func TestPatternsRefuse(t *testing.T) {
	square := handedLibrary{blocks: 15, noise: 0.003, time: func(n float64) float64 { return n * n }}
	_, patterns := square.patterns()
	h := patterns[0]
	if h.worst != nil || h.ways[0].OK || !strings.Contains(h.slopes[0].Reason, "rms") {
		t.Errorf("a time that is no sum of calls and bytes: %+v", h)
	}
	few := handedLibrary{piece: 1, cost: 6, blocks: 5, noise: 0.003}
	_, patterns = few.patterns()
	for _, h := range patterns { // rows without an interval have no number
		if h.worst != nil {
			t.Errorf("of five blocks: %+v", h.slopes)
		}
	}
}
