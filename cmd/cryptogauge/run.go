package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/live"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

type runFlags struct {
	measuring
	rounds, blocks int
	precision      string
	quick          bool
	workers        []string // commands
	said           command.Caption
	token          tokenAccess
}

func newRun(s streams) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:               "run [full | EXPERIMENT...]",
		ValidArgsFunction: completeExperiments(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.resolve(cmd, args, s)
			if err != nil {
				return err
			}
			return r.keeping(cmd, r.run)
		},
	}
	f.add(cmd, f.ofRun(), render.Formats())
	fs := cmd.Flags()
	fs.IntVar(&f.rounds, "rounds", 0, "")
	fs.IntVar(&f.blocks, "blocks", 0, "")
	fs.StringVar(&f.precision, "precision", "", "")
	fs.BoolVar(&f.quick, "quick", false, "")
	f.addChosen(fs)
	fs.StringArrayVar(&f.workers, "worker", nil, "")
	f.said.Add(cmd)
	f.token.add(fs)
	return cmd
}

type runConfig struct {
	streams
	runOptions
	verb    string
	suite   suite.Config
	named   []string // libraries, by --library or --libraries
	objects []string // libraries whose object or module --library names
	said    command.Caption
	keep    *keeping
}

func (f *runFlags) resolve(cmd *cobra.Command, args []string, s streams) (*runConfig, error) {
	err := cmp.Or(within(cmd, "rounds", f.rounds, 1, 1000), within(cmd, "blocks", f.blocks, 1, 1000), f.said.Check())
	if err != nil {
		return nil, err
	}
	if f.quick && slices.Contains(args, "full") {
		return nil, language.Errorf("--quick: full is the full form of every experiment; leave one of the two out",
			"--quick：full 即全部实验的完整形式；请去掉其中之一")
	}
	r := new(f.config(cmd, s))
	r.said = f.said
	r.named, r.objects = namedLibraries(f.libraries, f.objects), namedLibraries(nil, f.objects)
	var tokens []string
	tokens, f.objects = modules(f.objects)
	if r.suite, err = f.suite(cmd, args, r.streams); err != nil {
		return nil, err
	}
	c := &r.suite
	if err := addWorkers(c, f.workers); err != nil {
		return nil, err
	}
	if err = given(cmd, "precision", f.precision, parsePrecision, &c.Precision); err != nil {
		return nil, err
	}
	if _, err = render.ParseFormat(f.format); err != nil {
		return nil, err
	}
	if err := budgetKept(cmd, suite.LeastBudget(len(c.Experiments))); err != nil {
		return nil, err
	}
	c.Title, c.Note = f.said.Title, f.said.Note
	c.Setting.Seed, c.Selection.Seed, c.Selection.Short = r.seed, r.seed, f.quick || len(args) == 0
	c.Blocks, c.Rounds, c.Selection.Blocks, c.Selection.Rounds = f.blocks, f.rounds, f.blocks, f.rounds
	behind, err := f.token.natives(cmd.Context(), tokens, r.streams)
	c.Native = append(c.Native, behind...)
	return r, err
}

func (r *runConfig) run(ctx context.Context) error {
	planned, err := r.prepare(ctx)
	if err := early(ctx, err); err != nil {
		return err
	}
	short, err := roomForFiles(planned, r.suite.Setting.Dir)
	if err != nil {
		return err
	}
	r.Note(command.WithoutProc(), short, overTotal(planned, r.suite.Selection.Total), unmeasured(planned, r.named), r.tooShort(planned))
	return r.recorded(ctx, planned, r.report)
}

// recorded goes on with the run of what is planned; a dry run prints the plan.
func (r *runConfig) recorded(ctx context.Context, planned *suite.Suite, then func(measured) error) error {
	if r.dryRun {
		return command.WithCode(command.ExitOutput, printPlan(r.streams, planned))
	}
	m, err := r.record(ctx, planned)
	if err != nil {
		return err
	}
	return then(m)
}

type measured struct {
	folder  store.Folder
	doc     *document.Document
	outcome suite.Outcome
}

// record measures what is planned, in a folder of its own, and reads it back from its file: what a person sees is what
// was kept.
func (r *runConfig) record(ctx context.Context, planned *suite.Suite, notes ...language.Text) (m measured, err error) {
	if m.folder, err = r.keep.create(r.output, r.suite.Name); err != nil {
		return m, err
	}
	r.Note(notes...)
	file, err := m.folder.CreateRun()
	if err != nil {
		return m, err
	}
	if m.outcome, err = r.measure(ctx, planned, file); err != nil {
		return m, unwritten(err, m.folder.Path)
	}
	m.doc, err = load(m.folder.Path, withoutHome)
	return m, command.WithCode(command.ExitOutput, err)
}

// recordBeside plans and measures, in a folder in that of another run. Where nothing can be planned there is no folder,
// and no error but why, which costs the first run nothing: whoever asked says so.
func (r *runConfig) recordBeside(ctx context.Context, first store.Folder) (m measured, why language.Text, err error) {
	planned, err := r.prepare(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		m.outcome.Interrupted = true
		return m, why, nil
	case err != nil:
		return m, language.Of(err), nil
	}
	if m.folder, err = store.Create(first.Path, r.suite.Name, time.Now()); err != nil {
		return m, why, err
	}
	file, err := m.folder.CreateRun()
	if err != nil {
		return m, why, err
	}
	m.outcome, err = r.measure(ctx, planned, file)
	return m, why, err
}

// unwritten is an error of writing a run, and how to read what was written until then.
func unwritten(err error, folder string) error {
	return command.WithCode(command.ExitOutput, language.Errorf("%w; what was measured until then reads with: cryptogauge report %s",
		"%s；在此之前的测量结果可用以下命令查看：cryptogauge report %s", err, folder))
}

// leftOut says what the plan does without to end in time.
func leftOut(planned *suite.Suite) language.Text {
	line := document.LeftOutLine(&result.Run{Header: planned.Cut()})
	if line == (language.Text{}) {
		return line
	}
	return language.Say("left out %s", "未测：%s", line)
}

// tooShort says that something will be left out. What that was in the end the report says, so that there are not two
// lists; a dry run has no report.
func (r *runConfig) tooShort(planned *suite.Suite) language.Text {
	cut := planned.Cut()
	if r.dryRun || len(cut.LeftOut) == 0 {
		return leftOut(planned)
	}
	whole, budget := document.AboutSeconds(max(cut.Whole, cut.Budget)), document.AboutSeconds(cut.Budget)
	if whole == budget {
		return language.Say("measuring everything takes a little longer than the %s given: the report says what was left out",
			"全部测完略超给定的 %s：省去了什么见报告", budget)
	}
	return language.Say("measuring everything takes about %s, more than the %s given: the report says what was left out",
		"全部测完约需 %s，超出给定的 %s：省去了什么见报告", whole, budget)
}

// prepare asks the libraries what they offer, and says so on a terminal, since one that
// hangs is waited for.
func (r *runConfig) prepare(ctx context.Context) (*suite.Suite, error) {
	bar := r.progress(0)
	defer bar.stop()
	r.suite.Probing = bar.asking
	return suite.Prepare(ctx, r.suite)
}

func (r *runConfig) measure(ctx context.Context, planned *suite.Suite, file *os.File) (suite.Outcome, error) {
	other, done := store.Measuring()
	defer done()
	if other != 0 {
		r.Note(language.Say("another cryptogauge measures on this machine (process %d): each takes CPU time from the other",
			"本机另有一个 cryptogauge 正在测量（进程 %d）：两者互相争用 CPU", other))
	}
	bar := r.progress(planned.Duration())
	defer bar.stop()
	follow := live.Begin(r.verb, r.suite.Name, planned.Duration())
	defer follow.End()
	outcome, err := planned.Run(ctx, file, func(m measure.Progress) {
		bar.sample(nil, m)
		follow.At(m.Done, func() language.Text { return sampleText(nil, m) })
	})
	if cerr := file.Close(); err == nil && cerr != nil {
		err = language.Errorf("closing the run file: %w", "关闭运行文件：%s", cerr)
	}
	return outcome, err
}

type writing func(docs []*document.Document, o render.Options) error

// show writes the report of a run where the user asked for it, and as a page beside its file.
func (r *runConfig) show(m measured, options render.Options, write writing) error {
	options.Lang, options.All, options.Repeat = r.Lang, r.all, r.repeated()
	docs, page, pageless := []*document.Document{m.doc}, "", error(nil)
	if m.folder.Path != "" {
		page, pageless = m.folder.WriteReport("report.html", func(w io.Writer) error {
			return render.WriteHTML(w, docs, options)
		})
		options.Page = pageless == nil
	}
	options.Color, options.Width = command.Colour(r.Out), command.TerminalWidth(r.Out)
	if err := write(docs, options); err != nil {
		return command.WithCode(command.ExitOutput, err)
	}
	if pageless != nil { // after what was measured, which needs no room on that disk
		return command.WithCode(command.ExitOutput, language.Errorf(
			"%w; what was measured is whole, and reads with: cryptogauge report %s",
			"%s；测量结果完整，可用以下命令查看：cryptogauge report %s", pageless, m.folder.Path))
	}
	// Where standard output carries data for a program, the place goes beside it.
	last := r.Out
	if r.format != string(render.FormatText) {
		last = r.Err
	}
	if render.Format(r.format).RowsAlone() {
		r.warnWrong(docs)
	}
	if options.Page && (r.format == string(render.FormatText) || !r.Quiet) {
		fmt.Fprintln(last, page)
	}
	if m.outcome.Interrupted {
		return interruptedIn(m.folder.Path)
	}
	return nil
}

func (r *runConfig) report(m measured) error {
	options := render.Options{Run: m.folder.Path, Title: r.said.Title, Note: r.said.Note}
	if err := r.show(m, options, r.write); err != nil {
		return err
	}
	if !m.doc.Conclusive() {
		return command.WithCode(command.ExitInconclusive, language.Errorf("no number can be shown: %s", "没有可列出的数值：%s",
			language.Text{EN: render.Clean(m.doc.Inconclusive().EN), ZH: render.Clean(m.doc.Inconclusive().ZH)}))
	}
	if without := m.doc.Unanswered(r.objects); len(without) > 0 {
		return command.WithCode(command.ExitInconclusive, language.Errorf("no number of what --library names: %s", "--library 所指的库没有任何数值：%s",
			language.Text{EN: render.Clean(without[0].EN), ZH: render.Clean(without[0].ZH)}))
	}
	return nil
}

func (r *runConfig) write(docs []*document.Document, options render.Options) error {
	return render.Write(r.Out, render.Format(r.format), docs, options)
}

// load reads a run and makes its document, answers included, of what is to be shared of it.
func load(path string, shared func(*result.Run) *result.Run) (*document.Document, error) {
	run, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	doc := document.Build(shared(run))
	secondRun(doc, path, shared)
	question.Answer(doc)
	return doc, nil
}

// withoutHome is a run as reports show it: they are shared.
func withoutHome(run *result.Run) *result.Run {
	home, _ := os.UserHomeDir() // without one there is none to hide
	return document.WithoutHome(run, home)
}

func trials(n int) language.Text {
	return document.Counted(n, "%d trial", "%d trials", "%d 个测试项")
}

func printPlan(s streams, planned *suite.Suite) error {
	var err error
	say := func(en, zh string, args ...any) {
		_, err = fmt.Fprintln(s.Out, language.Say(en, zh, args...).In(s.Lang))
	}
	var all time.Duration
	for _, st := range planned.Steps() {
		say("%s: %s of %s, about %s", "%s：%s，每组 %s，约 %s", document.ExperimentText(st.Experiment),
			document.Counted(st.Config.Blocks, "%d block", "%d blocks", "%d 个数据组"),
			document.Counted(st.Config.Rounds, "%d round", "%d rounds", "%d 轮"), document.AboutSeconds(st.Duration.Seconds()))
		for _, g := range st.Groups {
			say("  %s: %s, %s", "  %s：%s，%s", g.Title, trials(len(g.Trials)),
				document.Counted(len(g.Pairs), "%d comparison", "%d comparisons", "%d 项比较"))
			if g.Kind != "" {
				continue // the laboratory's own: its name says it
			}
			for _, t := range g.Trials {
				fmt.Fprintf(s.Out, "    %s\n", t.ID())
			}
		}
		all += st.Duration
	}
	for _, why := range planned.Missing() {
		say("missing: %s", "缺少：%s", why)
	}
	say("in all %s, about %s", "共 %s，约 %s", trials(planned.Trials()), document.AboutSeconds(all.Seconds()))
	return err
}
