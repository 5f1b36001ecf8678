// Package signatures asks which signature scheme to choose: time and bytes, on one CPU and on all.
package signatures

import (
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what to sign with: RSA, the curves, SM2, and the lattices that
// withstand quantum computers, at equal strength.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:    "signatures",
		Short:   plan.Form{Config: plan.Config{Blocks: 12, Rounds: 5, Least: 4, Target: 300 * time.Microsecond}},
		Full:    plan.Form{Config: plan.Config{Blocks: 15, Rounds: 8, Least: 4, Target: 500 * time.Microsecond}},
		Cases:   signatureCases(),
		InShort: inShort,
		Make:    planSignatures,
	}
}

var directions = []string{algorithm.Sign, algorithm.Verify}

func signatureCases() (cases []result.Case) {
	for _, a := range []string{algorithm.RSA2048, algorithm.RSA3072, algorithm.RSA4096} {
		cases = append(cases, plan.Each([]string{a}, []string{algorithm.PSS}, directions)...)
		cases = append(cases, result.Case{Algorithm: a, Operation: algorithm.Generate, Parameters: parameter.Draws.Is(1)})
	}
	cases = append(cases, plan.Each([]string{algorithm.ECDSA256, algorithm.ECDSA384, algorithm.Ed25519, algorithm.SM2,
		algorithm.MLDSA44, algorithm.MLDSA65}, plan.Modeless, append(directions, algorithm.Generate))...)
	for _, op := range directions {
		cases = append(cases, result.Case{Algorithm: algorithm.SM2, Operation: op, Parameters: parameter.PrecomputedZA})
	}
	return cases
}

// inShort keeps the choices at a strength of 128 bits, signing and verifying.
func inShort(c result.Case) bool {
	return c.Operation != algorithm.Generate && c.Parameters == "" && slices.Contains(
		[]string{algorithm.RSA3072, algorithm.ECDSA256, algorithm.Ed25519, algorithm.SM2, algorithm.MLDSA44}, c.Algorithm)
}

func planSignatures(s plan.Narrowed) (groups []plan.Group) {
	alone, busy, draws := plan.NewBuilder(layout.Text{EN: "signatures", ZH: "签名"}), plan.NewBuilder(layout.Text{EN: "every CPU busy", ZH: "全部 CPU 繁忙"}),
		plan.NewBuilder(layout.Text{EN: "key generation", ZH: "密钥生成"})
	for _, c := range s.Cases {
		for _, who := range plan.OneEach(s.Subjects(c)) {
			if parameter.Draws.Has(c.Parameters) {
				plan.AddDraws(draws, who, c, 1)
				continue
			}
			alone.Add(who, c)
			if !s.Short && c.Operation != algorithm.Generate && c.Parameters == "" {
				one, all := c, c
				one.Parameters, all.Parameters = parameter.Busy.Is(1), parameter.Busy.Is(runtime.GOMAXPROCS(0))
				busy.Compare(busy.Add(who, one).Trial, busy.Add(who, all).Trial)
			}
		}
	}
	compareSignatures(alone)
	return slices.Concat(alone.Groups(), busy.Groups(), draws.Groups())
}

// compareSignatures sets the schemes of 128 bits against ECDSA on P-256, which most
// deployments have, those of 192 bits against each other, SM2's libraries against the
// first, and SM2 with the signer's identity hashed once against each time.
func compareSignatures(b *plan.Builder) {
	of := func(scheme, operation string) result.Trial {
		if algorithm.RSABits(scheme) > 0 && operation != algorithm.Generate {
			return b.First(plan.Of(scheme, algorithm.PSS, operation))
		}
		return b.First(plan.Of(scheme, "", operation))
	}
	for _, op := range append(directions, algorithm.Generate) {
		for _, a := range []string{algorithm.SM2, algorithm.Ed25519, algorithm.RSA3072, algorithm.MLDSA44} {
			b.Compare(of(algorithm.ECDSA256, op), of(a, op)).Headline = op != algorithm.Generate
		}
		b.Compare(of(algorithm.ECDSA384, op), of(algorithm.MLDSA65, op))
		b.Compare(of(algorithm.ECDSA256, op), of(algorithm.ECDSA384, op))
		b.Compare(of(algorithm.RSA3072, op), of(algorithm.RSA2048, op))
	}
	for _, t := range b.Group.Trials {
		b.Compare(b.First(t.Case), t.Trial).Headline = t.Case.Parameters == "" && t.Case.Operation != algorithm.Generate
		if t.Case.Parameters == parameter.PrecomputedZA {
			usual := t.Trial
			usual.Case.Parameters = ""
			b.Compare(usual, t.Trial).Headline = t.Subject.Library == subject.Gmsm
		}
	}
}
