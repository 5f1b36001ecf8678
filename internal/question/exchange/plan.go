// Package exchange asks which key exchange to choose, the post-quantum ones among them: time and
// bytes.
package exchange

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what agreeing on a key costs, on either side of a handshake, and
// what it costs to withstand quantum computers.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "exchange",
		Short: plan.Form{
			Config: plan.Config{Blocks: 12, Rounds: 2, Target: time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Config: plan.Config{Blocks: 15, Rounds: 7, Target: 2 * time.Millisecond},
		},
		Cases: exchangeCases(),
		Plan:  planExchange,
	}
}

const (
	ecdh256     = "ECDH-P-256"
	ecdh384     = "ECDH-P-384"
	x25519      = "X25519"
	sm2Exchange = "SM2-exchange"
	mlkem768    = "ML-KEM-768"
	mlkem1024   = "ML-KEM-1024"
	x25519mlkem = "X25519MLKEM768"

	encapsulate = "encapsulate"
	decapsulate = "decapsulate"
	session     = "session"
	sessionKey  = "session-key"
)

func exchangeCases() (cases []result.Case) {
	for _, a := range []string{ecdh256, ecdh384, x25519, sm2Exchange, mlkem768, mlkem1024, x25519mlkem} {
		for _, op := range []string{algorithm.Generate, encapsulate, decapsulate, session, sessionKey} {
			cases = append(cases, result.Case{Algorithm: a, Operation: op})
		}
	}
	return cases
}

// inShortExchange keeps what the short form's answer needs: whole sessions, and the
// steps of the hybrid beside those of the curve that is in it.
func inShortExchange(c result.Case) bool {
	switch c.Algorithm {
	case x25519, x25519mlkem:
		return c.Operation != sessionKey
	case ecdh256, mlkem768, sm2Exchange:
		return c.Operation == session
	}
	return false
}

func planExchange(s plan.Selection, offers plan.Offers) []plan.Group {
	cases := Experiment().Narrow(s)
	if s.Short && len(s.Algorithms) == 0 {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return !inShortExchange(c) })
	}
	b := plan.NewBuilder("key exchange")
	first := map[result.Case]result.Trial{}
	for _, c := range cases {
		for i, subject := range plan.OneEach(offers.Subjects(c)) {
			if s.Short && i > 0 && c.Algorithm == sm2Exchange {
				continue
			}
			b.Add(subject, c)
			if dropsZeros(subject, c) {
				b.Exhibit(subject, c)
			}
			if i == 0 {
				first[c] = result.Trial{Subject: subject, Case: c}
			} else {
				b.Compare(first[c], result.Trial{Subject: subject, Case: c}).Headline = c.Operation == session
			}
		}
	}
	if len(b.Group.Trials) == 0 {
		return nil
	}
	for _, op := range []string{session, algorithm.Generate, encapsulate, decapsulate} {
		of := func(algorithm string) result.Trial { return first[result.Case{Algorithm: algorithm, Operation: op}] }
		b.Compare(of(x25519), of(x25519mlkem)).Headline = true
		b.Compare(of(ecdh256), of(x25519)).Headline = op == session
		b.Compare(of(x25519), of(mlkem768)).Headline = op == session
		b.Compare(of(ecdh256), of(sm2Exchange)).Headline = op == session
		b.Compare(of(ecdh256), of(ecdh384))
		b.Compare(of(mlkem768), of(mlkem1024))
	}
	return []plan.Group{b.Group}
}

// dropsZeros knows tjfoc's SM2 key exchange, which hashes the coordinates of the shared
// point without their leading zeros (sm2/sm2.go, keyExchange): one session in a hundred
// or so derives another key than GB/T 32918.3 does. It is shown when it happens.
func dropsZeros(s result.Subject, c result.Case) bool {
	return s.Library == "tjfoc" && c.Algorithm == sm2Exchange && c.Operation != algorithm.Generate
}
