package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// mostConfidenceLines is how many lines it takes where there is little room.
const mostConfidenceLines = 2

// head draws the lines that stand above everything: which machine, how far the run can be
// believed, and which code computed something wrongly. Of so many wrong codes it is said how, and
// confidence takes few lines; 0 is as many as there are.
func (p *painter) head(d *document.Document, mostReasons int) []string {
	label := 0
	for _, word := range []layout.Text{wordMachine, wordConfidence, wordWrong, wordMissing, wordObjects, wordLeftOut} {
		label = max(label, Width(p.say(word))+1)
	}
	name := func(t layout.Text) string { return p.bold(p.say(t)) + spaces(label-Width(p.say(t))) }

	// What tells one run from another stands behind the machine, or, where that would take a second
	// line, behind confidence, whose line is to be the second.
	machine, run := p.machine(d, p.Width-label), p.runFacts(d)
	if one := machine + " · " + run; label+Width(one) <= p.Width {
		machine, run = one, ""
	}
	lines := hang(name(wordMachine), label, machine, p.Width)
	if p.thrift >= briefHead {
		lines = p.within(1, name(wordMachine), label, machine)
	}
	// One blank behind the word, whatever the other labels are: other programs look for the two together.
	level := p.say(wordConfidence) + " " + p.say(d.Trust.LevelText())
	var said, facts []string
	for reasons := len(d.Trust.Reasons); reasons >= 0; reasons-- {
		said = slices.Concat([]string{level}, p.confidence(d, reasons), some(run))
		facts = hang("", label, strings.Join(said, " · "), p.Width)
		if reasons <= 1 || mostReasons == 0 || len(facts) <= mostConfidenceLines {
			break
		}
	}
	for p.thrift >= briefTrust && len(facts) > mostConfidenceLines && len(said) > 2 {
		said = said[:len(said)-1]
		facts = hang("", label, strings.Join(said, " · "), p.Width)
	}
	facts[0] = strings.Replace(facts[0], level, p.bold(p.say(wordConfidence))+" "+p.trust(d.Trust), 1)
	lines = append(lines, facts...)
	if d.Partial {
		lines = append(lines, p.partial(d)...)
	}
	if mostReasons == 0 && len(d.Notes) > 0 {
		lines = append(lines, hang(spaces(label), label, strings.Join(p.sayAll(d.Notes), wordSeparator.In(p.Lang)), p.Width)...)
	}
	for _, part := range headParts(d, mostReasons) {
		first := name(part.name)
		if p.thrift >= briefHead && part.name != wordWrong && len(part.lines) > 0 {
			lines = append(lines, p.within(1, first, label, strings.Join(p.sayAll(part.lines), wordSeparator.In(p.Lang)))...)
			continue
		}
		for _, line := range p.sayAll(part.lines) {
			lines = append(lines, hang(first, label, line, p.Width)...)
			first = spaces(label)
		}
	}
	return lines
}

type headPart struct {
	name  layout.Text
	lines []layout.Text
}

func headParts(d *document.Document, mostWrong int) []headPart {
	parts := []headPart{{wordWrong, wrongLines(d, mostWrong)}, {layout.Text{EN: "sample", ZH: "样本"}, sampleLines(d)},
		{wordObjects, d.SharedObjects()}, {wordMissing, d.MissingLibraries()}}
	if mostWrong == 0 { // short reports say it last
		parts = append(parts, headPart{wordLeftOut, leftOutLines(d, document.LeftOutLine)},
			headPart{wordDone, some(d.ShortDone())})
	}
	return parts
}

func sampleLines(d *document.Document) []layout.Text {
	if d.Own == nil {
		return nil
	}
	return []layout.Text{layout.Say("your own data: %s bytes (SHA-256 %.16s…), repeated or cut to the size of each case",
		"自有数据：%s 字节（SHA-256 %.16s…），按各测试项的长度重复或截取",
		layout.FormatThousands(d.Own.Bytes), d.Own.SHA256)}
}

// leftOutLines are what one says of what a run left out; none where nothing was.
func leftOutLines(d *document.Document, say func(*result.Run) layout.Text) []layout.Text {
	if len(d.LeftOut) == 0 {
		return nil
	}
	return []layout.Text{say(d.Run)}
}

// machine is the machine and the environment of its run; where that takes more columns than there
// are, without what tells least.
func (p *painter) machine(d *document.Document, columns int) string {
	environment := ""
	for _, variable := range d.Environment {
		environment += " · " + Clean(variable)
	}
	line := document.MachineLineWithin(d.Machine, p.Lang, func(line string) bool {
		return Width(Clean(line)+environment) <= columns
	})
	return cmp.Or(Clean(line), p.say(wordUnknown)) + environment
}

// runFacts tell one run on a machine from another.
func (p *painter) runFacts(d *document.Document) string {
	line := p.say(layout.Say("%s · seed %d", "%s · 种子 %d", duration(d), d.Seed))
	if d.Run == nil || d.Run.End == nil {
		return line
	}
	if n := d.Run.End.Strain.Throttled; n > 0 {
		return line + " · " + p.say(layout.Say("throttled %d times", "被限流 %d 次", n))
	}
	if d.Machine.Cgroup.QuotaCPUs > 0 {
		line += " · " + p.say(layout.Text{EN: "not throttled", ZH: "未被限流"})
	}
	return line
}

// listed are names in a row.
func listed(names []layout.Text) layout.Text { return layout.JoinWith(names, ", ", "、") }

// each is what is made of every one of a list.
func each[T, U any](list []T, make func(T) U) (all []U) {
	for _, one := range list {
		all = append(all, make(one))
	}
	return all
}

// some are those that say something.
func some[T comparable](said ...T) []T {
	var nothing T
	return slices.DeleteFunc(said, func(t T) bool { return t == nothing })
}

// partial says that a run was cut short, and where: behind its own word, so that it is no part of what stands above it.
func (p *painter) partial(d *document.Document) []string {
	prefix := p.say(wordPartial) + spaces(2)
	return hang(p.bold(prefix), Width(prefix), p.say(d.Partly), p.Width)
}

func (p *painter) partialText(d *document.Document) string {
	return strings.TrimSuffix(p.say(wordPartial)+" · "+p.say(d.Partly), " · ")
}

func (p *painter) confidence(d *document.Document, reasons int) []string {
	return p.sayAll(confidenceFacts(d, reasons))
}

// confidenceFacts are the facts behind the level: so many reasons why it is not better, or that the CPU was ours, how
// closely equal things agree, and how wide a typical interval is.
func confidenceFacts(d *document.Document, reasons int) []layout.Text {
	facts := slices.Clone(d.Trust.Reasons[:reasons])
	add := func(en, zh string, args ...any) { facts = append(facts, layout.Say(en, zh, args...)) }
	if d.Trust.Level == document.TrustGood && d.Trust.Taken != nil {
		add("the CPU was ours %.1f %% of the time", "CPU 有 %.1f%% 的时间未被抢占", 100*(1-*d.Trust.Taken))
	}
	switch {
	case d.Trust.Unequal.EN != "" && slices.Contains(d.Trust.Reasons[:reasons], d.Trust.Unequal): // said
	case d.Resolution != nil:
		add("the same code twice: within %s", "相同代码的两次测量相差 %s 以内", layout.FormatShare(*d.Resolution))
	case d.NoiseMeasured:
		add("too few blocks to compare the same code twice", "数据组过少，无法对照相同代码")
	}
	if d.Trust.Typical != nil {
		add("typical interval ±%s", "置信区间半宽通常为 ±%s", layout.FormatShare(*d.Trust.Typical))
	}
	return facts
}

func duration(d *document.Document) layout.Text {
	if d.Seconds == nil {
		return layout.Text{EN: "cut short", ZH: "未完成"}
	}
	return layout.Same(FormatDuration(*d.Seconds))
}

// FormatDuration prints how long a run took: "58 s", "12 min 5 s", "2 h 3 min".
func FormatDuration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second)).Round(time.Second)
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", seconds)
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}

func (p *painter) answers(as []layout.Answer) (lines []string) {
	for _, a := range as {
		lines = append(lines, hang("  "+p.mark(a.Mark)+" ", 4, p.say(a.Text), p.Width)...)
		if len(a.Listings) > 0 {
			lines = append(append(lines, p.listings(a.Listings)...), "")
		}
	}
	return lines
}

// wrongLines say which code was wrong: of at most so many how, and of the others that
// it was; 0 is how of all of them.
func wrongLines(d *document.Document, most int) (lines []layout.Text) {
	sign := layout.Stop.Sign() + " "
	for i, a := range d.WrongOutputs {
		if most > 0 && i == most && a.Brief != (layout.Text{}) {
			more := alsoWrong(d.WrongOutputs[i:])
			return append(lines, layout.Text{EN: sign + more.EN, ZH: sign + more.ZH})
		}
		lines = append(lines, layout.Text{EN: sign + a.Text.EN, ZH: sign + a.Text.ZH})
	}
	return lines
}

const mostWrongNames = 12

func alsoWrong(as []layout.Answer) layout.Text {
	as = slices.CompactFunc(slices.Clone(as), func(a, b layout.Answer) bool { return a.Brief == b.Brief }) // kernels of one name
	named := each(as[:min(len(as), mostWrongNames)], func(a layout.Answer) layout.Text { return a.Brief })
	line := layout.Say("These give wrong output too; do not use them: %s", "以下实现同样输出错误，不要使用：%s", listed(named))
	if left := len(as) - mostWrongNames; left > 0 {
		line = layout.Say("%s, and %d more", "%s，另有 %d 项", line, left)
	}
	return line
}

// otherFindings are those that wrongLines does not say.
func otherFindings(d *document.Document) []layout.Finding {
	return slices.DeleteFunc(slices.Clone(d.Findings), func(f layout.Finding) bool {
		return f.Kind == layout.FindingIncorrect
	})
}
