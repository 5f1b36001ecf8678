package render

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// htmlAnswer is a sentence with what it rests on.
type htmlAnswer struct {
	layout.Answer
	Class    string
	Sign     string
	Word     layout.Text
	Evidence []htmlEvidence
	More     []htmlEvidence // folded away: more than fits behind a sentence
	Heading  layout.Text    // above the first sentence of an experiment, where there are several
}

// htmlEvidence leads from a sentence to a number.
type htmlEvidence struct {
	Href, Label, Class, Title string
}

// shownEvidence is how many numbers stand behind a sentence before the rest is folded.
const shownEvidence = 4

// underHeadings puts the title of each experiment above its first sentence.
func underHeadings(answers []htmlAnswer, layouts []layout.Layout) {
	last := ""
	for i := range answers {
		if answers[i].Experiment == last {
			continue
		}
		last = answers[i].Experiment
		for _, l := range layouts {
			if l.Experiment == last {
				answers[i].Heading = l.Title
			}
		}
	}
}

func htmlAnswers(answers []layout.Answer, places *htmlPlaces) []htmlAnswer {
	var list []htmlAnswer
	for _, a := range answers {
		h := htmlAnswer{Answer: a}
		h.Class = string(a.Mark)
		if _, known := layout.Marks[a.Mark]; !known {
			h.Class = string(layout.Plain)
		}
		h.Sign, h.Word = a.Mark.Sign(), markWord(a.Mark)
		for _, id := range a.Evidence {
			if e, ok := evidenceOf(id, places); ok {
				h.Evidence = append(h.Evidence, e)
			}
		}
		if len(h.Evidence) > shownEvidence+1 {
			h.Evidence, h.More = h.Evidence[:shownEvidence:shownEvidence], h.Evidence[shownEvidence:]
		}
		list = append(list, h)
	}
	return list
}

// evidenceOf labels a link with the number it leads to.
func evidenceOf(id string, places *htmlPlaces) (htmlEvidence, bool) {
	e := htmlEvidence{Href: places.evidence(id), Title: id}
	if i, ok := places.pairs[id]; ok {
		c := places.doc.Comparisons[i]
		e.Label, e.Class = verdictSign(c.Verdict)+" "+layout.FormatRatio(c.Ratio)+"×", verdictClass(c.Verdict)
		e.Title = c.Other + " : " + c.Base
		return e, true
	}
	i, ok := places.rows[id]
	if !ok {
		return e, false
	}
	r := places.doc.Rows[i]
	switch {
	case r.Status == result.Incorrect:
		e.Label, e.Class = "✗ "+r.Library, "v-slower"
	case r.BytesPerSecond != nil && r.Status == result.OK:
		e.Label = layout.FormatRate(*r.BytesPerSecond)
	case r.NsPerOp != nil && r.Status == result.OK:
		e.Label, _ = htmlTime(*r.NsPerOp)
	default:
		e.Label = r.Library
	}
	return e, true
}

// markWord is what a sentence's sign says.
func markWord(m layout.Mark) layout.Text {
	switch m {
	case layout.Stop:
		return layout.Text{EN: "Stop using", ZH: "停用"}
	case layout.Choose:
		return layout.Text{EN: "Choose", ZH: "选用"}
	case layout.Beware:
		return layout.Text{EN: "Beware", ZH: "当心"}
	case layout.Unclear:
		return layout.Text{EN: "Inconclusive", ZH: "无法判定"}
	}
	return layout.Text{EN: "Fact", ZH: "事实"}
}

// verdictSign repeats a verdict's colour as a shape.
func verdictSign(v string) string {
	switch v {
	case "faster":
		return "▲"
	case "slower":
		return "▼"
	case "same":
		return "="
	}
	return "?"
}

// htmlFinding is a finding with its severity in words.
type htmlFinding struct {
	layout.Finding
	Word layout.Text
}

// htmlFindings puts the worst first.
func htmlFindings(findings []layout.Finding) []htmlFinding {
	rank := []string{"pathological", "degraded", "note"}
	var list []htmlFinding
	for _, f := range findings {
		if !slices.Contains(rank, f.Severity) {
			f.Severity = "note"
		}
		list = append(list, htmlFinding{f, severityWords[f.Severity]})
	}
	slices.SortStableFunc(list, func(a, b htmlFinding) int {
		return slices.Index(rank, a.Severity) - slices.Index(rank, b.Severity)
	})
	return list
}

// htmlTrust is the trust light.
type htmlTrust struct {
	Level   string // its class
	Sign    string
	Word    layout.Text
	Reasons []layout.Text
}

func newHTMLTrust(t document.Trust) htmlTrust {
	h := htmlTrust{Level: t.Level, Sign: "✓", Word: t.LevelText(), Reasons: t.Reasons}
	switch t.Level {
	case document.TrustGood:
	case document.TrustFair:
		h.Sign = "!"
	default:
		h.Level, h.Sign = document.TrustPoor, "✗"
	}
	return h
}
