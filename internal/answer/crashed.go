package answer

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// crashed says which subjects lost rows because their worker died or an error
// ended them: what is missing may change what the other sentences would have
// said. The reason of the most rows comes first.
func (v *View) crashed() (out []layout.Answer) {
	type loss struct {
		reason   string
		returned bool
	}
	losses := Grouped(v.Select(func(r *document.Row) bool { return r.Status == result.Crashed }),
		func(r *document.Row) loss { return loss{r.Reason, r.Returned} })
	slices.SortStableFunc(losses, func(x, y []*document.Row) int { return cmp.Compare(len(y), len(x)) })
	for _, rows := range losses {
		var who []layout.Text
		for _, lost := range Grouped(rows, v.Name) {
			who = append(who, layout.Say("%s (%d)", "%s（%d 行）", v.Name(lost[0]), len(lost)))
		}
		en, zh := "Rows of %s are missing. The worker crashed: %s.", "缺少 %s的结果。工作进程崩溃：%s。"
		if rows[0].Returned {
			en, zh = "Rows of %s are missing: %s.", "缺少 %s的结果：%s。"
		}
		out = append(out, layout.Answer{Mark: layout.Beware, Short: true, Evidence: IDs(rows),
			Text: layout.Say(en, zh, List(who), rows[0].Why)})
	}
	return out
}
