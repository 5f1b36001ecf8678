package build

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// declared are the names that files standing for packages declare, by the import path of the package.
func declared(t *testing.T, files fs.FS, dir string) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	err := fs.WalkDir(files, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
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
					switch s := s.(type) {
					case *ast.TypeSpec:
						has[s.Name.Name] = true
					case *ast.ValueSpec:
						has[s.Names[0].Name] = true
					}
				}
			}
		}
		all[strings.TrimSuffix(strings.TrimPrefix(name, dir+"/"), ".txt")] = has
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	return all
}

// eachUse calls f for every name of a package that the sources of workers use.
func eachUse(t *testing.T, f func(file, pkg, name string)) {
	t.Helper()
	err := fs.WalkDir(cryptogauge.Sources, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(cryptogauge.Sources, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if at, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := at.X.(*ast.Ident); ok {
					f(file, importNamed(parsed, pkg.Name), at.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLostPackages: what stands for a package, because it is lost or has less, declares all that is used of it.
func TestLostPackages(t *testing.T) {
	for _, stand := range []struct {
		files fs.FS
		dir   string
	}{{lostFiles, "lost"}, {olderFiles, "older"}} {
		stubs, uses := declared(t, stand.files, stand.dir), 0
		eachUse(t, func(file, pkg, name string) {
			if stubs[pkg] == nil {
				return
			}
			if uses++; !stubs[pkg][name] {
				t.Errorf("%s uses %s of %s, which %s/%[3]s.txt does not declare", file, name, pkg, stand.dir)
			}
		})
		if uses == 0 {
			t.Errorf("nothing uses a package that a file in %s stands for", stand.dir)
		}
	}
}

// since are the names that packages of the standard library have since a release later than OldestGo, by what the
// distribution of Go says of itself.
func since(t *testing.T) map[string]map[string]bool {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	minor, err := strconv.Atoi(strings.TrimPrefix(OldestGo, "go1."))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]map[string]bool{}
	added := regexp.MustCompile(`^pkg ([^ ,]+)(?: \([^)]*\))?, (?:func|const|var|type) (\w+)`)
	for later := minor + 1; ; later++ {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "api", fmt.Sprintf("go1.%d.txt", later)))
		if err != nil && later > minor+1 {
			return names
		}
		if err != nil && os.Getenv("CI") == "" {
			t.Skip("this Go does not say which names are new:", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			m := added.FindStringSubmatch(line)
			if m == nil || strings.Contains(line, "//deprecated") || strings.Contains(line, " struct, ") {
				continue // a field is none of its package's names
			}
			if names[m[1]] == nil {
				names[m[1]] = map[string]bool{}
			}
			names[m[1]][m[2]] = true
		}
	}
}

// TestOldestGo: a worker is built by the oldest toolchain, too: something stands for each name that is newer.
func TestOldestGo(t *testing.T) {
	needGo(t)
	names, lost, less := since(t), declared(t, lostFiles, "lost"), declared(t, olderFiles, "older")
	uses := 0
	eachUse(t, func(file, pkg, name string) {
		if !names[pkg][name] {
			return
		}
		if uses++; !lost[pkg][name] && !less[pkg][name] {
			t.Errorf("%s uses %s of %s, which %s lacks: let a file in older declare it", file, name, pkg, OldestGo)
		}
	})
	if uses == 0 {
		t.Errorf("nothing is used that is newer than %s: the directory older is not needed", OldestGo)
	}
	var given []string
	for _, o := range older {
		given = append(given, o.std...)
	}
	if have := slices.Sorted(maps.Keys(less)); !slices.Equal(given, have) {
		t.Errorf("older has %q, and toolchains are given %q", have, given)
	}
}
