package answer

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// wrongOutputs says, for all experiments at once, which code must not be used because
// an output of it was wrong, and gives the same as findings for programs.
func wrongOutputs(d *document.Document, questions []Question) (out []layout.Answer, found []layout.Finding) {
	out, found = []layout.Answer{}, []layout.Finding{}
	tail := layout.Text{EN: " No speed is shown for this code, not even for inputs that it handled correctly.",
		ZH: "此类实现一律不列出速度，包括输出正确的测试项。"}
	for _, rows := range d.Wrong() {
		r := rows[0]
		a := layout.Answer{Experiment: r.Experiment, Mark: layout.Stop, Short: true, Evidence: IDs(rows),
			Text: doNotUse(d, rows, useOf(r, questions)), Brief: wrongName(r)}
		if rightElsewhere(d, r) {
			a.Text, tail = layout.Say("%s%s", "%s%s", a.Text, tail), layout.Text{} // said once
		}
		out = append(out, a)
		evidence := map[string]any{
			"library": r.Library, "version": r.Version, "implementation": r.Implementation, "environment": r.Environment,
			"algorithm": r.Algorithm, "mode": r.Mode, "parameters": r.Code().Use,
			"reason": r.Reason, "known": r.Exhibit(), "rows": a.Evidence}
		found = append(found, layout.Finding{Kind: layout.FindingIncorrect, Severity: "pathological",
			Text: a.Text, Evidence: evidence})
	}
	return out, found
}

// ownGCM is tjfoc's own function; its cipher in Go's GCM is another thing, and right.
const ownGCM = "Sm4GCM"

// wrongName names wrong code where there is no room for more.
func wrongName(r *document.Row) layout.Text {
	if isOwnGCM(r) {
		return layout.Say("%[2]s's own %[1]s", "%[2]s 自带的 %[1]s", ownGCM, r.Library)
	}
	name := layout.Say("%s of %s", "%[2]s 的 %[1]s", CaseName(r.Algorithm, r.Mode), r.Library)
	if parameter.Holding.In(r.Parameters) == parameter.Shared {
		return layout.Say("%s shared between goroutines", "在 goroutine 之间共享的 %s", name)
	}
	return name
}

// noteRightForms says beside the numbers of rows that a wrong code is of the same name as theirs, and which form of it
// they are.
func noteRightForms(d *document.Document) {
	for _, rows := range d.Wrong() {
		wrong, own := rows[0], isOwnGCM(rows[0])
		note := layout.Say("right as it is used here; %s gives wrong output", "此种用法输出正确；%s结果错误", wrongName(wrong))
		if own {
			note = notOwnGCM(wrong.Library)
		}
		for _, r := range d.Rows {
			same := r.Library == wrong.Library && r.Version == wrong.Version && r.Algorithm == wrong.Algorithm && r.Mode == wrong.Mode
			if same && r.Status == result.OK && r.NsPerOp != nil && (own || r.Experiment == wrong.Experiment) {
				r.Notes = append(slices.Clip(r.Notes), note)
			}
		}
	}
}

func notOwnGCM(library string) layout.Text {
	return layout.Say("Go's GCM (cipher.NewGCM) around the SM4 block cipher of %[1]s, whose output is right; %[1]s's own %[2]s is wrong: never use it",
		"Go 标准库的 GCM（cipher.NewGCM）套用 %[1]s 的 SM4 分组密码，输出正确；%[1]s 自带的 %[2]s 结果错误，切勿使用", library, ownGCM)
}

// RightForm says of a row which form of a library's code it is, where another of the same name is known to be wrong.
func RightForm(r *document.Row) []layout.Text {
	if r.Library != subject.Tjfoc || r.Algorithm != algorithm.SM4 || r.Mode != algorithm.GCM || isOwnGCM(r) {
		return nil
	}
	return []layout.Text{notOwnGCM(r.Library)}
}

// isOwnGCM says whether a row is of tjfoc's own GCM.
func isOwnGCM(r *document.Row) bool {
	return r.Library == subject.Tjfoc && r.Implementation == "helpers" && r.Mode == algorithm.GCM
}

// doNotUse words what is wrong in the rows of one code.
func doNotUse(d *document.Document, rows []*document.Row, use layout.Text) layout.Text {
	r := rows[0]
	what := CipherText(r)
	who := layout.Same(strings.TrimSpace(r.Library + " " + r.Version + " " + parameter.WithoutSide(r.Environment)))
	why, where := wrongness(rows), layout.Text{}
	if rightElsewhere(d, r) {
		where = wrongWhere(rows)
	}
	switch {
	case isOwnGCM(r):
		return layout.Say("Do not use %s of %s (its GCM in one call), whose output is wrong%s: %s.", "不要使用 %[2]s 自带的一次性 GCM 函数 %[1]s，%[3]s结果错误：%[4]s。", ownGCM, who, where, why)
	case parameter.Holding.In(r.Parameters) == parameter.Shared:
		return layout.Say("Never share one cipher of %[1]s between goroutines: its %[2]s then returns wrong results (%[3]s). "+
			"Give each goroutine its own.",
			"切勿在 goroutine 之间共享 %[1]s 的 cipher 实例：否则 %[2]s 会输出错误结果（%[3]s）。请让每个 goroutine 各持一个。", who, what, why)
	case r.Operation == algorithm.Handshake:
		return layout.Say("Handshakes of %s %s are not what was asked for: %s.", "%s（%s）的握手不符合要求：%s。",
			layout.Same(r.Mode), use, why)
	}
	return layout.Say("Do not use %s of %s%s, whose output is wrong%s: %s.", "不要使用 %[2]s 的 %[1]s%[3]s，%[4]s结果错误：%[5]s。",
		what, who, wrongHow(r, use), where, why)
}

// useOf is how the code of a row is used, as its question calls it.
func useOf(r *document.Row, questions []Question) layout.Text {
	for _, q := range questions {
		if q.Name == r.Experiment && q.Use != nil {
			return q.Use(r)
		}
	}
	return layout.Text{}
}

// rightElsewhere says whether the code of a row was right at other rows.
func rightElsewhere(d *document.Document, r *document.Row) bool {
	return slices.ContainsFunc(d.Rows, func(o *document.Row) bool { return o.Withheld && o.Code() == r.Code() })
}

// wrongHow is the kernel, where it is known, or the special way in which it was used.
func wrongHow(r *document.Row, use layout.Text) layout.Text {
	parts := []layout.Text{use}
	if use == (layout.Text{}) {
		parts = []layout.Text{layout.Same(r.Implementation), layout.Same(r.Code().Use)}
	}
	parts = Select(parts, func(t layout.Text) bool { return t.EN != "" && t.EN != "unknown" })
	if len(parts) == 0 {
		return layout.Text{}
	}
	return layout.Say(" (%s)", "（%s）", Join(parts))
}

// mostSizes is how many sizes a sentence names one by one.
const mostSizes = 3

// wrongWhere are the operations and sizes at which the rows were wrong.
func wrongWhere(rows []*document.Row) layout.Text {
	operations := List(Values(rows, func(r *document.Row) layout.Text { return Operation(r.Operation) }, nil))
	sizes := Values(rows, BytesOf, func(r *document.Row) bool { return r.Bytes > 0 })
	slices.Sort(sizes)
	names := document.Mapped(sizes, func(n int64) layout.Text { return layout.Same(SizeText(n)) })
	switch {
	case len(names) == 0:
		return layout.Say(" in %s", "%s时", operations)
	case len(names) > mostSizes:
		return layout.Say(" in %[1]s, at %[2]d sizes from %[3]s to %[4]s", "%[1]s在 %[3]s 至 %[4]s 之间的 %[2]d 种长度上",
			operations, len(names), names[0], names[len(names)-1])
	}
	return layout.Say(" in %s of %s", "%s在长度 %s 时", operations, List(names))
}

// wrongs are the ways of being wrong that a check tells apart, by the codes of their
// reasons.
var wrongs = []struct {
	codes []string
	text  layout.Text
}{
	{[]string{"tag-wrong", "body-and-tag-wrong"}, layout.Text{EN: "it computes a wrong tag", ZH: "算错认证标签"}},
	{[]string{"tampered-opened"},
		layout.Text{EN: "it decrypts tampered ciphertext without an error", ZH: "密文被篡改也照常解密，不报错"}},
}

// wrongness says in words what is wrong, or quotes the first reason.
func wrongness(rows []*document.Row) layout.Text {
	first := reason.Read(strings.TrimSuffix(rows[0].Reason, "."), rows[0].Cause)
	if args := first.Args; first.Code == "goroutines-wrong" {
		were := "were"
		if args[2].Text == "1" {
			were = "was"
		}
		return layout.Say("with %[2]s goroutines at once, %[3]s of %[1]s outputs %[4]s wrong",
			"%[2]s 个 goroutine 同时使用时，%[1]s 个结果中 %[3]s 个错误", args[0].Text, args[1].Text, args[2].Text, were)
	}
	var parts []layout.Text
	for _, w := range wrongs {
		if slices.ContainsFunc(rows, func(r *document.Row) bool { return mentions(reason.Read(r.Reason, r.Cause), w.codes) }) {
			parts = append(parts, w.text)
		}
	}
	if len(parts) > 0 {
		return layout.JoinWith(parts, " and ", "，")
	}
	t := reason.Text(first)
	t.EN = strings.TrimPrefix(t.EN, "the output is wrong ") // as the sentence has said already
	if t.EN == "" {
		return layout.Text{EN: "no reason was given", ZH: "未给出原因"}
	}
	return t
}

// mentions says whether a reason, or one within it, is of one of some codes.
func mentions(c result.Cause, codes []string) bool {
	return slices.Contains(codes, c.Code) || slices.ContainsFunc(c.Args, func(a result.Argument) bool {
		return a.Cause != nil && mentions(*a.Cause, codes)
	})
}
