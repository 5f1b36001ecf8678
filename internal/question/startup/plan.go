// Package startup asks when a service should open the secrets of its configuration: whether they are plain, sealed at
// build and opened at start, opened on each use, or opened on first use and kept; and what unwrapping their key adds.
//
// A start and a use are operations of their own, in one group for each configuration, so that their differences are
// paired: from how many uses on opening at start pays is the time that it adds to a start over what it saves of each
// use. The key is unwrapped once a start, whatever the configuration: that is measured apart, by the operations that
// other questions have too, and added.
//
// A key that is wrapped under one that a PKCS#11 token holds is unwrapped by a session that is opened for it: by AES key
// wrap, and by RSA-OAEP with SHA-256 or, in tokens that lack that, with SHA-1. Logging in, which loads and
// initialises the module, happens once in a process and is told beside it.
//
// Configurations have 10 and 1,000 secrets of 64 B, 1 KiB and 4 KiB, and 100,000 of 64 B under the first cipher: as many
// of 4 KiB would take half a gigabyte in every worker, for the same answer per secret.
package startup

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:    "startup",
		Short:   plan.Form{Config: plan.Config{Blocks: 12, Rounds: 2, Least: 2, Target: 300 * time.Microsecond}},
		Full:    plan.Form{Config: plan.Config{Blocks: 12, Rounds: 4, Least: 2, Target: 500 * time.Microsecond}},
		Cases:   cases(),
		Flags:   []string{"sizes"},
		InShort: inShort,
		Make:    planStartup,
	}
}

const (
	usual     = 1000    // secrets of a service
	few       = 10      //
	many      = 100_000 // of the smallest size
	usualSize = 1 << 10
)

var sizes = []int64{64, usualSize, 4 << 10}

const mostBytes = 64 << 20

var openings = []parameter.Opening{parameter.Never, parameter.AtStart, parameter.OnUse, parameter.OnFirst}

func configuration(c result.Case, secrets, each int64, opened parameter.Opening) result.Case {
	c.Parameters = parameter.Join(parameter.Secrets.Is(secrets), parameter.Each.Is(each), parameter.Opened.Is(opened))
	return c
}

// passphrase is a key that is wrapped by a passphrase: of what OWASP asks for at least (Password Storage Cheat Sheet).
func passphrase() string {
	return parameter.Join(parameter.M.Is(19<<10), parameter.T.Is(2), parameter.P.Is(1))
}

// unwraps are the ways to have the key, each an operation of another question.
func unwraps() []result.Case {
	key := plan.Of(algorithm.Argon2id, "", algorithm.Login)
	key.Parameters = passphrase()
	return []result.Case{plan.Of(algorithm.Envelope, algorithm.X25519Envelope, algorithm.Open),
		plan.Of(algorithm.Envelope, algorithm.HybridEnvelope, algorithm.Open), plan.Of(algorithm.SM2, "", algorithm.Decrypt),
		plan.Of(algorithm.RSA2048, algorithm.OAEP, algorithm.Decrypt), key,
		plan.Of(algorithm.AES256, algorithm.KeyWrap, algorithm.Unwrap),
		plan.Of(algorithm.RSA2048, algorithm.OAEP, algorithm.Unwrap), plan.Of(algorithm.RSA2048, algorithm.OAEPSHA1, algorithm.Unwrap)}
}

// keyBytes is the key that an envelope holds.
const keyBytes = 32

func cases() (all []result.Case) {
	for _, name := range []algorithm.Name{algorithm.AES256, algorithm.SM4} {
		for _, op := range []algorithm.Operation{algorithm.StartUp, algorithm.UseSecret} {
			for _, o := range openings {
				all = append(all, configuration(plan.Of(name, algorithm.GCM, op), few, sizes[0], o))
			}
		}
	}
	return append(all, unwraps()...)
}

// inShort leaves SM4's secrets to the full form, what opening on first use takes, which is what a plain secret does or
// one that is opened on use, the envelope that few have yet, and RSA in a token.
func inShort(c result.Case) bool {
	if c.Operation == algorithm.Unwrap {
		return c.Mode == algorithm.KeyWrap
	}
	return c.Algorithm != algorithm.SM4 && parameter.Opened.In(c.Parameters) != parameter.OnFirst && c.Mode != algorithm.HybridEnvelope &&
		(c.Operation != algorithm.UseSecret || parameter.Opened.In(c.Parameters) != parameter.Never)
}

type shape struct{ secrets, each int64 }

// prepare is how long it takes to draw, seal and pack a configuration, and to check all its secrets twice.
func (s shape) prepare() time.Duration {
	const secret, perByte = 3 * time.Microsecond, 8 * time.Nanosecond
	return time.Duration(s.secrets) * (secret + time.Duration(s.each)*perByte)
}

func shapes(s plan.Selection) (all []shape) {
	asked := s.Sizes
	switch {
	case len(asked) > 0:
	case s.Short:
		asked = []int64{usualSize}
	default:
		asked = sizes
	}
	for _, each := range asked {
		counts := []int64{few, usual}
		if s.Short && usual*each <= mostBytes {
			counts = []int64{usual}
		}
		for _, n := range counts {
			if n*each <= mostBytes && each <= parameter.Each.Most {
				all = append(all, shape{n, each})
			}
		}
	}
	if len(s.Sizes) == 0 && !s.Short {
		all = append(all, shape{many, sizes[0]})
	}
	return all
}

func planStartup(s plan.Narrowed) (groups []plan.Group) {
	all := shapes(s.Selection)
	for _, sh := range all {
		b := plan.NewBuilder(layout.Say("%d secrets of %d bytes", "%d 条机密，每条 %d 字节", sh.secrets, sh.each))
		for _, c := range s.Cases {
			if !parameter.Opened.Has(c.Parameters) || sh.secrets == many && c.Algorithm != s.Cases[0].Algorithm {
				continue
			}
			for _, who := range plan.OneEach(s.Subjects(c)) {
				sized := configuration(c, sh.secrets, sh.each, parameter.Opened.In(c.Parameters))
				t := b.Add(who, sized)
				t.Prepare = sh.prepare()
				if t.Call = about(sized); sh.secrets == many {
					t.Blocks, t.Rounds = plan.LeastBlocks, 1
				}
			}
		}
		compare(b, sh, main(all))
		groups = append(groups, b.Groups()...)
	}
	keys := plan.NewBuilder(layout.Text{EN: "the key is unwrapped", ZH: "解开密钥"})
	for _, c := range s.Cases {
		if parameter.Opened.Has(c.Parameters) {
			continue
		}
		if c.Algorithm == algorithm.Envelope {
			c.Bytes = keyBytes
		}
		for _, who := range holders(c, s.Subjects(c)) {
			t := keys.Add(who, c)
			if t.Blocks = plan.EnoughBlocks; c.Algorithm == algorithm.Argon2id {
				t.Call = 30 * time.Millisecond
			}
			if s.Short || t.Call > 0 {
				t.Blocks, t.Rounds = plan.LeastBlocks, 1
			}
		}
	}
	return append(groups, keys.Groups()...)
}

// holders are who unwraps a key: each token that was named, or else the first library in Go, as what crossing into C
// costs is another question.
func holders(c result.Case, all []result.Subject) (who []result.Subject) {
	for _, s := range all {
		switch token := s.Library == subject.PKCS11; {
		case token && c.Operation == algorithm.Unwrap:
			who = append(who, s)
		case !token && !subject.Crosses(s.CallPath):
			return []result.Subject{s}
		}
	}
	return who
}

// about is how long a start takes, which matters where it outlasts a sample.
func about(c result.Case) time.Duration {
	if c.Operation != algorithm.StartUp {
		return 0
	}
	each := 150*time.Nanosecond + time.Duration(parameter.Each.In(c.Parameters)/4)*time.Nanosecond
	if parameter.Opened.In(c.Parameters) == parameter.AtStart {
		each *= 3
	}
	return time.Duration(parameter.Secrets.In(c.Parameters)) * each
}

// main is the configuration that the answer is about.
func main(all []shape) (m shape) {
	for _, s := range all {
		if m.secrets == 0 || s.secrets == usual && (m.secrets != usual || s.each == usualSize) {
			m = s
		}
	}
	return m
}

// compare sets a start that opens everything against a plain one and one that opens nothing, and a use that opens
// against one that does not. The answer stands on those of the main configuration.
func compare(b *plan.Builder, of, main shape) {
	for _, t := range slices.Clone(b.Group.Trials) {
		if parameter.Opened.In(t.Case.Parameters) != parameter.AtStart {
			continue
		}
		other := func(o parameter.Opening) result.Trial {
			t := t.Trial
			t.Case.Parameters = parameter.With(t.Case.Parameters, parameter.Opened.Is(o))
			return t
		}
		b.Compare(t.Trial, other(parameter.OnUse)).Headline = of == main
		b.Compare(t.Trial, other(parameter.Never)).Headline = of == main && t.Case.Operation == algorithm.StartUp
		b.Compare(t.Trial, other(parameter.OnFirst))
	}
}

func nameOf(c result.Case) layout.Text {
	switch {
	case c.Operation == algorithm.Unwrap:
		return layout.Say("token (%s-%s)", "令牌（%s-%s）", c.Algorithm, algorithm.Padding(c.Mode))
	case c.Algorithm == algorithm.Argon2id:
		return layout.Say("passphrase (%s)", "口令（%s）", c.Algorithm)
	case c.Algorithm == algorithm.Envelope:
		e, _ := algorithm.EnvelopeOf(c.Mode)
		return layout.Same(e.Wrapping)
	case c.Mode != "":
		return layout.Same(c.Algorithm + "-" + algorithm.Padding(c.Mode))
	}
	return layout.Say("%s decryption", "%s 解密", answer.CaseName(c.Algorithm, c.Mode))
}
