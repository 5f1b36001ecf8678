// Package concurrency asks how throughput and latency change with the number of goroutines, and
// how a cipher is best held by them.
package concurrency

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks how throughput grows with goroutines, how they should hold the
// cipher, what a CPU does when all of them are busy, and how long requests wait
// under a constant load.
//
// Requests are worth 50 µs of work or more, since handing a goroutine less measures
// the scheduler (see [requestBytes]). A short message shows what a cipher made for
// each message costs; throughput is of messages, so it does not depend on how many
// make a request. Starting a batch of goroutines takes some tens of microseconds that
// belong to the sample: up to 3 % of the short form's batches, 0.3 % of the full form's,
// and the same for both sides of a comparison.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:     "concurrency",
		Question: "How does throughput grow with goroutines, and how should they hold the cipher?",
		Short: plan.Form{
			Sizes:  []int64{1 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 2, Target: 2 * time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{1 << 10, 16 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 5, Target: 20 * time.Millisecond},
		},
		Cases:        concurrencyCases(),
		LongestMixed: 1 << 20,
		Goroutines:   true,
		Plan: func(s plan.Selection, o plan.Offers) []plan.Group {
			return planConcurrency(s, o, runtime.GOMAXPROCS(0))
		},
	}
}

const arrival = "arrival"

// The ways of holding a cipher, as package provider names them.
const (
	shared  = "shared"
	own     = "own"
	perCall = "new"
	pool    = "pool"
)

// scaled are the ciphers that are measured over all numbers of goroutines; the
// others show what a CPU does when all are busy.
var scaled = []string{algorithm.AES256, algorithm.SM4}

// concurrencyCases are what a library is asked whether it offers it at all. The
// plan varies their parameters.
func concurrencyCases() (cases []result.Case) {
	for _, a := range []string{algorithm.AES256, algorithm.SM4, algorithm.AES128, algorithm.ChaCha20Poly1305} {
		c := result.Case{Algorithm: a, Mode: algorithm.GCM, Operation: algorithm.Encrypt}
		if a == algorithm.ChaCha20Poly1305 {
			c.Mode = ""
		}
		cases = append(cases, byGoroutines(c, 1, shared, 1), atLoad(c, 80, 1))
	}
	return cases
}

func byGoroutines(c result.Case, goroutines int, holding string, request int64) result.Case {
	c.Operation = algorithm.Encrypt
	return and(c, result.Parameters{"goroutines": strconv.Itoa(goroutines), "holding": holding, "request": strconv.FormatInt(request, 10)})
}

func atLoad(c result.Case, percent int, request int64) result.Case {
	c.Operation = arrival
	return and(c, result.Parameters{"load": strconv.Itoa(percent), "request": strconv.FormatInt(request, 10)})
}

// and sets parameters of a case beside those that it has.
func and(c result.Case, more result.Parameters) result.Case {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		p = result.Parameters{}
	}
	maps.Copy(p, more)
	c.Parameters = p.String()
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

// mostAsked is the greatest number of goroutines that may be asked for.
const mostAsked = 1 << 16

// ParseGoroutines reads a number of goroutines.
func ParseGoroutines(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostAsked {
		return 0, language.Errorf("--goroutines %q: give whole numbers from 1 to %d, e.g. 1,8,64",
			"--goroutines %q：请给出 1 至 %d 之间的整数，例如 1,8,64", text, mostAsked)
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
	counts = append(counts, cpus, most)
	slices.Sort(counts)
	return slices.Compact(counts)
}

// Emptiness of a request: what handing it over costs, at a rate at which the
// generator's own error is stated.
const emptyRate = 20_000

func planConcurrency(s plan.Selection, offers plan.Offers, cpus int) []plan.Group {
	e := Experiment()
	var groups []plan.Group
	cases := e.Narrow(s)
	sizes := e.Form(s).Sizes
	parameters := ""
	if len(s.Mix) > 0 {
		var size int64
		size, parameters = replayed(s)
		sizes = []int64{size}
	}
	for i, size := range sizes {
		p := concurrencyPlanner{size: size, mix: parameters, cpus: cpus, short: s.Short, headline: i == 0 || !s.Short && i == 1,
			counts: s.Goroutines, offers: offers}
		for _, c := range cases {
			if c.Operation == algorithm.Encrypt {
				groups = append(groups, p.parallel(c)...)
			}
		}
		if i == 0 || !s.Short {
			groups = append(groups, p.arrivals(cases, i == 0)...)
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

// concurrencyPlanner makes the groups of one message size, or of a mix.
type concurrencyPlanner struct {
	size     int64  // of a call
	mix      string // parameters of a call that replays a mix; "" where it is one message
	cpus     int
	short    bool
	headline bool
	counts   []int // of goroutines that were asked for; nil: the form's
	offers   plan.Offers
}

// many is how many goroutines hold the cipher in each of the ways: more than CPUs,
// so that they take turns, as in a server.
func (p concurrencyPlanner) many() int {
	if len(p.counts) > 0 {
		return slices.Max(p.counts)
	}
	return 2 * p.cpus
}

// goroutines are the numbers of goroutines that a cipher is measured over.
func (p concurrencyPlanner) goroutines(algorithm string) []int {
	switch {
	case len(p.counts) > 0:
		counts := slices.Clone(p.counts)
		slices.Sort(counts)
		return slices.Compact(counts)
	case !slices.Contains(scaled, algorithm):
		return slices.Compact([]int{1, p.cpus})
	case p.short:
		counts := []int{1, 2, p.cpus, plan.MostGoroutines(p.cpus)}
		slices.Sort(counts)
		return slices.Compact(counts)
	}
	return goroutineCounts(p.cpus)
}

// parallel is the group of one cipher: every library that offers it.
func (p concurrencyPlanner) parallel(c result.Case) []plan.Group {
	b := plan.NewBuilder(c.Name() + ", " + strconv.FormatInt(p.size, 10) + " bytes")
	subjects := plan.OneEach(p.offers.Subjects(c))
	c.Bytes, c.Parameters = p.size, p.mix
	for _, s := range subjects {
		switch {
		case s.Library == "tjfoc":
			p.unshared(b, s, c)
		case slices.Contains(scaled, c.Algorithm) && !(p.short && s.Library == plan.OwnLibrary):
			p.scaling(b, s, c)
			p.holding(b, s, c, true)
		default:
			p.busy(b, s, c)
		}
		if !p.short && s.Library != "tjfoc" && slices.Contains(scaled, c.Algorithm) {
			p.processors(b, s, c)
		}
	}
	return b.Groups()
}

// scaling measures a cipher that all share over the numbers of goroutines, and
// compares what the answer stands on: two with one, all CPUs with one, and the most
// with as many as there are CPUs.
func (p concurrencyPlanner) scaling(b *plan.Builder, s result.Subject, c result.Case) {
	request := requestOf(s, c)
	of := func(n int) result.Trial { return result.Trial{Subject: s, Case: byGoroutines(c, n, shared, request)} }
	counts := p.goroutines(c.Algorithm)
	for _, n := range counts {
		b.Add(s, of(n).Case)
	}
	first, last := counts[0], counts[len(counts)-1]
	for _, n := range counts[1:] {
		if n <= p.cpus || first > 1 {
			b.Compare(of(first), of(n)).Headline = p.headline && (n == 2 || n == p.cpus)
		}
	}
	if last > p.cpus && slices.Contains(counts, p.cpus) && p.cpus != first {
		b.Compare(of(p.cpus), of(last)).Headline = p.headline
	} else if last > p.cpus && p.cpus == 1 && first == 1 {
		b.Compare(of(1), of(last)).Headline = p.headline
	}
}

// busy measures a cipher on one CPU and on all of them.
func (p concurrencyPlanner) busy(b *plan.Builder, s result.Subject, c result.Case) {
	request := requestOf(s, c)
	counts := slices.Compact([]int{1, p.cpus})
	if len(p.counts) > 0 {
		counts = p.goroutines(c.Algorithm)
	}
	for _, n := range counts {
		b.Add(s, byGoroutines(c, n, shared, request))
	}
	for _, n := range counts[1:] {
		b.Compare(result.Trial{Subject: s, Case: byGoroutines(c, counts[0], shared, request)}, result.Trial{Subject: s, Case: byGoroutines(c, n, shared, request)}).Headline = p.headline && n == p.cpus
	}
}

// holding sets the other ways of holding a cipher against the shared one.
func (p concurrencyPlanner) holding(b *plan.Builder, s result.Subject, c result.Case, compared bool) {
	request := requestOf(s, c)
	of := func(how string) result.Trial {
		return result.Trial{Subject: s, Case: byGoroutines(c, p.many(), how, request)}
	}
	for _, how := range []string{shared, own, perCall, pool} {
		b.Add(s, of(how).Case)
		if how != shared && compared {
			b.Compare(of(shared), of(how)).Headline = p.headline
		}
	}
}

// unshared is a library whose cipher must not be shared. The short form shows that
// it is found out; the full one what the ways cost that are right.
func (p concurrencyPlanner) unshared(b *plan.Builder, s result.Subject, c result.Case) {
	request := requestOf(s, c)
	sharing := byGoroutines(c, p.many(), shared, request)
	defer b.Exhibit(s, sharing)
	if !p.short {
		p.holding(b, s, c, false)
		for _, how := range []string{perCall, pool} {
			b.Compare(result.Trial{Subject: s, Case: byGoroutines(c, p.many(), own, request)}, result.Trial{Subject: s, Case: byGoroutines(c, p.many(), how, request)})
		}
		return
	}
	b.Add(s, sharing)
}

// processors measures with fewer processors of the Go runtime than there are CPUs,
// in workers of their own: as many goroutines as processors, and the most.
func (p concurrencyPlanner) processors(b *plan.Builder, s result.Subject, c result.Case) {
	if len(p.counts) > 0 {
		return
	}
	for k := 1; k < p.cpus; k *= 2 {
		few := s
		few.Environment = "GOMAXPROCS=" + strconv.Itoa(k)
		request := requestOf(s, c)
		for _, n := range []int{k, plan.MostGoroutines(p.cpus)} {
			b.Add(few, byGoroutines(c, n, shared, request))
		}
		b.Compare(result.Trial{Subject: s, Case: byGoroutines(c, k, shared, request)}, result.Trial{Subject: few, Case: byGoroutines(c, k, shared, request)})
	}
}

// arrivals is the group of requests at a constant rate, and of empty ones. They are
// not compared: a latency is read off, and has no ratio to another.
func (p concurrencyPlanner) arrivals(cases []result.Case, empty bool) []plan.Group {
	b := plan.NewBuilder("constant arrival rate, " + strconv.FormatInt(p.size, 10) + " bytes")
	loads, blocks, window := []int{50, 80, 95}, 10, 600*time.Millisecond
	if p.short {
		loads, blocks, window = []int{80}, 3, 100*time.Millisecond
	}
	for _, c := range cases {
		if c.Operation != arrival || p.short && !slices.Contains(scaled, c.Algorithm) {
			continue
		}
		subjects := plan.OneEach(p.offers.Subjects(c))
		if p.short && len(subjects) > 1 {
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
	if s, ok := plan.Harness(p.offers); ok && empty {
		b.Add(s, result.Case{Algorithm: "empty", Operation: arrival, Parameters: "rate=" + strconv.Itoa(emptyRate)})
	}
	for i := range b.Group.Trials {
		b.Group.Trials[i].Blocks, b.Group.Trials[i].Window = blocks, window
	}
	return []plan.Group{b.Group}
}
