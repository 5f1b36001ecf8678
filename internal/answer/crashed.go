package answer

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// loss is rows that are missing for one reason.
type loss struct {
	reason   string
	because  layout.Text
	returned bool
	rows     []*document.Row
}

// crashed says which subjects lost rows because their worker died or an error
// ended them: what is missing may change what the other sentences would have
// said. The reason of the most rows comes first.
func (v *View) crashed() (out []layout.Answer) {
	var losses []*loss
	for _, r := range v.Rows {
		if r.Status != result.Crashed {
			continue
		}
		i := slices.IndexFunc(losses, func(l *loss) bool { return l.reason == r.Reason && l.returned == r.Returned })
		if i < 0 {
			i = len(losses)
			losses = append(losses, &loss{reason: r.Reason, because: r.Why, returned: r.Returned})
		}
		losses[i].rows = append(losses[i].rows, r)
	}
	slices.SortStableFunc(losses, func(x, y *loss) int { return cmp.Compare(len(y.rows), len(x.rows)) })
	for _, l := range losses {
		a := layout.Answer{Experiment: v.Experiment, Mark: layout.Beware, Short: true, Text: v.lost(l)}
		for _, r := range l.rows {
			a.Evidence = append(a.Evidence, r.ID)
		}
		out = append(out, a)
	}
	return out
}

// lost names who lost rows, and why.
func (v *View) lost(l *loss) layout.Text {
	var who []layout.Text
	for _, name := range Values(l.rows, v.Name, func(*document.Row) bool { return true }) {
		n := 0
		for _, r := range l.rows {
			if v.Name(r) == name {
				n++
			}
		}
		who = append(who, layout.Say("%s (%s)", "%s（%s 行）", name, strconv.Itoa(n)))
	}
	if l.returned {
		return layout.Say("Rows of %s are missing: %s.", "缺少 %s的结果：%s。", JoinWith(who, ", ", "、"), l.because)
	}
	return layout.Say("Rows of %s are missing. The worker crashed: %s.", "缺少 %s的结果。工作进程崩溃：%s。", JoinWith(who, ", ", "、"),
		l.because)
}
