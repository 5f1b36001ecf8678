package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
)

// TestScript runs the specification of the verbs of this program, testdata/script/*.txtar, as users run them:
// as verbs of cryptogauge, built, with this program beside it.
func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs, and takes a minute")
	}
	programs := t.TempDir()
	for _, name := range []string{"cryptogauge", "cryptogauge-store"} {
		build := exec.Command("go", "build", "-o", filepath.Join(programs, name), "../"+name)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", name, err, out)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PROGRAMS", programs)
			env.Setenv("PATH", programs+string(filepath.ListSeparator)+env.Getenv("PATH"))
			for _, name := range []string{"XDG_CACHE_HOME", "XDG_DATA_HOME"} {
				env.Setenv(name, filepath.Join(env.WorkDir, "."+strings.ToLower(name)))
			}
			return nil
		},
		Cmds: withServer(withRuns(t, withObjects(scripts.Commands()))),
		Condition: func(name string) (bool, error) {
			if name == "postgres" {
				return archivetest.Installed(), nil
			}
			return scripts.Condition(name)
		},
	})
}
