package worker

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
)

// TestOvertime: a late answer is waited for as long as the worker could not have given it, and so is one that reads the
// request late.
func TestOvertime(t *testing.T) {
	const had = 3 * time.Second
	never := 0 * time.Second
	for _, test := range []struct {
		name    string
		answer  time.Duration // after the request
		starved float64       // share of its time that the worker waits for a CPU
		ends    time.Duration
		hung    bool
	}{
		{"in time", had - time.Second, 1, had - time.Second, false},
		{"late, with a CPU", had + had/2, 0, had + had/4, true},
		{"late, in the queue", had + 2*had, 1, had + 2*had, false},
		{"late, mostly in the queue", had + had, 0.8, had + had, false},
		{"too late, half of it in the queue", had + had, 0.5, had + had/2, true},
		{"never, in the queue", never, 1, had + 4*had, true},
	} {
		for kind, made := range map[string]func(time.Duration, func() func() time.Duration) *Process{
			"answers": silent, "reads": unreading,
		} {
			t.Run(test.name+", "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := made(test.answer, func() func() time.Duration {
						start := time.Now()
						return func() time.Duration { return time.Duration(test.starved * float64(time.Since(start))) }
					})
					ctx, cancel := context.WithTimeout(t.Context(), had)
					defer cancel()
					start := time.Now()
					_, err := p.Probe(ctx, result.Subject{}, result.Case{})
					died, _ := errors.AsType[*Died](err)
					if hung := died != nil && died.Hung; hung != test.hung || (err != nil) != test.hung {
						t.Errorf("%v, hung: %t", err, hung)
					}
					if took := time.Since(start); took < test.ends || took > test.ends+OvertimeLook {
						t.Errorf("it took %v, want %v", took, test.ends)
					}
					p.Stop()
				})
			})
		}
	}
}

// TestNoOvertime: who interrupts waits for nothing.
func TestNoOvertime(t *testing.T) {
	for _, made := range []func(time.Duration, func() func() time.Duration) *Process{silent, unreading} {
		synctest.Test(t, func(t *testing.T) {
			p := made(0, func() func() time.Duration { return func() time.Duration { return time.Hour } })
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			start := time.Now()
			_, err := p.Probe(ctx, result.Subject{}, result.Case{})
			if died, ok := errors.AsType[*Died](err); !ok || died.Hung || time.Since(start) != time.Second {
				t.Errorf("%v after %v", err, time.Since(start))
			}
			p.Stop()
		})
	}
}

// silent is a worker that answers one request after so long; 0 is never.
func silent(after time.Duration, queued func() func() time.Duration) *Process {
	lines, gone := make(chan []byte), make(chan struct{})
	go func() {
		defer close(lines)
		if after > 0 {
			select {
			case <-time.After(after):
				select {
				case lines <- []byte(`{"id":1,"about":{}}`):
				case <-gone:
				}
			case <-gone:
				return
			}
		}
		<-gone
	}()
	return pretended(discard{}, lines, gone, queued)
}

// unreading is a worker that reads one request after so long, and answers it at once; 0 is never. Its death does not
// close its input, as where a process that it started has it, too.
func unreading(after time.Duration, queued func() func() time.Duration) *Process {
	in, stdin := io.Pipe()
	lines, gone := make(chan []byte), make(chan struct{})
	go func() {
		defer close(lines)
		if after > 0 {
			select {
			case <-time.After(after):
				_, _ = bufio.NewReader(in).ReadSlice('\n')
				lines <- []byte(`{"id":1,"about":{}}`)
			case <-gone:
			}
		}
		<-gone
	}()
	return pretended(stdin, lines, gone, queued)
}

// pretended is a worker that answers by lines until it is killed, which closes gone.
func pretended(stdin io.WriteCloser, lines chan []byte, gone chan struct{}, queued func() func() time.Duration) *Process {
	return &Process{stdin: stdin, stderr: &head{}, lines: lines, queued: queued,
		kill: sync.OnceFunc(func() { close(gone) }), wait: func() error { <-gone; return nil }}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return io.Discard.Write(b) }
func (discard) Close() error                { return nil }

// TestQueueing: this process has waited for no less than nothing, and a process that isn't there not at all.
func TestQueueing(t *testing.T) {
	if waited := queueing(procfs, os.Getpid())(); waited < 0 || waited > time.Minute {
		t.Errorf("waited for %v", waited)
	}
	if waited := queueing(procfs, 1<<30)(); waited != 0 {
		t.Errorf("nobody waited for %v", waited)
	}
}
