package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
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

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
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
		"cryptogauge-faulty":  meddled,
		"plantedlock":         plantedLock,
		"signalled":           signalled,
		"few":                 few,
	})
}

// afterAll removes what several tests share.
var afterAll = func() {}

type thenAfterAll struct{ tests *testing.M }

func (m thenAfterAll) Run() int {
	// Scripts wait about as long as they compute.
	_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))) // which -parallel overrules
	defer func() { afterAll() }()
	return m.tests.Run()
}

// TestScript runs the specification of the command line, testdata/script/*.txtar.
// Beside testscript's own commands and
// those of package scripts they have:
//
//	tinyrun DIR                the folder of a small run, made once for all scripts
//	httpserver                 PLAIN and SECURE are the URLs of a server (see httpserver_test.go)
//	noworkers                  no process that was started in this script is left; negated: there is a worker
//	pythonenv                  PYTHON is the interpreter itself, since what stands in its place may need a home, and WORKERS
//	                           the folder of workers in other languages
//	jsonreport FILE            FILE is one JSON document with the documented names (see report_names_test.go)
//	goenv                      the go command finds its caches, as it does outside of scripts, and nothing of a network; MODULE is this module
//	lastline FILE REGEXP       the file's last line must match; it is the path of a file that exists where REGEXP is "exists"
//	rows FILE WANT FIELD=…     every row of a JSON report that has the fields has WANT; there is at least one
//	                           (FIELD=VALUE, or FIELD=VALUE|VALUE: on a busy machine a row may be unstable)
//	editbaseline DIR TO KEY=VALUE…   write the one baseline in DIR, changed, as a valid baseline TO
//	cryptogauge-slowed args…   (by exec) cryptogauge, whose gmsm does four times the work (see planted_test.go)
//	cryptogauge-clocked args…  (by exec) cryptogauge, whose workers read a clock that nothing disturbs (see clocked_test.go)
//	cryptogauge-faulty args…   (by exec) cryptogauge, whose client finds something wrong with one service (see faulty_test.go)
//	cryptogauge-wrong args…    (by exec) cryptogauge-clocked, whose gmsm computes wrong outputs
//	atrate program args…       run a program that sends at a rate: it ends well, or with one line on a generator that this
//	                           machine kept from sending in time
//	few N program args…        (by exec) a program that may have N descriptors, of which it inherits only the standard streams'
//	signalled SIGNAL GLOB TEXT program args…   (by exec) run a program and signal it once a file holds TEXT
func TestScript(t *testing.T) {
	var once sync.Once
	shared := filepath.Join(t.TempDir(), "shared")
	cmds := scripts.Commands()
	maps.Copy(cmds, map[string]func(*testscript.TestScript, bool, []string){
		"goenv":        goenv,
		"lastline":     lastline,
		"pythonenv":    pythonenv,
		"editbaseline": editbaseline,
		"httpserver":   httpserver,
		"noworkers":    noworkers,
		"atrate":       atRate,
		"jsonreport":   jsonreport,
		"rows":         rows,
		"tinyrun": func(ts *testscript.TestScript, neg bool, args []string) {
			scripts.Usage(ts, !neg && len(args) == 1, "tinyrun DIR")
			once.Do(func() { makeTinyRun(ts, shared) })
			ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(scripts.OnlyRun(ts, shared))))
		},
	})
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		// A cache of its own: scripts run side by side, and each would be told of the others' measuring.
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			return nil
		},
		Cmds:      cmds,
		Condition: condition,
	})
}

// condition knows [multicpu], that goroutines can run at once, and [ownnet], that a process can have a network of its
// own.
func condition(name string) (bool, error) {
	switch name {
	case "multicpu":
		return runtime.GOMAXPROCS(0) > 1, nil
	case "ownnet":
		ports := exec.Command("unshare", "-rn", "sh", "-c", "echo 20000 20001 > /proc/sys/net/ipv4/ip_local_port_range")
		return runtime.GOOS == "linux" && ports.Run() == nil, nil
	}
	return scripts.Condition(name)
}

func goenv(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 0, "goenv")
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

func lastline(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 2, "lastline FILE REGEXP|exists")
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

func pythonenv(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 0, "pythonenv")
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	ts.Check(err)
	ts.Setenv("PYTHON", strings.TrimSpace(string(out)))
	workers, err := filepath.Abs("../../workers")
	ts.Check(err)
	ts.Setenv("WORKERS", workers)
}

// tinyArgs is a run of a second and a half: few trials, one round, the fewest
// blocks that give an interval. Its clock is one that nothing disturbs: in so short
// a run a busy moment may take every row's number.
var tinyArgs = []string{"run", "modes", "--algorithms", "SM4", "--modes", "ECB,CBC,GCM", "--libraries", "gmsm,tjfoc",
	"--sizes", "1KiB", "--blocks", "8", "--rounds", "1", "--seed", "7", "--quiet"}

func makeTinyRun(ts *testscript.TestScript, dir string) {
	cmd := exec.Command("cryptogauge-clocked", append(tinyArgs, "--output", dir)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("making the small run: %v\n%s", err, out)
	}
}

// atRate asks nothing of a busy machine: a stall of a millisecond is 1 % of a tenth of a second.
func atRate(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) > 0, "atrate program args...")
	err := ts.Exec(args[0], args[1:]...)
	switch said := strings.TrimSpace(ts.ReadFile("stderr")); said {
	case "":
		ts.Check(err)
	case "cryptogauge: the generator did not keep its schedule: there are no latencies", "cryptogauge: the rate was not reached":
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != command.ExitInconclusive {
			ts.Fatalf("%q, and it ends with: %v", said, err)
		}
	default:
		ts.Fatalf("%v: %s", err, said)
	}
}

// noworkers waits for the workers to go: they end by themselves, moments after
// their laboratory did. They inherit the directory that the script works in.
func noworkers(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, len(args) == 0, "[!] noworkers")
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

// few is a program for the scripts: it becomes another program, which can open so many descriptors and has none that
// this one was started with but the standard streams'.
func few() {
	n, err := strconv.ParseUint(os.Args[1], 10, 64)
	program, errFound := exec.LookPath(os.Args[2])
	open, errRead := os.ReadDir("/proc/self/fd")
	err = errors.Join(err, errFound, errRead)
	for _, entry := range open {
		if fd, _ := strconv.Atoi(entry.Name()); fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: n})
	}
	if err == nil {
		err = syscall.Exec(program, os.Args[2:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "few:", err)
	os.Exit(99)
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
