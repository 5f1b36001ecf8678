package internal_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
)

// bound are the folders in which names of algorithms and modes may stand as text:
// the table itself, what binds a library to its own names, and what has words of its
// own for a reason. The shared loops of libraries are not bindings.
var bound = regexp.MustCompile("^(internal/algorithm|internal/library/(blake3|engine|gmsm|gostd|md5simd|tjfoc|xcrypto|catalog|isa|native)" +
	"|internal/reference" + // independent of what it judges
	"|internal/kernel|sm4|aes|multibuffer" + // the engine does not know the laboratory
	"|gauge/examples" + // they are users, who write names as text
	"|internal/treesum" + // manifests have names of their own
	"|internal/(document/documenttest|plan/plantest)" + // test data
	")(/|$)")

// plainWord is a name that is a word of English too: Envelope, block, empty.
var plainWord = regexp.MustCompile("^[A-Z]?[a-z]+$")

// names are those of the table, but plain words.
func names() map[string]bool {
	all := map[string]bool{}
	add := func(name string) {
		if name != "" && !plainWord.MatchString(name) {
			all[name] = true
		}
	}
	for _, a := range algorithm.All() {
		add(a.Name)
		for _, u := range a.Uses {
			for _, mode := range u.Modes {
				add(mode)
			}
		}
	}
	for _, mode := range algorithm.Modes() {
		add(mode)
	}
	for _, e := range algorithm.Envelopes() {
		add(e.Mode)
	}
	for _, exchange := range algorithm.Exchanges() {
		add(exchange)
	}
	return all
}

// spelled lists the literals of a file that are names, by line.
func spelled(t *testing.T, path string, source any) (found []string) {
	t.Helper()
	files, known := token.NewFileSet(), names()
	f, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && known[text] {
				found = append(found, fmt.Sprintf("%s: %q", files.Position(lit.Pos()), text))
			}
		}
		return true
	})
	return found
}

// TestOneVocabulary: an algorithm's or a mode's name is a constant of package algorithm.
func TestOneVocabulary(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skipFolder(path, d.Name())
		case !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		if folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), ".."+string(filepath.Separator))); bound.MatchString(folder) {
			return nil
		}
		for _, literal := range spelled(t, path, nil) {
			t.Errorf("%s stands as text: use package algorithm", literal)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestVocabularyBites: a planted literal is found, with its line, and a word is none.
func TestVocabularyBites(t *testing.T) {
	const source = "package p\n\nvar modes = []string{\"GCM\", `SM4`, \"CBC+HMAC-SM3\", \"PSS-SHA-256\"}\nvar word, part = \"block\", \"SM4 is\"\n"
	got := spelled(t, "planted.go", source)
	if len(got) != 4 || !strings.HasPrefix(got[0], "planted.go:3:22: \"GCM\"") {
		t.Errorf("found %v", got)
	}
	if all := names(); len(all) < 50 || all["block"] || all["Envelope"] {
		t.Errorf("%d names: %v", len(all), all)
	}
}

// chinesePercent is how a percentage is not written in Chinese: with a space.
var chinesePercent = regexp.MustCompile(`[\dsfgv] %(%|[^\w%\[.+#-]|$)`)

// spacedPercents lists the Chinese literals of a file that have one, by line.
func spacedPercents(t *testing.T, path string, source any) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err == nil && strings.ContainsFunc(text, chinese) && chinesePercent.MatchString(text) {
				found = append(found, fmt.Sprintf("%s: %q", files.Position(lit.Pos()), text))
			}
		}
		return true
	})
	return found
}

// chinese is a character or a sign of Chinese text.
func chinese(r rune) bool {
	return unicode.Is(unicode.Han, r) || '\u3000' <= r && r <= '\u303f' || '\uff01' <= r && r <= '\uff60'
}

// TestChinesePercent: Chinese has 44%, English has 44 %.
func TestChinesePercent(t *testing.T) {
	sources, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*/*.go", "*/*/*.go", "*/*/*/*.go"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, more...)
	}
	for _, path := range sources {
		if !strings.HasSuffix(path, "_test.go") {
			for _, literal := range spacedPercents(t, path, nil) {
				t.Errorf("%s has a space before its percent sign", literal)
			}
		}
	}
	const planted = "package p\n\nvar a, b, c = \"慢 %s %%\", \"至多 5 %\", \"比 %[2]s 快 % d%%，44%\"\n"
	if got := spacedPercents(t, "planted.go", planted); len(sources) < 100 || len(got) != 2 {
		t.Errorf("%d files; planted: %v", len(sources), got)
	}
}
