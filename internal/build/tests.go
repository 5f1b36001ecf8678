package build

import (
	"cmp"
	"context"
	"errors"
	"go/version"
	"os"
	"path/filepath"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Tests builds the tests of a package, from the tree as it is or from a revision, with a
// dependency in the version that is in go.mod or in another. They must run in Dir, which is kept
// until they are closed. A package of that dependency itself is built wherever one is: in a module
// of its own that requires nothing else.
func Tests(ctx context.Context, s Spec) (Built, error) {
	if of, _, versioned := strings.Cut(s.Require, "@"); versioned && (s.Package == of || strings.HasPrefix(s.Package, of+"/")) {
		return inWorkplace(func(w *workplace) (Built, error) { return testsOf(ctx, s, w) })
	}
	return s.build(ctx, func(g *goCommand, w *workplace, c *checkout, p *listed) (Built, error) {
		b := Built{Program: w.program(), Dir: p.Dir}
		args := []string{"test", "-c", "-o", w.program()}
		if s.Require != "" {
			other, notes, err := require(ctx, g, w, c, p, s.Require)
			if err != nil {
				return Built{}, err
			}
			g, b.Notes = g.with("GOWORK=off"), notes
			args = append(args, "-mod=mod", "-modfile="+other)
		} else {
			args = append(args, c.flags()...)
		}
		return b, compileTests(ctx, g, w, c.dir, s.name(), args, p)
	})
}

// compileTests has the go command do what args say, with another clock.
func compileTests(ctx context.Context, g *goCommand, w *workplace, dir, name string, args []string, p *listed) error {
	overlay, err := cpuClock(g, w)
	if err != nil {
		return err
	}
	args = append(append(args, overlay...), p.ImportPath)
	if _, err := g.run(ctx, dir, args...); err != nil {
		return w.explain(name, err)
	}
	if _, err := os.Stat(w.program()); err != nil {
		return usage("%s has no tests: name a package with benchmarks", "%s 没有测试：请指定含有基准测试的包", name)
	}
	return nil
}

func testsOf(ctx context.Context, s Spec, w *workplace) (b Built, err error) {
	if err := os.WriteFile(filepath.Join(w.source(), "go.mod"), []byte("module bench\n"), 0o644); err != nil {
		return b, w.unwritten(err)
	}
	g, err := newGo(ctx, w.source(), "", "GOWORK=off", "GO111MODULE=on", "GOTMPDIR="+w.temporary())
	if err != nil {
		return b, err
	}
	lang := strings.TrimPrefix(version.Lang(g.release()), "go")
	if _, err := g.run(ctx, w.source(), "mod", "edit", "-go="+cmp.Or(lang, "1.25")); err != nil {
		return b, err
	}
	if _, err := g.run(ctx, w.source(), "get", s.Require); err != nil {
		return b, explain(s.Require, err)
	}
	_, at, _ := strings.Cut(s.Require, "@")
	name := s.Package + "@" + at
	p, err := g.list(ctx, w.source(), name, "-mod=mod", s.Package)
	if err != nil {
		return b, err
	}
	b = Built{Program: w.program(), Dir: p.Dir, Notes: inEffect(g)}
	return b, compileTests(ctx, g, w, w.source(), name, []string{"test", "-c", "-mod=mod", "-o", w.program()}, p)
}

// require writes a go.mod beside the user's, in which a dependency has another version, and what
// follows from it. It returns its name.
func require(ctx context.Context, g *goCommand, w *workplace, c *checkout, p *listed, what string) (string, []language.Text, error) {
	of, version, ok := strings.Cut(what, "@")
	if !ok || of == "" || version == "" {
		return "", nil, usage("%q is no module in a version: write module@version, such as golang.org/x/crypto@v0.55.0", "%q 不是带版本的模块：请写成 模块@版本，例如 golang.org/x/crypto@v0.55.0", what)
	}
	if p.Module == nil {
		return "", nil, usage("%s is in no module that could require %s", "%s 不在可要求 %s 的模块中", p.ImportPath, what)
	}
	other, err := c.modfile, error(nil)
	if other == "" {
		other, err = copyMod(w, p)
	}
	if err != nil {
		return "", nil, err
	}
	text, err := os.ReadFile(other)
	if err != nil {
		return "", nil, err
	}
	g = g.with("GOWORK=off")
	var notes []language.Text
	for _, r := range replaces(string(text)) {
		old, _ := replaced(r) // without its version, a directive that has one would not be dropped, and nothing said
		if module, _, _ := strings.Cut(old, "@"); module != of {
			continue
		}
		if _, err := g.run(ctx, w.dir, "mod", "edit", "-dropreplace="+old, other); err != nil {
			return "", nil, err
		}
		notes = append(notes, language.Say("without go.mod's replacement %s", "未采用 go.mod 中的替换 %s", r))
	}
	_, said, err := start(ctx, g.path, p.Module.Dir, g.env, "get", "-modfile="+other, what)
	if err != nil {
		return "", nil, explain(what, err)
	}
	for _, m := range changedModule().FindAllStringSubmatch(said, -1) {
		notes = append(notes, language.Same(strings.TrimSpace(m[1])))
	}
	return other, notes, nil
}

// copyMod puts the user's go.mod and go.sum into the workplace, to be changed there.
func copyMod(w *workplace, p *listed) (string, error) {
	text, err := os.ReadFile(p.Module.GoMod)
	if err != nil {
		return "", err
	}
	sums, _ := os.ReadFile(filepath.Join(filepath.Dir(p.Module.GoMod), "go.sum")) // which a module without dependencies has not
	other := filepath.Join(w.dir, "go.mod")
	return other, errors.Join(os.WriteFile(other, text, 0o644), os.WriteFile(filepath.Join(w.dir, "go.sum"), sums, 0o644))
}

// changedModule is a line of go get: "go: upgraded golang.org/x/sys v0.1.0 => v0.2.0".
var changedModule = pattern(`(?m)^go: ((?:upgraded|downgraded|added|removed) .+)$`)
