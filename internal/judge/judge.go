// Package judge says what the right output is: it draws every case's key, nonce and
// data from the run's seed, and judges with package reference, which shares no code
// with any library under test.
package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
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
	memo    map[result.Case]*provider.Vector
	order   []result.Case // of memo, oldest first
	held    int           // bytes in memo
	digests map[result.Case]string
	keys    map[string]*key // by algorithm
}

// memoLimit bounds what the memo holds. Operations keep what they use.
const memoLimit = 192 << 20

// maxBytes is the longest message: everything is held in memory several times over.
const maxBytes = 1 << 30

// New returns the judge of a run's setting.
func New(s provider.Setting) *Judge {
	return &Judge{seed: s.Seed, setting: s, memo: map[result.Case]*provider.Vector{}, digests: map[result.Case]string{}, keys: map[string]*key{}}
}

var _ provider.Set = (*Judge)(nil)

// Setting is the run's; everything is drawn from its seed.
func (j *Judge) Setting() provider.Setting { return j.setting }

// Vector returns the material of a case. Encryption and decryption of the same
// message share one.
func (j *Judge) Vector(c result.Case) (*provider.Vector, error) {
	key, err := message(c)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if v, ok := j.memo[key]; ok {
		return v, nil
	}
	v, err := j.make(key)
	if err != nil {
		return nil, err
	}
	j.keep(key, v)
	return v, nil
}

func (j *Judge) make(key result.Case) (*provider.Vector, error) {
	switch {
	case key.Operation == algorithm.HashMany:
		return j.bulkVector(key)
	case IsPublic(key.Algorithm):
		return j.publicVector(key)
	case IsHash(key.Algorithm):
		return j.hashVector(key), nil
	case key.Algorithm == algorithm.TLS13:
		return j.handshakeVector(key)
	case key.Algorithm == algorithm.Envelope:
		return j.envelopeVector(key)
	}
	v, err := j.draw(key)
	if err != nil {
		return nil, err
	}
	return v, j.seal(key, v)
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

// Release forgets the vectors, between groups. Digests stay: what is asked for
// again comes quickly.
func (j *Judge) Release() {
	j.mu.Lock()
	defer j.mu.Unlock()
	clear(j.memo)
	j.order, j.held = nil, 0
}

func (j *Judge) keep(key result.Case, v *provider.Vector) {
	j.memo[key] = v
	j.order = append(j.order, key)
	j.held += size(v)
	for j.held > memoLimit && len(j.order) > 1 {
		oldest := j.order[0]
		j.held -= size(j.memo[oldest])
		delete(j.memo, oldest)
		j.order = slices.Clone(j.order[1:])
	}
}

func size(v *provider.Vector) int {
	n := len(v.Plaintext) + len(v.Ciphertext) + len(v.Secret) + len(v.Digest)
	for _, m := range v.Messages {
		n += len(m.Plaintext) + len(m.Ciphertext)
	}
	return n
}

// The classes of operations that share a message.
const (
	plain    = "message"  // as long as it is
	padded   = "padded"   // with PKCS #7 padding in the ciphertext
	exposure = "exposure" // the drawn picture
)

// setupBytes is the message by which a new cipher is judged.
const setupBytes = 64

// message returns the case's key in the memo: the case, with the class of its
// operation in the operation's place. How many goroutines ask for it, and how
// often, makes no other message.
func message(c result.Case) (result.Case, error) {
	c = provider.Alone(provider.Plain(c)) // where buffers come from changes nothing that they hold
	c, _ = provider.Handed(c)
	switch {
	case c.Operation == algorithm.HashMany:
		return bulkMessage(c)
	case c.Operation == algorithm.HashFile:
		return fileMessage(c)
	case IsPublic(c.Algorithm):
		return publicMessage(c)
	case IsHash(c.Algorithm):
		return hashMessage(c)
	case c.Algorithm == algorithm.TLS13:
		return handshakeMessage(c)
	case c.Algorithm == algorithm.Envelope:
		return envelopeMessage(c)
	}
	if n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); fixed && c.Bytes != n {
		return c, provider.Unsupported("size-fixed", c.Name(), c.Operation, n)
	}
	if c.Mode == algorithm.OneBlock {
		c.Mode = algorithm.ECB // which one block is the whole of
	}
	switch c.Operation {
	case algorithm.Schedule:
		c.Mode, c.Operation, c.Bytes = algorithm.ECB, plain, reference.BlockSize
	case algorithm.New:
		c.Operation, c.Bytes = plain, setupBytes
	case algorithm.Encrypt, algorithm.Decrypt, algorithm.InitEncrypt, algorithm.InitDecrypt, algorithm.NewEncrypt:
		c.Operation = plain
	case algorithm.InitEncryptPad, algorithm.InitDecryptPad:
		c.Operation = padded
	case algorithm.Exposure:
		c.Operation = exposure
	case streaming.Operation:
		return streamed(c)
	default:
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	}
	if c.Bytes < 0 || c.Bytes > maxBytes {
		return c, provider.Unsupported("message-bytes", c.Bytes, int64(maxBytes))
	}
	if keySize(c.Algorithm) == 0 {
		return c, provider.Unsupported("no-judge", c.Algorithm)
	}
	if (c.Mode == algorithm.ECB || c.Mode == algorithm.CBC) && c.Operation != padded && c.Bytes%reference.BlockSize != 0 {
		return c, provider.Unsupported("whole-blocks", c.Name(), reference.BlockSize, c.Bytes)
	}
	return c, nil
}

func keySize(name string) int {
	switch name {
	case algorithm.SM4, algorithm.AES128:
		return 16
	case algorithm.AES192:
		return 24
	case algorithm.AES256, algorithm.ChaCha20Poly1305, algorithm.ChaCha20:
		return 32
	}
	return 0
}

// draw makes everything but the ciphertext. All slices are clipped: a library
// that appends to one can't reach another's bytes.
func (j *Judge) draw(key result.Case) (*provider.Vector, error) {
	source := seeded.Source(j.seed, fmt.Sprintf("case/%q/%q/%q/%d/%q", key.Algorithm, key.Mode, key.Operation, key.Bytes, key.Parameters))
	take := func(n int) []byte {
		b := make([]byte, n)
		_, _ = source.Read(b) // never fails
		return slices.Clip(b)
	}
	v := &provider.Vector{Key: take(keySize(key.Algorithm)), MACKey: take(32)}
	if key.Operation == streaming.Operation {
		return &provider.Vector{Key: v.Key, Nonce: take(streaming.PrefixSize), Plaintext: j.unit(key)}, nil
	}
	if !strings.Contains(key.Mode, "HMAC") {
		v.MACKey = nil
	}
	if n, _ := seeded.MixOf(key); n > 0 {
		return v, j.drawMessages(key, n, v, take)
	}
	v.Nonce = nonceOf(key, take)
	if key.Operation == exposure {
		v.Plaintext = provider.Data(j.seed, parameter.Bitmap, int(key.Bytes))
	} else {
		v.Plaintext = take(int(key.Bytes))
	}
	return v, nil
}

func nonceOf(key result.Case, take func(int) []byte) []byte {
	switch nonce := take(16); key.Mode {
	case algorithm.ECB:
		return nil
	case algorithm.GCM, "":
		return slices.Clip(nonce[:12:12])
	default:
		return nonce
	}
}

// maxDistinct bounds the bytes of all distinct messages of a mix.
const maxDistinct = 64 << 20

// drawMessages draws the messages of a mix. Those of one size are one message, so
// that what is held in memory grows with the number of sizes and not of messages.
func (j *Judge) drawMessages(key result.Case, n int, v *provider.Vector, take func(int) []byte) error {
	sizes := seeded.DrawMix(j.seed, j.setting.Mix, n)
	if len(sizes) == 0 {
		return provider.Unsupported("no-mix")
	}
	distinct, all, once := slices.Compact(slices.Sorted(slices.Values(sizes))), 0, 0
	for _, size := range sizes {
		all += size
	}
	for _, size := range distinct {
		once += size
	}
	switch {
	case int64(all) != key.Bytes:
		return provider.Unsupported("mix-bytes", n, all, key.Bytes)
	case once > maxDistinct:
		return provider.Unsupported("mix-memory", once, maxDistinct)
	}
	for _, size := range distinct {
		v.Messages = append(v.Messages, provider.Message{Nonce: nonceOf(key, take), Plaintext: take(size)})
	}
	for _, size := range sizes {
		i, _ := slices.BinarySearch(distinct, size)
		v.Sequence = append(v.Sequence, i)
	}
	return nil
}

// seal fills in the ciphertext: by a fast library if its digest is the
// reference's, else by the reference.
func (j *Judge) seal(key result.Case, v *provider.Vector) error { return j.sealAs(key, key, v) }

// sealAs is seal for what is a part of another case's output, under whose name its
// digest is kept.
func (j *Judge) sealAs(name, key result.Case, v *provider.Vector) error {
	if want, ok := j.digests[name]; ok {
		if err := fill(key, v, candidate); err == nil && digest(v) == want {
			return nil
		}
	}
	if err := fill(key, v, judged); err != nil {
		return err
	}
	// The reference is believed over what another process said it was: a worker
	// that lies must not make the others' rows fail.
	j.digests[name] = digest(v)
	return nil
}

// fill seals a vector's message, or each of its messages.
func fill(key result.Case, v *provider.Vector, seal func(result.Case, *provider.Vector) ([]byte, error)) error {
	if len(v.Messages) == 0 {
		ciphertext, err := seal(key, v)
		v.Ciphertext = slices.Clip(ciphertext)
		return err
	}
	for i := range v.Messages {
		m := &v.Messages[i]
		ciphertext, err := seal(key, &provider.Vector{Key: v.Key, MACKey: v.MACKey, AAD: v.AAD, Nonce: m.Nonce, Plaintext: m.Plaintext})
		if err != nil {
			return err
		}
		m.Ciphertext = slices.Clip(ciphertext)
	}
	return nil
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

// judged is the reference's output.
func judged(key result.Case, v *provider.Vector) ([]byte, error) {
	if key.Operation == streaming.Operation {
		return judgedStream(key, v)
	}
	if key.Algorithm == algorithm.ChaCha20Poly1305 {
		if key.Mode != "" {
			return nil, provider.Unsupported("has-no-mode", key.Algorithm, key.Mode)
		}
		return reference.SealChaCha20Poly1305(v.Key, v.Nonce, v.Plaintext, v.AAD)
	}
	if key.Algorithm == algorithm.ChaCha20 {
		if key.Mode != "" {
			return nil, provider.Unsupported("has-no-mode", key.Algorithm, key.Mode)
		}
		return reference.ChaCha20(v.Key, v.Nonce, 0, v.Plaintext), nil
	}
	newBlock := reference.NewAES
	if key.Algorithm == algorithm.SM4 {
		newBlock = reference.NewSM4
	}
	b, err := newBlock(v.Key)
	if err != nil {
		return nil, err
	}
	in := v.Plaintext
	if key.Operation == padded {
		in = reference.PadPKCS7(in)
	}
	switch key.Mode {
	case algorithm.ECB:
		return reference.EncryptECB(b, in), nil
	case algorithm.CBC:
		return reference.EncryptCBC(b, v.Nonce, in), nil
	case algorithm.CFB:
		return reference.EncryptCFB(b, v.Nonce, in), nil
	case algorithm.OFB:
		return reference.OFB(b, v.Nonce, in), nil
	case algorithm.CTR:
		return reference.CTR(b, v.Nonce, in), nil
	case algorithm.GCM:
		return reference.SealGCM(b, v.Nonce, in, v.AAD), nil
	case algorithm.CBCHMACSM3:
		return reference.SealCBCHMAC(b, reference.SM3, reference.HashBlockSize, v.MACKey, v.Nonce, in), nil
	case algorithm.CBCHMACSHA256:
		return reference.SealCBCHMAC(b, reference.SHA256, reference.HashBlockSize, v.MACKey, v.Nonce, in), nil
	}
	return nil, provider.Unsupported("no-judge", key.Name())
}
