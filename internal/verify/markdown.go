package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// writeMarkdown is a table, for the summary of a step and for documents.
func (r Report) writeMarkdown(w io.Writer, o Options) error {
	var b strings.Builder
	say := func(t layout.Text) string { return render.Markdown(t.In(o.Lang)) }
	fmt.Fprintf(&b, "# %s\n\n", say(layout.Say("Statements of %s", "%s 的声明", r.File)))
	fmt.Fprintf(&b, "%s\n\n", say(r.Summary()))
	fmt.Fprintf(&b, "%s · %s · %s · %s · cryptogauge %s\n\n", say(layout.Same(document.MachineLine(r.Doc.Machine, o.Lang))),
		say(layout.Text{EN: "confidence ", ZH: "可信度"})+say(r.Doc.Trust.LevelText()), r.Doc.Started.UTC().Format("2006-01-02"),
		render.Markdown(r.Doc.Machine.GoVersion), render.Markdown(r.Tool))
	fmt.Fprintf(&b, "| | %s | %s | %s |\n|---|---|---|---|\n", say(layout.Text{EN: "statement", ZH: "声明"}),
		say(layout.Text{EN: "verdict", ZH: "判定"}), say(layout.Text{EN: "what is true", ZH: "实际情况"}))
	for _, e := range r.ordered() {
		said := render.Markdown(e.name())
		if e.Source != "" {
			said += " (" + render.Markdown(e.Source) + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", marks[e.Verdict].Sign(), said, say(verdictText[e.Verdict]), say(e.explained()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
