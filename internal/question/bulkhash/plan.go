// Package bulkhash asks how many messages are hashed fastest, and how files are read for it.
package bulkhash

import (
	"cmp"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment compares everything with what one writes first: a loop over md5.Sum, and where
// the advice is about the states of md5.New, a loop over that. Messages are so many
// that they don't fit into the caches of a core, and so are their digests; the short
// form has a tenth of them, which is enough to tell the ways apart.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "bulkhash", EveryCPU: true,
		Short: plan.Form{
			Sizes:  []int64{64},
			Config: plan.Config{Blocks: 12, Rounds: 3, Target: time.Millisecond},
		},
		Full: plan.Form{
			Sizes:  []int64{64, 1 << 10, 64 << 10, 1 << 20},
			Config: plan.Config{Blocks: 15, Rounds: 2, Target: 4 * time.Millisecond},
		},
		Cases: bulkCases(),
		Flags: []string{"sizes", "messages", "dir", "chunks"},
		Make:  func(s plan.Narrowed) []plan.Group { return planBulk(s, runtime.GOMAXPROCS(0)) },
	}
}

const (
	usualMessages = 100_000
	shortMessages = 10_000
	// mostMessages and mostMessageBytes bound what a call hashes.
	mostMessages     = 10_000_000
	mostMessageBytes = 1 << 30
	// Messages longer than longMessage, or of which nobody said how many, are fewer, so that
	// a call hashes no more than longBytes of them; in the short form no more than shortBytes.
	longMessage = 4 << 10
	longBytes   = 32 << 20
	shortBytes  = 4 << 20
)

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

func messagesOf(s plan.Selection, size int64) int64 {
	switch {
	case s.Messages > 0 && len(s.Sizes) > 0:
		return s.Messages
	case s.Short && s.Messages == 0:
		return min(shortMessages, max(4, shortBytes/size))
	}
	most := int64(mostMessageBytes)
	if s.Messages == 0 || size > longMessage {
		most = longBytes
	}
	return min(cmp.Or(s.Messages, usualMessages), max(1, most/size))
}

// way is how many messages are hashed, and by whom.
type way struct {
	library, algorithm string // of a plan the library is empty where it is any
	by                 parameter.Manner
	workers, batch     int // 0 where the way has none
	environment        string
}

func md5By(by parameter.Manner) way {
	return way{library: subject.Go, algorithm: algorithm.MD5, by: by}
}

func (w way) among(goroutines int) way { w.workers = goroutines; return w }
func (w way) inBatches(of int) way     { w.batch = of; return w }
func (w way) of(library string) way    { w.library = library; return w }
func (w way) under(processors int) way { w.environment = parameter.GOMAXPROCS.Is(processors); return w }

// hashing is the way's case, but for its bytes.
func (w way) hashing(messages int64) result.Case {
	parameters := []string{parameter.Messages.Is(messages), parameter.Way.Is(w.by)}
	if w.workers > 0 {
		parameters = append(parameters, parameter.Workers.Is(w.workers))
	}
	if w.batch > 0 {
		parameters = append(parameters, parameter.Batch.Is(w.batch))
	}
	return result.Case{Algorithm: w.algorithm, Operation: algorithm.HashMany, Parameters: parameter.Join(parameters...)}
}

// template is what a library is asked whether it offers the way at all, with numbers
// that any takes.
func (w way) template() result.Case {
	w.workers, w.batch = 2*min(w.workers, 1), min(w.batch, 1)
	return w.hashing(16)
}

var batches = []int{1, 16, 64, 256, 1024, 4096}

const (
	usualBatch = 256
	// callers are goroutines that each make single calls, as servers have them.
	callers = 64
	// simdStreams are as many as md5-simd has lanes.
	simdStreams = 16
)

var crowds = []int64{10_000, 100_000, 1_000_000}

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
	for _, by := range []parameter.Manner{parameter.New, parameter.Sum, parameter.Pool, parameter.PoolBuffer,
		parameter.StringCopy, parameter.StringView, parameter.Spawn} {
		cases = append(cases, md5By(by).template())
	}
	cases = append(cases, md5By(parameter.Channel).among(2).inBatches(1).template(),
		md5By(parameter.Counter).among(2).template(), md5By(parameter.Split).among(2).template(),
		md5By(parameter.Lanes).template())
	for _, name := range []string{algorithm.SHA256, algorithm.SM3, algorithm.BLAKE3} {
		for _, by := range []parameter.Manner{parameter.Sum, parameter.Lanes} {
			cases = append(cases, way{algorithm: name, by: by}.template())
		}
	}
	return append(cases, fileCase(parameter.FromPool, usualFileChunk), startCase(crowds[0]))
}

func fileCase(buffer parameter.Reading, chunk int64) result.Case {
	return result.Case{Algorithm: algorithm.MD5, Operation: algorithm.HashFile,
		Parameters: parameter.Join(parameter.Buffer.Is(buffer), parameter.Chunk.Is(chunk))}
}

func startCase(count int64) result.Case {
	return result.Case{Algorithm: algorithm.Goroutine, Operation: algorithm.Start, Parameters: parameter.Count.Is(count)}
}

func planBulk(s plan.Narrowed, cpus int) (groups []plan.Group) {
	for i, size := range s.Form.Sizes {
		messages := messagesOf(s.Selection, size)
		p := planner{Narrowed: s,
			Builder:  plan.NewBuilder(language.Say("%d messages of %d bytes", "%d 条 %d 字节的消息", messages, size)),
			messages: messages, size: size, cpus: cpus, first: i == 0, headline: i < 2}
		if !p.headline && len(s.Sizes) == 0 {
			p.blocks = plan.EnoughBlocks
		}
		p.add(md5By(parameter.Sum))
		p.ways()
		groups = append(groups, p.Groups()...)
	}
	if s.Short {
		return groups
	}
	groups = append(groups, goroutineGroup(s)...)
	return append(groups, fileGroup(s)...)
}

type planner struct {
	plan.Narrowed
	*plan.Builder
	messages, size int64
	cpus           int
	first          bool // everything is asked at this size
	headline       bool // its comparisons are what the answer stands on; else less is asked
	blocks         int  // 0: all
}

// add adds the trials of a way in the libraries that offer it, if the selection keeps
// it, and returns the first, or the zero trial: of each library it is what that runs by
// itself.
func (p *planner) add(w way) (first result.Trial) {
	for _, s := range p.Offering(w.template()) {
		if w.library != "" && s.Library != w.library {
			continue
		}
		c := w.hashing(p.messages)
		s.Environment, c.Bytes = cmp.Or(w.environment, s.Environment), p.messages*p.size
		t := p.Add(s, c)
		t.Blocks = p.blocks
		t.Call = time.Duration(p.messages)*manyEach + slowest600(c.Bytes)
		first = cmp.Or(first, t.Trial)
	}
	return first
}

// manyEach and slowest600 guess how long a call takes, for the estimate of a plan's
// time: something for each message, and 600 MB/s.
const manyEach = 100 * time.Nanosecond

func slowest600(bytes int64) time.Duration {
	return time.Duration(float64(bytes) / 600e6 * float64(time.Second))
}

// versus measures two ways and compares them.
func (p *planner) versus(base, other way) *result.Pair { return p.Compare(p.add(base), p.add(other)) }

// ways measures those of the size, by their comparisons. Those of a size at which everything
// is asked are what the answer stands on.
func (p *planner) ways() {
	sum, fresh := md5By(parameter.Sum), md5By(parameter.New)
	p.versus(fresh, md5By(parameter.Pool)).Headline = p.headline
	if p.headline && !p.Short {
		p.versus(fresh, md5By(parameter.PoolBuffer)).Headline = true
		p.versus(fresh, sum).Headline = true
	}
	if p.headline {
		p.versus(md5By(parameter.StringCopy), md5By(parameter.StringView)).Headline = true
	}
	p.goroutines(sum)
	hashes := []string{algorithm.SHA256}
	if !p.Short {
		p.versus(sum, md5By(parameter.Counter).among(simdStreams).of("md5-simd")).Headline = p.headline
		hashes = append(hashes, algorithm.SM3, algorithm.BLAKE3)
	}
	for _, name := range hashes {
		p.versus(sum, way{algorithm: name, by: parameter.Sum}).Headline = p.headline
	}
	// Our own engine's ways come after the established ones.
	p.versus(sum, md5By(parameter.Lanes).of(subject.Engine)).Headline = p.headline
	if p.Short {
		return
	}
	split, calls := md5By(parameter.Split).among(p.cpus), md5By(parameter.Counter).among(callers)
	p.versus(split, split.of(subject.Engine))
	p.versus(calls, calls.of(subject.Engine)).Headline = p.headline
	for _, name := range []string{algorithm.SHA256, algorithm.SM3} {
		p.versus(way{algorithm: name, by: parameter.Sum}, way{library: subject.Engine, algorithm: name, by: parameter.Lanes})
	}
}

// goroutines are the ways of several of them, and under fewer and more processors of
// the Go runtime than CPUs, in workers of their own.
func (p *planner) goroutines(sum way) {
	spawn, each := md5By(parameter.Spawn), md5By(parameter.Split).among(p.cpus)
	p.versus(sum, spawn).Headline = p.headline
	for _, batch := range p.batches() {
		pooled := md5By(parameter.Channel).among(p.cpus).inBatches(batch)
		p.versus(sum, pooled).Headline = p.headline && (batch == 1 || batch == usualBatch)
	}
	p.versus(sum, each).Headline = p.headline
	if p.Short || !p.headline {
		return
	}
	most := plan.MostGoroutines(p.cpus)
	p.versus(each, each.among(most)).Headline = true
	for _, workers := range []int{1, 4 * p.cpus} {
		if workers < most {
			p.versus(each, each.among(workers))
		}
	}
	if !p.first {
		return
	}
	processors := []int{2 * p.cpus}
	for k := 1; k < p.cpus; k *= 2 {
		processors = append(processors, k)
	}
	for _, k := range processors {
		p.versus(each, each.among(k).under(k)).Headline = k == 2*p.cpus
		p.versus(spawn, spawn.under(k))
	}
}

func (p *planner) batches() (asked []int) {
	for i, n := range batches {
		if int64(n*p.cpus) > p.messages && n > 1 {
			continue
		}
		if n == 1 || p.first && !p.Short || p.headline && (n == usualBatch || !p.Short && i == len(batches)-1) {
			asked = append(asked, n)
		}
	}
	return asked
}

// goroutineGroup starts goroutines, each number in a process of its own, because the
// runtime keeps what it made of those that ended. Nothing is compared: more of them
// cost more.
func goroutineGroup(s plan.Narrowed) []plan.Group {
	b, subjects := plan.NewBuilder(language.Same("goroutines")), s.Offering(startCase(crowds[0]))
	if len(subjects) == 0 {
		return nil
	}
	for i, count := range crowds {
		t := b.Add(subjects[0], startCase(count))
		t.Copy, t.Blocks = i+1, plan.EnoughBlocks
		t.Window = time.Duration(count)*2*time.Microsecond + 20*time.Millisecond
	}
	return b.Groups()
}

func fileGroup(s plan.Narrowed) []plan.Group {
	b := plan.NewBuilder(language.Text{EN: "hash of a file", ZH: "文件的杂凑"})
	subjects := s.Offering(fileCase(parameter.FromPool, usualFileChunk))
	if len(subjects) == 0 {
		return nil
	}
	add := func(buffer parameter.Reading, chunk int64) result.Trial {
		c := fileCase(buffer, chunk)
		c.Bytes = fileBytes
		t := b.Add(subjects[0], c)
		t.Call = slowest600(fileBytes)
		return t.Trial
	}
	chunks := fileChunks
	if len(s.Chunks) > 0 {
		chunks = s.Chunks
	}
	usual := plan.UsualChunk(chunks)
	base := add(parameter.FromPool, usual)
	for i, chunk := range chunks {
		pooled := add(parameter.FromPool, chunk)
		b.Compare(base, pooled).Headline = i == 0 || i == len(chunks)-1 || chunk == 1<<20
		b.Compare(pooled, add(parameter.PerFile, chunk)).Headline = chunk == usual
		if slices.Contains(stackChunks, chunk) {
			b.Compare(pooled, add(parameter.OnStack, chunk)).Headline = chunk == usual
		}
	}
	if len(s.Chunks) == 0 {
		add(parameter.OnStack, stackChunks[len(stackChunks)-1])
	}
	b.Compare(base, add(parameter.MemoryMap, usual)).Headline = true
	b.Compare(base, add(parameter.CopyLoop, ioCopyChunk)).Headline = true
	return b.Groups()
}
