package history

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// Mark is the sign before what is said of a change.
func (k Kind) Mark() layout.Mark {
	switch k {
	case Faster, Right:
		return layout.Choose
	case Wrong:
		return layout.Stop
	}
	return layout.Beware
}

// Day is that of the first run that shows the change.
func (c Change) Day() string { return c.Time.UTC().Format("2006-01-02") }

// Since says from when on, and what changed then.
func (c Change) Since() layout.Text {
	switch {
	case len(c.Causes) > 0:
		return layout.Say("since %s, with %s", "自 %s 起，伴随 %s", c.Day(), c.Named())
	case c.Before == "":
		return layout.Say("since %s, the first run", "自 %s 首次运行起", c.Day())
	}
	return layout.Say("since %s, when nothing that is recorded changed", "自 %s 起（所记录的环境无变化）", c.Day())
}

// Named is what changed, in one line; empty where nothing that is recorded did.
func (c Change) Named() layout.Text {
	var en, zh []string
	for _, cause := range c.Causes {
		t := cause.Text()
		en, zh = append(en, t.EN), append(zh, t.ZH)
	}
	return layout.Text{EN: strings.Join(en, ", "), ZH: strings.Join(zh, "，")}
}

// Text says what changed, from what to what.
func (c Cause) Text() layout.Text {
	from, to := c.From, c.To
	name := layout.Same(c.Name)
	switch c.What {
	case Implementation:
		name = layout.Say("%s's kernel", "%s 的内核实现", c.Name)
	case Go:
		name, from, to = layout.Same("Go"), strings.TrimPrefix(from, "go"), strings.TrimPrefix(to, "go")
	case Kernel:
		name = layout.Text{EN: "kernel", ZH: "系统内核"}
	case Microcode:
		name = layout.Text{EN: "microcode", ZH: "微码"}
	case Tool:
		name = layout.Same("cryptogauge")
	case Library:
		if c.Name == "go" {
			name, from, to = layout.Same("Go"), strings.TrimPrefix(from, "go"), strings.TrimPrefix(to, "go")
		}
	}
	return layout.Say("%s %s → %s", "%s %s → %s", name, known(from), known(to))
}

// known is a name that may be missing.
func known(name string) layout.Text {
	if name == "" {
		return layout.Text{EN: "unknown", ZH: "未知"}
	}
	return layout.Same(name)
}

// Says is what the change is, in the middle of a sentence.
func (c Change) Says() layout.Text {
	switch c.Kind {
	case Wrong:
		return layout.Text{EN: "the output is wrong", ZH: "输出错误"}
	case Right:
		return layout.Text{EN: "the output is right again", ZH: "输出恢复正确"}
	case Faster:
		return layout.Say("%s times as fast (%s–%s)", "速度为此前的 %s 倍（%s–%s）", factor(1/c.Ratio), factor(1/c.High), factor(1/c.Low))
	}
	return layout.Say("takes %s times as long (%s–%s)", "耗时为此前的 %s 倍（%s–%s）", factor(c.Ratio), factor(c.Low), factor(c.High))
}

// Text is the change as a sentence.
func (c Change) Text() layout.Text { return layout.Say("%s: %s", "%s：%s", c.Since(), c.Says()) }

// factor is a ratio, to the hundredth or to three digits.
func factor(x float64) string {
	if x < 10 {
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Case names what is measured: "SM4-CTR encrypt, 16 KiB".
func Case(s archive.Series) layout.Text {
	name := layout.Say("%s %s", "%s %s", s.Case.Name(), Operation(s.Case.Operation))
	if s.Case.Bytes > 0 {
		name = layout.Say("%s, %s", "%s，%s", name, layout.FormatSize(s.Case.Bytes))
	}
	if s.Case.Parameters != "" {
		name = layout.Say("%s (%s)", "%s（%s）", name, render.ParameterText(s.Case.Parameters))
	}
	return name
}

// Operation names what is done: in English as the run file and the verb's arguments do.
func Operation(op string) layout.Text {
	if known := answer.InPlan(op); known.ZH != op {
		return known
	}
	return layout.Text{EN: op, ZH: render.OperationText(op).ZH}
}

// Who names the subject. Its kernel stands beside it where another of the same library was measured in the same runs, and
// so has a series of its own.
func Who(s archive.Series, all []Course) string {
	name := s.Subject.Library
	if s.Subject.Version != "" {
		name += "-" + s.Subject.Version
	}
	if s.Subject.CallPath != "" && s.Subject.CallPath != subject.Direct {
		name += "/" + s.Subject.CallPath
	}
	alike := func(c Course) bool {
		a, b := c.Subject, s.Subject
		a.Implementation, b.Implementation = "", ""
		return a == b && c.Case == s.Case && c.Experiment == s.Experiment && c.Machine == s.Machine && c.Subject != s.Subject
	}
	if s.Subject.Implementation != "" && slices.ContainsFunc(all, alike) {
		name += " " + s.Subject.Implementation
	}
	for _, more := range []string{s.Subject.Runtime, s.Subject.Environment} {
		if more != "" {
			name += " " + more
		}
	}
	return name
}

// Speed is a time as people read it: of what has a length its rate.
func Speed(s archive.Series, ns float64) string {
	if s.Case.Bytes > 0 {
		return layout.FormatRate(float64(s.Case.Bytes) / ns * 1e9)
	}
	return layout.FormatTime(ns)
}

// Summary says how many series changed, and how sure that is.
func Summary(courses []Course) layout.Text {
	changed, judged, runs := 0, 0, map[string]bool{}
	for _, c := range courses {
		if len(c.Changes) > 0 {
			changed++
		}
		if c.Judged >= 2*fewest {
			judged++
		}
		for _, p := range c.Points {
			runs[cmp.Or(p.SecondOf, p.Run)] = true
		}
	}
	of := layout.Say("%s series of %s", "%s 个序列，取自 %s", layout.FormatThousands(int64(len(courses))),
		layout.Counted(len(runs), "run", "次运行"))
	switch {
	case judged == 0 && changed == 0:
		return layout.Say("%s; a change takes at least %d runs to show", "%s；至少需要 %d 次运行才能看出变化", of, 2*fewest)
	case changed == 0:
		return layout.Say("%s: no change of more than %s is shown", "%s：未见超过 %s 的变化", of, layout.FormatShare(margin))
	}
	return layout.Say("%s: %d changed; of the changes of speed shown, at most 1 in 100 is expected to be a false alarm",
		"%s：其中 %d 个有变化；所列速度变化中，预计至多百分之一为误报", of, changed)
}

// remarks say what was left out, and why.
func (r Report) remarks() (all []layout.Text) {
	if left := LeftOut(r.Courses); left != (layout.Text{}) {
		all = append(all, left)
	}
	without := 0
	for i := range r.Courses {
		if !r.Courses[i].timed() {
			without++
		}
	}
	if without > 0 {
		all = append(all, layout.Say("%d series without a time are not listed: what a library does not offer, and what scenarios measure of other things",
			"%d 个序列没有耗时，未列出：密码库不提供的运算，以及测量其他量的场景", without))
	}
	return all
}

// LeftOut says how many points the changes of speed were not looked for in, and why; empty where there are none.
func LeftOut(courses []Course) layout.Text {
	left := 0
	for _, c := range courses {
		left += c.LeftOut
	}
	if left == 0 {
		return layout.Text{}
	}
	return layout.Say("left out of the judgement: %s of runs whose confidence is %s, or by another clock than most",
		"未计入判断：%s，其运行可信度%s，或计时方式与多数不同", layout.Counted(left, "point", "个点"), lowText())
}

func lowText() layout.Text { return document.Trust{Level: document.TrustLow}.LevelText() }
