//go:build linux && (amd64 || arm64) && cgo

package pkcs11

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"io"
	"math/big"

	p11 "github.com/miekg/pkcs11"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// A session is one caller's with a token; what it makes there ends with it.
type session struct {
	*token
	handle    p11.SessionHandle
	takesNone bool // of a test: a token that imports no key
}

func (t *token) open() (*session, error) {
	handle, err := t.module.OpenSession(t.slot, p11.CKF_SERIAL_SESSION)
	if err != nil {
		return nil, refused("C_OpenSession", err) // a token has room for so many
	}
	return &session{token: t, handle: handle}, nil
}

// close ends the session, of whose errors the first says more.
func (s *session) close(err error) error {
	if closing := s.module.CloseSession(s.handle); closing != nil && err == nil {
		return failed("C_CloseSession", closing)
	}
	return err
}

// ended closes the session with an operation.
type ended struct {
	provider.Operation
	session *session
}

func (e ended) Close() error { return e.session.close(e.Operation.Close()) }
func (e ended) Loop() string { return e.Operation.(provider.Looped).Loop() }

// Clock: to wait for a token is part of what it costs.
func (ended) Clock() result.Clock { return result.WallClock }

// function is two of a token's: C_NAMEInit prepares a key, and C_NAME does a text.
type function struct {
	name    string
	prepare func(*p11.Ctx, p11.SessionHandle, []*p11.Mechanism, p11.ObjectHandle) error
	do      func(*p11.Ctx, p11.SessionHandle, []byte) ([]byte, error)
}

var (
	sign    = function{"Sign", (*p11.Ctx).SignInit, (*p11.Ctx).Sign}
	encrypt = function{"Encrypt", (*p11.Ctx).EncryptInit, (*p11.Ctx).Encrypt}
	decrypt = function{"Decrypt", (*p11.Ctx).DecryptInit, (*p11.Ctx).Decrypt}
)

func (s *session) do(f function, mechanism []*p11.Mechanism, key p11.ObjectHandle, text []byte) ([]byte, error) {
	if err := f.prepare(s.module, s.handle, mechanism, key); err != nil {
		return nil, refused("C_"+f.name+"Init", err)
	}
	out, err := f.do(s.module, s.handle, text)
	if err != nil {
		return nil, refused("C_"+f.name, err)
	}
	return out, nil
}

// keyPair signs and decrypts with a private key in a token, in the shapes of package crypto.
type keyPair struct {
	*session
	pair
	mechanism []*p11.Mechanism
}

func (k keyPair) Public() crypto.PublicKey { return k.public }

func (k keyPair) Sign(_ io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
	return k.do(sign, k.mechanism, k.pair.handle, digest)
}

func (k keyPair) Decrypt(_ io.Reader, ciphertext []byte, _ crypto.DecrypterOpts) ([]byte, error) {
	return k.do(decrypt, k.mechanism, k.pair.handle, ciphertext)
}

// onCurve signs with ECDSA, of which a token gives the two numbers one behind the other.
type onCurve struct{ keyPair }

func (k onCurve) Sign(r io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	both, err := k.keyPair.Sign(r, digest, opts)
	if err != nil {
		return nil, err
	}
	half := len(both) / 2
	return asn1.Marshal(struct{ R, S *big.Int }{new(big.Int).SetBytes(both[:half]), new(big.Int).SetBytes(both[half:])})
}

// The bytes of GCM's nonce and tag.
const gcmNonce, gcmTag = 12, 16

// gcm is AES-GCM in a token, in the shape of cipher.AEAD, for one caller at a time.
type gcm struct {
	*session
	key p11.ObjectHandle
}

func (g gcm) NonceSize() int { return gcmNonce }
func (g gcm) Overhead() int  { return gcmTag }

// Seal panics where the token fails, as an AEAD has no error; who times it recovers, and the row says why.
func (g gcm) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	out, err := g.crypt(encrypt, nonce, plaintext, additionalData)
	if err != nil {
		panic(err)
	}
	return append(dst, out...)
}

func (g gcm) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	out, err := g.crypt(decrypt, nonce, ciphertext, additionalData)
	if err != nil {
		return nil, err
	}
	return append(dst, out...), nil
}

func (g gcm) crypt(f function, nonce, text, additionalData []byte) ([]byte, error) {
	parameters := p11.NewGCMParams(nonce, additionalData, 8*gcmTag)
	defer parameters.Free()
	out, err := g.do(f, []*p11.Mechanism{p11.NewMechanism(p11.CKM_AES_GCM, parameters)}, g.key, text)
	if err == nil && string(parameters.IV()) != string(nonce) {
		return nil, reason.New("pkcs11-own-nonce") // some tokens draw the nonce themselves
	}
	return out, err
}

// unwrapper does what a service does at its start, once it is logged in: it opens a session, finds the key that wraps
// its own, has the token unwrap that, and closes the session.
//
// The key that wraps is an object of the session that stays open around it, and so of no longer life than the
// operation; other sessions of the process see it (PKCS #11 v2.40, section 2.6).
type unwrapper struct {
	*session
	id     []byte // CKA_ID of the key that wraps
	unwrap func(*session, p11.ObjectHandle, []byte) ([]byte, error)
}

// unwrapping prepares a case of unwrapping, under a key that is imported.
func (s *session) unwrapping(c result.Case, v *provider.Vector) (provider.Operation, error) {
	mechanism, err := mechanismOf(c), error(nil)
	u := unwrapper{session: s, id: make([]byte, 16)}
	_, _ = rand.Read(u.id) // never fails
	id := p11.NewAttribute(p11.CKA_ID, u.id)
	if c.Mode == algorithm.KeyWrap {
		u.unwrap = keyUnwrapping
		_, err = s.secret(v.Key, id, p11.NewAttribute(p11.CKA_UNWRAP, true))
	} else {
		u.unwrap = func(s *session, key p11.ObjectHandle, wrapped []byte) ([]byte, error) {
			return s.do(decrypt, mechanism, key, wrapped)
		}
		_, v, err = s.receiver(c, v, id)
	}
	if err != nil {
		return nil, err
	}
	if _, err := u.Decrypt(nil, v.Ciphertext, nil); err != nil {
		return nil, err // a token that lacks the mechanism says so when it is first used
	}
	return unwrapped{ended{loop.NewPrivateDecrypt(u, nil, loop.RefusesTampering, v), s}}, nil
}

func (unwrapper) Public() crypto.PublicKey { return nil }

func (u unwrapper) Decrypt(_ io.Reader, wrapped []byte, _ crypto.DecrypterOpts) (key []byte, err error) {
	s, err := u.token.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = s.close(err) }()
	handle, err := s.find(u.id)
	if err != nil {
		return nil, err
	}
	return u.unwrap(s, handle, wrapped)
}

// find finds the key of an identifier.
func (s *session) find(id []byte) (p11.ObjectHandle, error) {
	if err := s.module.FindObjectsInit(s.handle, []*p11.Attribute{p11.NewAttribute(p11.CKA_ID, id)}); err != nil {
		return 0, refused("C_FindObjectsInit", err)
	}
	found, _, err := s.module.FindObjects(s.handle, 1)
	if err != nil {
		return 0, refused("C_FindObjects", err)
	}
	if err := s.module.FindObjectsFinal(s.handle); err != nil {
		return 0, refused("C_FindObjectsFinal", err)
	}
	if len(found) == 0 {
		return 0, provider.Unsupported("pkcs11-unseen")
	}
	return found[0], nil
}

// keyUnwrapping makes the wrapped key an object of the token, and reads it from there.
func keyUnwrapping(s *session, key p11.ObjectHandle, wrapped []byte) ([]byte, error) {
	made, err := s.module.UnwrapKey(s.handle, []*p11.Mechanism{p11.NewMechanism(p11.CKM_AES_KEY_WRAP, nil)}, key, wrapped, []*p11.Attribute{
		p11.NewAttribute(p11.CKA_CLASS, p11.CKO_SECRET_KEY), p11.NewAttribute(p11.CKA_KEY_TYPE, p11.CKK_AES),
		p11.NewAttribute(p11.CKA_TOKEN, false), p11.NewAttribute(p11.CKA_PRIVATE, true),
		p11.NewAttribute(p11.CKA_SENSITIVE, false), p11.NewAttribute(p11.CKA_EXTRACTABLE, true)})
	if err != nil {
		return nil, refused("C_UnwrapKey", err)
	}
	value, err := s.module.GetAttributeValue(s.handle, made, []*p11.Attribute{p11.NewAttribute(p11.CKA_VALUE, nil)})
	if err != nil {
		return nil, refused("C_GetAttributeValue", err)
	}
	if len(value) != 1 {
		return nil, reason.New("wrong")
	}
	return value[0].Value, nil
}

// unwrapped tells, beside what an unwrapping takes, how long it took to log in.
type unwrapped struct{ ended }

func (u unwrapped) Record() (r result.Record, err error) {
	r.Metrics = []result.Metric{{Name: "login_ns", Value: float64(u.session.login), Unit: "ns"}}
	return r, nil
}

// private are the attributes of a private or secret key, with its own, such as what it is for: all are objects of the
// session, and don't leave the token.
func private(class, kind uint, own ...*p11.Attribute) []*p11.Attribute {
	return append([]*p11.Attribute{
		p11.NewAttribute(p11.CKA_CLASS, class), p11.NewAttribute(p11.CKA_KEY_TYPE, kind),
		p11.NewAttribute(p11.CKA_TOKEN, false), p11.NewAttribute(p11.CKA_PRIVATE, true),
		p11.NewAttribute(p11.CKA_SENSITIVE, true), p11.NewAttribute(p11.CKA_EXTRACTABLE, false),
	}, own...)
}

func (s *session) create(attributes []*p11.Attribute) (p11.ObjectHandle, error) {
	if s.takesNone {
		return 0, p11.Error(p11.CKR_TEMPLATE_INCONSISTENT)
	}
	return s.module.CreateObject(s.handle, attributes)
}

// A pair is a key pair whose private key lies in a token.
type pair struct {
	handle p11.ObjectHandle
	public crypto.PublicKey
	made   bool // in the token, so that the laboratory does not know the private key
}

// pair imports the vector's key pair, or makes one like it where the token takes none.
func (s *session) pair(v *provider.Vector, attributes ...*p11.Attribute) (pair, error) {
	key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return pair{}, reason.New("pkcs11-key", err)
	}
	switch k := key.(type) {
	case *rsa.PrivateKey:
		return s.rsaPair(k, attributes)
	case *ecdsa.PrivateKey:
		return s.ecPair(k, attributes)
	}
	return pair{}, provider.Absent("not-offered", s.subject.Library, "keys")
}

func (s *session) rsaPair(k *rsa.PrivateKey, attributes []*p11.Attribute) (pair, error) {
	exponent := big.NewInt(int64(k.E)).Bytes()
	handle, err := s.create(append(private(p11.CKO_PRIVATE_KEY, p11.CKK_RSA, attributes...),
		p11.NewAttribute(p11.CKA_MODULUS, k.N.Bytes()), p11.NewAttribute(p11.CKA_PUBLIC_EXPONENT, exponent),
		p11.NewAttribute(p11.CKA_PRIVATE_EXPONENT, k.D.Bytes()),
		p11.NewAttribute(p11.CKA_PRIME_1, k.Primes[0].Bytes()), p11.NewAttribute(p11.CKA_PRIME_2, k.Primes[1].Bytes()),
		p11.NewAttribute(p11.CKA_EXPONENT_1, k.Precomputed.Dp.Bytes()), p11.NewAttribute(p11.CKA_EXPONENT_2, k.Precomputed.Dq.Bytes()),
		p11.NewAttribute(p11.CKA_COEFFICIENT, k.Precomputed.Qinv.Bytes())))
	if err == nil {
		return pair{handle: handle, public: &k.PublicKey}, nil
	}
	return s.make(p11.CKM_RSA_PKCS_KEY_PAIR_GEN, p11.CKK_RSA, attributes,
		p11.NewAttribute(p11.CKA_MODULUS_BITS, k.N.BitLen()), p11.NewAttribute(p11.CKA_PUBLIC_EXPONENT, exponent))
}

// secp256r1 is the curve's identifier in DER: 1.2.840.10045.3.1.7 (RFC 5480, section 2.1.1.1).
const secp256r1 = "\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"

func (s *session) ecPair(k *ecdsa.PrivateKey, attributes []*p11.Attribute) (pair, error) {
	scalar, err := k.Bytes()
	if err != nil {
		return pair{}, err
	}
	parameters := p11.NewAttribute(p11.CKA_EC_PARAMS, secp256r1)
	handle, err := s.create(append(private(p11.CKO_PRIVATE_KEY, p11.CKK_EC, attributes...), parameters,
		p11.NewAttribute(p11.CKA_VALUE, scalar)))
	if err == nil {
		return pair{handle: handle, public: &k.PublicKey}, nil
	}
	return s.make(p11.CKM_EC_KEY_PAIR_GEN, p11.CKK_EC, attributes, parameters)
}

// make makes a key pair in the token.
func (s *session) make(mechanism, kind uint, attributes []*p11.Attribute, parameters ...*p11.Attribute) (pair, error) {
	public := append([]*p11.Attribute{p11.NewAttribute(p11.CKA_TOKEN, false), p11.NewAttribute(p11.CKA_KEY_TYPE, kind)}, parameters...)
	open, closed, err := s.module.GenerateKeyPair(s.handle, []*p11.Mechanism{p11.NewMechanism(mechanism, nil)},
		public, private(p11.CKO_PRIVATE_KEY, kind, attributes...))
	if err != nil {
		return pair{}, refused("C_GenerateKeyPair", err)
	}
	made := pair{handle: closed, made: true}
	if kind == p11.CKK_RSA {
		made.public, err = s.rsaPublic(open)
	} else {
		made.public, err = s.ecPublic(open)
	}
	return made, err
}

func (s *session) rsaPublic(handle p11.ObjectHandle) (crypto.PublicKey, error) {
	a, err := s.module.GetAttributeValue(s.handle, handle, []*p11.Attribute{
		p11.NewAttribute(p11.CKA_MODULUS, nil), p11.NewAttribute(p11.CKA_PUBLIC_EXPONENT, nil)})
	if err != nil {
		return nil, refused("C_GetAttributeValue", err)
	}
	return &rsa.PublicKey{N: new(big.Int).SetBytes(a[0].Value), E: int(new(big.Int).SetBytes(a[1].Value).Int64())}, nil
}

func (s *session) ecPublic(handle p11.ObjectHandle) (crypto.PublicKey, error) {
	a, err := s.module.GetAttributeValue(s.handle, handle, []*p11.Attribute{p11.NewAttribute(p11.CKA_EC_POINT, nil)})
	if err != nil {
		return nil, refused("C_GetAttributeValue", err)
	}
	point := a[0].Value // a DER octet string; some tokens leave that out
	var inner []byte
	if rest, err := asn1.Unmarshal(point, &inner); err == nil && len(rest) == 0 {
		point = inner
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, provider.Unsupported("pkcs11-key", err)
	}
	return key, nil
}

// secret imports the vector's key for AES. A token that takes none has no row: nobody else could judge its output.
func (s *session) secret(key []byte, attributes ...*p11.Attribute) (p11.ObjectHandle, error) {
	handle, err := s.create(append(private(p11.CKO_SECRET_KEY, p11.CKK_AES, attributes...),
		p11.NewAttribute(p11.CKA_VALUE, key)))
	if err != nil {
		return 0, refused("C_CreateObject", err)
	}
	return handle, nil
}
