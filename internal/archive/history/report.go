package history

import (
	"io"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// Report is what all formats draw.
type Report struct {
	Store   string // where the runs are, as --store names it
	Courses []Course
}

// Options say how it is drawn.
type Options struct {
	Lang   layout.Lang
	Width  int  // columns of the text format; 0: the usual
	Colour bool // marks in colour
	All    bool // every series, and not those alone that fit on a few screens
	// Run is where the page of a run is, to which a point of a chart leads; nil where there is none.
	Run func(id string) string
}

func (o Options) href(run string) string {
	if o.Run == nil {
		return ""
	}
	return o.Run(run)
}

// formats are in the order in which they are named.
var formats = render.FormatList[func(Report, io.Writer, Options) error]{
	{"text", Report.writeText},
	{"markdown", Report.writeMarkdown},
	{"html", Report.writeHTML},
	{"json", Report.writeJSON},
}

// Formats are their names.
func Formats() []string { return formats.Names() }

// ParseFormat reads a format's name.
func ParseFormat(name string) (render.Format, error) {
	return render.Among(Formats(), layout.Same("history"), name)
}

// Write writes the report in a format.
func (r Report) Write(w io.Writer, f render.Format, o Options) error {
	return formats.Writer(f)(r, w, o)
}

// event is what changed on one machine with the same run, in how ever many series.
type event struct {
	machine string // label
	first   Change
	says    []said
}

// said is a change of one series.
type said struct {
	course *Course
	change Change
}

// says is a change with what it is of.
func (r Report) says(s said) layout.Text {
	return layout.Say("%s, %s: %s", "%s，%s：%s", Case(s.course.Series), Who(s.course.Series, r.Courses), s.change.Says())
}

// events are the changes of all series, the newest first, and of one time what is worst first.
func (r Report) events() (list []*event) {
	type when struct{ machine, before, run, named string }
	of := map[when]*event{}
	for i := range r.Courses {
		c := &r.Courses[i]
		for _, change := range c.Changes {
			k := when{c.Machine, change.Before, change.Run, change.Named().EN}
			if of[k] == nil {
				of[k] = &event{machine: c.Label, first: change}
				list = append(list, of[k])
			}
			of[k].says = append(of[k].says, said{c, change})
		}
	}
	slices.SortStableFunc(list, func(a, b *event) int { return b.first.Time.Compare(a.first.Time) })
	for _, e := range list {
		slices.SortStableFunc(e.says, func(a, b said) int { return rank(b.change) - rank(a.change) })
	}
	return list
}

// rank orders what is said at once: wrong outputs, what became slower by much, by little, and what became better.
func rank(c Change) int {
	switch c.Kind {
	case Wrong:
		return 1 << 20
	case Slower:
		return 1000 + min(int(1000*(c.Ratio-1)), 1<<18)
	case Right:
		return 500
	}
	return -min(int(1000*c.Ratio), 1<<18)
}

// title heads an event: the day, what changed then, and on which machine where there are several.
func (r Report) title(e *event) layout.Text {
	t := layout.Say("%s, with %s", "%s，伴随 %s", e.first.Day(), e.first.Named())
	switch {
	case len(e.first.Causes) > 0:
	case e.first.Before == "":
		t = layout.Say("%s, the first run", "%s，首次运行", e.first.Day())
	default:
		t = layout.Say("%s, when nothing that is recorded changed", "%s，所记录的环境无变化", e.first.Day())
	}
	if r.severalMachines() {
		t = layout.Say("%s · %s", "%s · %s", t, e.machine)
	}
	return t
}

// severalMachines says whether the series are of more than one.
func (r Report) severalMachines() bool {
	return slices.ContainsFunc(r.Courses, func(c Course) bool { return c.Machine != r.Courses[0].Machine })
}

// span is from which day to which the points are.
func (r Report) span() layout.Text {
	var first, last string
	for _, c := range r.Courses {
		for _, p := range c.Points {
			day := p.Time.UTC().Format("2006-01-02")
			if first == "" || day < first {
				first = day
			}
			last = max(last, day)
		}
	}
	if first == last {
		return layout.Same(first)
	}
	return layout.Say("%s to %s", "%s 至 %s", first, last)
}
