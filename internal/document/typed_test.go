package document

import (
	"slices"
	"testing"
)

func TestTypedFlags(t *testing.T) {
	command := []string{"run", "modes", "--sizes=1KiB,2KiB", "--quick", "--libraries", "gmsm,my lib", "--budget", "5s", "--library"}
	got := TypedFlags(command, "sizes", "libraries", "library", "quick=")
	if want := []TypedFlag{{"sizes", "1KiB,2KiB"}, {"libraries", "gmsm,my lib"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
