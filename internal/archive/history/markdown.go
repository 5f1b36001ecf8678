package history

import (
	"fmt"
	"io"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// writeMarkdown is for an issue or a pull request: what changed as lists, each series in a line of a table.
func (r Report) writeMarkdown(w io.Writer, o Options) error {
	var b strings.Builder
	say := func(t layout.Text) string { return render.Markdown(t.In(o.Lang)) }
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", say(heading), say(layout.Say("%s · %s", "%s · %s", r.span(), Summary(r.Courses))))
	for _, remark := range r.remarks() {
		fmt.Fprintf(&b, "%s\n\n", say(remark))
	}
	for _, e := range r.events() {
		fmt.Fprintf(&b, "## %s\n\n", say(r.title(e)))
		for _, s := range e.says {
			fmt.Fprintf(&b, "- %s %s\n", s.change.Kind.Mark().Sign(), say(r.says(s)))
		}
		b.WriteString("\n")
	}
	for _, courses := range r.byMachine() {
		fmt.Fprintf(&b, "## %s\n\n", render.Markdown(courses[0].Label))
		heads := tableHeads()
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n|---|---|--:|--:|--:|---|\n",
			say(heads[0]), say(heads[1]), say(heads[2]), say(heads[3]), say(heads[4]), say(heads[5]))
		for i := range courses {
			row := r.row(&courses[i], o)
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | `%s` |\n", render.Markdown(row.what), render.Markdown(row.who),
				row.runs, render.Markdown(row.first), render.Markdown(row.last), row.chart)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var heading = layout.Text{EN: "What changed over time", ZH: "随时间的变化"}
