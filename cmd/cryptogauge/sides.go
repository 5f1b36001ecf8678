package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/side"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

// build makes a worker of every side.
func (c *compareConfig) build(ctx context.Context) error {
	bar := c.progress(0)
	defer bar.stop()
	for i, s := range c.sides {
		made := result.Side{Side: string(rune('A' + i)), Name: s.Typed}
		bar.doing(language.Say("building %s", "正在构建 %s", s.Typed))
		n, err := c.native(ctx, s, &made)
		switch {
		case ctx.Err() != nil:
			return interruptedBefore()
		case err != nil:
			return withCode(exitUsage, err)
		}
		n.Side, n.Only = made.Side, c.kept(s)
		c.suite.Native, c.compared.Sides = append(c.suite.Native, n), append(c.compared.Sides, made)
	}
	return nil
}

// kept says which subjects of a side take part.
func (c *compareConfig) kept(s side.Side) func(result.Subject) bool {
	return func(who result.Subject) bool {
		named := func(name string) bool { return strings.EqualFold(name, who.Library) }
		switch {
		case who.Library == subject.Harness:
			return false // the laboratory has its own
		case len(c.libraries) > 0:
			return slices.ContainsFunc(c.libraries, named)
		}
		return s.Name == "" || s.Kind == side.Dependency || named(s.Name)
	}
}

// native is the worker of a side.
func (c *compareConfig) native(_ context.Context, s side.Side, _ *result.Side) (suite.Native, error) {
	n := suite.Native{Library: s.Typed, Foreign: true}
	switch s.Kind {
	case side.Worker:
		n.Command = shellCommand(s.Command)
	case side.Object:
		program, absent := nativeWorker()
		if _, err := os.Stat(s.Path); err != nil {
			return n, language.Errorf("%s: %w", "%s：%s", s.Typed, err)
		}
		n.Library, n.Foreign, n.Missing, n.Command = s.Name, false, absent, nativeCommand(program, s.Name, s.Path)
	default:
		return n, language.Errorf("%s: only workers and shared objects can be compared yet", "%s：目前只能对比工作进程与共享库", s.Typed)
	}
	return n, nil
}
