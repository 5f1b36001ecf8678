package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/check"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/live"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

// Exit codes of a gate, beside those of every verb.
const (
	exitFailed  = 1 // a regression, something unstable under stress, something that answers no more
	exitWrong   = 4 // a wrong output, in the library or against the baseline
	exitRefused = 5 // a baseline that can't be compared
)

type checkFlags struct {
	measuring
	baseline, base string
	renew          bool
}

func newCheck(s streams) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:               "check [EXPERIMENT...]",
		ValidArgsFunction: completeExperiments(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.resolve(cmd, args, s)
			if err != nil {
				return err
			}
			return c.filed(cmd, f.store, func(k *keeping) error {
				c.check.Made = func(folder string) { k.folders = append(k.folders, folder) }
				return c.run(cmd.Context())
			})
		},
	}
	f.add(cmd, f.narrowings(), checkFormats)
	fs := cmd.Flags()
	fs.StringVar(&f.baseline, "baseline", "", "")
	fs.BoolVar(&f.renew, "new-baseline", false, "")
	fs.StringVar(&f.base, "baseline-dir", "", "")
	_ = cmd.MarkFlagDirname("baseline-dir")
	_ = cmd.MarkFlagFilename("baseline", "json")
	return cmd
}

var checkFormats = []string{"text", "json"}

type checkConfig struct {
	streams
	check check.Config
	json  bool
}

func (f *checkFlags) resolve(cmd *cobra.Command, args []string, s streams) (*checkConfig, error) {
	const shortest = 5 * time.Second // in which a check can say anything
	if err := budgetWithin(cmd, shortest, 24*time.Hour); err != nil {
		return nil, err
	}
	c, err := f.suite(cmd, args, s)
	switch {
	case err != nil:
		return nil, err
	case c.Name == "full":
		return nil, language.Errorf("check: there is no full check; leave the argument out for all experiments, or name some",
			"check：没有 full 一项；省略参数即检查全部实验，也可指定实验名")
	case !slices.Contains(checkFormats, f.format):
		return nil, language.Errorf("--format %q: check has text and json", "--format %q：check 只有 text 与 json", f.format)
	case cmd.Flags().Changed("baseline") && f.baseline == "":
		return nil, language.Errorf("--baseline is empty; leave it out to use this machine's", "--baseline 为空；省略即使用本机的基线")
	}
	c.Selection.Short, c.Budget = true, 0
	c.Selection.Own = false // which the baseline says: it is found, and refused, as one of another environment is
	if f.dir != "" {        // two checks that mean one directory find one baseline
		if c.Setting.Dir, err = filepath.Abs(f.dir); err != nil {
			return nil, language.Errorf("--dir: %w", "--dir：%s", err)
		}
	}
	if f.base == "" {
		if f.base, err = stateDir(); err != nil {
			return nil, err
		}
	}
	s.Quiet = f.quiet
	return &checkConfig{streams: s, json: f.format == "json", check: check.Config{Suite: c,
		Output: f.output, Dir: f.base, Path: f.baseline, Flag: f.place(cmd), Renew: f.renew, Budget: f.budget}}, nil
}

func (f *checkFlags) place(cmd *cobra.Command) string {
	switch {
	case f.baseline != "":
		return "--baseline"
	case cmd.Flags().Changed("baseline-dir"):
		return "--baseline-dir"
	}
	return ""
}

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

// remarks says once what a check goes on without.
func (c *checkConfig) remarks() func(*suite.Suite) error {
	said := map[language.Text]bool{}
	return func(planned *suite.Suite) error {
		short, err := roomForFiles(planned, c.check.Suite.Setting.Dir)
		for _, remark := range []language.Text{command.WithoutProc(), short} {
			if !said[remark] {
				c.Note(remark)
			}
			said[remark] = true
		}
		return err
	}
}

func (c *checkConfig) run(ctx context.Context) error {
	var bar *progress // of the round that runs
	begin := func(expected time.Duration) {
		bar.stop()
		bar = c.progress(expected)
	}
	end := func() {
		bar.stop()
		bar = nil
	}
	defer end()
	var follow *live.Run // once something is measured: what is refused leaves nothing behind
	defer func() { follow.End() }()
	c.check.Ready = c.remarks()
	c.check.Suite.Probing = func(library string, answered, of int) {
		if bar == nil {
			begin(0)
		}
		bar.asking(library, answered, of)
	}
	c.check.Progress = func(round language.Text, expected time.Duration) func(measure.Progress) {
		begin(expected)
		this := bar
		if follow == nil {
			follow = live.Begin("check", c.check.Suite.Name, expected)
		} else {
			follow.Next(expected)
		}
		return func(m measure.Progress) {
			this.sample(&round, m)
			follow.At(m.Done, func() language.Text { return sampleText(&round, m) })
		}
	}
	c.check.Show = func(r check.Round) {
		end()
		if c.json {
			return
		}
		for _, line := range r.Lines(c.Lang, command.TerminalWidth(c.Out)) {
			fmt.Fprintln(c.Out, line)
		}
	}
	r, err := check.Run(ctx, c.check)
	end()
	if c.json && (err == nil || len(r.Rounds) > 0) {
		if werr := r.WriteJSON(c.Out); werr != nil {
			return command.WithCode(command.ExitOutput, werr)
		}
	}
	if werr := writeReport(r); werr != nil && err == nil {
		err = &check.OutputError{Err: werr}
	}
	if folder := lastFolder(r); !c.json && err == nil && folder != "" {
		fmt.Fprintln(c.Out, "cryptogauge report "+folder)
	}
	return c.exit(ctx, r, err)
}

func (c *checkConfig) exit(ctx context.Context, r *check.Report, err error) error {
	var output *check.OutputError
	var baseline *check.ErrBaseline
	switch {
	case ctx.Err() != nil:
		return command.WithCode(command.ExitInterrupted, language.Errorf("interrupted; no baseline was written%s", "已中断；未写入基线%s", keptIn(r)))
	case errors.As(err, &output):
		return command.WithCode(command.ExitOutput, err)
	case errors.As(err, &baseline):
		return command.WithCode(exitRefused, err)
	case err != nil:
		return err
	}
	last := func() check.Round { return r.Rounds[len(r.Rounds)-1] }
	switch r.Verdict {
	case check.Fine:
		return nil
	case check.Wrong:
		return command.WithCode(exitWrong, language.Errorf("a wrong output was found%s", "发现错误的输出%s", keptIn(r)))
	case check.Inconclusive:
		return command.WithCode(command.ExitInconclusive, language.Errorf("%s: %s%s", "%s：%s%s", last().Name(), last().Says[0].Text, keptIn(r)))
	case check.Refused:
		return command.WithCode(exitRefused, language.Errorf("%s; %s", "%s；%s", last().Says[0].Text, last().Says[1].Text))
	}
	return command.WithCode(exitFailed, language.Errorf("not as it should be%s", "检查未通过%s", keptIn(r)))
}

// writeReport puts the report beside the run that the check ended with, where store import finds it.
func writeReport(r *check.Report) error {
	folder := lastFolder(r)
	if folder == "" || r.Verdict == "" {
		return nil
	}
	_, err := store.Folder{Path: folder}.WriteReport(check.ReportFile, r.WriteJSON)
	return err
}

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
