//go:build linux && (amd64 || arm64) && cgo

package pkcs11

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"math/big"

	p11 "github.com/miekg/pkcs11"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

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
	k.Precompute()
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
