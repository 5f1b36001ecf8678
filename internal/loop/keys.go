package loop

import (
	"cmp"
	"context"
	"crypto"
	"crypto/rand"
	"io"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewSign signs what the vector says is signed. Most schemes take a digest; SM2
// hashes the message itself, with its signer's identity, and is given it as opts
// tell. Signatures are random or not, as the scheme has it: the vector's Accept
// judges them. Randomness is the system's, as Go's standard library insists.
func NewSign(s crypto.Signer, opts crypto.SignerOpts, v *provider.Vector) provider.Operation {
	call := func(in []byte) ([]byte, error) { return s.Sign(rand.Reader, in, opts) }
	return accepted(algorithm.SignLoop, call, v.Signed, v.Accept)
}

// ErrSignature is what a verification returns for a library that says no more than no.
var ErrSignature = reason.New("signature-refused")

// NewVerify verifies the vector's signature. Every call must accept it; Check
// proves that a changed signature, and the signature of something else, are
// refused, for a verification that accepts everything is the fastest.
func NewVerify(verify func(signed, signature []byte) error, v *provider.Vector) provider.Operation {
	o := &timed{loop: algorithm.VerifyLoop}
	o.run = func(n int) error {
		for i := range n {
			if err := verify(v.Signed, v.Signature); err != nil {
				return reason.New("verifying", i+1, n, err)
			}
		}
		return nil
	}
	o.refuse = func(round int) error {
		return cmp.Or(
			tampered(reason.Cause("signature"), v.Signature, round, func(s []byte) error { return verify(v.Signed, s) }),
			tampered(reason.Cause("signed-text"), v.Signed, round, func(s []byte) error { return verify(s, v.Signature) }))
	}
	return o
}

// NewPublicEncrypt encrypts the vector's plaintext under a public key, into a buffer of
// the library's own. The ciphertexts are random; the vector's Accept decrypts them.
func NewPublicEncrypt(encrypt func(message []byte) ([]byte, error), v *provider.Vector) provider.Operation {
	return accepted(algorithm.PublicEncryptLoop, encrypt, v.Plaintext, v.Accept)
}

// Integrity says whether a scheme's decryption refuses what was tampered with.
type Integrity bool

// PKCS #1 v1.5 decryption finds most changes and promises nothing.
const (
	RefusesTampering Integrity = true
	NoIntegrity      Integrity = false
)

// NewPrivateDecrypt decrypts the vector's ciphertext with a private key. Where
// the scheme refuses tampered text, Check proves that this decryption does.
func NewPrivateDecrypt(d crypto.Decrypter, opts crypto.DecrypterOpts, integrity Integrity,
	v *provider.Vector) provider.Operation {
	decrypt := func(in []byte) ([]byte, error) { return d.Decrypt(rand.Reader, in, opts) }
	o := compared(algorithm.PrivateDecryptLoop, v.Plaintext)
	o.run = calls(&o.got, decrypt, v.Ciphertext,
		func(i, n int, err error) error { return reason.New("decrypting", i, n, err) })
	if integrity == RefusesTampering {
		o.refuse = func(round int) error {
			return tampered(reason.Cause("ciphertext"), v.Ciphertext, round, func(changed []byte) error {
				_, err := decrypt(changed)
				return err
			})
		}
	}
	return o
}

// NewAgree agrees on a secret with a peer whose public key was decoded, and checked as
// the library does, outside the loop; into a buffer of the library's own.
func NewAgree(agree func() ([]byte, error), v *provider.Vector) provider.Operation {
	o := compared(algorithm.AgreeLoop, v.Secret)
	o.run = calls(&o.got, func([]byte) ([]byte, error) { return agree() }, nil, asItIs)
	return o
}

// EnvelopeFunc seals a message for a receiver, or opens what was sealed for the
// caller. It appends to dst, or returns a buffer of the library's own where the
// library takes none.
type EnvelopeFunc func(dst, in []byte) ([]byte, error)

// NewEnvelopeSeal seals the vector's plaintext, again and again, each time as if
// for the first: what is fresh for each message is drawn inside the call. The
// outputs are random; the vector's Accept opens them.
func NewEnvelopeSeal(seal EnvelopeFunc, v *provider.Vector) provider.Operation {
	room := make([]byte, 0, len(v.Ciphertext))
	o := &envelopeSeal{timed{loop: algorithm.EnvelopeSealLoop}, len(v.Plaintext)}
	o.run = calls(&o.got, func(in []byte) ([]byte, error) { return seal(room[:0], in) }, v.Plaintext, asItIs)
	o.judge = func() error {
		defer clear(o.got) // its room is used again
		return v.Accept(o.got)
	}
	return o
}

type envelopeSeal struct {
	timed
	message int // bytes
}

func (o *envelopeSeal) Record() (r result.Record, err error) {
	metric(&r, "overhead_bytes", "B", float64(len(o.got)-o.message))
	return r, nil
}

// NewEnvelopeOpen opens the vector's ciphertext. Check proves that an envelope
// with a bit flipped in the message or its tag is refused, and so is one with a
// bit flipped in what comes before the message: the wrapped key, or the nonce.
func NewEnvelopeOpen(open EnvelopeFunc, v *provider.Vector) provider.Operation {
	o := compared(algorithm.EnvelopeOpenLoop, v.Plaintext)
	o.run = calls(&o.got, func(in []byte) ([]byte, error) { return open(o.got[:0], in) }, v.Ciphertext,
		func(i, n int, err error) error { return reason.New("opening-envelope", i, n, err) })
	o.refuse = func(round int) error {
		anew := func(envelope []byte) error { _, err := open(nil, envelope); return err }
		head := (len(v.Ciphertext) - len(v.Plaintext)) / 3 // before the message in every framing
		headed := func(changed []byte) error { return anew(slices.Concat(changed, v.Ciphertext[head:])) }
		return cmp.Or(tampered(reason.Cause("envelope"), v.Ciphertext, round, anew),
			tampered(reason.Cause("envelope-head"), v.Ciphertext[:head], round, headed))
	}
	return o
}

// NewGenerate makes a key in each call, for schemes that do so in about the same
// time always. What it made last is handed to judge.
func NewGenerate[K any](generate func() (K, error), judge func(K) error) provider.Operation {
	return accepted(algorithm.GenerateLoop, func([]byte) (K, error) { return generate() }, nil, judge)
}

// Draws is a scheme that makes keys by trying numbers until they are prime, so that
// one takes many times as long as another, and the scenario of that: Each keys a block,
// every one timed by itself and judged. A batch of them would show their mean, which
// hides the differences. Its record holds the draws as samples, and as a histogram
// "draw" in nanoseconds of the thread's CPU time.
type Draws[K any] struct {
	Each     int // keys in a block
	Generate func(random io.Reader) (K, error)
	Judge    func(K) error
	// Source is the random stream of a draw, which counts through all blocks.
	Source func(draw int) io.Reader

	made []K
}

func (s *Draws[K]) Measure(ctx context.Context, b provider.Budget) (result.Record, error) {
	h := result.Histogram{Name: "draw", Unit: "ns"}
	var r result.Record
	s.made = s.made[:0]
	for i := range s.Each {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		random := s.Source(b.Block*s.Each + i)
		sample, err := b.Sample(func() (int64, error) {
			key, err := s.Generate(random)
			s.made = append(s.made, key)
			return 1, err
		})
		if err != nil {
			return r, reason.New("generating", i+1, b.Block+1, err)
		}
		r.Samples = append(r.Samples, sample)
		h.Buckets = append(h.Buckets, [2]int64{sample.Thread, 1})
	}
	r.Histograms = []result.Histogram{h}
	return r, nil
}

func (s *Draws[K]) Check() error {
	if len(s.made) == 0 {
		return provider.ErrNotRun
	}
	defer func() { s.made = nil }()
	for i, key := range s.made {
		if err := s.Judge(key); err != nil {
			return reason.New("key-of", i+1, len(s.made), err)
		}
	}
	return nil
}

func (s *Draws[K]) Close() error        { return nil }
func (s *Draws[K]) Clock() result.Clock { return result.ThreadClock }

// Repeatable is a random stream that gives every reader of whole numbers the same
// bytes. Go's libraries read a single byte, now and then and no more, so that
// nobody relies on that (crypto/internal/randutil.MaybeReadByte); here a single
// byte is a zero and takes nothing from the stream.
type Repeatable struct{ Source io.Reader }

func (r Repeatable) Read(b []byte) (int, error) {
	if len(b) == 1 {
		b[0] = 0
		return 1, nil
	}
	return r.Source.Read(b)
}
