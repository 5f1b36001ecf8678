package verify

import (
	"io"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// mostLines is what a screen holds of statements that hold: more of them are counted.
const mostLines = 20

// writeText is one screen: what is true instead comes first.
func (r Report) writeText(w io.Writer, o Options) error {
	var lines []string
	add := func(prefix string, t layout.Text) {
		lines = append(lines, render.Lines(prefix, t.In(o.Lang), o.Width)...)
	}
	add(layout.Text{EN: "machine    ", ZH: "机器    "}.In(o.Lang), layout.Same(document.MachineLine(r.Doc.Machine, o.Lang)))
	add(layout.Text{EN: "confidence ", ZH: "可信度  "}.In(o.Lang), r.confidence())
	add("", r.Summary())
	lines = append(lines, "")
	held := 0
	for _, e := range r.ordered() {
		if e.Verdict == Holds {
			if held++; held > mostLines {
				continue
			}
		}
		prefix := marks[e.Verdict].Sign() + " "
		add(prefix, layout.Say("%s: %s", "%s：%s", verdictText[e.Verdict], e.name()))
		if e.Text != (layout.Text{}) {
			add("    ", e.explained())
		}
	}
	if more := held - mostLines; more > 0 {
		add("  ", layout.Say("and %d more hold: --format json lists them", "另有 %d 条成立：用 --format json 列出", more))
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// confidence is that in the run, with the reasons against it.
func (r Report) confidence() layout.Text {
	text := r.Doc.Trust.LevelText()
	for _, why := range r.Doc.Trust.Reasons {
		text = layout.Say("%s · %s", "%s · %s", text, why)
	}
	if r.Doc.Seconds != nil {
		text = layout.Say("%s · %s", "%s · %s", text, render.FormatDuration(*r.Doc.Seconds))
	}
	return layout.Say("%s · seed %d", "%s · 种子 %d", text, r.Doc.Seed)
}
