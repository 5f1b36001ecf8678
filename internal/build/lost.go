package build

import (
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
	who  string                     // "gmsm v0.25.0"
	gone map[string]map[string]bool // by package, the names that it lacks
	said map[string]string          // by file, what its last edit was for
	lost []string                   // what is lost, in the order in which it was found
}

func newAmendment(t *tree, who string) *amendment {
	return &amendment{tree: t, who: who, gone: map[string]map[string]bool{}, said: map[string]string{}}
}

func (a *amendment) note(what string) {
	if pkg, _, _ := strings.Cut(what, "."); !slices.Contains(a.lost, what) && !slices.Contains(a.lost, pkg) {
		a.lost = append(a.lost, what)
	}
}

// notes say what is lost.
func (a *amendment) notes() []language.Text {
	if len(a.lost) == 0 {
		return nil
	}
	return []language.Text{language.Say("%s lacks %s: rows that need it have no number", "%s 没有 %s：需要它的行没有数值",
		a.who, strings.Join(a.lost, ", "))}
}

// stub is the file that declares what is used of a package.
func stub(of string) ([]byte, bool) {
	text, err := fs.ReadFile(lostFiles, "lost/"+of+".txt")
	return text, err == nil
}

// lostDir is where a tree has what a package lacks.
func lostDir(of string) string { return "internal/lost/" + of }

// withoutPackage has a package that is lost declared in the tree, and imported from there. One that
// no file stands for declares nothing: the compiler then tells which functions need it.
func (a *amendment) withoutPackage(of string) {
	if !a.tree.renameImport(of, module+"/"+lostDir(of)) {
		return
	}
	text, ok := stub(of)
	if !ok {
		text = []byte("package " + path.Base(of) + "\n")
	}
	a.tree.files[lostDir(of)+"/lost.go"] = text
	a.says(of, path.Base(of))
	a.note(path.Base(of))
}

// says puts beside lost functions what they panic with.
func (a *amendment) says(of, pkg string) {
	a.tree.files[lostDir(of)+"/says.go"] = fmt.Appendf(nil, `package %s

import "%s/internal/provider"

func lost(name string) provider.Lost { return provider.Lost{Version: %q, Name: name} }
`, pkg, module, a.who)
}

// withoutName has a name that a package lacks declared in the tree, and used from there at a place.
func (a *amendment) withoutName(at *ast.SelectorExpr, f *ast.File) ([]edit, bool) {
	pkg, ok := at.X.(*ast.Ident)
	if !ok {
		return nil, false
	}
	of := importNamed(f, pkg.Name)
	if a.gone[of] == nil {
		a.gone[of] = map[string]bool{}
	}
	a.gone[of][at.Sel.Name] = true
	declared, ok := a.declare(of)
	if !ok {
		delete(a.gone[of], at.Sel.Name)
		return nil, false
	}
	a.tree.files[lostDir(of)+"/lost.go"] = declared
	a.says(of, path.Base(of))
	a.note(pkg.Name + "." + at.Sel.Name)
	alias := pkg.Name + "lost"
	edits := []edit{{int(pkg.Pos()) - 1, int(pkg.End()) - 1, alias}}
	if importNamed(f, alias) == "" {
		end := int(f.Name.End()) - 1
		edits = append(edits, edit{end, end, fmt.Sprintf("; import %s %q", alias, module+"/"+lostDir(of))})
	}
	return edits, true
}

// declare is a package of the names that another lacks. Types that it has are its own.
func (a *amendment) declare(of string) ([]byte, bool) {
	text, ok := stub(of)
	if !ok {
		return nil, false
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, of, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	types, found := map[string]bool{}, map[string]bool{}
	for _, d := range f.Decls {
		for _, name := range declared(d) {
			types[name] = types[name] || isType(d)
			found[name] = true
		}
	}
	for name := range a.gone[of] {
		if !found[name] {
			return nil, false
		}
		delete(types, name)
	}
	var body []byte
	used := map[string]bool{}
	for _, d := range f.Decls {
		if !slices.ContainsFunc(declared(d), func(name string) bool { return a.gone[of][name] }) {
			continue
		}
		edits := qualified(d, types)
		used["real"] = used["real"] || len(edits) > 0
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := s.X.(*ast.Ident); ok {
					used[pkg.Name] = true
				}
			}
			return true
		})
		from, to := int(d.Pos())-1, int(d.End())-1
		for i := range edits {
			edits[i].from, edits[i].to = edits[i].from-from, edits[i].to-from
		}
		body = append(append(body, apply(text[from:to], edits)...), "\n\n"...)
	}
	head := fmt.Appendf(nil, "package %s\n\n", f.Name.Name)
	if used["real"] {
		head = fmt.Appendf(head, "import real %q\n", of)
	}
	for name := range used {
		if path := importNamed(f, name); path != "" {
			head = fmt.Appendf(head, "import %s %q\n", name, path)
		}
	}
	return append(append(head, '\n'), body...), true
}

func isType(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.TYPE
}

// declared are the names of a declaration; of a method, that of its type.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		of := d.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if name, ok := of.(*ast.Ident); ok {
			return []string{name.Name}
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// qualified names the types of a declaration as those of the package that has them.
func qualified(d ast.Decl, types map[string]bool) (edits []edit) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			if types[n.Name] {
				edits = append(edits, edit{int(n.Pos()) - 1, int(n.Pos()) - 1, "real."})
			}
		}
		return true
	})
	return edits
}

// importNamed is the path that a file imports under a name; "" where it imports none.
func importNamed(f *ast.File, name string) string {
	for _, spec := range f.Imports {
		of, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
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
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
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
