package history

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

//go:embed assets
var assets embed.FS

const (
	mostCharts = 24  // of a machine; the table has every series
	mostDrawn  = 200 // points of a series: more would cover each other
)

type htmlPage struct {
	Heading, Span, Summary layout.Text
	Remarks                []layout.Text
	Events                 []htmlEvent
	Machines               []htmlMachine
}

type htmlEvent struct {
	Title layout.Text
	Says  []htmlSaid
}

type htmlSaid struct {
	Sign, Class string
	Text        layout.Text
}

type htmlMachine struct {
	Label  string
	Charts []template.HTML
	Left   bool // cases have no chart
	Heads  []htmlHead
	Rows   []htmlRow
}

type htmlHead struct {
	Text    layout.Text
	Numeric bool
}

type htmlRow struct{ What, Who, Runs, First, Last string }

// writeHTML is a page of its own, in one language, which loads nothing and runs no script.
func (r Report) writeHTML(w io.Writer, o Options) error {
	page, err := r.htmlPage(o)
	if err != nil {
		return err
	}
	return writeTemplate(w, o, "history.html.tmpl", page)
}

// Body writes what such a page shows below its heading, for a page that has render's [render.Stylesheet] and its language
// in data-lang.
func (r Report) Body(w io.Writer, o Options) error {
	page, err := r.htmlPage(o)
	if err != nil {
		return err
	}
	for _, part := range []string{"notes", "body", "key"} {
		if err := writeTemplate(w, o, part, page); err != nil {
			return err
		}
	}
	return nil
}

func writeTemplate(w io.Writer, o Options, name string, page htmlPage) error {
	all := template.Must(template.New("history.html.tmpl").Funcs(htmlFuncs(o.Lang)).ParseFS(assets, "assets/*.tmpl"))
	if err := all.ExecuteTemplate(w, name, page); err != nil {
		return fmt.Errorf("writing the history: %w", err)
	}
	return nil
}

func (r Report) htmlPage(o Options) (htmlPage, error) {
	page := htmlPage{Heading: heading, Span: r.span(), Summary: Summary(r.Courses), Remarks: r.remarks()}
	for _, e := range r.events() {
		shown := htmlEvent{Title: r.title(e)}
		for _, s := range e.says {
			mark := s.change.Kind.Mark()
			shown.Says = append(shown.Says, htmlSaid{mark.Sign(), string(mark), r.says(s)})
		}
		page.Events = append(page.Events, shown)
	}
	for _, courses := range r.byMachine() {
		m, err := r.htmlMachine(courses, o)
		if err != nil {
			return page, err
		}
		page.Machines = append(page.Machines, m)
	}
	return page, nil
}

func htmlFuncs(l layout.Lang) template.FuncMap {
	tag := map[layout.Lang]string{layout.Chinese: "zh-Hans"}[l]
	if tag == "" {
		tag = "en"
	}
	style := sha256.Sum256([]byte(render.Stylesheet()))
	return template.FuncMap{
		"tag":   func() string { return tag },
		"lang":  func() layout.Lang { return l },
		"in":    func(t layout.Text) string { return render.Clean(t.In(l)) },
		"say":   func(en, zh string) string { return layout.Text{EN: en, ZH: zh}.In(l) },
		"clean": render.Clean,
		"css":   func() template.CSS { return template.CSS(render.Stylesheet()) },
		"policy": func() string {
			return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(style[:]) + "'; base-uri 'none'; form-action 'none'"
		},
	}
}

func (r Report) htmlMachine(courses []Course, o Options) (htmlMachine, error) {
	m := htmlMachine{Label: courses[0].Label}
	heads := tableHeads() // the last is of the small chart, which the page has large
	for i, head := range heads[:5] {
		m.Heads = append(m.Heads, htmlHead{head, i >= 2})
	}
	for _, of := range byCase(courses) {
		if len(m.Charts) == mostCharts {
			m.Left = true
			break
		}
		var b strings.Builder
		if err := render.WriteChart(&b, Chart(Case(of[0].Series), of, r.Courses), o.Lang, o.href); err != nil {
			return m, err
		}
		m.Charts = append(m.Charts, template.HTML(b.String()))
	}
	for i := range courses {
		line := r.row(&courses[i], o)
		m.Rows = append(m.Rows, htmlRow{line.what, line.who, line.runs, line.first, line.last})
	}
	return m, nil
}

// byCase are the courses of each case, in the order in which they come.
func byCase(courses []Course) (groups [][]Course) {
	for _, c := range courses {
		at := slices.IndexFunc(groups, func(g []Course) bool { return g[0].Case == c.Case && g[0].Experiment == c.Experiment })
		if at < 0 {
			at = len(groups)
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], c)
	}
	return groups
}

// Chart draws the courses of one case on one machine over time, of all courses that are shown: each run as a point, the
// levels between changes as lines, and the day where something changed. A line through the points would draw noise.
func Chart(title layout.Text, courses, all []Course) layout.Chart {
	c := layout.Chart{Title: title, X: layout.Axis{Title: layout.Text{EN: "time", ZH: "时间"}, Unit: layout.UnitDate}}
	if courses[0].Case.Bytes <= 0 {
		c.Y = layout.Axis{Title: layout.Text{EN: "time of an operation", ZH: "每次运算的时间"}, Unit: "ns"}
	}
	for _, of := range courses {
		s := layout.Series{Name: layout.Same(Who(of.Series, all)), Struck: of.Exhibit, New: of.Subject.Library == subject.Engine}
		for _, p := range thinned(of.Points) {
			s.Points = append(s.Points, drawn(of.Series, float64(p.Time.Unix()), p.NsPerOp.Median, p.NsPerOp.Low, p.NsPerOp.High, p.Run))
		}
		for _, l := range of.Levels {
			at := drawn(of.Series, 0, l.NsPerOp, l.Low, l.High, "")
			s.Levels = append(s.Levels, layout.Level{From: float64(l.From.Unix()), To: float64(l.To.Unix()), Y: at.Y, Low: at.Low, High: at.High})
		}
		if len(s.Points) > 0 {
			c.Series = append(c.Series, s)
		}
		for _, change := range of.Changes {
			if x := float64(change.Time.Unix()); !slices.ContainsFunc(c.Changes, func(k layout.Change) bool { return k.X == x }) {
				c.Changes = append(c.Changes, layout.Change{X: x, Label: change.Time.UTC().Format("01-02")})
			}
		}
	}
	return c
}

// thinned are the points that have a number, evenly fewer where there are many: neither the first nor the last is missing.
func thinned(points []archive.Point) []archive.Point {
	kept := slices.DeleteFunc(slices.Clone(points), func(p archive.Point) bool { return p.NsPerOp == nil || !(p.NsPerOp.Median > 0) })
	if len(kept) <= mostDrawn {
		return kept
	}
	some := make([]archive.Point, mostDrawn)
	for i := range some {
		some[i] = kept[i*(len(kept)-1)/(mostDrawn-1)]
	}
	return some
}

// drawn is a time as a chart has it: of what has a length its rate.
func drawn(s archive.Series, x, ns float64, low, high *float64, run string) layout.Point {
	p := layout.Point{X: x, Y: ns, Low: ns, High: ns, RowID: run}
	if low != nil && high != nil && *low > 0 {
		p.Low, p.High = *low, *high
	}
	if n := float64(s.Case.Bytes) * 1e9; n > 0 {
		p.Y, p.Low, p.High = n/p.Y, n/p.High, n/p.Low
	}
	return p
}
