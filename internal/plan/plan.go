package plan

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

type Plan struct {
	Experiment string
	EveryCPU   bool // its trials use all CPUs
	Groups     []Group
}

// Group is trials that are measured in turn. Pairs name its trials by their
// place in Trials.
type Group struct {
	Name   string
	Title  language.Text // what people are told that it is; in English its name
	Kind   string        // "", result.KindNoise or result.KindHarness
	Trials []Trial
	Pairs  []result.Pair
	// Rounds and Target are what it has at least, whatever the config says; 0 for no more than that.
	Rounds int
	Target time.Duration
}

// Trial is a subject on a case, and where it runs.
type Trial struct {
	result.Trial
	Copy   int // 0, or another number to run in a second worker of the same kind
	Blocks int // it is measured in the first so many blocks; 0: in all
	Rounds int // and in the first so many rounds of each; 0: in all
	// Window is the wall time that a scenario has in a block; 0: what it needs, which is little.
	Window time.Duration
	// Call is how long one call of an operation is thought to take; 0: see Expected.
	Call time.Duration
	// WarmUp is what its worker says that it takes in each block before its first sample, beyond the calls.
	WarmUp time.Duration
	// Prepare is what it takes to open and check it in a block, beyond what is usual for its bytes; in the first, for
	// which the reference computes what comes out, twice that.
	Prepare time.Duration
	// Exhibit marks a trial that is shown because its output is known to be wrong.
	// It is found incorrect like any other, and no gate fails on account of it.
	Exhibit bool
	// Asked marks a trial whose number answers a question by itself, beside no other: where a plan is cut it stays as
	// long as the comparisons of the short form do.
	Asked bool
}

// WorkerKey names a worker process. A library lives in a process of its own, so
// that its crashes and its garbage are its own; trials of equal keys share one.
type WorkerKey struct {
	Library, Version, CallPath, Runtime, Environment string
	Copy                                             int
}

func (t Trial) Worker() WorkerKey {
	key := WorkerOf(t.Subject)
	key.Copy = t.Copy
	return key
}

// WorkerOf is the first worker that a subject lives in.
func WorkerOf(s result.Subject) WorkerKey {
	return WorkerKey{s.Library, s.Version, s.CallPath, s.Runtime, s.Environment, 0}
}

func (p Plan) Trials() (n int) {
	for _, g := range p.Groups {
		n += len(g.Trials)
	}
	return n
}

type Config struct {
	Blocks    int           // restarts of the workers
	More      int           // blocks where the budget allows; 0: no more than Blocks
	Fewest    int           // blocks that a plan is cut down to, in a short form; 0: LeastBlocks
	Rounds    int           // of every group in a block
	Most      int           // rounds of a block where the budget allows; 0: no more than Rounds
	Least     int           // rounds of a trial whose call outlasts a sample, at the least; 0: as many as of all
	Target    time.Duration // of one sample, of thread time
	Budget    time.Duration // wall time of the experiment, in which no block is begun that would not fit; 0: none
	Limit     time.Duration // after which what goes on is broken off, where there is a budget
	Precision float64       // relative half-width at which to stop, 0.01 is ±1 %; 0: never
	Enough    float64       // relative half-width of ratios at which no more than Blocks are taken; 0: none
	Seed      uint64
	Deadline  time.Duration // for a worker's answer, beyond what it should take
}

// Duration estimates the wall time of a plan under a config, whatever its budget.
func (c Config) Duration(p Plan) (d time.Duration) {
	workers := map[WorkerKey]bool{}
	for _, g := range p.Groups {
		of := c.of(g)
		for _, t := range g.Trials {
			workers[t.Worker()] = true
			d += of.trial(t)
		}
	}
	return d + time.Duration(c.Blocks)*(startBlock+time.Duration(len(workers))*startWorker)
}

// of is the config of a group.
func (c Config) of(g Group) Config {
	c.Rounds, c.Target = max(c.Rounds, g.Rounds), max(c.Target, g.Target)
	return c
}

// What a block takes to start and to end, beside its trials, and what it adds for every
// worker, on two CPUs; and what a trial takes to be opened, checked and closed.
const (
	startBlock   = 30 * time.Millisecond
	startWorker  = 5 * time.Millisecond
	openTrial    = 900 * time.Microsecond
	openKeyPair  = 5500 * time.Microsecond
	openBytes    = 400e6 // a second: messages are drawn, and their outputs computed by the reference
	checkedCalls = 2     // to be checked, and to count what they allocate
)

// trial estimates the wall time of one trial in all blocks: it is opened, checked, warmed up by
// a sample where one is many calls, sampled once a round, checked again, and closed. A scenario
// has its window instead.
func (c Config) trial(t Trial) time.Duration {
	each := openTrial
	if algorithm.Of(t.Case.Algorithm).KeyPair() || t.Case.Operation == algorithm.Handshake {
		each = openKeyPair
	}
	if call := t.Expected(); t.Window > 0 {
		each += t.Window
	} else {
		samples := t.RoundsIn(c)
		if call < c.Target {
			samples++
		}
		each += time.Duration(float64(t.Case.Bytes) / openBytes * float64(time.Second))
		each += checkedCalls*call + time.Duration(samples)*max(c.Target+spins, call)
	}
	return time.Duration(t.blocks(c.Blocks))*(each+t.WarmUp+t.Prepare) + t.Prepare
}

// blocks is in how many of a plan's blocks the trial is measured.
func (t Trial) blocks(all int) int { return min(cmp.Or(t.Blocks, all), all) }

// RoundsIn is in how many of a block's rounds the trial is measured. Samples are short and
// rounds many, so that a block's median is free of the samples that an interrupt fell into,
// every fourth of 1 ms where the kernel ticks 250 times a second. A call that outlasts a
// sample has its share of interrupts anyway, and gets no more time than the others.
func (t Trial) RoundsIn(c Config) int {
	rounds := min(cmp.Or(t.Rounds, c.Rounds), c.Rounds)
	if call := t.Expected(); c.Least > 0 && call > c.Target {
		rounds = min(rounds, max(c.Least, int(time.Duration(c.Rounds)*c.Target/call)))
	}
	return rounds
}

// spins is what a sample takes besides its target.
const spins = 300 * time.Microsecond

// Expected is about how long one call takes, at the most; it matters where that is longer
// than a sample. A message is computed at 150 MB/s, as in a cipher of tables, and RSA with
// a private key in 1.2 ms at 2048 bits, which the chinese remainder theorem makes short.
func (t Trial) Expected() time.Duration {
	const bytesPerSecond, private2048, withoutCRT = 150e6, 1.2e-3, 6
	seconds := float64(t.Case.Bytes) / bytesPerSecond
	if bits := algorithm.RSABits(t.Case.Algorithm); bits > 0 && t.Case.Operation != algorithm.Verify && t.Case.Operation != algorithm.Encrypt {
		seconds = private2048 * math.Pow(float64(bits)/2048, 2.7)
		if parameter.CRT.Has(t.Case.Parameters) {
			seconds *= withoutCRT
		}
	}
	return cmp.Or(t.Call, time.Duration(seconds*float64(time.Second)))
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
