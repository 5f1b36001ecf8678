package gobench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// clockOf is what a binary is asked to read.
type clockOf string

const (
	onWall clockOf = ""
	onCPU  clockOf = "process"
)

// once are the arguments for a benchmark that is called so often.
func once(pattern string, calls int64) []string {
	return []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + strconv.FormatInt(calls, 10) + "x",
		"-test.count=1", "-test.cpu=1", "-test.benchmem", "-test.timeout=0", "-test.v"}
}

func (t Tests) command(ctx context.Context, clock clockOf, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.Binary, args...)
	cmd.Dir, cmd.WaitDelay = t.Dir, time.Second
	cmd.Env = append(os.Environ(), ClockVariable+"="+string(clock))
	withParent(cmd)
	return cmd
}

// ran is what a process of one benchmark left.
type ran struct {
	figure
	cpu, wall time.Duration // of the process
	queued    time.Duration // in which it waited for a CPU; 0 where it was not watched, or nobody tells
}

// watcher looks at a process until the function is called that it returns, which says how long it has waited for a CPU.
type watcher func(pid int) (stop func() time.Duration)

func unwatched(int) func() time.Duration { return func() time.Duration { return 0 } }

// watchQueue looks often, since a short process has only a few looks. What its last look missed is not known. Not every
// sample is watched: when a process ends, Linux (6.18) tries again and again to drop its entries in /proc for as long as
// a thread that reads one of them waits for a CPU, and Wait does not return before that.
func watchQueue(pid int) (stop func() time.Duration) {
	const often = 5 * time.Millisecond
	ended, told := make(chan struct{}), make(chan time.Duration)
	go func() {
		queued, waited, look := worker.Queueing(pid), time.Duration(0), time.NewTicker(often)
		defer look.Stop()
		for {
			select {
			case <-look.C:
				waited = queued()
			case <-ended:
				told <- waited
				return
			}
		}
	}()
	return func() time.Duration { close(ended); return <-told }
}

// expire waits until a process has had its time, and what it gets beyond for having waited for a CPU. It is false where
// the context ends before.
func expire(ctx context.Context, pid int, had time.Duration) bool {
	select {
	case <-time.After(had):
	case <-ctx.Done():
		return false
	}
	over, look := worker.NewOvertime(pid, had), time.NewTicker(worker.OvertimeLook)
	defer look.Stop()
	for !over.Up() {
		select {
		case <-look.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// share is what part of the wall's time the process had a CPU.
func (r ran) share() float64 {
	return min(1, max(float64(r.cpu), 1)/max(float64(r.wall), 1))
}

// run calls a benchmark so often, in a process of its own.
func (t Tests) run(name string, calls int64, clock clockOf, longest time.Duration) (ran, error) {
	return t.watched(unwatched, name, calls, clock, longest)
}

func (t Tests) watched(by watcher, name string, calls int64, clock clockOf, longest time.Duration) (r ran, err error) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	cmd := t.command(ctx, clock, once(exactly(name), calls))
	var out, said lastOutput
	cmd.Stdout, cmd.Stderr = &out, &said
	begun := time.Now()
	ended := cmd.Start()
	if ended == nil {
		go func() {
			if expire(ctx, cmd.Process.Pid, longest) {
				end()
			}
		}()
		queued := by(cmd.Process.Pid)
		ended = cmd.Wait()
		r.queued = queued()
	}
	r.wall = time.Since(begun)
	if cmd.ProcessState != nil {
		r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if ctx.Err() != nil {
		return r, reason.New("bench-hangs", longest)
	}
	if errors.Is(ended, exec.ErrWaitDelay) {
		ended = nil // it left a process of its own behind
	}
	if f, ok := figureIn(out.String(), calls); ok && ended == nil {
		r.figure = f
		return r, nil
	}
	return r, whyNot(out.String(), said.String(), ended)
}

// lastOutput keeps the end of what is written to it, where the figures are.
type lastOutput struct{ bytes.Buffer }

const kept = 64 << 10

func (o *lastOutput) Write(b []byte) (int, error) {
	if o.Len() > 4*kept {
		o.Next(o.Len() - kept)
	}
	o.Buffer.Write(b)
	return len(b), nil
}
