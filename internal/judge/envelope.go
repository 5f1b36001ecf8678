package judge

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// Envelopes are judged by undoing them with the reference, part after part: the
// key is unwrapped, or for HPKE agreed on and derived (RFC 9180 §5.1), and the
// payload opened.
//
// The laboratory frames them as
//
//	wrapped key ‖ nonce ‖ ciphertext ‖ tag     RSA-OAEP, SM2 (C1‖C3‖C2)
//	encapsulated key ‖ ciphertext ‖ tag        HPKE, which derives the nonce
//	nonce ‖ ciphertext ‖ tag                   a reused key
//
// which holds what enveloped data of PKCS #7 (RFC 5652 §6; GM/T 0010-2023 and
// GB/T 35275-2017 for SM2 and SM4) must hold, without that format's ASN.1.

// An envelope's class of operations that share a vector.
const enveloped = "enveloped"

// envelopeScheme is how the key of an envelope's payload reaches the receiver.
type envelopeScheme struct {
	cipher   string // of the payload, in GCM
	wrapped  int    // bytes of the wrapped or encapsulated key
	derived  bool   // key and nonce follow from what was encapsulated
	receiver func(*Judge) (envelopeReceiver, error)
}

// envelopeReceiver is the receiver, and with the receiver's key the sender too. It
// may be asked by many goroutines at once.
type envelopeReceiver struct {
	private provider.Vector // its key, as libraries read it
	// wrap draws a key and wraps it; of HPKE the nonce comes with it.
	wrap func(draw drawing) (key, nonce, wrapped []byte, err error)
	// unwrap undoes it.
	unwrap func(wrapped []byte) (key, nonce []byte, err error)
}

// drawing gives so many bytes that follow from the run's seed and a label.
type drawing func(label string, n int) []byte

func (j *Judge) drawing(label string) drawing {
	return func(what string, n int) []byte { return j.random(label+"/"+what, n) }
}

// envelopeSchemes are the schemes by mode.
var envelopeSchemes = map[string]envelopeScheme{
	algorithm.RSA2048Envelope:  wrappedByRSA(2048),
	algorithm.RSA4096Envelope:  wrappedByRSA(4096),
	algorithm.SM2Envelope:      wrappedBySM2,
	algorithm.X25519Envelope:   encapsulated(kemX25519),
	algorithm.MLKEM768Envelope: encapsulated(kemMLKEM768),
	algorithm.HybridEnvelope:   encapsulated(kemHybrid),
	algorithm.AES256GCM:        wrappedBefore(algorithm.AES256),
	algorithm.SM4GCM:           wrappedBefore(algorithm.SM4),
}

const gcmNonce, gcmTag = 12, 16

// envelopeMessage is message for envelopes.
func envelopeMessage(c result.Case) (result.Case, error) {
	s, known := envelopeSchemes[c.Mode]
	want := ""
	if known && s.wrapped == 0 {
		want = parameter.ReusedKey
	}
	switch {
	case !known || c.Parameters != want:
		return c, provider.Unsupported("no-judge", c.Name()+" "+c.Mode+" "+c.Parameters)
	case c.Operation != algorithm.Seal && c.Operation != algorithm.Open:
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	case c.Bytes < 0 || c.Bytes > maxBytes:
		return c, provider.Unsupported("message-bytes", c.Bytes, int64(maxBytes))
	}
	c.Operation = enveloped
	return c, nil
}

// envelopeVector draws a message and seals it as the mode says.
func (j *Judge) envelopeVector(c result.Case) (*provider.Vector, error) {
	s := envelopeSchemes[c.Mode]
	draw := j.drawing(fmt.Sprintf("case/%q/%q/%d", c.Algorithm, c.Mode, c.Bytes))
	r, err := s.receiver(j)
	if err != nil {
		return nil, err
	}
	key, nonce, wrapped, err := r.wrap(draw)
	if err != nil {
		return nil, err
	}
	payload := &provider.Vector{Key: key, Nonce: nonce, Plaintext: draw("message", int(c.Bytes))}
	if !s.derived {
		payload.Nonce = draw("nonce", gcmNonce)
		wrapped = append(slices.Clip(wrapped), payload.Nonce...)
	}
	inner := result.Case{Algorithm: s.cipher, Mode: algorithm.GCM, Operation: plain, Bytes: c.Bytes}
	if err := j.sealAs(c, inner, payload); err != nil {
		return nil, err
	}
	v := r.private
	v.Plaintext, v.Ciphertext = payload.Plaintext, slices.Concat(wrapped, payload.Ciphertext)
	v.Accept = func(got []byte) error { return s.accept(r, got, payload.Plaintext) }
	return &v, nil
}

// accept opens an envelope and compares what was in it.
func (s envelopeScheme) accept(r envelopeReceiver, got, plaintext []byte) error {
	head := s.wrapped
	if !s.derived {
		head += gcmNonce
	}
	if len(got) != head+len(plaintext)+gcmTag {
		return reason.New("envelope-length", len(got), head+len(plaintext)+gcmTag)
	}
	key, nonce, err := r.unwrap(got[:s.wrapped])
	if err != nil {
		return reason.New("content-key", err)
	}
	if !s.derived {
		nonce = got[s.wrapped:head]
	}
	return acceptPayload(s.cipher, key, nonce, got[head:], plaintext)
}

const (
	// WholeEnvelope is the longest payload that the reference opens as a whole; it
	// opens some 25 MB a second.
	WholeEnvelope = 64 << 10
	// sampled is how much of a longer one it decrypts, at each of three places.
	sampled = 4 << 10
)

// acceptPayload opens a payload by the reference. One that is too long for it is
// opened by a fast library, which at this length and in this run was seen to give
// the reference's output (Judge.seal), and decrypted by the reference at its
// beginning, in its middle and at its end.
func acceptPayload(name string, key, nonce, sealed, plaintext []byte) error {
	newReference, newFast := reference.NewAES, aes.NewCipher
	if name == algorithm.SM4 {
		newReference, newFast = reference.NewSM4, sm4.NewCipher
	}
	b, err := newReference(key)
	if err != nil {
		return reason.New("content-key", err)
	}
	opened, err := []byte(nil), errors.ErrUnsupported
	if len(plaintext) > WholeEnvelope {
		if err := acceptSamples(b, nonce, sealed, plaintext); err != nil {
			return err
		}
		var fast cipher.AEAD
		if made := provider.Guard(func() (err error) { fast, err = newGCM(newFast, key); return err }); made == nil {
			opened, err = fast.Open(nil, nonce, sealed, nil)
		}
	}
	if errors.Is(err, errors.ErrUnsupported) { // short, or a policy forbids the fast one
		opened, err = reference.OpenGCM(b, nonce, sealed, nil)
	}
	switch {
	case err != nil:
		return reason.New("envelope-open", err)
	case !bytes.Equal(opened, plaintext):
		return reason.New("envelope-other")
	}
	return nil
}

func newGCM(newBlock func([]byte) (cipher.Block, error), key []byte) (cipher.AEAD, error) {
	b, err := newBlock(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

// acceptSamples decrypts three places of a payload. GCM's counter stands at 2 for
// the first block (NIST SP 800-38D §7.1).
func acceptSamples(b reference.Block, nonce, sealed, plaintext []byte) error {
	blocks := len(plaintext) / reference.BlockSize
	for _, block := range []int{0, blocks / 2, blocks - sampled/reference.BlockSize} {
		at := block * reference.BlockSize
		counter := binary.BigEndian.AppendUint32(slices.Clone(nonce), uint32(block)+2)
		if !bytes.Equal(reference.CTR(b, counter, sealed[at:at+sampled]), plaintext[at:at+sampled]) {
			return reason.New("envelope-wrong", at)
		}
	}
	return nil
}

// wrappedByRSA draws a key and encrypts it by OAEP with SHA-256.
func wrappedByRSA(bits int) envelopeScheme {
	return envelopeScheme{cipher: algorithm.AES256, wrapped: bits / 8, receiver: func(j *Judge) (r envelopeReceiver, err error) {
		k, err := j.keyOf(fmt.Sprintf("RSA-%d", bits))
		if err != nil {
			return r, err
		}
		r.private.PKCS8 = k.pkcs8
		r.wrap = func(draw drawing) (key, nonce, wrapped []byte, err error) {
			key = draw("key", 32)
			wrapped, err = reference.RSAEncryptOAEP(k.rsa, reference.SHA256, draw("seed", 32), nil, key)
			return key, nil, wrapped, err
		}
		r.unwrap = func(wrapped []byte) (key, nonce []byte, err error) {
			key, err = reference.RSADecryptOAEP(k.rsa, reference.SHA256, nil, wrapped)
			return key, nil, err
		}
		return r, nil
	}}
}

// wrappedBySM2 draws a key and encrypts it to C1‖C3‖C2, C1 uncompressed.
var wrappedBySM2 = envelopeScheme{cipher: algorithm.SM4, wrapped: 65 + 32 + 16, receiver: func(j *Judge) (r envelopeReceiver, err error) {
	k, err := j.keyOf(algorithm.SM2)
	if err != nil {
		return r, err
	}
	r.private.Key = k.scalar
	r.wrap = func(draw drawing) (key, nonce, wrapped []byte, err error) {
		key = draw("key", 16)
		below := new(big.Int).Sub(k.curve.N, one) // so that the scalar is from 1 on
		scalar := new(big.Int).SetBytes(draw("scalar", k.curve.FieldSize()+8))
		return key, nil, sm2Encrypt(k, scalar.Add(scalar.Mod(scalar, below), one), key), nil
	}
	r.unwrap = func(wrapped []byte) (key, nonce []byte, err error) {
		key, err = reference.SM2Decrypt(k.d, wrapped)
		return key, nil, err
	}
	return r, nil
}}

// wrappedBefore is a content key that both sides have.
func wrappedBefore(algorithm string) envelopeScheme {
	return envelopeScheme{cipher: algorithm, receiver: func(j *Judge) (r envelopeReceiver, err error) {
		had := j.random("key/Envelope/"+algorithm, keySize(algorithm))
		r.private.Key = had
		r.wrap = func(drawing) (key, nonce, wrapped []byte, err error) { return had, nil, nil, nil }
		r.unwrap = func([]byte) (key, nonce []byte, err error) { return had, nil, nil }
		return r, nil
	}}
}

// kem is a key encapsulation of HPKE as the reference does it.
type kem struct {
	id  uint16 // of the registry of RFC 9180 §7.1
	enc int    // bytes of the encapsulated key
	// private is how many bytes of the receiver's key are drawn: X25519's 32, ML-KEM's
	// seed of 64, or the one after the other.
	private int
	// encapsulate makes a secret and its encapsulation for a receiver's private key,
	// with what it draws.
	encapsulate func(private []byte, draw drawing) (secret, enc []byte, err error)
	decapsulate func(private, enc []byte) (secret []byte, err error)
}

var (
	kemX25519 = kem{id: dhkemX25519, enc: 32, private: 32,
		encapsulate: func(private []byte, draw drawing) (secret, enc []byte, err error) {
			ephemeral := draw("ephemeral", 32)
			public := x25519Public(private)
			dh, err := reference.X25519(ephemeral, public)
			enc = x25519Public(ephemeral)
			return dhkemSecret(dh, enc, public), enc, err
		},
		decapsulate: func(private, enc []byte) ([]byte, error) {
			dh, err := reference.X25519(private, enc)
			return dhkemSecret(dh, enc, x25519Public(private)), err
		}}
	kemMLKEM768 = kem{id: 0x0041, enc: 1088, private: 64,
		encapsulate: func(private []byte, draw drawing) (secret, enc []byte, err error) {
			return reference.MLKEMEncapsulate(reference.MLKEM768(), reference.MLKEMPublic(reference.MLKEM768(), private), draw("encapsulation", 32))
		},
		decapsulate: func(private, enc []byte) ([]byte, error) {
			return reference.MLKEMDecapsulate(reference.MLKEM768(), private, enc)
		}}
	kemHybrid = kem{id: 0x647a, enc: 1088 + 32, private: 64 + 32,
		encapsulate: func(private []byte, draw drawing) (secret, enc []byte, err error) {
			quantum, enc, err := kemMLKEM768.encapsulate(private[:64], draw)
			if err != nil {
				return nil, nil, err
			}
			ephemeral, public := draw("ephemeral", 32), x25519Public(private[64:])
			dh, err := reference.X25519(ephemeral, public)
			share := x25519Public(ephemeral)
			return hybridSecret(quantum, dh, share, public), append(slices.Clip(enc), share...), err
		},
		decapsulate: func(private, enc []byte) ([]byte, error) {
			quantum, err := kemMLKEM768.decapsulate(private[:64], enc[:1088])
			if err != nil {
				return nil, err
			}
			dh, err := reference.X25519(private[64:], enc[1088:])
			return hybridSecret(quantum, dh, enc[1088:], x25519Public(private[64:])), err
		}}
)

func x25519Public(private []byte) []byte {
	public, err := reference.X25519(private, append([]byte{9}, make([]byte, 31)...))
	if err != nil {
		panic("library: internal error: X25519 of the base point: " + err.Error())
	}
	return public
}

const dhkemX25519 = 0x0020 // DHKEM(X25519, HKDF-SHA256)

// dhkemSecret is ExtractAndExpand of RFC 9180 §4.1, with HKDF-SHA256.
func dhkemSecret(dh, enc, public []byte) []byte {
	l := labelled(binary.BigEndian.AppendUint16([]byte("KEM"), dhkemX25519))
	return l.expand(l.extract(nil, "eae_prk", dh), "shared_secret", slices.Concat(enc, public), 32)
}

// hybridSecret is the combiner of MLKEM768-X25519 (draft-ietf-hpke-pq, X-Wing).
func hybridSecret(quantum, dh, share, public []byte) []byte {
	return reference.SHA3of256(slices.Concat(quantum, dh, share, public, []byte(`\.//^\`)))
}

// labelled is LabeledExtract and LabeledExpand of RFC 9180 §4 for a suite.
type labelled []byte

func (suite labelled) extract(salt []byte, label string, in []byte) []byte {
	return reference.HMAC(reference.SHA256, reference.HashBlockSize, salt, slices.Concat([]byte("HPKE-v1"), suite, []byte(label), in))
}

// expand gives at most a digest's length: the first block of HKDF-Expand.
func (suite labelled) expand(secret []byte, label string, info []byte, n int) []byte {
	in := binary.BigEndian.AppendUint16(nil, uint16(n))
	in = slices.Concat(in, []byte("HPKE-v1"), suite, []byte(label), info, []byte{1})
	return reference.HMAC(reference.SHA256, reference.HashBlockSize, secret, in)[:n]
}

// hpkeKeys is KeySchedule of RFC 9180 §5.1 in base mode, with HKDF-SHA256 and
// AES-256-GCM, of an empty info; the first message's nonce is the base nonce.
func hpkeKeys(id uint16, secret []byte) (key, nonce []byte) {
	const hkdfSHA256, aes256GCM, baseMode = 0x0001, 0x0002, 0
	suite := []byte("HPKE")
	for _, n := range []uint16{id, hkdfSHA256, aes256GCM} {
		suite = binary.BigEndian.AppendUint16(suite, n)
	}
	l := labelled(suite)
	context := slices.Concat([]byte{baseMode}, l.extract(nil, "psk_id_hash", nil), l.extract(nil, "info_hash", nil))
	scheduled := l.extract(secret, "secret", nil)
	return l.expand(scheduled, "key", context, 32), l.expand(scheduled, "base_nonce", context, gcmNonce)
}

// encapsulated is HPKE with a key encapsulation.
func encapsulated(k kem) envelopeScheme {
	return envelopeScheme{cipher: algorithm.AES256, wrapped: k.enc, derived: true, receiver: func(j *Judge) (r envelopeReceiver, err error) {
		private := j.random(fmt.Sprintf("key/Envelope/%#04x", k.id), k.private)
		r.private.Key = private
		r.wrap = func(draw drawing) (key, nonce, wrapped []byte, err error) {
			secret, wrapped, err := k.encapsulate(private, draw)
			if err != nil {
				return nil, nil, nil, err
			}
			key, nonce = hpkeKeys(k.id, secret)
			return key, nonce, wrapped, nil
		}
		r.unwrap = func(wrapped []byte) (key, nonce []byte, err error) {
			secret, err := k.decapsulate(private, wrapped)
			if err != nil {
				return nil, nil, err
			}
			key, nonce = hpkeKeys(k.id, secret)
			return key, nonce, nil
		}
		return r, nil
	}}
}
