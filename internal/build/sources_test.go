package build

import (
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// needGo skips where there is no go command; a machine that tests this program has one.
func needGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not here:", err)
	}
}

// TestSourcesAreWhatAWorkerImports: neither less, or a worker does not build, nor more.
func TestSourcesAreWhatAWorkerImports(t *testing.T) {
	needGo(t)
	embedded, bytes := map[string]bool{}, 0
	err := fs.WalkDir(cryptogauge.Sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		embedded[path.Dir(name)] = true
		info, err := d.Info()
		bytes += int(info.Size())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", module + "/internal/library/bench"}
	for _, l := range subject.Bound() {
		args = append(args, module+"/internal/library/"+l.Binding)
	}
	// Platforms differ in what they import.
	needed := map[string]bool{".": true}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"} {
		goos, goarch, _ := strings.Cut(platform, "/")
		cmd := exec.Command("go", args...)
		cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range strings.Fields(string(out)) {
			if dir, ours := strings.CutPrefix(of, module+"/"); ours {
				needed[dir] = true
			}
		}
	}
	for dir := range needed {
		if !embedded[dir] {
			t.Errorf("sources.go does not embed %s, which a worker imports", dir)
		}
	}
	for dir := range embedded {
		if beside := []string{"catalog", "harness", "native", "opening"}; !needed[dir] &&
			!(path.Dir(dir) == "internal/library" && slices.Contains(beside, path.Base(dir))) { // one pattern embeds the bindings
			t.Errorf("sources.go embeds %s, which no worker imports", dir)
		}
	}
	if t.Logf("%d bytes are embedded", bytes); bytes > 6e6 {
		t.Errorf("%d bytes are embedded", bytes)
	}
}

// TestTreesLackNothing: what a tree imports of this module is in it, without tests.
func TestTreesLackNothing(t *testing.T) {
	for _, l := range subject.Bound() {
		sd, err := newSide(LibrarySpec{Name: l.Name})
		if err != nil {
			t.Fatal(l.Name, err)
		}
		for name, text := range sd.tree.files {
			if strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s: %s is a test", l.Name, name)
			}
			if path.Ext(name) != ".go" {
				continue
			}
			imports, err := importsOf(name, text)
			if err != nil {
				t.Error(err)
			}
			for _, of := range imports {
				if dir, ours := strings.CutPrefix(of, module+"/"); ours && !sd.tree.has(dir) {
					t.Errorf("%s: %s imports %s, which is not there", l.Name, name, of)
				}
			}
		}
		for _, other := range subject.Bound() {
			if has := sd.tree.has("internal/library/" + other.Binding); has != (other == l) {
				t.Errorf("%s: the binding of %s: %v", l.Name, other.Name, has)
			}
		}
	}
	if all := subject.Versioned(); !slices.Contains(all, "gmsm") || slices.Contains(all, "go") {
		t.Error("libraries with versions:", all)
	}
}
