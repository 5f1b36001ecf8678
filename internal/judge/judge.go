// Package judge says what the right output is: it draws every case's key, nonce and
// data from the run's seed, and judges with package reference, which shares no code
// with any library under test.
package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/startup"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// Judge draws the material of every case from the run's seed and computes the
// output that it must have with package reference, which is slow and independent
// of all that is measured. It is safe for concurrent use.
//
// A run starts many worker processes, and each needs the same outputs. The
// reference computes one once in a run; the parent hands its digest to the other
// processes, where [Judge.Prove] lets a fast library produce the output, which
// counts only if its digest is that one.
type Judge struct {
	seed    uint64
	setting provider.Setting

	mu      sync.Mutex
	memo    []remembered // newest first
	digests map[result.Case]string
	block   int             // that vectors are placed for
	keys    map[string]*key // by algorithm

	abnormal atomic.Pointer[abnormal.Input] // that is given; nil: cases as they are
}

// remembered is a vector of the cases that share a message.
type remembered struct {
	key    result.Case
	vector *provider.Vector
}

// memoLimit bounds what the memo holds. Operations keep what they use.
const memoLimit = 192 << 20

// maxBytes is the longest message: everything is held in memory several times over.
const maxBytes = 1 << 30

func New(s provider.Setting) *Judge {
	return &Judge{seed: s.Seed, setting: s, digests: map[result.Case]string{}, keys: map[string]*key{}}
}

var _ provider.Set = (*Judge)(nil)

func (j *Judge) Setting() provider.Setting { return j.setting }

// Vector returns the material of a case. Encryption and decryption of the same
// message share one.
func (j *Judge) Vector(c result.Case) (*provider.Vector, error) {
	if given := j.abnormal.Load(); given != nil {
		return j.abnormalVector(c, *given)
	}
	key, err := message(c)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if i := slices.IndexFunc(j.memo, func(m remembered) bool { return m.key == key }); i >= 0 {
		return j.memo[i].vector, nil
	}
	v, err := familyOf(key).vector(j, key)
	if err != nil {
		return nil, err
	}
	j.place(v)
	j.keep(key, v)
	return v, nil
}

type family struct {
	// message is the case by which the memo knows what some cases share: how many
	// goroutines ask for it, and how often, makes no other message.
	message sharing
	vector  func(*Judge, result.Case) (*provider.Vector, error)
}

type sharing func(result.Case) (result.Case, error)

// from is the message of the case whose material a case has.
func from(material, message sharing) sharing {
	return func(c result.Case) (result.Case, error) {
		m, err := material(c)
		if err != nil {
			return m, err
		}
		return message(m)
	}
}

func familyOf(c result.Case) family {
	switch a := algorithm.Of(c.Algorithm); {
	case c.Operation == algorithm.HashMany:
		return family{manyMessage(algorithm.HashFunction, bulkhash.Material), (*Judge).bulkVector}
	case c.Operation == algorithm.MACMany:
		return family{manyMessage(algorithm.KeyedHash, batch.Material), (*Judge).macsVector}
	case c.Operation == algorithm.EncryptMany:
		return family{textsMessage, (*Judge).textsVector}
	case startup.Is(c):
		return family{from(startup.Material, textsMessage), (*Judge).textsVector} // that one key encrypts
	case c.Operation == algorithm.HashFile:
		return family{from(bulkhash.FileMaterial, hashMessage), (*Judge).hashVector}
	case c.Mode == algorithm.KeyWrap:
		return family{publicMessage, (*Judge).wrappedVector}
	case a.KeyPair():
		return family{publicMessage, (*Judge).publicVector}
	case a.Kind == algorithm.PasswordHash:
		return family{passwordMessage, (*Judge).passwordVector}
	case a.Hashes():
		return family{hashMessage, (*Judge).hashVector}
	case a.Kind == algorithm.RandomBytes:
		return family{randomMessage, (*Judge).randomVector}
	case a.Name == algorithm.TLS13:
		return family{handshakeMessage, (*Judge).handshakeVector}
	case a.Name == algorithm.HTTP:
		return family{serviceMessage, (*Judge).serviceVector}
	case a.Name == algorithm.Envelope:
		return family{envelopeMessage, (*Judge).envelopeVector}
	}
	return family{cipherMessage, (*Judge).cipherVector}
}

func message(c result.Case) (result.Case, error) {
	c = provider.Alone(provider.Plain(c)) // where buffers come from changes nothing that they hold
	c, _ = provider.Handed(c)
	return familyOf(c).message(c)
}

func bounded(c result.Case) error {
	if c.Bytes < 0 || c.Bytes > maxBytes {
		return provider.Unsupported("message-bytes", c.Bytes, int64(maxBytes))
	}
	return nil
}

// prove fills in a vector's output: by a fast library if its digest is the
// reference's, else by the reference. The digest is kept under the case's name.
func (j *Judge) prove(name result.Case, v *provider.Vector, fast, judged func() error) error {
	if want, ok := j.digests[name]; ok {
		if err := provider.Guard(fast); err == nil && digest(v) == want {
			return nil
		}
	}
	if err := judged(); err != nil {
		return err
	}
	// The reference is believed over what another process said it was: a worker
	// that lies must not make the others' rows fail.
	j.digests[name] = digest(v)
	return nil
}

// each computes the parts of an output, one after the other.
func each(parts iter.Seq[[]byte], compute func(i int) ([]byte, error)) func() error {
	return func() error {
		i := 0
		for part := range parts {
			computed, err := compute(i)
			if err != nil {
				return err
			}
			copy(part, computed)
			i++
		}
		return nil
	}
}

// digest is that of the output: a ciphertext, those of all messages one after the other, or a hash.
func digest(v *provider.Vector) string {
	h := sha256.New()
	h.Write(v.Ciphertext)
	h.Write(v.Digest)
	for _, m := range v.Messages {
		h.Write(m.Ciphertext)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// own overwrites what was drawn as plaintext with the user's data, where there are any. What is drawn beside it stays.
func (j *Judge) own(text []byte) error {
	if j.setting.Own == nil {
		return nil
	}
	return j.setting.Own.Fill(text)
}

// bytes draws what belongs to a label, random what a scheme draws itself. All slices are
// clipped: a library that appends to one can't reach another's bytes.
func (j *Judge) bytes(label string, n int) []byte { return drawing(seeded.Source(j.seed, label))(n) }

func (j *Judge) random(label string, n int) []byte { return j.bytes(label+"/random", n) }

func drawing(source *rand.ChaCha8) func(n int) []byte {
	return func(n int) []byte {
		b := make([]byte, n)
		_, _ = source.Read(b) // never fails
		return slices.Clip(b)
	}
}

// Digest returns the SHA-256, in hexadecimal, of the output that the reference
// computed for a case; false if nobody asked for the case yet.
func (j *Judge) Digest(c result.Case) (string, bool) {
	key, err := message(c)
	if err != nil {
		return "", false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	digest, ok := j.digests[key]
	return digest, ok
}

// Prove tells the judge what digest the reference's output for a case has. The
// caller vouches that the reference computed it, with this seed.
func (j *Judge) Prove(c result.Case, digest string) error {
	key, err := message(c)
	if err != nil {
		return err
	}
	if raw, err := hex.DecodeString(digest); err != nil || len(raw) != sha256.Size {
		return reason.New("digest-form", c.Name(), digest)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.digests[key] = strings.ToLower(digest)
	return nil
}

// Block says for which block of the run vectors are given out from now on. Those of another block are forgotten.
func (j *Judge) Block(number int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if number != j.block {
		j.block, j.memo = number, nil
	}
}

// longestPlaced bounds the texts of what is copied to its place. An allocator puts longer ones at the beginning of a page.
const longestPlaced = 1 << 20

// place lays what operations read and write in the places drawn for the block; provider.PlaceOf says why.
func (j *Judge) place(v *provider.Vector) {
	draw := rand.New(seeded.Source(j.seed, fmt.Sprintf("place/%d", j.block)))
	in, out := draw.IntN(provider.Page/provider.Line)*provider.Line, draw.IntN(provider.Page/provider.Line)*provider.Line
	if max(len(v.Plaintext), len(v.Ciphertext)) > longestPlaced {
		return
	}
	lay := func(b []byte, place int) []byte {
		if len(b) == 0 {
			return b
		}
		placed := provider.Placed(place, len(b), len(b))
		copy(placed, b)
		return placed
	}
	v.Plaintext = lay(v.Plaintext, in)
	v.Ciphertext, v.Digest, v.Secret = lay(v.Ciphertext, out), lay(v.Digest, out), lay(v.Secret, out)
}

// Release forgets the vectors, between groups. Digests stay: what is asked for
// again comes quickly.
func (j *Judge) Release() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.memo = nil
}

func (j *Judge) keep(key result.Case, v *provider.Vector) {
	j.memo = slices.Insert(j.memo, 0, remembered{key, v})
	held := 0
	for i, m := range j.memo {
		if held += size(m.vector); held > memoLimit && i > 0 {
			j.memo = slices.Delete(j.memo, i, len(j.memo))
			return
		}
	}
}

func size(v *provider.Vector) int {
	n := len(v.Plaintext) + len(v.Ciphertext) + len(v.Secret) + len(v.Digest)
	for _, m := range v.Messages {
		n += len(m.Plaintext) + len(m.Ciphertext)
	}
	return n
}
