// Package boundary asks what a call into a library in C costs, by cgo, by purego and from a loop
// in C, and from which size on that no longer matters.
package boundary

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what it costs to call a C library from Go, and from which size of
// message that no longer matters.
//
// The same library is called by every path: cgo, purego, and a loop in C, which
// crosses once in thousands of messages and so is the library's own speed. What a path
// takes more than the loop is the crossing. Beside them stand Go's own, which crosses
// nothing, and messages handed over 64 at a time.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:     "boundary",
		Question: "What does calling C from Go cost, and from which message size does it no longer matter?",
		Short: plan.Form{
			Sizes:  []int64{64, 4 << 10, 64 << 10},
			Config: plan.Config{Blocks: 14, Rounds: 2, Target: 500 * time.Microsecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20},
			Config: plan.Config{Blocks: 21, Rounds: 3, Target: time.Millisecond},
		},
		Cases: []result.Case{
			{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt},
			{Algorithm: algorithm.AES128, Mode: algorithm.CTR, Operation: algorithm.Encrypt},
			{Algorithm: algorithm.SHA256, Operation: algorithm.Hash},
			{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Parameters: batchParameters},
			{Algorithm: algorithm.AES128, Mode: algorithm.CTR, Operation: algorithm.Encrypt, Parameters: batchParameters},
			{Algorithm: algorithm.SHA256, Operation: algorithm.Hash, Parameters: batchParameters},
		},
		Crossing: true,
		Plan:     planBoundary,
	}
}

// batchMessages is how many messages one crossing takes in a batch.
const batchMessages = 64

var batchParameters = result.Parameters{"batch": strconv.Itoa(batchMessages)}.String()

// longestBatched is the longest message of a batch: of longer ones the crossing is
// nothing, and their buffers are large.
const longestBatched = 16 << 10

// Negligible is the share of the time by which a crossing may lengthen an operation
// and still count as nothing.
const Negligible = 0.05

func planBoundary(s plan.Selection, offers plan.Offers) []plan.Group {
	e := Experiment()
	cases := e.Narrow(s)
	if s.Short {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return c.Mode != algorithm.GCM })
	}
	groups := emptyCalls(offers)
	for _, c := range cases {
		if c.Parameters != "" {
			continue
		}
		sizes := e.Form(s).Sizes
		for _, size := range sizes {
			b := plan.NewBuilder(fmt.Sprintf("%s, %d bytes", c.Name(), size))
			p := boundaryPlanner{Builder: b, size: size, first: size == sizes[0], crossing: len(sizes) >= plan.LeastCrossed, offers: offers}
			p.add(c)
			groups = append(groups, b.Groups()...)
		}
	}
	if len(groups) == 1 && groups[0].Name == emptyCallsName {
		return nil // no library to call
	}
	return groups
}

const emptyCallsName = "empty calls"

// emptyCalls is the group of calls around nothing, by every path: of Go a call of
// assembly, which crosses nothing.
func emptyCalls(offers plan.Offers) []plan.Group {
	b := plan.NewBuilder(emptyCallsName)
	subjects := offers.Subjects(plan.Crossing)
	for _, s := range subjects {
		b.Add(s, plan.Crossing)
	}
	for _, s := range subjects {
		if s.CallPath == plan.LoopPath {
			for _, other := range subjects {
				b.Compare(result.Trial{Subject: s, Case: plan.Crossing}, result.Trial{Subject: other, Case: plan.Crossing})
			}
		}
	}
	return b.Groups()
}

// boundaryPlanner makes the group of one algorithm at one size.
type boundaryPlanner struct {
	*plan.Builder
	size     int64
	first    bool // it is the least size
	crossing bool // there are sizes enough to look where the crossing fades
	offers   plan.Offers
}

// bounded says whose boundary is looked at: OpenSSL's in every path, and Go beside it.
func bounded(s result.Subject) bool {
	return s.Library == "openssl" || s.Library == "go" && s.Implementation == "" && s.Environment == ""
}

func (p boundaryPlanner) add(c result.Case) {
	batch := c
	batch.Parameters = batchParameters
	subjects := slices.DeleteFunc(p.offers.Subjects(c), func(s result.Subject) bool { return !bounded(s) })
	batching := p.offers.Subjects(batch)
	c.Bytes, batch.Bytes = p.size, p.size*batchMessages
	for _, s := range subjects {
		if s.Version != "" || p.first { // of a library that is not here one row is enough
			p.Builder.Add(s, c)
		}
	}
	for _, s := range subjects {
		single := result.Trial{Subject: s, Case: c}
		if p.size <= longestBatched && slices.Contains(batching, s) {
			p.Builder.Add(s, batch)
			p.Compare(single, result.Trial{Subject: s, Case: batch})
		}
		switch {
		case s.CallPath == "go":
			p.againstGo(single, subjects)
		case s.CallPath == plan.LoopPath:
			p.againstLoop(single, subjects)
		}
	}
}

// againstLoop sets each path of a library against its loop in C: the crossing.
func (p boundaryPlanner) againstLoop(loop result.Trial, subjects []result.Subject) {
	for _, s := range subjects {
		if s.Library == loop.Subject.Library && s.Version == loop.Subject.Version && s.CallPath != plan.LoopPath {
			before := len(p.Group.Pairs)
			p.Compare(loop, result.Trial{Subject: s, Case: loop.Case}).Headline = s.CallPath == everyday(subjects)
			if len(p.Group.Pairs) > before && p.crossing {
				p.Group.Pairs[before].Within = Negligible
			}
		}
	}
}

// everyday is the path by which a Go program calls a library: cgo, unless there was no
// C compiler.
func everyday(subjects []result.Subject) string {
	if slices.ContainsFunc(subjects, func(s result.Subject) bool { return s.CallPath == plan.CgoPath }) {
		return plan.CgoPath
	}
	return plan.PuregoPath
}

// againstGo sets the everyday path of a library against Go's own: from which size on is
// it worth to cross?
func (p boundaryPlanner) againstGo(own result.Trial, subjects []result.Subject) {
	for _, s := range subjects {
		if s.CallPath == everyday(subjects) {
			before := len(p.Group.Pairs)
			p.Compare(own, result.Trial{Subject: s, Case: own.Case})
			if len(p.Group.Pairs) > before {
				p.Group.Pairs[before].Crossover = p.crossing
			}
		}
	}
}
