package multibuffer

import (
	"crypto/fips140"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"hash"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// An HMAC is a key that is made ready for HMAC (RFC 2104, GB/T 15852.2-2012) with SHA-256 or SM3: what
// both hashes of a message begin with is hashed once, when it is made. It never changes, so any number of
// goroutines may use it at once.
//
// From three messages under SM3 on, and ten under SHA-256, AVX-512 works in lanes. Fewer are left to the library: they take
// up to 40 ns a message longer than by a hash of crypto/hmac that one goroutine keeps and resets, and half as long as by one
// that is made for each message. Where SHA instructions are there, fewer than fourteen messages under SHA-256, and without
// AVX-512 all, go two and two by these: on a first-generation AMD EPYC each of two messages takes less time than by a hash
// that is kept, and each of 64 messages of 64 bytes half of it; a single one takes as long up to 56 bytes, and up to an
// eighth longer from there.
//
// MACs are 32 bytes. Everything that touches a key, a message or a MAC takes constant time, in lanes and
// in the libraries that do the work without them; lengths show.
type HMAC struct {
	hasher Hasher
	hash   kernel.Hash
	states [len(pads)][8]uint32    // after the key's block, changed by each pad
	block  *[kernel.BlockSize]byte // where the library's hash can't be set to a state
}

// macSize is the size of a MAC in bytes.
const macSize = 32

// NewHMACSHA256 makes a key ready for HMAC-SHA-256. The key may have any length and is copied. With
// GODEBUG=fips140=only it panics where crypto/hmac does.
func NewHMACSHA256(key []byte) *HMAC { return fastest.NewHMACSHA256(key) }

// NewHMACSM3 makes a key ready for HMAC-SM3. The key may have any length and is copied. With
// GODEBUG=fips140=only it panics, as crypto/hmac does.
func NewHMACSM3(key []byte) *HMAC { return fastest.NewHMACSM3(key) }

// NewHMACsSHA256 is NewHMACSHA256 for many keys at once, in lanes.
func NewHMACsSHA256(keys [][]byte) []HMAC { return fastest.NewHMACsSHA256(keys) }

// NewHMACsSM3 is NewHMACSM3 for many keys at once, in lanes.
func NewHMACsSM3(keys [][]byte) []HMAC { return fastest.NewHMACsSM3(keys) }

// NewHMACSHA256 is the function of that name by this implementation.
func (h Hasher) NewHMACSHA256(key []byte) *HMAC {
	return &h.prepare(kernel.SHA256, sha256.New, [][]byte{key})[0]
}

// NewHMACSM3 is the function of that name by this implementation.
func (h Hasher) NewHMACSM3(key []byte) *HMAC {
	return &h.prepare(kernel.SM3, sm3.New, [][]byte{key})[0]
}

// NewHMACsSHA256 is the function of that name by this implementation.
func (h Hasher) NewHMACsSHA256(keys [][]byte) []HMAC {
	return h.prepare(kernel.SHA256, sha256.New, keys)
}

// NewHMACsSM3 is the function of that name by this implementation.
func (h Hasher) NewHMACsSM3(keys [][]byte) []HMAC {
	return h.prepare(kernel.SM3, sm3.New, keys)
}

func (h Hasher) prepare(f kernel.Hash, library func() hash.Hash, keys [][]byte) []HMAC {
	ms := make([]HMAC, len(keys))
	for i, key := range keys {
		if fips140.Enforced() {
			hmac.New(library, key) // refuses in its way
		}
		ms[i].hasher, ms[i].hash = h, f
	}
	able := settable(f)
	by := h.forFew(f, len(ms))
	c := &keyedCosts[by.kernel][f]
	inLanes := c.two && !fips140.Enforced() || by.tries(f, len(ms)) && !c.tooFew(len(ms), 1)
	if inLanes || !able && by.kernel.Lanes(f) > 0 {
		prepareLanes(by.kernel, f, ms, keys)
	}
	for i := range ms {
		switch {
		case !able:
			block := keyBlock(f, keys[i])
			ms[i].block = &block
		case !inLanes:
			ms[i].prepareSerial(keys[i])
		}
	}
	return ms
}

// Sum puts the MAC of messages[i] into macs[i]. It panics where [SumMD5] does.
func (m *HMAC) Sum(macs [][32]byte, messages [][]byte) {
	m.mustBeMade()
	check(macs, messages)
	m.hasher.mac(m.hash, keys{one: m}, flatten(macs), messages)
}

// Verify says in valid[i] whether macs[i] is the MAC of messages[i]. One that isn't 32 bytes long isn't.
// How many bytes of a MAC are right doesn't show in the time a call takes. It panics if there are fewer
// MACs, or less room in valid, than messages.
func (m *HMAC) Verify(valid []bool, macs, messages [][]byte) {
	m.mustBeMade()
	m.hasher.verify(m.hash, keys{one: m}, valid, macs, messages)
}

// SumHMAC puts the MAC of messages[i] under the key keys[i] into macs[i]. Keys may stand there more than
// once. It panics where [SumMD5] does, and unless there are as many keys as messages, made by the same
// implementation for the same hash.
func SumHMAC(macs [][32]byte, keys []*HMAC, messages [][]byte) {
	check(macs, messages)
	if m, ks := together(keys, len(messages)); m != nil {
		m.hasher.mac(m.hash, ks, flatten(macs), messages)
	}
}

// VerifyHMAC is [HMAC.Verify] with a key for each message, which [SumHMAC] says more of.
func VerifyHMAC(valid []bool, keys []*HMAC, macs, messages [][]byte) {
	if m, ks := together(keys, len(messages)); m != nil {
		m.hasher.verify(m.hash, ks, valid, macs, messages)
	}
}

// together returns one of the keys, which are alike in all but their bytes, or nil if there is none.
func together(all []*HMAC, messages int) (*HMAC, keys) {
	if len(all) != messages {
		panic("multibuffer: not as many keys as messages")
	}
	if messages == 0 {
		return nil, keys{}
	}
	first := all[0]
	for _, m := range all {
		m.mustBeMade()
		if m.hash != first.hash || m.hasher != first.hasher {
			panic("multibuffer: keys of different hashes or implementations")
		}
	}
	return first, keys{each: all}
}

func (m *HMAC) mustBeMade() {
	if m.hash != kernel.SHA256 && m.hash != kernel.SM3 {
		panic("multibuffer: an HMAC that none of NewHMACSHA256, NewHMACSM3 and their like has made")
	}
}

// verifyMost bounds the MACs that are computed before they are compared, and the stack that takes.
const verifyMost = 256

func (h Hasher) verify(f kernel.Hash, ks keys, valid []bool, macs, messages [][]byte) {
	if len(valid) < len(messages) || len(macs) < len(messages) {
		panic("multibuffer: fewer MACs, or less room for what they are, than messages")
	}
	clear(valid[:len(messages)]) // nothing is valid if a message can't be read
	for from := 0; from < len(messages); from += verifyMost {
		to := min(from+verifyMost, len(messages))
		var want [verifyMost * macSize]byte
		h.mac(f, ks.part(from, to), want[:(to-from)*macSize], messages[from:to])
		for i := from; i < to; i++ {
			valid[i] = subtle.ConstantTimeCompare(macs[i], want[(i-from)*macSize:][:macSize]) == 1
		}
	}
}

// mac writes the MACs of messages one after the other.
func (h Hasher) mac(f kernel.Hash, ks keys, macs []byte, messages [][]byte) {
	j := job{kernel: h.lanes(&keyedCosts, f, messages), hash: f, keys: ks, digests: macs, messages: messages}
	if j.kernel != kernel.None {
		if j.inPairs() {
			j.macPairs()
			return
		}
		j.sum()
		j.sumOuter()
		return
	}
	lone := keyedCosts[h.kernel.Pairs(f)][f].two && !fips140.Enforced()
	if lone && len(messages) == 1 && blocksOf(messages[0]) <= nearBlocks {
		ks.of(0).lone(j.digest(0), messages[0])
		return
	}
	s := successorFor(f)
	defer s.giveBack(f)
	for i, m := range messages {
		if lone && blocksOf(m) <= nearBlocks {
			ks.of(i).lone(j.digest(i), m)
			continue
		}
		s.mac(ks.of(i), j.digest(i), m)
	}
}

// lone writes the MAC of a message by the SHA instructions.
func (m *HMAC) lone(mac, message []byte) {
	kernel.LoneHMACSHA256(&m.states[inner], &m.states[outer], mac, message)
}

// sumInner hashes a message behind the key's inner block by the library.
func (m *HMAC) sumInner(digest, message []byte) {
	s := successorFor(m.hash)
	defer s.giveBack(m.hash)
	s.begin(m, inner)
	s.write(message)
	s.sum(digest)
}

// sumOuter makes the MAC of a message's digest, in its place.
func (m *HMAC) sumOuter(mac []byte) {
	s := successorFor(m.hash)
	defer s.giveBack(m.hash)
	s.finish(m, mac, mac)
}
