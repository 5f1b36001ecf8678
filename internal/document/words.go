package document

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

var wordWithheld = layout.Text{EN: "withheld", ZH: "不予列出"}

// words are those of levels of confidence, of how a trial ended, and of verdicts.
var words = map[string]layout.Text{
	TrustGood:                  {EN: "good", ZH: "高"},
	TrustFair:                  {EN: "fair", ZH: "中"},
	TrustLow:                   {EN: "low", ZH: "低"},
	string(result.OK):          {EN: "ok", ZH: "正常"},
	string(result.Incorrect):   {EN: "incorrect", ZH: "结果错误"},
	string(result.Unsupported): {EN: "unsupported", ZH: "不支持"},
	string(result.Crashed):     {EN: "crashed", ZH: "崩溃"},
	string(result.Unstable):    {EN: "unstable", ZH: "不稳定"},
	string(stat.Faster):        {EN: "faster", ZH: "更快"},
	string(stat.Slower):        {EN: "slower", ZH: "更慢"},
	string(stat.Same):          {EN: "same", ZH: "相当"},
	string(stat.Inconclusive):  {EN: "inconclusive", ZH: "无法判定"},
}

// StatusText names how the row ended.
func (r *Row) StatusText() layout.Text {
	switch {
	case r.Withheld:
		return wordWithheld
	case r.Returned:
		return layout.Text{EN: "error", ZH: "出错"}
	}
	return cmp.Or(words[string(r.Status)], layout.Same(string(r.Status)))
}

// experiments are those that nobody asks for by name, as reports say them.
var experiments = map[string]layout.Text{
	"compare":          {EN: "cases of the sides", ZH: "各方的测试项"},
	"verify":           {EN: "rows of the statements", ZH: "各条声明的行"},
	"verify-every-cpu": {EN: "rows that use every CPU", ZH: "占用全部 CPU 的行"},
	"own":              {EN: "operations that workers bring", ZH: "工作进程自带的操作"},
	"plan-check":       {EN: "chosen steps run together", ZH: "所选各步骤合在一起运行"},
}

// ExperimentText names an experiment. Of several plans in a run the later ones have a number.
func ExperimentText(name string) layout.Text {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "plan-")); err == nil && strings.HasPrefix(name, "plan-") {
		return layout.Say("plan %d", "计划 %d", n)
	}
	return cmp.Or(experiments[name], layout.Same(name))
}

// withExperiments says the experiments of a sentence as [ExperimentText] does.
func withExperiments(t layout.Text) layout.Text {
	for name, said := range experiments {
		if strings.Contains(name, "-") { // a verb's name is a word
			t = layout.Text{EN: strings.ReplaceAll(t.EN, name, said.EN), ZH: strings.ReplaceAll(t.ZH, name, said.ZH)}
		}
	}
	return t
}

func experimentsText(names []string) layout.Text {
	return layout.JoinWith(Mapped(names, ExperimentText), ", ", "、")
}

// Counted is a number of things: "1 block", "5 blocks".
func Counted(n int, one, many, zh string) layout.Text {
	if n == 1 {
		many = one
	}
	return layout.Say(many, zh, n)
}

// VerdictText names a verdict, "faster" for one.
func VerdictText(verdict string) layout.Text { return cmp.Or(words[verdict], layout.Same(verdict)) }

// LevelText names the level of confidence.
func (t Trust) LevelText() layout.Text {
	return cmp.Or(words[t.Level], layout.Text{EN: "unknown", ZH: "未知"})
}

// Who is the subject as people tell it from the others of the run, but for kernel
// and environment: its library; where that is called in several ways, the way, for
// all but the everyday one ("openssl/c-loop"); where there are several versions, the
// version ("openssl-3.0.19"); where several runtimes run it, the runtime.
func (r *Row) Who() string {
	return cmp.Or(r.who, r.Library)
}

func (b *builder) nameSubjects() {
	versions, paths, runtimes := map[string][]string{}, map[string][]string{}, map[string][]string{}
	add := func(m map[string][]string, k, v string) {
		if !slices.Contains(m[k], v) {
			m[k] = append(m[k], v)
		}
	}
	for _, r := range b.doc.Rows {
		if r.CallPath == subject.Direct {
			continue // built in, of one version
		}
		if r.Status != result.Unsupported || r.Version != "" { // one that is not here has none
			add(versions, r.Library, r.Version)
		}
		add(paths, r.Library, r.CallPath)
		add(runtimes, r.Library, r.Runtime)
	}
	for _, r := range b.doc.Rows {
		r.who = r.Library
		if r.CallPath == subject.Direct || r.CallPath == "" {
			continue
		}
		if len(versions[r.Library]) > 1 && r.Version != "" {
			r.who += "-" + r.Version
		}
		if r.CallPath != everydayOf(paths[r.Library]) {
			r.who += "/" + r.CallPath
		}
		if len(runtimes[r.Library]) > 1 && r.Runtime != "" {
			r.who += "/" + r.Runtime
		}
	}
	b.nameSides()
}

// nameSides tells the subjects of sides apart: by the version, and by the side where that is the same.
func (b *builder) nameSides() {
	rows := slices.DeleteFunc(slices.Clone(b.doc.Rows), func(r *Row) bool { return r.Side() == "" })
	for _, r := range rows {
		r.who = strings.TrimSuffix(r.Library+"-"+r.Version, "-")
	}
	for _, same := range Grouped(rows, (*Row).Who) {
		if len(Grouped(same, (*Row).Side)) < 2 {
			continue
		}
		for _, r := range same {
			r.who += "/" + r.Side()
		}
	}
}

// everydayOf is the way in which a Go program would call a library, of those in the
// run: linked by cgo, else without a C compiler.
func everydayOf(paths []string) string {
	for _, way := range []string{subject.Cgo, subject.Purego} {
		if slices.Contains(paths, way) {
			return way
		}
	}
	return strings.Join(paths, "")
}

// TimeCell is the row's time as a cell, or how the row ended, with its doubts as
// footnotes.
func (r *Row) TimeCell() layout.Cell {
	if r.NsPerOp == nil {
		return r.ValueCell("–")
	}
	return r.ValueCell(layout.FormatTime(r.NsPerOp.Median))
}

// ValueCell shows a value of the row with the row's doubts as footnotes. A row
// without a number shows how it ended instead, and why.
func (r *Row) ValueCell(value string) layout.Cell {
	if r.Status == result.OK {
		return layout.Cell{Text: layout.Same(value), Footnotes: r.Notes}
	}
	c := layout.Cell{Text: r.StatusText(), Struck: r.Status == result.Incorrect, Faint: r.Status != result.Incorrect}
	if r.Why != (layout.Text{}) {
		c.Footnotes = []layout.Text{r.Why}
	}
	return c
}

func (r *Row) SizeName() string {
	if r.Bytes <= 0 {
		return ""
	}
	return layout.FormatSize(r.Bytes)
}

// chineseKernels are the words in names of implementations; names of CPU features and of functions stay.
var chineseKernels = strings.NewReplacer("generic tables", "通用查表实现", " block-loop", "，逐块调用", "block-loop", "逐块调用", "assembly", "汇编",
	"generic ghash", "通用 GHASH 实现", "generic", "通用实现", "unknown", "未知", " 8-block", "，一次 8 块", ", ", "，")

// KernelText is the name of an implementation, for a reader.
func KernelText(name string) layout.Text {
	return layout.Text{EN: name, ZH: chineseKernels.Replace(name)}
}
