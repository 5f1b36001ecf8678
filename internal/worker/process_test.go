package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// patience is the deadline of calls that should succeed. It is for a machine
// that is busy with something else; nothing here waits for it to pass.
const patience = 30 * time.Second

// start starts this binary as a worker and greets it. When the test ends the
// worker must be gone.
func start(t *testing.T, kind string, env ...string) *Process {
	t.Helper()
	p, err := Start(Command{Path: os.Args[0], Env: append(os.Environ(), append(env, workerVariable+"="+kind)...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	hello, err := p.Hello(patient(t), provider.Setting{Seed: 7}, -1)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(hello.Libraries[0].Library)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(); gone(t, pid) })
	return p
}

func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// gone says that a process is neither alive nor a zombie. What init adopts is
// given a moment to be reaped by it.
func gone(t *testing.T, pid int) {
	t.Helper()
	var state []byte
	for range 200 {
		if err := syscall.Kill(pid, 0); err == syscall.ESRCH {
			return
		}
		var err error
		if state, err = os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && adoptedZombie(string(state)) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there: %s", pid, state)
}

// adoptedZombie: in a container the first process may reap nobody. A dead
// process that is not ours is none of our business.
func adoptedZombie(stat string) bool {
	_, rest, _ := strings.Cut(stat, ") ")
	f := strings.Fields(rest)
	return len(f) > 1 && f[0] == "Z" && f[1] != strconv.Itoa(os.Getpid())
}

func trial(mode string) result.Trial {
	return result.Trial{Subject: plantSubject, Case: result.Case{Algorithm: "SHA-256", Mode: mode, Operation: "digest", Bytes: 64}}
}

// through takes a trial through a whole block and returns the first error and
// the verb it came from.
func through(ctx context.Context, p *Process, t result.Trial) (verb string, err error) {
	if _, err = p.Open(ctx, 1, t, 0, ""); err != nil {
		return "open", err
	}
	ready, err := p.Ready(ctx, 1, 0, 100*time.Microsecond)
	if err != nil {
		return "ready", err
	}
	for range 3 {
		if _, err = p.Run(ctx, 1, ready.Calls); err != nil {
			return "run", err
		}
	}
	if err = p.Check(ctx, 1); err != nil {
		return "check", err
	}
	return "close", p.Close(ctx, 1)
}

// TestPlanted takes libraries that misbehave in every way through a block in a
// real child process. A fault leaves the worker usable, a death does not.
func TestPlanted(t *testing.T) {
	tests := []struct {
		mode, verb string
		kind       string // of the fault; "died" for a dead worker, "" for none
		reason     string // a regular expression for all of it
	}{
		{"", "close", "", ""},
		{"panic in Open", "open", Failed, `the library panicked: planted in two lines`},
		{"absent", "open", Absent, `planted has no such thing`},
		{"unsupported", "open", Unsupported, `not on this CPU`},
		{"error in Open", "open", Failed, `one two`},
		{"exit in Open", "open", "died", `it ended with exit status 4`},
		{"exits", "ready", "died", `it ended with exit status 3`},
		{"exits happily", "ready", "died", `it ended with exit status 0, without an answer`},
		{"panics", "ready", Failed, `the library panicked: planted in two lines`},
		{"panics elsewhere", "ready", "died", `it ended with exit status 2: panic: planted in a goroutine`},
		{"fails", "ready", Failed, `planted error`},
		{"prints garbage", "ready", "died", `it answered nonsense: "INFO: planted library initialised"; it was killed`},
		{"prints half", "ready", "died", `it ended with exit status 3`},
		{"does nothing", "ready", Incorrect, `the output is wrong: here and there`},
		{"wrong later", "check", Incorrect, `the output is wrong: here and there`},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			p := start(t, "bench")
			verb, err := through(patient(t), p, trial(test.mode))
			judge(t, verb, err, test.verb, test.kind, test.reason)
			_, after := through(patient(t), p, result.Trial{Subject: plantSubject, Case: result.Case{Mode: "again"}})
			if test.kind == "died" {
				if after != err {
					t.Errorf("a dead worker answers: %v", after)
				}
			} else if f := fault(after); after != nil && (f == nil || f.Text != "handle 1 is in use") {
				t.Errorf("after a fault: %v", after)
			}
		})
	}
}

func fault(err error) *Fault {
	var f *Fault
	errors.As(err, &f)
	return f
}

// judge compares a verb and its error with what they should be.
func judge(t *testing.T, verb string, err error, wantVerb, kind, reason string) {
	t.Helper()
	if verb != wantVerb {
		t.Errorf("it ended at %q, not at %q: %v", verb, wantVerb, err)
	}
	var died *Died
	switch {
	case kind == "":
		if err != nil {
			t.Error(err)
		}
		return
	case kind == "died":
		if !errors.As(err, &died) {
			t.Errorf("%#v, want a death", err)
		}
	case fault(err) == nil || fault(err).Kind != kind:
		t.Errorf("%#v, want %s", err, kind)
	}
	if err == nil || !regexp.MustCompile(`\A(?:`+reason+`)\z`).MatchString(err.Error()) || strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("the reason is %q, want %q", err, reason)
	}
}

// TestAnswersThatCantBe has a fake worker answer run.
func TestAnswersThatCantBe(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	tests := []struct{ name, answer, reason string }{
		{"not JSON", "Segmentation fault\n", `it answered nonsense: "Segmentation fault"; it was killed`},
		{"an empty line", "\n", `it answered nonsense: ""; it was killed`},
		{"another id", `{"id":99,"run":[10,1000,1000,1000,-1,1,1,0,0]}` + "\n", `.*an answer to request 99, not to 4.*`},
		{"no id", `{"run":[10,1000,1000,1000,-1,1,1,0,0]}` + "\n", `.*an answer to request 0, not to 4.*`},
		{"nothing", `{"id":$}` + "\n", `.*a sample of 0 fields, not 9.*`},
		{"another verb", `{"id":$,"ready":{"calls":10}}` + "\n", `.*a sample of 0 fields, not 9.*`},
		{"few fields", `{"id":$,"run":[10,1000,1000,1000,-1,1,1,0]}` + "\n", `.*a sample of 8 fields, not 9.*`},
		{"other calls", `{"id":$,"run":[5,1000,1000,1000,-1,1,1,0,0]}` + "\n", `.*a sample of 5 calls, asked for 10.*`},
		{"no time", `{"id":$,"run":[10,0,0,0,-1,1,1,0,0]}` + "\n", `.*a sample that took no time.*`},
		{"negative time", `{"id":$,"run":[10,-1000,1000,1000,-1,1,1,0,0]}` + "\n", `.*a sample that took no time.*`},
		{"more time than passed", `{"id":$,"run":[10,1000,1000,3600000000000000,-1,1,1,0,0]}` + "\n", `.*took longer than it was waited for.*`},
		{"the greatest time", `{"id":$,"run":[10,9223372036854775807,9223372036854775807,9223372036854775807,-1,1,1,0,0]}` + "\n", `.*took longer than it was waited for.*`},
		{"thread over wall", `{"id":$,"run":[10,9000000,9000000,1000,-1,1,1,0,0]}` + "\n", `.*more CPU time of one thread than wall time.*`},
		{"process beyond all CPUs", `{"id":$,"run":[10,1000,9000000000000000,1000,-1,1,1,0,0]}` + "\n", `.*more CPU time than there are CPUs for.*`},
		{"negative cycles", `{"id":$,"run":[10,1000,1000,1000,-2,1,1,0,0]}` + "\n", `.*a negative count.*`},
		{"negative spin", `{"id":$,"run":[10,1000,1000,1000,-1,-1,1,0,0]}` + "\n", `.*a negative count.*`},
		{"many collections", `{"id":$,"run":[10,1000,1000,1000,-1,1,1,4294967296,0]}` + "\n", `.*a count or a flag.*`},
		{"text for a number", `{"id":$,"run":["10"]}` + "\n", `it answered nonsense: ".*; it was killed`},
		{"fractions", `{"id":$,"run":[10,1000.5,1000,1000,-1,1,1,0,0]}` + "\n", `it answered nonsense: ".*; it was killed`},
		{"half an answer", `{"id":$,"run":[10,10EXIT`, `it ended with exit status 3: fake: out of answers`},
		{"no end", `{"id":$,"run":[…`, `it answered nonsense: ".*; it was killed`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "fake", answerVariable+"="+test.answer)
			verb, err := through(patient(t), p, trial(""))
			judge(t, verb, err, "run", "died", test.reason)
			if _, again := p.Run(patient(t), 1, 10); again != err {
				t.Errorf("a second call: %v", again)
			}
		})
	}
}

// TestOtherVerbsThatLie: the other answers have their own nonsense.
func TestOtherVerbsThatLie(t *testing.T) {
	tests := []struct{ verb, answer, kind, reason string }{
		{"open", `{"id":$}`, "died", `.*open answered without saying about what.*`},
		{"open", `{"id":$,"about":{"digest":"00"}}`, "died", `.*a digest that is not a SHA-256.*`},
		{"open", `{"id":$,"fault":{"kind":"novel","text":"a\nb\u0007\tc"}}`, "novel", `a b c`},
		{"open", `{"id":$,"fault":{"kind":"failed","text":"` + strings.Repeat("长", 5000) + `"}}`, Failed, `长{300}…`},
		{"ready", `{"id":$}`, "died", `.*ready answered without the number of calls.*`},
		{"ready", `{"id":$,"ready":{"calls":0}}`, "died", `.*ready answered without the number of calls.*`},
		{"ready", `{"id":$,"ready":{"calls":-5}}`, "died", `.*ready answered without the number of calls.*`},
		{"ready", `{"id":$,"ready":{"calls":5,"allocs":-2}}`, "died", `.*a negative number of allocations.*`},
	}
	for i, test := range tests {
		t.Run(strconv.Itoa(i)+" "+test.verb, func(t *testing.T) {
			t.Parallel()
			p := start(t, "fake", verbVariable+"="+test.verb, answerVariable+"="+test.answer+"\n")
			verb, err := through(patient(t), p, trial(""))
			judge(t, verb, err, test.verb, test.kind, test.reason)
		})
	}
}

// TestAnsweringTwice: the second answer is taken for that to the next request.
func TestAnsweringTwice(t *testing.T) {
	t.Parallel()
	answer := `{"id":$,"run":[10,1000,1000,1000,-1,1,1,0,0]}` + "\n"
	p := start(t, "fake", answerVariable+"="+answer+answer)
	verb, err := through(patient(t), p, trial(""))
	judge(t, verb, err, "run", "died", `.*an answer to request 4, not to 5.*`)
}

// TestHanging: a worker that hangs is killed at the deadline, in whatever way it hangs.
func TestHanging(t *testing.T) {
	for _, mode := range []string{"sleeps", "spins"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := start(t, "bench", "GOMAXPROCS=1")
			if _, err := p.Open(patient(t), 1, trial(mode), 0, ""); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			_, err := p.Ready(ctx, 1, 0, time.Millisecond)
			judge(t, "ready", err, "ready", "died", `no answer to "ready" in time; it was killed`)
		})
	}
}

// longMix is a histogram of as many sizes as one may have, which no pipe has room for.
func longMix() (mix []result.SizeShare) {
	for i := range int64(100_000) {
		mix = append(mix, result.SizeShare{Bytes: i + 1, Weight: 1})
	}
	return mix
}

// TestUnread: a worker that does not read a long request is killed at the deadline, or when the user gives up.
func TestUnread(t *testing.T) {
	for name, test := range map[string]struct {
		ends func(context.Context) (context.Context, context.CancelFunc)
		hung bool
	}{
		"deadline": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 50*time.Millisecond)
		}, true},
		"interrupt": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(50*time.Millisecond, cancel)
			return ctx, cancel
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := Start(Command{Path: os.Args[0], Env: append(os.Environ(), workerVariable+"=mute")})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Stop)
			defer time.AfterFunc(patience, p.kill).Stop() // what waits for ever then ends with another error
			ctx, cancel := test.ends(context.Background())
			defer cancel()
			_, err = p.Hello(ctx, provider.Setting{Mix: longMix()}, -1)
			judge(t, "hello", err, "hello", "died", `no answer to "hello" in time; it was killed`)
			if p.Dead() == nil || p.Dead().Hung != test.hung {
				t.Errorf("%+v", p.Dead())
			}
			gone(t, p.pid)
		})
	}
}

// TestLongRequest: one that no pipe has room for is taken by a worker that reads.
func TestLongRequest(t *testing.T) {
	t.Parallel()
	p := start(t, "bench")
	if _, err := p.Hello(patient(t), provider.Setting{Mix: longMix()}, -1); err != nil {
		t.Fatal(err)
	}
	_, err := p.Probe(patient(t), plantSubject, trial("").Case)
	judge(t, "probe", err, "probe", "", "")
}

// TestStopEndsTheDeaf: a worker that does not heed the end of its input is killed.
func TestStopEndsTheDeaf(t *testing.T) {
	t.Parallel()
	p := start(t, "deaf")
	p.Stop() // that it is gone, start's cleanup looks at
	p.Stop()
	if _, err := p.Run(patient(t), 1, 1); err == nil || err.Error() != "the worker was stopped" {
		t.Errorf("a call after Stop: %v", err)
	}
}

// TestWhatAWorkerStartedEndsWithIt: a library may start processes that hold the
// worker's standard output. They must neither outlive it nor hold up its reaping.
func TestWhatAWorkerStartedEndsWithIt(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip(err)
	}
	p := start(t, "bench")
	if _, err := p.Open(patient(t), 1, trial("leaves a child"), 0, ""); err != nil {
		t.Fatal(err)
	}
	// Its output does not end, so its death shows at the deadline only.
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := p.Ready(ctx, 1, 0, time.Millisecond)
	judge(t, "ready", err, "ready", "died", `no answer to "ready" in time; it was killed`)
	_, number, _ := strings.Cut(strings.Join(p.stderr.lines(1), ""), "child ")
	pid, err := strconv.Atoi(number)
	if err != nil {
		t.Skipf("killed before it had a child: %v", err)
	}
	gone(t, pid)
}

// TestChildEndsWithItsPipe starts a worker without a Process around it, hangs it,
// and closes its input as the kernel does where the parent was killed.
func TestChildEndsWithItsPipe(t *testing.T) {
	for _, mode := range []string{"sleeps", "spins"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), workerVariable+"=bench", "GOMAXPROCS=1")
			in, out := pipes(t, cmd)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
			defer late.Stop()
			c := `"subject":{"library":"planted","version":"1","call_path":"go"},"case":{"algorithm":"","operation":"digest","bytes":0,"mode":"` + mode + `"}`
			fmt.Fprintln(in, `{"id":1,"do":"hello","protocol":1,"cpu":-1}`)
			fmt.Fprintln(in, `{"id":2,"do":"open","handle":1,`+c+`}`)
			for range 2 {
				if line, err := out.ReadString('\n'); err != nil || strings.Contains(line, "fault") {
					t.Fatal(line, err)
				}
			}
			fmt.Fprintln(in, `{"id":3,"do":"ready","handle":1,"target":1000}`)
			time.Sleep(20 * time.Millisecond) // in Run by now, most likely; sooner is no harm
			in.Close()
			if err := cmd.Wait(); err != nil {
				t.Errorf("it did not end by itself: %v", err)
			}
		})
	}
}

func pipes(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, *bufio.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	return in, bufio.NewReader(out)
}

func TestStartWithoutABinary(t *testing.T) {
	p, err := Start(Command{Path: "/nonexistent/worker"})
	if p != nil || err == nil || !strings.HasPrefix(err.Error(), "starting a worker: ") {
		t.Errorf("%v, %v", p, err)
	}
}

// TestNoMoreFiles: where the limit on open files is reached, it says so and what to do.
func TestNoMoreFiles(t *testing.T) {
	err := notStarted(&os.PathError{Op: "fork/exec", Path: "/proc/self/exe", Err: syscall.EMFILE})
	if err == nil || !strings.Contains(err.Error(), "ulimit -n") || strings.Contains(err.Error(), "fork/exec") {
		t.Error(err)
	}
	if err := notStarted(syscall.ENOENT); err == nil || strings.Contains(err.Error(), "ulimit") {
		t.Error(err)
	}
}

// TestNoWorkerAtAll starts a program that is none.
func TestNoWorkerAtAll(t *testing.T) {
	for path, reason := range map[string]string{
		"false": `it ended with exit status 1`,
		"cat":   `it answered nonsense: hello without a protocol known here; it was killed`, // says what it is told
	} {
		path, err := exec.LookPath(path)
		if err != nil {
			t.Skip(err)
		}
		p, err := Start(Command{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Hello(patient(t), provider.Setting{Seed: 1}, -1)
		p.Stop()
		judge(t, "hello", err, "hello", "died", reason)
	}
}

// TestOtherProtocol: a worker of another version is told from one that answers nonsense.
func TestOtherProtocol(t *testing.T) {
	p, err := Start(Command{Path: "/bin/sh", Args: []string{"-c", `read -r l; echo '{"id":1,"hello":{"protocol":2}}'; cat`}})
	if err != nil {
		t.Skip(err)
	}
	_, err = p.Hello(patient(t), provider.Setting{Seed: 1}, -1)
	p.Stop()
	judge(t, "hello", err, "hello", "died", "it speaks version 2 of the worker protocol, and this program version 1: take a worker of that version")
}

// TestImplausible holds the limits of what is believed.
func TestImplausible(t *testing.T) {
	const ms = int64(time.Millisecond)
	sample := func(thread, process, wall int64) []int64 { return []int64{1, thread, process, wall, -1, 0, 0, 0, 0} }
	tests := []struct {
		f  []int64
		ok bool
	}{
		{sample(1, 1, 1), true},
		{sample(10*ms, 10*ms, 10*ms), true},
		{sample(10*ms+1200_000, 10*ms, 10*ms), true}, // clocks of their own granularity
		{sample(10*ms+1200_001, 10*ms, 10*ms), false},
		{sample(10*ms, 10*ms-1200_000, 10*ms), false},
		{sample(10*ms, 10*ms, 103*ms), true},
		{sample(10*ms, 10*ms, 103*ms+1), false},
		{sample(0, 1, 1), false},
		{sample(1, 0, 1), false},
		{sample(1, 1, 0), false},
		{[]int64{1, 1, 1, 1, 0, 0, 0, 1<<31 - 1, 1}, true},
		{[]int64{1, 1, 1, 1, 0, 0, 0, 0, 2}, false},
		{nil, false},
	}
	for _, test := range tests {
		if why := implausible(test.f, 1, 100*time.Millisecond); (why == nil) != test.ok {
			t.Errorf("%v: %q", test.f, why)
		}
	}
}

// TestInside: what Go's runtime says of a signal in a library's own code is told from a
// fault of the worker's.
func TestInside(t *testing.T) {
	for _, test := range []struct{ said, want string }{
		{"SIGSEGV: segmentation violation\nPC=0x7f01 m=0 sigcode=1 addr=0x8\nsignal arrived during cgo execution\n\ngoroutine 1",
			"SIGSEGV: segmentation violation, in the library's own code"},
		{"SIGSEGV: segmentation violation\nPC=0x7f01 m=0 sigcode=2 addr=0x7f000\nsignal arrived during cgo execution\n",
			"SIGSEGV: segmentation violation, in the library's own code, at memory that it has no right to, such as that far past the end of its output"},
		{"fatal error: fault\n[signal SIGSEGV: segmentation violation code=0x2 addr=0x7f pc=0x54]\nsignal arrived", ""},
		{"panic: nothing is right", ""},
		{"", ""},
	} {
		var last head
		_, _ = last.Write([]byte(test.said))
		if got := last.inside(); (got == nil) != (test.want == "") || got != nil && got.Error() != test.want {
			t.Errorf("%q is %q, not %q", test.said, got, test.want)
		}
	}
}
