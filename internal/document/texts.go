package document

import (
	"github.com/cryptogauge/cryptogauge/result"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

var (
	wordWithheld = layout.Text{EN: "withheld", ZH: "不予列出"}
	wordFailed   = layout.Text{EN: "error", ZH: "出错"}
)

var trustWords = map[string]layout.Text{
	TrustGood: {EN: "high", ZH: "高"},
	TrustFair: {EN: "medium", ZH: "中"},
	TrustPoor: {EN: "low", ZH: "低"},
}

var statusWords = map[result.Status]layout.Text{
	result.OK:          {EN: "ok", ZH: "正常"},
	result.Incorrect:   {EN: "incorrect", ZH: "结果错误"},
	result.Unsupported: {EN: "unsupported", ZH: "不支持"},
	result.Crashed:     {EN: "crashed", ZH: "崩溃"},
	result.Unstable:    {EN: "unstable", ZH: "不稳定"},
}

var verdictWords = map[string]layout.Text{
	"faster":       {EN: "faster", ZH: "更快"},
	"slower":       {EN: "slower", ZH: "更慢"},
	"same":         {EN: "same", ZH: "等效"},
	"inconclusive": {EN: "inconclusive", ZH: "无法判定"},
}

// StatusText names how the row ended.
func (r *Row) StatusText() layout.Text {
	switch {
	case r.Hidden:
		return wordWithheld
	case r.Returned:
		return wordFailed
	}
	if t, ok := statusWords[r.Status]; ok {
		return t
	}
	return layout.Same(string(r.Status))
}

// VerdictText names a verdict, "faster" for one.
func VerdictText(verdict string) layout.Text {
	if t, ok := verdictWords[verdict]; ok {
		return t
	}
	return layout.Same(verdict)
}

// LevelText names the level of trust.
func (t Trust) LevelText() layout.Text {
	if w, ok := trustWords[t.Level]; ok {
		return w
	}
	return layout.Text{EN: "unknown", ZH: "未知"}
}
