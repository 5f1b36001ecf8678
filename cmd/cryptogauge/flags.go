package main

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/question/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/question/concurrency"
	"github.com/cryptogauge/cryptogauge/result"
)

// selectionFlags are the flags that narrow an experiment.
type selectionFlags struct {
	algorithms, modes, operations, sizes, libraries, goroutines []string
	messages                                                    string
}

func (f *selectionFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringSliceVar(&f.algorithms, "algorithms", nil,
		"only these algorithms, also with a mode as reports write it, e.g. SM4,AES-256-GCM")
	fs.StringSliceVar(&f.modes, "modes", nil, "only these modes, e.g. ECB,CBC")
	fs.StringSliceVar(&f.operations, "operations", nil, "only these operations, e.g. encrypt")
	fs.StringSliceVar(&f.sizes, "sizes", nil, "these message sizes, e.g. 64,1KiB,10KB (KB is 1000 bytes, KiB is 1024), or @FILE: a CSV histogram of your traffic, columns bytes,weight")
	fs.StringSliceVar(&f.goroutines, "goroutines", nil, "these numbers of goroutines, where an experiment varies them, e.g. 1,8,64")
	fs.StringVar(&f.messages, "messages", "", "how many messages are hashed at once, where an experiment varies it, e.g. 1000000")
	fs.StringSliceVar(&f.libraries, "libraries", nil, "only these libraries, e.g. go,gmsm")
}

// selection reads the flags for a run of some experiments. A flag that none of them
// has a use for is a mistake, and not passed over.
func (f *selectionFlags) selection(cmd *cobra.Command, args []string, es []plan.Experiment) (s plan.Selection, err error) {
	s = plan.Selection{Algorithms: f.algorithms, Modes: f.modes, Operations: f.operations, Libraries: f.libraries}
	for name, list := range map[string][]string{"algorithms": f.algorithms, "modes": f.modes,
		"operations": f.operations, "sizes": f.sizes, "libraries": f.libraries, "goroutines": f.goroutines} {
		if cmd.Flags().Changed(name) && len(list) == 0 {
			return s, language.Errorf("--%s is empty; leave it out to mean everything",
				"--%s 为空；省略即表示全部", name)
		}
	}
	if cmd.Flags().Changed("goroutines") && !slices.ContainsFunc(es, func(e plan.Experiment) bool { return e.Goroutines }) {
		return s, language.Errorf("--goroutines is of the experiment %s, which is not run here",
			"--goroutines 属于实验 %s，而此次未运行该实验", varyGoroutines())
	}
	for _, text := range f.goroutines {
		n, err := concurrency.ParseGoroutines(text)
		if err != nil {
			return s, err
		}
		s.Goroutines = append(s.Goroutines, n)
	}
	if s.Messages, err = f.manyMessages(cmd, es); err != nil {
		return s, err
	}
	if slices.ContainsFunc(f.sizes, func(text string) bool { return strings.HasPrefix(text, "@") }) {
		if s.Mix, err = f.histogram(cmd.Context()); err != nil {
			return s, err
		}
		for _, e := range es {
			// The suites hold experiments of every kind: those that can replay, do.
			named := len(args) > 0 && args[0] != "full"
			if err := e.Replay(s.Mix, question.All()); err != nil && (named || e.LongestMixed > 0) {
				return s, err
			}
		}
		return s, nil
	}
	for _, text := range f.sizes {
		n, err := plan.ParseSize(text)
		if err != nil {
			return s, err
		}
		if !slices.Contains(s.Sizes, n) {
			s.Sizes = append(s.Sizes, n)
		}
	}
	return s, bulkhash.MessagesFit(s)
}

// manyMessages reads --messages, 0 where it was not given.
func (f *selectionFlags) manyMessages(cmd *cobra.Command, es []plan.Experiment) (int64, error) {
	if !cmd.Flags().Changed("messages") {
		return 0, nil
	}
	varies := func(e plan.Experiment) bool { return e.Messages }
	if !slices.ContainsFunc(es, varies) {
		return 0, language.Errorf("--messages is of the experiment %s, which is not run here",
			"--messages 属于实验 %s，而此次未运行该实验", those(varies))
	}
	return bulkhash.ParseMessages(f.messages)
}

// varyGoroutines names the experiments that do.
func varyGoroutines() string {
	return those(func(e plan.Experiment) bool { return e.Goroutines })
}

// those names the experiments of a kind.
func those(kind func(plan.Experiment) bool) string {
	var names []string
	for _, e := range question.All() {
		if kind(e) {
			names = append(names, e.Name)
		}
	}
	return strings.Join(names, " or ")
}

// histogram reads the file that --sizes @FILE names. It may be a pipe, as of
// --sizes @<(program): opening and reading one waits for who writes into it, and is
// given up where the user gives up.
func (f *selectionFlags) histogram(ctx context.Context) ([]result.SizeShare, error) {
	if len(f.sizes) > 1 {
		return nil, language.Errorf("--sizes %s: give one @FILE and nothing beside it",
			"--sizes %s：@FILE 只能给一个，且不能与其他长度并用", strings.Join(f.sizes, ","))
	}
	name := strings.TrimPrefix(f.sizes[0], "@")
	if name == "" {
		return nil, language.Errorf("--sizes @: give the file's name after the @, e.g. --sizes @sizes.csv",
			"--sizes @：请在 @ 后给出文件名，例如 --sizes @sizes.csv")
	}
	var mix []result.SizeShare
	read := make(chan error, 1)
	go func() {
		file, err := os.Open(name)
		if err != nil {
			read <- language.Errorf("--sizes @%s: %w", "--sizes @%s：%s", name, err)
			return
		}
		defer file.Close()
		mix, err = plan.ReadHistogram(name, file)
		read <- err
	}()
	select {
	case err := <-read:
		return mix, err
	case <-ctx.Done():
		return nil, withCode(exitInterrupted, language.Errorf("interrupted while --sizes @%s was read; nothing was measured",
			"读取 --sizes @%s 时中断；未作任何测量", name))
	}
}

// parsePrecision reads "1%" or "0.01".
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

// within checks a whole number where the user gave one.
func within(cmd *cobra.Command, name string, v, low, high int) error {
	if cmd.Flags().Changed(name) && (v < low || v > high) {
		return language.Errorf("--%s %d: give a number from %d to %d",
			"--%s %d：请给出 %d 至 %d 之间的整数", name, v, low, high)
	}
	return nil
}

func budgetWithin(d time.Duration) error {
	if d != 0 && (d < time.Second || d > 24*time.Hour) {
		return language.Errorf("--budget %s: give a time from 1s to 24h",
			"--budget %s：请给出 1s 至 24h 之间的时间", d)
	}
	return nil
}

// languageOf is what --lang says, else what the environment's locale says.
func languageOf(flag string) (layout.Lang, error) {
	switch flag {
	case "en", "zh":
		return layout.Lang(flag), nil
	case "":
	default:
		return "", language.Errorf("--lang %q: there are en and zh",
			"--lang %q：只有 en 与 zh", flag)
	}
	return language.OfSession(), nil
}

// colour says whether marks may be coloured: on a terminal, unless NO_COLOR is
// set and not empty (no-color.org).
func colour(w any) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
