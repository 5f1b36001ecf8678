package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/history"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/render"
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
				return f.nothing(cmd.Context(), a, filter)
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
	fs.StringVar(&f.format, "format", string(render.FormatText), "")
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
	if filter.Since.After(filter.Until) && !filter.Until.IsZero() {
		return filter, language.Errorf("--since %s is later than --until %s: no day lies between", "--since %s 晚于 --until %s：其间没有任何日期", f.since, f.until)
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
