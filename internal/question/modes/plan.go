// Package modes asks what a mode of a block cipher costs: ECB, CBC, CTR and the others,
// and those that authenticate.
package modes

import (
	"fmt"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what the modes of SM4 and AES cost, in which library, and what the
// fast ones give away.
//
// Bare CBC against GCM would compare unequal things, since GCM authenticates.
// So the composite that most deployments run stands beside it: CBC with PKCS #7
// padding, then HMAC over IV and ciphertext.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "modes",
		Short: plan.Form{
			Sizes:  []int64{1 << 10, 64 << 10},
			Config: plan.Config{Blocks: 17, Rounds: 3, Target: time.Millisecond, Budget: 8 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{64, 1 << 10, 16 << 10, 1 << 20, 10 << 20},
			Config: plan.Config{Blocks: 15, Rounds: 7, Target: 2 * time.Millisecond},
		},
		Cases: modeCases(),
		Plan:  planModes,
	}
}

const (
	// Exposure is the scenario that counts repeated ciphertext blocks and draws the picture.
	Exposure = algorithm.Exposure
	// HelperPadding marks one-call helpers that schedule the key and pad inside the call.
	helperEncrypt = algorithm.InitEncryptPad
	helperDecrypt = algorithm.InitDecryptPad
	// A GCM helper does not pad.
	HelperSeal = algorithm.InitEncrypt
	helperOpen = algorithm.InitDecrypt
)

var (
	bareModes     = []string{algorithm.ECB, algorithm.CBC, algorithm.CFB, algorithm.OFB, algorithm.CTR, algorithm.GCM}
	exposedModes  = []string{algorithm.ECB, algorithm.CBC, algorithm.CTR}
	exposureBytes = int64(1 << 20)
)

func modeCases() (cases []result.Case) {
	for _, a := range []string{algorithm.SM4, algorithm.AES128, algorithm.AES256} {
		for _, op := range plan.BothWays {
			for _, m := range bareModes {
				cases = append(cases, result.Case{Algorithm: a, Mode: m, Operation: op})
			}
			cases = append(cases, result.Case{Algorithm: a, Mode: algorithm.Composite(a), Operation: op, Parameters: "padding=pkcs7"})
		}
	}
	for _, op := range plan.BothWays {
		cases = append(cases, result.Case{Algorithm: algorithm.ChaCha20Poly1305, Operation: op})
	}
	for _, m := range []string{algorithm.ECB, algorithm.CBC, algorithm.CFB, algorithm.OFB} {
		for _, op := range []string{helperEncrypt, helperDecrypt} {
			cases = append(cases, result.Case{Algorithm: algorithm.SM4, Mode: m, Operation: op})
		}
	}
	for _, op := range []string{HelperSeal, helperOpen} {
		cases = append(cases, result.Case{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: op})
	}
	for _, a := range []string{algorithm.SM4, algorithm.AES128} {
		for _, m := range exposedModes {
			cases = append(cases, result.Case{Algorithm: a, Mode: m, Operation: Exposure})
		}
	}
	return cases
}

// inShort says whether a case belongs to the short form: what its answer needs.
func inShort(c result.Case) bool {
	switch c.Operation {
	case algorithm.Encrypt, algorithm.Decrypt:
		return c.Algorithm == algorithm.SM4 && c.Mode != algorithm.CFB && c.Mode != algorithm.OFB ||
			c.Algorithm == algorithm.AES128 && (c.Mode == algorithm.CBC || c.Mode == algorithm.GCM)
	case Exposure:
		return c.Algorithm == algorithm.SM4
	case HelperSeal, helperOpen:
		return true // found incorrect, and never timed
	}
	return c.Mode == algorithm.CBC && c.Operation == helperEncrypt
}

func planModes(s plan.Selection, offers plan.Offers) []plan.Group {
	e := Experiment()
	cases := e.Narrow(s)
	if s.Short {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return !inShort(c) })
	}
	sizes := e.Form(s).Sizes
	groups := exposureGroup(cases, offers)
	for _, size := range sizes {
		p := modePlanner{size: size, headline: plan.IsHeadlineSize(size, sizes), short: s.Short, offers: offers}
		groups = append(groups, p.groups(cases)...)
	}
	return groups
}

// exposureGroup asks one library for each algorithm, the first that offers it:
// what a mode reveals does not depend on who computes it.
func exposureGroup(cases []result.Case, offers plan.Offers) []plan.Group {
	b := plan.NewBuilder("repeated-block exposure")
	for _, c := range cases {
		if subjects := offers.Subjects(c); c.Operation == Exposure && len(subjects) > 0 {
			c.Bytes = exposureBytes
			b.Add(subjects[0], c)
		}
	}
	for i := range b.Group.Trials {
		b.Group.Trials[i].Blocks = 1
	}
	return b.Groups()
}

// modePlanner makes the groups of one message size.
type modePlanner struct {
	size     int64
	headline bool
	short    bool
	offers   plan.Offers
}

// groups returns one group of everything for short messages, where a round is
// short and all may be compared. Long messages are split by algorithm and
// direction, so that their buffers fit into memory.
func (p modePlanner) groups(cases []result.Case) []plan.Group {
	byName := map[string]*plan.Builder{}
	var order []string
	for _, c := range cases {
		if c.Operation == Exposure {
			continue
		}
		name := fmt.Sprintf("%d bytes", p.size)
		if p.size > plan.InterleaveUpTo {
			name = fmt.Sprintf("%s %s, %d bytes", c.Algorithm, c.Operation, p.size)
		}
		subjects := p.offers.Subjects(c)
		if p.short {
			subjects = plan.OneEach(subjects)
		}
		if p.size > plan.InterleaveUpTo { // over so many bytes a crossing is nothing
			subjects = slices.DeleteFunc(subjects, func(s result.Subject) bool { return s.CallPath == plan.LoopPath })
		}
		if len(subjects) == 0 {
			continue
		}
		if byName[name] == nil {
			byName[name] = plan.NewBuilder(name)
			order = append(order, name)
		}
		c.Bytes = p.size
		for _, s := range subjects {
			byName[name].Add(s, c)
			if isExhibit(s, c) {
				byName[name].Exhibit(s, c)
			}
		}
	}
	var groups []plan.Group
	for _, name := range order {
		b := byName[name]
		p.compareModes(b)
		p.compareDirections(b)
		p.compareLibraries(b)
		p.compareAlgorithms(b)
		groups = append(groups, b.Group)
	}
	return groups
}

// isExhibit knows tjfoc's GCM helper, which computes wrong tags and opens tampered
// text: it is asked so that everybody sees it.
func isExhibit(s result.Subject, c result.Case) bool {
	return s.Library == "tjfoc" && c.Mode == algorithm.GCM && (c.Operation == HelperSeal || c.Operation == helperOpen)
}

// each calls f for every trial of a timed, bare operation of a mode.
func (p modePlanner) each(b *plan.Builder, mode string, f func(t result.Trial)) {
	for _, t := range slices.Clone(b.Group.Trials) {
		if t.Case.Mode == mode && (t.Case.Operation == algorithm.Encrypt || t.Case.Operation == algorithm.Decrypt) {
			f(t.Trial)
		}
	}
}

func with(t result.Trial, mode, operation string) result.Trial {
	t.Case.Mode, t.Case.Operation, t.Case.Parameters = mode, operation, ""
	return t
}

// compareModes sets each mode against CBC of the same library and direction, and
// GCM against the composite, which promises the same.
func (p modePlanner) compareModes(b *plan.Builder) {
	p.each(b, algorithm.CBC, func(base result.Trial) {
		for _, m := range []string{algorithm.ECB, algorithm.CTR, algorithm.CFB, algorithm.OFB} {
			headline := p.headline && base.Case.Algorithm == algorithm.SM4 && m == algorithm.ECB
			b.Compare(base, with(base, m, base.Case.Operation)).Headline = headline
		}
	})
	for _, a := range []string{algorithm.SM4, algorithm.AES128, algorithm.AES256} {
		p.each(b, algorithm.Composite(a), func(base result.Trial) {
			if base.Case.Algorithm == a {
				b.Compare(base, with(base, algorithm.GCM, base.Case.Operation)).Headline = p.headline && a == algorithm.SM4 && base.Subject.Library == "gmsm"
			}
		})
	}
}

// compareDirections sets decryption against encryption: in CBC only one of them
// can be computed in parallel.
func (p modePlanner) compareDirections(b *plan.Builder) {
	for _, m := range bareModes {
		p.each(b, m, func(t result.Trial) {
			if t.Case.Operation == algorithm.Encrypt {
				headline := p.headline && m == algorithm.CBC && t.Case.Algorithm == algorithm.SM4 && t.Subject.Library == "gmsm"
				b.Compare(t, with(t, m, algorithm.Decrypt)).Headline = headline
			}
		})
	}
}

// compareLibraries sets every other library against the first that offers a case.
func (p modePlanner) compareLibraries(b *plan.Builder) {
	first := map[result.Case]result.Trial{}
	for _, t := range slices.Clone(b.Group.Trials) {
		base, there := first[t.Case]
		if !there {
			first[t.Case] = t.Trial
			continue
		}
		headline := p.headline && t.Case.Operation == algorithm.Encrypt && t.Case.Algorithm == algorithm.SM4 &&
			(t.Case.Mode == algorithm.CBC || t.Case.Mode == algorithm.GCM)
		b.Compare(base, t.Trial).Headline = headline
	}
}

// compareAlgorithms sets SM4 in each library against AES-128 in Go's, by mode.
func (p modePlanner) compareAlgorithms(b *plan.Builder) {
	for _, m := range bareModes {
		p.each(b, m, func(base result.Trial) {
			if base.Case.Algorithm != algorithm.AES128 || base.Subject.Library != "go" {
				return
			}
			p.each(b, m, func(other result.Trial) {
				if other.Case.Algorithm == algorithm.SM4 && other.Case.Operation == base.Case.Operation {
					b.Compare(base, other).Headline = p.headline && m == algorithm.GCM && other.Case.Operation == algorithm.Encrypt && other.Subject.Library == "gmsm"
				}
			})
		})
	}
}
