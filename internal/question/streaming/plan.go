// Package streaming asks which chunk size a big file wants, in memory and through files, and what
// compression before encryption brings.
package streaming

import (
	"cmp"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks for the chunk size from which on nothing is gained. Every chunk is
// compared with a few larger ones, not with the fastest: which that is would be
// chosen by the same samples that then prove it.
//
// A sample is one stream, of a total's share or of a chunk where that is longer.
// Blocks are many and rounds few, since it is blocks that intervals are made of.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:  "streaming",
		Short: plan.Form{Config: plan.Config{Blocks: 13, Rounds: 2, Target: streamTarget}},
		Full:  plan.Form{Config: plan.Config{Blocks: 18, Rounds: 2, Target: streamTarget}},
		Cases: []result.Case{
			plan.Of(algorithm.AES256, algorithm.GCM, algorithm.Stream),
			plan.Of(algorithm.ChaCha20Poly1305, "", algorithm.Stream),
			plan.Of(algorithm.SM4, algorithm.GCM, algorithm.Stream),
		},
		Flags: []string{"dir", "chunks", "total"},
		Make:  planStreaming,
	}
}

const (
	shortTotal = 16 << 20
	fullTotal  = 128 << 20
	// packTotal bounds what is compressed, which takes ten times as long as sealing
	// and shows all it has to show in less.
	packTotal   = 256 << 20
	leastStream = 1 << 20
	// streamTarget is less than any stream lasts, so that a sample is one stream.
	streamTarget = 50 * time.Microsecond
	// streamRate guesses how fast streams are, in bytes per second, for the estimate
	// of a plan's time.
	streamRate = 600e6
)

var (
	fullChunks = []int64{4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10,
		1 << 20, 2 << 20, 4 << 20, 8 << 20}
	// The short form's chunks, by cipher and end: those among which its answer falls.
	// One of 4 MiB costs as much as all others in memory, so memory alone has it.
	shortChunks = map[string]map[parameter.End][]int64{
		algorithm.AES256: {
			parameter.Memory: {4 << 10, 16 << 10, 64 << 10, 1 << 20, 4 << 20},
			parameter.File:   {4 << 10, 64 << 10, 256 << 10, 1 << 20},
		},
		algorithm.SM4: {parameter.Memory: {4 << 10, 64 << 10, 1 << 20}, parameter.File: {4 << 10, 64 << 10, 1 << 20}},
	}
	// packChunks are those that are streamed with compression too.
	packChunks = []int64{4 << 10, 64 << 10, 1 << 20, 8 << 20}
	// yardsticks are larger chunks that each is compared with, beside the largest.
	yardsticks = []int64{64 << 10, 256 << 10, 1 << 20}
)

func planStreaming(s plan.Narrowed) (groups []plan.Group) {
	form, total := s.Form.Config, int64(fullTotal)
	if s.Short {
		total = shortTotal
	}
	blocks, rounds := cmp.Or(s.Blocks, form.Blocks), cmp.Or(s.Rounds, form.Rounds)
	p := planner{s, int64(blocks * rounds), cmp.Or(s.Total, total)}
	for _, c := range s.Cases {
		subjects := plan.OneEach(s.Subjects(c))
		if s.Short {
			subjects = subjects[:min(1, len(subjects))]
		}
		groups = append(groups, p.chunks(c, subjects)...)
	}
	if !s.Short {
		groups = append(groups, p.compression()...)
	}
	return groups
}

func (p planner) chunksOf(cipher string, end parameter.End) []int64 {
	switch {
	case len(p.Chunks) > 0:
		return p.Chunks
	case p.Short:
		return shortChunks[cipher][end]
	}
	return fullChunks
}

type planner struct {
	plan.Narrowed
	samples int64 // of each trial
	total   int64
}

// bytes is how long the stream of one sample is: its share of the total, in whole
// units of 1 MiB or a chunk where that is longer.
func (p planner) bytes(chunk int64) int64 {
	unit := (leastStream + chunk - 1) / chunk * chunk
	share := (p.total + p.samples - 1) / p.samples
	return max(1, (share+unit-1)/unit) * unit
}

// add adds a trial with its parameters, and how long a stream will about take.
func (p planner) add(b *plan.Builder, s result.Subject, c result.Case, chunk int64, more ...string) result.Trial {
	c.Parameters, c.Bytes = parameter.Join(append(more, parameter.Chunk.Is(chunk))...), p.bytes(chunk)
	t := b.Add(s, c)
	t.Call = time.Duration(float64(c.Bytes) / streamRate * float64(time.Second))
	return t.Trial
}

// chunks is the group of one cipher: every library, in memory and in files. Each chunk
// is compared with the larger yardsticks.
func (p planner) chunks(c result.Case, subjects []result.Subject) []plan.Group {
	b := plan.NewBuilder(layout.Say("%s in chunks", "分块 %s", c.Name()))
	for _, subject := range subjects {
		at := map[parameter.End]map[int64]result.Trial{}
		for _, end := range parameter.IO.Words {
			chunks, trials := p.chunksOf(c.Algorithm, end), map[int64]result.Trial{}
			at[end] = trials
			for _, chunk := range chunks {
				trials[chunk] = p.add(b, subject, c, chunk, parameter.IO.Is(end))
			}
			for _, chunk := range chunks {
				for i, larger := range chunks {
					if larger > chunk && (i == len(chunks)-1 || slices.Contains(yardsticks, larger)) {
						b.Compare(trials[chunk], trials[larger]).Headline = true
					}
				}
			}
		}
		filed := p.chunksOf(c.Algorithm, parameter.File)
		for _, chunk := range filed {
			b.Compare(at[parameter.Memory][chunk], at[parameter.File][chunk]).Headline = chunk == plan.UsualChunk(filed)
		}
	}
	return b.Groups()
}

// compression is the group of what zstd does to a stream, on data that it makes
// shorter and on data that it can't. It is in memory, where nothing else is seen,
// and with one cipher and library, the first of the cases' that is offered.
func (p planner) compression() []plan.Group {
	chunks := p.Chunks
	if len(chunks) == 0 {
		chunks = packChunks
	}
	p.total = min(p.total, packTotal)
	for _, c := range p.Cases {
		subjects := p.Subjects(c)
		if len(subjects) == 0 {
			continue
		}
		b := plan.NewBuilder(layout.Say("zstd before %s", "%s 之前的 zstd 压缩", c.Name()))
		kinds := []parameter.Kind{parameter.Text, parameter.Random}
		if p.Own {
			kinds = append(kinds, parameter.Sampled)
		}
		for _, data := range kinds {
			for _, chunk := range chunks {
				in := []string{parameter.IO.Is(parameter.Memory), parameter.Data.Is(data)}
				plain := p.add(b, subjects[0], c, chunk, append(in, parameter.Compress.Is(parameter.Uncompressed))...)
				packed := p.add(b, subjects[0], c, chunk, append(in, parameter.Compress.Is(parameter.Zstd))...)
				b.Compare(plain, packed).Headline = true
			}
		}
		return b.Groups()
	}
	return nil
}
