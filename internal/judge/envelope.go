package judge

import (
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

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

// envelope is a scheme and its receiver, and with the receiver's key the sender too. It
// may be asked by many goroutines at once.
type envelope struct {
	algorithm.EnvelopeScheme
	private provider.Vector // the receiver's key, as libraries read it
	// wrap draws a key, by a label, and wraps it; of HPKE it is what the key and the nonce are derived from.
	wrap   func(label string) (key, wrapped []byte, err error)
	unwrap func(wrapped []byte) (key []byte, err error)
	// derive is nil where the nonce stands in the envelope.
	derive func(secret []byte) (key, nonce []byte)
}

func (j *Judge) envelopeOf(mode string) (e envelope, err error) {
	e.EnvelopeScheme, _ = algorithm.EnvelopeOf(mode)
	switch mode {
	case algorithm.RSA2048Envelope:
		err = e.byRSA(j, algorithm.RSA2048)
	case algorithm.RSA4096Envelope:
		err = e.byRSA(j, algorithm.RSA4096)
	case algorithm.SM2Envelope:
		err = e.bySM2(j)
	case algorithm.X25519Envelope:
		err = e.byKEM(j, kemX25519())
	case algorithm.MLKEM768Envelope:
		err = e.byKEM(j, kemMLKEM768())
	case algorithm.HybridEnvelope:
		err = e.byKEM(j, kemHybrid())
	default:
		e.before(j)
	}
	return e, err
}

const gcmNonce = 12

func envelopeMessage(c result.Case) (result.Case, error) {
	s, known := algorithm.EnvelopeOf(c.Mode)
	want := ""
	if s.Wrapped == 0 {
		want = parameter.ReusedKey
	}
	switch {
	case !known || c.Parameters != want:
		return c, provider.Unsupported("no-judge", c.Name()+" "+c.Mode+" "+c.Parameters)
	case c.Operation != algorithm.Seal && c.Operation != algorithm.Open:
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	}
	c.Operation = enveloped
	return c, bounded(c)
}

func (j *Judge) envelopeVector(c result.Case) (*provider.Vector, error) {
	label := fmt.Sprintf("case/%q/%q/%d", c.Algorithm, c.Mode, c.Bytes)
	e, err := j.envelopeOf(c.Mode)
	if err != nil {
		return nil, err
	}
	key, wrapped, err := e.wrap(label)
	if err != nil {
		return nil, err
	}
	payload := &provider.Vector{Key: key, Plaintext: j.random(label+"/message", int(c.Bytes))}
	if err := j.own(payload.Plaintext); err != nil {
		return nil, err
	}
	if e.Derived {
		payload.Key, payload.Nonce = e.derive(key)
	} else {
		payload.Nonce = j.random(label+"/nonce", gcmNonce)
		wrapped = append(slices.Clip(wrapped), payload.Nonce...)
	}
	inner := result.Case{Algorithm: e.Cipher, Mode: algorithm.GCM, Operation: plain, Bytes: c.Bytes}
	if err := j.seal(c, inner, payload); err != nil {
		return nil, err
	}
	v := e.private
	v.Plaintext, v.Ciphertext = payload.Plaintext, slices.Concat(wrapped, payload.Ciphertext)
	v.Accept = func(got []byte) error { return e.accept(got, payload.Plaintext) }
	return &v, nil
}

func (e envelope) accept(got, plaintext []byte) error {
	head := e.Wrapped
	if !e.Derived {
		head += gcmNonce
	}
	if len(got) != head+len(plaintext)+algorithm.TagBytes {
		return reason.New("envelope-length", len(got), head+len(plaintext)+algorithm.TagBytes)
	}
	key, err := e.unwrap(got[:e.Wrapped])
	if err != nil {
		return reason.New("content-key", err)
	}
	nonce := got[e.Wrapped:head]
	if e.Derived {
		key, nonce = e.derive(key)
	}
	return acceptPayload(e.Cipher, key, nonce, got[head:], plaintext)
}

// acceptPayload opens a payload by the reference. One that is too long for it is
// opened by a fast library, which at this length and in this run was seen to give
// the reference's output (Judge.seal), and decrypted by the reference at its
// beginning, in its middle and at its end.
func acceptPayload(name string, key, nonce, sealed, plaintext []byte) error {
	b, err := referenceBlock(name, key)
	if err != nil {
		return reason.New("content-key", err)
	}
	opened, err := []byte(nil), errors.ErrUnsupported
	if len(plaintext) > Whole {
		if at, same := sample(b, nonce, plaintext, sealed, 2); !same {
			return reason.New("envelope-wrong", at)
		}
		var fast cipher.AEAD
		if made := provider.Guard(func() (err error) { fast, err = fastAEAD(name, key); return err }); made == nil {
			opened, err = fast.Open(nil, nonce, sealed, nil)
		}
	}
	if errors.Is(err, errors.ErrUnsupported) { // short, or a policy forbids the fast one
		opened, err = reference.OpenGCM(b, nonce, sealed, nil)
	}
	if err != nil {
		return reason.New("envelope-open", err)
	}
	return compared(opened, plaintext, reason.New("envelope-other"))
}

func (e *envelope) byRSA(j *Judge, name string) error {
	k, err := j.keyOf(name)
	if err != nil {
		return err
	}
	e.private.PKCS8 = k.pkcs8
	e.wrap = func(label string) (key, wrapped []byte, err error) {
		key = j.random(label+"/key", 32)
		wrapped, err = reference.RSAEncryptOAEP(k.rsa, reference.SHA256, j.random(label+"/seed", 32), nil, key)
		return key, wrapped, err
	}
	e.unwrap = func(wrapped []byte) ([]byte, error) {
		return reference.RSADecryptOAEP(k.rsa, reference.SHA256, nil, wrapped)
	}
	return nil
}

// bySM2 draws a key and encrypts it to C1‖C3‖C2, C1 uncompressed.
func (e *envelope) bySM2(j *Judge) error {
	k, err := j.keyOf(algorithm.SM2)
	if err != nil {
		return err
	}
	e.private.Key = k.scalar
	e.wrap = func(label string) (key, wrapped []byte, err error) {
		key = j.random(label+"/key", 16)
		return key, sm2Encrypt(k, j.scalar(label+"/scalar", k.curve), key), nil
	}
	e.unwrap = func(wrapped []byte) ([]byte, error) { return reference.SM2Decrypt(k.d, wrapped) }
	return nil
}

func (e *envelope) before(j *Judge) {
	had := j.random("key/Envelope/"+e.Cipher, algorithm.Of(e.Cipher).Key)
	e.private.Key = had
	e.wrap = func(string) (key, wrapped []byte, err error) { return had, nil, nil }
	e.unwrap = func([]byte) ([]byte, error) { return had, nil }
}

func (e *envelope) byKEM(j *Judge, k kem) error {
	private := j.random(fmt.Sprintf("key/Envelope/%#04x", k.id), k.private)
	public, err := k.public(private)
	e.private.Key = private
	e.wrap = func(label string) (secret, wrapped []byte, err error) {
		secret, wrapped, err = k.encapsulate(public, j.random(label+"/ephemeral", k.random))
		if err != nil {
			return nil, nil, err
		}
		return k.combine(secret, wrapped, public), wrapped, nil
	}
	e.unwrap = func(wrapped []byte) ([]byte, error) { return k.shared(private, wrapped) }
	e.derive = func(secret []byte) (key, nonce []byte) { return hpkeKeys(k.id, secret) }
	return err
}

// kem is a key encapsulation of HPKE: an exchange, whose reply is the encapsulated key,
// and what makes the shared secret of its secret.
type kem struct {
	scheme
	id      uint16 // of the registry of RFC 9180 §7.1
	combine func(secret, enc, public []byte) []byte
}

// shared is Decap of RFC 9180 §4.
func (k kem) shared(private, enc []byte) ([]byte, error) {
	secret, err := k.decapsulate(private, enc)
	if err != nil {
		return nil, err
	}
	public, err := k.public(private)
	return k.combine(secret, enc, public), err
}

func kemX25519() kem { return kem{montgomeryExchange(), dhkemX25519, dhkemSecret} }

func kemMLKEM768() kem {
	return kem{kemExchange(reference.MLKEM768()), 0x0041, func(secret, _, _ []byte) []byte { return secret }}
}

// kemHybrid combines as MLKEM768-X25519 does (draft-ietf-hpke-pq, X-Wing).
func kemHybrid() kem {
	return kem{hybrid(kemMLKEM768().scheme, montgomeryExchange()), 0x647a, func(secret, enc, public []byte) []byte {
		share, key := enc[len(enc)-32:], public[len(public)-32:]
		return reference.SHA3of256(slices.Concat(secret, share, key, []byte(`\.//^\`)))
	}}
}

const dhkemX25519 = 0x0020 // DHKEM(X25519, HKDF-SHA256)

// dhkemSecret is ExtractAndExpand of RFC 9180 §4.1, with HKDF-SHA256.
func dhkemSecret(dh, enc, public []byte) []byte {
	l := labelled(binary.BigEndian.AppendUint16([]byte("KEM"), dhkemX25519))
	return l.expand(l.extract(nil, "eae_prk", dh), "shared_secret", slices.Concat(enc, public), 32)
}

// labelled is LabeledExtract and LabeledExpand of RFC 9180 §4 for a suite.
type labelled []byte

func (suite labelled) extract(salt []byte, label string, in []byte) []byte {
	in = slices.Concat([]byte("HPKE-v1"), suite, []byte(label), in)
	return reference.HMAC(reference.SHA256, reference.HashBlockSize, salt, in)
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
