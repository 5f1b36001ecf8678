// Package service asks what encryption costs an HTTP service: its server's CPU time of a request, by what
// protects the connections, by how often they are made anew, by how the application seals and signs its answers,
// and by their length.
package service

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what encryption costs an HTTP service.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:  "service",
		Short: plan.Form{Config: plan.Config{Blocks: 12, Rounds: 2, Target: 2200 * time.Microsecond}, Sizes: []int64{usualBytes}},
		Full:  plan.Form{Config: plan.Config{Blocks: 15, Rounds: 4, Target: 15 * time.Millisecond}, Sizes: []int64{usualBytes, 64 << 10, 1 << 20}},
		Cases: serviceCases(),
		Flags: []string{"sizes"},
		Make:  planService,
	}
}

// usualBytes is the answer of an API: of long answers a handshake is a small part.
const usualBytes = 1 << 10

// served is what services are told apart by, but for the length of their answers and the library.
type served struct {
	mode        algorithm.Mode // what protects the connection, or how the answer is sealed
	connections parameter.Reuse
}

func (s served) of() result.Case {
	c := plan.Of(algorithm.HTTP, s.mode, algorithm.Serve)
	c.Parameters = parameter.Connections.Is(s.connections)
	return c
}

func (s served) sealed() bool {
	_, _, sealed := algorithm.PayloadParts(s.mode)
	return sealed
}

// services are those that are measured; without TLS there is nothing to resume, and what the application seals is
// the same over any connection.
func services() (all []served) {
	for _, connections := range parameter.Connections.Words {
		for _, protection := range algorithm.Protections() {
			if connections != parameter.ResumedOnes || protection != algorithm.Cleartext {
				all = append(all, served{protection, connections})
			}
		}
	}
	for _, payload := range algorithm.Payloads() {
		all = append(all, served{payload, parameter.KeptOnes})
	}
	return all
}

// inShort says which of them the short form's answer needs.
func (s served) inShort() bool {
	switch {
	case s.mode == algorithm.ByTLCP:
		return false
	case s.connections == parameter.NewOnes:
		return true
	case s.connections == parameter.ResumedOnes:
		return false
	case s.sealed():
		_, signer, _ := algorithm.PayloadParts(s.mode)
		return signer != algorithm.Ed25519 && signer != algorithm.RSA2048
	}
	return s.mode == algorithm.Cleartext || s.mode == algorithm.ByTLS
}

// loaded are the services whose latency is measured, in the full form.
func loaded() []served {
	return []served{
		{algorithm.Cleartext, parameter.KeptOnes}, {algorithm.ByTLS, parameter.KeptOnes}, {algorithm.ByTLCP, parameter.KeptOnes},
		{algorithm.SM4GCM, parameter.KeptOnes},
		{algorithm.Cleartext, parameter.NewOnes}, {algorithm.ByTLS, parameter.NewOnes},
	}
}

// loads are percent of what a server can do.
var loads = []int{50, 80, 95}

func (s served) under(load int) result.Case {
	c := s.of()
	c.Parameters = parameter.With(c.Parameters, parameter.Load.Is(load))
	return c
}

// serviceCases are what a library is asked whether it offers it; of a service under load one load stands for all.
func serviceCases() []result.Case {
	underLoad := func(s served) result.Case { return s.under(loads[0]) }
	return slices.Concat(document.Mapped(services(), served.of), document.Mapped(loaded(), underLoad), downloads())
}

// downloads are in the clear, and by TLS with each cipher suite.
func downloads() []result.Case {
	c := plan.Of(algorithm.HTTP, algorithm.Cleartext, algorithm.Download)
	c.Parameters = parameter.Connections.Is(parameter.KeptOnes)
	all := []result.Case{c}
	for _, suite := range algorithm.Suites() {
		c.Mode, c.Parameters = algorithm.ByTLS, parameter.Join(parameter.Connections.Is(parameter.KeptOnes), parameter.Suite.Is(suite))
		all = append(all, c)
	}
	return all
}

func planService(sel plan.Narrowed) (groups []plan.Group) {
	sizes := sel.Form.Sizes
	at := plan.UsualSize(sizes)
	asked := slices.DeleteFunc(services(), func(s served) bool {
		return !slices.Contains(sel.Cases, s.of()) || sel.Short && len(sel.Modes) == 0 && !s.inShort()
	})
	for _, bytes := range sizes {
		b := plan.NewBuilder(plan.InBytes(bytes))
		var ours []result.Trial
		for _, s := range asked {
			c := s.of()
			c.Bytes = bytes
			for _, who := range plan.OneEach(sel.Subjects(c)) {
				if who.Library == subject.Engine { // which stands after the established ones
					ours = append(ours, result.Trial{Subject: who, Case: c})
				} else {
					b.Add(who, c)
				}
			}
		}
		if sel.Short && len(sel.Libraries) == 0 {
			ours = nil
		}
		for _, t := range ours {
			b.Add(t.Subject, t.Case)
		}
		if len(b.Group.Trials) > 0 {
			declarer{b, bytes, bytes == at}.declare(ours)
			groups = append(groups, b.Groups()...)
		}
	}
	if !sel.Short {
		groups = append(groups, underLoad(sel, at)...)
	}
	if named := slices.Contains(sel.Operations, algorithm.Download); named || !sel.Short && len(sel.Sizes) == 0 {
		groups = append(groups, downloading(sel)...)
	}
	return groups
}

// How many bytes are downloaded in all samples of a suite, in the full and in a short form: each is of its part, in
// whole mebibytes.
const (
	fullTotal  = 1 << 30
	shortTotal = 64 << 20
)

// downloading is the group of downloads, a suite each.
func downloading(sel plan.Narrowed) []plan.Group {
	form, total := sel.Form.Config, int64(fullTotal)
	if sel.Short {
		total = shortTotal
	}
	samples := int64(cmp.Or(sel.Blocks, form.Blocks) * cmp.Or(sel.Rounds, form.Rounds))
	const whole, perSecond = 1 << 20, 1e9 // perSecond is about what a CPU sends under any suite
	each := (total/samples + whole - 1) / whole * whole
	b := plan.NewBuilder(language.Say("downloads, %s", "下载，%s", plan.InBytes(each)))
	var all []result.Trial
	for _, c := range downloads() {
		who := sel.Offering(c)
		if len(who) == 0 {
			continue
		}
		c.Bytes = each
		t := b.Add(who[0], c)
		t.Call = time.Duration(float64(each) / perSecond * float64(time.Second))
		all = append(all, t.Trial)
	}
	for i, other := range all {
		for _, base := range all[:min(i, 2)] { // the clear, and the suite that is usual
			b.Compare(base, other)
		}
	}
	return b.Groups()
}

// underLoad is the group of requests at a constant rate. They are not compared: a latency is read off, and has no
// ratio to another.
func underLoad(sel plan.Narrowed, bytes int64) []plan.Group {
	const blocks, window = 8, 450 * time.Millisecond
	b := plan.NewBuilder(language.Say("constant arrival rate, %s", "恒定到达速率，%s", plan.InBytes(bytes)))
	for _, s := range loaded() {
		all := sel.Offering(s.under(loads[0]))
		for _, who := range all[:min(1, len(all))] { // one library's is enough
			for _, load := range loads {
				c := s.under(load)
				c.Bytes = bytes
				t := b.Add(who, c)
				t.Blocks, t.Window = blocks, window
			}
		}
	}
	return b.Groups()
}

// declarer compares the services of a group; the answer stands on those at one length of answers.
type declarer struct {
	*plan.Builder
	bytes int64
	usual bool
}

func (d declarer) trial(s served) result.Trial {
	c := s.of()
	c.Bytes = d.bytes
	return d.First(c)
}

func (d declarer) pair(base, other served) *result.Pair {
	return d.Compare(d.trial(base), d.trial(other))
}

// declare compares what differs in one thing alone.
func (d declarer) declare(ours []result.Trial) {
	plain := served{algorithm.Cleartext, parameter.KeptOnes}
	for _, s := range services() {
		with := func(mode algorithm.Mode) served { return served{mode, s.connections} }
		anew := s.connections == parameter.NewOnes
		switch s.mode {
		case algorithm.Cleartext:
			d.pair(s, with(algorithm.ByTLS)).Headline = d.usual
			d.pair(s, with(algorithm.ByMutual))
			d.pair(s, with(algorithm.ByHybrid))
			d.pair(s, with(algorithm.ByTLCP))
		case algorithm.ByTLS:
			d.pair(s, with(algorithm.ByMutual)).Headline = d.usual && anew
			d.pair(s, with(algorithm.ByHybrid)).Headline = d.usual && anew
			d.pair(s, with(algorithm.ByTLCP))
		}
		switch {
		case s.sealed():
			d.pair(plain, s).Headline = d.usual && s.inShort()
			if unsigned := s.unsigned(); unsigned != s {
				d.pair(unsigned, s)
			}
		case s.connections == parameter.KeptOnes:
			d.pair(s, served{s.mode, parameter.NewOnes}).Headline = d.usual && s.mode == algorithm.ByTLS
		case anew && s.mode != algorithm.Cleartext:
			d.pair(s, served{s.mode, parameter.ResumedOnes})
		}
	}
	for _, t := range ours {
		d.Compare(d.trial(plain), t)
		d.Compare(d.First(t.Case), t) // with the established library's
	}
}

// unsigned is a service whose answers are sealed alike, and not signed.
func (s served) unsigned() served {
	sealed, _, _ := strings.Cut(s.mode, "+")
	return served{sealed, s.connections}
}
