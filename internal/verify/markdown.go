package verify

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// sections are the tables of the Markdown report, what is otherwise first.
var sections = []struct {
	title    layout.Text
	verdicts []Verdict
	found    layout.Text // heads what is said of each statement
}{
	{layout.Text{EN: "Not true here", ZH: "在本机不成立"}, []Verdict{Impossible, Contradicted}, layout.Text{EN: "what is true", ZH: "实际情况"}},
	{layout.Text{EN: "Not decided", ZH: "未能判定"}, []Verdict{Undecided}, layout.Text{EN: "what was measured", ZH: "测得值"}},
	{layout.Text{EN: "Not measurable here", ZH: "此处无法测量"}, []Verdict{NotMeasurable}, layout.Text{EN: "why", ZH: "原因"}},
	{layout.Text{EN: "True here", ZH: "在本机成立"}, []Verdict{Holds}, layout.Text{EN: "what was measured", ZH: "测得值"}},
}

// readings say how a verdict is read.
var readings = []struct {
	Verdict
	text layout.Text
}{
	{Holds, layout.Text{EN: "the whole interval of what was measured lies inside the range that is stated", ZH: "测得值的整个置信区间在所声明的范围之内"}},
	{Contradicted, layout.Text{EN: "the whole interval lies outside it; what is true on this machine is said", ZH: "整个区间在范围之外，并给出本机的实际情况"}},
	{Impossible, layout.Text{EN: "contradicted, and by the argument that is given no processor of this kind can do it", ZH: "不成立，且所附论证表明此类处理器都做不到"}},
	{Undecided, layout.Text{EN: "the interval reaches over an end of the range", ZH: "区间跨过所声明的界限"}},
	{NotMeasurable, layout.Text{EN: "this machine or cryptogauge has no measurement to judge by", ZH: "本机或 cryptogauge 没有可据以判定的测量"}},
}

// writeMarkdown is a page that stands alone, and the summary of a step: what is not true comes first.
func (r Report) writeMarkdown(w io.Writer, o Options) error {
	var b strings.Builder
	say := func(t layout.Text) string { return render.Markdown(t.In(o.Lang)) }
	title := layout.Say("Statements of %s", "%s 的声明", r.File)
	if r.Title != "" {
		title = layout.Same(r.Title)
	}
	fmt.Fprintf(&b, "# %s\n\n", say(title))
	if r.About != "" {
		fmt.Fprintf(&b, "%s\n\n", say(layout.Same(r.About)))
	}
	fmt.Fprintf(&b, "**%s**\n\n", say(r.Summary()))
	for _, s := range sections {
		r.writeSection(&b, say, s.title, s.found, r.with(s.verdicts...))
	}
	r.writeReading(&b, say)
	fmt.Fprintf(&b, "## %s\n\n", say(layout.Text{EN: "Where and how it was measured", ZH: "测量环境与方法"}))
	for _, line := range r.origin(o.Lang) {
		fmt.Fprintf(&b, "- %s\n", say(line))
	}
	if r.Command != "" {
		fmt.Fprintf(&b, "- %s`%s`\n", layout.Text{EN: "to repeat it: ", ZH: "重复测量："}.In(o.Lang), strings.ReplaceAll(render.Clean(r.Command), "`", ""))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSection is one table; nothing where it has no line.
func (r Report) writeSection(b *strings.Builder, say func(layout.Text) string, title, found layout.Text, all []entry) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "## %s (%d)\n\n", say(title), len(all))
	fmt.Fprintf(b, "| | %s | %s | %s |\n|---|---|---|---|\n", say(layout.Text{EN: "statement", ZH: "声明"}),
		say(layout.Text{EN: "verdict", ZH: "判定"}), say(found))
	for _, e := range all {
		said := say(e.name())
		if e.Source != "" {
			said += " (" + render.Markdown(e.Source) + ")"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", marks[e.Verdict].Sign(), said, say(verdictText[e.Verdict]), say(e.explained()))
	}
	b.WriteString("\n")
}

// writeReading says how the verdicts that occur are read.
func (r Report) writeReading(b *strings.Builder, say func(layout.Text) string) {
	fmt.Fprintf(b, "## %s\n\n", say(layout.Text{EN: "How to read a verdict", ZH: "如何解读判定"}))
	fmt.Fprintf(b, "%s\n\n", say(layout.Text{
		EN: "Each figure is a median with its confidence interval in brackets, of 99 % where no other level is given. A verdict follows from the interval and never from the figure alone.",
		ZH: "每个数值是中位数，括号内为其置信区间，未注明时置信水平为 99%。判定依据区间，绝不依据单个数值。"}))
	for _, read := range readings {
		if r.count(read.Verdict) > 0 {
			fmt.Fprintf(b, "- %s\n", say(layout.Say("%s: %s", "%s：%s", verdictText[read.Verdict], read.text)))
		}
	}
	b.WriteString("\n")
}

// origin is the machine, the run and the program.
func (r Report) origin(lang layout.Lang) (lines []layout.Text) {
	d := r.Doc
	lines = append(lines, layout.Say("machine: %s", "机器：%s", layout.Same(document.MachineLine(d.Machine, lang))),
		layout.Say("confidence in the run: %s", "对该次运行的可信度：%s", r.confidence()),
		layout.Say("measured on %s with %s and cryptogauge %s", "%s 测于 %s，cryptogauge %s", d.Started.UTC().Format("2006-01-02"), d.Machine.GoVersion, r.Tool))
	if left := document.LeftOutLine(d.Run); left != (layout.Text{}) {
		lines = append(lines, layout.Say("left out %s", "未测：%s", left))
	}
	var libraries []string
	for _, l := range d.Libraries {
		if name := strings.TrimSpace(l.Library + " " + l.Version); l.Missing == "" && !slices.Contains(libraries, name) {
			libraries = append(libraries, name)
		}
	}
	if len(libraries) > 0 {
		lines = append(lines, layout.Say("libraries: %s", "密码库：%s", strings.Join(libraries, ", ")))
	}
	return lines
}
