package question

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/render/rendertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// liesIn is a run of an experiment in which a library is wrong, beside a good one.
func liesIn(experiment string) *document.Document {
	run := &result.Run{Header: result.Header{Schema: result.SchemaRun, Libraries: []result.Library{{Library: "liar", Version: "2"}}}, End: &result.End{Seconds: 1}}
	for i, library := range []string{"liar", "liar", "honest"} {
		c := result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 64 << 10}
		if i == 1 {
			c.Bytes = 1 << 10
		}
		run.Trials = append(run.Trials, result.TrialInfo{Index: i, Experiment: experiment,
			Trial: result.Trial{Subject: result.Subject{Library: library, Version: "2", Implementation: "wide", CallPath: "cgo"}, Case: c}})
		for block := range 15 {
			run.Closed = append(run.Closed, result.Closed{Trial: i, Block: block})
			run.Samples = append(run.Samples, result.Sample{Trial: int32(i), Block: int32(block), Calls: 1, Thread: 1e6, Process: 1e6, Wall: 1e6, Cycles: -1})
		}
	}
	run.Groups = []result.Group{{Experiment: experiment, Name: "g", Trials: []int{0, 1, 2}, Pairs: []result.Pair{{Base: 1, Other: 2, Headline: true}}}}
	run.Statuses = []result.StatusChange{{Trial: 0, Block: 14, Status: result.Incorrect, Reason: "the output is wrong from byte 65535 on (0x00, should be 0x01)"}}
	d := document.Build(run)
	answer.Add(d, answers())
	return d
}

// TestWrongOutputsAreSaidFirst: in every experiment, in every format for people, in
// both languages, once, and before anything that was found; and no number of the
// library stands anywhere.
func TestWrongOutputsAreSaidFirst(t *testing.T) {
	said := map[layout.Lang]string{
		layout.English: "Do not use SM4-CTR of liar 2 (wide), whose output is wrong in encryption of 64 KiB: from byte 65535 on (0x00, should be 0x01).",
		layout.Chinese: "不要使用 liar 2 的 SM4-CTR（wide），加密在长度 64 KiB 时结果错误：",
	}
	for _, l := range answers() {
		if l.Verb { // it answers runs of its own kind alone, which its own tests hold
			continue
		}
		d := liesIn(l.Name)
		if len(d.WrongOutputs) != 1 || d.Answers[0].Mark != layout.Stop || d.Answers[0].Text != d.WrongOutputs[0].Text ||
			len(d.Findings) == 0 || d.Findings[0].Kind != layout.FindingIncorrect {
			t.Errorf("%s: %+v", l.Name, d.Answers)
			continue
		}
		for lang, want := range said {
			for _, o := range []render.Options{{Lang: lang, Width: 1000}, {Lang: lang, Width: 1000, All: true}} {
				text := written(t, render.FormatText, d, o)
				head, _, _ := strings.Cut(text, "\n\n")
				if strings.Count(text, want) != 1 || !strings.Contains(head, want) {
					t.Errorf("%s, all %v:\n%s", l.Name, o.All, text)
				}
			}
			text := written(t, render.FormatMarkdown, d, render.Options{Lang: lang})
			if i := strings.Index(text, want); i < 0 || i > strings.Index(text, "###") {
				t.Errorf("%s:\n%s", l.Name, text)
			}
		}
		page := written(t, render.FormatHTML, d, render.Options{})
		if i := strings.Index(page, said[layout.English]); i < 0 || i > strings.Index(page, "<h2>"+`<span lang="en">Answers`) {
			t.Errorf("%s: the page says it at %d", l.Name, i)
		}
		if bench := written(t, render.FormatBenchfmt, d, render.Options{}); !strings.Contains(bench, "\nWrong: "+said[layout.English]) ||
			strings.Contains(bench, "lib=liar") {
			t.Errorf("%s:\n%s", l.Name, bench)
		}
		for _, r := range d.Rows {
			if r.Library == "liar" && (r.NsPerOp != nil || r.Status == result.OK) || r.Library == "honest" && r.NsPerOp == nil {
				t.Errorf("%s: %s is %s", l.Name, r.ID, r.Status)
			}
		}
		if len(d.Comparisons) != 0 {
			t.Errorf("%s: %+v", l.Name, d.Comparisons)
		}
	}
}

func written(t *testing.T, f render.Format, d *document.Document, o render.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := render.Write(&out, f, []*document.Document{d}, o); err != nil {
		t.Fatal(err)
	}
	text, _, err := rendertest.Unfold(out.String())
	if err != nil {
		t.Fatal(err)
	}
	if f == render.FormatHTML {
		text = rendertest.Flow(text)
	}
	return text
}

// TestManyWrongOutputsFit: the quick screen names the first ones, and how many more
// there are.
func TestManyWrongOutputsFit(t *testing.T) {
	d := liesIn("modes")
	for i := range 30 {
		a := d.WrongOutputs[0]
		a.Brief = layout.Same(fmt.Sprintf("SM4-CTR of liar%d", i))
		d.WrongOutputs = append(d.WrongOutputs, a, a) // a second kernel of the same name is named once
	}
	text := written(t, render.FormatText, d, render.Options{Width: 100})
	if n := strings.Count(text, "\n"); n > 49 || !strings.Contains(text, "Do not use SM4-CTR of liar 2") ||
		!strings.Contains(text, "✗ These give wrong output too; do not use them: SM4-CTR of liar1, ") || !strings.Contains(strings.Join(strings.Fields(text), " "), ", and 17 more") {
		t.Errorf("%d lines:\n%s", n, text)
	}
}
