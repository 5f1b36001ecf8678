package build

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// userTree is a module in git below a path with a space, which takes a package from beside it. Nothing of it
// needs a network. It returns the module's directory and that of the cache.
func userTree(t *testing.T) (dir, cache string) {
	t.Helper()
	needGo(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here:", err)
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // they lie where they lay, whatever the home is
		where, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, strings.TrimSpace(string(where)))
	}
	root := filepath.Join(t.TempDir(), "my work")
	dir, cache = filepath.Join(root, "prog"), filepath.Join(root, "cache")
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-tags=quick")
	for name, text := range map[string]string{
		"dep/go.mod":             "module example.org/dep\n\ngo 1.25\n",
		"dep/f.go":               "package dep\n\nconst Name = \"beside\"\n",
		"prog/go.mod":            "module example.org/prog\n\ngo 1.25\n\nrequire example.org/dep v0.0.0\n\nreplace example.org/dep => ../dep\n",
		"prog/cmd/x/main.go":     "package main\n\nimport (\n\t\"example.org/dep\"\n\t\"os\"\n)\n\nfunc main() { os.Stdout.WriteString(\"old \" + dep.Name) }\n",
		"prog/cmd/broken/b.go":   "package main\n\nfunc main() { missing() }\n",
		"prog/plain/plain.go":    "package plain\n",
		"prog/newer/go.mod":      "module example.org/newer\n\ngo 9.99\n",
		"prog/newer/newer.go":    "package main\n\nfunc main() {}\n",
		"prog/nothing/readme.md": "nothing\n",
	} {
		put(t, filepath.Join(root, name), text)
	}
	asGit(t, dir, "init", "--quiet")
	asGit(t, dir, "add", "--all")
	asGit(t, dir, "commit", "--quiet", "--message=first")
	return dir, cache
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func asGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", args, err, out)
	}
	return string(out)
}

// untouched holds that a build left nothing in the cache's workplaces, nor in what git knows.
func untouched(t *testing.T, dir, cache string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Join(cache, "cryptogauge", "work"))
	if err != nil || len(left) > 0 {
		t.Errorf("left in the cache: %v, %v", left, err)
	}
	if trees := asGit(t, dir, "worktree", "list", "--porcelain"); strings.Count(trees, "worktree ") != 1 {
		t.Errorf("left in git: %s", trees)
	}
}

func notesOf(b Built) string {
	var all []string
	for _, n := range b.Notes {
		all = append(all, n.EN)
	}
	return strings.Join(all, "\n")
}

// TestProgram builds the tree as it is and its first revision, beside each other.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir, cache := userTree(t)
	main := filepath.Join(dir, "cmd/x/main.go")
	text, err := os.ReadFile(main)
	if err != nil {
		t.Fatal(err)
	}
	put(t, main, strings.Replace(string(text), "old ", "new ", 1))
	asGit(t, dir, "checkout", "--quiet", "--detach")
	for _, c := range []struct{ revision, prints, says string }{
		{"", "new beside", "not committed"},
		{"", "new beside", "HEAD is detached"},
		{"HEAD", "old beside", "as it is now, and not as it was at HEAD"},
		{"HEAD", "old beside", "GOFLAGS=-tags=quick is in effect"},
		{"HEAD", "old beside", "go.mod replaces example.org/dep => ../dep"},
	} {
		b, err := Program(t.Context(), Spec{Dir: dir, Revision: c.revision, Package: "./cmd/x"})
		if err != nil {
			t.Fatal(c.revision, err)
		}
		out, err := exec.Command(b.Program).Output()
		if err != nil || string(out) != c.prints {
			t.Errorf("%q: %s, %v", c.revision, out, err)
		}
		if notes := notesOf(b); !strings.Contains(notes, c.says) {
			t.Errorf("%q: nothing of %q in %s", c.revision, c.says, notes)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	untouched(t, dir, cache)
	if status := asGit(t, dir, "status", "--porcelain"); status != " M cmd/x/main.go\n" {
		t.Errorf("the user's tree is changed: %s", status)
	}
}

// TestMistakes: each has one line that says what to do, in two languages, and leaves nothing.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	dir, cache := userTree(t)
	t.Setenv("GOTOOLCHAIN", "local")
	for _, c := range []struct{ dir, revision, pkg, require, want string }{
		{dir, "nosuch", "./cmd/x", "", "there is no revision nosuch"},
		{dir, "", "./cmd/nosuch", "", "no package that can be built"},
		{dir, "", "./nothing", "", "no package that can be built"},
		{dir, "", "./cmd/...", "", "names several packages"},
		{dir, "", "./plain", "", "plain has no tests"},
		{dir, "", "./plain", "example.org/dep", "no module in a version"},
		{dir, "", "./plain", "example.org/dep@v1.0.0", "not in the module cache"},
		{filepath.Join(dir, "newer"), "", ".", "", "needs a newer Go"},
		{filepath.Dir(dir), "", ".", "", "in no Go module"},
		{filepath.Join(dir, "absent"), "", ".", "", "is no directory"},
		{filepath.Dir(dir), "HEAD", ".", "", "in no git repository"},
	} {
		b, err := Tests(t.Context(), Spec{Dir: c.dir, Revision: c.revision, Package: c.pkg, Require: c.require})
		var mistake *UsageError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %T %v", c, err, err)
		}
		if err == nil {
			t.Error(b.Close())
			continue
		}
		if said := language.Of(err); said.ZH == said.EN {
			t.Errorf("%+v: no Chinese: %s", c, said.ZH)
		}
	}
	var wrong *CompileError
	if _, err := Program(t.Context(), Spec{Dir: dir, Package: "./cmd/broken"}); !errors.As(err, &wrong) || !strings.Contains(wrong.Output, "b.go:3:15: undefined: missing") {
		t.Errorf("%T %v", err, err)
	}
	for pkg, want := range map[string]string{"./plain": "no program", "./cmd/broken/b.go": "worker:./cmd/broken/b.go"} {
		if _, err := Program(t.Context(), Spec{Dir: dir, Package: pkg}); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
	_, err := Program(t.Context(), Spec{Dir: dir, Revision: "HEAD", Package: "./nosuch"})
	if err == nil || strings.Contains(err.Error(), cache) || !strings.Contains(err.Error(), "stat ./nosuch: directory not found") {
		t.Errorf("a directory of the cache is named: %v", err)
	}
	untouched(t, dir, cache)
}

// TestInterrupted ends a build while the go command runs, which takes its time here.
func TestInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the go command is exchanged for a shell's script")
	}
	dir, cache := userTree(t)
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	put(t, filepath.Join(bin, "go"), "#!/bin/sh\n: > '"+started+"'\nexec sleep 600\n")
	if err := os.Chmod(filepath.Join(bin, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(started); err == nil || t.Context().Err() != nil {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if _, err := Program(ctx, Spec{Dir: dir, Revision: "HEAD", Package: "./cmd/x"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	untouched(t, dir, cache)
}

// TestKilled: what a process left that was killed the next one removes, from the cache and from what git knows;
// work trees of the user's own stay, also where their directory is not there.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	dir, cache := userTree(t)
	own := filepath.Join(filepath.Dir(dir), "own")
	asGit(t, dir, "worktree", "add", "--quiet", "--detach", own)
	if err := os.RemoveAll(own); err != nil {
		t.Fatal(err)
	}
	b, err := Program(t.Context(), Spec{Dir: dir, Package: "./cmd/x"})
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(cache, "cryptogauge", "work", "killed")
	put(t, filepath.Join(left, owner), "")
	asGit(t, dir, "worktree", "add", "--quiet", "--detach", filepath.Join(left, "tree"))
	second, err := Program(t.Context(), Spec{Dir: dir, Revision: "HEAD", Package: "./cmd/x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("a dead process's workplace is still there")
	}
	if _, err := os.Stat(b.Program); err != nil {
		t.Error("a program in use was removed:", err)
	}
	for _, b := range []Built{b, second} {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if trees := asGit(t, dir, "worktree", "list", "--porcelain"); strings.Count(trees, "worktree ") != 2 || !strings.Contains(trees, own) {
		t.Errorf("git knows of: %s", trees)
	}
}

// TestOfDependency builds the tests of a package of a dependency, in two versions, where there is no module.
func TestOfDependency(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several modules")
	}
	dir, cache := userTree(t)
	proxy := filepath.Join(filepath.Dir(dir), "proxy")
	for _, version := range []string{"v1.0.0", "v1.1.0"} {
		serve(t, proxy, "example.org/lib", version, map[string]string{
			"go.mod":       "module example.org/lib\n\ngo 1.25\n",
			"in/in.go":     "package in\n\nconst Version = \"" + version + "\"\n",
			"in/a_test.go": "package in\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { os.Stdout.WriteString(Version) }\n",
			"no/no.go":     "package no\n",
		})
	}
	serve(t, proxy, "example.org/lib", "v1.2.0", map[string]string{"go.mod": "module example.org/lib\n\ngo 9.99\n", "in/in.go": "package in\n"})
	serve(t, proxy, "example.org/lib", "v1.3.0", map[string]string{
		"go.mod": "module example.org/lib\n\ngo 1.25\n", "in/in.go": "package in\n\nvar _ = nothing\n", "in/a_test.go": "package in\n"})
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(strings.ReplaceAll(proxy, " ", "%20")))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", filepath.Join(filepath.Dir(dir), "mod"))
	outside := t.TempDir()
	for _, version := range []string{"v1.0.0", "v1.1.0"} {
		b, err := Tests(t.Context(), Spec{Dir: outside, Package: "example.org/lib/in", Require: "example.org/lib@" + version})
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(b.Program).Output(); err != nil || string(out) != version {
			t.Errorf("%s: %s, %v", version, out, err)
		}
		if _, err := os.Stat(filepath.Join(b.Dir, "a_test.go")); err != nil {
			t.Error("where its data lies:", err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	for pkg, want := range map[string]string{
		"example.org/lib/no": "no@v1.0.0 has no tests", "example.org/lib/absent": "no package that can be built", "example.org/lib": "no package that can be built",
	} {
		var mistake *UsageError
		if _, err := Tests(t.Context(), Spec{Dir: outside, Package: pkg, Require: "example.org/lib@v1.0.0"}); !errors.As(err, &mistake) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pkg, err)
		}
	}
	for version, want := range map[string]string{
		"v9.0.0": "there is no example.org/lib@v9.0.0", "v1.2.0": "example.org/lib@v1.2.0 needs a newer Go", "v1.3.0": "example.org/lib/in@v1.3.0 does not build",
	} {
		_, err := Tests(t.Context(), Spec{Dir: outside, Package: "example.org/lib/in", Require: "example.org/lib@" + version})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", version, err)
		}
	}
	untouched(t, dir, cache)
}

// TestWithoutReplacements: a version that is asked for is measured, whichever versions of it go.mod replaces; what
// replaces other modules stays.
func TestWithoutReplacements(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	dir, cache := userTree(t)
	proxy := filepath.Join(filepath.Dir(dir), "proxy")
	for _, version := range []string{"v1.0.0", "v1.1.0"} {
		serve(t, proxy, "example.org/lib", version, map[string]string{
			"go.mod": "module example.org/lib\n\ngo 1.25\n", "lib.go": "package lib\n\nconst Version = \"" + version + "\"\n"})
	}
	put(t, filepath.Join(dir, "../lib/go.mod"), "module example.org/lib\n\ngo 1.25\n")
	put(t, filepath.Join(dir, "../lib/lib.go"), "package lib\n\nconst Version = \"replaced\"\n")
	put(t, filepath.Join(dir, "plain/a_test.go"), "package plain\n\nimport (\n\t\"example.org/dep\"\n\t\"example.org/lib\"\n\t\"os\"\n\t\"testing\"\n)\n\n"+
		"func TestMain(*testing.M) { os.Stdout.WriteString(lib.Version + \" \" + dep.Name) }\n")
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(strings.ReplaceAll(proxy, " ", "%20")))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", filepath.Join(filepath.Dir(dir), "mod"))
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, directives := range [][]string{
		{"example.org/lib => ../lib"},
		{"example.org/lib v1.1.0 => ../lib"},
		{"example.org/lib v1.0.0 => ../lib", "example.org/lib v1.1.0 => ../lib", "example.org/lib => ../lib"},
	} {
		of := "\nrequire example.org/lib v1.0.0\n\nreplace (\n\t" + strings.Join(directives, "\n\t") + "\n)\n"
		put(t, filepath.Join(dir, "go.mod"), string(text)+of)
		b, err := Tests(t.Context(), Spec{Dir: dir, Package: "./plain", Require: "example.org/lib@v1.1.0"})
		if err != nil {
			t.Fatal(directives, err)
		}
		if out, err := exec.Command(b.Program).Output(); err != nil || string(out) != "v1.1.0 beside" {
			t.Errorf("%q: %s, %v", directives, out, err)
		}
		notes := notesOf(b)
		if n := strings.Count(notes, "without go.mod's replacement"); n != len(directives) {
			t.Errorf("%q: %d notes: %s", directives, n, notes)
		}
		for _, r := range directives {
			if !strings.Contains(notes, "without go.mod's replacement "+r) {
				t.Errorf("%q: nothing of %q in %s", directives, r, notes)
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	untouched(t, dir, cache)
}

// serve puts a version of a module where a proxy of files has it.
func serve(t *testing.T, proxy, module, version string, files map[string]string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v", version)
	put(t, at+".info", `{"Version":"`+version+`"}`)
	put(t, at+".mod", files["go.mod"])
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		f, err := z.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, at+".zip", b.String())
}

// TestToolchainNotThere: that there is none is said where a proxy said so, and not where none was asked.
func TestToolchainNotThere(t *testing.T) {
	needGo(t)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOSUMDB", "off")
	nothing := "file://" + filepath.ToSlash(t.TempDir())
	for proxy, want := range map[string]string{
		"off":     "go1.25.99 is not in the module cache and can't be fetched (GOPROXY=off)",
		nothing:   "there is no toolchain go1.25.99",
		",direct": "can't be fetched (GOPROXY=,direct)",
	} {
		t.Setenv("GOPROXY", proxy)
		if _, err := newGo(t.Context(), t.TempDir(), "go1.25.99"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("GOPROXY=%s: %v; want %q", proxy, err, want)
		}
	}
	_, err := Library(t.Context(), LibrarySpec{Name: "go", Toolchain: "go1.24.1"})
	if err == nil || !strings.Contains(err.Error(), "go1.24.1 is too old to be measured: "+OldestGo) || language.Of(err).ZH == err.Error() {
		t.Errorf("%v", err)
	}
}

// TestInEffect: of the user's flags those are said that may change a figure.
func TestInEffect(t *testing.T) {
	for flags, want := range map[string]string{"-trimpath -buildvcs=false -mod=mod": "", "-trimpath -tags=purego": "GOFLAGS=-tags=purego is in effect"} {
		got := ""
		for _, n := range inEffect(&goCommand{is: map[string]string{"GOFLAGS": flags}}) {
			got += n.EN
		}
		if got != want {
			t.Errorf("%s: %q, want %q", flags, got, want)
		}
	}
}

// TestExplained: who is refused something is not told that it is not there.
func TestExplained(t *testing.T) {
	for said, want := range map[string]string{
		"go: golang.org/toolchain@v0.0.1-go1.99.0: reading https://proxy: 403 Forbidden": "the module proxy refuses x",
		"go: m@v1: reading https://proxy/m: 404 Not Found":                               "there is no x",
		"go: m@v1: invalid version: unknown revision v1":                                 "there is no x",
		"go: m@v1: module lookup disabled by GOPROXY=off":                                "can't be fetched",
		"fatal: unable to access: Could not resolve host: github.com":                    "can't be fetched",
	} {
		if err := explain("x", &failure{said, errors.New("exit status 1")}); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", said, err)
		}
	}
}

// TestWithoutGo: whoever has no Go is told so.
func TestWithoutGo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	if _, err := Library(t.Context(), LibrarySpec{Name: "gmsm", Version: "v0.43.0"}); err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Error(err)
	}
}
