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
	"math"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Command says how a worker is started.
type Command struct {
	Path string
	Name string // as argument 0; the path where it is empty
	Args []string
	Env  []string // whole environment of the child
}

// Process is the laboratory's handle on one worker. Calls are made one at a time.
// After a call returned *Died every further call does.
type Process struct {
	stdin  io.WriteCloser
	lines  chan []byte
	kill   func()
	wait   func() error
	stderr *tail
	pid    int                         // 0 in process
	queued func() func() time.Duration // see overtime; nil in process
	id     int64
	dead   *Died
	once   sync.Once
}

// Start starts a worker process. It ends with Stop, with the parent, or by itself.
func Start(c Command) (*Process, error) {
	cmd := exec.Command(c.Path, c.Args...)
	if c.Name != "" {
		cmd.Args[0] = c.Name
	}
	cmd.Env = c.Env
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, reason.New("starting", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, reason.New("starting", err)
	}
	p := &Process{stdin: stdin, stderr: &tail{}}
	cmd.Stderr = p.stderr
	cmd.WaitDelay = time.Second // where a process that the worker started holds its standard error
	if err := cmd.Start(); err != nil {
		return nil, reason.New("starting", err)
	}
	p.pid = cmd.Process.Pid
	p.queued = func() func() time.Duration { return queueing(p.pid) }
	p.kill = func() { killGroup(cmd) }
	p.wait = sync.OnceValue(func() error {
		defer p.kill() // what the worker itself had started
		return cmd.Wait()
	})
	p.read(stdout)
	return p, nil
}

// InProcess serves a bench on a goroutine of this process. It is for tests: the
// same protocol, without a process to crash or to restart.
func InProcess(bench func(provider.Setting) Bench) *Process {
	childIn, parentOut := io.Pipe()
	parentIn, childOut := io.Pipe()
	p := &Process{stdin: parentOut, stderr: &tail{}}
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

func (p *Process) read(r io.Reader) {
	p.lines = make(chan []byte)
	go func() {
		defer close(p.lines)
		br := bufio.NewReaderSize(r, 1<<16)
		for {
			line, err := readLine(br)
			if err != nil {
				return
			}
			p.lines <- line
		}
	}()
}

// longestAnswer is more than any picture takes. What goes on for longer is cut,
// and then does not parse.
const longestAnswer = 64 << 20

func readLine(br *bufio.Reader) (line []byte, err error) {
	for {
		part, err := br.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull || len(line) > longestAnswer {
			if err == bufio.ErrBufferFull {
				err = nil
			}
			return line, err
		}
	}
}

// Stop ends the worker and waits for it. A worker that does not heed the end of
// its input is killed.
func (p *Process) Stop() {
	p.once.Do(func() {
		p.stdin.Close()
		timer := time.AfterFunc(2*time.Second, p.kill)
		_ = p.reap()
		timer.Stop()
		if p.dead == nil {
			p.dead = died("stopped")
		}
	})
}

// Hello begins the conversation.
func (p *Process) Hello(ctx context.Context, s provider.Setting, cpu int) (Hello, error) {
	r, err := p.call(ctx, request{Do: "hello", Protocol: Protocol, Seed: s.Seed, Dir: s.Dir, Mix: s.Mix, CPU: cpu})
	if err != nil {
		return Hello{}, err
	}
	if r.Hello == nil || r.Hello.Protocol != Protocol {
		return Hello{}, p.nonsense("hello-protocol")
	}
	return *r.Hello, nil
}

// Probe asks whether and how a subject offers a case.
func (p *Process) Probe(ctx context.Context, s result.Subject, c result.Case) (About, error) {
	return p.about(ctx, request{Do: "probe", Subject: &s, Case: &c})
}

// Open prepares a trial under a handle.
func (p *Process) Open(ctx context.Context, handle int, t result.Trial, digest string) (About, error) {
	a, err := p.about(ctx, request{Do: "open", Handle: handle, Subject: &t.Subject, Case: &t.Case, Digest: digest})
	if raw, bad := hex.DecodeString(a.Digest); err == nil && a.Digest != "" && (bad != nil || len(raw) != sha256.Size) {
		// It would be passed on to other workers, which would take the blame.
		return About{}, p.nonsense("digest-sha256")
	}
	return a, err
}

func (p *Process) about(ctx context.Context, q request) (About, error) {
	r, err := p.call(ctx, q)
	if err != nil {
		return About{}, err
	}
	if r.About == nil {
		return About{}, p.nonsense("about-nothing", q.Do)
	}
	return *r.About, nil
}

// Ready checks a trial and sizes its batch; see docs/worker-protocol.md.
func (p *Process) Ready(ctx context.Context, handle int, calls int64, target time.Duration) (Ready, error) {
	r, err := p.call(ctx, request{Do: "ready", Handle: handle, Calls: calls, Target: int64(target)})
	if err != nil {
		return Ready{}, err
	}
	if r.Ready == nil || r.Ready.Calls < 1 || (calls > 0 && r.Ready.Calls != calls) {
		return Ready{}, p.nonsense("ready-calls")
	}
	if r.Ready.Allocs < 0 || r.Ready.AllocBytes < 0 {
		return Ready{}, p.nonsense("allocations")
	}
	return *r.Ready, nil
}

// Run takes one sample. Trial, block and round are the caller's to fill in.
//
// A reading that can't be is asked for again before the worker is called a liar:
// in a virtual machine whose CPU was taken away the thread's clock now and then
// runs ahead of the wall's, about once in a hundred thousand samples under load.
func (p *Process) Run(ctx context.Context, handle int, calls int64) (result.Sample, error) {
	var f []int64
	for attempt := 1; ; attempt++ {
		start := time.Now()
		r, err := p.call(ctx, request{Do: "run", Handle: handle, Calls: calls})
		if err != nil {
			return result.Sample{}, err
		}
		f = r.Run
		why := implausible(f, calls, time.Since(start))
		if why == nil {
			break
		}
		if attempt == believed {
			return result.Sample{}, p.nonsense("sample", why)
		}
	}
	return sampleOf(f), nil
}

func sampleOf(f []int64) result.Sample {
	return result.Sample{Calls: f[0], Thread: f[1], Process: f[2], Wall: f[3], Cycles: f[4],
		SpinBefore: f[5], SpinAfter: f[6], Collections: int32(f[7]), Migrated: int32(f[8])}
}

// believed is how many readings in a row may be impossible before a worker is not
// believed any more.
const believed = 3

// clockSlack is how far two clocks may disagree over one sample.
const clockSlack = int64(time.Millisecond)

// implausible says why a sample's fields can't be, or nil. The whole call took
// elapsed by the laboratory's own clock.
func implausible(f []int64, calls int64, elapsed time.Duration) error {
	if len(f) != 9 {
		return reason.New("sample-fields", len(f))
	}
	most := int64(elapsed+elapsed/50) + clockSlack
	switch thread, process, wall := f[1], f[2], f[3]; {
	case f[0] != calls:
		return reason.New("sample-calls", f[0], calls)
	case thread <= 0 || process <= 0 || wall <= 0:
		return reason.New("sample-no-time")
	case wall > most:
		return reason.New("sample-too-long")
	case thread > wall+wall/50+clockSlack:
		return reason.New("sample-thread-wall")
	case thread > process+process/50+clockSlack:
		return reason.New("sample-thread-process")
	case process > most*int64(runtime.NumCPU()):
		return reason.New("sample-cpus")
	case f[4] < -1 || f[5] < 0 || f[6] < 0:
		return reason.New("sample-negative")
	case f[7] < 0 || f[7] > math.MaxInt32 || f[8] < 0 || f[8] > 1:
		return reason.New("sample-flag")
	}
	return nil
}

// Check judges the output that the last run left.
func (p *Process) Check(ctx context.Context, handle int) error {
	_, err := p.call(ctx, request{Do: "check", Handle: handle})
	return err
}

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

// Close gives a handle back.
func (p *Process) Close(ctx context.Context, handle int) error {
	_, err := p.call(ctx, request{Do: "close", Handle: handle})
	return err
}

// call sends one request and waits for its answer until ctx ends, and in overtime.
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
	begun := time.Now()
	if _, err := p.stdin.Write(append(line, '\n')); err != nil {
		return reply{}, p.ended()
	}
	open, answered := true, true
	select {
	case line, open = <-p.lines:
	case <-ctx.Done():
		line, open, answered = p.overtime(ctx, begun)
	}
	switch {
	case !answered:
		p.dead = died("no-answer", q.Do)
		p.dead.Hung = errors.Is(ctx.Err(), context.DeadlineExceeded)
		p.end()
		return reply{}, p.dead
	case !open:
		return reply{}, p.ended()
	}
	return p.parse(q, line)
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

// tidy makes one line of everything that a worker said, and a text where it gave a code alone.
func (f *Fault) tidy() {
	var lines func(c *result.Cause)
	lines = func(c *result.Cause) {
		for i := range c.Args {
			if a := &c.Args[i]; a.Cause != nil {
				lines(a.Cause)
			} else {
				a.Text = oneLine(a.Text)
			}
		}
	}
	lines(&f.Cause)
	f.Text = oneLine(cmp.Or(f.Text, reason.English(f.Cause)))
}

// nonsense ends a worker whose answers can't be trusted.
func (p *Process) nonsense(code string, args ...any) error {
	p.dead = died("nonsense", reason.Cause(code, args...))
	p.end()
	return p.dead
}

// ended collects what is known of a worker that went away by itself.
func (p *Process) ended() error {
	p.stdin.Close()
	// It may still be on its way out: its own exit status tells more than a kill's.
	grace := time.AfterFunc(time.Second, p.kill)
	err := p.reap()
	grace.Stop()
	p.dead = DiedOf(endOf(err, p.stderr))
	return p.dead
}

// endOf says how a worker ended, and what it said last.
func endOf(err error, stderr *tail) error {
	last := stderr.last()
	switch inside := stderr.inside(); {
	case inside != nil:
		return inside
	case err == nil && last == "":
		return reason.New("ended-silent")
	case err == nil:
		return reason.New("ended-silent-saying", reason.Foreign(last))
	}
	status, exited := strings.CutPrefix(err.Error(), "exit status ")
	signal, killed := strings.CutPrefix(err.Error(), "signal: ")
	switch {
	case exited && last == "":
		return reason.New("ended-status", status)
	case exited:
		return reason.New("ended-status-saying", status, reason.Foreign(last))
	case killed && last == "":
		return reason.New("ended-signal", signal)
	case killed:
		return reason.New("ended-signal-saying", signal, reason.Foreign(last))
	}
	return reason.New("ended", err)
}

func (p *Process) end() {
	p.stdin.Close()
	p.kill()
	_ = p.reap()
}

// reap waits until the worker is gone. What it still writes is dropped, so that
// it does not wait for a reader.
func (p *Process) reap() error {
	go func() {
		for range p.lines {
		}
	}()
	return p.wait()
}

// tail keeps the first line that tells why a process died: the first of its
// standard error, since a Go traceback names the cause there.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := tailBytes - len(t.text); room > 0 {
		t.text = append(t.text, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

// inside says how a library that is not Go's ended the process, where a signal stopped
// it in code of its own; nil where nothing tells that. Go's runtime words it so:
//
//	SIGSEGV: segmentation violation
//	PC=0x7f095a89b1f1 m=0 sigcode=2 addr=0x7f0951000000
//	signal arrived during cgo execution
func (t *tail) inside() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.SplitN(strings.TrimSpace(string(t.text)), "\n", 4)
	if len(lines) < 3 || lines[2] != "signal arrived during cgo execution" {
		return nil
	}
	name, text, _ := strings.Cut(oneLine(lines[0]), ": ")
	if strings.Contains(lines[1], "sigcode=2 ") { // SEGV_ACCERR of sigaction(2): there is memory, and no right to it
		return reason.New("inside-fence", name, reason.Foreign(text))
	}
	return reason.New("inside", name, reason.Foreign(text))
}

func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	first, _, _ := strings.Cut(strings.TrimSpace(string(t.text)), "\n")
	return oneLine(first)
}

// oneLine makes a reason of what a library or a worker said: in a table and in
// a footnote there is room for one line.
func oneLine(text string) string {
	const most = 300
	line := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	return line
}
