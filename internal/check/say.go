package check

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/report"
)

// say words a text in both languages; arguments that are texts themselves go in by
// language.
func say(en, zh string, args ...any) report.Text {
	in := func(l report.Lang) []any {
		out := slices.Clone(args)
		for i, a := range out {
			if t, ok := a.(report.Text); ok {
				out[i] = t.In(l)
			}
		}
		return out
	}
	return report.Text{EN: fmt.Sprintf(en, in(report.English)...), ZH: fmt.Sprintf(zh, in(report.Chinese)...)}
}
