package web

import (
	"bytes"
	"cmp"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/history"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

type casesPage struct {
	frame
	Found  language.Text
	Text   string
	Groups []caseGroup
	Left   int // cases that are not listed
}

// caseGroup is the cases of one algorithm and mode, with what is done.
type caseGroup struct {
	name  string // with what is done, as run files have it
	Name  string
	Href  string
	Cases []caseLink
}

type caseLink struct {
	Text language.Text
	Href string
	Last string
	Runs language.Text
}

// mostCases is how many a page lists.
const mostCases = 1000

type coursesPage struct {
	frame
	Back string
	Body template.HTML
}

// history is the list of cases, or the course of some of them.
func (s *Server) history(v *visit, a *archive.Archive) error {
	if cases := v.query()["case"]; len(cases) > 0 && cases[0] != "" {
		return v.courses(a, cases)
	}
	return v.cases(a)
}

func (v *visit) cases(a *archive.Archive) error {
	all, err := a.Cases(v.r.Context(), archive.Filter{})
	if err != nil {
		return err
	}
	page := casesPage{frame: v.frame(partHistory, language.Text{EN: "Cases over time", ZH: "测试项的历史"}), Text: render.Clean(v.query().Get("q"))}
	n := 0
	for _, c := range merged(all) {
		name := c.Case.Name() + "/" + c.Case.Operation
		link := caseLink{Text: caseText(c.Case), Href: page.courseOf(pattern(c.Case)), Last: page.Day(c.Last), Runs: subjectsOf(c)}
		if !c.Timed || !mentions(page.Text, name, groupText(c.Case).ZH, link.Text.EN, link.Text.ZH) {
			continue
		}
		if n++; n > mostCases {
			page.Left++
			continue
		}
		last := len(page.Groups) - 1
		if last < 0 || page.Groups[last].name != name {
			last++
			page.Groups = append(page.Groups, caseGroup{name: name, Name: page.In(groupText(c.Case)), Href: page.courseOf(name)})
		}
		page.Groups[last].Cases = append(page.Groups[last].Cases, link)
	}
	page.Found = layout.Counted(n, "case", "个测试项")
	return v.show(http.StatusOK, "cases", page)
}

// merged are cases in order of their names. One that several experiments ask of stands once: its history has all of them.
func merged(all []archive.CaseCount) (cases []archive.CaseCount) {
	slices.SortStableFunc(all, func(a, b archive.CaseCount) int {
		x, y := a.Case, b.Case
		return cmp.Or(strings.Compare(x.Name(), y.Name()), strings.Compare(x.Operation, y.Operation), cmp.Compare(x.Bytes, y.Bytes),
			strings.Compare(x.Parameters, y.Parameters))
	})
	for _, c := range all {
		last := len(cases) - 1
		if last < 0 || cases[last].Case != c.Case {
			cases = append(cases, c)
			continue
		}
		of := &cases[last]
		of.Subjects, of.Machines, of.Timed = max(of.Subjects, c.Subjects), max(of.Machines, c.Machines), of.Timed || c.Timed
		if c.Last.After(of.Last) {
			of.Last = c.Last
		}
	}
	return cases
}

func (f frame) courseOf(pattern string) string { return withQuery("/history", nil, "case", pattern) }

// mentions says whether all words of a text are in what is said of something, whatever their case.
func mentions(text string, said ...string) bool {
	all := strings.ToLower(strings.Join(said, " "))
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if !strings.Contains(all, word) {
			return false
		}
	}
	return true
}

// pattern names one case as the verb history takes it.
func pattern(c result.Case) string {
	return strings.Join([]string{c.Name(), c.Operation, strconv.FormatInt(c.Bytes, 10), c.Parameters}, "/")
}

func groupText(c result.Case) language.Text {
	return language.Say("%s %s", "%s %s", c.Name(), history.Operation(c.Operation))
}

// caseText is what tells a case from the others of its group.
func caseText(c result.Case) language.Text {
	var parts []language.Text
	if c.Bytes > 0 {
		parts = append(parts, language.Same(layout.FormatSize(c.Bytes)))
	}
	if c.Parameters != "" {
		parts = append(parts, render.ParameterText(c.Parameters))
	}
	if len(parts) == 0 {
		return language.Text{EN: "no parameters", ZH: "无参数"}
	}
	return layout.Listed(parts)
}

func subjectsOf(c archive.CaseCount) language.Text {
	if c.Machines > 1 {
		return layout.Listed([]language.Text{layout.Counted(c.Subjects, "subject", "个对象"),
			layout.Counted(c.Machines, "machine", "台机器")})
	}
	return layout.Counted(c.Subjects, "subject", "个对象")
}

// courses are the cases over time, drawn by package history.
func (v *visit) courses(a *archive.Archive, cases []string) error {
	filter := archive.Filter{Cases: cases}
	if key := v.query().Get("machine"); key != "" {
		filter.Machines = []string{key}
	}
	series, err := a.History(v.r.Context(), filter)
	if err != nil {
		return err
	}
	page := coursesPage{frame: v.frame(partHistory, language.Say("History of %s", "%s 的历史", strings.Join(cases, ", "))), Back: "/history"}
	if len(series) == 0 {
		return v.refuse(http.StatusNotFound, language.Text{EN: "No run that is filed here has measured that.", ZH: "所存入的运行都没有测过它。"})
	}
	if len(cases) == 1 {
		page.Title = language.Say("History: %s", "历史：%s", historyOf(series, cases[0]))
	}
	var b bytes.Buffer
	report := history.Report{Store: a.At().String(), Courses: history.Analyse(series)}
	run := func(id string) string { return "/runs/" + id[:min(len(id), 12)] }
	if err := report.Body(&b, history.Options{Lang: v.lang, Run: run}); err != nil {
		return err
	}
	page.Body = template.HTML(b.String())
	return v.show(http.StatusOK, "courses", page)
}

// historyOf names what was asked for: the one case, or what all have in common.
func historyOf(series []archive.Series, asked string) language.Text {
	first := series[0].Case
	for _, s := range series {
		if s.Case != first {
			parts := strings.SplitN(asked, "/", 3)
			if len(parts) > 1 && parts[1] == first.Operation {
				return groupText(first)
			}
			return language.Same(parts[0])
		}
	}
	return history.Case(series[0])
}
