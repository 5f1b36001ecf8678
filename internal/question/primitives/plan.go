// Package primitives asks what one call of each primitive costs: a block, a key schedule, a
// hash, a key pair.
package primitives

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what each primitive costs.
//
// Three numbers pass for the speed of a cipher and are not each other: one block
// through cipher.Block, a message through a mode under a kept cipher, and a
// message with a cipher of its own. So they are cases with different names,
// beside the key schedule and the constructor that make the difference.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "primitives",
		Short: plan.Form{
			Sizes:  []int64{1 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 2, Target: 500 * time.Microsecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{16, 64, 1 << 10, 16 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 5, Target: 2 * time.Millisecond},
		},
		Cases: slices.Concat(cipherCases(), hashCases(), keyPairCases()),
		Plan:  planPrimitives,
	}
}

// What primitives have besides encrypt and decrypt.
const (
	Schedule = "schedule"    // a block cipher under a key
	newOne   = "new"         // a cipher ready for messages
	NewEach  = "new+encrypt" // such a cipher for each message
	mac      = algorithm.MAC
	Derive   = algorithm.Derive
	agree    = algorithm.Agree
)

const (
	signatureRSA = algorithm.PKCS1v15Sign
)

func cipherCases() (cases []result.Case) {
	for _, a := range []string{algorithm.AES128, algorithm.AES256, algorithm.SM4} {
		for _, m := range []string{algorithm.OneBlock, algorithm.CTR, algorithm.GCM} {
			for _, op := range plan.BothWays {
				cases = append(cases, result.Case{Algorithm: a, Mode: m, Operation: op})
			}
		}
		cases = append(cases, result.Case{Algorithm: a, Mode: algorithm.GCM, Operation: NewEach},
			result.Case{Algorithm: a, Mode: algorithm.GCM, Operation: newOne}, result.Case{Algorithm: a, Operation: Schedule})
	}
	cases = append(cases, result.Case{Algorithm: algorithm.ChaCha20, Operation: algorithm.Encrypt})
	for _, op := range []string{algorithm.Encrypt, algorithm.Decrypt, NewEach, newOne} {
		cases = append(cases, result.Case{Algorithm: algorithm.ChaCha20Poly1305, Operation: op})
	}
	return cases
}

func hashCases() (cases []result.Case) {
	for _, a := range []string{algorithm.SHA256, algorithm.SHA3of256, algorithm.SM3, algorithm.BLAKE2b512, algorithm.MD5} {
		cases = append(cases, result.Case{Algorithm: a, Operation: algorithm.Hash})
	}
	return append(cases, result.Case{Algorithm: algorithm.HMACSHA256, Operation: mac}, result.Case{Algorithm: algorithm.HMACSM3, Operation: mac},
		result.Case{Algorithm: algorithm.HKDFSHA256, Operation: Derive})
}

func keyPairCases() (cases []result.Case) {
	add := func(algorithm, mode string, operations ...string) {
		for _, op := range operations {
			cases = append(cases, result.Case{Algorithm: algorithm, Mode: mode, Operation: op})
		}
	}
	add(algorithm.RSA2048, signatureRSA, algorithm.Sign, algorithm.Verify)
	add(algorithm.RSA2048, algorithm.PSS, algorithm.Sign, algorithm.Verify)
	add(algorithm.ECDSA256, "", algorithm.Sign, algorithm.Verify)
	add(algorithm.SM2, "", algorithm.Sign, algorithm.Verify)
	add(algorithm.RSA2048, algorithm.OAEP, algorithm.Encrypt, algorithm.Decrypt)
	add(algorithm.RSA2048, algorithm.PKCS1v15, algorithm.Encrypt, algorithm.Decrypt)
	add(algorithm.SM2, "", algorithm.Encrypt, algorithm.Decrypt)
	add(algorithm.ECDH256, "", agree)
	add(algorithm.X25519, "", agree)
	return cases
}

// needed says whether the short form's answer needs a primitive.
func needed(c result.Case) bool {
	switch c.Algorithm {
	case algorithm.AES128, algorithm.SM4:
		return c.Operation != algorithm.Decrypt
	case algorithm.ChaCha20Poly1305:
		return c.Operation == algorithm.Encrypt
	case algorithm.RSA2048:
		return c.Mode == signatureRSA || c.Mode == algorithm.OAEP
	case algorithm.SM2:
		return c.Operation == algorithm.Sign || c.Operation == algorithm.Verify
	case algorithm.AES256, algorithm.ChaCha20, algorithm.ECDSA256, algorithm.ECDH256, algorithm.X25519:
		return false
	}
	return true
}

func planPrimitives(s plan.Selection, offers plan.Offers) []plan.Group {
	e := Experiment()
	cases := e.Narrow(s)
	if s.Short {
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return !needed(c) })
	}
	sizes := e.Form(s).Sizes
	p := primitivePlanner{at: plan.UsualSize(sizes), short: s.Short, offers: offers}
	var groups []plan.Group
	for _, size := range sizes {
		groups = append(groups, p.messages(cases, size)...)
	}
	return append(groups, p.keyPairs(cases)...)
}

// primitivePlanner makes the groups of this experiment.
type primitivePlanner struct {
	at     int64 // the size that headline comparisons are at
	short  bool
	offers plan.Offers
}

// MostDerived is the longest that HKDF with SHA-256 gives (RFC 5869 §2.3).
const MostDerived = 255 * 32

// messages makes the groups of a message size. Beside the usual size stands what
// has no choice of one, so that both can be compared. Long messages are split by
// algorithm, so that their buffers fit into memory.
func (p primitivePlanner) messages(cases []result.Case, size int64) []plan.Group {
	byName := map[string]*plan.Builder{}
	var order []string
	for _, c := range cases {
		n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation)
		switch {
		case hasKeyPair(c), fixed && size != p.at, c.Operation == Derive && size > MostDerived:
			continue
		case !fixed:
			n = size
		}
		name := fmt.Sprintf("%d bytes", size)
		if size > plan.InterleaveUpTo {
			name = fmt.Sprintf("%s, %d bytes", c.Algorithm, size)
		}
		if subjects := p.subjects(c); len(subjects) > 0 {
			if byName[name] == nil {
				byName[name] = plan.NewBuilder(name)
				order = append(order, name)
			}
			c.Bytes = n
			for _, sub := range subjects {
				byName[name].Add(sub, c)
			}
		}
	}
	var groups []plan.Group
	for _, name := range order {
		groups = append(groups, p.compared(byName[name], size))
	}
	return groups
}

func hasKeyPair(c result.Case) bool {
	switch c.Operation {
	case algorithm.Sign, algorithm.Verify, agree:
		return true
	}
	return strings.HasPrefix(c.Algorithm, "RSA-") || c.Algorithm == algorithm.SM2
}

func (p primitivePlanner) subjects(c result.Case) []result.Subject {
	if p.short {
		return plan.OneEach(p.offers.Subjects(c))
	}
	return p.offers.Subjects(c)
}

func (p primitivePlanner) keyPairs(cases []result.Case) []plan.Group {
	b := plan.NewBuilder("key pairs")
	for _, c := range cases {
		if hasKeyPair(c) {
			for _, sub := range p.subjects(c) {
				b.Add(sub, c)
			}
		}
	}
	if len(b.Group.Trials) == 0 {
		return nil
	}
	return []plan.Group{p.compared(b, p.at)}
}

// contrasts are the comparisons between cases, each in the library that offers it
// first. Those that a sentence stands on are headline.
var contrasts = []struct {
	base, other result.Case
	headline    bool
}{
	{plan.Of(algorithm.AES128, algorithm.OneBlock, algorithm.Encrypt), plan.Of(algorithm.AES128, algorithm.CTR, algorithm.Encrypt), true},
	{plan.Of(algorithm.SM4, algorithm.OneBlock, algorithm.Encrypt), plan.Of(algorithm.SM4, algorithm.CTR, algorithm.Encrypt), true},
	{plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.AES128, algorithm.GCM, NewEach), true},
	{plan.Of(algorithm.SM4, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.SM4, algorithm.GCM, NewEach), true},
	{plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.SM4, algorithm.GCM, algorithm.Encrypt), true},
	{plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.ChaCha20Poly1305, "", algorithm.Encrypt), true},
	{plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.AES256, algorithm.GCM, algorithm.Encrypt), false},
	{plan.Of(algorithm.AES128, "", Schedule), plan.Of(algorithm.SM4, "", Schedule), false},
	{plan.Of(algorithm.SHA256, "", algorithm.Hash), plan.Of(algorithm.SM3, "", algorithm.Hash), true},
	{plan.Of(algorithm.SHA256, "", algorithm.Hash), plan.Of(algorithm.MD5, "", algorithm.Hash), true},
	{plan.Of(algorithm.SHA256, "", algorithm.Hash), plan.Of(algorithm.SHA3of256, "", algorithm.Hash), false},
	{plan.Of(algorithm.SHA256, "", algorithm.Hash), plan.Of(algorithm.BLAKE2b512, "", algorithm.Hash), false},
	{plan.Of(algorithm.HMACSHA256, "", mac), plan.Of(algorithm.HMACSM3, "", mac), false},
	{plan.Of(algorithm.RSA2048, signatureRSA, algorithm.Sign), plan.Of(algorithm.RSA2048, signatureRSA, algorithm.Verify), true},
	{plan.Of(algorithm.RSA2048, signatureRSA, algorithm.Sign), plan.Of(algorithm.SM2, "", algorithm.Sign), true},
	{plan.Of(algorithm.RSA2048, signatureRSA, algorithm.Verify), plan.Of(algorithm.SM2, "", algorithm.Verify), true},
	{plan.Of(algorithm.ECDSA256, "", algorithm.Sign), plan.Of(algorithm.SM2, "", algorithm.Sign), false},
	{plan.Of(algorithm.ECDSA256, "", algorithm.Verify), plan.Of(algorithm.SM2, "", algorithm.Verify), false},
	{plan.Of(algorithm.RSA2048, algorithm.OAEP, algorithm.Encrypt), plan.Of(algorithm.RSA2048, algorithm.OAEP, algorithm.Decrypt), false},
	{plan.Of(algorithm.RSA2048, algorithm.PKCS1v15, algorithm.Decrypt), plan.Of(algorithm.RSA2048, algorithm.OAEP, algorithm.Decrypt), false},
	{plan.Of(algorithm.ECDH256, "", agree), plan.Of(algorithm.X25519, "", agree), false},
}

// compared declares the comparisons of a group: libraries on a case, then cases.
func (p primitivePlanner) compared(b *plan.Builder, size int64) plan.Group {
	first := map[result.Case]result.Trial{} // by case without size
	for _, t := range slices.Clone(b.Group.Trials) {
		c := t.Case
		c.Bytes = 0
		base, there := first[c]
		if !there {
			first[c] = t.Trial
			continue
		}
		b.Compare(base, t.Trial).Headline = size == p.at && betweenLibraries(c) && t.Subject.Library != base.Subject.Library
	}
	for _, k := range contrasts {
		base, okBase := first[k.base]
		other, okOther := first[k.other]
		if okBase && okOther {
			b.Compare(base, other).Headline = k.headline && size == p.at
		}
	}
	return b.Group
}

// betweenLibraries says of which cases the choice of the library is a headline:
// of those that two established ones offer.
func betweenLibraries(c result.Case) bool {
	return c == plan.Of(algorithm.SM3, "", algorithm.Hash) || c == plan.Of(algorithm.SM2, "", algorithm.Sign) || c == plan.Of(algorithm.SM2, "", algorithm.Verify)
}
