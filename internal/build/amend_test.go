package build

import (
	"fmt"
	"strings"
	"testing"
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
