// Package rsa asks what RSA costs by key length: which side is slow, what padding costs, and how
// long keys take to generate.
package rsa

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what RSA costs as its keys grow: both paddings of encryption, both of
// signatures, what the primes of a key are worth, and how long making one takes,
// which is chance.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "rsa",
		Short: plan.Form{
			Config: plan.Config{Blocks: 12, Rounds: 2, Target: time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Config: plan.Config{Blocks: 15, Rounds: 5, Target: 2 * time.Millisecond},
		},
		Cases:     rsaCases(),
		OnRequest: []string{"RSA-512", "RSA-8192"},
		Plan:      planRSA,
	}
}

const (
	// Precompute is what a key is prepared by for its private operations.
	precompute = "precompute"

	pkcs1Sign = "PKCS1v15-SHA-256"
	pkcs1     = "PKCS1v15"

	// How a private key is held, where it is not as usual.
	withoutCRT  = "crt=no"
	uncomputed  = "precomputed=no"
	drawsOfCase = "draws=6"
)

func rsaCases() (cases []result.Case) {
	for _, a := range plan.RSALengths {
		for _, mode := range []string{algorithm.OAEP, pkcs1} {
			for _, op := range plan.BothWays {
				cases = append(cases, result.Case{Algorithm: a, Mode: mode, Operation: op})
			}
		}
		for _, mode := range []string{algorithm.PSS, pkcs1Sign} {
			for _, op := range []string{algorithm.Sign, algorithm.Verify} {
				cases = append(cases, result.Case{Algorithm: a, Mode: mode, Operation: op})
			}
		}
		for _, held := range []string{withoutCRT, uncomputed} {
			cases = append(cases, result.Case{Algorithm: a, Mode: algorithm.OAEP, Operation: algorithm.Decrypt, Parameters: held},
				result.Case{Algorithm: a, Mode: algorithm.PSS, Operation: algorithm.Sign, Parameters: held})
		}
		cases = append(cases, result.Case{Algorithm: a, Operation: precompute},
			result.Case{Algorithm: a, Operation: algorithm.Generate, Parameters: drawsOfCase})
	}
	return cases
}

// inShortRSA keeps what the short form's answer needs: everything at 2048 bits, and
// signing at the lengths that show the growth.
func inShortRSA(c result.Case) bool {
	switch {
	case c.Algorithm == "RSA-2048":
		return c.Mode != pkcs1Sign && c.Parameters != uncomputed && c.Operation != precompute
	case c.Algorithm == "RSA-3072", c.Algorithm == "RSA-4096":
		return c.Mode == algorithm.PSS && c.Operation == algorithm.Sign && c.Parameters == ""
	}
	return false
}

func planRSA(s plan.Selection, offers plan.Offers) []plan.Group {
	cases := Experiment().Narrow(s)
	if s.Short && len(s.Algorithms) == 0 {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return !inShortRSA(c) })
	}
	calls, draws := plan.NewBuilder("RSA"), plan.NewBuilder("key generation")
	for _, c := range cases {
		for _, subject := range plan.OneEach(offers.Subjects(c)) {
			switch {
			case c.Operation == algorithm.Generate:
				plan.AddDraws(draws, subject, c, s.Short)
			case c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt:
				for _, c := range withMessages(c, s.Sizes) {
					calls.Add(subject, c)
				}
			default:
				calls.Add(subject, c)
			}
		}
	}
	compareRSA(calls)
	var groups []plan.Group
	for _, b := range []*plan.Builder{calls, draws} {
		groups = append(groups, b.Groups()...)
	}
	return groups
}

// withMessages is a case with each of the message lengths that were asked for, or
// with the usual one, a key of 32 bytes.
func withMessages(c result.Case, sizes []int64) (cases []result.Case) {
	if len(sizes) == 0 || c.Parameters != "" {
		return []result.Case{c}
	}
	for _, n := range sizes {
		c.Parameters = "message=" + strconv.FormatInt(n, 10)
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
	main := lengths[0]
	if slices.Contains(lengths, "RSA-2048") {
		main = "RSA-2048"
	}
	for _, t := range slices.Clone(b.Group.Trials) {
		usual := func(algorithm, mode, operation string) result.Trial {
			return result.Trial{Subject: t.Subject, Case: result.Case{Algorithm: algorithm, Mode: mode, Operation: operation, Parameters: message(t.Case)}}
		}
		a, headline := t.Case.Algorithm, t.Case.Algorithm == main
		switch t.Case.Operation + " " + t.Case.Mode + " " + held(t.Case) {
		case "sign " + algorithm.PSS + " ":
			b.Compare(t.Trial, usual(a, algorithm.PSS, algorithm.Verify)).Headline = headline
			b.Compare(usual(a, pkcs1Sign, algorithm.Sign), t.Trial)
			if !headline {
				b.Compare(usual(main, algorithm.PSS, algorithm.Sign), t.Trial).Headline = a == "RSA-4096"
			}
		case "decrypt " + algorithm.OAEP + " ":
			b.Compare(t.Trial, usual(a, algorithm.OAEP, algorithm.Encrypt)).Headline = headline
			b.Compare(usual(a, pkcs1, algorithm.Decrypt), t.Trial).Headline = headline
		case "encrypt " + algorithm.OAEP + " ":
			b.Compare(usual(a, pkcs1, algorithm.Encrypt), t.Trial).Headline = headline
		case "sign " + algorithm.PSS + " " + withoutCRT, "sign " + algorithm.PSS + " " + uncomputed,
			"decrypt " + algorithm.OAEP + " " + withoutCRT, "decrypt " + algorithm.OAEP + " " + uncomputed:
			b.Compare(t.Trial, usual(a, t.Case.Mode, t.Case.Operation)).Headline = headline && t.Case.Operation == algorithm.Sign
		}
	}
}

// held is how a case's key is held, "" where as usual; message the parameter of a
// message's length. A case has one of them at most.
func held(c result.Case) string {
	if message(c) != "" {
		return ""
	}
	return c.Parameters
}

func message(c result.Case) string {
	if strings.HasPrefix(c.Parameters, "message=") {
		return c.Parameters
	}
	return ""
}
