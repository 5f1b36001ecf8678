package document

import (
	"slices"
	"testing"
)

func TestWithoutFlags(t *testing.T) {
	got := WithoutFlags([]string{"verify", "--store", "sqlite:x", "--budget=5s", "--all", "f.yaml", "--store"}, "--store", "--budget")
	if want := []string{"verify", "--all", "f.yaml"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTypedFlags(t *testing.T) {
	command := []string{"run", "modes", "--sizes=1KiB,2KiB", "--quick", "--libraries", "gmsm,my lib", "--budget", "5s", "--library"}
	got := TypedFlags(command, "sizes", "libraries", "library", "quick=")
	if want := []TypedFlag{{"sizes", "1KiB,2KiB"}, {"libraries", "gmsm,my lib"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
