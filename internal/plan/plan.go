package plan

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

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
	Copy   int // 0, or another number to run in a second worker of the same kind
	Blocks int // it is measured in the first so many blocks; 0: in all
	Rounds int // and in the first so many rounds of each; 0: in all
	// Window is the wall time that a scenario has in a block, or an operation is thought to
	// take; 0: what it needs, which is little.
	Window time.Duration
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

func (t Trial) Worker() WorkerKey {
	s := t.Subject
	return WorkerKey{s.Library, s.Version, s.CallPath, s.Environment, t.Copy}
}

func (p Plan) Trials() (n int) {
	for _, g := range p.Groups {
		n += len(g.Trials)
	}
	return n
}

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
			took := open + t.Window
			if call := SlowestCall(t.Case.Bytes); t.Window == 0 {
				took += 3*call + time.Duration(t.rounds(rounds))*max(c.Target+spins, call)
			}
			d += took * time.Duration(t.blocks(c.Blocks)) / time.Duration(max(c.Blocks, 1))
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

// rounds is in how many of a block's rounds the trial is measured.
func (t Trial) rounds(all int) int {
	if t.Rounds == 0 {
		return all
	}
	return min(t.Rounds, all)
}

// spins is what a sample takes besides its target.
const spins = 200 * time.Microsecond

// SlowestCall guesses how long one call on a message takes in a table-driven
// cipher, at 150 MB/s; it matters where a call is longer than a sample.
func SlowestCall(bytes int64) time.Duration {
	return time.Duration(float64(bytes) / 150e6 * float64(time.Second))
}

// WithVersions sets the versions of a library against each other: in every group
// each trial against the first that does the same in another version, called in the
// same way. A library is in a run in two versions where the user gave two of its
// shared objects, and then this is what is asked.
func WithVersions(groups []Group) []Group {
	groups = slices.Clone(groups)
	for i := range groups {
		g := &groups[i]
		first := map[result.Trial]int{}
		g.Pairs = slices.Clone(g.Pairs)
		for j, t := range g.Trials {
			if t.Subject.CallPath == subject.Direct {
				continue // built in, of one version
			}
			unversioned := t.Trial
			unversioned.Subject.Version = ""
			base, there := first[unversioned]
			declared := func(p result.Pair) bool { return p.Base == base && p.Other == j }
			switch {
			case !there:
				first[unversioned] = j
			case g.Trials[base].Subject.Version != t.Subject.Version && !slices.ContainsFunc(g.Pairs, declared):
				g.Pairs = append(g.Pairs, result.Pair{Base: base, Other: j})
			}
		}
	}
	return groups
}

// GoroutineRoom is about how much memory a group's goroutines take: each has a
// histogram, a stack, and the buffer that it seals into.
func GoroutineRoom(g Group) (bytes int64) {
	for _, t := range g.Trials {
		bytes += int64(parameter.Goroutines.In(t.Case.Parameters)) * (48<<10 + t.Case.Bytes + t.Case.Bytes/2)
	}
	return bytes
}

// MessageRoom is about how much memory a group's messages, their digests and the
// goroutines for them take, in all of its workers. Of goroutines for each message
// fewer than half were seen to live at once: many end while others are started.
func MessageRoom(g Group) (bytes int64) {
	const header, digest, goroutine = 40, 32, 1 << 10
	seen := map[WorkerKey]bool{}
	for _, t := range g.Trials {
		n := parameter.Messages.In(t.Case.Parameters)
		if n == 0 || t.Case.Operation != algorithm.HashMany {
			continue
		}
		if key := t.Worker(); !seen[key] {
			seen[key] = true
			bytes += t.Case.Bytes + n*header
		}
		bytes += n * digest
		if parameter.Way.In(t.Case.Parameters) == parameter.Spawn {
			bytes += n * goroutine
		}
	}
	return bytes
}
