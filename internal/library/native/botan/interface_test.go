//go:build linux && (amd64 || arm64)

package botan

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/library/native/planted"
)

// newer are the functions that are called where a version has them.
var newer = []string{"botan_cipher_get_ideal_update_granularity", "botan_error_last_exception_message"}

// TestEveryVersion: each function that is called is known to be in every version, or to
// be in newer ones; and the installed library lacks none.
func TestEveryVersion(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	name := regexp.MustCompile(`"(botan_[a-z0-9_]+[a-z0-9])"`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range name.FindAllStringSubmatch(string(source), -1) {
			if !slices.Contains(everyVersion, m[1]) && !slices.Contains(newer, m[1]) {
				t.Errorf("%s calls %s, which is in no list", file, m[1])
			}
		}
	}
	for _, test := range []struct {
		path string
		want int
	}{{planted.Installed(t, "botan"), 0}, {planted.Botan(t, "ALONE", "ONLY_REQUIRED"), len(everyVersion) - 6}} {
		o, err := object.Open(test.path)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Open(o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Lacks(); len(got) != test.want {
			t.Errorf("%s lacks %d functions, not %d: %v", test.path, len(got), test.want, got)
		}
	}
}
