package worker

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type Command struct {
	Path string
	Name string // as argument 0; the path where it is empty
	Args []string
	Env  []string // whole environment of the child
	// Files are open in the child as descriptors 3 and following: what neither arguments nor environment may tell.
	Files []*os.File
	Own   *provider.Own // the user's data, which Hello speaks of; the last of the files
}

// Process is the laboratory's handle on one worker. Calls are made one at a time.
// After a call returned *Died every further call does.
type Process struct {
	stdin  io.WriteCloser
	lines  chan []byte
	kill   func()
	wait   func() error
	stderr *head
	pid    int                         // 0 in process
	queued func() func() time.Duration // see overtime; nil in process
	own    string                      // where it finds the user's data; "" in process
	// refusal is why it opens nothing where it did not take them: its rows would be of other data.
	refusal error
	id      int64
	dead    *Died
}

// Start starts a worker process. It ends with Stop, with the parent, or by itself.
func Start(c Command) (*Process, error) {
	cmd, stdin, stdout, err := c.piped()
	if err != nil {
		return nil, notStarted(err)
	}
	own := ""
	if c.Own != nil {
		cmd.ExtraFiles = append(slices.Clone(c.Files), c.Own.File)
		own = descriptor(firstInherited + len(c.Files))
	}
	ownGroup(cmd)
	p := &Process{stdin: stdin, stderr: &head{}, own: own}
	cmd.Stderr = p.stderr
	cmd.WaitDelay = time.Second // where a process that the worker started holds its standard error
	if err := cmd.Start(); err != nil {
		return nil, notStarted(err)
	}
	p.pid = cmd.Process.Pid
	p.queued = func() func() time.Duration { return queueing(procfs, p.pid) }
	p.kill = func() { killGroup(cmd) }
	p.wait = sync.OnceValue(func() error {
		defer p.kill() // what the worker itself had started
		return cmd.Wait()
	})
	p.read(stdout)
	return p, nil
}

// piped is a command's process, not yet started, with pipes to its standard input and output.
func (c Command) piped() (cmd *exec.Cmd, stdin io.WriteCloser, stdout io.Reader, err error) {
	cmd = exec.Command(c.Path, c.Args...)
	cmd.Args[0] = cmp.Or(c.Name, c.Path)
	cmd.Env, cmd.ExtraFiles = c.Env, c.Files
	if stdin, err = cmd.StdinPipe(); err == nil {
		stdout, err = cmd.StdoutPipe()
	}
	return cmd, stdin, stdout, err
}

// notStarted says why there is no worker, and what to do where this program may open no more files.
func notStarted(err error) error {
	if errors.Is(err, syscall.EMFILE) {
		return reason.New("starting-files")
	}
	return reason.New("starting", err)
}

// InProcess serves a bench on a goroutine of this process. It is for tests: the
// same protocol, without a process to crash or to restart.
func InProcess(bench func(provider.Setting) Bench) *Process {
	childIn, parentOut := io.Pipe()
	parentIn, childOut := io.Pipe()
	p := &Process{stdin: parentOut, stderr: &head{}}
	done := make(chan error, 1)
	go func() {
		err := Serve(childIn, childOut, bench)
		childOut.Close()
		done <- err
	}()
	p.kill = func() { parentIn.Close(); childIn.Close() }
	p.wait = sync.OnceValue(func() error { return <-done })
	p.read(parentIn)
	return p
}

// longestAnswer is more than any picture takes. What goes on for longer is cut,
// and then does not parse.
const longestAnswer = 64 << 20

func (p *Process) read(r io.Reader) {
	p.lines = make(chan []byte)
	go func() {
		defer close(p.lines)
		for br := bufio.NewReaderSize(r, 1<<16); ; {
			var line []byte
			for full := true; full && len(line) <= longestAnswer; {
				part, err := br.ReadSlice('\n')
				if full = err == bufio.ErrBufferFull; err != nil && !full {
					return
				}
				line = append(line, part...)
			}
			p.lines <- line
		}
	}()
}

// Stop ends the worker and waits for it. A worker that does not heed the end of
// its input is killed.
func (p *Process) Stop() {
	_ = p.end(2 * time.Second)
	p.dead = cmp.Or(p.dead, died("stopped"))
}

// end closes the worker's input, kills it where it does not go within the grace, and
// waits until it is gone. What it still writes is dropped, so that it does not wait for
// a reader.
func (p *Process) end(grace time.Duration) error {
	p.stdin.Close()
	if grace == 0 {
		p.kill()
	} else {
		defer time.AfterFunc(grace, p.kill).Stop()
	}
	go func() {
		for range p.lines {
		}
	}()
	return p.wait()
}

func (p *Process) Hello(ctx context.Context, s provider.Setting, cpu int) (Hello, error) {
	r, err := p.call(ctx, request{Do: "hello", Protocol: Protocol, Seed: s.Seed, Dir: s.Dir, Mix: s.Mix, Sample: p.fileOf(s.Own), CPU: cpu})
	switch {
	case err != nil:
		return Hello{}, err
	case r.Hello == nil || r.Hello.Protocol <= 0:
		return Hello{}, p.nonsense("hello-protocol")
	case r.Hello.Protocol != Protocol:
		p.dead = died("other-protocol", r.Hello.Protocol, Protocol)
		_ = p.end(0)
		return Hello{}, p.dead
	}
	p.refusal = nil
	if s.Own != nil && r.Hello.Sample != s.Own.SHA256 {
		p.refusal = newFault(Unsupported, "no-sample")
	}
	return *r.Hello, nil
}

func (p *Process) Probe(ctx context.Context, s result.Subject, c result.Case) (About, error) {
	s.Environment = parameter.WithoutSide(s.Environment)
	a, err := p.about(ctx, request{Do: "probe", Subject: &s, Case: &c})
	return a, cmp.Or(err, p.refusal)
}

func (p *Process) Open(ctx context.Context, handle int, t result.Trial, block int, digest string) (About, error) {
	if p.refusal != nil {
		return About{}, p.refusal
	}
	t.Subject.Environment = parameter.WithoutSide(t.Subject.Environment)
	a, err := p.about(ctx, request{Do: "open", Handle: handle, Subject: &t.Subject, Case: &t.Case, Block: block, Digest: digest})
	if raw, bad := hex.DecodeString(a.Digest); err == nil && a.Digest != "" && (bad != nil || len(raw) != sha256.Size) {
		// It would be passed on to other workers, which would take the blame.
		return About{}, p.nonsense("digest-sha256")
	}
	return a, err
}

func (p *Process) about(ctx context.Context, q request) (About, error) {
	r, err := p.call(ctx, q)
	switch {
	case err != nil:
		return About{}, err
	case r.About == nil:
		return About{}, p.nonsense("about-nothing", q.Do)
	}
	return *r.About, nil
}

// counted says of a number of allocations that it can be one, or says that they were not counted.
func counted(n float64) bool { return n >= 0 || n == -1 }

// Ready checks a trial and sizes its batch; see docs/worker-protocol.md.
func (p *Process) Ready(ctx context.Context, handle int, calls int64, target time.Duration) (Ready, error) {
	r, err := p.call(ctx, request{Do: "ready", Handle: handle, Calls: calls, Target: int64(target)})
	switch {
	case err != nil:
		return Ready{}, err
	case r.Ready == nil || r.Ready.Calls < 1 || (calls > 0 && r.Ready.Calls != calls):
		return Ready{}, p.nonsense("ready-calls")
	case !counted(r.Ready.Allocs) || !counted(r.Ready.AllocBytes):
		return Ready{}, p.nonsense("allocations")
	}
	return *r.Ready, nil
}

// believed is how many readings in a row may be impossible before a worker is not
// believed any more.
const believed = 3

// Run takes one sample. Trial, block and round are the caller's to fill in.
//
// A reading that can't be is asked for again before the worker is called a liar:
// in a virtual machine whose CPU was taken away the thread's clock now and then
// runs ahead of the wall's, about once in a hundred thousand samples under load.
func (p *Process) Run(ctx context.Context, handle int, calls int64) (result.Sample, error) {
	for attempt := 1; ; attempt++ {
		start := time.Now()
		r, err := p.call(ctx, request{Do: "run", Handle: handle, Calls: calls})
		if err != nil {
			return result.Sample{}, err
		}
		why := implausible(r.Run, calls, time.Since(start))
		if why == nil {
			return sampleOf(r.Run), nil
		}
		if attempt == believed {
			return result.Sample{}, p.nonsense("sample", why)
		}
	}
}

func (p *Process) Check(ctx context.Context, handle int) error { return p.Ask(ctx, "check", handle) }
func (p *Process) Close(ctx context.Context, handle int) error { return p.Ask(ctx, "close", handle) }

// Ask sends a verb with nothing beside it but a handle, such as a verb that no worker knows.
func (p *Process) Ask(ctx context.Context, verb string, handle int) error {
	_, err := p.call(ctx, request{Do: verb, Handle: handle})
	return err
}

// Dead says how the worker ended, or nil while it lives.
func (p *Process) Dead() *Died { return p.dead }

// Measure lets a scenario work, or asks a recorder what its calls left. The
// numbers of the samples in the record are the caller's to fill in.
func (p *Process) Measure(ctx context.Context, handle int, seconds float64, block int) (result.Record, error) {
	start := time.Now()
	r, err := p.call(ctx, request{Do: "measure", Handle: handle, Seconds: seconds, Block: block})
	if err != nil {
		return result.Record{}, err
	}
	if r.Record == nil {
		return result.Record{}, p.nonsense("no-record")
	}
	for _, f := range r.Samples {
		calls := int64(0)
		if len(f) > 0 {
			calls = max(f[0], 1)
		}
		if why := implausible(f, calls, time.Since(start)); why != nil {
			return result.Record{}, p.nonsense("sample", why)
		}
		r.Record.Samples = append(r.Record.Samples, sampleOf(f))
	}
	r.Record.Artifacts = r.Artifacts
	return *r.Record, nil
}

func (p *Process) call(ctx context.Context, q request) (reply, error) {
	if p.dead != nil {
		return reply{}, p.dead
	}
	p.id++
	q.ID = p.id
	line, err := json.Marshal(q)
	if err != nil {
		return reply{}, fmt.Errorf("encoding a request: %w", err)
	}
	late, done := p.overdue(ctx)
	defer done()
	taken, err := p.send(late, append(line, '\n'))
	if err != nil {
		return reply{}, p.ended()
	}
	open, answered := true, false
	if taken {
		select {
		case line, open = <-p.lines:
			answered = true
		case <-late.Done():
		}
	}
	switch {
	case !answered:
		p.dead = died("no-answer", q.Do)
		p.dead.Hung = errors.Is(ctx.Err(), context.DeadlineExceeded)
		_ = p.end(0)
		return reply{}, p.dead
	case !open:
		return reply{}, p.ended()
	}
	return p.parse(q, line)
}

// send writes a request. Taken is false where the worker had not read it when late ended: a pipe has room for the short
// ones alone. Then the worker is killed, and so the write comes to an end.
func (p *Process) send(late context.Context, line []byte) (taken bool, err error) {
	killed := make(chan struct{})
	stop := context.AfterFunc(late, func() {
		defer close(killed)
		p.kill()
		p.stdin.Close() // which a process may hold that outlives the worker
	})
	_, err = p.stdin.Write(line)
	if !stop() {
		<-killed
		return false, nil
	}
	return true, err
}

func (p *Process) parse(q request, line []byte) (reply, error) {
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		return r, p.nonsense("line", fmt.Sprintf("%.60s", bytes.TrimSpace(line)))
	}
	if r.ID != q.ID {
		return r, p.nonsense("other-request", r.ID, q.ID)
	}
	if r.Fault != nil {
		r.Fault.tidy()
		return r, r.Fault
	}
	return r, nil
}

func (p *Process) nonsense(code string, args ...any) error {
	p.dead = died("nonsense", reason.Cause(code, args...))
	_ = p.end(0)
	return p.dead
}

// ended collects what is known of a worker that went away by itself. It may still be on
// its way out: its own exit status tells more than a kill's.
func (p *Process) ended() error {
	p.dead = DiedOf(endOf(p.end(time.Second), p.stderr))
	return p.dead
}

// overdue is a context that ends once a request that is made now has taken too long: with ctx, or where that has come
// to its deadline, with the worker's overtime. Done ends it before.
func (p *Process) overdue(ctx context.Context) (late context.Context, done func()) {
	begun := time.Now()
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		defer cancel()
		p.overtime(ctx, begun, late.Done())
	})
	return late, func() {
		stop()
		cancel()
	}
}

// overtime waits until that of a request is up which was made at begun and whose time is up, or until it is done.
func (p *Process) overtime(ctx context.Context, begun time.Time, done <-chan struct{}) {
	end, timed := ctx.Deadline()
	if !timed || p.queued == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return
	}
	over := newOvertime(end.Sub(begun), p.queued())
	for look := time.Tick(OvertimeLook); ; {
		select {
		case <-done:
			return
		case <-look:
			if over.Up() {
				return
			}
		}
	}
}
