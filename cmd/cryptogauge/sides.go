package main

import (
	"context"
	"errors"
	"go/version"
	"os"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/build"
	"github.com/cryptogauge/cryptogauge/internal/gobench"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/side"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// built are the programs of the sides, which are removed in the end as far as they are of this run alone.
type built struct {
	side.Side
	build.Built
}

func (c *compareConfig) build(ctx context.Context) error {
	bar := c.progress(0)
	defer bar.stop()
	for i, s := range c.sides {
		made := result.Side{Side: string(rune('A' + i)), Name: s.Typed}
		bar.doing(language.Say("building %s", "正在构建 %s", s.Typed))
		n, err := c.native(ctx, s, &made)
		if err := early(ctx, err); err != nil {
			return err
		}
		n.Side, n.Only = made.Side, c.kept(s)
		c.suite.Native, c.compared.Sides = append(c.suite.Native, n), append(c.compared.Sides, made)
	}
	return gobench.Agree(c.surveyed)
}

// twice says of a side that another is the same: it is no mistake where one wants to see what the machine does.
func (c *compareConfig) twice() language.Text {
	for i, s := range c.sides {
		for _, other := range c.sides[:i] {
			if same := c.programOf(s); same == c.programOf(other) {
				return language.Say("%s and %s are the same: what differs between them is this machine's doing", "%s 与 %s 相同：两者之间的差异都来自本机",
					other.Typed, s.Typed)
			}
		}
	}
	return language.Text{}
}

// programOf is what a side runs: a worker that was built, or what was typed.
func (c *compareConfig) programOf(s side.Side) string {
	if i := slices.IndexFunc(c.built, func(b built) bool { return b.Side == s }); i >= 0 {
		return c.built[i].Program
	}
	return s.Typed
}

// remove removes what was built for this run alone.
func (c *compareConfig) remove() (err error) {
	for _, b := range c.built {
		err = errors.Join(err, b.Close())
	}
	return err
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

func (c *compareConfig) native(ctx context.Context, s side.Side, made *result.Side) (n suite.Native, err error) {
	n = suite.Native{Library: s.Typed, Foreign: true}
	switch s.Kind {
	case side.Worker:
		n.Command = shellCommand(s.Command)
		return n, nil
	case side.Object:
		program, absent := nativeWorker()
		if _, err := os.Stat(s.Path); err != nil {
			return n, language.Errorf("%s: %w", "%s：%s", s.Typed, err)
		}
		n.Library, n.Foreign, n.Missing, n.Command = s.Name, false, absent, nativeCommand(program, s.Name, s.Path)
		return n, nil
	}
	b, err := c.program(ctx, s)
	if err != nil {
		return n, err
	}
	made.Version = b.Version
	for _, t := range b.Notes {
		made.Notes = append(made.Notes, result.Note(t))
	}
	switch s.Kind {
	case side.Library, side.Toolchain:
		n.Library, n.Foreign = s.Name, false
	case side.Tree, side.Dependency:
		n.Command, err = c.benchCommand(ctx, s, b)
		return n, err
	}
	n.Command = inEnvironment(worker.Command{Path: b.Program}) // it serves the protocol when it is given no arguments
	return n, nil
}

// program builds a side that is built, or takes what an equal one was built into.
func (c *compareConfig) program(ctx context.Context, s side.Side) (b build.Built, err error) {
	if i := slices.IndexFunc(c.built, func(b built) bool { return b.Side == s }); i >= 0 {
		return c.built[i].Built, nil
	}
	switch s.Kind {
	case side.Library:
		b, err = build.Library(ctx, build.LibrarySpec{Name: s.Name, Version: s.Version, Oldest: c.oldest(), Also: c.beside(s)})
	case side.Toolchain:
		b, err = build.Library(ctx, build.LibrarySpec{Name: s.Name, Toolchain: s.Version, Oldest: c.oldest(), Also: c.beside(s)})
	case side.Program:
		b, err = build.Program(ctx, build.Spec{Revision: s.Revision, Package: s.Package})
	case side.Tree:
		b, err = build.Tests(ctx, build.Spec{Revision: s.Revision, Package: c.bench.pkg})
	case side.Dependency:
		b, err = build.Tests(ctx, build.Spec{Package: c.bench.pkg, Require: s.Name + "@" + s.Version})
	}
	if err == nil {
		c.built = append(c.built, built{s, b})
	}
	return b, err
}

// oldest is the oldest toolchain of all sides, which must build what the others build, too.
func (c *compareConfig) oldest() (oldest string) {
	for _, s := range c.sides {
		if s.Kind == side.Toolchain && s.Version != "" && (oldest == "" || version.Compare(s.Version, oldest) < 0) {
			oldest = s.Version
		}
	}
	return oldest
}

// beside are the libraries that are asked for beside the one of a side.
func (c *compareConfig) beside(s side.Side) (names []string) {
	for _, name := range append([]string{subject.Go}, subject.Versioned()...) {
		if name != s.Name && slices.ContainsFunc(c.libraries, func(asked string) bool { return strings.EqualFold(asked, name) }) {
			names = append(names, name)
		}
	}
	return names
}

// benchCommand starts this program as the worker that runs benchmarks of a test binary. What there is was
// found before: a worker that starts for a block calls none but those that are measured.
func (c *compareConfig) benchCommand(ctx context.Context, s side.Side, b build.Built) (func(environment string, twin int) worker.Command, error) {
	self, err := workerCommand()
	if err != nil {
		return nil, err
	}
	t := gobench.Tests{Binary: b.Program, Dir: b.Dir, Pattern: c.bench.regexp, Library: c.bench.pkg, Version: c.benchVersion(s), Survey: b.Program + ".survey"}
	if err := t.Take(ctx); err != nil {
		return nil, err
	}
	c.surveyed = append(c.surveyed, t)
	cmd := self(plan.WorkerKey{})
	cmd.Args = []string{"benchworker", "--binary", t.Binary, "--dir", t.Dir, "--bench", t.Pattern,
		"--library", t.Library, "--version", t.Version, "--survey", t.Survey}
	return inEnvironment(cmd), nil
}

// benchVersion is what tells a side of benchmarks from the others: of a dependency the version, with its name
// where the benchmarks are not its own.
func (c *compareConfig) benchVersion(s side.Side) string {
	version := func(s side.Side) string {
		switch {
		case s.Kind != side.Dependency:
			return s.Typed
		case c.bench.pkg == s.Name || strings.HasPrefix(c.bench.pkg, s.Name+"/"):
			return s.Version
		}
		return gobench.Shortly(s.Name) + "@" + s.Version
	}
	for _, other := range c.sides {
		if other.Typed != s.Typed && version(other) == version(s) {
			return s.Typed
		}
	}
	return version(s)
}
