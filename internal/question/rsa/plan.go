// Package rsa asks what RSA costs by key length: which side is slow, what padding costs, and how
// long keys take to generate.
package rsa

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what RSA costs as its keys grow: both paddings of encryption, both of
// signatures, what the primes of a key are worth, and how long making one takes,
// which is chance.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:      "rsa",
		Short:     plan.Form{Config: plan.Config{Blocks: 12, Rounds: 5, Least: 3, Target: 300 * time.Microsecond}},
		Full:      plan.Form{Config: plan.Config{Blocks: 15, Rounds: 6, Least: 3, Target: 400 * time.Microsecond}},
		Cases:     rsaCases(),
		Flags:     []string{"sizes"},
		InShort:   inShort,
		OnRequest: []string{algorithm.RSA512, algorithm.RSA8192},
		Make:      planRSA,
	}
}

// draws is how many keys are drawn in a block of the full form, of the longest fewer.
const draws = 6

func rsaCases() (cases []result.Case) {
	for _, a := range plan.RSALengths {
		length := []string{a}
		cases = append(cases, plan.Each(length, []string{algorithm.OAEP, algorithm.PKCS1v15}, plan.BothWays)...)
		cases = append(cases, plan.Each(length, []string{algorithm.PSS, algorithm.PKCS1v15Sign},
			[]string{algorithm.Sign, algorithm.Verify})...)
		for _, held := range []string{parameter.WithoutCRT, parameter.NotComputed} {
			cases = append(cases,
				result.Case{Algorithm: a, Mode: algorithm.OAEP, Operation: algorithm.Decrypt, Parameters: held},
				result.Case{Algorithm: a, Mode: algorithm.PSS, Operation: algorithm.Sign, Parameters: held})
		}
		cases = append(cases, result.Case{Algorithm: a, Operation: algorithm.Precompute},
			result.Case{Algorithm: a, Operation: algorithm.Generate, Parameters: parameter.Draws.Is(draws)})
	}
	return cases
}

// inShort keeps what the answers need at 2048 bits, and signing and verifying at the lengths that show the growth.
func inShort(c result.Case) bool {
	switch c.Algorithm {
	case algorithm.RSA2048:
		return c.Mode != algorithm.PKCS1v15Sign && c.Parameters != parameter.NotComputed &&
			c.Operation != algorithm.Precompute && !(c.Mode == algorithm.OAEP && c.Parameters == parameter.WithoutCRT)
	case algorithm.RSA3072, algorithm.RSA4096:
		return c.Mode == algorithm.PSS && c.Parameters == ""
	}
	return false
}

func planRSA(s plan.Narrowed) []plan.Group {
	each := draws
	if s.Short {
		each = 1
	}
	calls, drawn := plan.NewBuilder(layout.Same("RSA")), plan.NewBuilder(layout.Text{EN: "key generation", ZH: "密钥生成"})
	for _, c := range s.Cases {
		for i, who := range plan.OneEach(s.Subjects(c)) {
			switch c.Operation {
			case algorithm.Generate:
				plan.AddDraws(drawn, who, c, each).Asked = i == 0 && c.Algorithm == algorithm.RSA2048
			case algorithm.Encrypt, algorithm.Decrypt:
				for _, c := range withMessages(c, s.Sizes) {
					calls.Add(who, c)
				}
			default:
				calls.Add(who, c)
			}
		}
	}
	compareRSA(calls)
	return slices.Concat(calls.Groups(), drawn.Groups())
}

// withMessages is a case with each of the message lengths that were asked for, or
// with the usual one, a key of 32 bytes.
func withMessages(c result.Case, sizes []int64) (cases []result.Case) {
	if len(sizes) == 0 || c.Parameters != "" {
		return []result.Case{c}
	}
	for _, n := range sizes {
		c.Parameters = parameter.Message.Is(int(n))
		cases = append(cases, c)
	}
	return cases
}

// compareRSA declares what the answer stands on. Headline is the shortest length
// that people may still use, 2048 bits, or the first that was asked for.
func compareRSA(b *plan.Builder) {
	lengths := slices.DeleteFunc(slices.Clone(plan.RSALengths), func(a string) bool {
		return !slices.ContainsFunc(b.Group.Trials, func(t plan.Trial) bool { return t.Case.Algorithm == a })
	})
	if len(lengths) == 0 {
		return
	}
	main := plan.Usual(algorithm.RSA2048, lengths)
	for _, t := range b.Group.Trials {
		held, message := t.Case.Parameters, ""
		if parameter.Message.Has(held) { // a case has one of them at most
			held, message = "", held
		}
		usual := func(length, mode, operation string) result.Trial {
			c := plan.Of(length, mode, operation)
			c.Parameters = message
			return result.Trial{Subject: t.Subject, Case: c}
		}
		a, mode, operation := t.Case.Algorithm, t.Case.Mode, t.Case.Operation
		headline := a == main
		switch {
		case held != "" && (mode == algorithm.PSS || mode == algorithm.OAEP):
			b.Compare(t.Trial, usual(a, mode, operation)).Headline = headline && operation == algorithm.Sign
		case operation == algorithm.Sign && mode == algorithm.PSS:
			b.Compare(t.Trial, usual(a, mode, algorithm.Verify)).Headline = headline
			b.Compare(usual(a, algorithm.PKCS1v15Sign, operation), t.Trial)
			b.Compare(usual(main, mode, operation), t.Trial).Headline = !headline && a == algorithm.RSA4096
		case operation == algorithm.Decrypt && mode == algorithm.OAEP:
			b.Compare(t.Trial, usual(a, mode, algorithm.Encrypt)).Headline = headline
			b.Compare(usual(a, algorithm.PKCS1v15, operation), t.Trial).Headline = headline
		case operation == algorithm.Encrypt && mode == algorithm.OAEP:
			b.Compare(usual(a, algorithm.PKCS1v15, operation), t.Trial).Headline = headline
		}
	}
}
