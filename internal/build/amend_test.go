package build

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge"
)

// complaintOf is what the compiler says of a name where a file has it first.
func complaintOf(t *testing.T, sd *side, file, name string) string {
	t.Helper()
	before, _, found := strings.Cut(string(sd.tree.files[file]), name)
	if !found {
		t.Fatalf("%s has no %s: name another one", file, name)
	}
	line := strings.Count(before, "\n") + 1
	return fmt.Sprintf("%s:%d:%d: undefined: %s\n%[1]s:%[2]d:%[3]d: too many errors\n", file, line, len(before)-strings.LastIndex(before, "\n"), name)
}

// TestLost takes a package and a function from a library: what needs the package is not offered,
// and what calls the function says so.
func TestLost(t *testing.T) {
	const file, pkg = "internal/library/gmsm/keys.go", "github.com/emmansun/gmsm/mldsa"
	sd, err := newSide(LibrarySpec{Name: "gmsm", Version: "v0.30.0"})
	if err != nil {
		t.Fatal(err)
	}
	a := newAmendment(sd.tree, "gmsm v0.30.0")
	a.withoutPackage(pkg)
	if text := string(sd.tree.files[lostDir(pkg)+"/lost.go"]); text != "package mldsa\n" {
		t.Errorf("%q stands for the package", text)
	}
	for name, with := range map[string]string{
		"mldsa.GenerateKey44": "var none gobinding.Offer; return none",
		"sm2.CalculateZA":     `panic(provider.Lost{Version: "gmsm v0.30.0", Name: "sm2.CalculateZA"})`,
	} {
		if !a.amend(complaintOf(t, sd, file, name)) {
			t.Errorf("%s: nothing was changed", name)
		}
		if text := string(sd.tree.files[file]); strings.Contains(text, name+",") || strings.Contains(text, name+"(") ||
			!strings.Contains(text, with) {
			t.Errorf("%s is still called, or %s is not there:\n%s", name, with, text)
		}
	}
	notes := a.notes()
	if len(notes) != 1 || !strings.HasPrefix(notes[0].EN, "gmsm v0.30.0 lacks mldsa, sm2.CalculateZA: rows") {
		t.Error(notes)
	}
	if a.amend("internal/library/gmsm/keys.go: no place\n") {
		t.Error("changed for no place")
	}
}

// TestLostPackages: what stands for a package declares all that a binding uses of it.
func TestLostPackages(t *testing.T) {
	stubs := map[string]map[string]bool{}
	err := fs.WalkDir(lostFiles, "lost", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(lostFiles, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		has := map[string]bool{}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				has[d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if t, ok := s.(*ast.TypeSpec); ok {
						has[t.Name.Name] = true
					}
				}
			}
		}
		stubs[strings.TrimSuffix(strings.TrimPrefix(name, "lost/"), ".txt")] = has
		return nil
	})
	if err != nil || len(stubs) == 0 {
		t.Fatal(stubs, err)
	}
	uses := 0
	err = fs.WalkDir(cryptogauge.Sources, "internal/library", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := fs.ReadFile(cryptogauge.Sources, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			at, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := at.X.(*ast.Ident)
			if !ok {
				return true
			}
			of := importNamed(f, pkg.Name)
			if stubs[of] == nil {
				return true
			}
			if uses++; !stubs[of][at.Sel.Name] {
				t.Errorf("%s uses %s.%s, which lost/%s.txt does not declare", name, pkg.Name, at.Sel.Name, of)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if uses == 0 {
		t.Error("no binding uses a package that a stub stands for")
	}
}
