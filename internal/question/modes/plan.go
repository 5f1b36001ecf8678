// Package modes asks what a mode of a block cipher costs: ECB, CBC, CTR and the others,
// and those that authenticate.
package modes

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

// Bare CBC against GCM would compare unequal things, since GCM authenticates.
// So the composite that most deployments run stands beside it: CBC with PKCS #7
// padding, then HMAC over IV and ciphertext.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "modes",
		Short: plan.Form{Sizes: []int64{1 << 10, 64 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 5, Least: 3, Target: 250 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{64, 1 << 10, 16 << 10, 1 << 20, 10 << 20},
			Config: plan.Config{Blocks: 15, Rounds: 6, Least: 3, Target: 250 * time.Microsecond}},
		Cases: modeCases(),
		Flags: []string{"sizes"},
		Make:  planModes,
	}
}

// Operations of one-call helpers, with padding and, of GCM, without.
var (
	padding = []string{algorithm.InitEncryptPad, algorithm.InitDecryptPad}
	sealing = []string{algorithm.InitEncrypt, algorithm.InitDecrypt}
)

var bareModes = []string{algorithm.ECB, algorithm.CBC, algorithm.CFB, algorithm.OFB, algorithm.CTR, algorithm.GCM, algorithm.CCM}

// exposureBytes is how much of each kind of data is encrypted to count what repeats.
const exposureBytes = 1 << 20

func modeCases() (cases []result.Case) {
	for _, a := range []string{algorithm.SM4, algorithm.AES128, algorithm.AES256} {
		for _, op := range plan.BothWays {
			cases = append(cases, plan.Each([]string{a}, bareModes, []string{op})...)
			cases = append(cases,
				result.Case{Algorithm: a, Mode: algorithm.Composite(a), Operation: op, Parameters: parameter.PKCS7Padding})
		}
	}
	only := []string{algorithm.SM4}
	return slices.Concat(cases, plan.Each([]string{algorithm.ChaCha20Poly1305}, plan.Modeless, plan.BothWays),
		plan.Each(only, []string{algorithm.ECB, algorithm.CBC, algorithm.CFB, algorithm.OFB}, padding),
		plan.Each(only, []string{algorithm.GCM}, sealing),
		plan.Each([]string{algorithm.SM4, algorithm.AES128}, []string{algorithm.ECB, algorithm.CBC, algorithm.CTR},
			[]string{algorithm.Exposure}))
}

// leftToFull are the modes that the short form's answer does not need.
var leftToFull = []string{algorithm.CFB, algorithm.OFB, algorithm.CCM}

// inShort says whether a case belongs to the short form: what its answer needs.
func inShort(c result.Case) bool {
	switch c.Operation {
	case algorithm.Encrypt, algorithm.Decrypt:
		return c.Algorithm == algorithm.SM4 && !slices.Contains(leftToFull, c.Mode) ||
			c.Algorithm == algorithm.AES128 && (c.Mode == algorithm.CBC || c.Mode == algorithm.GCM)
	case algorithm.Exposure:
		return c.Algorithm == algorithm.SM4
	case algorithm.InitEncrypt, algorithm.InitDecrypt:
		return true // found incorrect, and never timed
	}
	return c.Mode == algorithm.CBC && c.Operation == algorithm.InitEncryptPad
}

// asked says whether a short form has a case because the user names its mode.
func asked(s plan.Selection, c result.Case) bool {
	return slices.Contains(leftToFull, c.Mode) && s.NamesMode(c.Mode) && slices.Contains(plan.BothWays, c.Operation) &&
		(c.Algorithm == algorithm.SM4 || c.Algorithm == algorithm.AES128)
}

func planModes(s plan.Narrowed) []plan.Group {
	if s.Short {
		s.Cases = slices.DeleteFunc(s.Cases, func(c result.Case) bool { return !inShort(c) && !asked(s.Selection, c) })
	}
	groups := exposureGroup(s)
	for _, size := range s.Form.Sizes {
		p := modePlanner{s, size, plan.IsHeadlineSize(size, s.Form.Sizes), len(s.Sizes) > 0}
		groups = append(groups, p.groups()...)
	}
	return groups
}

// exposureGroup asks one library for each algorithm, the first that offers it:
// what a mode reveals does not depend on who computes it.
func exposureGroup(s plan.Narrowed) []plan.Group {
	b := plan.NewBuilder(layout.Text{EN: "repeated-block exposure", ZH: "相同分组是否可见"})
	for _, c := range s.Cases {
		if subjects := s.Subjects(c); c.Operation == algorithm.Exposure && len(subjects) > 0 {
			c.Bytes = exposureBytes
			b.Add(subjects[0], c).Blocks = 1
		}
	}
	return b.Groups()
}

// Of long messages, which show from where on nothing changes, few samples are taken, in as
// many blocks as an interval takes, and of each library what it runs by itself.
const (
	long, longest = 1 << 20, 10 << 20
	longRounds    = 2
)

type modePlanner struct {
	plan.Narrowed
	size     int64
	headline bool
	chosen   bool // the user gave the sizes
}

// leftOut says what is not measured of the longest messages, unless they were asked for:
// what is not the cipher that this is about, decryption, which 1 MiB shows as well, and
// helpers, which take seconds a call.
func (p modePlanner) leftOut(c result.Case) bool {
	return !p.chosen && p.size >= longest &&
		(c.Algorithm != algorithm.SM4 || c.Operation != algorithm.Encrypt)
}

func (p modePlanner) few(t *plan.Trial) {
	switch {
	case p.chosen || p.size < long:
	case p.size < longest:
		t.Blocks, t.Rounds = plan.EnoughBlocks, longRounds
	default:
		t.Blocks, t.Rounds = plan.LeastBlocks, 1
	}
}

// groups returns one group of everything for short messages, where a round is
// short and all may be compared. Long messages are split by algorithm and
// direction, so that their buffers fit into memory.
func (p modePlanner) groups() []plan.Group {
	var all plan.Builders
	for _, c := range p.Cases {
		if c.Operation == algorithm.Exposure || p.leftOut(c) {
			continue
		}
		title := plan.InBytes(p.size)
		subjects := p.Subjects(c)
		if p.Short || !p.chosen && p.size >= long {
			subjects = plan.OneEach(subjects)
		}
		if p.size > plan.InterleaveUpTo { // over so many bytes a crossing is nothing
			title = layout.Say("%s %s, %s", "%s %s，%s", c.Algorithm, answer.InPlan(c.Operation), title)
			subjects = slices.DeleteFunc(subjects, func(s result.Subject) bool { return s.CallPath == subject.CLoop })
		}
		c.Bytes = p.size
		for _, s := range subjects {
			t := all.Titled(title).Add(s, c)
			t.Exhibit = isExhibit(s, c)
			p.few(t)
		}
	}
	return all.Groups(func(b *plan.Builder) {
		p.compareModes(b)
		p.compareDirections(b)
		p.compareLibraries(b)
		p.compareAlgorithms(b)
	})
}

// isExhibit knows tjfoc's GCM helper, which computes wrong tags and opens tampered
// text: it is asked so that everybody sees it.
func isExhibit(s result.Subject, c result.Case) bool {
	return s.Library == subject.Tjfoc && c.Mode == algorithm.GCM && slices.Contains(sealing, c.Operation)
}

// bare are the trials of timed, bare operations of a mode.
func bare(b *plan.Builder, mode string) (trials []result.Trial) {
	for _, t := range b.Group.Trials {
		if t.Case.Mode == mode && slices.Contains(plan.BothWays, t.Case.Operation) {
			trials = append(trials, t.Trial)
		}
	}
	return trials
}

func with(t result.Trial, mode, operation string) result.Trial {
	t.Case.Mode, t.Case.Operation, t.Case.Parameters = mode, operation, ""
	return t
}

// main says whether the answer may stand on a trial: of SM4 in gmsm, at a headline size.
func (p modePlanner) main(t result.Trial) bool {
	return p.headline && t.Case.Algorithm == algorithm.SM4 && t.Subject.Library == subject.Gmsm
}

// compareModes sets each mode against CBC of the same library and direction, and
// GCM against the composite and against CCM, which promise the same.
func (p modePlanner) compareModes(b *plan.Builder) {
	for _, base := range bare(b, algorithm.CBC) {
		for _, m := range []string{algorithm.ECB, algorithm.CTR, algorithm.CFB, algorithm.OFB} {
			headline := p.headline && base.Case.Algorithm == algorithm.SM4 && m == algorithm.ECB
			b.Compare(base, with(base, m, base.Case.Operation)).Headline = headline
		}
	}
	for _, mode := range []string{algorithm.CBCHMACSM3, algorithm.CBCHMACSHA256, algorithm.CCM} {
		for _, base := range bare(b, mode) {
			b.Compare(base, with(base, algorithm.GCM, base.Case.Operation)).Headline = p.main(base)
		}
	}
}

// compareDirections sets decryption against encryption: in CBC only one of them
// can be computed in parallel.
func (p modePlanner) compareDirections(b *plan.Builder) {
	for _, m := range bareModes {
		for _, t := range bare(b, m) { // what is compared with itself is not declared
			b.Compare(t, with(t, m, algorithm.Decrypt)).Headline = m == algorithm.CBC && p.main(t)
		}
	}
}

// compareLibraries sets every other library against the first that offers a case.
func (p modePlanner) compareLibraries(b *plan.Builder) {
	for _, t := range b.Group.Trials {
		b.Compare(b.First(t.Case), t.Trial).Headline = p.headline && t.Case.Operation == algorithm.Encrypt &&
			t.Case.Algorithm == algorithm.SM4 && (t.Case.Mode == algorithm.CBC || t.Case.Mode == algorithm.GCM)
	}
}

// compareAlgorithms sets SM4 in each library against AES-128 in Go's, by mode.
func (p modePlanner) compareAlgorithms(b *plan.Builder) {
	for _, m := range bareModes {
		for _, base := range bare(b, m) {
			if base.Case.Algorithm != algorithm.AES128 || base.Subject.Library != subject.Go {
				continue
			}
			for _, other := range bare(b, m) {
				if other.Case.Algorithm == algorithm.SM4 && other.Case.Operation == base.Case.Operation {
					b.Compare(base, other).Headline = m == algorithm.GCM && other.Case.Operation == algorithm.Encrypt && p.main(other)
				}
			}
		}
	}
}
