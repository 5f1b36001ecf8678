// Package messages asks which cipher seals messages of a size best, with AES instructions and
// without them, and for a mix of sizes.
package messages

import (
	"fmt"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks which authenticated cipher seals and opens small messages
// fastest, at which size, with the CPU's AES instructions and without them: the
// answer turns around there.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "messages",
		Short: plan.Form{
			Sizes:  []int64{64, 1350},
			Config: plan.Config{Blocks: 17, Rounds: 3, Target: time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{16, 64, 128, 256, 1350, 4096}, // 1350: what a UDP packet carries
			Config: plan.Config{Blocks: 17, Rounds: 7, Target: 2 * time.Millisecond},
		},
		Cases:        messageCases(),
		LongestMixed: 1 << 20,
		Plan:         planMessages,
	}
}

// WithoutAES is the environment in which crypto/aes and gmsm do not find the CPU's
// AES instructions, on amd64 and arm64: both crypto/internal/fips140deps/cpu and
// gmsm's internal/deps/cpu read it. Go's GCM then multiplies without carry-less
// multiplication too, since one kernel does both.
const WithoutAES = "GODEBUG=cpu.aes=off"

// heedsAES names the libraries that use AES instructions and can be told not to.
// ChaCha20-Poly1305 and tjfoc's SM4 have none, and our engine asks the CPU itself,
// for other instructions: they are what they are in either case.
var heedsAES = []string{"go", "gmsm"}

func messageCases() (cases []result.Case) {
	for _, op := range plan.BothWays {
		cases = append(cases,
			result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: op},
			result.Case{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: op},
			result.Case{Algorithm: algorithm.ChaCha20Poly1305, Operation: op},
			result.Case{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: op},
			result.Case{Algorithm: algorithm.SM4, Mode: algorithm.Composite(algorithm.SM4), Operation: op, Parameters: parameter.PKCS7Padding})
	}
	return cases
}

func planMessages(s plan.Selection, offers plan.Offers) (groups []plan.Group) {
	e := Experiment()
	cases := e.Narrow(s)
	if s.Short {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return c.Operation == algorithm.Decrypt || c.Algorithm == algorithm.AES256 })
	}
	p := messagePlanner{short: s.Short, offers: offers}
	if len(s.Mix) > 0 {
		p.headline = true
		bytes := mixedBytes
		if s.Short {
			bytes /= 4
		}
		sizes := seeded.DrawMix(s.Seed, s.Mix, mixLength(s.Mix, bytes))
		return p.groups("a mix of sizes", cases, func(c result.Case) result.Case { return mixed(c, sizes) })
	}
	sizes := e.Form(s).Sizes
	for _, size := range sizes {
		p.headline, p.crossover = isMessageHeadline(size, sizes), len(sizes) >= plan.LeastCrossed
		groups = append(groups, p.groups(fmt.Sprintf("%d bytes", size), cases, func(c result.Case) result.Case {
			c.Bytes = size
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

// mixLength is how many messages one call replays, of about so many bytes; of
// short ones there is one for each KiB.
func mixLength(mix []result.SizeShare, bytes int) int {
	return max(bytes/max(int(plan.MeanSize(mix)), 1<<10), leastMixed)
}

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
	short, headline, crossover bool
	offers                     plan.Offers
}

// groups returns one group of everything. Long messages are split by direction,
// so that their buffers fit into memory.
func (p messagePlanner) groups(name string, cases []result.Case, sized func(result.Case) result.Case) (groups []plan.Group) {
	parts := [][]result.Case{cases}
	if len(cases) > 0 && sized(cases[0]).Bytes > plan.InterleaveUpTo {
		parts = nil
		for _, op := range plan.BothWays {
			parts = append(parts, slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return c.Operation != op }))
		}
	}
	for _, part := range parts {
		b := plan.NewBuilder(name)
		if len(part) > 0 && len(parts) > 1 {
			b.Group.Name = part[0].Operation + ", " + name
		}
		for _, c := range part {
			p.add(b, c, sized(c))
		}
		if len(b.Group.Trials) > 0 {
			p.compare(b)
			groups = append(groups, b.Group)
		}
	}
	return groups
}

// add adds the subjects that offer a case, each as it is, then those that can run
// without AES instructions without them.
func (p messagePlanner) add(b *plan.Builder, offered, c result.Case) {
	subjects := p.offers.Subjects(offered)
	if p.short {
		subjects = slices.DeleteFunc(plan.OneEach(subjects), func(s result.Subject) bool { return !slices.Contains([]string{"go", "xcrypto", "gmsm"}, s.Library) })
	}
	for _, s := range subjects {
		b.Add(s, c)
	}
	for _, s := range subjects {
		if slices.Contains(heedsAES, s.Library) && !(p.short && c.Mode == algorithm.Composite(algorithm.SM4)) {
			s.Environment = WithoutAES
			b.Add(s, c)
		}
	}
}

// contender is a side of a comparison.
type contender struct {
	library, algorithm, mode string
	withoutAES               bool
}

// contest is a comparison at every size and in both directions.
type contest struct {
	base, other contender
	headline    []string // directions whose verdict the answer stands on
}

// crosses says whether it is asked from which size on the other is faster: not of
// a cipher with its instructions against itself without.
func (c contest) crosses() bool {
	return c.base.library != c.other.library || c.base.mode != c.other.mode
}

// contests are what the answer is made of.
var contests = []contest{
	{contender{"xcrypto", algorithm.ChaCha20Poly1305, "", false}, contender{"go", algorithm.AES128, algorithm.GCM, false}, plan.BothWays},
	{contender{"go", algorithm.AES128, algorithm.GCM, true}, contender{"xcrypto", algorithm.ChaCha20Poly1305, "", false}, plan.BothWays},
	{contender{"xcrypto", algorithm.ChaCha20Poly1305, "", false}, contender{"go", algorithm.AES256, algorithm.GCM, false}, []string{algorithm.Encrypt}},
	{contender{"go", algorithm.AES256, algorithm.GCM, true}, contender{"xcrypto", algorithm.ChaCha20Poly1305, "", false}, []string{algorithm.Encrypt}},
	{contender{"go", algorithm.AES128, algorithm.GCM, false}, contender{"gmsm", algorithm.SM4, algorithm.GCM, false}, plan.BothWays},
	{contender{"go", algorithm.AES128, algorithm.GCM, true}, contender{"gmsm", algorithm.SM4, algorithm.GCM, true}, []string{algorithm.Encrypt}},
	{contender{"gmsm", algorithm.SM4, algorithm.CBCHMACSM3, false}, contender{"gmsm", algorithm.SM4, algorithm.GCM, false}, plan.BothWays},
	{contender{"gmsm", algorithm.SM4, algorithm.CBCHMACSM3, true}, contender{"gmsm", algorithm.SM4, algorithm.GCM, true}, nil},
	{contender{"gmsm", algorithm.SM4, algorithm.GCM, false}, contender{"tjfoc", algorithm.SM4, algorithm.GCM, false}, []string{algorithm.Encrypt}},
	{contender{"tjfoc", algorithm.SM4, algorithm.CBCHMACSM3, false}, contender{"tjfoc", algorithm.SM4, algorithm.GCM, false}, nil},
	{contender{"gmsm", algorithm.SM4, algorithm.GCM, false}, contender{plan.OwnLibrary, algorithm.SM4, algorithm.GCM, false}, []string{algorithm.Encrypt}},
	// What the instructions are worth.
	{contender{"go", algorithm.AES128, algorithm.GCM, true}, contender{"go", algorithm.AES128, algorithm.GCM, false}, []string{algorithm.Encrypt}},
	{contender{"go", algorithm.AES256, algorithm.GCM, true}, contender{"go", algorithm.AES256, algorithm.GCM, false}, nil},
	{contender{"gmsm", algorithm.SM4, algorithm.GCM, true}, contender{"gmsm", algorithm.SM4, algorithm.GCM, false}, []string{algorithm.Encrypt}},
}

func (p messagePlanner) compare(b *plan.Builder) {
	for _, c := range contests {
		for _, op := range plan.BothWays {
			base, other := contend(b, c.base, op), contend(b, c.other, op)
			if base == nil || other == nil {
				continue
			}
			b.Compare(*base, *other).Headline = p.headline && slices.Contains(c.headline, op)
			b.Group.Pairs[len(b.Group.Pairs)-1].Crossover = p.crossover && c.crosses()
		}
	}
}

// contender finds the first trial of a side in the group, which is the kernel that
// the library runs by itself; nil where there is none.
func contend(b *plan.Builder, c contender, operation string) *result.Trial {
	for _, t := range b.Group.Trials {
		if t.Subject.Library == c.library && (t.Subject.Environment == WithoutAES) == c.withoutAES &&
			t.Case.Algorithm == c.algorithm && t.Case.Mode == c.mode && t.Case.Operation == operation {
			return &t.Trial
		}
	}
	return nil
}
