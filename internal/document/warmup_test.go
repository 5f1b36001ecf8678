package document

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestWarmUp: a row says what runs it and how it was warmed up, by the medians of its blocks; a warm-up that ended too
// soon is a doubt.
func TestWarmUp(t *testing.T) {
	warmed := func(batches int64, unsteady bool) *result.Opened {
		return &result.Opened{WarmUp: &result.WarmUp{Batches: batches, Nanoseconds: batches * 20e6, Unsteady: unsteady}}
	}
	for _, test := range []struct {
		row      Row
		opened   []*result.Opened
		note     string
		footnote string
		warnings int
	}{
		{Row{}, []*result.Opened{warmed(20, false)}, "", "", 0}, // built in: what it says counts only with a runtime
		{Row{Runtime: "CPython 3"}, []*result.Opened{{}}, "", "run by CPython 3", 0},
		{Row{Runtime: "J 17", Note: "n"}, []*result.Opened{warmed(20, false), warmed(30, false), {}, warmed(90, false)},
			"n; warmed up in each block by 30 batches of calls, 600 ms", "after a warm-up", 0},
		{Row{Runtime: "J 17"}, []*result.Opened{warmed(20, true)}, "warmed up in each block by 20 batches", "still got faster", 1},
	} {
		row := test.row
		row.fillWarmUp(test.opened)
		said := slices.ContainsFunc(row.Notes, func(n layout.Text) bool { return strings.Contains(n.EN, test.footnote) && n.ZH != "" })
		if !strings.Contains(row.Note, test.note) || said != (test.footnote != "") || len(row.Warnings) != test.warnings {
			t.Errorf("%+v: note %q, footnotes %v, warnings %q", test.row, row.Note, row.Notes, row.Warnings)
		}
	}
}

// TestCounted: allocations that nobody counted are none, and not 0.
func TestCounted(t *testing.T) {
	for n, known := range map[float64]bool{-1: false, 0: true, 3: true} {
		if got := counted(&n); (got != nil) != known {
			t.Errorf("%v: %v", n, got)
		}
	}
	if counted(nil) != nil {
		t.Error("nil is counted")
	}
}
