// Package signatures asks which signature scheme to choose: time and bytes, on one CPU and on all.
package signatures

import (
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what to sign with: RSA, the curves, SM2, and the lattices that
// withstand quantum computers, at equal strength.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "signatures",
		Short: plan.Form{
			Config: plan.Config{Blocks: 12, Rounds: 2, Target: time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Config: plan.Config{Blocks: 15, Rounds: 5, Target: 3 * time.Millisecond},
		},
		Cases: signatureCases(),
		Plan: func(s plan.Selection, o plan.Offers) []plan.Group {
			return planSignatures(s, o, runtime.GOMAXPROCS(0))
		},
	}
}

const (
	ecdsa256 = "ECDSA-P-256"
	ecdsa384 = "ECDSA-P-384"
	ed25519  = "Ed25519"
	sm2      = "SM2"
	mldsa44  = "ML-DSA-44"
	mldsa65  = "ML-DSA-65"

	// precomputedZA is the digest of an SM2 signer's identity, computed once and not a
	// message.
	precomputedZA = "za=precomputed"
	oneDraw       = "draws=1"
)

func signatureCases() (cases []result.Case) {
	for _, a := range []string{"RSA-2048", "RSA-3072", "RSA-4096"} {
		for _, op := range []string{algorithm.Sign, algorithm.Verify} {
			cases = append(cases, result.Case{Algorithm: a, Mode: algorithm.PSS, Operation: op})
		}
		cases = append(cases, result.Case{Algorithm: a, Operation: algorithm.Generate, Parameters: oneDraw})
	}
	for _, a := range []string{ecdsa256, ecdsa384, ed25519, sm2, mldsa44, mldsa65} {
		for _, op := range []string{algorithm.Sign, algorithm.Verify, algorithm.Generate} {
			cases = append(cases, result.Case{Algorithm: a, Operation: op})
		}
	}
	for _, op := range []string{algorithm.Sign, algorithm.Verify} {
		cases = append(cases, result.Case{Algorithm: sm2, Operation: op, Parameters: precomputedZA})
	}
	return cases
}

// inShortSignatures keeps what the short form's answer needs: the choices at a
// strength of 128 bits, signing and verifying.
func inShortSignatures(c result.Case) bool {
	switch c.Algorithm {
	case "RSA-3072", ecdsa256, ed25519, sm2, mldsa44:
		return (c.Operation == algorithm.Sign || c.Operation == algorithm.Verify) && c.Parameters == ""
	}
	return false
}

func planSignatures(s plan.Selection, offers plan.Offers, cpus int) []plan.Group {
	cases := Experiment().Narrow(s)
	if s.Short && len(s.Algorithms) == 0 {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return !inShortSignatures(c) })
	}
	alone, draws, busy := plan.NewBuilder("signatures"), plan.NewBuilder("key generation"), plan.NewBuilder("every CPU busy")
	for _, c := range cases {
		for _, subject := range plan.OneEach(offers.Subjects(c)) {
			if c.Parameters == oneDraw {
				plan.AddDraws(draws, subject, c, true)
				continue
			}
			alone.Add(subject, c)
			if !s.Short && c.Operation != algorithm.Generate && c.Parameters == "" {
				busy.Add(subject, onCPUs(c, 1))
				busy.Add(subject, onCPUs(c, cpus))
				busy.Compare(result.Trial{Subject: subject, Case: onCPUs(c, 1)}, result.Trial{Subject: subject, Case: onCPUs(c, cpus)})
			}
		}
	}
	compareSignatures(alone)
	var groups []plan.Group
	for _, b := range []*plan.Builder{alone, busy, draws} {
		groups = append(groups, b.Groups()...)
	}
	return groups
}

// onCPUs is a case on so many CPUs at once, each working for itself.
func onCPUs(c result.Case, cpus int) result.Case {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return c
	}
	p["busy"] = strconv.Itoa(cpus)
	c.Parameters = p.String()
	return c
}

// compareSignatures sets the schemes of 128 bits against ECDSA on P-256, which most
// deployments have, those of 192 bits against each other, SM2's libraries against the
// first, and SM2 with the signer's identity hashed once against each time.
func compareSignatures(b *plan.Builder) {
	first := map[result.Case]result.Trial{}
	for _, t := range slices.Clone(b.Group.Trials) {
		if _, there := first[t.Case]; !there {
			first[t.Case] = t.Trial
		}
	}
	of := func(scheme, operation string) result.Trial {
		c := result.Case{Algorithm: scheme, Operation: operation}
		if slices.Contains(plan.RSALengths, scheme) && operation != algorithm.Generate {
			c.Mode = algorithm.PSS
		}
		return first[c]
	}
	for _, op := range []string{algorithm.Sign, algorithm.Verify, algorithm.Generate} {
		for _, a := range []string{sm2, ed25519, "RSA-3072", mldsa44} {
			b.Compare(of(ecdsa256, op), of(a, op)).Headline = op != algorithm.Generate
		}
		b.Compare(of(ecdsa384, op), of(mldsa65, op))
		b.Compare(of(ecdsa256, op), of(ecdsa384, op))
		b.Compare(of("RSA-3072", op), of("RSA-2048", op))
	}
	for _, t := range slices.Clone(b.Group.Trials) {
		if base := first[t.Case]; base != t.Trial {
			b.Compare(base, t.Trial).Headline = t.Case.Parameters == "" && t.Case.Operation != algorithm.Generate
		}
		if t.Case.Parameters == precomputedZA {
			usual := t.Trial
			usual.Case.Parameters = ""
			b.Compare(usual, t.Trial).Headline = t.Subject.Library == "gmsm"
		}
	}
}
