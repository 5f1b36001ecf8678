package build

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// elsewhere has a work tree take directories outside it, which go.mod names relative to the user's
// tree, from where they lie. They are as they are now, whatever the revision, and that is said.
func (c *checkout) elsewhere(ctx context.Context, g *goCommand, w *workplace, p *listed) ([]language.Text, error) {
	if c.revision == "" || p.Module == nil || g.is["GOWORK"] != "" && g.is["GOWORK"] != "off" || vendored(g, p) {
		return nil, nil
	}
	text, err := os.ReadFile(p.Module.GoMod)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(c.top, p.Module.Dir)
	if err != nil {
		return nil, err
	}
	var notes []language.Text
	edits := []string{"mod", "edit"}
	for _, r := range replaces(string(text)) {
		old, to := replaced(r)
		if !strings.HasPrefix(to, "../") || inside(filepath.Join(below, to)) {
			continue
		}
		dir := filepath.Join(c.home, below, to)
		edits = append(edits, "-replace="+old+"="+dir)
		notes = append(notes, language.Say("%s is as it is now, and not as it was at %s", "%s 取当前内容，而非 %s 时的内容", dir, c.revision))
	}
	if notes == nil {
		return nil, nil
	}
	other, err := copyMod(w, p)
	if err != nil {
		return nil, err
	}
	if _, err := g.run(ctx, w.dir, append(edits, other)...); err != nil {
		return nil, explain(p.ImportPath, err)
	}
	c.modfile = other
	return notes, nil
}

// inside says whether a path relative to a tree's root stays in it.
func inside(path string) bool { return path != ".." && !strings.HasPrefix(path, "../") }

// replaced is what a replace directive replaces, as the go command takes it, and by what.
func replaced(directive string) (old, to string) {
	before, after, _ := strings.Cut(directive, "=>")
	return strings.Join(strings.Fields(before), "@"), strings.Trim(strings.TrimSpace(after), "\"`")
}

// vendored says whether dependencies come from the module's vendor directory.
func vendored(g *goCommand, p *listed) bool {
	_, err := os.Stat(filepath.Join(p.Module.Dir, "vendor", "modules.txt"))
	return err == nil && !strings.Contains(g.is["GOFLAGS"], "-mod=mod")
}

// flags are those that builds in this checkout need.
func (c *checkout) flags() []string {
	if c.modfile == "" {
		return nil
	}
	return []string{"-modfile=" + c.modfile}
}
