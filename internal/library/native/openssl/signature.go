//go:build linux && (amd64 || arm64)

package openssl

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// slack is how much longer a signature of two numbers in DER can be than another.
const slack = 8

func openSignature(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	key := privateKey(s, c, v)
	var add cbinding.Signing
	switch {
	case hashesItself(c):
		ctx, md := messageContext(s, c, key)
		add = func(p *cbinding.Program, text, signature []byte, size *uint64) {
			if size != nil {
				p.Add("EVP_DigestSignInit", ctx, 0, md, 0, key)
				p.Add("EVP_DigestSign", signing(p, ctx, text, signature, size)...).Setting(size, uint64(len(signature)))
				return
			}
			p.Add("EVP_DigestVerifyInit", ctx, 0, md, 0, key)
			p.Add("EVP_DigestVerify", verifying(p, ctx, text, signature)...)
		}
	case c.Algorithm == algorithm.SM2:
		add = signingWithZA(s, c, key)
	default:
		add = digestSigning(s, c, key)
	}
	return s.Signature(c, v, slack, add)
}

func signing(p *cbinding.Program, ctx uintptr, text, signature []byte, size *uint64) []uintptr {
	return []uintptr{ctx, p.Bytes(signature), call.Word(size), p.Bytes(text), uintptr(len(text))}
}

func verifying(p *cbinding.Program, ctx uintptr, text, signature []byte) []uintptr {
	return []uintptr{ctx, p.Bytes(signature), uintptr(len(signature)), p.Bytes(text), uintptr(len(text))}
}

// hashesItself says whether a scheme is given messages: SM2 is where the digest of the
// signer's identity is not given either.
func hashesItself(c result.Case) bool {
	return c.Algorithm == algorithm.Ed25519 || strings.HasPrefix(c.Algorithm, "ML-DSA") ||
		c.Algorithm == algorithm.SM2 && c.Parameters == ""
}

// signatureSettings are the controls of a signature of a ready digest; SM2 has none.
func signatureSettings(c result.Case) []setting {
	hash := setting{"digest", "SHA256"}
	switch {
	case c.Algorithm == algorithm.SM2:
		return nil
	case c.Algorithm == algorithm.ECDSA384:
		return []setting{{"digest", "SHA384"}}
	case c.Mode == algorithm.PSS:
		return []setting{{"rsa_padding_mode", "pss"}, hash, {"rsa_pss_saltlen", "digest"}}
	case c.Mode == algorithm.PKCS1v15Sign:
		return []setting{{"rsa_padding_mode", "pkcs1"}, hash}
	}
	return []setting{hash}
}

func digestSigning(s *cbinding.Session, c result.Case, key uintptr) cbinding.Signing {
	init := "EVP_PKEY_" + c.Operation + "_init"
	ctx := contextOf(s, key, init, signatureSettings(c)...)
	return func(p *cbinding.Program, text, signature []byte, size *uint64) {
		if size != nil {
			p.Add("EVP_PKEY_sign", signing(p, ctx, text, signature, size)...).Setting(size, uint64(len(signature)))
			return
		}
		p.Add("EVP_PKEY_verify", verifying(p, ctx, text, signature)...)
	}
}

// identity is an SM2 signer's where nobody gives one (GM/T 0009-2012 §10).
const identity = "1234567812345678"

// messageContext is a context for messages, which the scheme or md hashes, of SM2 with
// its owner's identity. It begins anew with each; the key stays.
func messageContext(s *cbinding.Session, c result.Case, key uintptr) (ctx, md uintptr) {
	ctx = s.Get("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	if c.Algorithm == algorithm.SM2 {
		md = fetch(s, "EVP_MD_fetch", algorithm.SM3)
		of := s.Get("EVP_PKEY_CTX_free", "EVP_PKEY_CTX_new_from_pkey", 0, key, 0)
		s.Do("EVP_PKEY_CTX_set1_id", of, s.Text(identity), uintptr(len(identity)))
		s.DoBy(call.Any, "EVP_MD_CTX_set_pkey_ctx", ctx, of)
	}
	return ctx, md
}

// signingWithZA hashes the digest of the signer's identity, which is there, and the
// message, and signs or verifies that.
func signingWithZA(s *cbinding.Session, c result.Case, key uintptr) cbinding.Signing {
	md := fetch(s, "EVP_MD_fetch", algorithm.SM3)
	za, hash := zaOf(s, md, key), s.Room(32)
	ctx := s.Get("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	sign := digestSigning(s, c, key)
	return func(p *cbinding.Program, text, signature []byte, size *uint64) {
		digest(p, ctx, md, hash, za, text)
		sign(p, hash, signature, size)
	}
}

// The curve of SM2: a, b and the base point (GB/T 32918.5-2017, annex A).
const sm2Curve = "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc" +
	"28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93" +
	"32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7" +
	"bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"

// zaOf is SM3 of the identity, the curve and the public key (GB/T 32918.2-2016 §5.5).
func zaOf(s *cbinding.Session, md, key uintptr) []byte {
	_, public, err := halves(s.Library, algorithm.SM2, key)
	if s.Err = cmp.Or(s.Err, err); s.Err != nil {
		return nil
	}
	curve, _ := hex.DecodeString(sm2Curve)
	text := slices.Concat([]byte{0, 8 * byte(len(identity))}, []byte(identity), curve, public[1:])
	out := s.Room(32)
	s.Do("EVP_Digest", s.Bytes(text), uintptr(len(text)), s.Bytes(out), 0, md, 0)
	return out
}
