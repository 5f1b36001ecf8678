package answer

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// asked says whether a run was to answer a question: a suite asks all of them, and other
// runs are named after theirs.
func (q Question) asked(suite string) bool {
	return !q.Verb && (suite == "quick" || suite == "full") || slices.Contains(strings.Split(suite, "+"), q.Name)
}

// unmeasured says why a question has no rows of libraries.
func unmeasured(d *document.Document, experiment string) layout.Text {
	var lacking []string
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Experiment == experiment && r.Missing() {
			lacking = append(lacking, r.Library)
		}
	}
	switch {
	case len(lacking) > 0:
		return layout.Say("not measured: %s could not be opened", "未测量：无法打开 %s", layout.Text{EN: strings.Join(once(lacking), ", "), ZH: strings.Join(once(lacking), "、")})
	case d.Partial:
		return layout.Text{EN: "not measured: the run ended before", ZH: "未测量：运行提前结束"}
	}
	for _, l := range d.Libraries {
		if l.Missing != "" {
			lacking = append(lacking, l.Library)
		}
	}
	if len(lacking) > 0 {
		return layout.Say("not measured: no library that is here offers it; missing: %s", "未测量：本机现有的密码库均不提供；缺少：%s",
			layout.Text{EN: strings.Join(once(lacking), ", "), ZH: strings.Join(once(lacking), "、")})
	}
	return layout.Text{EN: "not measured: nothing that was selected belongs to this question", ZH: "未测量：所选范围内没有属于该问题的测试项"}
}
