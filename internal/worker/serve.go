package worker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Bench is what a worker offers, made for the setting that the laboratory names.
type Bench struct {
	Libraries []result.Library
	Providers []provider.Provider
	Cases     []result.Case // of its own, which no experiment asks for by itself
	Judge     Judge
}

type Judge interface {
	// Prove makes known the SHA-256, in hex, of the expected output of a case.
	Prove(c result.Case, digest string) error
	// Digest returns it, where the case's output has been computed.
	Digest(c result.Case) (digest string, ok bool)
	// Block says for which block of the run vectors are given out from now on.
	Block(number int)
	Release()
}

// Serve answers requests from in on out until in ends. The calling goroutine is
// the one that measures; it is locked to its thread and reads its requests
// itself. A goroutine that read ahead would wake threads of the runtime at every
// request, which then look for work for a quarter of a millisecond, on the CPU
// that measures as likely as not. So that a worker that hangs in a library still
// ends with its laboratory, a process calls [EndWith] first.
func Serve(in io.Reader, out io.Writer, bench func(provider.Setting) Bench) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := &server{bench: bench, open: map[int]*opened{}, timer: newTimer()}
	defer s.timer.counter.Close()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, longestRequest)
	for sc.Scan() {
		if err := enc.Encode(s.answer(sc.Bytes())); err != nil {
			return fmt.Errorf("answering: %w", err)
		}
	}
	return sc.Err()
}

// longestRequest has room for a histogram of message sizes of 100,000 lines.
const longestRequest = 8 << 20

type server struct {
	bench func(provider.Setting) Bench
	Bench
	open  map[int]*opened
	timer *timer
}

type opened struct {
	op       provider.Operation
	scenario provider.Scenario
	cycle    int64 // calls from one garbage collection to the next; 0 where samples don't bear it
}

func (o *opened) either() interface {
	Check() error
	Close() error
} {
	if o.scenario != nil {
		return o.scenario
	}
	return o.op
}

func (o *opened) check() error {
	if err := provider.Guard(o.either().Check); err != nil {
		return FaultOf(Incorrect, err)
	}
	return nil
}

func (o *opened) close() error { return provider.Guard(o.either().Close) }

func (o *opened) clock() result.Clock {
	if c, ok := o.either().(provider.Clocked); ok {
		return c.Clock()
	}
	if o.scenario != nil {
		return result.WallClock
	}
	return ""
}

func (s *server) answer(line []byte) reply {
	var q request
	if err := json.Unmarshal(line, &q); err != nil {
		return reply{ID: q.ID, Fault: newFault(Failed, "request-parse", err)}
	}
	r, err := s.do(q)
	r.ID = q.ID
	if err != nil {
		r.Fault = faultOf(err)
	}
	return r
}

func faultOf(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	kind := Failed
	switch {
	case errors.Is(err, provider.ErrIncorrect):
		kind = Incorrect
	case errors.Is(err, provider.ErrAbsent):
		kind = Absent
	case errors.Is(err, errors.ErrUnsupported):
		kind = Unsupported
	}
	return FaultOf(kind, err)
}

func (s *server) do(q request) (reply, error) {
	switch q.Do {
	case "hello":
		return s.hello(q)
	case "probe", "open":
		return s.openTrial(q)
	case "try":
		return s.try(q)
	}
	o := s.open[q.Handle]
	if o == nil {
		return reply{}, newFault(Failed, "no-such-handle", q.Handle, q.Do)
	}
	switch q.Do {
	case "ready":
		ready, err := s.ready(o, q.Calls, q.Target)
		return reply{Ready: ready}, err
	case "run":
		sample, err := s.timer.sample(o, q.Calls)
		if err != nil {
			return reply{}, err
		}
		return reply{Run: fieldsOf(sample)}, nil
	case "check":
		return reply{}, o.check()
	case "measure":
		return s.measure(o, q)
	case "close":
		return reply{}, s.closeTrial(q.Handle)
	}
	return reply{}, newFault(Failed, "unknown-verb", q.Do)
}

func (s *server) hello(q request) (reply, error) {
	if q.Protocol != Protocol {
		return reply{}, newFault(Failed, "protocol", Protocol, q.Protocol)
	}
	if q.CPU >= 0 {
		// Where pinning is refused the samples' migration flag tells.
		_ = clock.Pin(q.CPU)
	}
	own, err := q.Sample.open()
	if err != nil {
		return reply{}, err
	}
	s.Bench = s.bench(provider.Setting{Seed: q.Seed, Dir: q.Dir, Mix: q.Mix, Own: own})
	h := &Hello{Protocol: Protocol, Libraries: s.Libraries, Cases: s.Cases, Counter: s.timer.noCounter}
	// A bench that knows nothing of the setting draws what it encrypts.
	if set, knows := s.Judge.(provider.Set); knows && own != nil && set.Setting().Own == own {
		h.Sample = own.SHA256
	}
	for _, p := range s.Providers {
		h.Subjects = append(h.Subjects, p.Subject())
	}
	// What starting left behind is collected now, and not beside the first samples.
	runtime.GC()
	return reply{Hello: h}, nil
}

// find returns the provider of a subject. The subject's environment is the
// worker's own and not the provider's business.
func (s *server) find(q request) (provider.Provider, error) {
	if q.Subject == nil || q.Case == nil {
		return nil, newFault(Failed, "needs-case", q.Do)
	}
	want := *q.Subject
	want.Environment = ""
	for _, p := range s.Providers {
		if p.Subject() == want {
			return p, nil
		}
	}
	for _, l := range s.Libraries {
		if l.Library == want.Library && l.Missing != "" { // such as one that refuses its environment
			return nil, &Fault{Unsupported, l.Missing, l.Cause}
		}
	}
	return nil, newFault(Absent, "worker-has-no", want.Library)
}

// openTrial opens a case; one that is only probed is closed again.
func (s *server) openTrial(q request) (reply, error) {
	if q.Do == "open" && s.open[q.Handle] != nil {
		return reply{}, newFault(Failed, "handle-used", q.Handle)
	}
	p, err := s.find(q)
	if err != nil {
		return reply{}, err
	}
	s.Judge.Block(q.Block)
	if q.Digest != "" {
		if err := s.Judge.Prove(*q.Case, q.Digest); err != nil {
			return reply{}, err
		}
	}
	o, err := prepare(p, *q.Case)
	if err != nil {
		return reply{}, err
	}
	a := about(p, *q.Case, o)
	if q.Do == "probe" {
		return reply{About: a}, o.close()
	}
	s.open[q.Handle] = o
	a.Digest, _ = s.Judge.Digest(*q.Case)
	return reply{About: a}, nil
}

func prepare(p provider.Provider, c result.Case) (*opened, error) {
	scenario, err := provider.PrepareScenario(p, c)
	if !errors.Is(err, provider.ErrAbsent) {
		return &opened{scenario: scenario}, err
	}
	op, err := provider.Prepare(p, c)
	return &opened{op: op}, err
}

func about(p provider.Provider, c result.Case, o *opened) *About {
	a := &About{Implementation: p.Subject().Implementation, Scenario: o.scenario != nil, Loop: "scenario"}
	if d, ok := p.(provider.Describer); ok {
		a.Implementation, a.ConstantTime, a.Note = d.Implementation(c), reason.Based(d.ConstantTime(c)), d.Note(c)
	}
	if l, ok := o.op.(provider.Looped); ok {
		a.Loop = l.Loop()
	}
	if g, ok := o.op.(provider.Granular); ok {
		a.Granularity = g.Granularity()
	}
	_, a.Records = o.op.(provider.Recorder)
	_, a.Unchecked = o.either().(provider.Unchecked)
	a.Clock = o.clock()
	return a
}

// closeTrial gives a trial back; after the last one the vectors go too, so that
// a group of large messages does not sit under the next group's samples.
func (s *server) closeTrial(handle int) error {
	o := s.open[handle]
	delete(s.open, handle)
	if len(s.open) == 0 {
		s.Judge.Release()
	}
	return o.close()
}
