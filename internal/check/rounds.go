package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

const (
	screening     = "screening"
	stress        = "stress"
	passes        = "baseline"
	regression    = "regression"
	comparability = "comparability"
	again         = "again" // a further look, in the budget alone
)

// The extent of the rounds. Stress is ten times screening's load, in samples a
// quarter as long and so forty times as many: the tail of a distribution needs them.
const (
	screenBlocks, screenRounds = 2, 2
	screenTarget               = time.Millisecond
	stressRounds               = 10 * screenBlocks * screenRounds * 4
	stressTarget               = screenTarget / 4

	// Each pass is four restarts of the workers.
	speedPasses = 5
	speedBlocks = speedPasses * 4
	speedRounds = 9
	speedTarget = time.Millisecond
)

// A round's share of the whole budget: of a first check, and of a regression. Both
// may have to look twice more.
var shares = map[string]float64{screening: 0.1, stress: 0.3, passes: 0.2, regression: 0.6, again: 0.2}

// extent sets how much a round measures, of everything or only of some trials. Without a
// budget of the user's there is none: the rounds know what they need.
func (s *session) extent(round string, blocks, rounds int, target time.Duration, only []*Trial) func(*suite.Config) {
	return func(c *suite.Config) {
		c.Blocks, c.Rounds, c.Target = blocks, rounds, target
		c.Budget, c.EveryRow = -1, true
		if s.Budget > 0 && round != stress { // whose one block can't be cut short
			c.Budget = time.Duration(shares[round] * float64(s.Budget))
		}
		if only != nil {
			c.Keep = keepOnly(only)
		}
	}
}

// stressFor is for how many rounds everything is under stress: fewer where the user's
// budget is less than what the quick suite takes.
func (s *session) stressFor() int {
	const whole = 2 * time.Minute
	if s.Budget <= 0 || s.Budget >= whole {
		return stressRounds
	}
	return max(leastRounds, int(stressRounds*s.Budget/whole))
}

// outputs judges what every round judges: that everything is right, and answers.
// Trials that are fine come back with that verdict, and may lose it later. Those that
// there was no time to check are inconclusive.
func (s *session) outputs(m *measured) (trials []*Trial) {
	for _, t := range m.trials {
		if t.own() {
			continue
		}
		verdict, reason := s.output(t)
		now, then := s.digests(t)
		known := now != "" && then != ""
		trials = append(trials, &Trial{ID: t.id, Library: t.info.Subject.Library, Verdict: verdict, Reason: reason,
			answered: t.checked && (t.row.Status == result.OK || t.row.Status == result.Unstable),
			compared: known && now == then, redrawn: known && now != then, name: nameOf(t.info.Trial), what: t.info.Trial})
	}
	return trials
}

func (s *session) output(t *timed) (Verdict, layout.Text) {
	why := t.row.Why
	switch t.row.Status {
	case result.Incorrect:
		if t.info.Exhibit {
			return Exhibit, why
		}
		return Wrong, why
	case result.Crashed:
		return Gone, why
	case result.Unsupported:
		if s.base != nil && !s.apart { // what else is another may be the reason
			if then := s.base.find(t.id); then != nil && !then.Exhibit {
				return Gone, why
			}
		}
		return Unguarded, why
	}
	// Of a program of the same version; another may draw other data from the same seed.
	if now, then := s.digests(t); now != "" && then != "" && now != then && s.base.Tool == s.Suite.Tool {
		return Wrong, layout.Say("its output is not the baseline's: SHA-256 %.12s…, it was %.12s…",
			"输出与基线不同：SHA-256 为 %.12s…，原为 %.12s…", now, then)
	}
	if !t.checked {
		return Inconclusive, why
	}
	return Fine, layout.Text{}
}

// digests are those of a trial's output and, whoever computed it and in whichever kernel,
// of its case in the baseline. Some have none: what is drawn anew each time, as a
// signature, and what the baseline lacks.
func (s *session) digests(t *timed) (now, then string) {
	if s.base != nil && s.id.Own.Is(s.base.Own) {
		then = s.base.Outputs[caseKey(t.info.Case)]
	}
	return t.info.Digest, then
}

// outputsSay says what is known of the outputs, where none of them is wrong.
func (s *session) outputsSay(trials []*Trial) layout.Text {
	open := countUnchecked(trials)
	switch says := s.comparedSay(trials); {
	case open == 0:
		return says
	case slices.ContainsFunc(trials, func(t *Trial) bool { return t.answered }):
		return layout.Say("%s; %s", "%s；%s", says, uncheckedSay(open))
	}
	return uncheckedSay(open)
}

func uncheckedSay(n int) layout.Text {
	return document.Counted(n, "%d trial was not checked in the time given",
		"%d trials were not checked in the time given", "%d 个测试项在给定时间内未检查")
}

// comparedSay says how many of the outputs were held against the baseline's.
func (s *session) comparedSay(trials []*Trial) layout.Text {
	same, right, redrawn := 0, 0, 0
	for _, t := range trials {
		switch {
		case !t.answered:
			continue
		case t.compared:
			same++
		case t.redrawn:
			redrawn++
		}
		right++
	}
	made := s.made()
	switch {
	case right == 0:
		return layout.Say("there is no output to compare", "没有可比较的输出")
	case redrawn == right:
		return layout.Say("the outputs are right, but the data differ from those of the baseline of %s, which another version made",
			"输出正确，但数据与 %s 由其他版本建立的基线不同", made)
	case redrawn > 0:
		return layout.Say("of %[2]s the outputs of %[1]d are the same as on %[3]s; those of %[4]d are right, of other data than the "+
			"baseline's, which another version made",
			"%[2]s中有 %[1]d 个的输出与 %[3]s 相同；另有 %[4]d 个的输出正确，但数据与由其他版本建立的基线不同", same, trialsOf(right), made, redrawn)
	case same == 0:
		return layout.Say("no output of %s was compared, for the baseline of %s has none of them",
			"%s的输出均未比较：%s 的基线中没有对应的输出", trialsOf(right), made)
	case same == right:
		return layout.Say("the outputs of %s are the same as on %s", "%s的输出均与 %s 相同", trialsOf(right), made)
	}
	return layout.Say("of %[2]s the outputs of %[1]d were compared, and are the same as on %[3]s; the baseline has none of the others",
		"%[2]s中比较了 %[1]d 个的输出，均与 %[3]s 相同；其余在基线中没有对应的输出", same, trialsOf(right), made)
}

func (s *session) made() string { return s.base.Made.Format("2006-01-02 15:04") }

func caseKey(c result.Case) string {
	return fmt.Sprintf("%s/%s/%d/%s", c.Name(), c.Operation, c.Bytes, c.Parameters)
}

func nameOf(t result.Trial) layout.Text {
	c := t.Case
	name := c.Name() + " " + c.Operation
	if c.Bytes > 0 {
		name += " " + layout.FormatSize(c.Bytes)
	}
	who := t.Subject.Library
	if t.Subject.Library == ownLibrary && t.Subject.Implementation != "" {
		who += " (" + t.Subject.Implementation + ")"
	}
	if t.Subject.Environment != "" {
		who += " " + t.Subject.Environment
	}
	return layout.Say("%s in %s", "%[2]s 的 %[1]s", name, who)
}

func worst(trials []*Trial) Verdict {
	switch {
	case count(trials, Wrong) > 0:
		return Wrong
	case count(trials, Slower, Allocates, Unsteady, Gone) > 0:
		return Failed
	}
	return Fine
}

// screening asks everything for a little, and looks whether it is right and alive.
func (s *session) screening() (Round, error) {
	m, err := s.take(look{round: screening, abnormal: true,
		change: s.extent(screening, screenBlocks, screenRounds, screenTarget, nil)})
	if err != nil {
		return Round{}, err
	}
	r := Round{Round: screening, Folders: []string{m.folder}, Trials: s.outputs(m), Abnormal: countAbnormal(m.tried)}
	r.Verdict = worst(r.Trials)
	right, open := count(r.Trials, Fine), count(r.Trials, Inconclusive)
	if r.Verdict == Fine && open > 0 {
		r.Verdict = Inconclusive
	}
	if r.Verdict == Fine && len(r.Trials) > 0 && right+count(r.Trials, Exhibit) == 0 && !s.apart {
		r.Verdict = Failed // a gate that looks at nothing lets everything pass
		r.say(layout.Say("nothing runs here, so nothing can be checked: %s", "此处没有任何项能运行，无从检查：%s", r.Trials[0].Reason))
		return r, nil
	}
	r.held()
	first := layout.Say("%s ran with right outputs", "%s均可运行，输出正确", trialsOf(right))
	switch r.Verdict {
	case Inconclusive:
		if right > 0 {
			first = layout.Say("%s; %s", "%s；%s", first, uncheckedSay(open))
		} else {
			first = uncheckedSay(open)
		}
	case Wrong:
		first = wrongSays(r.Trials)
	case Failed:
		first = layout.Say("%s did not run", "%s无法运行", trialsOf(count(r.Trials, Gone)))
	}
	r.say(first, Wrong, Gone)
	if r.Verdict == Inconclusive && !s.apart {
		r.Says = append(r.Says, Line{layout.Plain, layout.Text{
			EN: "stress checks them: --budget does not break it off", ZH: "压力测试会检查这些项：它不会因 --budget 中途截断"}})
	}
	r.Says = slices.Concat(r.Says, abnormalLines(r.Abnormal), defects(r.Trials))
	return r, nil
}

func (r *Round) say(first layout.Text, verdicts ...Verdict) {
	r.Says = append([]Line{{markOf(r.Verdict), first}}, named(r.Trials, verdicts...)...)
}

func wrongSays(trials []*Trial) layout.Text {
	if count(trials, Wrong) == 0 {
		return layout.Text{EN: "abnormal inputs have wrong outputs", ZH: "异常输入的输出有误"}
	}
	return layout.Say("wrong outputs: %s", "输出错误：%s", trialsOf(count(trials, Wrong)))
}

func trialsOf(n int) layout.Text {
	return document.Counted(n, "%d trial", "%d trials", "%d 个测试项")
}

func withVerdict(trials []*Trial, verdicts ...Verdict) (some []*Trial) {
	for _, v := range verdicts {
		for _, t := range trials {
			if t.Verdict == v {
				some = append(some, t)
			}
		}
	}
	return some
}

func count(trials []*Trial, verdicts ...Verdict) int { return len(withVerdict(trials, verdicts...)) }

// mostNamed is how many trials of a kind are named on the screen; JSON names all.
const mostNamed = 8

// shortened are lines of a kind, of which those beyond mostNamed are only counted.
func shortened(lines []Line, mark layout.Mark) []Line {
	more := len(lines) - mostNamed
	if more <= 0 {
		return lines
	}
	return append(lines[:mostNamed], Line{mark, layout.Say("and %d more; --format json names all", "另有 %d 项；--format json 列出全部", more)})
}

func named(trials []*Trial, verdicts ...Verdict) (lines []Line) {
	for _, v := range verdicts {
		all := document.Mapped(withVerdict(trials, v), func(t *Trial) Line {
			return Line{markOf(v), layout.Say("%s: %s", "%s：%s", t.name, t.Reason)}
		})
		lines = append(lines, shortened(all, markOf(v))...)
	}
	return lines
}

// defects names the libraries' known defects, a line each for trials that differ in
// their size alone.
func defects(trials []*Trial) (lines []Line) {
	type defect struct{ what, who string }
	of := func(t *Trial) defect {
		c, by := t.what.Case, t.what.Subject
		return defect{c.Name() + " " + c.Operation, by.Library + " " + by.Version}
	}
	for _, same := range document.Grouped(withVerdict(trials, Exhibit), of) {
		d := of(same[0])
		lines = append(lines, Line{layout.Beware, layout.Say(
			"known defect, shown and not held against this machine: %s of %s: %s",
			"已知缺陷，仅列出，不计入本机结果：%[2]s 的 %[1]s：%[3]s", d.what, d.who, same[0].Reason)})
	}
	return lines
}

// refuse says why the baseline's speeds were not compared, and of how many trials of
// the screening before it the outputs were.
func (s *session) refuse(list []layout.Text, screened []*Trial) {
	all := layout.JoinWith(list, "; ", "；")
	s.keep(Round{Round: comparability, Verdict: Refused, Folders: []string{}, Trials: []*Trial{}, Says: []Line{
		{layout.Stop, layout.Say("%s; the speeds can't be compared: the baseline %s is of something else (%s)",
			"%s；速度无法比较：基线 %s 的条件不同（%s）", s.outputsSay(screened), s.path, all)},
		{layout.Plain, layout.Say("--new-baseline makes one for what runs here now; --baseline PATH names another",
			"用 --new-baseline 为当前环境建立基线，或用 --baseline PATH 指定其他基线")},
	}})
}

// keep only some trials, by what they are: a plan does not know yet which kernel a
// library will choose.
func keepOnly(trials []*Trial) func(result.Trial) bool {
	type key struct {
		result.Case
		library, environment string
	}
	of := func(t result.Trial) key { return key{t.Case, t.Subject.Library, t.Subject.Environment} }
	want := map[key]bool{}
	for _, t := range trials {
		want[of(t.what)] = true
	}
	return func(t result.Trial) bool { return t.Subject.Library == subject.Harness || want[of(t)] }
}

func percent(share float64) string { return fmt.Sprintf("%.2g %%", 100*share) }
