// Package streaming asks which chunk size a big file wants, in memory and through files, and what
// compression before encryption brings.
package streaming

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Stream is the operation that seals a big file in chunks.
const Stream = "stream"

// Experiment asks for the chunk size from which on nothing is gained. Every chunk is
// compared with a few larger ones, not with the fastest: which that is would be
// chosen by the same samples that then prove it.
//
// A sample is one stream, of a total's share or of a chunk where that is longer.
// Blocks are many and rounds few, since it is blocks that intervals are made of.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:     "streaming",
		Question: "Which chunk size for big files, in memory and in files, and what does it cost in latency and memory?",
		Short: plan.Form{
			Config: plan.Config{Blocks: 17, Rounds: 1, Target: streamTarget, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Config: plan.Config{Blocks: 21, Rounds: 3, Target: streamTarget},
		},
		Cases: []result.Case{
			{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: Stream},
			{Algorithm: algorithm.ChaCha20Poly1305, Operation: Stream},
			{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: Stream},
		},
		Files: true,
		Plan:  planStreaming,
	}
}

const (
	shortTotal = 16 << 20
	fullTotal  = 1 << 30
	// packTotal bounds what is compressed, which takes ten times as long as sealing
	// and shows all it has to show in less.
	packTotal = 256 << 20
	// leastStream is the shortest stream that is worth a sample.
	leastStream = 1 << 20
	// streamTarget is less than any stream lasts, so that a sample is one stream.
	streamTarget = 50 * time.Microsecond
	// streamRate guesses how fast streams are, in bytes per second, for the estimate
	// of a plan's time.
	streamRate = 1e9
)

var (
	fullChunks = doubled(4<<10, 8<<20)
	// The short form's chunks, by cipher and end: those among which its answer falls.
	// One of 8 MiB costs as much as the others together, so memory alone has it.
	shortChunks = map[string]map[string][]int64{
		algorithm.AES256: {"memory": {4 << 10, 16 << 10, 64 << 10, 1 << 20, 8 << 20}, "file": {4 << 10, 64 << 10, 256 << 10, 1 << 20}},
		algorithm.SM4:    {"memory": {4 << 10, 64 << 10, 1 << 20}, "file": {4 << 10, 64 << 10, 1 << 20}},
	}
	// packChunks are those that are streamed with compression too.
	packChunks = []int64{4 << 10, 64 << 10, 1 << 20, 8 << 20}
	// usualYardsticks are larger chunks that each is compared with, beside the largest.
	usualYardsticks = []int64{64 << 10, 256 << 10, 1 << 20}
	streamEnds      = []string{"memory", "file"}
	streamData      = []string{"text", "random"}
)

// doubled lists the powers of two from one to the other.
func doubled(from, to int64) (sizes []int64) {
	for n := from; n <= to; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

func planStreaming(s plan.Selection, offers plan.Offers) (groups []plan.Group) {
	e := Experiment()
	c := e.Form(s).Config
	p := streamPlanner{offers: offers, samples: int64(cmp.Or(s.Blocks, c.Blocks)) * int64(cmp.Or(s.Rounds, c.Rounds)),
		rounds: cmp.Or(s.Rounds, c.Rounds), total: cmp.Or(s.Total, fullTotal)}
	if s.Short {
		p.total = cmp.Or(s.Total, shortTotal)
	}
	cases := e.Narrow(s)
	for _, c := range cases {
		subjects := plan.OneEach(offers.Subjects(c))
		if s.Short {
			subjects = subjects[:min(1, len(subjects))]
		}
		if g := p.chunks(c, subjects, func(io string) []int64 { return chunksOf(s, c.Algorithm, io) }); len(g.Trials) > 0 {
			groups = append(groups, g)
		}
	}
	if !s.Short {
		groups = append(groups, p.compression(cases, s.Chunks)...)
	}
	return groups
}

// chunksOf lists the chunk sizes of a cipher at an end.
func chunksOf(s plan.Selection, algorithm, io string) []int64 {
	switch {
	case len(s.Chunks) > 0:
		return s.Chunks
	case s.Short:
		return shortChunks[algorithm][io]
	}
	return fullChunks
}

// streamPlanner makes the groups of one selection.
type streamPlanner struct {
	offers  plan.Offers
	samples int64 // of each trial
	rounds  int
	total   int64
}

// bytes is how long the stream of one sample is: its share of the total, in whole
// units of 1 MiB or a chunk where that is longer.
func (p streamPlanner) bytes(chunk int64) int64 {
	unit := (leastStream + chunk - 1) / chunk * chunk
	share := (p.total + p.samples - 1) / p.samples
	return max(1, (share+unit-1)/unit) * unit
}

// add adds a trial with its parameters, and how long it will about take: a stream to
// warm up and check, and one a round.
func (p streamPlanner) add(b *plan.Builder, s result.Subject, c result.Case, chunk int64, more result.Parameters) result.Trial {
	more["chunk"] = strconv.FormatInt(chunk, 10)
	c.Parameters, c.Bytes = more.String(), p.bytes(chunk)
	b.Add(s, c)
	b.Group.Trials[len(b.Group.Trials)-1].Window = time.Duration(float64(c.Bytes) * float64(p.rounds+1) / streamRate * float64(time.Second))
	return result.Trial{Subject: s, Case: c}
}

// chunks is the group of one cipher: every library, in memory and in files.
func (p streamPlanner) chunks(c result.Case, subjects []result.Subject, chunksAt func(io string) []int64) plan.Group {
	b := plan.NewBuilder(c.Name() + " in chunks")
	for _, s := range subjects {
		trials := map[string]map[int64]result.Trial{}
		for _, io := range streamEnds {
			trials[io] = map[int64]result.Trial{}
			for _, chunk := range chunksAt(io) {
				trials[io][chunk] = p.add(b, s, c, chunk, result.Parameters{"io": io})
			}
			for _, chunk := range chunksAt(io) {
				for _, larger := range yardsticksOf(chunksAt(io)) {
					if larger > chunk {
						b.Compare(trials[io][chunk], trials[io][larger]).Headline = true
					}
				}
			}
		}
		for _, chunk := range chunksAt("file") {
			b.Compare(trials["memory"][chunk], trials["file"][chunk]).Headline = chunk == plan.UsualChunk(chunksAt("file"))
		}
	}
	return b.Group
}

// yardsticksOf are the chunks that smaller ones are compared with.
func yardsticksOf(chunks []int64) (of []int64) {
	for i, chunk := range chunks {
		if slices.Contains(usualYardsticks, chunk) || i == len(chunks)-1 {
			of = append(of, chunk)
		}
	}
	return of
}

// compression is the group of what zstd does to a stream, on data that it makes
// shorter and on data that it can't. It is in memory, where nothing else is seen,
// and with one cipher and library, the first of the cases' that is offered.
func (p streamPlanner) compression(cases []result.Case, asked []int64) []plan.Group {
	chunks := packChunks
	if len(asked) > 0 {
		chunks = asked
	}
	p.total = min(p.total, packTotal)
	for _, c := range cases {
		subjects := p.offers.Subjects(c)
		if len(subjects) == 0 {
			continue
		}
		b := plan.NewBuilder("zstd before " + c.Name())
		for _, data := range streamData {
			for _, chunk := range chunks {
				plain := p.add(b, subjects[0], c, chunk, result.Parameters{"io": "memory", "data": data, "compress": "none"})
				packed := p.add(b, subjects[0], c, chunk, result.Parameters{"io": "memory", "data": data, "compress": "zstd"})
				b.Compare(plain, packed).Headline = true
			}
		}
		return []plan.Group{b.Group}
	}
	return nil
}
