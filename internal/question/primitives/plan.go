// Package primitives asks what one call of each primitive costs: a block, a key schedule, a
// hash, a key pair.
package primitives

import (
	"cmp"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Three numbers pass for the speed of a cipher and are not each other: one block
// through cipher.Block, a message through a mode under a kept cipher, and a
// message with a cipher of its own. So they are cases with different names,
// beside the key schedule and the constructor that make the difference.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "primitives",
		Short: plan.Form{Sizes: []int64{1 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 4, Least: 3, Target: 200 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{16, 64, 1 << 10, 16 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 6, Least: 3, Target: 300 * time.Microsecond}},
		Cases: primitiveCases(),
		Flags: []string{"sizes"},
		Make:  planPrimitives,
	}
}

// making are the operations that make a cipher, for each message and by itself.
var making = []string{algorithm.NewEncrypt, algorithm.New}

var signing = []string{algorithm.Sign, algorithm.Verify}

func primitiveCases() (cases []result.Case) {
	add := func(name, mode string, operations ...string) {
		cases = append(cases, plan.Each([]string{name}, []string{mode}, operations)...)
	}
	for _, a := range []string{algorithm.AES128, algorithm.AES256, algorithm.SM4} {
		for _, mode := range []string{algorithm.OneBlock, algorithm.CTR, algorithm.GCM} {
			add(a, mode, plan.BothWays...)
		}
		add(a, algorithm.GCM, making...)
		add(a, "", algorithm.Schedule)
	}
	add(algorithm.ChaCha20, "", algorithm.Encrypt)
	add(algorithm.ChaCha20Poly1305, "", append(plan.BothWays, making...)...)
	for _, a := range []string{algorithm.SHA256, algorithm.SHA3of256, algorithm.SM3, algorithm.BLAKE2b512, algorithm.MD5} {
		add(a, "", algorithm.Hash)
	}
	add(algorithm.HMACSHA256, "", algorithm.MAC)
	add(algorithm.HMACSM3, "", algorithm.MAC)
	add(algorithm.HKDFSHA256, "", algorithm.Derive)
	add(algorithm.Random, algorithm.ForNonce, algorithm.Draw)
	add(algorithm.Random, algorithm.ForIV, algorithm.Draw)
	add(algorithm.RSA2048, algorithm.PKCS1v15Sign, signing...)
	add(algorithm.RSA2048, algorithm.PSS, signing...)
	add(algorithm.ECDSA256, "", signing...)
	add(algorithm.SM2, "", signing...)
	add(algorithm.RSA2048, algorithm.OAEP, plan.BothWays...)
	add(algorithm.RSA2048, algorithm.PKCS1v15, plan.BothWays...)
	add(algorithm.SM2, "", plan.BothWays...)
	add(algorithm.ECDH256, "", algorithm.Agree)
	add(algorithm.X25519, "", algorithm.Agree)
	return cases
}

func needed(c result.Case) bool {
	switch c.Algorithm {
	case algorithm.AES128, algorithm.SM4:
		return c.Operation != algorithm.Decrypt
	case algorithm.ChaCha20Poly1305:
		return c.Operation == algorithm.Encrypt
	case algorithm.RSA2048:
		return c.Mode == algorithm.PKCS1v15Sign || c.Mode == algorithm.OAEP
	case algorithm.SM2:
		return slices.Contains(signing, c.Operation)
	case algorithm.AES256, algorithm.ChaCha20, algorithm.ECDSA256, algorithm.ECDH256, algorithm.X25519,
		algorithm.Random:
		return false
	}
	return true
}

func planPrimitives(s plan.Narrowed) (groups []plan.Group) {
	if s.Short {
		s.Cases = slices.DeleteFunc(s.Cases, func(c result.Case) bool {
			return !needed(c) && (c.Algorithm != algorithm.Random || len(s.Algorithms) == 0)
		})
	}
	p := primitivePlanner{s, plan.UsualSize(s.Form.Sizes)}
	for _, size := range s.Form.Sizes {
		groups = append(groups, p.messages(size)...)
	}
	return append(groups, p.keyPairs()...)
}

type primitivePlanner struct {
	plan.Narrowed
	at int64 // the size that headline comparisons are at
}

// MostDerived is the longest that HKDF with SHA-256 gives (RFC 5869 §2.3).
const MostDerived = 255 * 32

// messages makes the groups of a message size. Beside the usual size stands what
// has no choice of one, so that both can be compared. Long messages are split by
// algorithm, so that their buffers fit into memory.
func (p primitivePlanner) messages(size int64) []plan.Group {
	var all plan.Builders
	for _, c := range p.Cases {
		n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation)
		switch {
		case hasKeyPair(c), fixed && size != p.at, c.Operation == algorithm.Derive && size > MostDerived:
			continue
		case !fixed:
			n = size
		}
		title := plan.InBytes(size)
		if size > plan.InterleaveUpTo {
			title = layout.Say("%s, %s", "%s，%s", c.Algorithm, title)
		}
		p.add(all.Titled(title), c, n)
	}
	return all.Groups(func(b *plan.Builder) { p.compare(b, size) })
}

func hasKeyPair(c result.Case) bool { return algorithm.Of(c.Algorithm).KeyPair() }

// add adds a case of a size by every library, and not by every kernel in the short form.
func (p primitivePlanner) add(b *plan.Builder, c result.Case, bytes int64) {
	subjects := p.Subjects(c)
	if p.Short {
		subjects = plan.OneEach(subjects)
	}
	c.Bytes = bytes
	for _, who := range subjects {
		b.Add(who, c)
	}
}

func (p primitivePlanner) keyPairs() []plan.Group {
	b := plan.NewBuilder(layout.Text{EN: "key pairs", ZH: "公钥运算"})
	for _, c := range p.Cases {
		if hasKeyPair(c) {
			p.add(b, c, 0)
		}
	}
	p.compare(b, p.at)
	return b.Groups()
}

func encrypt(name, mode string) result.Case    { return plan.Of(name, mode, algorithm.Encrypt) }
func alone(name, operation string) result.Case { return plan.Of(name, "", operation) }
func rsa(mode, operation string) result.Case   { return plan.Of(algorithm.RSA2048, mode, operation) }

// contrasts are the comparisons between cases, each in the library that offers it
// first. Those that a sentence stands on are headline.
var contrasts = []struct {
	base, other result.Case
	headline    bool
}{
	{encrypt(algorithm.AES128, algorithm.OneBlock), encrypt(algorithm.AES128, algorithm.CTR), true},
	{encrypt(algorithm.SM4, algorithm.OneBlock), encrypt(algorithm.SM4, algorithm.CTR), true},
	{encrypt(algorithm.AES128, algorithm.GCM), plan.Of(algorithm.AES128, algorithm.GCM, algorithm.NewEncrypt), true},
	{encrypt(algorithm.SM4, algorithm.GCM), plan.Of(algorithm.SM4, algorithm.GCM, algorithm.NewEncrypt), true},
	{encrypt(algorithm.AES128, algorithm.GCM), encrypt(algorithm.SM4, algorithm.GCM), true},
	{encrypt(algorithm.AES128, algorithm.GCM), alone(algorithm.ChaCha20Poly1305, algorithm.Encrypt), true},
	{encrypt(algorithm.AES128, algorithm.GCM), encrypt(algorithm.AES256, algorithm.GCM), false},
	{alone(algorithm.AES128, algorithm.Schedule), alone(algorithm.SM4, algorithm.Schedule), false},
	{alone(algorithm.SHA256, algorithm.Hash), alone(algorithm.SM3, algorithm.Hash), true},
	{alone(algorithm.SHA256, algorithm.Hash), alone(algorithm.MD5, algorithm.Hash), true},
	{alone(algorithm.SHA256, algorithm.Hash), alone(algorithm.SHA3of256, algorithm.Hash), false},
	{alone(algorithm.SHA256, algorithm.Hash), alone(algorithm.BLAKE2b512, algorithm.Hash), false},
	{alone(algorithm.HMACSHA256, algorithm.MAC), alone(algorithm.HMACSM3, algorithm.MAC), false},
	{rsa(algorithm.PKCS1v15Sign, algorithm.Sign), rsa(algorithm.PKCS1v15Sign, algorithm.Verify), true},
	{rsa(algorithm.PKCS1v15Sign, algorithm.Sign), alone(algorithm.SM2, algorithm.Sign), true},
	{rsa(algorithm.PKCS1v15Sign, algorithm.Verify), alone(algorithm.SM2, algorithm.Verify), true},
	{alone(algorithm.ECDSA256, algorithm.Sign), alone(algorithm.SM2, algorithm.Sign), false},
	{alone(algorithm.ECDSA256, algorithm.Verify), alone(algorithm.SM2, algorithm.Verify), false},
	{rsa(algorithm.OAEP, algorithm.Encrypt), rsa(algorithm.OAEP, algorithm.Decrypt), false},
	{rsa(algorithm.PKCS1v15, algorithm.Decrypt), rsa(algorithm.OAEP, algorithm.Decrypt), false},
	{alone(algorithm.ECDH256, algorithm.Agree), alone(algorithm.X25519, algorithm.Agree), false},
}

// compare declares the comparisons of a group: libraries on a case, then cases.
func (p primitivePlanner) compare(b *plan.Builder, size int64) {
	first := map[result.Case]result.Trial{} // by case without size
	for _, t := range b.Group.Trials {
		c := t.Case
		c.Bytes = 0
		base := cmp.Or(first[c], t.Trial) // what is compared with itself is not declared
		first[c] = base
		b.Compare(base, t.Trial).Headline = size == p.at && betweenLibraries(c) && t.Subject.Library != base.Subject.Library
	}
	for _, k := range contrasts {
		b.Compare(first[k.base], first[k.other]).Headline = k.headline && size == p.at
	}
}

// betweenLibraries says of which cases the choice of the library is a headline:
// of those that two established ones offer.
func betweenLibraries(c result.Case) bool {
	return c == alone(algorithm.SM3, algorithm.Hash) ||
		c.Algorithm == algorithm.SM2 && slices.Contains(signing, c.Operation)
}
