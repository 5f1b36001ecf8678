package result

import (
	"maps"
	"testing"
)

func TestParameters(t *testing.T) {
	tests := []struct {
		p    Parameters
		want string
	}{
		{nil, ""},
		{Parameters{}, ""},
		{Parameters{"workers": "4", "chunk": "65536"}, "chunk=65536,workers=4"},
		{Parameters{"b": "", "a": "x y"}, "a=x y,b="},
		{Parameters{"a": "1", "a1": "0", "A": "2"}, "A=2,a1=0,a=1"}, // by the pair, not the key: stable is enough
	}
	for _, test := range tests {
		got := test.p.String()
		if got != test.want {
			t.Errorf("%v is %q, want %q", test.p, got, test.want)
		}
		back, err := ParseParameters(got)
		if err != nil || !maps.Equal(back, test.p) || back.String() != got {
			t.Errorf("%q reads as %v, %v", got, back, err)
		}
		for k, v := range test.p {
			if got := (Case{Parameters: got}).Parameter(k); got != v {
				t.Errorf("parameter %s is %q, want %q", k, got, v)
			}
		}
	}
	if v := (Case{Parameters: "chunk=1,workers=2"}).Parameter("work"); v != "" {
		t.Errorf("a parameter that is not set is %q", v)
	}
}

func TestParametersRefused(t *testing.T) {
	for _, s := range []string{"a", "=1", ",", "a=1,", "a=1,,b=2", "a=1=2", "a=1,a=1"} {
		if p, err := ParseParameters(s); err == nil {
			t.Errorf("%q reads as %v", s, p)
		}
	}
}

// FuzzParameters: what reads has one canonical form, which reads as the same.
func FuzzParameters(f *testing.F) {
	for _, s := range []string{"", "a=1", "b=2,a=1", "a=,b=", "a=1,a=2", "=", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseParameters(s)
		if err != nil {
			return
		}
		back, err := ParseParameters(p.String())
		if err != nil || !maps.Equal(p, back) || back.String() != p.String() {
			t.Errorf("%q is %q, which reads as %v, %v", s, p.String(), back, err)
		}
	})
}

// TestID: trials that differ in any part have different IDs.
func TestID(t *testing.T) {
	base := Trial{Subject{"gmsm", "v0", "avx2", "go", "R 1", "A=b"}, Case{"SM4", "CBC", "encrypt", 64, "a=1"}}
	if got, want := base.ID(), "SM4-CBC/encrypt/64/a=1/gmsm@v0/avx2/go/R 1/A=b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	seen := map[string]bool{base.ID(): true}
	for i, change := range []func(*Trial){
		func(t *Trial) { t.Subject.Library = "x" }, func(t *Trial) { t.Subject.Version = "x" },
		func(t *Trial) { t.Subject.Implementation = "" }, func(t *Trial) { t.Subject.CallPath = "x" },
		func(t *Trial) { t.Subject.Runtime = "x" }, func(t *Trial) { t.Subject.Environment = "" }, func(t *Trial) { t.Case.Algorithm = "x" },
		func(t *Trial) { t.Case.Mode = "" }, func(t *Trial) { t.Case.Operation = "x" },
		func(t *Trial) { t.Case.Bytes = 65 }, func(t *Trial) { t.Case.Parameters = "" },
	} {
		other := base
		change(&other)
		if seen[other.ID()] {
			t.Errorf("change %d gives %q again", i, other.ID())
		}
		seen[other.ID()] = true
	}
}

func TestShare(t *testing.T) {
	tests := []struct {
		thread, wall int64
		share        float64
		contended    bool
	}{
		{90, 100, 0.9, false}, {89, 100, 0.89, true}, {100, 100, 1, false}, {101, 100, 1, false}, {1, 0, 0, true}, {1, -5, 0, true},
	}
	for _, test := range tests {
		s := Sample{Thread: test.thread, Wall: test.wall}
		if s.Share() != test.share || s.Contended() != test.contended {
			t.Errorf("%d of %d ns: share %g, contended %v", test.thread, test.wall, s.Share(), s.Contended())
		}
	}
	longer, shorter := Sample{Thread: 9, Wall: 9}, Sample{Thread: 8, Wall: 16}
	if !longer.LessDisturbed(shorter) || shorter.LessDisturbed(longer) || longer.LessDisturbed(longer) {
		t.Error("of a round the sample counts whose thread had its CPU for more of the time, and not the shortest")
	}
}
