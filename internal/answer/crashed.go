package answer

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/report"
	"github.com/cryptogauge/cryptogauge/result"
)

// crashed says which subjects lost rows because their worker died: what is
// missing may change what the other sentences would have said.
func (v *view) crashed() (out []report.Answer) {
	for _, name := range values(v.rows, v.name, func(r *report.Row) bool { return r.Status == result.Crashed }) {
		var evidence []string
		reason := ""
		for _, r := range v.rows {
			if v.name(r) == name && r.Status == result.Crashed {
				evidence, reason = append(evidence, r.ID), r.Reason
			}
		}
		out = append(out, report.Answer{Experiment: v.experiment, Mark: report.Beware, Short: true, Evidence: evidence,
			Text: say("Rows of %s are missing (%s): the worker crashed; the last time %s.", "缺少 %s 的 %s 行结果：工作进程崩溃，最近一次的原因：%s。",
				name, strconv.Itoa(len(evidence)), reason)})
	}
	return out
}
