// Package measure turns a plan into samples: it opens trials in worker
// processes, checks their output, sizes their batches, interleaves them and
// writes every sample down as it comes.
//
// # Groups, rounds, blocks
//
// Trials that are to be compared form a group. A round takes one sample of every
// trial of the group, in an order that is balanced over the rounds of a block and
// drawn anew for each block, so drift of the machine falls on all of them alike.
// Blocks are the outer loop: each starts fresh workers, because the memory layout
// of one process moves a median by several percent, and what holds for one layout
// is not a result. Where in a page input and output lie is drawn for each block as
// well, alike for all trials (place.go of package provider): an allocator would do the
// same in every process. The readers take the median of each block as one observation.
//
// # Right before fast
//
// In each block a trial's output is checked before the first sample and after the
// last. A block that was not closed by a check does not count. A trial whose
// output is wrong, whose library gives up, or whose worker dies leaves the
// comparison with its reason, and the others go on.
//
// # When it stops
//
// After the planned number of blocks, or at the end of the block in which the
// asked precision was reached or after which another block would overrun the
// budget, never on account of a verdict. A plan can be left after a block and gone
// on with, so that several can take turns (see Course).
package measure

import (
	"context"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Worker is what measure asks of a worker; worker.Process has it.
type Worker interface {
	Open(ctx context.Context, handle int, t result.Trial, block int, digest string) (worker.About, error)
	Ready(ctx context.Context, handle int, calls int64, target time.Duration) (worker.Ready, error)
	Run(ctx context.Context, handle int, calls int64) (result.Sample, error)
	Check(ctx context.Context, handle int) error
	Measure(ctx context.Context, handle int, seconds float64, block int) (result.Record, error)
	Close(ctx context.Context, handle int) error
	Stop()
}

// Sink takes what happens as it happens; result.Writer is one.
type Sink interface {
	Trial(result.TrialInfo) error
	Group(result.Group) error
	Opened(result.Opened) error
	Closed(result.Closed) error
	Status(result.StatusChange) error
	Sample(result.Sample) error
	Record(result.Record) error
}

// Progress tells how far an experiment is, once a sample.
type Progress struct {
	Experiment string
	Block      int
	Done       float64      // share of what is measured of the experiment now, 0…1
	Trial      result.Trial // last sampled
	NsPerCall  float64      // of that sample, thread time
}

// Memory is a sink that keeps what is measured as a run, without a file: what reads runs reads it too.
type Memory struct{ result.Run }

func keep[T any](list *[]T, x T) error {
	*list = append(*list, x)
	return nil
}

func (m *Memory) Trial(t result.TrialInfo) error     { return keep(&m.Trials, t) }
func (m *Memory) Group(g result.Group) error         { return keep(&m.Groups, g) }
func (m *Memory) Opened(o result.Opened) error       { return keep(&m.Run.Opened, o) }
func (m *Memory) Closed(c result.Closed) error       { return keep(&m.Run.Closed, c) }
func (m *Memory) Status(c result.StatusChange) error { return keep(&m.Statuses, c) }
func (m *Memory) Sample(s result.Sample) error       { return keep(&m.Samples, s) }
func (m *Memory) Record(r result.Record) error       { return keep(&m.Records, r) }
