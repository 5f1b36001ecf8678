package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// condition is one of those that a history was narrowed by, alone.
type condition struct {
	typed string
	alone archive.Filter
	known []string // what it could have named
}

// nothing says why there is no series: nothing was filed, a condition that nothing meets, or several that nothing meets at once.
func (f *historyFlags) nothing(ctx context.Context, a *archive.Archive, filter archive.Filter) error {
	machines, err := a.Machines(ctx)
	if err != nil {
		return command.WithCode(command.ExitOutput, err)
	}
	if len(machines) == 0 {
		return nothingFiled(a)
	}
	if err := f.noDay(a, filter, machines); err != nil {
		return err
	}
	conditions, err := f.conditions(ctx, a, filter, machines)
	if err != nil {
		return command.WithCode(command.ExitOutput, err)
	}
	var typed []string
	for _, c := range conditions {
		met, err := a.Cases(ctx, c.alone)
		switch {
		case err != nil:
			return command.WithCode(command.ExitOutput, err)
		case len(met) == 0:
			return language.Errorf("history: nothing in %s matches %s; there are %s", "history：%s 中没有符合 %s 的内容；现有 %s", a.At(), c.typed, firstOf(c.known))
		}
		typed = append(typed, c.typed)
	}
	for flag, text := range map[string]string{"--since": f.since, "--until": f.until} {
		if text != "" {
			typed = append(typed, flag+" "+text)
		}
	}
	slices.Sort(typed)
	if len(typed) == 0 {
		return language.Errorf("history: no run in %s has a case with a history", "history：%s 中的运行没有可显示历史的测试项", a.At())
	}
	return language.Errorf("history: nothing in %s matches %s at once; leave one out", "history：%s 中没有同时符合 %s 的内容；请去掉其中一项", a.At(), all(typed))
}

// noDay says that all runs are of other days.
func (f *historyFlags) noDay(a *archive.Archive, filter archive.Filter, machines []archive.Machine) error {
	first, last := machines[0].First, machines[0].Last
	for _, m := range machines {
		if m.First.Before(first) {
			first = m.First
		}
		if m.Last.After(last) {
			last = m.Last
		}
	}
	typed := ""
	switch {
	case !filter.Since.IsZero() && last.Before(filter.Since):
		typed = "--since " + f.since
	case !filter.Until.IsZero() && !first.Before(filter.Until):
		typed = "--until " + f.until
	default:
		return nil
	}
	const date = "2006-01-02"
	return language.Errorf("history: nothing in %s matches %s; its first run began on %s, its last on %s",
		"history：%s 中没有符合 %s 的内容；最早的运行始于 %s，最近的始于 %s", a.At(), typed, first.Format(date), last.Format(date))
}

// conditions are those that were given, but for days.
func (f *historyFlags) conditions(ctx context.Context, a *archive.Archive, filter archive.Filter, machines []archive.Machine) (given []condition, err error) {
	cases, err := a.Cases(ctx, archive.Filter{})
	if err != nil {
		return nil, err
	}
	libraries, err := a.Libraries(ctx)
	if err != nil {
		return nil, err
	}
	of := func(name func(archive.CaseCount) string) (names []string) {
		for _, c := range cases {
			if n := name(c); n != "" && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		return names
	}
	var keys []string
	for _, m := range machines {
		keys = append(keys, fmt.Sprintf("%s (%s)", m.Key, m.Label))
	}
	for _, c := range []struct {
		flag  string
		words []string
		condition
	}{
		{"", filter.Cases, condition{alone: archive.Filter{Cases: filter.Cases}, known: of(func(c archive.CaseCount) string { return c.Case.Name() })}},
		{"--algorithms ", f.algorithms, condition{alone: archive.Filter{Algorithms: f.algorithms}, known: of(func(c archive.CaseCount) string { return c.Case.Algorithm })}},
		{"--modes ", f.modes, condition{alone: archive.Filter{Modes: f.modes}, known: of(func(c archive.CaseCount) string { return c.Case.Mode })}},
		{"--operations ", f.operations, condition{alone: archive.Filter{Operations: f.operations}, known: of(func(c archive.CaseCount) string { return c.Case.Operation })}},
		{"--sizes ", f.sizes, condition{alone: archive.Filter{Sizes: filter.Sizes}, known: of(func(c archive.CaseCount) string { return layout.FormatSize(c.Case.Bytes) })}},
		{"--libraries ", f.libraries, condition{alone: archive.Filter{Libraries: f.libraries}, known: libraries}},
		{"--machine ", f.machines, condition{alone: archive.Filter{Machines: f.machines}, known: keys}},
	} {
		if len(c.words) > 0 {
			c.typed = c.flag + strings.Join(c.words, ",")
			given = append(given, c.condition)
		}
	}
	return given, nil
}

// firstOf lists some names, and says how many more there are.
func firstOf(names []string) language.Text {
	const most = 5
	more := len(names) - most
	if more <= 0 {
		return all(names)
	}
	return language.Say("%s and %d more", "%s，另有 %d 项", all(names[:most]), more)
}

// all lists names that stand in run files, or were typed.
func all(names []string) language.Text {
	return language.Text{EN: render.Clean(strings.Join(names, ", ")), ZH: render.Clean(strings.Join(names, "、"))}
}
