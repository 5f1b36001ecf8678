// Package deploy_test holds the files for clusters to what they say: every command in them runs, Kubernetes' files are
// what its published schemas have, and Slurm's are run on a cluster of one node.
package deploy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
)

// folder is where the two static programs are, as the image has them, once something has asked for them.
var folder string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "deploy"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	return archivetest.Main(m)
}

// build builds the two programs, once.
var build = sync.OnceValue(func() error {
	for _, name := range []string{"cryptogauge", "cryptogauge-store"} {
		build := exec.Command("go", "build", "-o", filepath.Join(folder, name), "../cmd/"+name)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	return nil
})

// programs gives the folder of the two programs.
func programs(t *testing.T) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// need gives the path of a program that a test starts. Where it is not installed the test is skipped, and says what to
// install; with CI=true it fails.
func need(t *testing.T, program, packages string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + program) // not in everyone's PATH
	}
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		t.Fatalf("%s is not installed (%s)", program, packages)
	}
	t.Skipf("%s is not installed (%s)", program, packages)
	return ""
}

// cryptogauge runs the program with variables beside this process's, and gives what it prints.
func cryptogauge(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs(t), "cryptogauge"), args...)
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cryptogauge %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// tree makes a folder of files.
func tree(t *testing.T, dir string) {
	t.Helper()
	for i := range 40 {
		name := filepath.Join(dir, fmt.Sprintf("d%d", i%3), fmt.Sprintf("f%d", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, slices.Repeat([]byte{byte(i)}, 1000*i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
