package render

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

type htmlHead struct {
	Lang        layout.Lang
	Typed       bool // the language was asked for: the browser's do not count
	Title, Note layout.Text
}

func newHTMLHead(o Options, title layout.Text) htmlHead {
	return htmlHead{Lang: cmp.Or(o.Lang, layout.English), Typed: slices.Contains(o.Repeat, "--lang"),
		Title: o.titleOr(title), Note: layout.Same(o.Note)}
}

type htmlPage struct {
	htmlHead
	Asked    layout.Text
	Links    []Link
	Machines []htmlTable // of several: a column a machine
	Docs     []*htmlDoc
	Folded   template.HTML // what is drawn when it is opened: see fold
}

type htmlDoc struct {
	*htmlPlaces
	Name       layout.Text // of the machine, among several; else empty
	Figures    []htmlFigure
	Lines      []htmlLine
	Wrong      []htmlAnswer // outputs; said before the answers
	Sections   []*htmlSection
	Numbers    []*numbersTable
	Provenance []htmlFact
}

// htmlSection is a question's. The sentences and what they rest on stand on the page, the
// rest is drawn when it is opened.
type htmlSection struct {
	ID       string
	Layout   layout.Layout
	Alone    bool         // the page has its title and question already
	Answers  []htmlAnswer // that matter most
	Evidence *ratioPlot   // comparisons that these cite; nil where there are none
	Cited    htmlTable    // rows that these cite
	More     []htmlAnswer // other sentences
	Plots    []*speedPlot // side by side where there is room
	Forests  []*ratioPlot // below each other
	Tables   []htmlTable
	doc      *document.Document
}

func (s *htmlSection) Behind() layout.Text {
	parts := counts{
		{len(s.More), layout.Text{EN: "%d more sentences", ZH: "另有结论 %d 条"}},
		{len(s.Tables), layout.Text{EN: "%d tables", ZH: "表 %d 张"}},
		{len(s.Plots) + len(s.Forests) + len(s.Layout.Pictures), layout.Text{EN: "%d charts", ZH: "图 %d 张"}},
	}.said()
	if len(parts) == 0 {
		return layout.Text{EN: "All of it", ZH: "全部内容"}
	}
	return layout.Say("All of it: %s", "全部内容：%s", layout.Listed(parts))
}

func newHTMLPage(docs []*document.Document, opts Options) (*htmlPage, error) {
	title, asked := htmlTitle(docs)
	p := &htmlPage{htmlHead: newHTMLHead(opts, title), Asked: asked, Links: opts.Links}
	for i, d := range docs {
		p.Docs = append(p.Docs, newHTMLDoc(d, i, p.Lang))
	}
	switch first := p.Docs[0]; {
	case len(docs) > 1: // a page can be scrolled sideways: one table an experiment, however many machines
		for i, d := range p.Docs {
			d.Name = machineName(i)
		}
		for i, t := range sideBySide(docs, len(docs)) {
			table := newHTMLTable(t, "compare-"+strconv.Itoa(i+1), newHTMLPlaces("", &document.Document{}))
			table.Class = "wide"
			p.Machines = append(p.Machines, table)
		}
	case len(first.Sections) == 1:
		first.Sections[0].Alone = true
		first.unnamed()
	}
	markdown, err := markdownLines(docs, opts)
	if err != nil {
		return nil, fmt.Errorf("embedding the Markdown report: %w", err)
	}
	p.Folded, err = p.fold(markdown)
	return p, err
}

// unnamed leaves out of lines and figures the name that the page has.
func (h *htmlDoc) unnamed() {
	title := h.Sections[0].Layout.Title
	for i := range h.Lines {
		h.Lines[i].Name = layout.Text{}
	}
	for i := range h.Figures {
		if h.Figures[i].Name == title {
			h.Figures[i].Name = layout.Text{}
		}
	}
}

func htmlTitle(docs []*document.Document) (title, asked layout.Text) {
	layouts := layouts(docs[0])
	switch {
	case len(docs) > 1:
		title = layout.Say("The same questions on %d machines", "%d 台机器上的同一组问题", len(docs))
		return title, NoVerdictBetweenMachines
	case len(layouts) == 1:
		return layouts[0].Title, layouts[0].Question
	}
	return layout.Text{EN: "What cryptography costs on this machine", ZH: "本机密码运算的代价"}, layout.Text{}
}

// newHTMLDoc prepares one document's part. Sections come before lines: what
// they draw is what the lines can lead to.
func newHTMLDoc(d *document.Document, index int, lang layout.Lang) *htmlDoc {
	h := &htmlDoc{htmlPlaces: newHTMLPlaces("m"+strconv.Itoa(index+1), d), Provenance: provenance(d)}
	layouts := layouts(d)
	for i, l := range layouts {
		h.Sections = append(h.Sections, newHTMLSection(l, h.ID+"-"+strconv.Itoa(i+1), lang, h.htmlPlaces))
	}
	h.Numbers = newNumbers(d, h.htmlPlaces)
	h.Wrong = htmlAnswers(d.WrongOutputs, h.htmlPlaces)
	for _, s := range h.Sections {
		if s.Layout.FiguresSayLine && len(s.Layout.Figures) > 0 {
			continue
		}
		if lines := htmlAnswers(lineOf(s.Layout), h.htmlPlaces); len(lines) > 0 {
			h.Lines = append(h.Lines, htmlLine{lines[0], s.Layout.Title, "#" + s.ID})
		}
	}
	if len(layouts) == 0 {
		answers := htmlAnswers(d.Answers[len(d.WrongOutputs):], h.htmlPlaces)
		h.Lines = each(answers, func(a htmlAnswer) htmlLine { return htmlLine{htmlAnswer: a} })
	}
	h.Figures = newFigures(d, layouts, h.htmlPlaces)
	return h
}

func newHTMLSection(l layout.Layout, id string, lang layout.Lang, places *htmlPlaces) *htmlSection {
	s := &htmlSection{ID: id, Layout: l, doc: places.Doc}
	short := shortAnswers(l.Answers)
	if len(short) == 0 {
		short = l.Answers
	}
	if !l.Whole {
		s.cite(slices.Concat(lineOf(l), short), places)
	}
	s.Answers = htmlAnswers(short, places)
	if len(short) < len(l.Answers) {
		s.More = htmlAnswers(slices.DeleteFunc(slices.Clone(l.Answers), func(a layout.Answer) bool { return a.Short }), places)
	}
	looks := seriesLooks(l.Charts)
	for i, c := range l.Charts {
		name := id + "-chart" + strconv.Itoa(i+1)
		if len(c.Ratios) > 0 {
			s.Forests = append(s.Forests, newForest(c, name, places))
		} else if chart := newSpeedPlot(c, looks, places.number); chart != nil {
			chart.ID, chart.Lang = name, lang
			s.Plots = append(s.Plots, chart)
		}
	}
	tables := l.Tables
	if len(tables) == 0 {
		tables = l.Headline
	}
	for i, t := range tables {
		s.Tables = append(s.Tables, newHTMLTable(t, id+"-table"+strconv.Itoa(i+1), places))
	}
	return s
}

func newForest(c layout.Chart, id string, places *htmlPlaces) *ratioPlot {
	chart := newRatioPlot(c)
	chart.ID = id
	for i, r := range c.Ratios {
		if pair := places.pair(r.ID); pair != nil {
			chart.Lines[i].Look = places.look(pair)
		}
		chart.Lines[i].Anchor, chart.Lines[i].Href = places.claim(r.ID), places.number(r.ID)
	}
	return chart
}

// seriesLooks gives every name of a section its colour and marker, so that a
// library looks the same in all of its charts. It is empty where there are more
// names than colours: then each chart begins anew.
func seriesLooks(charts []layout.Chart) map[string]int {
	looks := map[string]int{}
	for _, c := range charts {
		for _, s := range c.Series {
			if _, seen := looks[s.Name.EN]; !seen {
				looks[s.Name.EN] = len(looks)
			}
		}
	}
	if len(looks) > len(svgShapes) {
		clear(looks)
	}
	return looks
}

type htmlAnswer struct {
	layout.Answer
	Class    string
	Word     layout.Text // what its sign says
	Evidence []htmlEvidence
	More     int // beyond these
}

type htmlEvidence struct {
	Href, Class string
	Label       layout.Text
}

var markWords = map[layout.Mark]layout.Text{
	layout.Stop:    {EN: "Avoid", ZH: "避免"},
	layout.Choose:  {EN: "Choose", ZH: "选用"},
	layout.Beware:  {EN: "Beware", ZH: "当心"},
	layout.Unclear: {EN: "Inconclusive", ZH: "无法判定"},
	layout.Plain:   {EN: "Fact", ZH: "事实"},
}

func htmlAnswers(answers []layout.Answer, places *htmlPlaces) (list []htmlAnswer) {
	const shown = 4 // numbers behind a sentence
	for _, a := range answers {
		mark := a.Mark
		if _, known := markWords[mark]; !known {
			mark = layout.Plain
		}
		h := htmlAnswer{Answer: a, Class: string(mark), Word: markWords[mark]}
		for _, id := range a.Evidence {
			e, ok := evidenceOf(id, places)
			reads := func(o htmlEvidence) bool { return o.Label == e.Label }
			if ok && !slices.ContainsFunc(h.Evidence, reads) {
				h.Evidence = append(h.Evidence, e)
			}
		}
		if more := len(h.Evidence) - shown; more > 1 {
			h.Evidence, h.More = h.Evidence[:shown], more
		}
		list = append(list, h)
	}
	return list
}

func evidenceOf(id string, places *htmlPlaces) (htmlEvidence, bool) {
	e := htmlEvidence{Href: places.evidence(id)}
	if c := places.pair(id); c != nil {
		look := places.look(c)
		// As sentences and figures say it: the slower one takes so many times as long.
		e.Label, e.Class = layout.Same(look.Sign+" "+layout.FormatNumber(max(c.Ratio, 1/c.Ratio))+"×"), look.Class
		return e, true
	}
	r := places.row(id)
	switch {
	case r == nil:
		return e, false
	case r.Status == result.Incorrect:
		e.Label, e.Class = layout.Say("✗ %s", "✗ %s", caseLabel(r, r.SizeName(), subjectName(r))), "v-slower"
	case hasRate(r) && r.Status == result.OK:
		e.Label = places.loaded(r, layout.FormatRate(*r.BytesPerSecond))
	case r.NsPerOp != nil && r.Status == result.OK:
		value, _ := htmlTime(*r.NsPerOp)
		e.Label = places.loaded(r, value)
	default:
		e.Label = caseLabel(r, r.SizeName(), subjectName(r))
	}
	return e, true
}

// hasRate says whether a row is shown by its rate: a request of a service is not, whose bytes cost little of its time.
func hasRate(r *document.Row) bool { return r.BytesPerSecond != nil && r.Operation != algorithm.Serve }

// loaded adds to a number on how many CPUs at once it was measured, where a decision rests on both.
func (p *htmlPlaces) loaded(r *document.Row, value string) layout.Text {
	busy, loaded := parameters(r.Parameters)["busy"]
	switch {
	case len(p.Doc.Layouts) == 0 || !p.Doc.Layouts[0].Whole:
		return layout.Same(value)
	case loaded:
		return layout.Say("%s, %s", "%s，%s", value, busy)
	}
	return layout.Say("%s, alone", "%s，单独运行", value)
}

func (h *htmlDoc) Silent() bool {
	return len(h.Lines) == 0 && !slices.ContainsFunc(h.Sections, func(s *htmlSection) bool { return s.Layout.Whole })
}

func (h *htmlDoc) Findings() []layout.Finding {
	rank := []string{"pathological", "degraded", "note"}
	list := otherFindings(h.Doc)
	for i := range list {
		if !slices.Contains(rank, list[i].Severity) {
			list[i].Severity = "note"
		}
	}
	slices.SortStableFunc(list, func(a, b layout.Finding) int {
		return cmp.Compare(slices.Index(rank, a.Severity), slices.Index(rank, b.Severity))
	})
	return list
}

func (h *htmlDoc) LeftOut() []layout.Text { return leftOutLines(h.Doc, document.LeftOutAlone) }

// WholeCommand measures all of what a run was cut to, where there is more; else empty.
func (h *htmlDoc) WholeCommand() string {
	if len(h.Doc.LeftOut) == 0 {
		return ""
	}
	return document.WholeCommand(h.Doc.Run.Header)
}

// Facts are behind the level of confidence, in the words of the terminal.
func (h *htmlDoc) Facts() []layout.Text { return confidenceFacts(h.Doc, len(h.Doc.Trust.Reasons)) }

func (h *htmlDoc) Light() verdictLook {
	level := h.Doc.Trust.Level
	if sign := map[string]string{document.TrustGood: "✓", document.TrustFair: "!"}[level]; sign != "" {
		return verdictLook{Class: level, Sign: sign}
	}
	return verdictLook{Class: document.TrustLow, Sign: "✗"}
}

func (h *htmlDoc) Line() layout.Text {
	in := func(l layout.Lang) string { return Clean(document.MachineLine(h.Doc.Machine, l)) }
	return cmp.Or(layout.Text{EN: in(layout.English), ZH: in(layout.Chinese)}, wordUnknown)
}

// Next is the command worth typing next, nil where there is none: what a run of all questions left open, else the first
// that a question names. Who reads the page files runs in another place than who made it.
func (h *htmlDoc) Next() *layout.Next {
	var all []layout.Next
	if open := leftOpen(h.Doc); h.Doc.Suite == suiteQuick && len(open) > 0 {
		why := layout.Text{EN: "this run leaves it open: close other programs first", ZH: "本次运行未能判定：请先关闭其他程序"}
		all = []layout.Next{{Command: alone(h.Doc, open[0]), Why: likewise(why, open[1:])}}
	}
	for _, s := range h.Sections {
		all = append(all, s.Layout.Next...)
	}
	if len(all) == 0 {
		return nil
	}
	for _, f := range document.TypedFlags(h.Doc.Command, "output") {
		all[0].Command = strings.Replace(all[0].Command, " "+document.Typed("--"+f.Name, f.Value), "", 1)
	}
	return &all[0]
}

type htmlFact struct {
	Name, Value layout.Text
	Code        bool // typed or printed by a machine: fixed width
}

// provenance says where the document's numbers come from: enough to make them again.
func provenance(d *document.Document) []htmlFact {
	noise := layout.Text{EN: "not measured", ZH: "未测得"}
	if d.NoiseMeasured || d.Resolution != nil {
		noise = layout.Say("±%s, by which every interval is widened", "±%s，所有区间已按此放宽", layout.FormatShare(d.NoiseFloor))
	}
	if d.Resolution != nil {
		noise = layout.Say("%s; it is what A/A shows for certain. The same code twice agrees within %s: do not rely on smaller differences",
			"%s；这是 A/A 对照中确定的差异。相同代码的两次测量相差 %s 以内：更小的差异不足为据", noise, layout.FormatShare(*d.Resolution))
	}
	command := strings.Join(append([]string{"cryptogauge"}, d.Command...), " ")
	data := layout.Text{EN: "drawn from the seed", ZH: "由随机种子生成"}
	if d.Own != nil {
		data = sampleLines(d)[0]
	}
	return []htmlFact{
		{layout.Text{EN: "Noise floor", ZH: "本底噪声"}, noise, false},
		{layout.Text{EN: "Started", ZH: "开始时间"}, layout.Same(d.Started.Format("2006-01-02 15:04:05 -07:00")), false},
		{layout.Text{EN: "Duration", ZH: "运行时长"}, duration(d), false},
		{layout.Text{EN: "Seed", ZH: "随机种子"}, layout.Same(strconv.FormatUint(d.Seed, 10)), true},
		{layout.Text{EN: "Plaintext", ZH: "明文"}, data, false},
		{layout.Text{EN: "Command", ZH: "命令"}, layout.Same(command), true},
		{layout.Text{EN: "Tool", ZH: "工具版本"}, layout.Same("cryptogauge " + d.Tool), true},
	}
}
