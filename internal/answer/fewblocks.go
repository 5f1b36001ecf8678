package answer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// fewBlocks says why an experiment gives no verdict although it was measured:
// its blocks are too few for the interval that a verdict takes, or for any number
// at all. It is nil where that is not so. Narrowing are the flags
// by which the experiment may be asked for less.
func (v *View) fewBlocks(narrowing []string) *layout.Answer {
	if a := v.noNumbers(narrowing); a != nil {
		return a
	}
	var evidence []string
	most, level, need := 0, 0.0, stat.MinBlocks(stat.RowLevel)
	for _, c := range v.Doc.Comparisons {
		if !c.Headline || v.ByID[c.Base] == nil {
			continue
		}
		if c.Level >= stat.RowLevel {
			return nil
		}
		evidence = append(evidence, c.ID)
		most, level = max(most, c.Blocks), max(level, c.Level)
	}
	if len(evidence) == 0 || most >= need {
		return nil
	}
	if v.Doc.Partial { // its head says how many blocks there are
		return cutShort(layout.Text{EN: "No verdicts.", ZH: "未能得出判定。"}, layout.Text{EN: "A verdict", ZH: "判定"}, need, evidence)
	}
	enough := layout.Text{}
	if level > 0 {
		percent := strconv.FormatFloat(100*level, 'g', 4, 64)
		enough = layout.Say(", enough for intervals at %s %%", "，只够给出 %s%% 置信区间", percent)
	}
	return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
		Text: layout.Say("No verdicts. %[3]s Each comparison has %[1]s (worker restarts)%[4]s; a verdict takes at least %[2]d.",
			"未能得出判定。%[3]s每项比较只有 %[1]s（每个数据组重启一次工作进程）%[4]s；至少 %[2]d 个才能判定。",
			counted(most, "block", "数据组", "个"), need, furtherBlocks(narrowing), enough)}
}

// noNumbers says why not one row of an experiment has a number: the run ended, or
// was to end, before there were blocks enough for an interval. Scenarios are shown
// without one, and compared with nothing.
func (v *View) noNumbers(narrowing []string) *layout.Answer {
	var evidence []string
	most, need := 0, stat.MinBlocks(stat.LeastLevel)
	head := layout.Text{EN: "No numbers.", ZH: "没有数值。"}
	for _, r := range v.Rows {
		if r.Withheld() {
			continue
		}
		if r.Loop == "scenario" {
			if r.Status == result.OK {
				head = layout.Text{EN: "No verdicts.", ZH: "未能得出判定。"}
			}
			continue
		}
		if r.Status == result.OK || r.Status == result.Unstable && r.Blocks >= need {
			return nil
		}
		if r.Status == result.Unstable {
			evidence = append(evidence, r.ID)
			most = max(most, r.Blocks)
		}
	}
	switch {
	case len(evidence) == 0:
		return nil
	case v.Doc.Partial:
		return cutShort(head, layout.Text{EN: "An interval", ZH: "置信区间"}, need, evidence)
	}
	return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
		Text: layout.Say("%[1]s %[4]s The rows have at most %[2]s (worker restarts); an interval takes at least %[3]d.",
			"%[1]s%[4]s各行至多 %[2]s（每个数据组重启一次工作进程），置信区间至少需要 %[3]d 个。",
			head, counted(most, "block", "数据组", "个"), need, furtherBlocks(narrowing))}
}

// furtherBlocks says what to do where blocks are too few.
func furtherBlocks(narrowing []string) layout.Text {
	last := len(narrowing) - 1
	most := layout.Text{EN: strings.Join(narrowing[:last], ", "), ZH: strings.Join(narrowing[:last], "、")}
	return layout.Say("Run longer (raise --budget or --blocks if you set one), or measure less with %s or %s.",
		"请延长运行时间（若指定过 --budget 或 --blocks，请调大），或用 %s 或 %s 减少测量项。", most, narrowing[last])
}

// cutShort says of a run that was cut short what it lacks for that.
func cutShort(head, what layout.Text, need int, evidence []string) *layout.Answer {
	return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
		Text: layout.Say("%s %s %s takes at least %d blocks (worker restarts).", "%s%s%s至少需要 %d 个数据组（每个数据组重启一次工作进程）。", head, toItsEnd, what, need)}
}

// toItsEnd is what to do where a run was cut short.
var toItsEnd = layout.Text{EN: "The run was cut short: run it again, to its end.", ZH: "运行被提前中断：请重新运行并等待其结束。"}

// counted counts things: "1 block", "5 blocks".
func counted(n int, en, zh, measure string) layout.Text {
	if n != 1 {
		en += "s"
	}
	return layout.Text{EN: fmt.Sprintf("%d %s", n, en), ZH: fmt.Sprintf("%d %s%s", n, measure, zh)}
}
