package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain puts the program into the scripts' PATH: a copy of this test binary
// under the name cryptogauge, which therefore finds itself when it starts its
// workers.
func TestMain(m *testing.M) {
	testscript.Main(thenAfterAll{m}, map[string]func(){
		"cryptogauge":         main,
		"cryptogauge-slowed":  slowed,
		"cryptogauge-wrong":   wrong,
		"cryptogauge-clocked": clocked,
		"plantedlock":         plantedLock,
		"signalled":           signalled,
	})
}

// afterAll removes what several tests share.
var afterAll = func() {}

type thenAfterAll struct{ tests *testing.M }

func (m thenAfterAll) Run() int {
	defer func() { afterAll() }()
	return m.tests.Run()
}

// TestScript runs the specification of the command line, testdata/script/*.txtar.
// Beside testscript's own commands the scripts have:
//
//	exits CODE program args…   run a program that must end with this exit code
//	goenv                      the go command finds its caches, as it does outside of scripts, and nothing of a network; MODULE is this module
//	refused REGEXP args…       cryptogauge must refuse args: exit 2, one line on stderr that matches, nothing on stdout, nothing written
//	tinyrun DIR                the folder of a small run, made once for all scripts
//	httpserver                 PLAIN and SECURE are the URLs of a server (see httpserver_test.go)
//	rundir VAR DIR             set VAR to the one run folder below DIR
//	lastline FILE REGEXP       the file's last line must match; it is the path of a file that exists where REGEXP is "exists"
//	cutfile FROM TO BYTES      the first bytes of a file; BYTES below 0 leaves so many off
//	noworkers                  no process that was started in this script is left; negated: there is a worker
//	pythonenv                  PYTHON is the interpreter itself, since what stands in its place may need a home, and WORKERS
//	                           the folder of workers in other languages
//	jsonreport FILE            FILE is one JSON document with the documented names (see report_names_test.go)
//	rows FILE WANT FIELD=…     every row of a JSON report that has the fields has WANT; there is at least one
//	                           (FIELD=VALUE, or FIELD=VALUE|VALUE: on a busy machine a row may be unstable)
//	editbaseline DIR TO KEY=VALUE…   write the one baseline in DIR, changed, as a valid baseline TO
//	cryptogauge-slowed args…   (by exec) cryptogauge, whose gmsm does four times the work (see planted_test.go)
//	cryptogauge-clocked args…  (by exec) cryptogauge, whose workers read a clock that nothing disturbs (see clocked_test.go)
//	cryptogauge-wrong args…    (by exec) cryptogauge, whose gmsm computes wrong outputs
//	signalled SIGNAL GLOB TEXT program args…   (by exec) run a program and signal it once a file holds TEXT
func TestScript(t *testing.T) {
	var once sync.Once
	shared := filepath.Join(t.TempDir(), "shared")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		// A cache of its own: scripts run side by side, and each would be told of the others' measuring.
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":        exits,
			"goenv":        goenv,
			"pythonenv":    pythonenv,
			"editbaseline": editbaseline,
			"refused":      refused,
			"httpserver":   httpserver,
			"rundir":       rundir,
			"lastline":     lastline,
			"cutfile":      cutfile,
			"noworkers":    noworkers,
			"jsonreport":   jsonreport,
			"rows":         rows,
			"tinyrun": func(ts *testscript.TestScript, neg bool, args []string) {
				usage(ts, !neg && len(args) == 1, "tinyrun DIR")
				once.Do(func() { makeTinyRun(ts, shared) })
				ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(onlyRun(ts, shared))))
			},
		},
		Condition: condition,
	})
}

func usage(ts *testscript.TestScript, ok bool, text string) {
	if !ok {
		ts.Fatalf("usage: %s", text)
	}
}

// condition knows [multicpu], that goroutines can run at once, and [smalldisk]: a file system of few bytes can be mounted, in a
// mount namespace that goes away with its processes. $UNSHARE enters one.
func condition(name string) (bool, error) {
	switch name {
	case "multicpu":
		return runtime.GOMAXPROCS(0) > 1, nil
	case "smalldisk":
	default:
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return runtime.GOOS == "linux" && exec.Command("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt").Run() == nil, nil
}

func goenv(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 0, "goenv")
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		ts.Check(err)
		ts.Setenv(name, strings.TrimSpace(string(out)))
	}
	module, err := filepath.Abs("../..")
	ts.Check(err)
	ts.Setenv("MODULE", module)
	ts.Setenv("GOFLAGS", "")
	ts.Setenv("GOPROXY", "off")
	ts.Setenv("GOTOOLCHAIN", "local")
}

func pythonenv(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 0, "pythonenv")
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	ts.Check(err)
	ts.Setenv("PYTHON", strings.TrimSpace(string(out)))
	workers, err := filepath.Abs("../../workers")
	ts.Check(err)
	ts.Setenv("WORKERS", workers)
}

// exits runs a program to its end and holds its exit code against the one wanted.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2, "exits CODE program args...")
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

// notForUsers is what a line for the user does not hold.
var notForUsers = regexp.MustCompile(`panic|goroutine [0-9]|internal error|strconv|%!|failed to`)

func refused(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 1, "refused REGEXP args...")
	before := tree(ts)
	if code := exitCode(ts, "cryptogauge", args[1:]...); code != exitUsage {
		ts.Fatalf("exit code %d, want %d", code, exitUsage)
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
	case notForUsers.MatchString(line):
		ts.Fatalf("the line says %q, which is not for users", notForUsers.FindString(line))
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

// tinyArgs is a run of a second and a half: few trials, one round, the fewest
// blocks that give an interval.
var tinyArgs = []string{"run", "modes", "--algorithms", "SM4", "--modes", "ECB,CBC,GCM", "--libraries", "gmsm,tjfoc",
	"--sizes", "1KiB", "--blocks", "8", "--rounds", "1", "--seed", "7", "--quiet"}

func makeTinyRun(ts *testscript.TestScript, dir string) {
	cmd := exec.Command("cryptogauge", append(tinyArgs, "--output", dir)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("making the small run: %v\n%s", err, out)
	}
}

func onlyRun(ts *testscript.TestScript, dir string) string {
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("there are %d folders in %s, want 1: %v", len(found), dir, found)
	}
	return found[0]
}

func rundir(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "rundir VAR DIR")
	ts.Setenv(args[0], onlyRun(ts, ts.MkAbs(args[1])))
}

func lastline(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "lastline FILE REGEXP|exists")
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	last := lines[len(lines)-1]
	if args[1] == "exists" {
		info, err := os.Stat(ts.MkAbs(last))
		ts.Check(err)
		if !info.Mode().IsRegular() || info.Size() == 0 {
			ts.Fatalf("%s is no file, or is empty", last)
		}
		return
	}
	if !regexp.MustCompile(args[1]).MatchString(last) {
		ts.Fatalf("the last line is %q and does not match %s", last, args[1])
	}
}

func cutfile(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 3, "cutfile FROM TO BYTES")
	data := ts.ReadFile(args[0])
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	if n < 0 {
		n += len(data)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(data[:n]), 0o644))
}

// noworkers waits for the workers to go: they end by themselves, moments after
// their laboratory did. They inherit the directory that the script works in.
func noworkers(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, len(args) == 0, "[!] noworkers")
	if runtime.GOOS != "linux" {
		return
	}
	var left []string
	for begun := time.Now(); time.Since(begun) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		left = processesIn(ts.MkAbs("."))
		isWorker := func(command string) bool { return strings.HasSuffix(command, "cryptogauge worker") }
		if neg && slices.ContainsFunc(left, isWorker) || !neg && len(left) == 0 {
			return
		}
	}
	ts.Fatalf("processes of this script: %v", left)
}

func processesIn(dir string) (found []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if cwd, err := os.Readlink(link); err == nil && cwd == dir {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
			if name = bytes.TrimRight(name, "\x00"); len(name) > 0 { // a zombie has none
				found = append(found, string(bytes.ReplaceAll(name, []byte{0}, []byte{' '})))
			}
		}
	}
	return found
}

// signalled is a program for the scripts: it starts another program, sends it a
// signal once a file that matches a pattern holds a text, and ends as it did.
func signalled() {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintln(os.Stderr, "signalled:", p)
			os.Exit(99)
		}
	}()
	// A Ctrl-C in the test's own terminal is not for this one. It is caught and not ignored, since the other
	// program would go on to ignore it.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	number, glob, text := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}[os.Args[1]], os.Args[2], os.Args[3]
	cmd := exec.Command(os.Args[4], os.Args[5:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	go func() {
		for !holds(glob, text) {
			time.Sleep(5 * time.Millisecond)
		}
		_ = cmd.Process.Signal(number)
	}()
	_ = cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		os.Exit(128 + int(status.Signal()))
	}
	os.Exit(status.ExitStatus())
}

func holds(glob, text string) bool {
	files, _ := filepath.Glob(glob)
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}
