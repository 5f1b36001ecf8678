package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

// runFlags are the flags of run as they were typed.
type runFlags struct {
	selectionFlags
	streamFlags
	nativeFlags
	rounds, blocks  int
	precision       string
	budget          time.Duration
	seed            uint64
	format, output  string
	lang            string
	quiet, planOnly bool
}

func newRun(s streams) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [full | EXPERIMENT...]",
		Short: "Measure, and say what follows",
		Long: `Measure, and say what follows.

Alone it runs the quick suite: the short form of every experiment, within a
minute, on one screen. "run full" runs every experiment in full, and
"run EXPERIMENT..." the full form of those. Each run gets a folder of its own
below --output with the run file (raw samples, written as they come) and
report.html.`,
		Example: `  cryptogauge run
  cryptogauge run modes --libraries gmsm,tjfoc --sizes 1KiB,16KiB
  cryptogauge run modes --format json --budget 30s > modes.json
  cryptogauge run full --dry-run`,
		ValidArgsFunction: completeExperiments,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.resolve(cmd, args, s.args)
			if err != nil {
				return err
			}
			r.suite.State = s.state
			return r.run(cmd.Context(), s)
		},
	}
	f.selectionFlags.add(cmd)
	f.streamFlags.add(cmd)
	f.nativeFlags.add(cmd)
	fs := cmd.Flags()
	fs.IntVar(&f.rounds, "rounds", 0, "samples of each trial in a block (default: the experiment's)")
	fs.IntVar(&f.blocks, "blocks", 0, "restarts of the workers: a row's interval takes 8, verdicts on many comparisons at once up to 17 (default: the experiment's)")
	fs.StringVar(&f.precision, "precision", "", "stop once every headline interval is as narrow as this, e.g. 1%")
	fs.DurationVar(&f.budget, "budget", 0, "wall time for all experiments together, e.g. 30s")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of data and order; the same seed gives the same plan (default: drawn)")
	fs.StringVar(&f.format, "format", "text", "what goes to standard output: "+strings.Join(render.Formats(), ", "))
	fs.StringVar(&f.output, "output", "cryptogauge-results", "directory for the run's folder")
	fs.StringVar(&f.lang, "lang", "", "language of the report: en or zh (default: from LANG)")
	fs.BoolVar(&f.quiet, "quiet", false, "no progress and no remarks on standard error")
	fs.BoolVar(&f.planOnly, "dry-run", false, "print the plan and how long it will take, and measure nothing")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(render.Formats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

func completeExperiments(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{"full\tevery experiment in full"}
	for _, e := range question.All() {
		names = append(names, e.Name+"\t"+question.Asked(e.Name).EN)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// runConfig is what run does, once the flags were understood.
type runConfig struct {
	suite   suite.Config
	named   []string // libraries, by --library or --libraries
	format  render.Format
	options render.Options
	output  string
	quiet   bool
	dryRun  bool
}

func (f *runFlags) resolve(cmd *cobra.Command, args, typed []string) (*runConfig, error) {
	name, experiments, err := pickExperiments(args)
	if err != nil {
		return nil, err
	}
	selection, err := f.selection(cmd, args, experiments)
	if err != nil {
		return nil, err
	}
	selection.Short = name == "quick"
	selection.Blocks, selection.Rounds = f.blocks, f.rounds
	if err := f.streams(cmd, experiments, &selection); err != nil {
		return nil, err
	}
	for _, err := range []error{within(cmd, "rounds", f.rounds, 1, 1000), within(cmd, "blocks", f.blocks, 1, 1000), budgetWithin(f.budget)} {
		if err != nil {
			return nil, err
		}
	}
	if cmd.Flags().Changed("budget") && f.budget == 0 {
		return nil, language.Errorf("--budget 0s: give a time from 1s to 24h",
			"--budget 0s：请给出 1s 至 24h 之间的时间")
	}
	var precision float64
	if cmd.Flags().Changed("precision") {
		if precision, err = parsePrecision(f.precision); err != nil {
			return nil, err
		}
	}
	format, err := render.ParseFormat(f.format)
	if err != nil {
		return nil, err
	}
	lang, err := languageOf(f.lang)
	if err != nil {
		return nil, err
	}
	if !cmd.Flags().Changed("seed") {
		f.seed = rand.Uint64N(1_000_000)
	}
	selection.Seed = f.seed
	command, err := workerCommand()
	if err != nil {
		return nil, err
	}
	natives, err := f.natives()
	if err != nil {
		return nil, err
	}
	return &runConfig{
		suite: suite.Config{Name: name, Experiments: experiments, Selection: selection, Setting: provider.Setting{Seed: f.seed, Mix: selection.Mix, Dir: f.dir},
			Typed: typed, Tool: toolVersion(), Blocks: f.blocks, Rounds: f.rounds,
			Precision: precision, Budget: f.budget, Command: command, Native: natives},
		named: f.named(selection.Libraries), format: format, output: f.output, quiet: f.quiet, dryRun: f.planOnly,
		options: render.Options{Lang: lang, Quick: selection.Short},
	}, nil
}

// pickExperiments reads run's arguments: none for the quick suite, "full", or names.
func pickExperiments(args []string) (string, []plan.Experiment, error) {
	switch {
	case len(args) == 0:
		return "quick", question.All(), nil
	case args[0] == "full" && len(args) == 1:
		return "full", question.All(), nil
	case slices.Contains(args, "full"):
		return "", nil, language.Errorf("full runs every experiment; give it alone, or name experiments",
			"full 运行全部实验；请单独使用，或改为指定实验名")
	}
	es, err := question.Find(args)
	if err != nil {
		return "", nil, err
	}
	var names []string
	for _, e := range es {
		names = append(names, e.Name)
	}
	return strings.Join(names, "+"), es, nil
}

// run plans, measures into a run file, reads it back, and reports.
func (r *runConfig) run(ctx context.Context, s streams) error {
	planned, err := r.prepare(ctx, s)
	if ctx.Err() != nil {
		return withCode(exitInterrupted, language.Errorf("interrupted before anything was measured", "尚未开始测量即中断"))
	}
	if err != nil {
		return usageCode(err)
	}
	short, err := roomForFiles(planned, r.suite.Setting.Dir)
	if err != nil {
		return withCode(exitUsage, err)
	}
	for _, remark := range []language.Text{withoutProc(), short, overTotal(planned, r.suite.Selection.Total), unmeasured(planned, r.named)} {
		if remark.EN != "" && !r.quiet {
			s.remark(remark)
		}
	}
	if r.dryRun {
		return withCode(exitOutput, printPlan(s, planned, r.suite.Budget))
	}
	folder, err := store.Create(r.output, r.suite.Name, time.Now())
	if err != nil {
		return withCode(exitUsage, language.Errorf("%w; name another directory with --output",
			"%s；请用 --output 指定其他目录", err))
	}
	file, err := folder.CreateRun()
	if err != nil {
		return withCode(exitUsage, err)
	}
	if needs := planned.Needs(); r.suite.Budget > 0 && needs > r.suite.Budget && !r.quiet {
		s.remark(language.Say("--budget %s is short: intervals for all comparisons need about %s; give that, or narrow the run",
			"--budget %s 太短：得出全部比较的置信区间约需 %s；请给足时间，或缩小运行范围", r.suite.Budget, needs.Round(time.Second)))
	}
	outcome, err := r.measure(ctx, s, planned, file)
	if err != nil {
		return withCode(exitOutput, language.Errorf("%w; what was measured until then reads with: cryptogauge report %s",
			"%s；在此之前的测量结果可用以下命令查看：cryptogauge report %s", err, folder.Path))
	}
	return r.report(s, folder, outcome)
}

// prepare asks the libraries what they offer, and says so on a terminal, since one that
// hangs is waited for.
func (r *runConfig) prepare(ctx context.Context, s streams) (*suite.Suite, error) {
	if !r.quiet && isTerminal(s.err) {
		bar := newProgress(s, 0)
		defer bar.stop()
		r.suite.Probing = func(library string, answered, of int) { bar.prepare(asking(library, answered, of)) }
	}
	return suite.Prepare(ctx, r.suite)
}

func (r *runConfig) measure(ctx context.Context, s streams, planned *suite.Suite, file *os.File) (suite.Outcome, error) {
	var show func(measure.Progress)
	if !r.quiet && isTerminal(s.err) {
		bar := newProgress(s, planned.Duration())
		defer bar.stop()
		show = func(m measure.Progress) { bar.update(m.Done, number(m)) }
	}
	outcome, err := planned.Run(ctx, file, show)
	if cerr := file.Close(); err == nil && cerr != nil {
		err = language.Errorf("closing the run file: %w", "关闭运行文件：%s", cerr)
	}
	return outcome, err
}

// report reads the run back from its file: what a person sees is what was kept.
func (r *runConfig) report(s streams, folder store.Folder, outcome suite.Outcome) error {
	doc, err := load(folder.Path, withoutHome)
	if err != nil {
		return withCode(exitOutput, err)
	}
	docs := []*document.Document{doc}
	page, unwritten := folder.WriteReport("report.html", func(w io.Writer) error {
		return render.WriteHTML(w, docs, r.options)
	})
	options := r.options
	options.Color, options.Width = colour(s.out), terminalWidth(s.out)
	if err := render.Write(s.out, r.format, docs, options); err != nil {
		return withCode(exitOutput, err)
	}
	if unwritten != nil { // after what was measured, which needs no room on that disk
		return withCode(exitOutput, language.Errorf("%w; what was measured is whole, and reads with: cryptogauge report %s",
			"%s；测量结果完整，可用以下命令查看：cryptogauge report %s", unwritten, folder.Path))
	}
	// Where standard output carries data for a program, the place goes beside it.
	last := s.out
	if r.format != render.FormatText {
		last = s.err
	}
	if r.format == render.FormatCSV {
		warnWrong(last, docs, r.options.Lang)
	}
	if r.format == render.FormatText || !r.quiet {
		fmt.Fprintln(last, page)
	}
	if outcome.Interrupted {
		return withCode(exitInterrupted, language.Errorf("interrupted; what was measured is in %s", "已中断；已测得的结果在 %s", folder.Path))
	}
	if !doc.Conclusive() {
		return withCode(exitInconclusive, language.Errorf("no number can be shown: %s", "没有可列出的数值：%s",
			language.Text{EN: render.Clean(doc.Inconclusive().EN), ZH: render.Clean(doc.Inconclusive().ZH)}))
	}
	return nil
}

// load reads a run and makes its document, answers included, of what is to be shared of it.
func load(path string, shared func(*result.Run) *result.Run) (*document.Document, error) {
	run, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	doc := document.Build(shared(run))
	question.Answer(doc)
	return doc, nil
}

// withoutHome is a run as reports show it: they are shared.
func withoutHome(run *result.Run) *result.Run {
	home, _ := os.UserHomeDir() // without one there is none to hide
	return document.WithoutHome(run, home)
}

// counted puts a number before a word: "1 trial", "2 trials".
func counted(n int, word, zh string) language.Text {
	t := language.Text{EN: fmt.Sprintf("%d %ss", n, word), ZH: fmt.Sprintf("%d %s", n, zh)}
	if n == 1 {
		t.EN = "1 " + word
	}
	return t
}

func printPlan(s streams, planned *suite.Suite, budget time.Duration) error {
	var err error
	say := func(en, zh string, args ...any) {
		_, err = fmt.Fprintln(s.out, language.Say(en, zh, args...).In(s.lang))
	}
	var all time.Duration
	for _, st := range planned.Steps() {
		say("%s: %s of %s, about %s", "%s：%s，每组 %s，约 %s", st.Experiment, counted(st.Config.Blocks, "block", "个数据组"),
			counted(st.Config.Rounds, "round", "轮"), st.Duration.Round(time.Second))
		for _, g := range st.Groups {
			say("  %s: %s, %s", "  %s：%s，%s", g.Name, counted(len(g.Trials), "trial", "个测试项"),
				counted(len(g.Pairs), "comparison", "项比较"))
			for _, t := range g.Trials {
				fmt.Fprintf(s.out, "    %s\n", t.ID())
			}
		}
		all += st.Duration
	}
	for _, why := range planned.Missing() {
		say("missing: %s", "缺少：%s", why)
	}
	say("in all %s, about %s", "共 %s，约 %s", counted(planned.Trials(), "trial", "个测试项"), all.Round(time.Second))
	if needs := planned.Needs(); budget > 0 && needs > budget {
		say("the budget of %s is short: intervals for all comparisons need about %s",
			"预算 %s 太短：得出全部比较的置信区间约需 %s", budget, needs.Round(time.Second))
	}
	return err
}
