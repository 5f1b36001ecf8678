package build

import (
	"cmp"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// A version may lack what the bindings use: a package, a function, a method. The worker's sources
// are adapted to it, in a copy: what is lost is declared beside them, and says so when it is
// called, so that just the rows that need it are lost, too.

// lostFiles declare what the bindings use of each package, by its import path: functions that
// panic, and types. A test holds them to what the bindings use of each.
//
//go:embed lost
var lostFiles embed.FS

// amendment adapts a tree to a version of a library.
type amendment struct {
	tree *tree
	who  string            // "gmsm v0.25.0"
	said map[string]string // by file, what its last edit was for
	lost []string          // what is lost, in the order in which it was found
}

func newAmendment(t *tree, who string) *amendment {
	return &amendment{tree: t, who: who, said: map[string]string{}}
}

func (a *amendment) note(what string) {
	if pkg, _, _ := strings.Cut(what, "."); !slices.Contains(a.lost, what) && !slices.Contains(a.lost, pkg) {
		a.lost = append(a.lost, what)
	}
}

func (a *amendment) notes() []language.Text {
	if len(a.lost) == 0 {
		return nil
	}
	return []language.Text{language.Say("%s lacks %s: rows that need it have no number", "%s 没有 %s：需要它的行没有数值",
		a.who, strings.Join(a.lost, ", "))}
}

// lostDir is where a tree has what a package lacks.
func lostDir(of string) string { return "internal/lost/" + of }

// withoutPackage has a package that is lost declared in the tree, and imported from there. One that
// no file stands for declares nothing: the compiler then tells which functions need it.
func (a *amendment) withoutPackage(of string) {
	if !a.tree.renameImport(of, module+"/"+lostDir(of)) {
		return
	}
	pkg := path.Base(of)
	text, err := fs.ReadFile(lostFiles, "lost/"+of+".txt")
	if err != nil {
		text = []byte("package " + pkg + "\n")
	}
	a.tree.files[lostDir(of)+"/lost.go"] = text
	a.tree.files[lostDir(of)+"/says.go"] = fmt.Appendf(nil, `package %s

import "%s/internal/provider"

func lost(name string) provider.Lost { return provider.Lost{Version: %q, Name: name} }
`, pkg, module, a.who)
	a.note(pkg)
}

// importNamed is the path that a file imports under a name; "" where it imports none.
func importNamed(f *ast.File, name string) string {
	for _, spec := range f.Imports {
		of, _ := strconv.Unquote(spec.Path.Value) // it was parsed
		if spec.Name != nil && spec.Name.Name == name || spec.Name == nil && path.Base(of) == name {
			return of
		}
	}
	return ""
}

// edit replaces what stands between two offsets.
type edit struct {
	from, to int
	with     string
}

// apply makes edits that do not overlap; of two that do, the outer one counts.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	edits = slices.Compact(edits) // such as an import that two of them need
	var out []byte
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		out = append(append(out, text[at:e.from]...), e.with...)
		at = e.to
	}
	return append(out, text[at:]...)
}

// renameImport has another package imported under the name of one, and says whether any file does.
func (t *tree) renameImport(of, to string) (any bool) {
	for name, text := range t.files {
		if path.Ext(name) != ".go" || strings.HasPrefix(name, "internal/lost/") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range f.Imports {
			if spec.Path.Value != strconv.Quote(of) {
				continue
			}
			with := strconv.Quote(to)
			if spec.Name == nil {
				with = path.Base(of) + " " + with
			}
			t.files[name] = apply(text, []edit{{int(spec.Path.Pos()) - 1, int(spec.Path.End()) - 1, with}})
			any = true
		}
	}
	return any
}
