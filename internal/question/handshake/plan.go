// Package handshake asks what a TLS 1.3 handshake costs, by key exchange and certificate, full
// and resumed, in memory and over TCP.
package handshake

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what a TLS 1.3 handshake costs: by key exchange, by certificate,
// resumed or not, and over TCP.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:  "handshake",
		Short: plan.Form{Config: plan.Config{Blocks: 12, Rounds: 4, Target: time.Millisecond}},
		Full:  plan.Form{Config: plan.Config{Blocks: 15, Rounds: 4, Target: 10 * time.Millisecond}},
		Cases: document.Mapped(meetings(), meeting.of),
		Make:  planHandshake,
	}
}

// meeting is what handshakes are told apart by.
type meeting struct {
	exchange, certificate string
	resumed               parameter.Answer
	transport             parameter.Connection
}

// usual is what a Go server of today has.
var usual = meeting{algorithm.X25519MLKEM768, algorithm.ECDSA256, parameter.No, parameter.InMemory}

// by, with, again and over are the meeting with one thing changed.
func (m meeting) by(exchange string) meeting {
	m.exchange = exchange
	return m
}

func (m meeting) with(certificate string) meeting {
	m.certificate = certificate
	return m
}

func (m meeting) again() meeting {
	m.resumed = parameter.Yes
	return m
}

func (m meeting) over(t parameter.Connection) meeting {
	m.transport = t
	return m
}

// full says whether a meeting is a full handshake in memory.
func (m meeting) full() bool { return m.transport == parameter.InMemory && m.resumed == parameter.No }

func (m meeting) of() result.Case {
	c := plan.Of(algorithm.TLS13, algorithm.HandshakeMode(m.exchange, m.certificate), algorithm.Handshake)
	c.Parameters = parameter.Join(parameter.Resumed.Is(m.resumed), parameter.Transport.Is(m.transport))
	return c
}

// meetings are the handshakes that are measured. A resumed one has no certificate
// in it, so two kinds show what there is to show.
func meetings() (all []meeting) {
	for _, exchange := range algorithm.Exchanges() {
		m := usual.by(exchange)
		for _, certificate := range algorithm.Certificates() {
			all = append(all, m.with(certificate))
		}
		all = append(all, m.again(), m.with(algorithm.RSA2048).again())
	}
	for _, exchange := range []string{algorithm.X25519, usual.exchange} {
		m := usual.by(exchange).over(parameter.TCP)
		all = append(all, m, m.with(algorithm.RSA2048), m.again())
	}
	return all
}

// inShort says which of them the short form's answer needs.
func (m meeting) inShort() bool {
	switch {
	case m.exchange == algorithm.P256:
		return false
	case !m.full():
		return m.exchange == usual.exchange && m.certificate == usual.certificate
	}
	return m.certificate == usual.certificate || m.exchange == usual.exchange && m.certificate == algorithm.RSA2048
}

func planHandshake(s plan.Narrowed) []plan.Group {
	b := plan.NewBuilder(layout.Text{EN: "handshakes", ZH: "握手"})
	for _, m := range meetings() {
		c := m.of()
		if !slices.Contains(s.Cases, c) || s.Short && len(s.Modes) == 0 && !m.inShort() {
			continue
		}
		for _, who := range plan.OneEach(s.Subjects(c)) {
			b.Add(who, c)
		}
	}
	compareMeetings(b)
	if harness, ok := plan.Harness(s.Offers); ok && len(b.Group.Trials) > 0 {
		for _, transport := range []parameter.Connection{parameter.InMemory, parameter.TCP} {
			b.Add(harness, result.Case{Algorithm: algorithm.Empty, Operation: algorithm.Handshake,
				Parameters: parameter.Transport.Is(transport)})
		}
	}
	return b.Groups()
}

// compareMeetings declares what differs in one thing alone. The answer stands on
// these comparisons of the usual certificate and key exchange.
func compareMeetings(b *plan.Builder) {
	for _, m := range meetings() {
		compare := func(other meeting) *result.Pair { return b.Compare(b.First(m.of()), b.First(other.of())) }
		usualExchange, usualCertificate := m.exchange == usual.exchange, m.certificate == usual.certificate
		if m.exchange == algorithm.X25519 {
			for _, exchange := range []string{algorithm.P256, usual.exchange} {
				compare(m.by(exchange)).Headline = m.full() && usualCertificate
			}
		}
		if usualCertificate && m.resumed == parameter.No {
			for _, certificate := range algorithm.Certificates() {
				compare(m.with(certificate)).Headline = m.full() && usualExchange
			}
		}
		compare(m.again()).Headline = m.full() && usualCertificate
		compare(m.over(parameter.TCP)).Headline = usualCertificate && usualExchange
	}
}
