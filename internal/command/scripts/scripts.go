// Package scripts is what the scripts of both programs (testdata/script/*.txtar) have beside testscript's own commands:
//
//	exits CODE program args…   run a program that must end with this exit code
//	refused REGEXP args…       cryptogauge must refuse args: exit 2, one line on stderr that matches, nothing on stdout, nothing written
//	rundir VAR DIR             set VAR to the one run folder below DIR
//	cutfile FROM TO BYTES      the first bytes of a file; BYTES below 0 leaves so many off
package scripts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/command"
)

// Commands are those that are listed above.
func Commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits, "refused": refused, "rundir": rundir, "cutfile": cutfile,
	}
}

// exits runs a program to its end and holds its exit code against the one wanted.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	Usage(ts, !neg && len(args) >= 2, "exits CODE program args...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts, args[1], args[2:]...); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func exitCode(ts *testscript.TestScript, program string, args ...string) int {
	err := ts.Exec(program, args...)
	var exit *exec.ExitError
	if err == nil {
		return 0
	}
	if !errors.As(err, &exit) {
		ts.Fatalf("running %s: %v", program, err)
	}
	return exit.ExitCode()
}

// notForUsers is what a line for the user does not hold. It is no variable: the program of a script is the test
// binary, and what that does before main is held to a bound.
func notForUsers() *regexp.Regexp {
	return regexp.MustCompile(`panic|goroutine [0-9]|internal error|strconv|%!|failed to`)
}

func refused(ts *testscript.TestScript, neg bool, args []string) {
	Usage(ts, !neg && len(args) >= 1, "refused REGEXP args...")
	before := tree(ts)
	if code := exitCode(ts, "cryptogauge", args[1:]...); code != command.ExitUsage {
		ts.Fatalf("exit code %d, want %d", code, command.ExitUsage)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output holds %q", out)
	}
	line, rest, whole := strings.Cut(ts.ReadFile("stderr"), "\n")
	switch {
	case !whole || rest != "":
		ts.Fatalf("not one line on standard error")
	case !strings.HasPrefix(line, "cryptogauge: "):
		ts.Fatalf("the line does not begin with the program's name")
	case notForUsers().MatchString(line):
		ts.Fatalf("the line says %q, which is not for users", notForUsers().FindString(line))
	case !regexp.MustCompile(args[0]).MatchString(line):
		ts.Fatalf("the line does not match %s", args[0])
	}
	if after := tree(ts); !slices.Equal(before, after) {
		ts.Fatalf("something was written:\nbefore %v\nafter  %v", before, after)
	}
}

// tree lists what stands in the script's directory, with sizes and times.
func tree(ts *testscript.TestScript) (list []string) {
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		list = append(list, fmt.Sprint(path, info.Size(), info.ModTime()))
		return nil
	}))
	return list
}

// OnlyRun is the one folder in a directory.
func OnlyRun(ts *testscript.TestScript, dir string) string {
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("there are %d folders in %s, want 1: %v", len(found), dir, found)
	}
	return found[0]
}

func rundir(ts *testscript.TestScript, neg bool, args []string) {
	Usage(ts, !neg && len(args) == 2, "rundir VAR DIR")
	ts.Setenv(args[0], OnlyRun(ts, ts.MkAbs(args[1])))
}

func cutfile(ts *testscript.TestScript, neg bool, args []string) {
	Usage(ts, !neg && len(args) == 3, "cutfile FROM TO BYTES")
	data := ts.ReadFile(args[0])
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	if n < 0 {
		n += len(data)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(data[:n]), 0o644))
}

// Usage ends a script where a command is not given what it takes.
func Usage(ts *testscript.TestScript, ok bool, text string) {
	if !ok {
		ts.Fatalf("usage: %s", text)
	}
}

// Condition knows [smalldisk]: a file system of few bytes can be mounted, in a mount namespace that goes away with its
// processes. $UNSHARE enters one.
func Condition(name string) (bool, error) {
	if name != "smalldisk" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return runtime.GOOS == "linux" && exec.Command("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt").Run() == nil, nil
}
