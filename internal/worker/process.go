package worker

import (
	"bufio"
	"bytes"
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
		return nil, fmt.Errorf("starting a worker: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting a worker: %w", err)
	}
	p := &Process{stdin: stdin, stderr: &tail{}}
	cmd.Stderr = p.stderr
	cmd.WaitDelay = time.Second // where a process that the worker started holds its standard error
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a worker: %w", err)
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
			p.dead = died("the worker was stopped")
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
		return Hello{}, p.nonsense("hello without a protocol known here")
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
		return About{}, p.nonsense("a digest that is not a SHA-256")
	}
	return a, err
}

func (p *Process) about(ctx context.Context, q request) (About, error) {
	r, err := p.call(ctx, q)
	if err != nil {
		return About{}, err
	}
	if r.About == nil {
		return About{}, p.nonsense(q.Do + " answered without saying about what")
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
		return Ready{}, p.nonsense("ready answered without the number of calls")
	}
	if r.Ready.Allocs < 0 || r.Ready.AllocBytes < 0 {
		return Ready{}, p.nonsense("fewer than no allocations")
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
		if why == "" {
			break
		}
		if attempt == believed {
			return result.Sample{}, p.nonsense(why)
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

// implausible says why a sample's fields can't be, or "". The whole call took
// elapsed by the laboratory's own clock.
func implausible(f []int64, calls int64, elapsed time.Duration) string {
	if len(f) != 9 {
		return fmt.Sprintf("a sample of %d fields, not 9", len(f))
	}
	most := int64(elapsed+elapsed/50) + clockSlack
	switch thread, process, wall := f[1], f[2], f[3]; {
	case f[0] != calls:
		return fmt.Sprintf("a sample of %d calls, asked for %d", f[0], calls)
	case thread <= 0 || process <= 0 || wall <= 0:
		return "a sample that took no time"
	case wall > most:
		return "a sample that took longer than it was waited for"
	case thread > wall+wall/50+clockSlack:
		return "a sample with more CPU time of one thread than wall time"
	case thread > process+process/50+clockSlack:
		return "a sample with more CPU time of one thread than of its process"
	case process > most*int64(runtime.NumCPU()):
		return "a sample with more CPU time than there are CPUs for"
	case f[4] < -1 || f[5] < 0 || f[6] < 0:
		return "a sample with a negative count"
	case f[7] < 0 || f[7] > math.MaxInt32 || f[8] < 0 || f[8] > 1:
		return "a sample with a count or a flag that can't be"
	}
	return ""
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
		return result.Record{}, p.nonsense("measure answered without a record")
	}
	for _, f := range r.Samples {
		calls := int64(0)
		if len(f) > 0 {
			calls = max(f[0], 1)
		}
		if why := implausible(f, calls, time.Since(start)); why != "" {
			return result.Record{}, p.nonsense(why)
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
		p.dead = died("no answer to %q in time; it was killed", q.Do)
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
		return r, p.nonsense(fmt.Sprintf("%.60q", bytes.TrimSpace(line)))
	}
	if r.ID != q.ID {
		return r, p.nonsense(fmt.Sprintf("an answer to request %d, not to %d", r.ID, q.ID))
	}
	if r.Fault != nil {
		r.Fault.Text = oneLine(r.Fault.Text)
		return r, r.Fault
	}
	return r, nil
}

// nonsense ends a worker whose answers can't be trusted.
func (p *Process) nonsense(what string) error {
	p.dead = died("it answered nonsense: %s; it was killed", what)
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
	reason := "it ended with exit status 0, without an answer"
	if err != nil {
		reason = "it ended with " + err.Error()
	}
	if last := p.stderr.last(); last != "" {
		reason += ": " + last
	}
	if inside := p.stderr.inside(); inside != "" {
		reason = inside
	}
	p.dead = died("%s", reason)
	return p.dead
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
// it in code of its own; "" where nothing tells that. Go's runtime words it so:
//
//	SIGSEGV: segmentation violation
//	PC=0x7f095a89b1f1 m=0 sigcode=2 addr=0x7f0951000000
//	signal arrived during cgo execution
func (t *tail) inside() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.SplitN(strings.TrimSpace(string(t.text)), "\n", 4)
	if len(lines) < 3 || lines[2] != "signal arrived during cgo execution" {
		return ""
	}
	reason := oneLine(lines[0]) + ", in the library's own code"
	if strings.Contains(lines[1], "sigcode=2 ") { // SEGV_ACCERR of sigaction(2): there is memory, and no right to it
		reason += ", at memory that it has no right to, such as that far past the end of its output"
	}
	return reason
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
