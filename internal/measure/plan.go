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
// is not a result. The readers take the median of each block as one observation.
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
// budget, never on account of a verdict.
package measure

import (
	"context"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Plan is an experiment's groups of trials.
type Plan struct {
	Experiment string
	Groups     []Group
}

// Group is trials that are measured in turn. Pairs name its trials by their
// place in Trials.
type Group struct {
	Name   string
	Kind   string // "", result.KindNoise or result.KindHarness
	Trials []Trial
	Pairs  []result.Pair
}

// Trial is a subject on a case, and where it runs.
type Trial struct {
	result.Trial
	Copy   int           // 0, or another number to run in a second worker of the same kind
	Blocks int           // it is measured in the first so many blocks; 0: in all
	Window time.Duration // of wall time that a scenario has in a block, or an operation is thought to take; 0: what it needs, which is little
	// Exhibit marks a trial that is shown because its output is known to be wrong.
	// It is found incorrect like any other, and no gate fails on account of it.
	Exhibit bool
}

// WorkerKey names a worker process. A library lives in a process of its own, so
// that its crashes and its garbage are its own; trials of equal keys share one.
type WorkerKey struct {
	Library, Version, CallPath, Environment string
	Copy                                    int
}

// Worker says which worker the trial runs in.
func (t Trial) Worker() WorkerKey {
	s := t.Subject
	return WorkerKey{s.Library, s.Version, s.CallPath, s.Environment, t.Copy}
}

// Trials counts the trials of all groups.
func (p Plan) Trials() (n int) {
	for _, g := range p.Groups {
		n += len(g.Trials)
	}
	return n
}

// Config says how much is measured.
type Config struct {
	Blocks    int           // restarts of the workers
	Rounds    int           // of every group in a block
	Target    time.Duration // of one sample, of thread time
	Budget    time.Duration // wall time of the experiment, without waiting for what hangs; 0: none
	Limit     time.Duration // of wall time with it, where there is a budget; 0: none
	Precision float64       // relative half-width at which to stop, 0.01 is ±1 %; 0: never
	Seed      uint64
	Deadline  time.Duration // for a worker's answer, beyond what it should take
}

// Duration estimates the wall time of a plan under a config.
func (c Config) Duration(p Plan) time.Duration {
	all := time.Duration(c.Blocks) * c.block(p, c.Rounds)
	if c.Budget > 0 {
		return min(all, c.Budget) // in which a block that is too long is broken off
	}
	return all
}

// Needs estimates the least wall time in which so many blocks can be had, with
// one round each.
func (c Config) Needs(p Plan, blocks int) time.Duration {
	return time.Duration(blocks) * c.block(p, 1)
}

// block estimates one block: a trial is opened, run twice and more to check and
// warm it, sampled once a round, and closed.
func (c Config) block(p Plan, rounds int) time.Duration {
	const start, open = 60 * time.Millisecond, 1500 * time.Microsecond
	d := start
	for _, g := range p.Groups {
		for _, t := range g.Trials {
			if t.Window > 0 {
				d += open + t.Window*time.Duration(t.blocks(c.Blocks))/time.Duration(max(c.Blocks, 1))
				continue
			}
			call := slowest(t.Case.Bytes)
			d += open + 3*call + time.Duration(rounds)*max(c.Target+spins, call)
		}
	}
	return d
}

// blocks is in how many of a plan's blocks the trial is measured.
func (t Trial) blocks(all int) int {
	if t.Blocks == 0 {
		return all
	}
	return min(t.Blocks, all)
}

// spins is what a sample takes besides its target.
const spins = 200 * time.Microsecond

// slowest guesses how long one call on a message takes in a table-driven
// cipher, at 150 MB/s; it matters where a call is longer than a sample.
func slowest(bytes int64) time.Duration {
	return time.Duration(float64(bytes) / 150e6 * float64(time.Second))
}

// Worker is what measure asks of a worker; worker.Process has it.
type Worker interface {
	Open(ctx context.Context, handle int, t result.Trial, digest string) (worker.About, error)
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
	Experiment    string
	Block, Blocks int
	Done          float64      // share of the experiment, 0…1
	Trial         result.Trial // last sampled
	NsPerCall     float64      // of that sample, thread time
}
