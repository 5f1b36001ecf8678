package plan

import (
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/result"
)

func TestWithVersions(t *testing.T) {
	trial := func(library, version, path string, bytes int64) Trial {
		return Trial{Trial: result.Trial{Subject: result.Subject{Library: library, Version: version, CallPath: path},
			Case: result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: bytes}}}
	}
	g := Group{Trials: []Trial{
		trial("go", "1", "go", 16), trial("openssl", "3", "cgo", 16), trial("openssl", "3", "c-loop", 16),
		trial("openssl", "4", "cgo", 16), trial("openssl", "4", "c-loop", 16), trial("openssl", "4", "cgo", 64),
		trial("openssl", "5", "cgo", 16), trial("botan", "3", "cgo", 16), trial("go", "2", "go", 16)},
		Pairs: []result.Pair{{Base: 1, Other: 6, Headline: true}}}
	got := WithVersions([]Group{g})[0].Pairs
	want := []result.Pair{{Base: 1, Other: 6, Headline: true}, {Base: 1, Other: 3}, {Base: 2, Other: 4}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(g.Pairs) != 1 {
		t.Error("the plan that was given has changed")
	}
}
