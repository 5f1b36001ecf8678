package side

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

func TestForms(t *testing.T) {
	for text, want := range map[string]Side{
		"gmsm@v0.43.0":                     {Kind: Library, Name: "gmsm", Version: "v0.43.0"},
		"gmsm@0.43.0":                      {Kind: Library, Name: "gmsm", Version: "v0.43.0"},
		"gmsm@latest":                      {Kind: Library, Name: "gmsm", Version: "latest"},
		"gmsm":                             {Kind: Library, Name: "gmsm"},
		"go":                               {Kind: Toolchain, Name: "go"},
		"go@1.25.5":                        {Kind: Toolchain, Name: "go", Version: "go1.25.5"},
		"go@go1.25.5":                      {Kind: Toolchain, Name: "go", Version: "go1.25.5"},
		"openssl=/opt/my lib/libcrypto.so": {Kind: Object, Name: "openssl", Path: "/opt/my lib/libcrypto.so"},
		"./cmd/mybench":                    {Kind: Program, Package: "./cmd/mybench"},
		"/tmp/a b@c/bench":                 {Kind: Program, Package: "/tmp/a b@c/bench"},
		"../bench":                         {Kind: Program, Package: "../bench"},
		".":                                {Kind: Program, Package: "."},
		"git:main:./cmd/mybench":           {Kind: Program, Revision: "main", Package: "./cmd/mybench"},
		"git:HEAD~1:./a:b":                 {Kind: Program, Revision: "HEAD~1", Package: "./a:b"},
		"worker:python3 w.py --x=1":        {Kind: Worker, Command: "python3 w.py --x=1"},
	} {
		want.Typed = text
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]Side{
		".":                       {Kind: Tree},
		"git:v1.0~2":              {Kind: Tree, Revision: "v1.0~2"},
		"example.org/m/v2@v2.1.0": {Kind: Dependency, Name: "example.org/m/v2", Version: "v2.1.0"},
	} {
		want.Typed = text
		if got, err := ParseBench(text); err != nil || got != want {
			t.Errorf("--bench %s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

// TestMistakes: each is refused in one line, in both languages, that says what to do.
func TestMistakes(t *testing.T) {
	hold := func(text, want string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%q is taken", text)
			return
		}
		said := language.Of(err)
		if !strings.Contains(said.EN, want) || strings.Contains(said.EN, "\n") || said.ZH == said.EN {
			t.Errorf("%q: %q, %q; want %q", text, said.EN, said.ZH, want)
		}
	}
	for text, want := range map[string]string{
		"": "a side is one of: gmsm@", "gsmm@v1.0.0": "of the libraries go, xcrypto, gmsm", "gmsm@": "gmsm@v1.2.3", "go@": "go@1.26.0",
		"openssl": "openssl=/opt", "openssl=lib.so": "from / on", "cmd/mybench": "begins with ./", "worker: ": "worker:./mybench",
		"git:main": "git:main:./cmd/mybench", "git::./x": "which revision", "git:--all:./x": "which revision", "cryptogauge@v1": "one of",
	} {
		_, err := Parse(text)
		hold(text, want, err)
	}
	for text, want := range map[string]string{
		"": "with --bench", "./cmd": "with --bench", "git:": "which revision", "git:-x": "which revision", "git:main:./x": "stands before the sides",
		"gmsm@v0.44.0": "github.com/emmansun/gmsm@v0.44.0", "@v1": "with --bench",
	} {
		_, err := ParseBench(text)
		hold(text, want, err)
	}
}
