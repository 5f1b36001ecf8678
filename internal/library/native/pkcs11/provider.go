//go:build linux && (amd64 || arm64) && cgo

package pkcs11

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" // the hash of OAEP in tokens that have no other
	"crypto/sha256"

	p11 "github.com/miekg/pkcs11"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func (t *token) Subject() result.Subject { return t.subject }

// Open opens a case in a session of its own.
func (t *token) Open(c result.Case) (provider.Operation, error) {
	open := t.opening(c)
	if open == nil || c.Parameters != "" {
		return nil, provider.Absent("not-offered", t.subject.Library, c.Name()+" "+c.Operation)
	}
	v, err := t.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	s, err := t.open()
	if err != nil {
		return nil, err
	}
	op, err := open(s, c, v)
	if err != nil {
		return nil, s.close(err)
	}
	return op, nil
}

func (t *token) opening(c result.Case) func(*session, result.Case, *provider.Vector) (provider.Operation, error) {
	rsaKeys := algorithm.RSABits(c.Algorithm) > 0
	switch {
	case c.Operation == algorithm.Sign && (rsaKeys && c.Mode == algorithm.PSS || c.Algorithm == algorithm.ECDSA256):
		return (*session).signing
	case c.Operation == algorithm.Decrypt && rsaKeys && (c.Mode == algorithm.OAEP || c.Mode == algorithm.PKCS1v15):
		return (*session).decrypting
	case c.Operation == algorithm.Unwrap && c.Algorithm != algorithm.SM4 && algorithm.Of(c.Algorithm).Unwraps(c.Mode):
		return (*session).unwrapping
	case c.Mode == algorithm.GCM && algorithm.Of(c.Algorithm).Block == 16 && algorithm.Of(c.Algorithm).Kind == algorithm.BlockCipher &&
		c.Algorithm != algorithm.SM4 && (c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt):
		return (*session).sealing
	}
	return nil
}

// mechanismOf is the mechanism of a case of key pairs, with SHA-256 where it has a hash and does not say another.
func mechanismOf(c result.Case) []*p11.Mechanism {
	mechanism, parameters := uint(p11.CKM_RSA_PKCS), any(nil)
	switch {
	case c.Algorithm == algorithm.ECDSA256:
		mechanism = p11.CKM_ECDSA
	case c.Mode == algorithm.PSS:
		mechanism, parameters = p11.CKM_RSA_PKCS_PSS, p11.NewPSSParams(p11.CKM_SHA256, p11.CKG_MGF1_SHA256, sha256.Size)
	case c.Mode == algorithm.OAEP:
		mechanism = p11.CKM_RSA_PKCS_OAEP
		parameters = p11.NewOAEPParams(p11.CKM_SHA256, p11.CKG_MGF1_SHA256, p11.CKZ_DATA_SPECIFIED, nil)
	case c.Mode == algorithm.OAEPSHA1:
		mechanism = p11.CKM_RSA_PKCS_OAEP
		parameters = p11.NewOAEPParams(p11.CKM_SHA_1, p11.CKG_MGF1_SHA1, p11.CKZ_DATA_SPECIFIED, nil)
	}
	return []*p11.Mechanism{p11.NewMechanism(mechanism, parameters)}
}

func (s *session) signing(c result.Case, v *provider.Vector) (provider.Operation, error) {
	p, err := s.pair(v, p11.NewAttribute(p11.CKA_SIGN, true))
	if err != nil {
		return nil, err
	}
	k := keyPair{s, p, mechanismOf(c)}
	var signer crypto.Signer = k
	if c.Algorithm == algorithm.ECDSA256 {
		signer = onCurve{k}
	}
	if _, err := signer.Sign(nil, v.Signed, crypto.SHA256); err != nil {
		return nil, err // a token that lacks the mechanism says so when it is first used
	}
	if p.made {
		own := *v
		own.Accept = func(signature []byte) error { return verify(p.public, v.Signed, signature) }
		v = &own
	}
	return ended{loop.NewSign(signer, crypto.SHA256, v), s}, nil
}

// verify judges a signature under a key that the token made, by Go's standard library.
func verify(public crypto.PublicKey, digest, signature []byte) error {
	valid := false
	switch k := public.(type) {
	case *ecdsa.PublicKey:
		valid = ecdsa.VerifyASN1(k, digest, signature)
	case *rsa.PublicKey:
		valid = rsa.VerifyPSS(k, crypto.SHA256, digest, signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
	}
	if !valid {
		return reason.New("wrong")
	}
	return nil
}

func (s *session) decrypting(c result.Case, v *provider.Vector) (provider.Operation, error) {
	p, v, err := s.receiver(c, v)
	if err != nil {
		return nil, err
	}
	k := keyPair{s, p, mechanismOf(c)}
	if _, err := k.Decrypt(nil, v.Ciphertext, nil); err != nil {
		return nil, err
	}
	return ended{loop.NewPrivateDecrypt(k, nil, c.Mode != algorithm.PKCS1v15, v), s}, nil
}

// receiver is a key pair that decrypts, with what is encrypted under it.
func (s *session) receiver(c result.Case, v *provider.Vector, own ...*p11.Attribute) (pair, *provider.Vector, error) {
	p, err := s.pair(v, append(own, p11.NewAttribute(p11.CKA_DECRYPT, true))...)
	if err == nil && p.made {
		v, err = anew(c, v, p.public)
	}
	return p, v, err
}

// anew is a vector with its plaintext encrypted under a key that the token made, by Go's standard library.
func anew(c result.Case, v *provider.Vector, public crypto.PublicKey) (*provider.Vector, error) {
	own := *v
	k, err := public.(*rsa.PublicKey), error(nil)
	switch c.Mode {
	case algorithm.OAEP:
		own.Ciphertext, err = rsa.EncryptOAEP(sha256.New(), rand.Reader, k, v.Plaintext, nil)
	case algorithm.OAEPSHA1:
		own.Ciphertext, err = rsa.EncryptOAEP(sha1.New(), rand.Reader, k, v.Plaintext, nil)
	default:
		//lint:ignore SA1019 tokens that lack OAEP with SHA-256 are measured with what people still use
		own.Ciphertext, err = rsa.EncryptPKCS1v15(rand.Reader, k, v.Plaintext)
	}
	return &own, err
}

func (s *session) sealing(c result.Case, v *provider.Vector) (provider.Operation, error) {
	key, err := s.secret(v.Key, p11.NewAttribute(p11.CKA_ENCRYPT, true), p11.NewAttribute(p11.CKA_DECRYPT, true))
	if err != nil {
		return nil, err
	}
	g, direction := gcm{s, key}, loop.Encrypt
	if c.Operation == algorithm.Decrypt {
		direction = loop.Decrypt
	}
	if err := provider.Guard(func() error { g.Seal(nil, v.Nonce, v.Plaintext, v.AAD); return nil }); err != nil {
		return nil, provider.Refused(err)
	}
	return ended{loop.NewAEAD(g, direction, v), s}, nil
}

func (t *token) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("unknown", "pkcs11-timing")
}

func (*token) Note(c result.Case) string {
	if c.Operation == algorithm.Unwrap {
		return "by PKCS#11, through cgo and github.com/miekg/pkcs11; a session is opened, the key found, and the session closed"
	}
	return "by PKCS#11, through cgo and github.com/miekg/pkcs11; every caller has a session of its own"
}

// Implementation is what a token computes by: it does not tell.
func (t *token) Implementation(result.Case) string { return "unknown" }
