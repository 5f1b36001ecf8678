package answer

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestFewBlocks: a run that was to be short needs more time, and one that was cut short is to be let run to its end; how
// many blocks that one has its head says.
func TestFewBlocks(t *testing.T) {
	number := &document.Estimate{Median: 1000}
	for _, partial := range []bool{false, true} {
		d := &document.Document{Partial: partial,
			Rows:        []*document.Row{{ID: "a", Experiment: "modes", Status: result.OK, NsPerOp: number}, {ID: "b", Experiment: "modes", Status: result.OK, NsPerOp: number}},
			Comparisons: []document.Comparison{{ID: "c", Base: "a", Other: "b", Headline: true, Blocks: 3}}}
		v := NewView(d, "modes")
		few := v.fewBlocks([]string{"--sizes", "--modes"})
		if few == nil {
			t.Fatal("nothing is said")
		}
		for _, text := range []string{few.Text.EN, v.unanswered(few).Text.EN} {
			if strings.Contains(text, "--budget") == partial || strings.Contains(text, "run it again, to its end") != partial || partial && strings.Contains(text, "3 blocks") {
				t.Errorf("partial %v: %s", partial, text)
			}
		}
	}
}

// TestTooFewBlocksChooseNothing: what is decided by too few blocks is open, whatever the other row lacks.
func TestTooFewBlocksChooseNothing(t *testing.T) {
	low, high := 4.0, 5.0
	r := rival{lack: LackOf(algorithm.NoIntegrity), c: &document.Comparison{Ratio: 4.5, Low: &low, High: &high, Verdict: "inconclusive"}}
	if !r.open() {
		t.Error("four times as fast in too few blocks is taken for a verdict")
	}
	if r.c.Verdict = "faster"; r.open() {
		t.Error("a verdict is taken for none")
	}
}
