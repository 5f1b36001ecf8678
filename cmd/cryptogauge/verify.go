package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
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
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/verify"
	"github.com/cryptogauge/cryptogauge/internal/version"
	"github.com/cryptogauge/cryptogauge/result"
)

type verifyFlags struct {
	runOptions
	run, sample string
	objects     []string
}

func newVerify(s streams) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use: "verify FILE",
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := f.resolve(cmd, args, s)
			if err != nil {
				return err
			}
			if v.reused != "" {
				return v.run(cmd.Context())
			}
			return v.keeping(cmd, v.run)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.run, "run", "", "")
	fs.StringArrayVar(&f.objects, "library", nil, "")
	fs.StringVar(&f.sample, "sample", "", "")
	_ = cmd.MarkFlagFilename("sample")
	f.addKept(cmd, verify.Usual, verify.Formats())
	f.addChosen(fs)
	return cmd
}

type verifyConfig struct {
	runConfig
	name      string
	reused    string // a run, in the place of measuring
	file      statement.File
	workloads []*verify.Workload
	planner   *verify.Planner
	format    render.Format
}

func (f *verifyFlags) resolve(cmd *cobra.Command, args []string, s streams) (*verifyConfig, error) {
	changed := cmd.Flags().Changed
	switch {
	case len(args) != 1:
		return nil, language.Errorf("verify: which statements? give one YAML file, or - for standard input",
			"verify：要核对哪些声明？请给出一个 YAML 文件，或用 - 表示标准输入")
	case changed("run") && f.run == "":
		return nil, language.Errorf("--run is empty; leave it out to measure", "--run 为空；省略即现测")
	case changed("run") && (changed("budget") || changed("seed") || changed("library") || changed("dry-run") || changed("sample")):
		return nil, language.Errorf("--run measures nothing: leave --budget, --seed, --library, --sample and --dry-run out",
			"--run 不作测量：请去掉 --budget、--seed、--library、--sample 与 --dry-run")
	}
	if err := budgetWithin(cmd, time.Second, 24*time.Hour); err != nil {
		return nil, err
	}
	v := &verifyConfig{runConfig: f.config(cmd, s), name: args[0], reused: f.run}
	var err error
	if v.format, err = verify.ParseFormat(f.format); err != nil {
		return nil, err
	}
	if v.file, err = waiting(cmd.Context(), v.name, v.read); err != nil {
		return nil, err
	}
	if v.workloads, err = verify.Workloads(v.file.Statements, decide.ReadFile); err != nil {
		return nil, v.refuse(unjoined(err))
	}
	if v.planner, err = verify.New(v.file.Statements, v.workloads, question.All(), v.seed); err != nil {
		return nil, v.refuse(unjoined(err))
	}
	v.planner.Blocks = verify.Blocks(f.budget)
	v.suite = suite.Config{Name: verify.SuiteName, Experiments: v.planner.Experiments(), EveryRow: true,
		Selection: plan.Selection{Libraries: v.planner.Libraries(), Seed: v.seed}, Setting: provider.Setting{Seed: v.seed},
		Budget: f.budget - v.togetherTime(f.budget), Blocks: verify.Form.Blocks, More: v.planner.Blocks}
	return v, v.equip(cmd, &v.suite, f.objects, f.sample)
}

// togetherTime is what running the steps of workloads together takes of a budget.
func (v *verifyConfig) togetherTime(budget time.Duration) (all time.Duration) {
	for _, w := range v.workloads {
		if w.NeedsLatency() {
			all += w.CheckTime(budget / time.Duration(len(v.workloads))) // each its share
		}
	}
	return all
}

// read reads the file of statements, or standard input.
func (v *verifyConfig) read() (f statement.File, err error) {
	name, in := "stdin", v.In
	if v.name != "-" {
		file, err := os.Open(v.name)
		if err != nil {
			return f, unreadable(v.name, err)
		}
		defer file.Close()
		name, in = v.name, file
	}
	content, err := io.ReadAll(io.LimitReader(in, statement.MostBytes+1))
	if err != nil {
		return f, unreadable(name, err)
	}
	return statement.Read(name, content)
}

// unreadable says why there is no file of statements, without its name twice.
func unreadable(name string, err error) error {
	return language.Errorf("%s: there is no file of statements to read: %w", "%s：无法读取声明文件：%s", name, cmp.Or(errors.Unwrap(err), err))
}

func unjoined(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// refuse says a line for each statement that names no row, or several.
func (v *verifyConfig) refuse(problems []error) error {
	for _, err := range problems {
		v.Remark(language.Of(err))
	}
	return command.WithCode(command.ExitUsage, command.ErrSilent)
}

func (v *verifyConfig) run(ctx context.Context) error {
	if v.reused != "" {
		doc, err := load(v.reused, withoutHome)
		if err != nil {
			return err
		}
		checks := checksBeside(v.reused)
		for _, w := range v.workloads {
			w.Together = checks
		}
		return v.judge(doc, shortHome(v.reused), verify.Reused)
	}
	planned, err := v.prepare(ctx)
	switch problems := v.planner.Problems(); {
	case ctx.Err() != nil:
		return interruptedEarly()
	case len(problems) > 0:
		return v.refuse(problems)
	case err != nil && v.planner.Empty():
		return v.judge(v.nothing(), "", verify.Measured)
	case err != nil:
		return err
	}
	v.Note(command.WithoutProc())
	return v.recorded(ctx, planned, func(m measured) error { return v.conclude(ctx, m) })
}

// conclude judges by a run, and by what is measured beside it.
func (v *verifyConfig) conclude(ctx context.Context, m measured) error {
	var lost error // of what comes after the run, which costs its verdicts nothing
	for _, w := range v.workloads {
		if lost == nil && !m.outcome.Interrupted {
			m.outcome, lost = v.together(ctx, w, m)
		}
	}
	err := v.judge(m.doc, m.folder.Path, verify.Measured)
	switch {
	case lost != nil:
		return unwritten(lost, m.folder.Path)
	case m.outcome.Interrupted:
		return interruptedIn(m.folder.Path)
	}
	return err
}

// together runs the chosen steps of a workload as one transaction, where a statement is about its
// latency, and keeps that beside the run.
func (v *verifyConfig) together(ctx context.Context, w *verify.Workload, first measured) (o suite.Outcome, err error) {
	e, library, ok := w.Transaction(first.doc)
	if !ok {
		return o, nil
	}
	r := v.runConfig
	r.suite.Name, r.suite.Experiments, r.suite.Budget = decide.CheckName, []plan.Experiment{e}, w.CheckTime(v.budget/time.Duration(len(v.workloads)))
	r.suite.Blocks, r.suite.More, r.suite.Selection.Libraries = verify.Windows(v.planner.Blocks), 0, []string{library}
	m, why, err := r.recordBeside(ctx, first.folder)
	if w.Unmeasured = why; err != nil || m.folder.Path == "" {
		return m.outcome, err
	}
	run, err := load(m.folder.Path, withoutHome)
	if err == nil {
		w.Together = append(w.Together, run)
	}
	return m.outcome, err
}

// nothing is the document of a run of which nothing could be measured.
func (v *verifyConfig) nothing() *document.Document {
	return document.Build(&result.Run{Header: result.Header{Schema: result.SchemaRun, Tool: v.suite.Tool, Started: time.Now().UTC(),
		Suite: v.suite.Name, Seed: v.suite.Setting.Seed, Machine: machine.Read()}})
}

// judge prints the verdicts, and ends the program by them.
func (v *verifyConfig) judge(doc *document.Document, folder string, of verify.Reuse) error {
	judged, problems := verify.Judge(v.file.Statements, doc, of, v.workloads...)
	if len(problems) > 0 {
		return v.refuse(problems)
	}
	r := verify.Report{Tool: version.Tool(), File: v.name, Title: v.file.Title, About: v.file.About,
		Command: "cryptogauge " + document.Typed(v.typed()...), Run: folder, Doc: doc, Judged: judged}
	if folder != "" {
		r.Next = append(r.Next, layout.Next{Command: "cryptogauge report " + document.Typed(folder), Why: rowsBehind})
		if again, ok := verifyAgain(v.Args, folder); ok && !v.all {
			r.Next = append(r.Next, again)
		}
	}
	if err := r.Write(v.Out, v.format, verify.Options{Lang: v.Lang, Width: command.TerminalWidth(v.Out), All: v.all}); err != nil {
		return command.WithCode(command.ExitOutput, err)
	}
	// Where standard output carries data for a program, the place goes beside it.
	if v.format != render.FormatText && folder != "" {
		v.Note(language.Say("%s: %s", "%s：%s", rowsBehind, r.Next[0].Command))
	}
	switch {
	case r.Failed():
		return command.WithCode(exitFailed, language.Errorf("%s", "%s", r.Summary()))
	case r.Open():
		return command.WithCode(command.ExitInconclusive, language.Errorf("%s", "%s", r.Summary()))
	}
	return nil
}

var rowsBehind = language.Text{EN: "the rows behind these verdicts", ZH: "这些判定所依据的结果行"}

// verifyAgain is the command that shows what was measured of every statement from the rows of a run;
// there is none where the statements came from standard input.
func verifyAgain(args []string, run string) (again layout.Next, ok bool) {
	words := document.WithoutFlags(args, "--budget", "--seed", "--library", "--output", "--store", "--format", "--run")
	if slices.Contains(words, "-") {
		return again, false
	}
	words = slices.DeleteFunc(words, func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return slices.Contains([]string{"--dry-run", "--quiet", "--all"}, name)
	})
	return layout.Next{Command: "cryptogauge " + document.Typed(append(words, "--run", run, "--all")...),
		Why: language.Text{EN: "what was measured of every statement", ZH: "每条声明的测得值"}}, true
}
