package build

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge"
)

// module is the path of this module, which a tree keeps: its internal packages are imported.
const module = "github.com/cryptogauge/cryptogauge"

// mainDir is where a tree has the worker's main package.
const mainDir = "side"

// tree is what a worker is built of: files by their path.
type tree struct {
	files   map[string][]byte
	outside map[string]bool // import paths that are not of this module
}

// newTree takes of the embedded sources what a main package needs.
func newTree(main []byte) (*tree, error) {
	t := &tree{files: map[string][]byte{}, outside: map[string]bool{}}
	return t, t.add(mainDir+"/main.go", main)
}

// add puts a file into the tree, and the packages that it imports.
func (t *tree) add(name string, text []byte) error {
	t.files[name] = text
	if path.Ext(name) != ".go" {
		return nil
	}
	imports, err := importsOf(name, text)
	if err != nil {
		return err
	}
	for _, of := range imports {
		dir, ours := strings.CutPrefix(of, module+"/")
		if !ours {
			t.outside[of] = true
		} else if err := t.addPackage(dir); err != nil {
			return err
		}
	}
	return nil
}

func importsOf(name string, text []byte) (paths []string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, spec := range f.Imports {
		of, _ := strconv.Unquote(spec.Path.Value) // it was parsed
		paths = append(paths, of)
	}
	return paths, nil
}

func (t *tree) addPackage(dir string) error {
	if t.has(dir) {
		return nil
	}
	entries, err := fs.ReadDir(cryptogauge.Sources, dir)
	if err != nil {
		return fmt.Errorf("build: internal error: %w", err) // a test holds what is embedded to what is imported
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		name := path.Join(dir, e.Name())
		text, err := fs.ReadFile(cryptogauge.Sources, name)
		if err != nil {
			return err
		}
		if err := t.add(name, text); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) has(dir string) bool {
	for name := range t.files {
		if path.Dir(name) == dir {
			return true
		}
	}
	return false
}

// uses says whether a package of another module is imported.
func (t *tree) uses(module string) bool {
	for of := range t.outside {
		if of == module || strings.HasPrefix(of, module+"/") {
			return true
		}
	}
	return false
}

// digest is of every file, by name and content.
func (t *tree) digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		fmt.Fprintf(h, "%s %d\n%s\n", name, len(t.files[name]), t.files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (t *tree) write(dir string) error {
	for name, text := range t.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			return err
		}
	}
	return nil
}

type goMod struct {
	lang     string
	versions map[string]string // of the modules that the tree uses
	replaced map[string]string // versions that are taken whatever others ask for
}

// embeddedMod reads the go.mod of this program's module: its go line, and what it requires.
func embeddedMod() (m goMod, err error) {
	text, err := fs.ReadFile(cryptogauge.Sources, "go.mod")
	if err != nil {
		return m, err
	}
	m.versions = map[string]string{}
	for line := range bytes.Lines(text) {
		line, _, _ := strings.Cut(string(line), "//")
		switch words := strings.Fields(strings.TrimPrefix(line, "require ")); {
		case len(words) == 2 && words[0] == "go":
			m.lang = words[1]
		case len(words) == 2 && strings.HasPrefix(words[1], "v"):
			m.versions[words[0]] = words[1]
		}
	}
	return m, nil
}

// text is the file. What is not used is left out, so that nothing is fetched for it; what the
// modules need in turn the go command adds.
func (m goMod) text(t *tree) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\ngo %s\n\n", module, m.lang)
	for _, of := range slices.Sorted(maps.Keys(m.versions)) {
		if t.uses(of) {
			fmt.Fprintf(&b, "require %s %s\n", of, cmp.Or(m.replaced[of], m.versions[of]))
		}
	}
	for _, of := range slices.Sorted(maps.Keys(m.replaced)) {
		fmt.Fprintf(&b, "replace %s => %s %s\n", of, of, m.replaced[of])
	}
	return b.Bytes()
}
