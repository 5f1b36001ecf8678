// Package envelope asks what a digital envelope costs: a key wrapped for a receiver, and the
// message sealed under it.
package envelope

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks which hybrid encryption to send messages by, and from which size
// on the wrapped key stops mattering. Beside each envelope stands its payload
// alone, under a key that was wrapped before: what lies between is what the
// envelope adds, and what reusing a key would save.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "envelope",
		Short: plan.Form{Sizes: []int64{1 << 10, 256 << 10},
			Config: plan.Config{Blocks: 13, Rounds: 5, Least: 3, Target: 250 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{100, 1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 16 << 20},
			Config: plan.Config{Blocks: 15, Rounds: 9, Least: 4, Target: 300 * time.Microsecond}},
		Cases: envelopeCases(),
		Flags: []string{"sizes"},
		Make:  planEnvelope,
	}
}

var ways = []string{algorithm.Seal, algorithm.Open}

var inShort = []string{algorithm.RSA2048Envelope, algorithm.HybridEnvelope, algorithm.SM2Envelope}

// wraps says whether a scheme wraps a key for each message, and is no payload alone.
func wraps(e algorithm.EnvelopeScheme) bool { return e.Wrapped > 0 }

func envelopeCases() (cases []result.Case) {
	for _, op := range ways {
		for _, e := range algorithm.Envelopes() {
			c := plan.Of(algorithm.Envelope, e.Mode, op)
			if !wraps(e) {
				c.Parameters = parameter.ReusedKey
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func planEnvelope(s plan.Narrowed) (groups []plan.Group) {
	if s.Short && len(s.Modes) == 0 {
		s.Cases = slices.DeleteFunc(s.Cases,
			func(c result.Case) bool { return c.Parameters == "" && !slices.Contains(inShort, c.Mode) })
	}
	sizes := s.Form.Sizes
	at := plan.UsualSize(sizes)
	for _, size := range sizes {
		var all plan.Builders
		for _, c := range s.Cases {
			if scheme, _ := algorithm.EnvelopeOf(c.Mode); s.Short && size != at && scheme.Derived {
				continue // judging HPKE takes milliseconds in every block
			}
			title := plan.InBytes(size)
			if size > plan.InterleaveUpTo { // so that the buffers fit into memory
				title = layout.Say("%s, %s", "%s，%s", layout.Text{EN: c.Operation, ZH: answer.Direction(c.Operation).ZH}, title)
			}
			sized := c
			sized.Bytes = size
			for _, who := range plan.OneEach(s.Subjects(c)) {
				if t := all.Titled(title).Add(who, sized); size >= long && len(s.Sizes) == 0 {
					t.Rounds = 1
				}
			}
		}
		groups = append(groups, all.Groups(func(b *plan.Builder) {
			againstPayloads(b, sizes[:min(len(sizes), mostEnvelopeSizes)])
			if size == at {
				between(b)
			}
		})...)
	}
	return groups
}

// long is the size from which on a sample is a single call, of which there is one a block.
const long = 16 << 20

// mostEnvelopeSizes bounds the sizes whose comparisons the answer stands on, for
// the reason that [plan.IsHeadlineSize] gives.
const mostEnvelopeSizes = 8

// againstPayloads sets envelopes against their payloads alone; the answer stands on those of some sizes.
func againstPayloads(b *plan.Builder, headline []int64) {
	for _, t := range b.Group.Trials {
		if e, _ := algorithm.EnvelopeOf(t.Case.Mode); wraps(e) {
			alone := t.Trial
			alone.Case.Mode, alone.Case.Parameters = e.Payload, parameter.ReusedKey
			b.Compare(t.Trial, alone).Headline = slices.Contains(headline, t.Case.Bytes)
		}
	}
}

// between compares envelopes with each other: all with the first, and what is safe
// against quantum computers with what it is made of.
func between(b *plan.Builder) {
	first, curve := map[string]result.Trial{}, map[string]result.Trial{} // by operation
	for _, t := range b.Group.Trials {
		op := t.Case.Operation
		switch _, there := first[op]; {
		case t.Case.Parameters != "":
			continue
		case !there:
			first[op] = t.Trial
			continue
		case t.Case.Mode == algorithm.X25519Envelope:
			curve[op] = t.Trial
		}
		b.Compare(first[op], t.Trial).Headline = true
	}
	for _, t := range b.Group.Trials {
		if t.Case.Mode == algorithm.HybridEnvelope {
			b.Compare(curve[t.Case.Operation], t.Trial).Headline = true
		}
	}
}
