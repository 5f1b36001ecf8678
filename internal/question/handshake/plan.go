// Package handshake asks what a TLS 1.3 handshake costs, by key exchange and certificate, full
// and resumed, in memory and over TCP.
package handshake

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Handshake is the operation of a TLS handshake.
const Handshake = "handshake"

// Experiment asks what a TLS 1.3 handshake costs: by key exchange, by certificate,
// resumed or not, and over TCP.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "handshake",
		Short: plan.Form{
			Config: plan.Config{Blocks: 17, Rounds: 2, Target: 2 * time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Config: plan.Config{Blocks: 17, Rounds: 5, Target: 10 * time.Millisecond},
		},
		Cases: handshakeCases(),
		Plan:  planHandshake,
	}
}

// meeting is what handshakes are told apart by.
type meeting struct {
	exchange, certificate string
	resumed               bool
	transport             string
}

const (
	inMemory = "memory"
	overTCP  = "tcp"
	// usualExchange and usualCertificate are what a Go server of today has.
	usualExchange    = "X25519MLKEM768"
	usualCertificate = "ECDSA-P-256"

	tls13 = "TLS 1.3"
)

func (m meeting) of() result.Case {
	resumed := "no"
	if m.resumed {
		resumed = "yes"
	}
	return result.Case{Algorithm: tls13, Mode: m.exchange + "+" + m.certificate, Operation: Handshake,
		Parameters: result.Parameters{"resumed": resumed, "transport": m.transport}.String()}
}

// meetings are the handshakes that are measured. A resumed one has no certificate
// in it, so two kinds show what there is to show.
func meetings() (all []meeting) {
	for _, exchange := range []string{"X25519", "P-256", usualExchange} {
		for _, certificate := range []string{usualCertificate, "Ed25519", "RSA-2048", "RSA-4096"} {
			all = append(all, meeting{exchange, certificate, false, inMemory})
		}
		for _, certificate := range []string{usualCertificate, "RSA-2048"} {
			all = append(all, meeting{exchange, certificate, true, inMemory})
		}
	}
	for _, exchange := range []string{"X25519", usualExchange} {
		all = append(all, meeting{exchange, usualCertificate, false, overTCP}, meeting{exchange, "RSA-2048", false, overTCP},
			meeting{exchange, usualCertificate, true, overTCP})
	}
	return all
}

// inShort says which of them the short form's answer needs.
func (m meeting) inShort() bool {
	switch {
	case m.exchange == "P-256":
		return false
	case m.transport == overTCP, m.resumed:
		return m.exchange == usualExchange && m.certificate == usualCertificate
	}
	return m.certificate == usualCertificate || m.exchange == usualExchange && m.certificate == "RSA-2048"
}

func handshakeCases() (cases []result.Case) {
	for _, m := range meetings() {
		cases = append(cases, m.of())
	}
	return cases
}

func planHandshake(s plan.Selection, offers plan.Offers) []plan.Group {
	kept := Experiment().Narrow(s)
	b := plan.NewBuilder("handshakes")
	byMeeting := map[meeting]result.Trial{}
	for _, m := range meetings() {
		c := m.of()
		if !slices.Contains(kept, c) || s.Short && len(s.Modes) == 0 && !m.inShort() {
			continue
		}
		for _, subject := range plan.OneEach(offers.Subjects(c)) {
			b.Add(subject, c)
			if _, there := byMeeting[m]; !there {
				byMeeting[m] = result.Trial{Subject: subject, Case: c}
			}
		}
	}
	if len(b.Group.Trials) == 0 {
		return nil
	}
	compareMeetings(b, byMeeting)
	if subject, ok := plan.Harness(offers); ok {
		for _, transport := range []string{inMemory, overTCP} {
			b.Add(subject, result.Case{Algorithm: "empty", Operation: Handshake, Parameters: "transport=" + transport})
		}
	}
	return []plan.Group{b.Group}
}

// compareMeetings declares what differs in one thing alone. The answer stands on
// these comparisons of the usual certificate and key exchange.
func compareMeetings(b *plan.Builder, trials map[meeting]result.Trial) {
	for _, m := range meetings() {
		base, ok := trials[m]
		if !ok {
			continue
		}
		with := func(change func(*meeting), headline bool) {
			other := m
			change(&other)
			if t, ok := trials[other]; ok && other != m {
				b.Compare(base, t).Headline = headline
			}
		}
		usual := m.transport == inMemory && !m.resumed
		if m.exchange == "X25519" {
			for _, exchange := range []string{"P-256", usualExchange} {
				with(func(o *meeting) { o.exchange = exchange }, usual && m.certificate == usualCertificate)
			}
		}
		if m.certificate == usualCertificate && !m.resumed {
			for _, certificate := range []string{"Ed25519", "RSA-2048", "RSA-4096"} {
				with(func(o *meeting) { o.certificate = certificate }, usual && m.exchange == usualExchange)
			}
		}
		if !m.resumed {
			with(func(o *meeting) { o.resumed = true }, usual && m.certificate == usualCertificate)
		}
		if m.transport == inMemory {
			with(func(o *meeting) { o.transport = overTCP }, m.certificate == usualCertificate && m.exchange == usualExchange)
		}
	}
}
