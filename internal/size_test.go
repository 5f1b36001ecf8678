package internal_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Limits of what a reader takes in at once.
const (
	longestFunction = 60  // lines, but for data: composite literals
	longestLine     = 200 // characters
	widestLine      = 120 // what new lines keep to; those beyond are only counted
)

// excused are the names of what is beyond a limit, as patterns, each with its reason. One
// that excuses nothing must leave the list.
type excused map[string]string

// check holds what was found against the exceptions.
func (e excused) check(t *testing.T, found map[string]string) {
	t.Helper()
	left := maps.Clone(found)
	for _, pattern := range slices.Sorted(maps.Keys(e)) {
		names, excuses := regexp.MustCompile("^(?:"+pattern+")$"), 0
		for name := range found {
			if names.MatchString(name) {
				excuses++
				delete(left, name)
			}
		}
		if excuses == 0 {
			t.Errorf("%s (%s) excuses nothing: take it off the list", pattern, e[pattern])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		t.Errorf("%s: %s", name, left[name])
	}
}

// source is one Go file of the module, parsed.
type source struct {
	path string // in the module
	text string
	set  *token.FileSet
	file *ast.File
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

// lines is how many a node takes.
func (s source) lines(n ast.Node) int {
	return s.set.Position(n.End()).Line - s.set.Position(n.Pos()).Line + 1
}

// sources are the Go files that people write.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d files were found", len(all))
	}
	return all
}

var parsed = sync.OnceValues(func() (all []source, err error) {
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skipFolder(path, d.Name())
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		rel, err := filepath.Rel("..", path)
		all = append(all, source{filepath.ToSlash(rel), string(text), set, file})
		return err
	})
	return all, err
})

// functions calls see for every function of the program, generators and all.
func functions(t *testing.T, see func(s source, name string, f *ast.FuncDecl)) {
	for _, s := range sources(t) {
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && !s.test() {
				see(s, declared(s, f), f)
			}
		}
	}
}

// generator matches programs that print code, line by line.
var generator = regexp.MustCompile(`/gen/`)

// declared names a function by its package's folder, its receiver and itself.
func declared(s source, f *ast.FuncDecl) string {
	name := f.Name.Name
	if f.Recv != nil {
		recv := f.Recv.List[0].Type
		if star, ok := recv.(*ast.StarExpr); ok {
			recv = star.X
		}
		if generic, ok := recv.(*ast.IndexExpr); ok {
			recv = generic.X
		}
		name = fmt.Sprint(recv) + "." + name
	}
	return filepath.ToSlash(filepath.Dir(s.path)) + "." + name
}

// length is how many lines of code a function has: its own, without those of data,
// and without those of functions in that data, each of which is measured by itself.
func (s source) length(body *ast.BlockStmt) int {
	n := s.lines(body)
	ast.Inspect(body, func(node ast.Node) bool {
		data, ok := node.(*ast.CompositeLit)
		if ok {
			n -= s.lines(data) - 1
		}
		return !ok
	})
	return n
}

// TestFunctionsFitOnAScreen: what is longer does more than one thing.
func TestFunctionsFitOnAScreen(t *testing.T) {
	found := map[string]string{}
	functions(t, func(s source, name string, f *ast.FuncDecl) {
		ast.Inspect(f, func(node ast.Node) bool {
			var body *ast.BlockStmt
			switch node := node.(type) {
			case *ast.FuncDecl:
				body = node.Body
			case *ast.FuncLit:
				body = node.Body
			}
			if body != nil && s.length(body) > longestFunction && !generator.MatchString(s.path) {
				found[name] = fmt.Sprintf("%d lines, at most %d fit on a screen", s.length(body), longestFunction)
			}
			return true
		})
	})
	excused{}.check(t, found)
}

// TestLinesEnd: nobody reads a line to its end that has none.
func TestLinesEnd(t *testing.T) {
	found, wide := map[string]string{}, 0
	for _, s := range sources(t) {
		n := 0
		for line := range strings.Lines(s.text) {
			width := utf8.RuneCountInString(strings.TrimRight(line, "\n"))
			if width > widestLine {
				wide++
			}
			if width > longestLine {
				n++
			}
		}
		if n > 0 {
			found[s.path] = fmt.Sprintf("%d lines of more than %d characters", n, longestLine)
		}
	}
	t.Logf("%d lines have more than %d characters", wide, widestLine)
	excused{
		`internal/deps_test\.go`: "a row of the table for each package",
	}.check(t, found)
}

// TestArgumentsSayWhatTheyAre: true and false say nothing where a function is called.
func TestArgumentsSayWhatTheyAre(t *testing.T) {
	found := map[string]string{}
	functions(t, func(s source, name string, f *ast.FuncDecl) {
		for _, p := range f.Type.Params.List {
			if of, ok := p.Type.(*ast.Ident); ok && of.Name == "bool" && !generator.MatchString(s.path) {
				found[name] = "a bool as argument: two functions, a named type of constants or a field say more"
			}
		}
	})
	boolArguments.check(t, found)
}

// TestArgumentsAreFew: with so many, two are exchanged some day.
func TestArgumentsAreFew(t *testing.T) {
	const most = 9
	found := map[string]string{}
	functions(t, func(s source, name string, f *ast.FuncDecl) {
		if n := f.Type.Params.NumFields(); n > most {
			found[name] = fmt.Sprintf("%d arguments: a struct names them", n)
		}
	})
	excused{}.check(t, found)
}

// TestLimitsBite: what is beyond a limit is found, and data is not counted.
func TestLimitsBite(t *testing.T) {
	line := "\tf()\n"
	body := func(lines string) source {
		text := "package p\n\nfunc f() {\n" + lines + "}\n"
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "p.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		return source{"p.go", text, set, file}
	}
	for lines, want := range map[string]int{
		"": 2, line: 3, strings.Repeat(line, 100): 102,
		"\tg([]int{\n" + strings.Repeat("\t\t1,\n", 100) + "\t})\n":  3,
		"\tg(func() {\n" + strings.Repeat("\t"+line, 100) + "\t})\n": 104,
	} {
		s := body(lines)
		if got := s.length(s.file.Decls[0].(*ast.FuncDecl).Body); got != want {
			t.Errorf("%d lines, want %d: %.40q", got, want, lines)
		}
	}
}

// boolArguments are the functions whose argument is true or false by nature.
var boolArguments = excused{
	`sm4\.Cipher\.NewXTS(En|De)crypter`:                               "package cipher of gmsm asks for methods of this shape",
	`multibuffer\.trial\.hold`:                                        "what is held to is a state of two",
	`internal/check\.stressSays|internal/selftest\.judge`:             "what was found, put into words",
	`internal/treesum/sums\.(output\.name|stateWriter\.(rest|close))`: "whether the work came to its end, which the caller was told",
	`internal/library/isa\.answer|internal/reference\.must`:           "they say what a condition means",
	`internal/command/scripts\..*`:                                    "testscript has commands of this shape",
	`internal/reference\.blake2bCompress`:                             "the flag of the last block, RFC 7693 3.2",
}

// TestListedFilesAreThere: a package comment that lists its files is where a reader begins.
func TestListedFilesAreThere(t *testing.T) {
	list, name := regexp.MustCompile(`(?m)^\t\w+\.go\b.*$`), regexp.MustCompile(`\w+\.go\b`)
	listed := 0
	for _, s := range sources(t) {
		for _, line := range list.FindAllString(s.file.Doc.Text(), -1) {
			for _, file := range name.FindAllString(line, -1) {
				listed++
				if _, err := os.Stat(filepath.Join("..", filepath.Dir(s.path), file)); err != nil {
					t.Errorf("%s lists %s, which is not there", s.path, file)
				}
			}
		}
	}
	if listed < 50 {
		t.Errorf("only %d files are listed: the pattern misses them", listed)
	}
}
