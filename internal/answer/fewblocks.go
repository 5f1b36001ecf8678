package answer

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/report"
	"github.com/cryptogauge/cryptogauge/stat"
)

// fewBlocks says why an experiment gives no verdict although it was measured:
// its blocks are too few for intervals on all headline comparisons at once. It is
// nil where that is not so.
func (v *view) fewBlocks() *report.Answer {
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
	return &report.Answer{Experiment: v.experiment, Mark: report.Unclear, Short: true, Evidence: evidence,
		Text: say("No verdicts: %s blocks were measured, and %s headline comparisons together need %s. Give more --budget or --blocks, or narrow the run with --sizes, --modes or --libraries.",
			"没有判定结果：只测得 %s 个区组，而 %s 项主要比较合计需要 %s 个。请增大 --budget 或 --blocks，或用 --sizes、--modes、--libraries 缩小范围。",
			strconv.Itoa(most), strconv.Itoa(len(evidence)), strconv.Itoa(need))}
}
