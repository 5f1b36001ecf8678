// Package planted builds libraries with faults, for tests: Botan, as it is installed,
// with one function of it changed. What a test asks for is a macro of testdata/planted.c.
package planted

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
)

//go:embed testdata/planted.c
var source string

// Botan builds libbotan-2 with the faults that macros name, such as "PIECE=5", in a
// folder of its own, and returns its path. Without a C compiler or without the library
// the test is skipped, but fails in CI, which has both.
func Botan(t testing.TB, macros ...string) (path string) {
	t.Helper()
	real := Installed(t, "botan")
	args := []string{`-DREAL="` + real + `"`}
	for _, m := range macros {
		args = append(args, "-D"+m)
	}
	if !slices.Contains(macros, "ALONE") {
		args = append(args, "-Wl,--no-as-needed", real)
	}
	return Compile(t, "libbotan-2.so.19", source, append(args, "-ldl")...)
}

// Installed is the path of a library that the system has.
func Installed(t testing.TB, library string) string {
	t.Helper()
	all := catalog.Libraries()
	l := all[slices.IndexFunc(all, func(l catalog.Library) bool { return l.Name == library })]
	paths := l.Find()
	if len(paths) == 0 {
		missing(t, l.Missing().Error())
	}
	return paths[len(paths)-1]
}

// Compile makes a shared object of a name from C, with what the compiler is told besides.
func Compile(t testing.TB, name, source string, args ...string) (path string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		missing(t, "there is no C compiler to plant libraries with: "+err.Error())
	}
	dir := t.TempDir()
	path = filepath.Join(dir, name)
	c := filepath.Join(dir, "planted.c")
	if err := os.WriteFile(c, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(cc, append([]string{"-shared", "-fPIC", "-O1", "-o", path, c}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("compiling a planted library: %v\n%s", err, out)
	}
	return path
}

// missing ends a test that lacks something, which in CI is there.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}
