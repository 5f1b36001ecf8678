package answer

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// What [Add] puts before a question's own answers: why there are none, what is missing, and what is to be minded.

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
	for _, c := range v.Headlines() {
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
			blocks(most), need, furtherBlocks(narrowing), enough)}
}

// noNumbers says why not one row of an experiment has a number: the run ended, or
// was to end, before there were blocks enough for an interval. Scenarios are shown
// without one, and compared with nothing.
func (v *View) noNumbers(narrowing []string) *layout.Answer {
	var evidence []string
	most, need := 0, stat.MinBlocks(stat.LeastLevel)
	head := layout.Text{EN: "No numbers.", ZH: "没有数值。"}
	for _, r := range v.Rows {
		if r.Withheld {
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
			head, blocks(most), need, furtherBlocks(narrowing))}
}

func furtherBlocks(narrowing []string) layout.Text {
	last := len(narrowing) - 1
	return layout.Say("Run longer (raise --budget or --blocks if you set one), or measure less with %s or %s.",
		"请延长运行时间（若指定过 --budget 或 --blocks，请调大），或用 %s 或 %s 减少测量项。",
		namesOf(narrowing[:last]), narrowing[last])
}

// cutShort says of a run that was cut short what it lacks for that.
func cutShort(head, what layout.Text, need int, evidence []string) *layout.Answer {
	return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
		Text: layout.Say("%s %s %s takes at least %d blocks (worker restarts).", "%s%s%s至少需要 %d 个数据组（每个数据组重启一次工作进程）。", head, toItsEnd, what, need)}
}

var toItsEnd = layout.Text{EN: "The run was cut short: run it again, to its end.", ZH: "运行被提前中断：请重新运行并等待其结束。"}

func blocks(n int) layout.Text {
	return document.Counted(n, "%d block", "%d blocks", "%d 个数据组")
}

// grave are the weaknesses of which no number is shown without a sentence that says them, whatever
// part of a question was measured.
var grave = []algorithm.Weakness{algorithm.EqualBlocks, algorithm.BrokenMD5, algorithm.BrokenSHA1, algorithm.ShortKey, algorithm.PaddingOracle}

// Caution notes that a sentence of the question says weaknesses, where there is such a sentence,
// and returns it.
func (v *View) Caution(said *layout.Answer, of ...algorithm.Weakness) *layout.Answer {
	if said != nil {
		v.cautioned = append(v.cautioned, of...)
	}
	return said
}

// cautions says the grave weaknesses of what has a number that no other sentence says.
func (v *View) cautions() *layout.Answer {
	var said Clauses
	for _, w := range grave {
		row := v.First(func(r *document.Row) bool { return r.Status == result.OK && slices.Contains(r.Weaknesses(), w) })
		if row != nil && !slices.Contains(v.cautioned, w) {
			said.Add(document.SecurityNote(w), row.ID)
		}
	}
	return Short(said.Sentence(layout.Beware, "%s.", "%s。", layout.JoinWith(said.Parts, ". ", "。")))
}

// crashed says which subjects lost rows because their worker died or an error
// ended them: what is missing may change what the other sentences would have
// said. The reason of the most rows comes first.
func (v *View) crashed() (out []layout.Answer) {
	type loss struct {
		reason   string
		returned bool
	}
	losses := document.Grouped(v.Select(func(r *document.Row) bool { return r.Status == result.Crashed }),
		func(r *document.Row) loss { return loss{r.Reason, r.Returned} })

	slices.SortStableFunc(losses, func(x, y []*document.Row) int { return cmp.Compare(len(y), len(x)) })
	for _, rows := range losses {
		who := document.Mapped(document.Grouped(rows, v.Name), func(lost []*document.Row) layout.Text {
			return layout.Say("%s (%d)", "%s（%d 行）", v.Name(lost[0]), len(lost))
		})
		en, zh := "Rows of %s are missing. The worker crashed: %s.", "缺少 %s的结果。工作进程崩溃：%s。"
		if rows[0].Returned {
			en, zh = "Rows of %s are missing: %s.", "缺少 %s的结果：%s。"
		}
		out = append(out, layout.Answer{Mark: layout.Beware, Short: true, Evidence: IDs(rows),
			Text: layout.Say(en, zh, List(who), rows[0].Why)})
	}
	return out
}

// asked says whether a run was to answer a question: a suite asks all of them, and other
// runs are named after theirs.
func (q Question) asked(suite string) bool {
	return !q.Verb && (suite == "quick" || suite == "full") || slices.Contains(strings.Split(suite, "+"), q.Name)
}

// unmeasured says why a question has no rows of libraries.
func unmeasured(d *document.Document, experiment string) layout.Text {
	var lacking []string
	for _, r := range d.Rows {
		if r.Experiment == experiment && r.Missing() {
			lacking = append(lacking, r.Library)
		}
	}
	switch {
	case len(lacking) > 0:
		return layout.Say("not measured: %s could not be opened", "未测量：无法打开 %s", namesOf(once(lacking)))
	case d.Partial:
		return layout.Text{EN: "not measured: the run ended before", ZH: "未测量：运行提前结束"}
	}
	for _, l := range d.Libraries {
		if l.Missing != "" {
			lacking = append(lacking, l.Library)
		}
	}
	if len(lacking) > 0 {
		return layout.Say("not measured: no library that is here offers it; missing: %s",
			"未测量：本机现有的密码库均不提供；缺少：%s", namesOf(once(lacking)))
	}
	return layout.Text{EN: "not measured: nothing that was selected belongs to this question", ZH: "未测量：所选范围内没有属于该问题的测试项"}
}

// versions says, of each library that is in the run in two versions, in how many
// cases the later one is faster, and where they differ most.
func (v *View) versions() (out []layout.Answer) {
	found := Select(v.Comparisons, func(c *document.Comparison) bool {
		base, other := v.ByID[c.Base], v.ByID[c.Other]
		return base.Library == other.Library && base.Version != other.Version && base.CallPath == other.CallPath
	})
	for _, cs := range document.Grouped(found, func(c *document.Comparison) [2]string {
		return [2]string{v.ByID[c.Base].Who(), v.ByID[c.Other].Who()}
	}) {
		out = append(out, v.between(cs))
	}
	return out
}

func (v *View) between(cs []*document.Comparison) layout.Answer {
	counts := map[string]int{}
	a := layout.Answer{Mark: layout.Plain}
	var most *document.Comparison
	for _, c := range cs {
		counts[c.Verdict]++
		a.Evidence = append(a.Evidence, c.ID)
		if Differs(c) && (most == nil || math.Abs(math.Log(c.Ratio)) > math.Abs(math.Log(most.Ratio))) {
			most = c
		}
	}
	if counts["slower"] > 0 {
		a.Mark = layout.Beware
	}
	cases := document.Counted(len(cs), "%d case", "%d cases", "%d 项")
	base, other := v.ByID[cs[0].Base].Who(), v.ByID[cs[0].Other].Who()
	a.Text = layout.Say("%s compared with %s, in %s: faster in %d, slower in %d, equal in %d, inconclusive in %d.",
		"%s 与 %s 相比，共 %s：%d 项更快，%d 项更慢，%d 项相当，%d 项无法判定。",
		other, base, cases, counts["faster"], counts["slower"], counts["same"], counts["inconclusive"])
	if most != nil && most.Low != nil && most.High != nil {
		r := v.ByID[most.Other]
		in := Join([]layout.Text{layout.Same(CaseName(r.Algorithm, r.Mode)), Operation(r.Operation)})
		if size := length(r); size != (layout.Text{}) {
			in = Join([]layout.Text{in, size})
		}
		a.Text = layout.Say("%s The largest difference is in %s: %s as fast as %s.",
			"%[1]s差别最大的是 %[2]s：速度为 %[4]s 的 %[3]s。", a.Text, in, Times(most), base)
	}
	return a
}
