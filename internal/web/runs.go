package web

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// listed is how many runs a page lists.
const listed = 100

// Outcomes by which a list is narrowed.
const (
	outcomeWrong   = "wrong"
	outcomeLow     = "low"
	outcomePartial = "partial"
)

type runsPage struct {
	frame
	Found    language.Text
	Rows     []runRow
	Older    string // address of the next page; empty where there is none
	Newest   string // of the first; empty on it
	Narrowed bool
	Text     string
	Selects  []choice
}

// choice is a list of a form, of which one is picked.
type choice struct {
	Name    string
	Label   language.Text
	Options []option
}

type option struct {
	Value  string
	Text   language.Text
	Picked bool
}

type runRow struct {
	archive.Run
	What    language.Text
	Says    []remark
	Seconds string
}

// remark is a word on a run, with the class by which it is coloured.
type remark struct {
	Class string
	Text  language.Text
}

func (v *visit) query() url.Values { return v.r.URL.Query() }

// runs lists them, the newest first.
func (s *Server) runs(v *visit, a *archive.Archive) error {
	q, err := v.runQuery(a)
	if err != nil {
		return err
	}
	runs, total, err := a.Runs(v.r.Context(), q)
	if err != nil {
		return err
	}
	page := runsPage{frame: v.frame(partRuns, language.Text{EN: "Runs", ZH: "运行"}),
		Found: layout.Counted(total, "run", "次运行"), Text: render.Clean(v.query().Get("q"))}
	for _, r := range runs {
		page.Rows = append(page.Rows, rowOf(r))
	}
	if len(runs) == listed {
		page.Older = page.with("after", runs[len(runs)-1].ID)
	}
	if q.After != nil {
		page.Newest = page.with("after", "")
	}
	if page.Selects, err = v.selects(a, q); err != nil {
		return err
	}
	page.Narrowed = q.Text != "" || q.Machine != "" || q.Suite != "" || v.query().Get("outcome") != ""
	return v.show(http.StatusOK, "runs", page)
}

func (v *visit) runQuery(a *archive.Archive) (q archive.RunQuery, err error) {
	asked := v.query()
	q = archive.RunQuery{Text: render.Clean(asked.Get("q")), Machine: asked.Get("machine"), Suite: asked.Get("suite"), Limit: listed}
	switch asked.Get("outcome") {
	case outcomeWrong:
		q.WrongOnly = true
	case outcomeLow:
		q.Confidence = document.TrustLow
	case outcomePartial:
		q.PartialOnly = true
	}
	if after := asked.Get("after"); after != "" {
		last, err := a.Find(v.r.Context(), after)
		if err != nil {
			return q, err
		}
		q.After = &last
	}
	return q, nil
}

// selects are what the list can be narrowed by.
func (v *visit) selects(a *archive.Archive, q archive.RunQuery) ([]choice, error) {
	suites, err := a.Suites(v.r.Context())
	if err != nil {
		return nil, err
	}
	machines, err := a.Machines(v.r.Context())
	if err != nil {
		return nil, err
	}
	suite := newChoice("suite", language.Text{EN: "What", ZH: "内容"}, language.Text{EN: "any", ZH: "全部"})
	for _, name := range suites {
		if render.Clean(name) == name { // else nobody of this program named it
			suite.add(name, suiteText(name), q.Suite)
		}
	}
	machine := newChoice("machine", language.Text{EN: "Machine", ZH: "机器"}, language.Text{EN: "any", ZH: "全部"})
	for _, m := range machines {
		machine.add(m.Key, language.Same(m.Label), q.Machine)
	}
	outcome := newChoice("outcome", language.Text{EN: "Outcome", ZH: "结果"}, language.Text{EN: "any", ZH: "全部"})
	for _, o := range []option{
		{Value: outcomeWrong, Text: language.Text{EN: "wrong outputs", ZH: "有输出错误"}},
		{Value: outcomeLow, Text: language.Text{EN: "low confidence", ZH: "可信度低"}},
		{Value: outcomePartial, Text: language.Text{EN: "cut short or not ended", ZH: "未完成或未结束"}},
	} {
		outcome.add(o.Value, o.Text, v.query().Get("outcome"))
	}
	return []choice{suite, machine, outcome}, nil
}

func newChoice(name string, label, any language.Text) choice {
	return choice{Name: name, Label: label, Options: []option{{Text: any}}}
}

func (c *choice) add(value string, text language.Text, picked string) {
	c.Options = append(c.Options, option{Value: value, Text: text, Picked: value == picked})
}

// suites are those that nobody types, as people say them.
var suites = map[string]language.Text{
	"quick":        {EN: "quick suite", ZH: "快速套件"},
	"full":         {EN: "full suite", ZH: "完整套件"},
	"compare":      {EN: "comparison", ZH: "比较"},
	"verify":       {EN: "statements", ZH: "声明核对"},
	"plan":         {EN: "plan", ZH: "计划"},
	"plan-check":   {EN: "check of a plan", ZH: "计划的核对"},
	"verify-again": {EN: "statements, again", ZH: "声明核对（复测）"},
}

// suiteText says what a run was asked.
func suiteText(suite string) language.Text {
	if suite == "" {
		return language.Text{EN: "not named", ZH: "未命名"}
	}
	return cmp.Or(suites[suite], language.Same(strings.ReplaceAll(suite, "+", " + ")))
}

func rowOf(r archive.Run) runRow {
	row := runRow{Run: r, What: suiteText(r.Suite), Says: says(r)}
	if r.Seconds != nil {
		row.Seconds = layout.FormatTime(*r.Seconds * 1e9)
	}
	return row
}

// says is what a list remarks of a run.
func says(r archive.Run) (all []remark) {
	say := func(is bool, class string, t language.Text) {
		if is {
			all = append(all, remark{class, t})
		}
	}
	say(r.Wrong > 0, "stop", document.Counted(r.Wrong, "%d wrong output", "%d wrong outputs", "%d 行输出错误"))
	say(r.Open, "beware", language.Text{EN: "not ended", ZH: "未结束"})
	say(r.Partial && !r.Open, "beware", language.Text{EN: "cut short", ZH: "未完成"})
	level := document.Trust{Level: r.Confidence}.LevelText()
	say(true, map[string]string{document.TrustLow: "beware"}[r.Confidence], language.Say("confidence %s", "可信度%s", level))
	return all
}
