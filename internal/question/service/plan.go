// Package service asks what encryption costs an HTTP service: its server's CPU time of a request, by what
// protects the connections, by how often they are made anew, and by the length of the answer.
package service

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what encryption costs an HTTP service.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:  "service",
		Short: plan.Form{Config: plan.Config{Blocks: 12, Rounds: 3, Target: 3 * time.Millisecond}, Sizes: []int64{usualBytes}},
		Full:  plan.Form{Config: plan.Config{Blocks: 15, Rounds: 5, Target: 40 * time.Millisecond}, Sizes: []int64{usualBytes, 64 << 10, 1 << 20}},
		Cases: serviceCases(),
		Plan:  planService,
	}
}

// usualBytes is the answer of an API: of long answers a handshake is a small part.
const usualBytes = 1 << 10

// served is what services are told apart by, but for the length of their answers.
type served struct {
	protection  algorithm.Mode
	connections parameter.Reuse
}

func (s served) of() result.Case {
	c := plan.Of(algorithm.HTTP, s.protection, algorithm.Serve)
	c.Parameters = parameter.Connections.Is(s.connections)
	return c
}

// services are those that are measured; without TLS there is nothing to resume.
func services() (all []served) {
	for _, connections := range []parameter.Reuse{parameter.KeptOnes, parameter.NewOnes, parameter.ResumedOnes} {
		for _, protection := range algorithm.Protections() {
			if connections != parameter.ResumedOnes || protection != algorithm.Cleartext {
				all = append(all, served{protection, connections})
			}
		}
	}
	return all
}

// inShort says which of them the short form's answer needs.
func (s served) inShort() bool {
	switch s.connections {
	case parameter.KeptOnes:
		return s.protection == algorithm.Cleartext || s.protection == algorithm.ByTLS
	case parameter.NewOnes:
		return true
	}
	return false
}

func serviceCases() (cases []result.Case) {
	for _, s := range services() {
		cases = append(cases, s.of())
	}
	return cases
}

func planService(sel plan.Selection, offers plan.Offers) (groups []plan.Group) {
	e := Experiment()
	sizes := e.Form(sel).Sizes
	at, kept := plan.UsualSize(sizes), e.Narrow(sel)
	for _, bytes := range sizes {
		b := plan.NewBuilder(plan.InBytes(bytes))
		for _, s := range services() {
			c := s.of()
			if !slices.Contains(kept, c) || sel.Short && len(sel.Modes) == 0 && !s.inShort() {
				continue
			}
			for _, who := range plan.OneEach(offers.Subjects(c)) {
				sized := c
				sized.Bytes = bytes
				b.Add(who, sized)
			}
		}
		if len(b.Group.Trials) > 0 {
			declare(b, bytes, at)
			groups = append(groups, b.Groups()...)
		}
	}
	return groups
}

// declare compares what differs in one thing alone; the answer stands on those at one length of answers.
func declare(b *plan.Builder, bytes, at int64) {
	trial := func(s served) result.Trial {
		c := s.of()
		c.Bytes = bytes
		return b.First(c)
	}
	for _, s := range services() {
		usual := bytes == at && s.connections != parameter.ResumedOnes
		switch s.protection {
		case algorithm.Cleartext:
			b.Compare(trial(s), trial(served{algorithm.ByTLS, s.connections})).Headline = usual
			b.Compare(trial(s), trial(served{algorithm.ByMutual, s.connections}))
			b.Compare(trial(s), trial(served{algorithm.ByHybrid, s.connections}))
		case algorithm.ByTLS:
			b.Compare(trial(s), trial(served{algorithm.ByMutual, s.connections})).Headline = usual && s.connections == parameter.NewOnes
			b.Compare(trial(s), trial(served{algorithm.ByHybrid, s.connections})).Headline = usual && s.connections == parameter.NewOnes
		}
		switch s.connections {
		case parameter.KeptOnes:
			b.Compare(trial(s), trial(served{s.protection, parameter.NewOnes})).Headline = usual && s.protection == algorithm.ByTLS
		case parameter.NewOnes:
			if s.protection != algorithm.Cleartext {
				b.Compare(trial(s), trial(served{s.protection, parameter.ResumedOnes}))
			}
		}
	}
}
