// Package exchange asks which key exchange to choose, the post-quantum ones among them: time and
// bytes.
package exchange

import (
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what agreeing on a key costs, on either side of a handshake, and
// what it costs to withstand quantum computers.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:  "exchange",
		Short: plan.Form{Config: plan.Config{Blocks: 12, Rounds: 5, Least: 4, Target: 300 * time.Microsecond}},
		Full:  plan.Form{Config: plan.Config{Blocks: 15, Rounds: 12, Least: 6, Target: 500 * time.Microsecond}},
		Cases: plan.Each([]string{algorithm.ECDH256, algorithm.ECDH384, algorithm.X25519, algorithm.SM2Exchange,
			algorithm.MLKEM768, algorithm.MLKEM1024, algorithm.X25519MLKEM768}, plan.Modeless,
			append(steps, algorithm.Session, algorithm.SessionKey)),
		InShort: inShort,
		Make:    planExchange,
	}
}

// steps are those of either party.
var steps = []string{algorithm.Generate, algorithm.Encapsulate, algorithm.Decapsulate}

// inShort keeps whole sessions, and the steps of the hybrid beside those of the curve
// that is in it.
func inShort(c result.Case) bool {
	switch c.Algorithm {
	case algorithm.X25519, algorithm.X25519MLKEM768:
		return c.Operation != algorithm.SessionKey
	case algorithm.ECDH256, algorithm.MLKEM768, algorithm.SM2Exchange:
		return c.Operation == algorithm.Session
	}
	return false
}

func planExchange(s plan.Narrowed) []plan.Group {
	b := plan.NewBuilder(layout.Text{EN: "key exchange", ZH: "密钥交换"})
	for _, c := range s.Cases {
		for i, who := range plan.OneEach(s.Subjects(c)) {
			if s.Short && i > 0 && c.Algorithm == algorithm.SM2Exchange {
				continue
			}
			t := b.Add(who, c)
			t.Exhibit = dropsZeros(who, c)
			b.Compare(b.First(c), t.Trial).Headline = c.Operation == algorithm.Session
		}
	}
	for _, op := range append([]string{algorithm.Session}, steps...) {
		compare := func(base, other string) *result.Pair {
			return b.Compare(b.First(plan.Of(base, "", op)), b.First(plan.Of(other, "", op)))
		}
		compare(algorithm.X25519, algorithm.X25519MLKEM768).Headline = true
		compare(algorithm.ECDH256, algorithm.X25519).Headline = op == algorithm.Session
		compare(algorithm.X25519, algorithm.MLKEM768).Headline = op == algorithm.Session
		compare(algorithm.ECDH256, algorithm.SM2Exchange).Headline = op == algorithm.Session
		compare(algorithm.ECDH256, algorithm.ECDH384)
		compare(algorithm.MLKEM768, algorithm.MLKEM1024)
	}
	return b.Groups()
}

// dropsZeros knows tjfoc's SM2 key exchange, which hashes the coordinates of the shared
// point without their leading zeros (sm2/sm2.go, keyExchange): one session in a hundred
// or so derives another key than GB/T 32918.3 does. It is shown when it happens.
func dropsZeros(s result.Subject, c result.Case) bool {
	return s.Library == subject.Tjfoc && c.Algorithm == algorithm.SM2Exchange && c.Operation != algorithm.Generate
}
