package render

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestGivenUpIsSaid: on the quick screen, too, where there is no room for what each experiment lost.
func TestGivenUpIsSaid(t *testing.T) {
	d := &document.Document{}
	for range 3 {
		d.Rows = append(d.Rows, &document.Row{Library: "botan", Version: "2.19.3", Status: result.Crashed, Cause: reason.Cause(reason.GivenUp)})
	}
	for l, want := range map[layout.Lang]string{
		layout.English: "botan 2.19.3: given up after two calls that did not return; 3 rows have no result",
		layout.Chinese: "botan 2.19.3：两次调用均未返回，已放弃该库；3 行没有结果",
	} {
		var out strings.Builder
		if err := Write(&out, FormatText, []*document.Document{d}, Options{Lang: l, Width: 100}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v\n%s", err, out.String())
		}
		out.Reset()
		quick := newPainter(Options{Lang: l, Width: 100}).quick(d)
		if !strings.Contains(strings.Join(quick, "\n"), want) {
			t.Errorf("%q", quick)
		}
	}
}
