package answer

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Compare returns the declared comparison of two rows with an interval, or nil.
func (v *View) Compare(base, other *document.Row) *document.Comparison {
	if c := v.Declared(base, other); c != nil && c.Low != nil && c.High != nil {
		return c
	}
	return nil
}

// Declared returns the declared comparison of two rows, which may have no interval, or nil.
func (v *View) Declared(base, other *document.Row) *document.Comparison {
	if base == nil || other == nil {
		return nil
	}
	return v.Pairs[[2]string{base.ID, other.ID}]
}

// Versus words a comparison of other's speed against base's, by its verdict. It
// reads on after a subject: "is 10.3 times as fast as CBC (10.2–10.4)". What is
// slower by much is worded by its time, which reads better than a small fraction.
func Versus(c *document.Comparison, than layout.Text) layout.Text {
	switch {
	case c.Verdict == "faster" && small(c):
		return layout.Say("is %s %% faster than %s (%s %%)", "比 %[2]s 快 %[1]s%%（%[3]s%%）",
			Percent(c.Ratio), than, Percents(c))
	case c.Verdict == "slower" && small(c):
		return layout.Say("is %s %% slower than %s (%s %%)", "比 %[2]s 慢 %[1]s%%（%[3]s%%）",
			Percent(c.Ratio), than, Percents(c))
	case c.Verdict == "faster":
		return layout.Say("is %s times as fast as %s (%s)", "的速度是 %[2]s 的 %[1]s 倍（%[3]s）",
			Factor(c.Ratio), than, Limits(c))
	case c.Verdict == "slower":
		return layout.Say("takes %s times as long as %s (%s)", "耗时是 %[2]s 的 %[1]s 倍（%[3]s）",
			Factor(1/c.Ratio), than, LimitsSlower(c))
	case c.Verdict == "same":
		return layout.Say("is as fast as %s (within 0.5 %%)", "与 %s 一样快（差异在 0.5%% 以内）", than)
	case leansFaster(c):
		return layout.Say("is about %s times as fast as %s (%s, %s)", "的速度约是 %[2]s 的 %[1]s 倍（%[3]s，%[4]s）",
			Factor(c.Ratio), than, Limits(c), Open(c))
	case leansSlower(c):
		return layout.Say("takes about %s times as long as %s (%s, %s)", "耗时约是 %[2]s 的 %[1]s 倍（%[3]s，%[4]s）",
			Factor(1/c.Ratio), than, LimitsSlower(c), Open(c))
	}
	if c.TooBusy() || c.TooFewBlocks() {
		return layout.Say("is not shown to be faster or slower than %s (%s times as fast, %s)",
			"与 %s 相比快慢无法判定（速度比 %s，%s）", than, Limits(c), Open(c))
	}
	return layout.Say("is not shown to be faster or slower than %s (%s times as fast, inconclusive)",
		"与 %s 相比快慢无法判定（速度比 %s）", than, Limits(c))
}

// leansFaster and leansSlower say that no verdict was reached, for too few blocks or on too busy a
// machine, though the whole interval lies to one side: well so, where blocks are few.
func leansFaster(c *document.Comparison) bool {
	return c.Low != nil && (*c.Low > 1.1 || c.TooBusy() && *c.Low > 1)
}
func leansSlower(c *document.Comparison) bool {
	return c.High != nil && (*c.High < 1/1.1 || c.TooBusy() && *c.High < 1)
}

// Open words why a comparison has no verdict.
func Open(c *document.Comparison) layout.Text { return c.VerdictText() }

// Found is a sentence that ends in what a comparison found; nil without one.
func Found(c *document.Comparison, than layout.Text, en, zh string, args ...any) *layout.Answer {
	if c == nil {
		return nil
	}
	text := layout.Say(en, zh, append(args, Versus(c, than))...)
	return &layout.Answer{Mark: MarkOf(c), Evidence: Evidence(c), Text: text}
}

// small says whether a difference reads better in percent than as a factor.
func small(c *document.Comparison) bool { return Abs(c.Ratio-1) < 0.1 }

// Again words only the number of a comparison that reads as one before it does in
// [Versus]; ok is false where it does not.
func Again(before, c *document.Comparison) (number layout.Text, ok bool) {
	switch {
	case before.Verdict != c.Verdict || small(before) != small(c) || !Differs(c):
		return layout.Text{}, false
	case small(c):
		return layout.Say("%s %% (%s %%)", "%s%%（%s%%）", Percent(c.Ratio), Percents(c)), true
	case c.Verdict == "faster":
		return layout.Say("%s times (%s)", "%s 倍（%s）", Factor(c.Ratio), Limits(c)), true
	}
	return layout.Say("%s times (%s)", "%s 倍（%s）", Factor(1/c.Ratio), LimitsSlower(c)), true
}

// Differs says whether a comparison has a verdict that is a difference.
func Differs(c *document.Comparison) bool { return c.Verdict == "faster" || c.Verdict == "slower" }

// Decided says whether there is a comparison with a verdict.
func Decided(c *document.Comparison, verdict string) bool { return c != nil && c.Verdict == verdict }

// AllAre says whether all comparisons have a verdict.
func AllAre(cs []*document.Comparison, verdict string) bool {
	return !slices.ContainsFunc(cs, func(c *document.Comparison) bool { return c.Verdict != verdict })
}

// MarkOf is the mark of a sentence that only tells what comparisons found.
func MarkOf(cs ...*document.Comparison) layout.Mark {
	if AllAre(cs, "inconclusive") {
		return layout.Unclear
	}
	return layout.Plain
}

// Evidence is what a sentence names that rests on comparisons: they and their rows.
func Evidence(cs ...*document.Comparison) (ids []string) {
	for _, c := range cs {
		ids = append(ids, c.ID, c.Base, c.Other)
	}
	return ids
}

// Times words how many times as long base takes as other, whose speed is compared
// with it: the ratio of a comparison that others read as a speed.
func Times(c *document.Comparison) layout.Text {
	return layout.Say("%s (%s) times", "%s 倍（%s）", Factor(c.Ratio), Limits(c))
}

// Prefixed prints a number with the prefix of a million, or from a limit on of a thousand: "547 k", "3.21 M".
func Prefixed(n, thousands float64) string {
	switch {
	case n >= 999.5e3:
		return layout.FormatNumber(n/1e6) + " M"
	case n >= thousands:
		return layout.FormatNumber(n/1e3) + " k"
	}
	return layout.FormatNumber(n)
}

// Figures is the ratio of Times for a table: the number and its interval.
func Figures(c *document.Comparison) string { return Factor(c.Ratio) + " (" + Limits(c) + ")" }

// Factor prints a speed ratio to the precision that it has meaning in.
func Factor(x float64) string {
	if 0.905 < x && x < 1.095 {
		return fmt.Sprintf("%.3f", x)
	}
	return layout.Fixed(x, 99.5, 9.95)
}

// Limits prints a comparison's interval as factors, and LimitsSlower turned round.
func Limits(c *document.Comparison) string       { return Interval(*c.Low, *c.High) }
func LimitsSlower(c *document.Comparison) string { return Interval(1/(*c.High), 1/(*c.Low)) }

// Interval prints the ends of an interval as factors.
func Interval(low, high float64) string { return Factor(low) + "–" + Factor(high) }

// Percent prints how far a ratio is from 1.
func Percent(ratio float64) string { return fmt.Sprintf("%.1f", 100*Abs(ratio-1)) }

// Percents prints an interval as a difference in percent, the nearer end first.
func Percents(c *document.Comparison) string {
	if c.Ratio >= 1 {
		return Percent(*c.Low) + "–" + Percent(*c.High)
	}
	return Percent(*c.High) + "–" + Percent(*c.Low)
}

// Span prints an interval as show prints its ends: "1.20–1.31 ms", "4–6 %".
func Span(low, high float64, show func(float64) string) string {
	return layout.FormatRange(low, high, "–", show)
}

// Ranged words a metric with its interval, where it has one that can be seen.
func Ranged(m document.Metric, show func(float64) string) layout.Text {
	value := show(m.Value)
	if m.Low == nil || m.High == nil || show(*m.Low) == show(*m.High) {
		return layout.Same(value)
	}
	return layout.Say("%s (%s)", "%s（%s）", value, Span(*m.Low, *m.High, show))
}

// MetricTime is Ranged of a time.
func MetricTime(m document.Metric) layout.Text { return Ranged(m, layout.FormatTime) }

func Abs(x float64) float64 { return max(x, -x) }
