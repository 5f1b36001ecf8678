package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/gobench"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/question/compare"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/side"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/version"
	"github.com/cryptogauge/cryptogauge/result"
)

type compareFlags struct {
	measuring
	bench, tolerance string
	null             bool
}

// usualComparison is how long a comparison measures, where nobody says otherwise.
const usualComparison = time.Minute

func newCompare(s streams) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use: "compare [--bench REGEXP PACKAGE] SIDE SIDE...",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.resolve(cmd, args, s)
			if err != nil {
				return err
			}
			return c.keeping(cmd, c.run)
		},
	}
	fs := cmd.Flags()
	for _, flag := range f.narrowings() {
		if slices.Contains(comparedBy, flag.name) {
			fs.StringSliceVar(flag.list, flag.name, nil, "")
		}
	}
	fs.StringVar(&f.bench, "bench", "", "")
	fs.StringVar(&f.tolerance, "tolerance", "3%", "")
	fs.BoolVar(&f.null, "null", false, "")
	f.addKept(cmd, usualComparison, compareFormats)
	f.addChosen(fs)
	return cmd
}

// comparedBy are the flags that narrow what is compared.
var comparedBy = []string{"algorithms", "modes", "operations", "sizes", "libraries"}

// junit is the format that compare has beside those of all reports.
const junit = "junit"

var compareFormats = []string{string(render.FormatText), string(render.FormatMarkdown), string(render.FormatHTML), string(render.FormatJSON), junit}

type compareConfig struct {
	runConfig
	sides     []side.Side
	bench     benchmarks
	libraries []string // that are kept of what the sides bring
	built     []built
	surveyed  []gobench.Tests // of the sides of a comparison of benchmarks
	null      bool
	compared  result.Compared
}

// benchmarks are those of a package that --bench names.
type benchmarks struct{ regexp, pkg string }

func (f *compareFlags) resolve(cmd *cobra.Command, args []string, s streams) (c *compareConfig, err error) {
	c = &compareConfig{null: f.null, libraries: f.libraries, runConfig: f.config(cmd, s)}
	if c.sides, err = f.sides(cmd, args, c); err != nil {
		return nil, err
	}
	for _, name := range comparedBy {
		if list, _ := cmd.Flags().GetStringSlice(name); cmd.Flags().Changed(name) && len(list) == 0 {
			return nil, language.Errorf("--%s is empty; leave it out to mean everything", "--%s 为空；省略即表示全部", name)
		}
	}
	selection := plan.Selection{Algorithms: f.algorithms, Modes: f.modes, Operations: f.operations}
	if selection.Sizes, err = parsed(f.sizes, plan.ParseSize); err != nil {
		return nil, err
	}
	if c.compared.Tolerance, err = parseTolerance(f.tolerance); err != nil {
		return nil, err
	}
	if _, err := render.Among(compareFormats, layout.Same(compare.Name), f.format); err != nil {
		return nil, err
	}
	least := suite.LeastBudget(1)
	if len(c.sides) > 1 { // each of the two runs has that long
		least = time.Duration(float64(least) / confirming).Round(time.Second)
	}
	if err := budgetKept(cmd, least); err != nil {
		return nil, err
	}
	selection.Seed = c.seed
	c.suite = suite.Config{Name: compare.Name, Selection: selection, Setting: provider.Setting{Seed: c.seed}, Typed: s.typed(),
		Tool: version.Tool(), State: s.state, Budget: c.budget - c.reserved(), Reserved: c.reserved(), Alone: true,
		More: compare.Blocks, Enough: compare.Enough(c.compared.Tolerance)}
	if c.bench != (benchmarks{}) {
		c.suite.Deadline = gobench.Patience
	}
	c.suite.Command, err = workerCommand()
	return c, err
}

// mostSides is how many there may be: more would leave each too little time.
const mostSides = 8

func (f *compareFlags) sides(cmd *cobra.Command, args []string, c *compareConfig) (sides []side.Side, err error) {
	parse := side.Parse
	if cmd.Flags().Changed("bench") {
		if f.bench == "" || len(args) == 0 {
			return nil, language.Errorf("--bench: which benchmarks, of which package? e.g. compare --bench Seal ./internal/seal git:main .",
				"--bench：哪些基准测试，哪个包？例如 compare --bench Seal ./internal/seal git:main .")
		}
		if _, err := regexp.Compile(f.bench); err != nil {
			return nil, language.Errorf("--bench %q is no regular expression: %w", "--bench %q 不是正则表达式：%s", f.bench, err)
		}
		if least := len(args) - 1; least < 1 || least < 2 && !f.null || strings.HasPrefix(args[0], "git:") || strings.Contains(args[0], "@") {
			return nil, language.Errorf("--bench: first the package, then the sides: %s is taken for the package; e.g. compare --bench %s ./internal/seal git:main .",
				"--bench：先写包，再写各方：%s 被当作包；例如 compare --bench %s ./internal/seal git:main .", args[0], document.Typed(f.bench))
		}
		c.bench, args, parse = benchmarks{f.bench, args[0]}, args[1:], side.ParseBench
	}
	for _, text := range args {
		s, err := parse(text)
		if err != nil {
			return nil, err
		}
		sides = append(sides, s)
	}
	switch {
	case len(sides) > mostSides:
		return nil, language.Errorf("compare: %d sides; give at most %d", "compare：给了 %d 方；最多 %d 方", len(sides), mostSides)
	case len(sides) == 0, len(sides) == 1 && !f.null:
		return nil, language.Errorf("compare: what with what? give two sides, e.g. cryptogauge compare gmsm@v0.43.0 gmsm@v0.44.0; with --null one is enough",
			"compare：用什么与什么对比？请给出两方，例如 cryptogauge compare gmsm@v0.43.0 gmsm@v0.44.0；加 --null 时一方即可")
	}
	return sides, nil
}

// parseTolerance reads the share of speed that may be lost: 3% or 0.03.
func parseTolerance(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 0.5) {
		return 0, language.Errorf("--tolerance %q: give the share of speed that may be lost, from 0 to 50%%, e.g. 3%% or 0.03",
			"--tolerance %q：请给出允许损失的速度份额，0 至 50%%，例如 3%% 或 0.03", text)
	}
	return v, nil
}

// questions are those whose rows sides are compared by; benchmarks and programs bring their own cases.
func (c *compareConfig) questions() []plan.Experiment {
	if c.bench != (benchmarks{}) {
		return nil
	}
	all, err := question.Find(compare.Questions)
	if err != nil {
		panic("compare: internal error: " + err.Error())
	}
	return all
}

func (c *compareConfig) run(ctx context.Context) (err error) {
	defer func() { err = cmp.Or(err, command.WithCode(command.ExitOutput, c.remove())) }()
	if err := c.build(ctx); err != nil {
		return err
	}
	c.suite.Compared = &c.compared
	lacking := map[string][]string{}
	c.suite.Experiments = []plan.Experiment{compare.Sides{Questions: c.questions(), Starts: c.bench != (benchmarks{}), Null: c.null, Lacking: lacking}.Experiment()}
	begun := time.Now()
	planned, err := c.prepare(ctx)
	switch err = early(ctx, err); {
	case err != nil:
		return err
	case !paired(planned):
		return language.Errorf("the sides have no case in common that was asked for; --dry-run with one side and --null lists what it has",
			"各方没有共同的、所要求的测试项；只给一方并加 --null --dry-run 可列出它的测试项")
	}
	if err := c.roomForVerdict(planned); err != nil {
		return err
	}
	c.lack(lacking)
	c.Note(command.WithoutProc(), c.twice(), leftOut(planned))
	return c.recorded(ctx, planned, func(m measured) error { return c.conclude(ctx, m, time.Since(begun)) })
}

// conclude measures again where that may change the answer, and reports.
func (c *compareConfig) conclude(ctx context.Context, m measured, spent time.Duration) (err error) {
	if j := compare.Judge(m.doc); len(j.Slow())+len(j.Unclear()) > 0 && len(c.sides) > 1 && !m.outcome.Interrupted {
		if m.outcome, err = c.confirm(ctx, j, m.folder, spent); err != nil {
			return unwritten(err, m.folder.Path)
		}
		if m.doc, err = load(m.folder.Path, withoutHome); err != nil {
			return command.WithCode(command.ExitOutput, err)
		}
	}
	return c.report(m)
}

// roomForVerdict refuses a budget in which nothing can be decided, and names the least one that has room for it.
func (c *compareConfig) roomForVerdict(planned *suite.Suite) error {
	step := planned.Steps()[0]
	if c.dryRun || step.Config.Blocks >= compare.Verdict && step.Duration <= c.suite.Budget {
		return nil
	}
	first := step.Config
	first.Blocks = max(compare.Verdict, first.Blocks)
	needs := c.suite.Budget + first.Duration(plan.Plan{Experiment: step.Experiment, Groups: step.Groups}) - min(step.Duration, c.suite.Budget)
	least := time.Duration(float64(needs)*float64(c.budget)/float64(c.suite.Budget)).Truncate(time.Second) + time.Second
	return language.Errorf("--budget %s has no room for the %d blocks that a verdict takes; give at least %s, or compare less",
		"--budget %s 容不下判定所需的 %d 个数据组；请至少给 %s，或减少对比的项", c.budget, compare.Verdict, least)
}

// lack notes by side what it has not and others have.
func (c *compareConfig) lack(names map[string][]string) {
	const most = 12
	for i := range c.compared.Sides {
		s := &c.compared.Sides[i]
		lacking := names[s.Side]
		if len(lacking) == 0 {
			continue
		}
		list := language.Same(strings.Join(lacking[:min(len(lacking), most)], ", "))
		if more := len(lacking) - most; more > 0 {
			list = language.Say("%s and %d more", "%s 及另外 %d 种", list, more)
		}
		s.Notes = append(s.Notes, result.Note(language.Say("it does not have %s", "没有 %s", list)))
	}
}

func paired(planned *suite.Suite) bool {
	return slices.ContainsFunc(planned.Steps(), func(s suite.Step) bool {
		return slices.ContainsFunc(s.Groups, func(g plan.Group) bool { return g.Kind == "" && len(g.Pairs) > 0 })
	})
}

// confirming is the share of the budget that is kept for a second run. It measures few rows where there are
// many, each of them longer than the first run did; where there is one, both must find the same by themselves.
const confirming = 0.4

func (c *compareConfig) reserved() time.Duration {
	if len(c.sides) == 1 { // against itself alone, where nothing is confirmed
		return 0
	}
	return time.Duration(confirming * float64(c.budget)).Round(time.Second / 10)
}

// confirm measures again what looks slower, and what is undecided, in a run of its own beside the first, with
// all that this one left of the budget.
func (c *compareConfig) confirm(ctx context.Context, j compare.Judgement, first store.Folder, spent time.Duration) (suite.Outcome, error) {
	again := *c
	again.suite.Name, again.suite.Budget, again.suite.Reserved = compare.SecondName, max(suite.LeastBudget(1), c.budget-spent), 0
	if len(j.Unclear()) > 0 { // it is their second chance, and takes all the time
		again.suite.Enough = 0
	}
	again.suite.Setting.Seed++
	again.suite.Selection.Seed++
	again.suite.Experiments = []plan.Experiment{compare.Sides{Questions: c.questions(), Starts: c.bench != (benchmarks{}), Only: slices.Concat(j.Slow(), j.Unclear())}.Experiment()}
	c.Note(againSaid(len(j.Slow()), len(j.Unclear())))
	second, why, err := again.recordBeside(ctx, first)
	if why != (language.Text{}) {
		c.Remark(language.Say("not measured again: %s", "未能复测：%s", why))
	}
	return second.outcome, err
}

func againSaid(slow, unclear int) language.Text {
	slower := document.Counted(slow, "%d case looks", "%d cases look", "%d 项")
	open := document.Counted(unclear, "%d case is", "%d cases are", "%d 项")
	switch {
	case unclear == 0:
		return language.Say("%s slower: measured again", "%s看似更慢，现复测", slower)
	case slow == 0:
		return language.Say("%s undecided: measured again", "%s未能判定，现复测", open)
	}
	return language.Say("%s slower, %s undecided: measured again", "%s看似更慢，%s未能判定，现复测", slower, open)
}

// secondRun gives a document of a comparison what the second run beside it says.
func secondRun(doc *document.Document, path string, shared func(*result.Run) *result.Run) {
	if doc.Suite != compare.Name {
		return
	}
	for _, folder := range runsIn(path, "-"+compare.SecondName) {
		if run, err := store.Open(folder); err == nil && !run.Partial() {
			doc.Repeat(document.Build(shared(run)))
		}
	}
}

// runsIn are the runs in the folder of another that have such a name.
func runsIn(run, name string) (folders []string) {
	if filepath.Base(run) == store.RunFile {
		run = filepath.Dir(run)
	}
	found, _ := os.ReadDir(run) // where there is none, nothing lies in it either
	for _, entry := range found {
		if strings.Contains(entry.Name(), name) {
			folders = append(folders, filepath.Join(run, entry.Name()))
		}
	}
	return folders
}

func comparedNext(doc *document.Document, run string) {
	for i := range doc.Layouts {
		if l := &doc.Layouts[i]; l.Experiment == compare.Name {
			l.Next = append(l.Next, layout.Next{Command: "cryptogauge report " + document.Typed(run) + " --all",
				Why: language.Text{EN: "every case, with its times; report.html is the same as a page", ZH: "全部测试项及其耗时；report.html 为同一内容的网页"}})
		}
	}
}

// report prints the answer, and ends the program by it.
func (c *compareConfig) report(m measured) error {
	comparedNext(m.doc, m.folder.Path)
	if err := c.show(m, render.Options{Run: m.folder.Path}, c.write); err != nil {
		return err
	}
	return c.judged(m.doc)
}

func (c *compareConfig) write(docs []*document.Document, options render.Options) error {
	if c.format != junit {
		return c.runConfig.write(docs, options)
	}
	return writeJUnit(c.Out, c.Lang, docs[0])
}

// writeJUnit writes a comparison as a list of tests, one a case.
func writeJUnit(w io.Writer, lang language.Lang, doc *document.Document) error {
	out := render.JUnit{Verb: compare.Name, Suite: doc.Layouts[0].Title.In(lang), Doc: doc}
	for _, e := range compare.Entries(doc) {
		one := render.JUnitCase{Name: e.Name.In(lang), Outcome: render.Skipped, Type: string(e.State), Text: e.Text.In(lang)}
		switch {
		case e.Bad():
			one.Outcome = render.Failed
		case e.Good():
			one.Outcome = render.Passed
		}
		out.Cases = append(out.Cases, one)
	}
	return out.Write(w)
}

// judged ends the program by the answer, which stands on a terminal already where the report does.
func (c *compareConfig) judged(doc *document.Document) error {
	code := command.ExitOK
	switch j := compare.Judge(doc); {
	case len(doc.Compared.Sides) == 1: // against itself alone, of which nothing is asked
	case j.Failed():
		code = exitFailed
	case j.Open():
		code = command.ExitInconclusive
	}
	switch line := doc.Layouts[0].Line.Text; {
	case code == command.ExitOK:
		return nil
	case c.format == string(render.FormatText) && command.IsTerminal(c.Out):
		return command.WithCode(code, command.ErrSilent)
	default:
		return command.WithCode(code, language.Errorf("%s", "%s", language.Text{EN: render.Clean(line.EN), ZH: render.Clean(line.ZH)}))
	}
}
