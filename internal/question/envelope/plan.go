// Package envelope asks what a digital envelope costs: a key wrapped for a receiver, and the
// message sealed under it.
package envelope

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
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
		Short: plan.Form{
			Sizes:  []int64{1 << 10, 256 << 10},
			Config: plan.Config{Blocks: 17, Rounds: 1, Target: time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{100, 1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 16 << 20},
			Config: plan.Config{Blocks: 17, Rounds: 3, Target: 2 * time.Millisecond},
		},
		Cases: envelopeCases(),
		Plan:  planEnvelope,
	}
}

// The operations of an envelope.
const (
	sealing = algorithm.Seal
	opening = "open"
)

var envelopeWays = []string{sealing, opening}

type envelopeMode struct {
	mode, payload string
	short         bool // it is in the short form
}

// envelopeModes are the envelopes, each with what stands beside it.
var envelopeModes = []envelopeMode{
	{algorithm.RSA2048Envelope, algorithm.AES256GCM, true},
	{algorithm.RSA4096Envelope, algorithm.AES256GCM, false},
	{algorithm.X25519Envelope, algorithm.AES256GCM, false},
	{algorithm.MLKEM768Envelope, algorithm.AES256GCM, false},
	{algorithm.HybridEnvelope, algorithm.AES256GCM, true},
	{algorithm.SM2Envelope, algorithm.SM4GCM, true},
}

func envelopeCases() (cases []result.Case) {
	for _, op := range envelopeWays {
		for _, m := range envelopeModes {
			cases = append(cases, result.Case{Algorithm: algorithm.Envelope, Mode: m.mode, Operation: op})
		}
		for _, payload := range []string{algorithm.AES256GCM, algorithm.SM4GCM} {
			cases = append(cases, result.Case{Algorithm: algorithm.Envelope, Mode: payload, Operation: op, Parameters: parameter.ReusedKey})
		}
	}
	return cases
}

func planEnvelope(s plan.Selection, offers plan.Offers) (groups []plan.Group) {
	e := Experiment()
	cases := e.Narrow(s)
	if s.Short && len(s.Modes) == 0 {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return !inShortEnvelopes(c) })
	}
	sizes := e.Form(s).Sizes
	p := envelopePlanner{offers: offers, at: plan.UsualSize(sizes), sizes: sizes}
	for _, size := range sizes {
		cases := cases
		if s.Short && size != p.at { // judging each takes milliseconds in every block
			cases = slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return strings.HasPrefix(c.Mode, "HPKE-") })
		}
		if size <= plan.InterleaveUpTo {
			groups = append(groups, p.group(fmt.Sprintf("%d bytes", size), cases, size)...)
			continue
		}
		for _, op := range envelopeWays { // so that the buffers fit into memory
			groups = append(groups, p.group(fmt.Sprintf("%s, %d bytes", op, size),
				slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return c.Operation != op }), size)...)
		}
	}
	return groups
}

func inShortEnvelopes(c result.Case) bool {
	return c.Parameters != "" || slices.ContainsFunc(envelopeModes, func(m envelopeMode) bool { return m.mode == c.Mode && m.short })
}

// envelopePlanner makes the groups of this experiment.
type envelopePlanner struct {
	offers plan.Offers
	at     int64 // the size that envelopes are compared at with each other
	sizes  []int64
}

func (p envelopePlanner) group(name string, cases []result.Case, size int64) []plan.Group {
	b := plan.NewBuilder(name)
	for _, c := range cases {
		sized := c
		sized.Bytes = size
		for _, subject := range plan.OneEach(p.offers.Subjects(c)) {
			b.Add(subject, sized)
		}
	}
	if len(b.Group.Trials) == 0 {
		return nil
	}
	trials := slices.Clone(b.Group.Trials)
	for _, t := range trials {
		for _, m := range envelopeModes {
			if t.Case.Mode == m.mode {
				alone := t.Trial
				alone.Case.Mode, alone.Case.Parameters = m.payload, parameter.ReusedKey
				b.Compare(t.Trial, alone).Headline = p.decides(size)
			}
		}
	}
	if size == p.at {
		p.between(b, trials)
	}
	return []plan.Group{b.Group}
}

// mostEnvelopeSizes bounds the sizes whose comparisons the answer stands on, for
// the reason that [isHeadlineSize] gives.
const mostEnvelopeSizes = 8

func (p envelopePlanner) decides(size int64) bool {
	return slices.Index(p.sizes, size) < mostEnvelopeSizes
}

// between compares envelopes with each other: all with the first, and what is safe
// against quantum computers with what it is made of.
func (p envelopePlanner) between(b *plan.Builder, trials []plan.Trial) {
	first := map[string]result.Trial{} // by operation
	curve := map[string]result.Trial{}
	for _, t := range trials {
		op := t.Case.Operation
		switch {
		case t.Case.Parameters != "":
			continue
		case first[op].Case.Mode == "":
			first[op] = t.Trial
			continue
		case strings.HasPrefix(t.Case.Mode, "HPKE-X25519+"):
			curve[op] = t.Trial
		}
		b.Compare(first[op], t.Trial).Headline = true
	}
	for _, t := range trials {
		if base := curve[t.Case.Operation]; strings.HasPrefix(t.Case.Mode, "HPKE-MLKEM768-X25519+") && base.Case.Mode != "" {
			b.Compare(base, t.Trial).Headline = true
		}
	}
}
