package answer

import (
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// fewBlocks says why an experiment gives no verdict although it was measured:
// its blocks are too few for intervals on all headline comparisons at once, or
// for any number at all. It is nil where that is not so. Narrowing are the flags
// by which the experiment may be asked for less.
func (v *view) fewBlocks(narrowing []string) *layout.Answer {
	if a := v.noNumbers(narrowing); a != nil {
		return a
	}
	var evidence []string
	most, need := 0, 0
	for _, c := range v.doc.Comparisons {
		if !c.Headline || v.byID[c.Base] == nil {
			continue
		}
		if c.Low != nil {
			return nil
		}
		evidence = append(evidence, c.ID)
		most, need = max(most, c.Blocks), stat.MinBlocks(c.Level)
	}
	if len(evidence) == 0 || most >= need {
		return nil
	}
	return &layout.Answer{Experiment: v.experiment, Mark: layout.Unclear, Short: true, Evidence: evidence,
		Text: say("No verdicts: the comparisons have %s, and %s together need %s. %s",
			"没有判定结果：各项比较只有 %s，而 %s 合计需要 %s 个。%s",
			blocks(most), headlines(len(evidence)), strconv.Itoa(need), furtherBlocks(narrowing))}
}

// rowLevel is the confidence level of a row's interval.
const rowLevel = 0.99

// noNumbers says why not one row of an experiment has a number: the run ended, or
// was to end, before there were blocks enough for an interval. Scenarios are shown
// without one, and compared with nothing.
func (v *view) noNumbers(narrowing []string) *layout.Answer {
	var evidence []string
	most, need := 0, stat.MinBlocks(rowLevel)
	head := layout.Text{EN: "No numbers: the rows have", ZH: "没有数值结果：各行只测得"}
	for _, r := range v.rows {
		if r.Withheld() {
			continue
		}
		if r.Loop == "scenario" {
			if r.Status == result.OK {
				head = layout.Text{EN: "No verdicts: the rows that would be compared have", ZH: "没有判定结果：待比较的各行只测得"}
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
	if len(evidence) == 0 {
		return nil
	}
	return &layout.Answer{Experiment: v.experiment, Mark: layout.Unclear, Short: true, Evidence: evidence,
		Text: say("%s %s, and an interval takes %s. %s", "%s %s，而置信区间需要 %s 个。%s",
			head, blocks(most), strconv.Itoa(need), furtherBlocks(narrowing))}
}

// furtherBlocks says what to do where blocks are too few.
func furtherBlocks(narrowing []string) layout.Text {
	last := len(narrowing) - 1
	most := layout.Text{EN: strings.Join(narrowing[:last], ", "), ZH: strings.Join(narrowing[:last], "、")}
	flags := say("%s or %s", "%s 或 %s", most, narrowing[last])
	return say("Let it run longer, with a greater --budget or --blocks if these were given, or narrow the run with %s.",
		"请延长运行时间（如已指定 --budget 或 --blocks，请增大），或用 %s 缩小范围。", flags)
}

// blocks counts them: "1 block", "5 blocks".
func blocks(n int) layout.Text {
	if n == 1 {
		return layout.Text{EN: "1 block", ZH: "1 个区组"}
	}
	return say("%s blocks", "%s 个区组", strconv.Itoa(n))
}

// headlines counts headline comparisons.
func headlines(n int) layout.Text {
	if n == 1 {
		return layout.Text{EN: "the headline comparison", ZH: "1 项主要比较"}
	}
	return say("%s headline comparisons", "%s 项主要比较", strconv.Itoa(n))
}
