package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Workload is one that statements are about. Those that name the same one share its plan.
type Workload struct {
	Path string
	*decide.Workload
	latency bool // some statement is about its p99

	// Together are runs of chosen steps as one transaction, this workload's among them where
	// its p99 was measured.
	Together []*document.Document
	// Unmeasured is why this workload's steps could not be run together; empty where they were, or nobody tried.
	Unmeasured layout.Text
}

// Workloads are those that statements name, each read once. The error joins one for every
// statement whose workload can't be read, or does not have the step or the candidates that
// it names.
func Workloads(statements []statement.Statement, read func(path string) (*decide.Workload, error)) (all []*Workload, err error) {
	var errs []error
	for _, s := range statements {
		if s.Kind != statement.Plan {
			continue
		}
		w := workload(all, s)
		if w == nil {
			of, err := read(s.WorkloadPath())
			if err != nil {
				errs = append(errs, s.Place.Errorf("plan: %s", "plan：%s", err))
				continue
			}
			w = &Workload{Path: s.WorkloadPath(), Workload: of}
			all = append(all, w)
		}
		w.latency = w.latency || slices.ContainsFunc(s.Bounds, func(b statement.Bound) bool { return b.What == transactionP99 })
		if err := w.has(s); err != nil {
			errs = append(errs, err)
		}
	}
	return all, errors.Join(errs...)
}

// What statements about plans call their quantities.
const (
	cpusTaken      = "vcpu"
	transactionP99 = "p99"
)

// workload is that of a statement; nil where it is not among them.
func workload(all []*Workload, s statement.Statement) *Workload {
	for _, w := range all {
		if w.Path == s.WorkloadPath() {
			return w
		}
	}
	return nil
}

// has says what a statement names that the workload does not have.
func (w *Workload) has(s statement.Statement) error {
	if len(s.Row.Parts) == 0 {
		return nil
	}
	step, ok := w.step(s)
	if !ok {
		var names []string
		for _, step := range w.Steps {
			names = append(names, step.Name)
		}
		if s.Step == "" {
			return s.Row.Place.Errorf("step is missing, and %s has %d: %s", "缺少 step，而 %s 有 %d 个步骤：%s", w.Path, len(names), strings.Join(names, ", "))
		}
		if near := plan.Nearest(s.Step, names); len(near) > 0 {
			return s.Row.Place.Errorf("step %q names nothing in %s; nearest: %s", "step %q 在 %s 中没有对应的步骤；最接近的有：%s", s.Step, w.Path, strings.Join(near, ", "))
		}
		return s.Row.Place.Errorf("step %q names nothing in %s; there are: %s", "step %q 在 %s 中没有对应的步骤；可选的有：%s", s.Step, w.Path, strings.Join(names, ", "))
	}
	var candidates, libraries []result.Trial
	for _, c := range (&decide.Workload{Steps: []decide.Step{step}}).Experiment(1).Cases {
		candidates = append(candidates, result.Trial{Case: c})
	}
	for _, name := range subject.Libraries() {
		libraries = append(libraries, result.Trial{Subject: result.Subject{Library: name}})
	}
	if of := s.Row.Only("algorithm", "mode"); len(of.All(candidates)) == 0 {
		return of.Nothing(candidates)
	}
	if of := s.Row.Only("library"); len(of.All(libraries)) == 0 {
		return of.Nothing(libraries)
	}
	return nil
}

// step is the one of which a statement claims a choice.
func (w *Workload) step(s statement.Statement) (decide.Step, bool) {
	if s.Step == "" && len(w.Steps) == 1 {
		return w.Steps[0], true
	}
	i := slices.IndexFunc(w.Steps, func(step decide.Step) bool { return step.Name == s.Step })
	if i < 0 {
		return decide.Step{}, false
	}
	return w.Steps[i], true
}

// experimentOf is the name of a workload's experiment.
func experimentOf(i int) string {
	if i == 0 {
		return decide.ExperimentName
	}
	return fmt.Sprintf("%s-%d", decide.ExperimentName, i+1)
}

// NeedsLatency says whether a statement is about the latency of the steps run together.
func (w *Workload) NeedsLatency() bool { return w.latency }

// Windows are as many of the steps run together as so many blocks of rows are worth.
func Windows(blocks int) int {
	return max(decide.CheckBlocks, blocks*decide.CheckBlocks/Form.Blocks)
}

// Transaction is the experiment that runs the chosen steps together, and the library that it
// starts from; false where no statement needs it, or they can't run so.
func (w *Workload) Transaction(d *document.Document) (e plan.Experiment, library string, ok bool) {
	if !w.latency {
		return e, "", false
	}
	decided := decide.Make(w.Workload, nil, d)
	steps, why := decided.Transaction()
	if why != nil || len(steps) == 0 {
		return e, "", false
	}
	return decided.CheckExperiment(steps), steps[0].Library, true
}

// Choice is the candidate that a plan chose for a step.
type Choice struct {
	Step, Row string
	Who       string // the library and what it does
}

// claimed is what becomes of a claimed choice.
type claimed struct {
	verdict Verdict
	text    layout.Text
}

// plan judges what is stated of a workload's plan.
func (j judge) plan(v *Judged) {
	w := workload(j.workloads, v.Statement)
	d := decide.Make(w.Workload, nil, j.doc)
	for _, c := range d.Steps {
		if c.Chosen != nil {
			v.Rows = append(v.Rows, c.Chosen.Row.ID)
			v.Choices = append(v.Choices, Choice{c.Name, c.Chosen.Row.ID, nameOf(c.Chosen)})
		}
	}
	if len(v.Row.Parts) > 0 {
		step, _ := w.step(v.Statement)
		c := d.Steps[slices.IndexFunc(d.Steps, func(c *decide.Choice) bool { return c.Name == step.Name })]
		got := j.choice(v, c)
		if got.verdict == NotMeasurable {
			v.Text = got.text
			return
		}
		v.claimed = &got
	}
	for _, b := range v.Bounds {
		f := Found{What: b.What, Asked: b.Range}
		if why := j.ofPlan(&f, w, d); why != (layout.Text{}) {
			v.Found, v.claimed, v.Text = nil, nil, why
			if slices.ContainsFunc(d.Steps, unchosen) || d.Alone && !j.reused {
				v.Verdict, v.Text = Undecided, layout.Say("%s. %s", "%s。%s", why, v.moreTime())
			}
			return
		}
		v.Found = append(v.Found, f)
	}
	v.conclude(j)
}

// ofPlan measures a quantity of a plan; why says what there is not to judge by.
func (j judge) ofPlan(f *Found, w *Workload, d *decide.Decision) (why layout.Text) {
	if !d.Complete() {
		for _, c := range d.Steps {
			if c.Chosen == nil && j.reused {
				return layout.Say("this run lacks rows for step %q; without --run they are measured", "该次运行缺少步骤 %q 的行；不带 --run 则现测", c.Name)
			} else if c.Chosen == nil {
				return layout.Say("step %q has no candidate with a number", "步骤 %q 没有可用的候选", c.Name)
			}
		}
		return layout.Text{EN: "the plan has no number", ZH: "该计划没有数值"}
	}
	if f.What == cpusTaken {
		if d.Alone && !j.reused {
			return layout.Text{EN: "busy CPUs gave no number", ZH: "全部 CPU 繁忙时没有数值"}
		} else if d.Alone {
			return layout.Text{EN: "this run has no rows of busy CPUs; without --run they are measured", ZH: "该次运行没有全部 CPU 繁忙时的行；不带 --run 则现测"}
		}
		f.Value, f.Low, f.High, f.Level, f.FloorLeeway = d.VCPU.Median, d.VCPU.Low, d.VCPU.High, d.VCPU.Level, j.doc.NoiseFloor
		return layout.Text{}
	}
	return j.together(f, w, d)
}

// together reads the latency of the chosen steps as one transaction.
func (j judge) together(f *Found, w *Workload, d *decide.Decision) (why layout.Text) {
	steps, unfit := d.Transaction()
	if unfit != nil {
		return layout.Say("the chosen steps can't run as one transaction: %s", "所选各步骤无法合为一个事务运行：%s", *unfit)
	}
	mode := parameter.JoinSteps(steps)
	for _, doc := range w.Together {
		for _, r := range doc.Rows {
			if r.Algorithm != algorithm.Transaction || r.Mode != mode || !parameter.Rate.Has(r.Parameters) {
				continue
			}
			if kept, _ := f.windows(doc, r.Trial, latencyMetric); r.Status == result.Incorrect || kept == 0 {
				return layout.Say("the steps run together gave no latency: %s", "各步骤合在一起运行未能得到延迟：%s", r.StatusText())
			}
			const most = 0.99
			asked, carried := float64(parameter.Rate.In(r.Parameters)), r.Metrics["rate_asked"].Value
			if carried < most*asked {
				return layout.Say("this machine can be given %s transactions a second, and the workload has %s: it takes %s vCPU, and there are %d",
					"本机每秒最多可承受 %s 个事务，而工作负载为 %s 个：需 %s 个 vCPU，本机有 %d 个",
					layout.FormatNumber(carried), layout.FormatNumber(asked), layout.FormatNumber(d.VCPU.Median), d.CPUs)
			}
			return layout.Text{}
		}
	}
	if j.reused {
		return layout.Text{EN: "this run has no latency of the steps run together; without --run it is measured", ZH: "该次运行没有各步骤合在一起的延迟；不带 --run 则现测"}
	}
	if w.Unmeasured != (layout.Text{}) {
		return layout.Say("the steps could not be run together: %s", "各步骤未能合在一起运行：%s", w.Unmeasured)
	}
	return layout.Text{EN: "it was not measured in the time given", ZH: "在给定时间内未能测到"}
}

// nameOf is a candidate as people call it.
func nameOf(c *decide.Candidate) string {
	return c.Row.Library + " " + result.Case{Algorithm: c.Row.Algorithm, Mode: c.Row.Mode}.Name()
}

// choice judges a claimed choice. Where the claimed candidate is level with the chosen one, either
// may be chosen next time: that decides nothing.
func (j judge) choice(v *Judged, c *decide.Choice) claimed {
	var fit []*decide.Candidate
	for _, x := range c.Candidates {
		if len(v.Row.All([]result.Trial{trialOf(x.Row)})) > 0 {
			fit = append(fit, x)
		}
	}
	if len(fit) == 0 {
		return claimed{NotMeasurable, j.missing(v.Row)}
	}
	x := fit[0] // they come in the order of their standing
	switch {
	case len(x.Excluded) == 0 && c.Chosen.VCPU.Low == nil:
		return claimed{Undecided, layout.Say("for step %q the choice is not certain: %s takes %s vCPU. %s", "步骤 %q 的选择尚不确定：%s 需 %s 个 vCPU。%s",
			c.Name, nameOf(c.Chosen), vcpu(c.Chosen.VCPU), v.moreTime())}
	case x == c.Chosen && v.rival(c) != nil:
		return claimed{Undecided, layout.Say("for step %q %s is chosen this time, and %s is level: %s and %s vCPU", "步骤 %q 此次选用 %s，而 %s 与之不分高下：%s 与 %s 个 vCPU",
			c.Name, nameOf(x), nameOf(v.rival(c)), vcpu(x.VCPU), vcpu(v.rival(c).VCPU))}
	case x == c.Chosen:
		return claimed{Holds, layout.Say("for step %q %s is chosen", "步骤 %q 选用 %s", c.Name, nameOf(x))}
	case unsteady(x):
		return claimed{Undecided, layout.Say("for step %q %s has no number: %s. %s", "步骤 %q 的 %s 没有数值：%s。%s", c.Name, nameOf(x), x.Excluded[0].Why, v.moreTime())}
	case len(x.Excluded) > 0:
		return claimed{Contradicted, layout.Say("for step %q %s is out: %s%s", "步骤 %q 不能用 %s：%s%s", c.Name, nameOf(x), x.Excluded[0].Why, instead(c))}
	case level(x, c.Chosen):
		return claimed{Undecided, layout.Say("for step %q %s and %s are level: %s and %s vCPU; %s is chosen this time", "步骤 %q 的 %s 与 %s 不分高下：%s 与 %s 个 vCPU；此次选用 %s",
			c.Name, nameOf(x), nameOf(c.Chosen), vcpu(x.VCPU), vcpu(c.Chosen.VCPU), nameOf(c.Chosen))}
	case x.Standing == decide.New:
		return claimed{Contradicted, layout.Say("for step %q %s is not chosen while it is not established%s", "步骤 %q 的 %s 尚未得到公认，故不选%s", c.Name, nameOf(x), instead(c))}
	}
	return claimed{Contradicted, layout.Say("for step %q %s is chosen (%s vCPU), not %s (%s)", "步骤 %q 选用 %s（%s 个 vCPU），而非 %s（%s）",
		c.Name, nameOf(c.Chosen), vcpu(c.Chosen.VCPU), nameOf(x), vcpu(x.VCPU))}
}

// rival is a candidate beside the claimed ones that nothing but chance put behind the chosen one; nil
// where there is none.
func (v *Judged) rival(c *decide.Choice) *decide.Candidate {
	for _, x := range c.Candidates {
		if len(x.Excluded) == 0 && x != c.Chosen && level(x, c.Chosen) && x.Strength() == c.Chosen.Strength() &&
			len(v.Row.All([]result.Trial{trialOf(x.Row)})) == 0 {
			return x
		}
	}
	return nil
}

// unsteady says whether a candidate is out for want of a number alone.
func unsteady(x *decide.Candidate) bool { return x.Row.Status == result.Unstable && x.CPU == nil }

// unchosen says whether a step has no choice since what it could choose from has no number.
func unchosen(c *decide.Choice) bool {
	return c.Chosen == nil && slices.ContainsFunc(c.Candidates, unsteady)
}

// instead says which candidate is chosen, where one is.
func instead(c *decide.Choice) layout.Text {
	if c.Chosen == nil {
		return layout.Text{}
	}
	return layout.Say("; %s is chosen", "；选用 %s", nameOf(c.Chosen))
}

func vcpu(e *document.Estimate) layout.Text {
	f := Found{What: cpusTaken, Value: e.Median, Low: e.Low, High: e.High, Level: e.Level}
	return f.value()
}

// level says whether nothing tells two candidates apart: they send as many bytes, and the
// intervals of what they take overlap.
func level(a, b *decide.Candidate) bool {
	bytes := func(c *decide.Candidate) float64 {
		if c.Bytes == nil {
			return 0
		}
		return *c.Bytes
	}
	if a.VCPU == nil || b.VCPU == nil || a.Standing == decide.New || bytes(a) != bytes(b) {
		return false
	}
	if a.VCPU.Low == nil || b.VCPU.Low == nil {
		return true
	}
	return *a.VCPU.Low <= *b.VCPU.High && *b.VCPU.Low <= *a.VCPU.High
}
