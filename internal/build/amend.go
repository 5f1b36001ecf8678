package build

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// complaint is an error of the compiler's: where, and what.
type complaint struct {
	file         string // in the tree
	line, column int
	message      string
}

var located = pattern(`(?m)^(?:\./)?([^\s:]+\.go):(\d+):(\d+): (.+)$`)

func complaints(said string) (all []complaint) {
	for _, m := range located().FindAllStringSubmatch(said, -1) {
		if m[4] == "too many errors" { // at the last place once more
			continue
		}
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		all = append(all, complaint{strings.TrimPrefix(m[1], module+"/"), line, column, m[4]})
	}
	return all
}

// amend changes the files that the compiler complains of, and says whether there was anything
// that it could change.
func (a *amendment) amend(said string) bool {
	of := map[string][]complaint{}
	for _, c := range complaints(said) {
		if a.tree.files[c.file] != nil && !strings.HasPrefix(c.file, "internal/lost/") && !strings.HasPrefix(c.file, mainDir+"/") {
			of[c.file] = append(of[c.file], c)
		}
	}
	changed := false
	for name, complaints := range of {
		text := a.tree.files[name]
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		var edits []edit
		for _, c := range complaints {
			lines := set.File(f.Pos())
			if c.line > lines.LineCount() {
				continue
			}
			at := lines.LineStart(c.line) + token.Pos(c.column-1)
			edits = append(edits, a.amended(c, f, at)...)
		}
		if len(edits) > 0 {
			a.tree.files[name], changed = apply(text, edits), true
		}
	}
	return changed
}

var (
	undefined = pattern(`^undefined: (\w+\.\w+)$|^(\S+) undefined`) // a name of a package, or a part of a thing
	notUsed   = pattern(`imported (as \w+ )?and not used`)
	leftOver  = pattern(`declared and not used`)
)

// amended is what a complaint has changed: an import that nobody needs any more is dropped, and else
// the innermost function around the place says what is lost when it is called.
func (a *amendment) amended(c complaint, f *ast.File, at token.Pos) []edit {
	if notUsed().MatchString(c.message) {
		return dropped(f, at)
	}
	what := c.message
	if m := undefined().FindStringSubmatch(what); m != nil {
		what = cmp.Or(m[1], m[2])
	}
	if leftOver().MatchString(what) {
		what = a.said[c.file]
	}
	body, empty := function(f, at)
	if body == nil {
		return nil
	}
	a.said[c.file] = what
	a.note(what)
	from, to := int(body.Lbrace), int(body.Rbrace)-1 // between the braces
	if empty != "" {
		return []edit{{from, to, " var none " + empty + "; return none "}}
	}
	says := fmt.Sprintf(" panic(provider.Lost{Version: %q, Name: %q}) ", a.who, what)
	edits := []edit{{from, to, says}}
	if importNamed(f, "provider") == "" {
		end := int(f.Name.End()) - 1
		edits = append(edits, edit{end, end, fmt.Sprintf("; import %q", module+"/internal/provider")})
	}
	return edits
}

// dropped is an import that nobody needs any more.
func dropped(f *ast.File, at token.Pos) []edit {
	for _, spec := range f.Imports {
		if at < spec.Pos() || at > spec.End() {
			continue
		}
		if spec.Name != nil {
			return []edit{{int(spec.Name.Pos()) - 1, int(spec.Name.End()) - 1, "_"}}
		}
		return []edit{{int(spec.Path.Pos()) - 1, int(spec.Path.Pos()) - 1, "_ "}}
	}
	return nil
}

// function is the body of the innermost function around a place. One that makes a table must not
// panic, for it is called at the start: it makes an empty one, of the type that is returned.
func function(f *ast.File, at token.Pos) (body *ast.BlockStmt, empty string) {
	ast.Inspect(f, func(n ast.Node) bool {
		var of *ast.BlockStmt
		var typ *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncDecl:
			of, typ = n.Body, n.Type
		case *ast.FuncLit:
			of, typ = n.Body, n.Type
		}
		if of != nil && of.Lbrace < at && at < of.Rbrace {
			body, empty = of, table(typ)
		}
		return true
	})
	return body, empty
}

// table is the type of a table of cases that a function returns; "" where it returns none.
func table(f *ast.FuncType) string {
	if f.Results == nil || len(f.Results.List) != 1 {
		return ""
	}
	s, ok := f.Results.List[0].Type.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "gobinding" && (s.Sel.Name == "Offer" || s.Sel.Name == "Cases") {
		return "gobinding." + s.Sel.Name
	}
	return ""
}
