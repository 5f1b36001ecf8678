package compare

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// caseName names a case: "SM4-CBC decryption, 1 KiB".
func caseName(c result.Case) layout.Text {
	name := layout.Same(c.Name())
	if c.Operation != algorithm.Bench && c.Operation != "" {
		name = layout.Say("%s %s", "%s %s", name, answer.Operation(c.Operation))
	}
	parts := []layout.Text{name, layout.Same(c.Parameters)}
	if c.Bytes > 0 {
		parts = append(parts, layout.Same(layout.FormatSize(c.Bytes)))
	}
	return layout.Listed(parts)
}

func (j Judged) name() layout.Text { return caseName(j.row().Info.Case) }

// speed is the speed of the side beside the first, with its interval: "1.62 (1.60–1.65)".
func speed(c *document.Comparison) layout.Cell {
	switch {
	case c == nil:
		return answer.Dash()
	case c.Low == nil || c.High == nil:
		return answer.TextCell(answer.Factor(c.Ratio))
	}
	return answer.TextCell(answer.Figures(c))
}

// much words a difference: "1.62 times as fast (1.60–1.65)", "2.1 % slower (1.5–2.7 %)".
func much(c *document.Comparison) layout.Text {
	if c == nil {
		return tooFew
	}
	switch small := answer.Abs(c.Ratio-1) < smallDifference; {
	case fewBlocks(c):
		return layout.Say("about %s times as fast; %s", "速度约为 %s 倍；%s", answer.Factor(c.Ratio), tooFew)
	case small && c.Ratio < 1:
		return layout.Say("%s %% slower (%s %%)", "慢 %s%%（%s%%）", answer.Percent(c.Ratio), answer.Percents(c))
	case small:
		return layout.Say("%s %% faster (%s %%)", "快 %s%%（%s%%）", answer.Percent(c.Ratio), answer.Percents(c))
	case c.Ratio < 1:
		return layout.Say("%s times as long (%s)", "耗时为 %s 倍（%s）", answer.Factor(1/c.Ratio), answer.LimitsSlower(c))
	}
	return layout.Say("%s times as fast (%s)", "速度为 %s 倍（%s）", answer.Factor(c.Ratio), answer.Limits(c))
}

// tooFew says why a comparison has no verdict that more time would give it.
var tooFew = layout.Text{EN: "too few blocks for a verdict", ZH: "数据组太少，不足以判定"}

// fewBlocks says that nothing is decided of a comparison for lack of blocks, whatever its interval is.
func fewBlocks(c *document.Comparison) bool {
	return c == nil || c.Low == nil || c.High == nil || c.Level < leastLevel
}

// few says of a case that it is undecided for lack of blocks.
func (j Judged) few() bool { return j.State == Undecided && fewBlocks(j.Comparison) }

// smallDifference is up to where percent read better than factors.
const smallDifference = 0.1

// within is the difference beyond which none was seen.
func within(c *document.Comparison) string {
	return layout.FormatShare(max(*c.High-1, 1-*c.Low, stat.Margin))
}

// beyond is the tolerance in words.
func (v *sidesView) beyond() string { return strconv.FormatFloat(100*v.tolerance, 'g', 3, 64) + " %" }

// verdicts are the words of states of which there is no more to say.
var verdicts = map[State]layout.Text{
	Differs:     {EN: "outputs differ", ZH: "输出不同"},
	Wrong:       {EN: "wrong output", ZH: "输出错误"},
	Regressed:   {EN: "slower, confirmed", ZH: "更慢，复测确认"},
	Unconfirmed: {EN: "slower once, not confirmed", ZH: "一次更慢，复测未确认"},
	Unrepeated:  {EN: "slower, not repeated", ZH: "更慢，未复测"},
	Same:        {EN: "same", ZH: "相当"},
	Skipped:     {EN: "skips on both sides", ZH: "双方均跳过"},
	Faster:      {EN: "faster", ZH: "更快"},
}

// verdict words how a case ends.
func (v *sidesView) verdict(j Judged) layout.Text {
	switch j.State {
	case Lost:
		return lost(j)
	case Undecided:
		if j.few() {
			return tooFew
		}
		if answer.Decided(j.Comparison, string(stat.Slower)) {
			return layout.Say("slower; by %s or less is undecided", "更慢；是否在 %s 以内未能判定", v.beyond())
		}
		return layout.Text{EN: "undecided", ZH: "未能判定"}
	case Slower:
		return layout.Say("slower, by less than %s", "更慢，不到 %s", v.beyond())
	case Close:
		if j.wide() {
			return layout.Say("not slower by more than %s", "未慢 %s 以上", v.beyond())
		}
		return layout.Say("no difference (±%s)", "未见差异（±%s）", within(j.Comparison))
	case Only:
		return v.only(j)
	}
	return verdicts[j.State]
}

// lost says which side has no number, and how it ended there.
func lost(j Judged) layout.Text {
	for _, r := range []*document.Row{j.Base, j.Other} {
		if r.Status != result.OK {
			return r.StatusText()
		}
	}
	return layout.Text{EN: "not compared", ZH: "未作比较"}
}

// only names the side that alone has the case.
func (v *sidesView) only(j Judged) layout.Text {
	has := func(r *document.Row) bool { return r != nil && r.Status != result.Unsupported }
	switch {
	case has(j.Base):
		return layout.Say("only in %s", "仅 %s 有", v.of(v.first()).short)
	case has(j.Other):
		return layout.Say("only in %s", "仅 %s 有", v.of(j.Side).short)
	}
	return layout.Text{EN: "in neither", ZH: "均不支持"}
}

// counted counts cases: "1 case", "12 cases".
func counted(n int) layout.Text { return document.Counted(n, "%d case", "%d cases", "%d 项") }
