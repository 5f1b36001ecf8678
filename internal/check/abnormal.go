package check

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

// Abnormal is what a library did with the abnormal inputs that it was given.
type Abnormal struct {
	Library        string `json:"library"`
	Version        string `json:"version"`
	Implementation string `json:"implementation"`
	CallPath       string `json:"call_path"`
	Tried          int    `json:"tried"`
	// By what it did.
	Accepted int `json:"accepted"`
	Refused  int `json:"refused"`
	Panicked int `json:"panicked"`
	Wrong    int `json:"wrong"`
	Crashed  int `json:"crashed"`
	// Odd are those that were not as they must be.
	Odd []Odd `json:"odd"`
}

// Odd is an input with which a library did what it must not.
type Odd struct {
	Algorithm  string             `json:"algorithm"`
	Mode       string             `json:"mode"`
	Operation  string             `json:"operation"`
	Bytes      int64              `json:"bytes"`
	Parameters string             `json:"parameters"`
	Change     abnormal.Change    `json:"change"` // what happened to the text; "": nothing
	Outcome    abnormal.Outcome   `json:"outcome"`
	Judgement  abnormal.Judgement `json:"judgement"`
	Reason     layout.Text        `json:"reason"`

	name layout.Text
}

// bad says whether an output is wrong, or where there must be none.
func (o Odd) bad() bool { return o.Judgement == abnormal.Bad || o.Judgement == abnormal.TooMuch }

func countAbnormal(tried []suite.Tried) (all []Abnormal) {
	for _, t := range tried {
		who := Abnormal{Library: t.Subject.Library, Version: t.Subject.Version, Implementation: t.Subject.Implementation, CallPath: t.Subject.CallPath, Odd: []Odd{}}
		at := slices.IndexFunc(all, func(a Abnormal) bool {
			return a.Library == who.Library && a.Version == who.Version && a.Implementation == who.Implementation && a.CallPath == who.CallPath
		})
		if at < 0 {
			at = len(all)
			all = append(all, who)
		}
		all[at].add(t)
	}
	return all
}

func (a *Abnormal) add(t suite.Tried) {
	a.Tried++
	counts := map[abnormal.Outcome]*int{abnormal.Accepted: &a.Accepted, abnormal.Refused: &a.Refused,
		abnormal.Panicked: &a.Panicked, abnormal.Wrong: &a.Wrong, abnormal.Crashed: &a.Crashed}
	*counts[t.Outcome]++
	j := t.Judgement()
	if j == abnormal.Right {
		return
	}
	i := t.Input
	why := layout.Text{EN: "it must be refused, and is accepted", ZH: "本应拒绝，却被接受"}
	if j != abnormal.TooMuch {
		why = t.Why()
	}
	a.Odd = append(a.Odd, Odd{Algorithm: i.Algorithm, Mode: i.Mode, Operation: i.Operation, Bytes: i.Bytes, Parameters: i.Parameters, Change: i.Change,
		Outcome: t.Outcome, Judgement: j, Reason: why, name: inputName(t)})
}

var changes = map[abnormal.Change]layout.Text{
	abnormal.WrongTag: {EN: "a wrong tag", ZH: "认证标签错误"},
	abnormal.CutText:  {EN: "a byte of the text missing", ZH: "缺少一字节密文"},
	abnormal.CutEnd:   {EN: "the last byte missing", ZH: "缺少最后一字节"},
	abnormal.NoTag:    {EN: "fewer bytes than a tag", ZH: "不足一个认证标签"},
}

// inputName names an input: "gmsm SM4-GCM decrypt, a wrong tag".
func inputName(t suite.Tried) layout.Text {
	what := changes[t.Input.Change]
	if t.Input.Change == abnormal.Unchanged {
		what = layout.Say("%s", "%s", layout.FormatSize(t.Input.Bytes))
	}
	return layout.Say("%s %s %s, %s", "%s %s %s，%s", t.Subject.Library, t.Input.Name(), t.Input.Operation, what)
}

// abnormalLines say of every library what it did, and name what was not as it must be.
func abnormalLines(all []Abnormal) []Line {
	sum := Abnormal{}
	for _, a := range all {
		sum.Tried += a.Tried
		sum.Odd = append(sum.Odd, a.Odd...)
	}
	if sum.Tried == 0 {
		return nil
	}
	given := layout.Say("abnormal inputs (empty, 1 byte, a block ± 1, partial blocks, wrong tag, truncated): %d given",
		"异常输入（空、1 字节、一个分组 ±1、非整分组、认证标签错误、截断）：共 %d 个", sum.Tried)
	mark, says := layout.Choose, layout.Say("%s, all accepted or refused as they must be", "%s，均按要求接受或拒绝", given)
	if odd := len(sum.Odd); odd > 0 {
		mark = layout.Beware
		if slices.ContainsFunc(sum.Odd, Odd.bad) {
			mark = layout.Stop
		}
		says = layout.Say("%s, %d not accepted or refused as they must be", "%s，其中 %d 个未按要求接受或拒绝", given, odd)
	}
	libraries := document.Mapped(all, func(a Abnormal) Line { return Line{layout.Plain, a.says()} })
	return slices.Concat([]Line{{mark, says}}, libraries, oddLines(sum.Odd))
}

// says is a library's line: "gmsm: 96 accepted, 60 refused (24 of them by a panic, as Go's block modes do)".
func (a Abnormal) says() layout.Text {
	name := strings.Join(strings.Fields(a.Library+" "+a.Version+" "+a.Implementation), " ")
	if subject.Crosses(a.CallPath) && a.CallPath != subject.Cgo {
		name += " (" + a.CallPath + ")"
	}
	line := layout.Say("%s: %d accepted, %d refused", "%s：接受 %d 个，拒绝 %d 个", name, a.Accepted, a.Refused+a.Panicked)
	if a.Panicked > 0 {
		line = layout.Say("%s, %d of them by a panic", "%s（其中 %d 个以 panic 拒绝）", line, a.Panicked)
	}
	if a.Wrong > 0 {
		line = layout.Say("%s, %d with a wrong output", "%s，%d 个输出错误", line, a.Wrong)
	}
	if a.Crashed > 0 {
		line = layout.Say("%s, %d crashed", "%s，%d 个导致崩溃", line, a.Crashed)
	}
	return line
}

// oddLines name what was not as it must be, the worst first and those of one reason together.
func oddLines(odd []Odd) (lines []Line) {
	rank := func(o Odd) int {
		return slices.Index([]abnormal.Judgement{abnormal.Bad, abnormal.TooMuch, abnormal.Rough, abnormal.TooLittle}, o.Judgement)
	}
	odd = slices.Clone(odd)
	slices.SortStableFunc(odd, func(a, b Odd) int { return rank(a) - rank(b) })
	for _, o := range odd {
		mark := layout.Beware
		if o.bad() {
			mark = layout.Stop
		}
		lines = append(lines, Line{mark, layout.Say("%s: %s", "%s：%s", o.name, o.said())})
	}
	return shortened(lines, layout.Beware)
}

func (o Odd) said() layout.Text {
	switch o.Judgement {
	case abnormal.TooLittle:
		return layout.Say("refused, and any length must be accepted (%s)", "被拒绝，而任何长度都应接受（%s）", o.Reason)
	case abnormal.Rough:
		return layout.Say("no error but this: %s", "未返回错误，而是：%s", o.Reason)
	}
	return o.Reason
}

// held lets wrong outputs of abnormal inputs decide a round, as those of others do.
func (r *Round) held() {
	for _, a := range r.Abnormal {
		if slices.ContainsFunc(a.Odd, Odd.bad) {
			r.Verdict = Wrong
		}
	}
}
