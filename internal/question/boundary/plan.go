// Package boundary asks what a call into a library in C costs, by cgo, by purego and from a loop
// in C, and from which size on that no longer matters.
package boundary

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// The same library is called by every path: cgo, purego, and a loop in C, which
// crosses once in thousands of messages and so is the library's own speed. What a path
// takes more than the loop is the crossing. Beside them stand Go's own, which crosses
// nothing, and messages handed over 64 at a time.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "boundary",
		Short: plan.Form{Sizes: []int64{64, 4 << 10, 64 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 4, Least: 4, Target: 200 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20},
			Config: plan.Config{Blocks: 15, Rounds: 12, Least: 6, Target: 300 * time.Microsecond}},
		Cases: []result.Case{
			plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt),
			plan.Of(algorithm.AES128, algorithm.CTR, algorithm.Encrypt),
			plan.Of(algorithm.SHA256, "", algorithm.Hash),
			{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Parameters: batchParameters},
			{Algorithm: algorithm.AES128, Mode: algorithm.CTR, Operation: algorithm.Encrypt, Parameters: batchParameters},
			{Algorithm: algorithm.SHA256, Operation: algorithm.Hash, Parameters: batchParameters},
		},
		Flags:    []string{"sizes"},
		Crossing: true,
		Make:     planBoundary,
	}
}

const batchMessages = 64

var batchParameters = parameter.Batch.Is(batchMessages)

// longestBatched is the longest message of a batch: of longer ones the crossing is
// nothing, and their buffers are large.
const longestBatched = 16 << 10

// Negligible is the share of the time by which a crossing may lengthen an operation
// and still count as nothing.
const Negligible = 0.05

func planBoundary(s plan.Narrowed) (groups []plan.Group) {
	sizes := s.Form.Sizes
	for _, c := range s.Cases {
		if c.Parameters != "" || s.Short && c.Mode != algorithm.GCM {
			continue
		}
		subjects := slices.DeleteFunc(s.Subjects(c), func(s result.Subject) bool { return !bounded(s) })
		batching := s.Subjects(batched(c))
		for i, size := range sizes {
			if i > 0 { // of a library that is not here one row is enough
				subjects = slices.DeleteFunc(subjects, func(s result.Subject) bool { return s.Version == "" })
			}
			p := planner{plan.NewBuilder(layout.Say("%s, %s", "%s，%s", c.Name(), plan.InBytes(size))), len(sizes) >= plan.LeastCrossed}
			c.Bytes = size
			p.add(c, subjects, batching)
			groups = append(groups, p.Groups()...)
		}
	}
	if groups == nil {
		return nil // no library to call
	}
	return append(emptyCalls(s.Offers), groups...)
}

var emptyCallsTitle = layout.Text{EN: "empty calls", ZH: "空调用"}

// emptyCalls is the group of calls around nothing, by every path: of Go a call of
// assembly, which crosses nothing.
func emptyCalls(offers plan.Offers) []plan.Group {
	b := plan.NewBuilder(emptyCallsTitle)
	subjects := offers.Subjects(plan.Crossing)
	for _, s := range subjects {
		b.Add(s, plan.Crossing)
	}
	for _, s := range subjects {
		if s.CallPath == subject.CLoop {
			for _, other := range subjects {
				b.Compare(result.Trial{Subject: s, Case: plan.Crossing}, result.Trial{Subject: other, Case: plan.Crossing})
			}
		}
	}
	return b.Groups()
}

type planner struct {
	*plan.Builder
	crossing bool // there are sizes enough to look where the crossing fades
}

// bounded says whose boundary is looked at: OpenSSL's in every path, and Go beside it.
func bounded(s result.Subject) bool {
	return s.Library == "openssl" || s.Library == "go" && s.Implementation == "" && s.Environment == ""
}

func batched(c result.Case) result.Case {
	c.Bytes, c.Parameters = c.Bytes*batchMessages, batchParameters
	return c
}

func (p planner) add(c result.Case, subjects, batching []result.Subject) {
	for _, s := range subjects {
		p.Add(s, c)
	}
	for _, s := range subjects {
		single := result.Trial{Subject: s, Case: c}
		if c.Bytes <= longestBatched && slices.Contains(batching, s) {
			p.Compare(single, p.Add(s, batched(c)).Trial)
		}
		p.compare(single, subjects)
	}
}

// compare sets each path of a library against its loop in C: the crossing. Against Go's
// own it sets the everyday path: from which size on is it worth to cross?
func (p planner) compare(base result.Trial, subjects []result.Subject) {
	for _, s := range subjects {
		other, daily := result.Trial{Subject: s, Case: base.Case}, s.CallPath == everyday(subjects)
		switch {
		case base.Subject.CallPath == "go" && daily:
			p.Compare(base, other).Crossover = p.crossing
		case base.Subject.CallPath == subject.CLoop && s.CallPath != subject.CLoop &&
			s.Library == base.Subject.Library && s.Version == base.Subject.Version:
			pair := p.Compare(base, other)
			if pair.Headline = daily; p.crossing {
				pair.Within = Negligible
			}
		}
	}
}

// everyday is the path by which a Go program calls a library: cgo, unless there was no
// C compiler.
func everyday(subjects []result.Subject) string {
	if slices.ContainsFunc(subjects, func(s result.Subject) bool { return s.CallPath == subject.Cgo }) {
		return subject.Cgo
	}
	return subject.Purego
}
