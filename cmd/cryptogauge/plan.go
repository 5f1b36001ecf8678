package main

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

type planFlags struct {
	needs                                   map[decide.Need]*bool
	rate, bytes, sizes, utilization, p99    string
	resumed, vcpuHour, perInstance, weights string
	currency, run, sample                   string
	require, use, libraries, objects        []string
	clientAuth, why, schema                 bool
	runOptions
}

// planFormats are those that have room for sentences.
var planFormats = []string{string(render.FormatText), string(render.FormatMarkdown), string(render.FormatHTML), string(render.FormatJSON)}

func newPlan(s streams) *cobra.Command {
	f := planFlags{needs: map[decide.Need]*bool{}}
	cmd := &cobra.Command{
		Use: "plan [WORKLOAD.yaml]",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.schema:
				_, err := s.Out.Write(decide.Schema)
				return command.WithCode(command.ExitOutput, err)
			case f.why:
				return command.WithCode(command.ExitOutput, decide.WriteKnowledge(s.Out, s.Lang))
			}
			p, err := f.resolve(cmd, args, s)
			if err != nil {
				return err
			}
			if !p.measures {
				return p.decide(cmd.Context())
			}
			return p.keeping(cmd, p.decide)
		},
	}
	fs := cmd.Flags()
	for _, need := range decide.Needs {
		f.needs[need] = fs.Bool(string(need), false, "")
	}
	for name, into := range f.texts() {
		fs.StringVar(into, name, "", "")
	}
	fs.StringSliceVar(&f.require, "require", nil, "")
	fs.StringSliceVar(&f.use, "use", nil, "")
	fs.StringSliceVar(&f.libraries, "libraries", nil, "")
	fs.StringArrayVar(&f.objects, "library", nil, "")
	fs.BoolVar(&f.clientAuth, "client-auth", false, "")
	fs.BoolVar(&f.why, "why", false, "")
	fs.BoolVar(&f.schema, "schema", false, "")
	fs.StringVar(&f.sample, "sample", "", "")
	_ = cmd.MarkFlagFilename("sample")
	f.addKept(cmd, 0, planFormats)
	f.addChosen(fs)
	return cmd
}

// ofWorkload are the flags that say what a workload file says.
var ofWorkload = []string{"rate", "bytes", "sizes", "use", "utilization", "p99", "resumed", "vcpu-hour", "currency", "vcpu-per-instance", "require", "client-auth"}

func (f *planFlags) texts() map[string]*string {
	return map[string]*string{"rate": &f.rate, "bytes": &f.bytes, "sizes": &f.sizes, "utilization": &f.utilization, "p99": &f.p99,
		"resumed": &f.resumed, "vcpu-hour": &f.vcpuHour, "currency": &f.currency, "vcpu-per-instance": &f.perInstance,
		"weights": &f.weights, "run": &f.run}
}

type planConfig struct {
	runConfig // its budget is of all, the check among it
	workload  *decide.Workload
	weights   *decide.Weights
	reused    string             // a run; "" without
	before    *document.Document // of that run; nil without
	asked     []result.Trial     // what libraries offer of the workload
	measures  bool
	begun     time.Time
}

func (f *planFlags) resolve(cmd *cobra.Command, args []string, s streams) (p *planConfig, err error) {
	p = &planConfig{runConfig: f.config(cmd, s), reused: f.run, measures: true}
	if !slices.Contains(planFormats, f.format) {
		return nil, language.Errorf("unknown format %q; there are: %s", "没有 %q 格式；现有：%s", f.format, strings.Join(planFormats, ", "))
	}
	if err := notEmpty(cmd, "require", "use", "libraries", "run"); err != nil {
		return nil, err
	}
	read := "--sizes " + f.sizes
	if len(args) > 0 {
		read = args[0]
	}
	if p.workload, err = waiting(cmd.Context(), read, func() (*decide.Workload, error) { return f.workload(cmd, args) }); err != nil {
		return nil, err
	}
	for _, s := range p.workload.Steps {
		if s.Use != nil && len(f.libraries) > 0 && !slices.ContainsFunc(f.libraries, func(name string) bool { return strings.EqualFold(name, s.Use.Library) }) {
			return nil, language.Errorf("--libraries leaves out %s, which step %q runs today; name it too", "--libraries 未包括 %s，而步骤 %q 现用此库；请一并列出",
				s.Use.Library, s.Name)
		}
	}
	if err = given(cmd, "weights", f.weights, decide.ParseWeights, &p.weights); err != nil {
		return nil, err
	}
	if f.run != "" {
		if p.before, err = load(f.run, withoutHome); err != nil {
			return nil, err
		}
	}
	if cmd.Flags().Changed("budget") && f.budget == 0 && p.before != nil {
		p.measures = false
		if cmd.Flags().Changed("sample") {
			return nil, language.Errorf("--budget 0 measures nothing: leave --sample out", "--budget 0 不作测量：请去掉 --sample")
		}
		return p, nil
	}
	if err := budgetWithin(cmd, time.Second, 24*time.Hour); err != nil {
		return nil, err
	}
	return p, f.measuring(cmd, p)
}

// measuring says what is to be measured, and in which time.
func (f *planFlags) measuring(cmd *cobra.Command, p *planConfig) (err error) {
	c := suite.Config{Name: decide.ExperimentName, Experiments: []plan.Experiment{p.workload.Experiment(runtime.GOMAXPROCS(0))},
		Selection: plan.Selection{Short: true, Libraries: f.libraries, Seed: p.seed}, Setting: provider.Setting{Seed: p.seed},
		Thinned: true}
	if c.Workload, err = p.workload.Keep(); err != nil {
		return err
	}
	p.begun, p.budget = time.Now(), cmp.Or(p.budget, p.workload.Budget())
	c.Reserved = p.workload.CheckTime(p.budget)
	c.Budget = p.budget - c.Reserved
	if err := p.equip(cmd, &c, f.objects, f.sample); err != nil {
		return err
	}
	p.suite = c
	return p.sameData()
}

// sameData refuses rows of an earlier run that were measured with other data of the user's.
func (p *planConfig) sameData() error {
	if p.before == nil || p.before.Own.Is(p.suite.Setting.Own.Known()) {
		return nil
	}
	return language.Errorf("--run %s was measured with other data: give the --sample that it had, or measure anew without --run",
		"--run %s 使用的是其他数据：请给出相同的 --sample，或不用 --run 重新测量", p.reused)
}

// workload is the file's, or what the flags say.
func (f *planFlags) workload(cmd *cobra.Command, args []string) (*decide.Workload, error) {
	var needs []decide.Need
	for _, need := range decide.Needs {
		if *f.needs[need] {
			needs = append(needs, need)
		}
	}
	switch {
	case len(args) > 1:
		return nil, language.Errorf("plan: %d workload files; give one", "plan：给了 %d 个工作负载文件；只能有一个", len(args))
	case len(args) == 1 && len(needs) > 0:
		return nil, language.Errorf("plan: give a workload file or needs such as --sign, not both", "plan：工作负载文件与 --sign 等选项只能用其一")
	case len(args) == 1:
		for _, name := range ofWorkload {
			if cmd.Flags().Changed(name) {
				return nil, language.Errorf("--%s: the workload file says that; change it there", "--%s：请在工作负载文件中指定", name)
			}
		}
		return decide.ReadFile(args[0])
	case len(needs) == 0 && len(f.use) > 0:
		_, err := f.uses(nil)
		return nil, err
	case len(needs) == 0:
		return nil, language.Errorf("plan: what for? give a workload file, or a need such as --sign, e.g. cryptogauge plan --sign --rate 3000/s",
			"plan：请给出工作负载文件，或 --sign 等需要，例如 cryptogauge plan --sign --rate 3000/s")
	}
	return f.typed(cmd, needs)
}

// typed is the workload that flags say: a step for each need.
func (f *planFlags) typed(cmd *cobra.Command, needs []decide.Need) (*decide.Workload, error) {
	w := &decide.Workload{}
	changed := cmd.Flags().Changed
	var sizes []result.SizeShare
	var resumed float64
	for _, read := range []struct {
		flag string
		do   func() error
	}{
		{"rate", func() (err error) { w.Rate, err = decide.ParseRate(f.rate); return err }},
		{"utilization", func() (err error) { w.Limits.Utilization, err = decide.ParseShare(f.utilization); return err }},
		{"p99", func() (err error) { w.Limits.P99, err = decide.ParseLatency(f.p99); return err }},
		{"vcpu-hour", func() (err error) { w.Price.VCPUHour, err = decide.ParsePositive(f.vcpuHour); return err }},
		{"vcpu-per-instance", func() (err error) { w.Price.VCPUPerInstance, err = decide.ParsePositive(f.perInstance); return err }},
		{"currency", func() (err error) { w.Price.Currency, err = decide.ParseName(f.currency); return err }},
		{"resumed", func() (err error) { resumed, err = decide.ParseShareOrNone(f.resumed); return err }},
		{"bytes", func() (err error) { sizes, err = decide.ParseSizes(f.bytes, decide.OpenSizes); return err }},
		{"sizes", func() (err error) { sizes, err = decide.ParseSizes(f.sizes, decide.OpenSizes); return err }},
	} {
		if changed(read.flag) {
			if err := read.do(); err != nil {
				return nil, language.Errorf("--%s: %w", "--%s：%s", read.flag, err)
			}
		}
	}
	require, err := parsed(f.require, decide.ParseRequirement)
	if err != nil {
		return nil, language.Errorf("--require: %w", "--require：%s", err)
	}
	if err := f.fitting(changed, needs); err != nil {
		return nil, err
	}
	uses, err := f.uses(needs)
	if err != nil {
		return nil, err
	}
	for _, need := range needs {
		s := decide.NewStep(need)
		s.Require, s.Use = require, uses[need]
		if need.Sized() {
			s.Sizes = sizes
		}
		if need == decide.Handshake {
			s.Resumed, s.ClientAuth = resumed, f.clientAuth
		}
		if err := s.Check(); err != nil {
			return nil, err
		}
		w.Steps = append(w.Steps, s)
	}
	return w, w.Check()
}

// uses are what runs today, one for each need that has one.
func (f *planFlags) uses(needs []decide.Need) (map[decide.Need]*decide.Use, error) {
	all := map[decide.Need]*decide.Use{}
	for _, text := range f.use {
		found, err := decide.ParseUse(text, needs)
		if err != nil {
			return nil, language.Errorf("--use: %w", "--use：%s", err)
		}
		for need, use := range found {
			if all[need] != nil {
				return nil, language.Errorf("--use %s: --%s has another; give each need one", "--use %s：--%s 已有另一个；每项需求只能给一个", text, string(need))
			}
			all[need] = use
		}
	}
	return all, nil
}

// fitting refuses flags that none of the needs has a use for.
func (f *planFlags) fitting(changed func(string) bool, needs []decide.Need) error {
	sized := slices.ContainsFunc(needs, decide.Need.Sized)
	handshake := slices.Contains(needs, decide.Handshake)
	switch {
	case changed("bytes") && changed("sizes"):
		return language.Errorf("give --bytes or --sizes, not both", "--bytes 与 --sizes 只能用其一")
	case !sized && (changed("bytes") || changed("sizes")):
		return language.Errorf("--bytes and --sizes are of messages, and %s has none", "--bytes 与 --sizes 用于消息，而 %s 没有消息", string(needs[0]))
	case !handshake && (changed("resumed") || changed("client-auth")):
		return language.Errorf("--resumed and --client-auth are of --handshake", "--resumed 与 --client-auth 只用于 --handshake")
	}
	return nil
}

// decide measures what is missing, chooses, and reports.
func (p *planConfig) decide(ctx context.Context) error {
	var m planned
	if p.before != nil {
		m.runs, m.paths = append(m.runs, p.before), append(m.paths, p.reused)
	}
	if p.measures {
		if here := machine.Read().CPU.Model; p.before != nil && p.before.Machine.CPU.Model != here {
			return language.Errorf("--run %s is of another machine (%s); plan from it alone with --budget 0",
				"--run %s 来自另一台机器（%s）；仅用它作计划请加 --budget 0", p.reused, p.before.Machine.CPU.Model)
		}
		if err := p.measure(ctx, &m); err != nil || p.dryRun {
			return err
		}
	}
	d := decide.Make(p.workload, p.weights, m.runs...)
	d.Unasked = p.unasked()
	unchecked := p.check(ctx, d, &m)
	if unchecked != nil { // it costs the plan nothing
		why := language.Of(unchecked)
		d.Unchecked = &why
	}
	unreported := p.report(d, m)
	if command.CodeOf(unchecked) == command.ExitOutput { // where a disk was full for the check, the page may fail too
		return unchecked
	}
	return cmp.Or(unreported, unchecked)
}

// unasked are the libraries that are installed, and measured only where they are named.
func (p *planConfig) unasked() (names []string) {
	if !slices.ContainsFunc(p.workload.Steps, func(s decide.Step) bool { return s.Need != decide.Handshake }) {
		return nil // which none of them offers
	}
	for _, n := range p.suite.Native {
		if n.Missing == nil && n.Library != subject.Harness && len(p.suite.Selection.Libraries) == 0 && !slices.Contains(names, n.Library) {
			names = append(names, n.Library)
		}
	}
	return names
}

var cutShort = layout.Text{EN: "the run was interrupted", ZH: "运行被中断"}

// check runs the chosen steps together, where they can.
func (p *planConfig) check(ctx context.Context, d *decide.Decision, m *planned) error {
	steps, why := d.Transaction()
	switch {
	case why != nil:
		d.Unchecked = why
		return nil
	case m.outcome.Interrupted:
		d.Unchecked = &cutShort
		return nil
	case !p.measures:
		p.checkedBefore(d)
		return nil
	}
	r := p.runConfig
	r.output = cmp.Or(m.folder.Path, p.output)
	c := &r.suite
	c.Name, c.Experiments, c.Keep = decide.CheckName, []plan.Experiment{d.CheckExperiment(steps)}, nil
	c.EveryRow, c.Reserved, c.Selection.Libraries = true, 0, []string{steps[0].Library}
	c.Budget = max(p.budget-time.Since(p.begun), p.workload.CheckTime(p.budget))
	checked, err := p.fresh(ctx, r)
	m.outcome = checked.outcome
	switch {
	case checked.doc != nil:
		if d.TakeCheck(checked.doc); d.Check == nil && m.outcome.Interrupted {
			d.Unchecked = &cutShort
		}
	case ctx.Err() != nil:
		return interruptedIn(cmp.Or(m.folder.Path, p.reused))
	}
	return err
}

// checksBeside are the runs of steps together that lie beside a run.
func checksBeside(folder string) (checks []*document.Document) {
	for _, check := range runsIn(folder, decide.CheckName) {
		if doc, err := load(check, withoutHome); err == nil {
			checks = append(checks, doc)
		}
	}
	return checks
}

// checkedBefore takes the check that lies beside the run that the plan rests on.
func (p *planConfig) checkedBefore(d *decide.Decision) {
	for _, doc := range checksBeside(p.reused) {
		d.TakeCheck(doc)
	}
	if d.Check == nil {
		d.Unchecked = &layout.Text{EN: "with --budget 0 nothing is measured, and beside --run lies no check of these steps",
			ZH: "--budget 0 不作测量，而 --run 旁没有对这些步骤的核对"}
	}
}

// planned are the runs that a plan rests on, the last of them its own where it measured.
type planned struct {
	measured // its own, of which the document is the last of all; empty without
	runs     []*document.Document
	paths    []string
}

func (p *planConfig) measure(ctx context.Context, m *planned) error {
	have, missing := decide.Pool(m.runs), 0
	p.suite.Keep = func(t result.Trial) bool {
		p.asked = append(p.asked, t)
		if have.Has(t) {
			return false
		}
		missing++
		return true
	}
	own, err := p.fresh(ctx, p.runConfig)
	switch {
	case err != nil && ctx.Err() == nil && len(p.asked) > 0 && missing == 0 && p.workload.Offered(p.asked) == nil: // --run has all of it
		return nil
	case err != nil || p.dryRun:
		return err
	}
	m.measured, m.runs, m.paths = own, append(m.runs, own.doc), append(m.paths, own.folder.Path)
	return nil
}

// fresh makes a run, and reads it back from its file.
func (p *planConfig) fresh(ctx context.Context, r runConfig) (measured, error) {
	made, err := r.prepare(ctx)
	switch {
	case ctx.Err() != nil:
		return measured{}, interruptedEarly()
	case len(p.asked) > 0 && p.workload.Offered(p.asked) != nil:
		return measured{}, p.workload.Offered(p.asked)
	case err != nil:
		return measured{}, err
	}
	if p.dryRun {
		p.Note(command.WithoutProc(), leftOut(made))
		return measured{}, command.WithCode(command.ExitOutput, printPlan(p.streams, made))
	}
	return r.record(ctx, made, command.WithoutProc(), leftOut(made))
}

// again is the command that shows all of this plan from its rows.
func (p *planConfig) again(m planned) []layout.Next {
	switch {
	case p.before != nil && p.all:
		return nil
	case p.before != nil || m.folder.Path == "":
		return []layout.Next{{Command: "cryptogauge " + document.Typed(append(slices.Clone(p.Args), "--all")...), Why: allOfPlan}}
	}
	return []layout.Next{planAgain(p.typed(), m.folder.Path)}
}

// planAgain is the command that shows all of a plan from the rows of its run.
func planAgain(args []string, run string) layout.Next {
	words := append(document.WithoutFlags(args, "--budget"), "--run", run, "--budget", "0", "--all")
	return layout.Next{Command: "cryptogauge " + document.Typed(words...), Why: allOfPlan}
}

var allOfPlan = language.Text{EN: "all of the plan from the same rows, with what was excluded and why", ZH: "用同一批结果显示计划的全部内容，包括被排除的候选及原因"}

// report says what was decided, where the user asked for it, and as a page beside the run.
func (p *planConfig) report(d *decide.Decision, m planned) error {
	m.doc = m.runs[len(m.runs)-1]
	d.Lay(m.doc)
	m.doc.Layouts[0].Next = p.again(m)
	write := p.write
	if p.format == string(render.FormatJSON) {
		write = func([]*document.Document, render.Options) error { return d.WriteJSON(p.Out, m.doc, m.paths) }
	}
	err := p.show(m.measured, render.Options{Run: m.paths[len(m.paths)-1]}, write)
	switch {
	case err != nil:
		return err
	case !d.Complete():
		return command.WithCode(command.ExitInconclusive, language.Errorf("a step has no candidate with a number", "有步骤没有可用的候选"))
	}
	return nil
}
