package main

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/question/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/question/concurrency"
	"github.com/cryptogauge/cryptogauge/internal/question/password"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/version"
	"github.com/cryptogauge/cryptogauge/result"
)

type measuring struct {
	algorithms, modes, operations, sizes, libraries, goroutines, chunks []string
	objects                                                             []string // of --library
	messages, total, dir                                                string
	memory, logins, sample                                              string
	time                                                                time.Duration
	runOptions
}

// runOptions are the flags of every verb that measures; the last three are not check's, whose baseline decides them.
type runOptions struct {
	budget                time.Duration
	format, output, store string
	quiet                 bool
	seed                  uint64
	dryRun, all           bool
}

func (f *runOptions) addKept(cmd *cobra.Command, budget time.Duration, formats []string) {
	fs := cmd.Flags()
	fs.DurationVar(&f.budget, "budget", budget, "")
	fs.StringVar(&f.output, "output", "cryptogauge-results", "")
	_ = cmd.MarkFlagDirname("output")
	fs.StringVar(&f.store, "store", "", "")
	fs.BoolVar(&f.quiet, "quiet", false, "")
	addFormat(cmd, &f.format, formats)
}

func (f *runOptions) addChosen(fs *pflag.FlagSet) {
	fs.Uint64Var(&f.seed, "seed", 0, "")
	fs.BoolVar(&f.dryRun, "dry-run", false, "")
	fs.BoolVar(&f.all, "all", false, "")
}

// config is what these flags say of a run. A seed that was not given is drawn.
func (f runOptions) config(cmd *cobra.Command, s streams) runConfig {
	s.Quiet = f.quiet
	f.seed = drawn(cmd, f.seed)
	return runConfig{streams: s, runOptions: f, verb: cmd.Name()}
}

// drawn is a seed that the user gave, else any.
func drawn(cmd *cobra.Command, seed uint64) uint64 {
	if cmd.Flags().Changed("seed") {
		return seed
	}
	return rand.Uint64N(1_000_000)
}

type narrowing struct {
	name string
	list *[]string
	text *string
}

// narrowings are the flags of run, check and compare.
func (f *measuring) narrowings() []narrowing {
	return []narrowing{
		{name: "algorithms", list: &f.algorithms}, {name: "modes", list: &f.modes}, {name: "operations", list: &f.operations},
		{name: "sizes", list: &f.sizes}, {name: "libraries", list: &f.libraries},
		{name: "goroutines", list: &f.goroutines}, {name: "messages", text: &f.messages}, {name: "dir", text: &f.dir},
		{name: "sample", text: &f.sample},
	}
}

// ofRun are those of run with its own: how much is streamed is check's to choose, and what a login may take is not its
// question.
func (f *measuring) ofRun() []narrowing {
	return append(f.narrowings(), []narrowing{
		{name: "chunks", list: &f.chunks}, {name: "total", text: &f.total},
		{name: "time"}, {name: "memory", text: &f.memory}, {name: "logins", text: &f.logins},
	}...)
}

func (f *measuring) add(cmd *cobra.Command, flags []narrowing, formats []string) {
	fs := cmd.Flags()
	for _, flag := range flags {
		switch {
		case flag.list != nil:
			fs.StringSliceVar(flag.list, flag.name, nil, "")
		case flag.text != nil:
			fs.StringVar(flag.text, flag.name, "", "")
		default:
			fs.DurationVar(&f.time, flag.name, 0, "")
		}
	}
	fs.StringArrayVar(&f.objects, "library", nil, "")
	f.addKept(cmd, 0, formats)
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.MarkFlagFilename("sample")
}

func addFormat(cmd *cobra.Command, format *string, formats []string) {
	cmd.Flags().StringVar(format, "format", "text", "")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

func (f *measuring) suite(cmd *cobra.Command, args []string, s streams) (c suite.Config, err error) {
	if c.Name, c.Experiments, err = pickExperiments(args); err != nil {
		return c, verbInstead(cmd, args, err)
	}
	if c.Selection, err = f.selection(cmd, args, c.Experiments); err != nil {
		return c, err
	}
	c.Setting = provider.Setting{Mix: c.Selection.Mix, Dir: f.dir}
	c.Budget = f.budget
	return c, s.equip(cmd, &c, f.objects, f.sample)
}

// equip gives a run its workers, the libraries that are not Go's and the user's data.
func (s streams) equip(cmd *cobra.Command, c *suite.Config, objects []string, sample string) (err error) {
	c.Typed, c.Tool, c.State = s.typed(), version.Tool(), s.state
	if c.Command, err = workerCommand(); err != nil {
		return err
	}
	if c.Native, err = natives(objects); err != nil {
		return err
	}
	c.Setting.Own, err = sampled(cmd.Context(), cmd.Flags().Changed, sample)
	return err
}

// pickExperiments reads the arguments: none for the quick suite, "full", or names.
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
	return strings.Join(names(es), "+"), es, err
}

// verbInstead says of a word that is a verb, and no experiment, how it is typed.
func verbInstead(cmd *cobra.Command, args []string, unknown error) error {
	for _, verb := range cmd.Root().Commands() {
		if slices.Contains(args, verb.Name()) && verb.IsAvailableCommand() {
			return language.Errorf("%[1]q is a verb, not an experiment: cryptogauge %[1]s (cryptogauge %[1]s --help)",
				"%[1]q 是命令，不是实验：cryptogauge %[1]s（说明见 cryptogauge %[1]s --help）", verb.Name())
		}
	}
	return unknown
}

func names(es []plan.Experiment) []string {
	return document.Mapped(es, func(e plan.Experiment) string { return e.Name })
}

// completeExperiments completes arguments in the session's language.
func completeExperiments(s streams) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		words := []string{"full\t" + language.Text{EN: "every experiment in full", ZH: "完整运行全部实验"}.In(s.Lang)}
		for _, e := range question.All() {
			words = append(words, e.Name+"\t"+question.Asked(e.Name).In(s.Lang))
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// selection reads the flags for a run of some experiments. A flag that none of them
// has a use for is a mistake, and not passed over.
func (f *measuring) selection(cmd *cobra.Command, args []string, es []plan.Experiment) (s plan.Selection, err error) {
	changed := cmd.Flags().Changed
	s = plan.Selection{Algorithms: f.algorithms, Modes: f.modes, Operations: f.operations, Libraries: f.libraries, Own: changed("sample")}
	if err := f.useful(cmd.Flags(), es); err != nil {
		return s, err
	}
	if s.Goroutines, err = parsed(f.goroutines, concurrency.ParseGoroutines); err != nil {
		return s, err
	}
	if err = given(cmd, "messages", f.messages, bulkhash.ParseMessages, &s.Messages); err != nil {
		return s, err
	}
	if s.Logins, err = f.loginBudget(cmd, es); err != nil {
		return s, err
	}
	if s.Chunks, err = parsed(f.chunks, plan.ParseChunk); err != nil {
		return s, err
	}
	slices.Sort(s.Chunks)
	const mostChunks = 16 // each is several rows
	if len(s.Chunks) > mostChunks {
		return s, language.Errorf("--chunks: %d sizes; give at most %d",
			"--chunks：给了 %d 种长度；最多 %d 种", len(s.Chunks), mostChunks)
	}
	if err = given(cmd, "total", f.total, plan.ParseTotal, &s.Total); err != nil {
		return s, err
	}
	if slices.ContainsFunc(f.sizes, func(text string) bool { return strings.HasPrefix(text, "@") }) {
		s.Mix, err = f.replay(cmd.Context(), args, es)
		return s, err
	}
	if s.Sizes, err = parsed(f.sizes, plan.ParseSize); err != nil {
		return s, err
	}
	return s, bulkhash.MessagesFit(s)
}

// useful refuses flags that are empty, and those that are of other experiments.
func (f *measuring) useful(fs *pflag.FlagSet, es []plan.Experiment) error {
	changed := fs.Changed
	for _, flag := range f.ofRun() {
		takes := func(e plan.Experiment) bool { return e.Takes(flag.name, "") }
		switch {
		case !changed(flag.name):
		case flag.name == "sizes" && !slices.ContainsFunc(es, takes):
			return unsized(es, fs)
		case !slices.ContainsFunc(es, takes):
			of := names(slices.DeleteFunc(question.All(), func(e plan.Experiment) bool { return !takes(e) }))
			return language.Errorf("--%s is of the experiment %s, which is not run here", "--%s 属于实验 %s，而此次未运行该实验",
				flag.name, language.Text{EN: strings.Join(of, " or "), ZH: strings.Join(of, " 或 ")})
		case flag.list != nil && len(*flag.list) == 0:
			return language.Errorf("--%s is empty; leave it out to mean everything", "--%s 为空；省略即表示全部", flag.name)
		}
	}
	if changed("dir") && f.dir == "" {
		return language.Errorf("--dir is empty; leave it out to mean the system's directory for temporary files",
			"--dir 为空；省略即使用系统的临时目录")
	}
	return nil
}

// unsized says of experiments without messages that they have no sizes of these, and what streams have instead.
func unsized(es []plan.Experiment, fs *pflag.FlagSet) error {
	all := names(es)
	what := language.Say("%s has no message sizes", "%s 不按消息长度测量", all[0])
	if len(all) > 1 {
		what = language.Say("none of %s has message sizes", "%s 均不按消息长度测量",
			language.Text{EN: strings.Join(all, ", "), ZH: strings.Join(all, "、")})
	}
	instead := language.Text{EN: "leave --sizes out", ZH: "请去掉 --sizes"}
	streams := func(e plan.Experiment) bool { return e.Takes("total", "") }
	if fs.Lookup("total") != nil && slices.ContainsFunc(es, streams) { // check has none
		instead = language.Text{EN: "--chunks gives the sizes of chunks, --total that of the stream",
			ZH: "--chunks 给出分块长度，--total 给出总长度"}
	}
	return language.Errorf("%s; %s", "%s；%s", what, instead)
}

// notEmpty refuses those of some flags that were given, with nothing.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		f := cmd.Flags().Lookup(name)
		nothing := map[string]string{"string": "", "stringSlice": "[]"}[f.Value.Type()]
		if f.Changed && f.Value.String() == nothing {
			return language.Errorf("--%s is empty; leave it out", "--%s 为空；请去掉", name)
		}
	}
	return nil
}

// loginBudget is what a login may take, where an experiment asks.
func (f *measuring) loginBudget(cmd *cobra.Command, es []plan.Experiment) (*result.LoginBudget, error) {
	if !slices.ContainsFunc(es, func(e plan.Experiment) bool { return e.Takes("logins", "") }) {
		return nil, nil
	}
	b := password.Usual
	if cmd.Flags().Changed("time") {
		if f.time < password.LeastTime || f.time > password.MostTime {
			return nil, language.Errorf("--time %s: give the time that a login may take, from %s to %s", "--time %s：请给出一次登录允许的时间，%s 至 %s",
				f.time, password.LeastTime, password.MostTime)
		}
		b.Seconds = f.time.Seconds()
	}
	room, cpus := machine.Room(), runtime.GOMAXPROCS(0)
	b.Memory = min(b.Memory, password.MostMemory(room, cpus))
	if err := cmp.Or(given(cmd, "memory", f.memory, plan.ParseMemory, &b.Memory),
		given(cmd, "logins", f.logins, password.ParseRate, &b.PerSecond)); err != nil {
		return nil, err
	}
	return &b, password.Bear(b.Memory, room, cpus)
}

// given reads a flag that was given.
func given[T any](cmd *cobra.Command, name, text string, parse func(string) (T, error), into *T) (err error) {
	if cmd.Flags().Changed(name) {
		*into, err = parse(text)
	}
	return err
}

// parsed reads a list, of which each value counts once.
func parsed[T comparable](texts []string, parse func(string) (T, error)) (list []T, err error) {
	for _, text := range texts {
		v, err := parse(text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list, nil
}

// replay reads the histogram of --sizes @FILE for experiments that can replay it.
func (f *measuring) replay(ctx context.Context, args []string, es []plan.Experiment) ([]result.SizeShare, error) {
	mix, err := f.histogram(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range es {
		// The suites hold experiments of every kind: those that can replay, do.
		named := len(args) > 0 && args[0] != "full"
		if err := e.Replay(mix, question.All()); err != nil && (named || e.LongestMixed > 0) {
			return nil, err
		}
	}
	return mix, nil
}

// histogram reads the file that --sizes @FILE names. It may be a pipe, as of
// --sizes @<(program): opening and reading one waits for who writes into it, and is
// given up where the user gives up.
func (f *measuring) histogram(ctx context.Context) (mix []result.SizeShare, err error) {
	if len(f.sizes) > 1 {
		return nil, language.Errorf("--sizes %s: give one @FILE and nothing beside it",
			"--sizes %s：@FILE 只能给一个，且不能与其他长度并用", strings.Join(f.sizes, ","))
	}
	name := strings.TrimPrefix(f.sizes[0], "@")
	if name == "" {
		return nil, language.Errorf("--sizes @: give the file's name after the @, e.g. --sizes @sizes.csv",
			"--sizes @：请在 @ 后给出文件名，例如 --sizes @sizes.csv")
	}
	return waiting(ctx, "--sizes @"+name, func() ([]result.SizeShare, error) {
		file, err := os.Open(name)
		if err != nil {
			return nil, language.Errorf("--sizes @%s: %w", "--sizes @%s：%s", name, err)
		}
		defer file.Close()
		return plan.ReadHistogram(name, file)
	})
}

// waiting reads what may be a pipe, and is given up where the user gives up.
func waiting[T any](ctx context.Context, what string, read func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := read()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, command.WithCode(command.ExitInterrupted, language.Errorf("interrupted while %s was read; nothing was measured",
			"读取 %s 时中断；未作任何测量", what))
	}
}

func parsePrecision(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= 0.5) {
		return 0, language.Errorf("--precision %q: give a relative half-width between 0 and 0.5, e.g. 1%% or 0.01",
			"--precision %q：请给出 0 至 0.5 之间的相对半宽，例如 1%% 或 0.01", text)
	}
	return v, nil
}

func within(cmd *cobra.Command, name string, v, low, high int) error {
	if cmd.Flags().Changed(name) && (v < low || v > high) {
		return language.Errorf("--%s %d: give a number from %d to %d", "--%s %d：请给出 %d 至 %d 之间的整数", name, v, low, high)
	}
	return nil
}

func budgetWithin(cmd *cobra.Command, least, most time.Duration) error {
	budget, err := cmd.Flags().GetDuration("budget")
	if err == nil && cmd.Flags().Changed("budget") && (budget < least || budget > most) {
		short := func(d time.Duration) string { return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m") }
		return language.Errorf("--budget %s: give a time from %s to %s", "--budget %s：请给出 %s 至 %s 之间的时间",
			budget, least, short(most))
	}
	return err
}

// budgetKept refuses a time in which nothing can be measured, before any library is asked.
func budgetKept(cmd *cobra.Command, least time.Duration) error {
	budget, err := cmd.Flags().GetDuration("budget")
	if err == nil && 0 < budget && budget < least {
		return language.Errorf("--budget %s is too short to look up what the libraries offer and measure anything; give at least %s",
			"--budget %s 太短，来不及查询密码库并得出结果；请至少给 %s", budget, least)
	}
	return budgetWithin(cmd, least, 24*time.Hour)
}
