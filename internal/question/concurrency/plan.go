// Package concurrency asks how throughput and latency change with the number of goroutines, and
// how a cipher is best held by them.
package concurrency

import (
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment has requests that are worth 50 µs of work or more, since handing a goroutine less measures
// the scheduler (see [requestBytes]). A short message shows what a cipher made for
// each message costs; throughput is of messages, so it does not depend on how many
// make a request. Starting a batch of goroutines takes some tens of microseconds that
// belong to the sample: up to 3 % of the short form's batches, 0.6 % of the full form's,
// and the same for both sides of a comparison.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "concurrency", EveryCPU: true,
		Short: plan.Form{Sizes: []int64{1 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 2, Target: 2 * time.Millisecond}},
		Full: plan.Form{Sizes: []int64{1 << 10, 16 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 2, Target: 10 * time.Millisecond}},
		Cases:        concurrencyCases(),
		LongestMixed: 1 << 20,
		Flags:        []string{"sizes", "goroutines"},
		Make:         func(s plan.Narrowed) []plan.Group { return planConcurrency(s, runtime.GOMAXPROCS(0)) },
	}
}

// scaled are the ciphers that are measured over all numbers of goroutines; the
// others show what a CPU does when all are busy.
var scaled = []string{algorithm.AES256, algorithm.SM4}

// concurrencyCases are what a library is asked whether it offers it at all. The
// plan varies their parameters.
func concurrencyCases() (cases []result.Case) {
	for _, c := range []result.Case{
		{Algorithm: algorithm.AES256, Mode: algorithm.GCM}, {Algorithm: algorithm.SM4, Mode: algorithm.GCM},
		{Algorithm: algorithm.AES128, Mode: algorithm.GCM}, {Algorithm: algorithm.ChaCha20Poly1305},
	} {
		cases = append(cases, byGoroutines(c, 1, parameter.Shared, 1), atLoad(c, 80, 1))
	}
	return cases
}

func byGoroutines(c result.Case, goroutines int, holding parameter.Hold, request int64) result.Case {
	c.Operation = algorithm.Encrypt
	c.Parameters = parameter.With(c.Parameters, parameter.Goroutines.Is(goroutines), parameter.Holding.Is(holding),
		parameter.Request.Is(request))
	return c
}

func atLoad(c result.Case, percent int, request int64) result.Case {
	c.Operation = algorithm.Arrival
	c.Parameters = parameter.With(c.Parameters, parameter.Load.Is(percent), parameter.Request.Is(request))
	return c
}

// requestBytes is how much one request seals: what the fastest implementation that
// we know of does in 50 µs, on a CPU at 5 GHz, and a fifth more. It follows from
// the case alone and not from a measurement, so that a request is the same in every
// worker and on every machine.
func requestBytes(name, library string) int64 {
	switch {
	case library == "tjfoc":
		return 8 << 10 // tables in Go: 0.1 GB/s
	case name == algorithm.SM4 && library == "gmsm":
		return 128 << 10 // up to 2 GB/s
	case name == algorithm.SM4, name == algorithm.ChaCha20Poly1305:
		return 256 << 10 // up to 4 GB/s
	}
	return 512 << 10 // AES: up to 8 GB/s
}

func requestOf(s result.Subject, c result.Case) int64 {
	return max(1, requestBytes(c.Algorithm, s.Library)/max(c.Bytes, 1))
}

func ParseGoroutines(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > parameter.MostGoroutines {
		return 0, language.Errorf("--goroutines %q: give whole numbers from 1 to %d, e.g. 1,8,64",
			"--goroutines %q：请给出 1 至 %d 之间的整数，例如 1,8,64", text, parameter.MostGoroutines)
	}
	return n, nil
}

// goroutineCounts are 1, 2, 4 … and the number of CPUs and, where there are CPUs
// enough for a scaling law, 3 and the steps between the powers of two up to them.
func goroutineCounts(cpus int) (counts []int) {
	most := plan.MostGoroutines(cpus)
	for n := 1; n <= most; n *= 2 {
		counts = append(counts, n)
		if between := n + n/2; n > 1 && between < cpus {
			counts = append(counts, between)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(append(counts, cpus, most))))
}

// Emptiness of a request: what handing it over costs, at a rate at which the
// generator's own error is stated.
const emptyRate = 20_000

func planConcurrency(s plan.Narrowed, cpus int) (groups []plan.Group) {
	sizes, mix := s.Form.Sizes, ""
	if len(s.Mix) > 0 {
		var size int64
		size, mix = replayed(s.Selection)
		sizes = []int64{size}
	}
	for i, size := range sizes {
		p := planner{Narrowed: s, size: size, mix: mix, cpus: cpus, headline: i == 0 || !s.Short && i == 1,
			counts: slices.Compact(slices.Sorted(slices.Values(s.Goroutines)))}
		for _, c := range s.Cases {
			if c.Operation == algorithm.Encrypt {
				groups = append(groups, p.parallel(c)...)
			}
		}
		if i == 0 { // a request has as many bytes at any size
			groups = append(groups, p.arrivals()...)
		}
	}
	return groups
}

// A call that replays a mix takes so many messages that the shares come out, and
// about as many bytes as a request has.
const (
	fewestReplayed = 16
	mostReplayed   = 1024
	replayedBytes  = 256 << 10
)

// replayed is how many bytes one call of the run's mix has, and the parameters that
// say so to the workers, who draw the same messages.
func replayed(s plan.Selection) (size int64, parameters string) {
	n := int(min(max(replayedBytes/max(plan.MeanSize(s.Mix), 1), fewestReplayed), mostReplayed))
	for _, m := range seeded.DrawMix(s.Seed, s.Mix, n) {
		size += int64(m)
	}
	return size, seeded.MixParameters("", n)
}

type planner struct {
	plan.Narrowed
	size     int64  // of a call
	mix      string // parameters of a call that replays a mix; "" where it is one message
	cpus     int
	headline bool
	counts   []int // of goroutines that were asked for, rising; none: the form's
}

// many is how many goroutines hold the cipher in each of the ways: more than CPUs,
// so that they take turns, as in a server.
func (p planner) many() int {
	if len(p.counts) > 0 {
		return p.counts[len(p.counts)-1]
	}
	return 2 * p.cpus
}

func (p planner) goroutines() []int {
	switch {
	case len(p.counts) > 0:
		return p.counts
	case p.Short:
		return slices.Compact(slices.Sorted(slices.Values([]int{1, 2, p.cpus, plan.MostGoroutines(p.cpus)})))
	}
	return goroutineCounts(p.cpus)
}

// parallel is the group of one cipher: every library that offers it.
func (p planner) parallel(c result.Case) []plan.Group {
	b := plan.NewBuilder(language.Say("%s, %s", "%s，%s", c.Name(), plan.InBytes(p.size)))
	subjects := plan.OneEach(p.Subjects(c))
	c.Bytes, c.Parameters = p.size, p.mix
	for _, s := range subjects {
		u := user{p, b, s, c}
		switch {
		case s.Library == "tjfoc":
			u.unshared()
		case slices.Contains(scaled, c.Algorithm) && !(p.Short && s.Library == subject.Engine):
			u.scaling()
			u.holding()
			if !p.Short && len(p.counts) == 0 {
				u.processors()
			}
		default:
			u.busy()
		}
	}
	return b.Groups()
}

// user puts the trials of one subject and cipher into a group.
type user struct {
	planner
	*plan.Builder
	subject result.Subject
	cipher  result.Case
}

func (u user) of(goroutines int, how parameter.Hold) result.Trial {
	return result.Trial{Subject: u.subject, Case: byGoroutines(u.cipher, goroutines, how, requestOf(u.subject, u.cipher))}
}

func (u user) shared(goroutines int) result.Trial { return u.of(goroutines, parameter.Shared) }

func (u user) add(counts []int) {
	for _, n := range counts {
		u.Add(u.subject, u.shared(n).Case)
	}
}

// scaling measures a cipher that all share over the numbers of goroutines, and
// compares what the answer stands on: two with one, all CPUs with one, and the most
// with as many as there are CPUs.
func (u user) scaling() {
	counts := u.goroutines()
	u.add(counts)
	first, last := counts[0], counts[len(counts)-1]
	for _, n := range counts[1:] {
		if n <= u.cpus || first > 1 {
			u.Compare(u.shared(first), u.shared(n)).Headline = u.headline && (n == 2 || n == u.cpus)
		}
	}
	if last > u.cpus && (first == 1 || first != u.cpus) {
		u.Compare(u.shared(u.cpus), u.shared(last)).Headline = u.headline
	}
}

func (u user) busy() {
	counts := u.counts
	if len(counts) == 0 {
		counts = slices.Compact([]int{1, u.cpus})
	}
	u.add(counts)
	for _, n := range counts[1:] {
		u.Compare(u.shared(counts[0]), u.shared(n)).Headline = u.headline && n == u.cpus
	}
}

// holding sets the other ways of holding a cipher against the shared one.
func (u user) holding() {
	for _, how := range parameter.Holding.Words {
		t := u.Add(u.subject, u.of(u.many(), how).Case).Trial
		if how != parameter.Shared {
			u.Compare(u.shared(u.many()), t).Headline = u.headline
		}
	}
}

// unshared is a library whose cipher must not be shared. The short form shows that
// it is found out; the full one what the ways cost that are right.
func (u user) unshared() {
	u.Add(u.subject, u.shared(u.many()).Case).Exhibit = true
	if u.Short {
		return
	}
	own := u.Add(u.subject, u.of(u.many(), parameter.Own).Case).Trial
	for _, how := range []parameter.Hold{parameter.PerCall, parameter.Pooled} {
		u.Compare(own, u.Add(u.subject, u.of(u.many(), how).Case).Trial)
	}
}

// processors measures with fewer processors of the Go runtime than there are CPUs,
// in workers of their own: as many goroutines as processors, and the most.
func (u user) processors() {
	for k := 1; k < u.cpus; k *= 2 {
		few := u
		few.subject.Environment = parameter.GOMAXPROCS.Is(k)
		few.add([]int{k, plan.MostGoroutines(u.cpus)})
		u.Compare(u.shared(k), few.shared(k))
	}
}

// arrivals is the group of requests at a constant rate, and of empty ones. They are
// not compared: a latency is read off, and has no ratio to another.
func (p planner) arrivals() []plan.Group {
	b := plan.NewBuilder(language.Say("constant arrival rate, %s", "恒定到达速率，%s", plan.InBytes(p.size)))
	loads, blocks, window := []int{50, 80, 95}, 8, 400*time.Millisecond
	if p.Short {
		loads, blocks, window = []int{80}, 3, 90*time.Millisecond
	}
	for _, c := range p.Cases {
		if c.Operation != algorithm.Arrival || p.Short && !slices.Contains(scaled, c.Algorithm) {
			continue
		}
		subjects := plan.OneEach(p.Subjects(c))
		if p.Short && len(subjects) > 1 {
			subjects = subjects[:1]
		}
		c.Bytes, c.Parameters = p.size, p.mix
		for _, s := range subjects {
			for _, load := range loads {
				b.Add(s, atLoad(c, load, requestOf(s, c)))
			}
		}
	}
	if len(b.Group.Trials) == 0 {
		return nil
	}
	if s, ok := plan.Harness(p.Offers); ok {
		b.Add(s, result.Case{Algorithm: algorithm.Empty, Operation: algorithm.Arrival,
			Parameters: parameter.Rate.Is(emptyRate)})
	}
	for i := range b.Group.Trials {
		b.Group.Trials[i].Blocks, b.Group.Trials[i].Window = blocks, window
	}
	return b.Groups()
}
