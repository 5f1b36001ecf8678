package main

import (
	"slices"
	"testing"
)

// TestAsked: what a trial sets in GODEBUG takes nothing of the user's away.
func TestAsked(t *testing.T) {
	for _, test := range []struct {
		before, environment string
		want                []string
	}{
		{"", "", nil},
		{"", "GODEBUG=cryptocustomrand=1 GOGC=50", []string{"GODEBUG=cryptocustomrand=1", "GOGC=50"}},
		{"fips140=only", "GODEBUG=cryptocustomrand=1 GOGC=50", []string{"GODEBUG=fips140=only,cryptocustomrand=1", "GOGC=50"}},
	} {
		t.Setenv("GODEBUG", test.before)
		if got := asked(test.environment); !slices.Equal(got, test.want) {
			t.Errorf("%q over %q: %q, want %q", test.environment, test.before, got, test.want)
		}
	}
}
