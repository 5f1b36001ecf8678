package suite

import (
	"context"
	"errors"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Workers starts worker processes that share a setting and measure on one CPU.
type Workers struct {
	command  func(plan.WorkerKey) worker.Command
	setting  provider.Setting
	deadline time.Duration
	greeting time.Duration // for a worker's start, beside others
	cpu      int
	natives  []Native
	found    map[plan.WorkerKey]beyond
	alone    bool // only the harness of this program's own worker is measured
	hangs    *measure.Hangs
	// hangsOnOdd are those on abnormal inputs, which cost no row.
	hangsOnOdd measure.Hangs
	until      time.Time // when the run is over; zero: never
	watch      func(plan.WorkerKey, *worker.Process) measure.Worker
}

// NewWorkers starts nothing yet, and pins nothing.
func NewWorkers(command func(plan.WorkerKey) worker.Command, setting provider.Setting, deadline time.Duration) *Workers {
	return &Workers{command: command, setting: setting, deadline: deadline, greeting: deadline,
		cpu: -1, hangs: &measure.Hangs{}}
}

// Pinned picks the CPU that the measuring threads will stay on, in 20 ms, where
// the platform pins. It returns w.
func (w *Workers) Pinned() *Workers {
	if cpu, err := clock.BestCPU(); err == nil {
		w.cpu = cpu
	}
	return w
}

// CPU is the CPU that the measuring threads stay on; -1 where they are not pinned.
func (w *Workers) CPU() int { return w.cpu }

func (w *Workers) Start(ctx context.Context, key plan.WorkerKey) (*worker.Process, worker.Hello, error) {
	n, is := w.found[keyOf(key)]
	switch {
	case !is:
		return w.greet(ctx, key.Library, w.command(key))
	case n.fault != nil:
		return nil, worker.Hello{}, n.fault
	}
	p, hello, err := w.greet(ctx, key.Library, n.Command(parameter.WithoutSide(key.Environment), n.twin))
	if err != nil {
		return nil, hello, err
	}
	if err := n.unchanged(hello.Libraries); err != nil {
		p.Stop()
		return nil, hello, err
	}
	return p, hello, nil
}

func (w *Workers) greet(ctx context.Context, library string, command worker.Command) (
	*worker.Process, worker.Hello, error) {
	command.Own = w.setting.Own
	p, err := worker.Start(command)
	if err != nil {
		return nil, worker.Hello{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, w.greeting)
	defer cancel()
	if !w.until.IsZero() { // then it is we who end it, and no library that hangs
		defer time.AfterFunc(time.Until(w.until), cancel).Stop()
	}
	hello, err := p.Hello(ctx, w.setting, w.cpu)
	if err == nil {
		return p, hello, nil
	}
	p.Stop()
	if library == "" {
		return nil, hello, reason.New("starting", err)
	}
	return nil, hello, reason.New("starting-for", library, err)
}

// probe asks a subject's worker for one case after the other, each within the
// deadline, and gives what it answers. A worker that dies is an answer too; the
// next case is asked of a fresh one, until there have been so many hangs that the
// library is given up.
func (w *Workers) probe(ctx context.Context, sub result.Subject, cases []result.Case,
	answer func(i int, a worker.About, err error)) error {
	key := plan.WorkerOf(sub)
	p, _, err := w.Start(ctx, key)
	if _, is := w.found[keyOf(key)]; err != nil && (!is || ctx.Err() != nil) {
		return err
	}
	w.hangs.Note(key, err)
	defer func() {
		if p != nil {
			p.Stop()
		}
	}()
	for i, c := range cases {
		if p == nil || w.hangs.GivenUp(key) {
			answer(i, worker.About{}, errUnanswered)
			continue
		}
		call, cancel := context.WithTimeout(ctx, w.deadline)
		about, err := p.Probe(call, sub, c)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.hangs.Note(key, err)
		answer(i, about, err)
		if died := (*worker.Died)(nil); errors.As(err, &died) {
			p.Stop()
			p, _, err = w.Start(ctx, key)
			w.hangs.Note(key, err)
		}
	}
	return ctx.Err()
}

// errUnanswered answers for a library of which nothing more is asked.
var errUnanswered = reason.New("unanswered")

// ForLab is Start in the shape that measure.Lab takes. It shows the worker to who watches.
func (w *Workers) ForLab(key plan.WorkerKey) (measure.Worker, error) {
	p, _, err := w.Start(context.Background(), key)
	if err != nil {
		return nil, err // a nil *Process in the interface would not be nil
	}
	if w.watch != nil {
		return w.watch(key, p), nil
	}
	return p, nil
}
