package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/check"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

// Exit codes of a gate, beside those of every verb.
const (
	exitFailed  = 1 // a regression, something unstable under stress, something that answers no more
	exitWrong   = 4 // a wrong output, in the library or against the baseline
	exitRefused = 5 // a baseline that can't be compared
)

// checkFlags are the flags of check as they were typed.
type checkFlags struct {
	nativeFlags
	selectionFlags
	streamFlags
	budget         time.Duration
	baseline, base string
	renew          bool
	format, output string
	lang           string
	quiet          bool
}

func newCheck(s streams) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [EXPERIMENT...]",
		Short: "Is everything still right here, and as fast as it was?",
		Long: `Is everything still right on this machine, and as fast as it was?

The first check runs screening (a little of everything: is it right, is it alive),
then stress (ten times the load: do rate, tail and memory stay), then measures speed
and keeps it as this machine's baseline. Every check after that runs regression:
are the outputs the same, and the speeds, as ratios to fixed work measured beside
them. What can't be told apart from noise is undecided (exit 3), never guessed.

A baseline belongs to a CPU model, a Go version, the versions of the libraries that it
measured and an environment (GODEBUG, GOGC, GOMEMLIMIT, GOMAXPROCS). One of others
serves for the outputs and is refused for speed (exit 5). One that would guard no speed
is not kept (exit 3).`,
		Example: `  cryptogauge check
  cryptogauge check modes --libraries gmsm
  cryptogauge check --baseline baselines/ci.json --format json > check.json
  cryptogauge check --new-baseline`,
		ValidArgsFunction: completeExperiments,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.resolve(cmd, args, s.args)
			if err != nil {
				return err
			}
			c.check.Suite.State = s.state
			return c.run(cmd, s)
		},
	}
	f.selectionFlags.add(cmd)
	f.nativeFlags.add(cmd)
	f.addDir(cmd) // how much is streamed is check's to choose
	fs := cmd.Flags()
	fs.DurationVar(&f.budget, "budget", 0, "wall time for all rounds together, e.g. 2m (default: what they need)")
	fs.StringVar(&f.baseline, "baseline", "", "compare with this baseline, and no other; with --new-baseline: write it there")
	fs.BoolVar(&f.renew, "new-baseline", false, "make a new baseline, in the place of the one there is")
	fs.StringVar(&f.base, "baseline-dir", "", "directory of baselines (default: $XDG_STATE_HOME/cryptogauge/baselines)")
	fs.StringVar(&f.format, "format", "text", "what goes to standard output: text, json")
	fs.StringVar(&f.output, "output", "cryptogauge-results", "directory for the folders of the rounds")
	fs.StringVar(&f.lang, "lang", "", "language: en or zh (default: from LANG)")
	fs.BoolVar(&f.quiet, "quiet", false, "no progress and no remarks on standard error")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("output")
	_ = cmd.MarkFlagDirname("baseline-dir")
	_ = cmd.MarkFlagFilename("baseline", "json")
	return cmd
}

// checkConfig is what check does, once the flags were understood.
type checkConfig struct {
	check check.Config
	json  bool
	lang  layout.Lang
	quiet bool
}

func (f *checkFlags) resolve(cmd *cobra.Command, args, typed []string) (*checkConfig, error) {
	name, experiments, err := pickExperiments(args)
	switch {
	case err != nil:
		return nil, err
	case name == "full":
		return nil, language.Errorf("check: there is no full check; leave the argument out for all experiments, or name some",
			"check：没有 full 一项；省略参数即检查全部实验，也可指定实验名")
	case f.format != "text" && f.format != "json":
		return nil, language.Errorf("--format %q: check has text and json",
			"--format %q：check 只有 text 与 json", f.format)
	case cmd.Flags().Changed("budget") && (f.budget < shortestCheck || f.budget > 24*time.Hour):
		return nil, language.Errorf("--budget %s: give a time from %s to 24h",
			"--budget %s：请给出 %s 至 24h 之间的时间", f.budget, shortestCheck)
	case cmd.Flags().Changed("baseline") && f.baseline == "":
		return nil, language.Errorf("--baseline is empty; leave it out to use this machine's",
			"--baseline 为空；省略即使用本机的基线")
	}
	selection, err := f.selection(cmd, args, experiments)
	if err != nil {
		return nil, err
	}
	selection.Short = true
	if err := f.streams(cmd, experiments, &selection); err != nil {
		return nil, err
	}
	lang, err := languageOf(f.lang)
	if err != nil {
		return nil, err
	}
	if f.dir != "" { // two checks that mean one directory find one baseline
		if f.dir, err = filepath.Abs(f.dir); err != nil {
			return nil, language.Errorf("--dir: %w", "--dir：%s", err)
		}
	}
	if f.base == "" {
		if f.base, err = stateDir(); err != nil {
			return nil, err
		}
	}
	command, err := workerCommand()
	if err != nil {
		return nil, err
	}
	natives, err := f.natives()
	if err != nil {
		return nil, err
	}
	c := &checkConfig{json: f.format == "json", lang: lang, quiet: f.quiet, check: check.Config{
		Suite: suite.Config{Name: name, Experiments: experiments, Selection: selection,
			Setting: provider.Setting{Mix: selection.Mix, Dir: f.dir},
			Typed:   typed, Tool: toolVersion(), Command: command, Native: natives},
		Output: f.output, Dir: f.base, Path: f.baseline, Flag: f.place(cmd), Renew: f.renew, Budget: f.budget,
	}}
	return c, nil
}

// place is the flag that says where the baseline is; "" where none does.
func (f *checkFlags) place(cmd *cobra.Command) string {
	switch {
	case f.baseline != "":
		return "--baseline"
	case cmd.Flags().Changed("baseline-dir"):
		return "--baseline-dir"
	}
	return ""
}

// shortestCheck is the least time in which a check can say anything.
const shortestCheck = 5 * time.Second

// stateDir is where programs keep what should outlive them and is worth no backup
// (XDG Base Directory Specification 0.8).
func stateDir() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // the specification has relative ones ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return "", language.Errorf("there is no home to keep baselines in; name a directory with --baseline-dir",
				"没有主目录可存放基线；请用 --baseline-dir 指定目录")
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "cryptogauge", "baselines"), nil
}

// remark says once what a check goes on without.
func (c *checkConfig) remark(s streams) func(*suite.Suite) error {
	said := map[language.Text]bool{{}: true}
	return func(planned *suite.Suite) error {
		short, err := roomForFiles(planned, c.check.Suite.Setting.Dir)
		for _, remark := range []language.Text{withoutProc(), short} {
			if !said[remark] && !c.quiet {
				s.remark(remark)
			}
			said[remark] = true
		}
		return err
	}
}

// run runs the rounds, and tells of each as it ends.
func (c *checkConfig) run(cmd *cobra.Command, s streams) error {
	c.check.Ready = c.remark(s)
	pause := func() {}
	if !c.quiet && isTerminal(s.err) {
		bar := newProgress(s, 0)
		pause = func() {
			if bar != nil {
				bar.stop()
				bar = nil
			}
		}
		defer func() { pause() }()
		c.check.Suite.Probing = func(library string, answered, of int) {
			if bar == nil { // a round has ended since
				bar = newProgress(s, 0)
			}
			bar.prepare(asking(library, answered, of))
		}
		c.check.Progress = func(round language.Text, expected time.Duration) func(measure.Progress) {
			pause()
			bar = newProgress(s, expected)
			this := bar
			return func(m measure.Progress) { this.update(m.Done, language.Say("%s: %s", "%s：%s", round, number(m))) }
		}
	}
	c.check.Show = func(r check.Round) {
		pause()
		if c.json {
			return
		}
		for _, line := range r.Lines(c.lang, terminalWidth(s.out)) {
			fmt.Fprintln(s.out, line)
		}
	}
	r, err := check.Run(cmd.Context(), c.check)
	pause()
	if c.json && (err == nil || len(r.Rounds) > 0) {
		if werr := r.WriteJSON(s.out); werr != nil {
			return withCode(exitOutput, werr)
		}
	}
	if folder := lastFolder(r); !c.json && err == nil && folder != "" {
		fmt.Fprintln(s.out, "cryptogauge report "+folder)
	}
	return c.exit(cmd, r, err)
}

// exit maps what a check found to its exit code and its last line.
func (c *checkConfig) exit(cmd *cobra.Command, r *check.Report, err error) error {
	var output *check.OutputError
	var baseline *check.ErrBaseline
	switch {
	case cmd.Context().Err() != nil:
		return withCode(exitInterrupted, language.Errorf("interrupted; no baseline was written%s", "已中断；未写入基线%s", keptIn(r)))
	case errors.As(err, &output):
		return withCode(exitOutput, err)
	case errors.As(err, &baseline):
		return withCode(exitRefused, err)
	case err != nil:
		return usageCode(err)
	}
	switch r.Verdict {
	case check.Fine:
		return nil
	case check.Wrong:
		return withCode(exitWrong, language.Errorf("a wrong output was found%s", "发现错误的输出%s", keptIn(r)))
	case check.Inconclusive:
		return withCode(exitInconclusive, language.Errorf("%s%s", "%s%s", firstSaid(r), keptIn(r)))
	case check.Refused:
		return withCode(exitRefused, language.Errorf("%s", "%s", lastLine(r)))
	}
	return withCode(exitFailed, language.Errorf("not as it should be%s", "检查未通过%s", keptIn(r)))
}

// lastLine is what the last round says first.
func lastLine(r *check.Report) language.Text {
	last := r.Rounds[len(r.Rounds)-1]
	return language.Say("%s; %s", "%s；%s", last.Says[0].Text, last.Says[1].Text)
}

// firstSaid is what came out of the last round.
func firstSaid(r *check.Report) language.Text {
	last := r.Rounds[len(r.Rounds)-1]
	return language.Say("%s: %s", "%s：%s", last.Name(), last.Says[0].Text)
}

// lastFolder is the folder of the run that was measured last.
func lastFolder(r *check.Report) (folder string) {
	for _, round := range r.Rounds {
		for _, f := range round.Folders {
			folder = f
		}
	}
	return folder
}

func keptIn(r *check.Report) language.Text {
	if folder := lastFolder(r); folder != "" {
		return language.Say("; what was measured is in %s", "；已测得的结果在 %s", folder)
	}
	return language.Text{}
}
