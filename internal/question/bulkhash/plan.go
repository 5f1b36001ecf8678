// Package bulkhash asks how many messages are hashed fastest, and how files are read for it.
package bulkhash

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what is gained by the usual advice on hashing many messages, and what
// hashing a file depends on.
//
// Everything is compared with what one writes first: a loop over md5.Sum, and where
// the advice is about the states of md5.New, a loop over that. Messages are so many
// that they don't fit into the caches of a core, and so are their digests; the short
// form has a tenth of them, which is enough to tell the ways apart.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:     "bulkhash",
		Question: "How should many messages be hashed, which of the usual advice helps, and what should replace MD5?",
		Short: plan.Form{
			Sizes:  []int64{64},
			Config: plan.Config{Blocks: 17, Rounds: 2, Target: time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{64, 1 << 10, 64 << 10, 1 << 20},
			Config: plan.Config{Blocks: 18, Rounds: 3, Target: 4 * time.Millisecond},
		},
		Cases:    bulkCases(),
		Messages: true,
		Files:    true,
		Plan:     func(s plan.Selection, o plan.Offers) []plan.Group { return planBulk(s, o, runtime.GOMAXPROCS(0)) },
	}
}

// The operations of the experiment.
const (
	HashMany = "hash-many"
	HashFile = "hash-file"
	start    = "start"
)

const (
	usualMessages = 100_000
	shortMessages = 10_000
	// mostMessages and mostMessageBytes bound what a call hashes.
	mostMessages     = 10_000_000
	mostMessageBytes = 1 << 30
	// Messages longer than longMessage are fewer, so that a call hashes no more than
	// longBytes of them; in the short form all are bounded, by shortBytes.
	longMessage = 4 << 10
	longBytes   = 64 << 20
	shortBytes  = 4 << 20
)

// ParseMessages reads how many messages are hashed at once.
func ParseMessages(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > mostMessages {
		return 0, language.Errorf("--messages %q: give a whole number from 1 to %d, e.g. 1000000",
			"--messages %q：请给出 1 至 %d 之间的整数，例如 1000000", text, mostMessages)
	}
	return n, nil
}

// MessagesFit says why so many messages of the sizes that were asked for can't be
// hashed at once; nil where they can, or where the form chooses either.
func MessagesFit(s plan.Selection) error {
	if s.Messages == 0 || len(s.Sizes) == 0 {
		return nil
	}
	if size := slices.Max(s.Sizes); s.Messages > mostMessageBytes/size {
		return language.Errorf("--messages %d: of %d bytes each they are more than 1 GiB together; give %d or fewer, or smaller --sizes",
			"--messages %d：每条 %d 字节，合计超过 1 GiB；请给 %d 条以内，或减小 --sizes",
			s.Messages, size, max(1, mostMessageBytes/size))
	}
	return nil
}

// messagesOf is how many messages of a size a call hashes.
func messagesOf(s plan.Selection, size int64) int64 {
	switch {
	case s.Messages > 0 && len(s.Sizes) > 0:
		return s.Messages
	case s.Short && s.Messages == 0:
		return min(shortMessages, max(4, shortBytes/size))
	}
	n := int64(usualMessages)
	if s.Messages > 0 {
		n = s.Messages
	}
	if size > longMessage {
		return min(n, max(1, longBytes/size))
	}
	return min(n, mostMessageBytes/size)
}

// The ways to hash many messages, as package bulkhash of the providers has them.
const (
	byNew        = "new"
	bySum        = "sum"
	byPool       = "pool"
	byPoolBuffer = "pool-buffer"
	byCopy       = "string-copy"
	byView       = "string-view"
	bySpawn      = "spawn"
	byChannel    = "channel"
	byCounter    = "counter"
	bySplit      = "split"
	byLanes      = "lanes"
)

// manyBatches are how many messages an item of a channel has.
var manyBatches = []int{1, 16, 64, 256, 1024, 4096}

const (
	usualBatch = 256
	// callers are goroutines that each make single calls, as servers have them.
	callers = 64
	// simdStreams are as many as md5-simd has lanes.
	simdStreams = 16
)

// crowds are how many goroutines are started at once.
var crowds = []int{10_000, 100_000, 1_000_000}

// fileBytes is how long the file is. Its hash takes some 25 ms.
const fileBytes = 16 << 20

var (
	fileChunks  = []int64{4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20}
	stackChunks = []int64{4 << 10, 16 << 10, 64 << 10, 128 << 10}
)

const usualFileChunk, ioCopyChunk = 64 << 10, 32 << 10

// bulkCases are what a library is asked whether it offers it at all. The plan varies
// their numbers.
func bulkCases() (cases []result.Case) {
	for _, way := range []string{byNew, bySum, byPool, byPoolBuffer, byCopy, byView, bySpawn, byChannel, byCounter, bySplit, byLanes} {
		cases = append(cases, wayTemplate(algorithm.MD5, way))
	}
	for _, name := range []string{algorithm.SHA256, algorithm.SM3, algorithm.BLAKE3} {
		for _, way := range []string{bySum, byLanes} {
			cases = append(cases, wayTemplate(name, way))
		}
	}
	return append(cases, fileCase("pool", usualFileChunk), startCase(crowds[0]))
}

// wayTemplate is a case of a way with numbers that any library takes.
func wayTemplate(algorithm, way string) result.Case {
	return manyCase(algorithm, way, 16, 2, 1)
}

// manyCase names a case of a way, but for its bytes; workers and batch where the way
// has them.
func manyCase(algorithm, way string, messages int64, workers, batch int) result.Case {
	p := result.Parameters{"messages": strconv.FormatInt(messages, 10), "way": way}
	switch way {
	case byChannel:
		p["workers"], p["batch"] = strconv.Itoa(workers), strconv.Itoa(batch)
	case byCounter, bySplit:
		p["workers"] = strconv.Itoa(workers)
	}
	return result.Case{Algorithm: algorithm, Operation: HashMany, Parameters: p.String()}
}

func fileCase(buffer string, chunk int64) result.Case {
	return result.Case{Algorithm: algorithm.MD5, Operation: HashFile, Parameters: result.Parameters{"buffer": buffer, "chunk": strconv.FormatInt(chunk, 10)}.String()}
}

func startCase(count int) result.Case {
	return result.Case{Algorithm: "goroutine", Operation: start, Parameters: "count=" + strconv.Itoa(count)}
}

func planBulk(s plan.Selection, offers plan.Offers, cpus int) (groups []plan.Group) {
	e := Experiment()
	rounds := e.Form(s).Config.Rounds
	if s.Rounds > 0 {
		rounds = s.Rounds
	}
	cases := e.Narrow(s)
	for i, size := range e.Form(s).Sizes {
		p := manyPlanner{messages: messagesOf(s, size), size: size, cpus: cpus, rounds: rounds,
			short: s.Short, first: i == 0, headline: i < 2, cases: cases, offers: offers}
		if g := p.group(); len(g.Trials) > 0 {
			groups = append(groups, g)
		}
	}
	if s.Short {
		return groups
	}
	for _, g := range []plan.Group{goroutineGroup(cases, offers), fileGroup(cases, offers, s.Chunks, rounds)} {
		if len(g.Trials) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// manyPlanner makes the group of one message size.
type manyPlanner struct {
	messages, size int64
	cpus, rounds   int
	short          bool
	first          bool // everything is asked at this size
	headline       bool // its comparisons are what the answer stands on; else it is asked what is of interest at long messages
	cases          []result.Case
	offers         plan.Offers

	b *plan.Builder
}

// subjects are those that offer an algorithm's way, if the selection keeps it: the
// first of each library, which is what it runs by itself.
func (p *manyPlanner) subjects(algorithm, way string) []result.Subject {
	c := wayTemplate(algorithm, way)
	if !slices.Contains(p.cases, c) {
		return nil
	}
	return plan.OneEach(p.offers.Subjects(c))
}

// add adds the trials of a way in the libraries of a list that offer it, all where it
// is empty, and returns the first, or the zero trial.
func (p *manyPlanner) add(algorithm, way string, workers, batch int, libraries ...string) (first result.Trial) {
	for _, s := range p.subjects(algorithm, way) {
		if len(libraries) > 0 && !slices.Contains(libraries, s.Library) {
			continue
		}
		t := p.trial(s, manyCase(algorithm, way, p.messages, workers, batch))
		if first == (result.Trial{}) {
			first = t
		}
	}
	return first
}

func (p *manyPlanner) trial(s result.Subject, c result.Case) result.Trial {
	c.Bytes = p.messages * p.size
	t := p.b.Add(s, c)
	t.Window = time.Duration(p.rounds+1) * (time.Duration(p.messages)*manyEach + slowest600(c.Bytes))
	return t.Trial
}

// manyEach and slowest600 guess how long a call takes, for the estimate of a plan's
// time: something for each message, and 600 MB/s.
const manyEach = 100 * time.Nanosecond

func slowest600(bytes int64) time.Duration {
	return time.Duration(float64(bytes) / 600e6 * float64(time.Second))
}

// compare declares a comparison of which both ends were added. Those of a size at
// which everything is asked are what the answer stands on.
func (p *manyPlanner) compare(base, other result.Trial) {
	if base != (result.Trial{}) && other != (result.Trial{}) {
		p.b.Compare(base, other).Headline = p.headline
	}
}

const standardLibrary, ourEngine = "go", "cryptogauge"

// group is all ways at the size.
func (p *manyPlanner) group() plan.Group {
	p.b = plan.NewBuilder(fmt.Sprintf("%d messages of %d bytes", p.messages, p.size))
	sum := p.add(algorithm.MD5, bySum, 0, 0, standardLibrary)
	p.states(sum)
	p.goroutines(sum)
	if !p.short {
		p.compare(sum, p.add(algorithm.MD5, byCounter, simdStreams, 0, "md5-simd"))
	}
	for _, name := range []string{algorithm.SHA256, algorithm.SM3, algorithm.BLAKE3} {
		if p.short && name != algorithm.SHA256 {
			continue
		}
		p.compare(sum, p.add(name, bySum, 0, 0))
	}
	p.lanes(sum)
	return p.b.Group
}

// states are the ways of one goroutine.
func (p *manyPlanner) states(sum result.Trial) {
	fresh := p.add(algorithm.MD5, byNew, 0, 0, standardLibrary)
	p.compare(fresh, p.add(algorithm.MD5, byPool, 0, 0, standardLibrary))
	if !p.headline {
		return
	}
	if !p.short {
		p.compare(fresh, p.add(algorithm.MD5, byPoolBuffer, 0, 0, standardLibrary))
		p.compare(fresh, sum)
	}
	p.compare(p.add(algorithm.MD5, byCopy, 0, 0, standardLibrary), p.add(algorithm.MD5, byView, 0, 0, standardLibrary))
}

// goroutines are the ways of several.
func (p *manyPlanner) goroutines(sum result.Trial) {
	spawned := p.add(algorithm.MD5, bySpawn, 0, 0, standardLibrary)
	p.compare(sum, spawned)
	for _, batch := range p.batches() {
		t := p.add(algorithm.MD5, byChannel, p.cpus, batch, standardLibrary)
		if batch == 1 || batch == usualBatch {
			p.compare(sum, t)
		} else {
			p.b.Compare(sum, t)
		}
	}
	each := p.add(algorithm.MD5, bySplit, p.cpus, 0, standardLibrary)
	p.compare(sum, each)
	if p.short || !p.headline {
		return
	}
	most := plan.MostGoroutines(p.cpus)
	p.compare(each, p.add(algorithm.MD5, bySplit, most, 0, standardLibrary))
	for _, workers := range []int{1, 4 * p.cpus} {
		if workers < most {
			p.b.Compare(each, p.add(algorithm.MD5, bySplit, workers, 0, standardLibrary))
		}
	}
	if p.first {
		p.processors(each, spawned)
	}
}

// batches are the numbers of messages an item: those of which each worker gets one.
func (p *manyPlanner) batches() (batches []int) {
	for _, batch := range manyBatches {
		asked := p.first && !p.short || batch == 1 || p.headline && batch == usualBatch || p.headline && !p.short && batch == manyBatches[len(manyBatches)-1]
		if asked && (batch == 1 || int64(batch*p.cpus) <= p.messages) {
			batches = append(batches, batch)
		}
	}
	return batches
}

// processors are fewer and more processors of the Go runtime than CPUs, in workers of
// their own, with a goroutine for each, and with one for each message.
func (p *manyPlanner) processors(each, spawned result.Trial) {
	if each == (result.Trial{}) {
		return
	}
	twice := 2 * p.cpus
	counts := []int{twice}
	for k := 1; k < p.cpus; k *= 2 {
		counts = append(counts, k)
	}
	for _, k := range counts {
		few := each.Subject
		few.Environment = "GOMAXPROCS=" + strconv.Itoa(k)
		t := p.trial(few, manyCase(algorithm.MD5, bySplit, p.messages, k, 0))
		p.b.Compare(each, t).Headline = k == twice
		if spawned != (result.Trial{}) {
			p.b.Compare(spawned, p.trial(few, spawned.Case))
		}
	}
}

// lanes are our own engine's ways, after the established ones.
func (p *manyPlanner) lanes(sum result.Trial) {
	p.compare(sum, p.add(algorithm.MD5, byLanes, 0, 0, ourEngine))
	if p.short {
		return
	}
	split := p.add(algorithm.MD5, bySplit, p.cpus, 0, ourEngine)
	p.b.Compare(result.Trial{Subject: sum.Subject, Case: p.sized(manyCase(algorithm.MD5, bySplit, p.messages, p.cpus, 0))}, split)
	calls := p.add(algorithm.MD5, byCounter, callers, 0, standardLibrary)
	p.compare(calls, p.add(algorithm.MD5, byCounter, callers, 0, ourEngine))
	for _, name := range []string{algorithm.SHA256, algorithm.SM3} {
		base := p.add(name, bySum, 0, 0)
		p.b.Compare(base, p.add(name, byLanes, 0, 0, ourEngine))
	}
}

func (p *manyPlanner) sized(c result.Case) result.Case {
	c.Bytes = p.messages * p.size
	return c
}

// Blocks that goroutines are started in: as many as an interval takes.
const goroutineBlocks = 8

// goroutineGroup starts goroutines, each number in a process of its own, because the
// runtime keeps what it made of those that ended. Nothing is compared: more of them
// cost more.
func goroutineGroup(cases []result.Case, offers plan.Offers) plan.Group {
	b := plan.NewBuilder("goroutines")
	template := startCase(crowds[0])
	subjects := plan.OneEach(offers.Subjects(template))
	if !slices.Contains(cases, template) || len(subjects) == 0 {
		return b.Group
	}
	for i, count := range crowds {
		b.Add(subjects[0], startCase(count))
		t := &b.Group.Trials[i]
		t.Copy, t.Blocks, t.Window = i+1, goroutineBlocks, time.Duration(count)*2*time.Microsecond+20*time.Millisecond
	}
	return b.Group
}

// fileGroup hashes a file, by chunk and by where the buffer comes from.
func fileGroup(cases []result.Case, offers plan.Offers, asked []int64, rounds int) plan.Group {
	b := plan.NewBuilder("hash of a file")
	template := fileCase("pool", usualFileChunk)
	subjects := plan.OneEach(offers.Subjects(template))
	if !slices.Contains(cases, template) || len(subjects) == 0 {
		return b.Group
	}
	s := subjects[0]
	add := func(buffer string, chunk int64) result.Trial {
		c := fileCase(buffer, chunk)
		c.Bytes = fileBytes
		t := b.Add(s, c)
		t.Window = time.Duration(rounds+1) * slowest600(fileBytes)
		return t.Trial
	}
	chunks := fileChunks
	if len(asked) > 0 {
		chunks = asked
	}
	usual := plan.UsualChunk(chunks)
	pooled := add("pool", usual)
	for _, chunk := range chunks {
		ends := chunk == chunks[0] || chunk == chunks[len(chunks)-1] || chunk == 1<<20
		b.Compare(pooled, add("pool", chunk)).Headline = ends
		b.Compare(add("pool", chunk), add("call", chunk)).Headline = chunk == usual
		if slices.Contains(stackChunks, chunk) {
			b.Compare(add("pool", chunk), add("stack", chunk)).Headline = chunk == usual
		}
	}
	if len(asked) == 0 {
		add("stack", stackChunks[len(stackChunks)-1])
	}
	b.Compare(pooled, add("mmap", usual)).Headline = true
	b.Compare(pooled, add("io.Copy", ioCopyChunk)).Headline = true
	return b.Group
}
