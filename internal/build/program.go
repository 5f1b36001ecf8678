package build

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Program builds a main package of the user's, from the tree as it is or from a revision.
func Program(ctx context.Context, s Spec) (Built, error) {
	file := s.Package
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.Dir, file)
	}
	if info, err := os.Stat(file); err == nil && s.Revision == "" && info.Mode().IsRegular() {
		return Built{}, usage("%s is a file and no package: a program that is built already is named as a worker, worker:%[1]s",
			"%s 是文件而不是包：已构建的程序请写作工作进程，worker:%[1]s", s.Package)
	}
	return s.build(ctx, func(g *goCommand, w *workplace, c *checkout, p *listed) (Built, error) {
		if p.Name != "main" {
			return Built{}, usage("%s is package %s and no program: name a main package that calls gauge.Main", "%s 是包 %s，不是程序：请指定调用 gauge.Main 的 main 包", s.Package, p.Name)
		}
		args := append([]string{"build", "-trimpath", "-o", w.program()}, c.flags()...)
		if _, err := g.run(ctx, c.dir, append(args, p.ImportPath)...); err != nil {
			return Built{}, w.explain(s.name(), err)
		}
		return Built{Program: w.program()}, nil
	})
}

// name is what a message calls the package.
func (s Spec) name() string {
	if at := cmp.Or(s.Revision, s.Require); at != "" {
		return s.Package + " (" + at + ")"
	}
	return s.Package
}

// build makes a workplace and a checkout of the package, and leaves them to what is built.
func (s Spec) build(ctx context.Context,
	make func(*goCommand, *workplace, *checkout, *listed) (Built, error)) (Built, error) {
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return Built{}, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return Built{}, usage("%s is no directory: name one in a Go module", "%s 不是目录：请给出 Go 模块内的目录", dir)
	}
	return inWorkplace(func(w *workplace) (b Built, err error) {
		c, err := s.checkout(ctx, w, dir)
		if err != nil {
			return b, err
		}
		g, p, err := s.open(ctx, w, c)
		if err != nil {
			return b, err
		}
		elsewhere, err := c.elsewhere(ctx, g, w, p)
		if err != nil {
			return b, err
		}
		b, err = make(g, w, c, p)
		b.Version, b.Notes = c.version, slices.Concat(c.notes, c.inEffect(g, p), elsewhere, b.Notes)
		return b, err
	})
}

func (s Spec) checkout(ctx context.Context, w *workplace, dir string) (*checkout, error) {
	if s.Revision == "" {
		return asItIs(ctx, dir)
	}
	return atRevision(ctx, w, dir, s.Revision)
}

func (s Spec) open(ctx context.Context, w *workplace, c *checkout) (*goCommand, *listed, error) {
	env := []string{"GOTMPDIR=" + w.temporary()}
	if s.Revision != "" {
		// A workspace outside is of the user's own trees, and not of this one.
		env = append(env, "GOWORK="+workspace(c))
	}
	g, err := newGo(ctx, c.dir, "", env...)
	if err != nil {
		return nil, nil, err
	}
	if mod := g.is["GOMOD"]; mod == "" || mod == os.DevNull {
		return nil, nil, usage("%s is in no Go module: name a directory below a go.mod", "%s 不在 Go 模块中：请给出 go.mod 之下的目录", c.original)
	}
	p, err := g.list(ctx, c.dir, s.name(), s.Package)
	return g, p, err
}

// list finds the one package that the arguments name.
func (g *goCommand) list(ctx context.Context, dir, name string, args ...string) (*listed, error) {
	out, err := g.run(ctx, dir, append([]string{"list", "-find", "-json=Name,ImportPath,Dir,Module"}, args...)...)
	if err != nil {
		return nil, explain(name, below(err, dir))
	}
	var p listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	if err := dec.Decode(&p); err != nil {
		return nil, usage("%s names no package: name one, such as ./cmd/mybench", "%s 不对应任何包：请指定一个，例如 ./cmd/mybench", name)
	}
	if dec.More() {
		return nil, usage("%s names several packages: name one, such as ./cmd/mybench", "%s 对应多个包：请只指定一个，例如 ./cmd/mybench", name)
	}
	return &p, nil
}

// below says what a command said of a directory as if from there: where this program put it is nobody's business.
func below(err error, dir string) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	return &failure{strings.ReplaceAll(f.output, dir+string(filepath.Separator), "./"), f.err}
}

// workspace is the go.work of a checkout; off where it has none.
func workspace(c *checkout) string {
	for dir := c.dir; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "go.work")
		if _, err := os.Stat(file); err == nil {
			return file
		}
		if dir == c.top || dir == filepath.Dir(dir) {
			return "off"
		}
	}
}

// listed is what the go command says of a package.
type listed struct {
	Name, ImportPath, Dir string
	Module                *struct{ Path, Dir, GoMod string }
}

// inEffect are the user's settings that the build respects, in words.
func (c *checkout) inEffect(g *goCommand, p *listed) []language.Text {
	notes := inEffect(g)
	if work := g.is["GOWORK"]; work != "" && work != "off" {
		if own, err := filepath.Rel(c.top, work); err == nil && c.revision != "" {
			work = own
		}
		notes = append(notes, language.Say("the workspace %s is in effect", "工作区 %s 生效", work))
	}
	if p.Module == nil {
		return notes
	}
	if vendored(g, p) {
		notes = append(notes, language.Say("dependencies are those of vendor/", "依赖取自 vendor/"))
	}
	text, err := os.ReadFile(p.Module.GoMod)
	if errors.Is(err, fs.ErrNotExist) {
		return notes
	}
	for _, r := range replaces(string(text)) {
		notes = append(notes, language.Say("go.mod replaces %s", "go.mod 中的替换：%s", r))
	}
	return notes
}

// replaces are the replace directives of a go.mod, without the word.
func replaces(text string) (all []string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		if strings.Contains(line, "=>") {
			all = append(all, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "replace ")))
		}
	}
	return all
}
