package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/history"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// historyFlags narrow the series; those of run have run's names.
type historyFlags struct {
	storeFlag
	algorithms, modes, operations, sizes, libraries, machines []string
	since, until, format                                      string
	all                                                       bool
}

func newHistory(s command.Session) *cobra.Command {
	var f historyFlags
	cmd := &cobra.Command{
		Use: "history [CASE...]",
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := history.ParseFormat(f.format)
			if err != nil {
				return err
			}
			filter, err := f.filter(args)
			if err != nil {
				return err
			}
			a, err := f.open(cmd, s, archive.Read)
			if err != nil {
				return err
			}
			defer a.Close()
			series, err := a.History(cmd.Context(), filter)
			switch {
			case err != nil:
				return command.WithCode(command.ExitOutput, err)
			case len(series) == 0:
				return nothingOf(cmd, a)
			}
			r := history.Report{Store: a.At().String(), Courses: history.Analyse(series)}
			return command.WithCode(command.ExitOutput, r.Write(s.Out, format, history.Options{Lang: s.Lang,
				Width: command.TerminalWidth(s.Out), Colour: command.Colour(s.Out), All: f.all}))
		},
	}
	f.add(cmd)
	fs := cmd.Flags()
	for name, list := range map[string]*[]string{"algorithms": &f.algorithms, "modes": &f.modes, "operations": &f.operations,
		"sizes": &f.sizes, "libraries": &f.libraries} {
		fs.StringSliceVar(list, name, nil, "")
	}
	fs.StringArrayVar(&f.machines, "machine", nil, "")
	fs.StringVar(&f.since, "since", "", "")
	fs.StringVar(&f.until, "until", "", "")
	fs.BoolVar(&f.all, "all", false, "")
	fs.StringVar(&f.format, "format", string(history.Text), "")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(history.Formats(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *historyFlags) filter(cases []string) (archive.Filter, error) {
	filter := archive.Filter{Cases: cases, Algorithms: f.algorithms, Modes: f.modes, Operations: f.operations,
		Libraries: f.libraries, Machines: f.machines}
	for _, text := range f.sizes {
		size, err := plan.ParseSize(text)
		if err != nil {
			return filter, err
		}
		filter.Sizes = append(filter.Sizes, size)
	}
	var err error
	if filter.Since, err = day("since", f.since); err != nil {
		return filter, err
	}
	if filter.Until, err = day("until", f.until); err != nil {
		return filter, err
	}
	if !filter.Until.IsZero() {
		filter.Until = filter.Until.AddDate(0, 0, 1) // the day is meant too
	}
	return filter, nil
}

// day reads a day, in UTC as run files have their times.
func day(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return t, language.Errorf("--%s %q: give a day such as 2026-03-18", "--%s %q：请给出日期，例如 2026-03-18", flag, text)
	}
	return t, nil
}

// nothingOf says why there is no series: nothing was filed, or nothing of what was asked for.
func nothingOf(cmd *cobra.Command, a *archive.Archive) error {
	totals, err := a.Totals(cmd.Context())
	if err != nil {
		return command.WithCode(command.ExitOutput, err)
	}
	if totals.Runs == 0 {
		return language.Errorf("the store %s: %w", "存储 %s：%s", a.At(), archive.ErrNone)
	}
	cases, err := a.Cases(cmd.Context(), archive.Filter{})
	if err != nil {
		return command.WithCode(command.ExitOutput, err)
	}
	const most = 5
	var names []string
	for _, c := range cases {
		if name := c.Case.Name(); len(names) < most && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return language.Errorf("history: none of the %d runs in %s has measured that; they have measured %s",
		"history：%[2]s 中的 %[1]d 次运行都没有测过它；测过的有 %[3]s", totals.Runs, a.At(), strings.Join(names, ", "))
}
