package verify

import (
	"io"
	"math"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// mostLines are two screens.
const mostLines = 90

// writeText is what is otherwise first, and a line for each statement that holds. Where two screens
// don't hold it, those at the end get a line each, and then a count.
func (r Report) writeText(w io.Writer, o Options) error {
	var lines []string
	add := func(prefix string, t layout.Text) {
		lines = append(lines, render.Lines(prefix, t.In(o.Lang), o.Width)...)
	}
	add(layout.Text{EN: "machine    ", ZH: "机器    "}.In(o.Lang), layout.Same(document.MachineLine(r.Doc.Machine, o.Lang)))
	add(layout.Text{EN: "confidence ", ZH: "可信度  "}.In(o.Lang), r.confidence())
	if left := document.LeftOutLine(r.Doc.Run); left != (layout.Text{}) {
		add(layout.Text{EN: "left out   ", ZH: "未测    "}.In(o.Lang), left)
	}
	add("", r.Summary())
	lines = append(lines, "")
	all, room := r.ordered(), mostLines-len(lines)-len(r.Next)
	if o.All {
		room = math.MaxInt
	}
	cut := min(len(all), room)
	if cut < len(all) {
		cut-- // for the count
	}
	room -= len(all[:cut])
	for _, e := range all[:cut] {
		of := e.lines(o)
		if longer := len(of) - 1; longer <= room {
			room -= longer
		} else {
			of, room = of[:1], 0
		}
		lines = append(lines, of...)
	}
	if more := len(all) - cut; more > 0 {
		add("  ", layout.Say("and %d more: --all", "另有 %d 条：用 --all 列出", more))
	} else if room == 0 {
		add("  ", layout.Text{EN: "what is measured of the last ones: --all", ZH: "其余各条的测得值：用 --all 列出"})
	}
	for i, n := range r.Next {
		label := layout.Text{EN: "next  ", ZH: "下一步  "}.In(o.Lang)
		if i == 0 {
			lines = append(lines, "")
		} else {
			label = strings.Repeat(" ", render.Width(label))
		}
		add(label, layout.Say("%s # %s", "%s # %s", n.Command, n.Why))
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// lines are those of a statement: what it says, and what is true where that is otherwise, or all
// is asked for. What is measured of one that holds stands behind it where there is room.
func (e entry) lines(o Options) []string {
	prefix, says := marks[e.Verdict].Sign()+" ", layout.Say("%s: %s", "%s：%s", verdictText[e.Verdict], e.name())
	lines := render.Lines(prefix, says.In(o.Lang), o.Width)
	switch {
	case e.Text == (layout.Text{}):
	case e.Verdict != Holds || o.All:
		lines = append(lines, render.Lines("    ", e.explained().In(o.Lang), o.Width)...)
	default:
		if whole := render.Lines(prefix, layout.Say("%s: %s", "%s：%s", says, e.Text).In(o.Lang), o.Width); len(whole) == 1 {
			return whole
		}
	}
	return lines
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
