package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/stat"
)

// verdictText names a verdict.
var verdictText = map[Verdict]layout.Text{
	Holds:         {EN: "holds", ZH: "成立"},
	Contradicted:  {EN: "contradicted", ZH: "不成立"},
	Undecided:     {EN: "undecided", ZH: "未能判定"},
	Impossible:    {EN: "impossible", ZH: "不可能"},
	NotMeasurable: {EN: "not measurable here", ZH: "此处无法测量"},
}

// marks are the signs before statements.
var marks = map[Verdict]layout.Mark{Holds: layout.Choose, Contradicted: layout.Stop, Impossible: layout.Stop, Undecided: layout.Unclear, NotMeasurable: layout.Plain}

// show prints a quantity of a unit.
func show(u statement.Unit) func(float64) string {
	switch u {
	case statement.Nanoseconds:
		return layout.FormatTime
	case statement.BytesPerSecond:
		return layout.FormatRate
	case statement.PerSecond:
		return func(x float64) string { return layout.FormatNumber(x) + " op/s" }
	case statement.Bytes:
		return func(x float64) string { return layout.FormatSI(x, "B", "kB", "MB", "GB", "TB") }
	}
	return answer.Factor
}

// show prints the quantity: CPUs as a number, not as a ratio.
func (f Found) show() func(float64) string {
	if f.What == cpusTaken {
		return layout.FormatNumber
	}
	return show(f.Asked.Unit)
}

// asked is the range in words.
func (f Found) asked() layout.Text {
	r, show := f.Asked, f.show()
	switch {
	case math.IsInf(r.High, 1):
		return layout.Say("at least %s", "至少 %s", show(r.Low))
	case r.Low == 0:
		return layout.Say("at most %s", "至多 %s", show(r.High))
	}
	return layout.Same(answer.Span(r.Low, r.High, show))
}

// value is what was found, with its interval.
func (f Found) value() layout.Text {
	show := f.show()
	if f.Low == nil || f.High == nil {
		return layout.Say("%s (too few blocks for an interval)", "%s（数据组太少，没有置信区间）", show(f.Value))
	}
	interval := answer.Span(*f.Low, *f.High, show)
	if f.Level > 0 && f.Level < stat.RowLevel {
		return layout.Say("%s (%s at %s confidence)", "%s（%s，置信水平 %s）", show(f.Value), interval, percent(f.Level))
	}
	return layout.Say("%s (%s)", "%s（%s）", show(f.Value), interval)
}

// percent is a level, rounded down.
func percent(level float64) string { return fmt.Sprintf("%g %%", math.Floor(1000*level)/10) }

// quantity is what was found, as a sentence that begins with it.
func (v *Judged) quantity(f Found) layout.Text {
	switch {
	case v.Kind == statement.Ratio && v.Direction == statement.Slower:
		return layout.Say("it takes %s times as long", "耗时是对方的 %s 倍", f.value())
	case v.Kind == statement.Ratio:
		return layout.Say("it is %s times as fast", "速度是对方的 %s 倍", f.value())
	case f.What == "time":
		return layout.Say("it takes %s", "耗时 %s", f.value())
	case v.Kind == statement.Latency:
		return layout.Say("at %d arrivals a second the p99 is %s", "每秒到达 %d 次时，p99 为 %s", v.At, f.value())
	case f.What == cpusTaken:
		return layout.Say("it takes %s vCPU", "需 %s 个 vCPU", f.value())
	case v.Kind == statement.Plan:
		return layout.Say("the p99 of a transaction is %s", "事务的 p99 为 %s", f.value())
	case f.What == "rate":
		return layout.Say("it does %s", "速率 %s", f.value())
	}
	return layout.Say("%s is %s", "%s 为 %s", f.What, f.value())
}

// beside says by how much a quantity misses its range where the figures, as they are shown, don't tell.
func (f Found) beside() layout.Text {
	end, bound := *f.Low, f.Asked.High
	if *f.High < f.Asked.Low {
		end, bound = *f.High, f.Asked.Low
	}
	if show := f.show(); bound == 0 || show(end) != show(bound) {
		return layout.Text{}
	}
	return layout.Say(" (by %s %% at least)", "（至少相差 %s%%）", fmt.Sprintf("%.2g", 100*math.Abs(end/bound-1)))
}

// directions are what a ratio claims without a range.
var directions = map[statement.Direction]layout.Text{statement.Faster: {EN: "faster", ZH: "更快"},
	statement.Slower: {EN: "slower", ZH: "更慢"}, statement.Same: {EN: "as fast", ZH: "同样快"}}

// words say what is true, beside what is stated where that is not so.
func (v *Judged) words() layout.Text {
	var all []layout.Text
	for _, f := range v.Found {
		q, want := v.quantity(f), f.asked()
		direction := v.Kind == statement.Ratio && len(v.Bounds) == 0
		if direction {
			want = directions[v.Direction]
		}
		switch f.verdict() {
		case Contradicted:
			q = layout.Say("%s, not %s%s", "%s，而非 %s%s", q, want, f.beside())
			if direction {
				q = layout.Say("%s, so not %s", "%s，并非%s", v.quantity(f), want)
			}
		case Undecided:
			q = layout.Say("%s; stated: %s", "%s；声明为 %s", q, want)
		}
		all = append(all, q)
	}
	if v.claimed != nil {
		all = append(all, v.claimed.text)
	}
	text := answer.Semicolons(all)
	if v.Verdict == Undecided && slices.ContainsFunc(v.Found, func(f Found) bool { return f.verdict() == Undecided }) {
		text = layout.Say("%s. %s", "%s。%s", text, v.more())
	}
	return text
}

// moreTime is what helps where there are too few blocks for an interval.
func (v *Judged) moreTime() layout.Text {
	if v.reused {
		return layout.Text{EN: "Without --run it is measured anew", ZH: "不带 --run 则重新测量"}
	}
	return layout.Text{EN: "Give more time with --budget", ZH: "请用 --budget 给更多时间"}
}

// more is what would decide a statement.
func (v *Judged) more() layout.Text {
	if slices.ContainsFunc(v.Found, func(f Found) bool { return f.Low == nil || f.High == nil }) {
		return v.moreTime()
	}
	if v.Budget == 0 {
		return layout.Text{EN: "A longer run would hardly decide it: the end of the range lies too near what is measured",
			ZH: "延长测量也难以判定：声明的界限与测得值过于接近"}
	}
	if v.reused {
		return layout.Say("Without --run and with --budget %s it is measured in more blocks, which would decide it on an idle machine",
			"不带 --run、以 --budget %s 现测，数据组更多，在空闲机器上可判定", rounded(v.Budget))
	}
	return layout.Say("This run took %s of the %s that it was given; a run with --budget %s takes about %s, and would decide it on an idle machine",
		"本次限时 %[2]s，用时 %[1]s；以 --budget %[3]s 重测约需 %[4]s，在空闲机器上可判定", document.AboutSeconds(v.Took),
		document.AboutSeconds(v.Given.Seconds()), rounded(v.Budget), document.AboutSeconds(v.Took+v.Longer))
}

// rounded is a time to two figures at the most, rounded up, as it is typed.
func rounded(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%ds", max(1, int(math.Ceil(d.Seconds()))))
	case d < time.Minute:
		return fmt.Sprintf("%ds", 5*int(math.Ceil(d.Seconds()/5)))
	case d < 10*time.Minute:
		const step = 15 * time.Second
		return strings.Replace(((d + step - 1) / step * step).String(), "m0s", "m", 1)
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(math.Ceil(d.Minutes())))
	}
	return fmt.Sprintf("%dh", int(math.Ceil(d.Hours())))
}

// Usual is the time that a run is given where nobody says otherwise.
const Usual = time.Minute

// Blocks are as many as a time is worth: as many more than usual as it is longer.
func Blocks(budget time.Duration) int {
	const most = 1000
	return min(most, max(Form.Blocks, int(float64(Form.Blocks)*float64(budget)/float64(Usual))))
}
