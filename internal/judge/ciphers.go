package judge

import (
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	smcipher "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// The classes of ciphers' operations that share a message.
const (
	plain  = "message" // as long as it is
	padded = "padded"  // with PKCS #7 padding in the ciphertext
)

// setupBytes is the message by which a new cipher is judged.
const setupBytes = 64

func cipherMessage(c result.Case) (result.Case, error) {
	of := algorithm.Of(c.Algorithm)
	if n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); fixed && c.Bytes != n {
		return c, provider.Unsupported("size-fixed", c.Name(), c.Operation, n)
	}
	if c.Mode == algorithm.OneBlock {
		c.Mode = algorithm.ECB // which one block is the whole of
	}
	switch c.Operation {
	case algorithm.Schedule:
		c.Mode, c.Operation, c.Bytes = algorithm.ECB, plain, int64(of.Block)
	case algorithm.New:
		c.Operation, c.Bytes = plain, setupBytes
	case algorithm.Encrypt, algorithm.Decrypt, algorithm.InitEncrypt, algorithm.InitDecrypt, algorithm.NewEncrypt:
		c.Operation = plain
	case algorithm.InitEncryptPad, algorithm.InitDecryptPad:
		c.Operation = padded
	case algorithm.Exposure: // whose message is the drawn picture
	case algorithm.Stream:
		return streamed(c)
	default:
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	}
	switch err := bounded(c); {
	case err != nil:
		return c, err
	case of.Key == 0:
		return c, provider.Unsupported("no-judge", c.Algorithm)
	case of.Block == 0 && c.Mode != "":
		return c, provider.Unsupported("has-no-mode", c.Algorithm, c.Mode)
	case algorithm.WholeBlocks(c.Mode) && c.Operation != padded && c.Bytes%int64(of.Block) != 0:
		return c, provider.Unsupported("whole-blocks", c.Name(), of.Block, c.Bytes)
	case c.Bytes > algorithm.Longest(c.Algorithm, c.Mode):
		return c, provider.Unsupported("text-long", c.Name(), algorithm.Longest(c.Algorithm, c.Mode), c.Bytes)
	}
	return c, nil
}

func (j *Judge) cipherVector(key result.Case) (*provider.Vector, error) {
	v, err := j.draw(key)
	if err != nil {
		return nil, err
	}
	return v, j.seal(key, key, v)
}

func (j *Judge) draw(key result.Case) (*provider.Vector, error) {
	take := drawing(seeded.Source(j.seed,
		fmt.Sprintf("case/%q/%q/%q/%d/%q", key.Algorithm, key.Mode, key.Operation, key.Bytes, key.Parameters)))
	v := &provider.Vector{Key: take(algorithm.Of(key.Algorithm).Key), MACKey: take(32)}
	if !strings.Contains(key.Mode, "HMAC") {
		v.MACKey = nil
	}
	if key.Operation == algorithm.Stream {
		shape, _ := streaming.ShapeOf(key) // which streamed read
		v.Nonce = take(streaming.PrefixSize)
		return v, j.streamText(v, shape)
	}
	if n, _ := seeded.MixOf(key); n > 0 {
		return v, j.drawMessages(key, n, v, take)
	}
	v.Nonce = nonceOf(key, take)
	if key.Operation == algorithm.Exposure {
		v.Plaintext = provider.Data(j.seed, parameter.Bitmap, int(key.Bytes))
		return v, nil
	}
	v.Plaintext = take(int(key.Bytes))
	return v, j.own(v.Plaintext)
}

// streamText is the text of a stream: of the kind that is asked for, or the user's where none is.
func (j *Judge) streamText(v *provider.Vector, shape streaming.Shape) error {
	if shape.Data != parameter.Sampled {
		v.Plaintext = provider.Data(j.seed, cmp.Or(shape.Data, parameter.Random), int(shape.Unit))
		if shape.Data != "" {
			return nil
		}
		return j.own(v.Plaintext)
	}
	if j.setting.Own == nil {
		return provider.Unsupported("no-own")
	}
	v.Plaintext = make([]byte, shape.Unit)
	return j.own(v.Plaintext)
}

func nonceOf(key result.Case, take func(int) []byte) []byte {
	n := algorithm.NonceBytes(key.Algorithm, key.Mode)
	if drawn := take(16); n > 0 { // always as many, so that what follows is the same in all modes
		return slices.Clip(drawn[:n:n])
	}
	return nil
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
		i, _ := slices.BinarySearch(distinct, size)
		v.Sequence = append(v.Sequence, i)
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
		m := provider.Message{Nonce: nonceOf(key, take), Plaintext: take(size)}
		if err := j.own(m.Plaintext); err != nil {
			return err
		}
		v.Messages = append(v.Messages, m)
	}
	return nil
}

// seal fills in the ciphertext of a case, which may be a part of the output of another,
// under whose name its digest is kept.
func (j *Judge) seal(name, key result.Case, v *provider.Vector) error {
	fast, slow := candidate, judged
	if key.Operation == algorithm.Stream {
		fast, slow = candidateStream, judgedStream
	}
	return j.prove(name, v, func() error { return fill(key, v, fast) }, func() error { return fill(key, v, slow) })
}

func fill(key result.Case, v *provider.Vector, seal func(result.Case, *provider.Vector) ([]byte, error)) error {
	if len(v.Messages) == 0 {
		ciphertext, err := seal(key, v)
		v.Ciphertext = slices.Clip(ciphertext)
		return err
	}
	for i := range v.Messages {
		m := &v.Messages[i]
		one := *v
		one.Nonce, one.Plaintext = m.Nonce, m.Plaintext
		ciphertext, err := seal(key, &one)
		if err != nil {
			return err
		}
		m.Ciphertext = slices.Clip(ciphertext)
	}
	return nil
}

func input(key result.Case, v *provider.Vector) []byte {
	if key.Operation == padded {
		return reference.PadPKCS7(v.Plaintext)
	}
	return v.Plaintext
}

func judged(key result.Case, v *provider.Vector) ([]byte, error) {
	switch key.Algorithm {
	case algorithm.ChaCha20Poly1305:
		return reference.SealChaCha20Poly1305(v.Key, v.Nonce, v.Plaintext, v.AAD)
	case algorithm.ChaCha20:
		return reference.ChaCha20(v.Key, v.Nonce, 0, v.Plaintext), nil
	}
	b, err := referenceBlock(key.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	in := input(key, v)
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
	case algorithm.CCM:
		return reference.SealCCM(b, v.Nonce, in, v.AAD, algorithm.TagBytes), nil
	case algorithm.CBCHMACSM3:
		return reference.SealCBCHMAC(b, reference.SM3, reference.HashBlockSize, v.MACKey, v.Nonce, in), nil
	case algorithm.CBCHMACSHA256:
		return reference.SealCBCHMAC(b, reference.SHA256, reference.HashBlockSize, v.MACKey, v.Nonce, in), nil
	}
	return nil, provider.Unsupported("no-judge", key.Name())
}

// candidate produces a case's output quickly, by libraries that are themselves
// under test. It proves nothing: its digest is compared with the reference's.
func candidate(key result.Case, v *provider.Vector) ([]byte, error) {
	switch key.Algorithm {
	case algorithm.ChaCha20:
		out := make([]byte, len(v.Plaintext))
		s, err := chacha20.NewUnauthenticatedCipher(v.Key, v.Nonce)
		if err == nil {
			s.XORKeyStream(out, v.Plaintext)
		}
		return out, err
	case algorithm.ChaCha20Poly1305:
		a, err := chacha20poly1305.New(v.Key)
		if err != nil {
			return nil, err
		}
		return a.Seal(nil, v.Nonce, v.Plaintext, v.AAD), nil
	}
	b, err := fastBlock(key.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	fast := loop.BlockCipher{Hash: sha256.New, ECB: func(b cipher.Block, _ loop.Direction) cipher.BlockMode {
		return smcipher.NewECBEncrypter(b)
	}, CCM: smcipher.NewCCM}
	if key.Mode == algorithm.CBCHMACSM3 {
		fast.Hash = sm3.New
	}
	in := *v
	in.Plaintext = input(key, v)
	return fast.Encrypted(key.Mode, b, &in)
}

func referenceBlock(name string, key []byte) (reference.Block, error) {
	if name == algorithm.SM4 {
		return reference.NewSM4(key)
	}
	return reference.NewAES(key)
}

func fastBlock(name string, key []byte) (cipher.Block, error) {
	if name == algorithm.SM4 {
		return sm4.NewCipher(key)
	}
	return aes.NewCipher(key)
}

// fastAEAD is ChaCha20-Poly1305, or a block cipher in GCM.
func fastAEAD(name string, key []byte) (cipher.AEAD, error) {
	if name == algorithm.ChaCha20Poly1305 {
		return chacha20poly1305.New(key)
	}
	b, err := fastBlock(name, key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

func textsMessage(c result.Case) (result.Case, error) {
	if err := bounded(c); err != nil {
		return c, err
	}
	m, err := batch.Material(c)
	if err != nil {
		return c, err
	}
	_, err = cipherMessage(batch.One(c))
	return m, err
}

// textsVector draws keys, nonces and messages, each one after the other, as Ciphertext has their ciphertexts.
func (j *Judge) textsVector(c result.Case) (*provider.Vector, error) {
	name := c
	c.Parameters = parameter.With(c.Parameters, parameter.Way.Is(parameter.Kept)) // any
	v, err := batch.NewVector(c, drawing(seeded.Source(j.seed, fmt.Sprintf("texts/%q/%q/%d/%q", c.Algorithm, c.Mode, c.Bytes, c.Parameters))))
	if err != nil {
		return nil, err
	}
	if err := j.own(v.Plaintext); err != nil {
		return nil, err
	}
	texts, err := batch.TextsOf(c, v)
	if err != nil {
		return nil, err
	}
	by := func(seal func(result.Case, *provider.Vector) ([]byte, error)) func() error {
		return each(slices.Values(texts.Out), func(i int) ([]byte, error) {
			one := provider.Vector{Key: texts.Keys[texts.Key(i)], Nonce: texts.Nonces[i], Plaintext: texts.Messages[i]}
			return seal(batch.One(c), &one)
		})
	}
	return v, j.prove(name, v, by(candidate), by(judged))
}
