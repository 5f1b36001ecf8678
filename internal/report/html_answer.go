package report

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
)

// htmlAnswer is a sentence with what it rests on.
type htmlAnswer struct {
	Answer
	Class    string
	Sign     string
	Word     Text
	Evidence []htmlEvidence
	More     []htmlEvidence // folded away: more than fits behind a sentence
	Heading  Text           // above the first sentence of an experiment, where there are several
}

// htmlEvidence leads from a sentence to a number.
type htmlEvidence struct {
	Href, Label, Class, Title string
}

// shownEvidence is how many numbers stand behind a sentence before the rest is folded.
const shownEvidence = 4

// underHeadings puts the title of each experiment above its first sentence.
func underHeadings(answers []htmlAnswer, layouts []Layout) {
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

func htmlAnswers(answers []Answer, places *htmlPlaces) []htmlAnswer {
	var list []htmlAnswer
	for _, a := range answers {
		h := htmlAnswer{Answer: a}
		h.Class = string(a.Mark)
		if _, known := marks[a.Mark]; !known {
			h.Class = string(Plain)
		}
		h.Sign, h.Word = markOf(a.Mark), markWord(a.Mark)
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
		e.Label, e.Class = verdictSign(c.Verdict)+" "+FormatRatio(c.Ratio)+"×", verdictClass(c.Verdict)
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
		e.Label = FormatRate(*r.BytesPerSecond)
	case r.NsPerOp != nil && r.Status == result.OK:
		e.Label, _ = htmlTime(*r.NsPerOp)
	default:
		e.Label = r.Library
	}
	return e, true
}

// markWord is what a sentence's sign says.
func markWord(m Mark) Text {
	switch m {
	case Stop:
		return Text{"Stop using", "停用"}
	case Choose:
		return Text{"Choose", "选用"}
	case Beware:
		return Text{"Beware", "当心"}
	case Unclear:
		return Text{"Can't tell", "无法判定"}
	}
	return Text{"Fact", "事实"}
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
	Finding
	Word Text
}

// htmlFindings puts the worst first.
func htmlFindings(findings []Finding) []htmlFinding {
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
	Word    Text
	Reasons []Text
}

func newHTMLTrust(t Trust) htmlTrust {
	h := htmlTrust{Level: t.Level, Sign: "✓", Word: t.TrustText(), Reasons: t.Reasons}
	switch t.Level {
	case trustGood:
	case trustFair:
		h.Sign = "!"
	default:
		h.Level, h.Sign = trustPoor, "✗"
	}
	return h
}
