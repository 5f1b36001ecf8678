// Package messages asks which cipher seals messages of a size best, with AES instructions and
// without them, and for a mix of sizes.
package messages

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks which authenticated cipher seals and opens small messages
// fastest, at which size, with the CPU's AES instructions and without them: the
// answer turns around there.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "messages",
		Short: plan.Form{Sizes: []int64{64, 1350},
			Config: plan.Config{Blocks: 12, Rounds: 6, Least: 5, Target: 250 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{16, 64, 128, 256, 1350, 4096},
			Config: plan.Config{Blocks: 15, Rounds: 10, Least: 5, Target: 300 * time.Microsecond}}, // 1350: what a UDP packet carries
		Cases:        messageCases(),
		LongestMixed: 1 << 20,
		Flags:        []string{"sizes"},
		Make:         planMessages,
	}
}

// heedsAES names the libraries that use AES instructions and can be told not to.
// ChaCha20-Poly1305 and tjfoc's SM4 have none, and our engine asks the CPU itself,
// for other instructions: they are what they are in either case.
var heedsAES = []string{subject.Go, subject.Gmsm}

func messageCases() (cases []result.Case) {
	for _, op := range plan.BothWays {
		for _, c := range []choice{aes128, aes256, chacha, sm4GCM} {
			cases = append(cases, plan.Of(c.algorithm, c.mode, op))
		}
		padded := plan.Of(sm4CBC.algorithm, sm4CBC.mode, op)
		padded.Parameters = parameter.PKCS7Padding
		cases = append(cases, padded)
	}
	for _, c := range []choice{aesCCM, sm4CCM} {
		cases = append(cases, plan.Of(c.algorithm, c.mode, algorithm.Encrypt))
	}
	cases = append(cases, nonceDrawn)
	for _, c := range renewed {
		cases = append(cases, plan.Of(c.algorithm, c.mode, algorithm.NewEncrypt))
	}
	return cases
}

// nonceDrawn is a random nonce, which many programs draw for each message.
var nonceDrawn = plan.Of(algorithm.Random, algorithm.ForNonce, algorithm.Draw)

// renewed are those that also seal under a new key for each message, in the full form.
var renewed = []choice{aes128, chacha, sm4GCM}

func planMessages(s plan.Narrowed) (groups []plan.Group) {
	cases := s.Cases
	if s.Short {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool {
			return c.Operation != algorithm.Encrypt && (c != nonceDrawn || len(s.Algorithms) == 0) || c.Algorithm == algorithm.AES256 ||
				c.Mode == algorithm.CCM && !s.NamesMode(c.Mode)
		})
	}
	p := messagePlanner{Narrowed: s}
	if len(s.Mix) > 0 {
		p.headline = true
		bytes := mixedBytes
		if s.Short {
			bytes /= 4
		}
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return c.Operation == algorithm.NewEncrypt || c == nonceDrawn })
		// One call replays about so many bytes; of short messages there is one for each KiB.
		sizes := seeded.DrawMix(s.Seed, s.Mix, max(bytes/max(int(plan.MeanSize(s.Mix)), 1<<10), leastMixed))
		return p.groups(layout.Text{EN: "a mix of sizes", ZH: "多种长度混合"}, cases, func(c result.Case) result.Case { return mixed(c, sizes) })
	}
	sizes := s.Form.Sizes
	drawn := func(c result.Case) bool { return c == nonceDrawn }
	for i, size := range sizes {
		if i == 1 { // it has one size, and is measured beside the first
			cases = slices.DeleteFunc(slices.Clone(cases), drawn)
		}
		p.headline, p.crossover = isMessageHeadline(size, sizes), len(sizes) >= plan.LeastCrossed
		groups = append(groups, p.groups(plan.InBytes(size), cases, func(c result.Case) result.Case {
			if c.Bytes = size; c.Operation == algorithm.Draw {
				c.Bytes, _ = algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation)
			}
			return c
		})...)
	}
	return groups
}

// isMessageHeadline picks the sizes whose comparisons the answer stands on: a
// short message and a packet, else the first two that were asked for. There are
// never more than two, for the reason that [isHeadlineSize] gives.
func isMessageHeadline(size int64, all []int64) bool {
	if slices.Contains(all, 64) && slices.Contains(all, 1350) {
		return size == 64 || size == 1350
	}
	return slices.Index(all, size) < 2
}

// Bounds of what one call replays of a mix: enough messages that the shares come
// out right, few enough that a call of the slowest library lasts milliseconds.
const (
	mixedBytes = 1 << 20 // about
	leastMixed = 16      // messages
)

// mixed is a case that replays messages of the given sizes in one call.
func mixed(c result.Case, sizes []int) result.Case {
	c.Bytes = 0
	for _, size := range sizes {
		c.Bytes += int64(size)
	}
	c.Parameters = seeded.MixParameters(c.Parameters, len(sizes))
	return c
}

// messagePlanner makes the groups of one message size, or of a mix.
type messagePlanner struct {
	plan.Narrowed
	headline, crossover bool
}

// groups returns one group of everything. Long messages are split by direction,
// so that their buffers fit into memory.
func (p messagePlanner) groups(title layout.Text, cases []result.Case,
	sized func(result.Case) result.Case) []plan.Group {
	var all plan.Builders
	for _, c := range cases {
		part := title
		if sized(cases[0]).Bytes > plan.InterleaveUpTo {
			part = layout.Say("%s, %s", "%s，%s", answer.InPlan(c.Operation), title)
		}
		p.add(all.Titled(part), c, sized(c))
	}
	return all.Groups(p.compare)
}

// add adds the subjects that offer a case, each as it is, then those that can run
// without AES instructions without them.
func (p messagePlanner) add(b *plan.Builder, offered, c result.Case) {
	subjects := p.Subjects(offered)
	if p.Short {
		subjects = slices.DeleteFunc(plan.OneEach(subjects), func(s result.Subject) bool {
			return !slices.Contains([]string{subject.Go, subject.XCrypto, subject.Gmsm}, s.Library)
		})
	}
	for _, s := range subjects {
		b.Add(s, c)
	}
	for _, s := range subjects {
		if slices.Contains(heedsAES, s.Library) && !(p.Short && c.Mode == sm4CBC.mode) && c.Operation != algorithm.NewEncrypt && c.Operation != algorithm.Draw &&
			c.Mode != algorithm.CCM {
			s.Environment = parameter.WithoutAES
			b.Add(s, c)
		}
	}
}

// choice is a cipher of a library, with AES instructions or without.
type choice struct {
	library, algorithm, mode string
	withoutAES               bool
}

var (
	chacha     = choice{subject.XCrypto, algorithm.ChaCha20Poly1305, "", false}
	aes128     = choice{subject.Go, algorithm.AES128, algorithm.GCM, false}
	aes256     = choice{subject.Go, algorithm.AES256, algorithm.GCM, false}
	sm4GCM     = choice{subject.Gmsm, algorithm.SM4, algorithm.GCM, false}
	sm4CBC     = choice{subject.Gmsm, algorithm.SM4, algorithm.CBCHMACSM3, false}
	aesCCM     = choice{subject.Engine, algorithm.AES128, algorithm.CCM, false} // Go's library has none
	sm4CCM     = choice{subject.Gmsm, algorithm.SM4, algorithm.CCM, false}
	aes128Soft = aes128.soft()
	aes256Soft = aes256.soft()
	sm4GCMSoft = sm4GCM.soft()
)

// soft is the choice without AES instructions, and by the same of another library.
func (c choice) soft() choice {
	c.withoutAES = true
	return c
}

func (c choice) by(library string) choice {
	c.library = library
	return c
}

// contest is a comparison at every size and in both directions.
type contest struct {
	base, other choice
	headline    []string // directions whose verdict the answer stands on
}

// crosses says whether it is asked from which size on the other is faster: not of
// a cipher with its instructions against itself without, nor of CCM, which is slower by the way that it goes.
func (c contest) crosses() bool {
	slow := c.base.mode == algorithm.CCM && c.other.mode != algorithm.CCM
	return !slow && (c.base.library != c.other.library || c.base.mode != c.other.mode)
}

var onlySealing = []string{algorithm.Encrypt}

var contests = []contest{
	{chacha, aes128, plan.BothWays},
	{aes128Soft, chacha, plan.BothWays},
	{chacha, aes256, onlySealing},
	{aes256Soft, chacha, onlySealing},
	{aes128, sm4GCM, plan.BothWays},
	{aes128Soft, sm4GCMSoft, onlySealing},
	{sm4CBC, sm4GCM, plan.BothWays},
	{sm4CBC.soft(), sm4GCMSoft, nil},
	{sm4GCM, sm4GCM.by(subject.Tjfoc), onlySealing},
	{sm4CBC.by(subject.Tjfoc), sm4GCM.by(subject.Tjfoc), nil},
	{sm4GCM, sm4GCM.by(subject.Engine), onlySealing},
	{sm4CCM, sm4GCM, onlySealing},
	{aesCCM, aes128.by(subject.Engine), onlySealing},
	{sm4CCM, sm4CCM.by(subject.Engine), nil},
	// What the instructions are worth.
	{aes128Soft, aes128, onlySealing},
	{aes256Soft, aes256, nil},
	{sm4GCMSoft, sm4GCM, onlySealing},
}

func (p messagePlanner) compare(b *plan.Builder) {
	for _, c := range contests {
		for _, op := range plan.BothWays {
			pair := b.Compare(contend(b, c.base, op), contend(b, c.other, op))
			pair.Headline = p.headline && slices.Contains(c.headline, op)
			pair.Crossover = p.crossover && c.crosses()
		}
	}
	for _, c := range renewed {
		for _, library := range []string{c.library, subject.Engine} {
			of := c.by(library)
			b.Compare(contend(b, of, algorithm.Encrypt), contend(b, of, algorithm.NewEncrypt))
		}
	}
}

// contend finds the first trial of a side in the group, which is the kernel that
// the library runs by itself.
func contend(b *plan.Builder, c choice, operation string) result.Trial {
	for _, t := range b.Group.Trials {
		of := choice{t.Subject.Library, t.Case.Algorithm, t.Case.Mode, t.Subject.Environment == parameter.WithoutAES}
		if of == c && t.Case.Operation == operation {
			return t.Trial
		}
	}
	return result.Trial{}
}
