//go:build linux && (amd64 || arm64)

package openssl

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// tamperedTail is the part of a signature in which a flipped bit leaves it a
// signature, though not a valid one: its last number's end.
const tamperedTail = 16

// signing appends the calls that sign or verify a text: what signs is the output,
// what verifies the input.
type signing func(p *program, text, signature []byte, size *uint64)

// openSignature signs or verifies what the vector says is signed: a digest, or of
// schemes that hash themselves a message.
func (o on) openSignature(c result.Case, v *provider.Vector) (provider.Operation, error) {
	if v.Accept == nil || v.Signature == nil {
		return nil, provider.Unsupported("key-short", c.Algorithm, c.Mode)
	}
	a := o.session(o.path)
	size := a.Word()
	add := a.signingOf(c, v)
	if a.Err != nil {
		return nil, a.failed()
	}
	p := a.program()
	if c.Operation == "sign" {
		out := a.Room(len(v.Signature) + slack)
		add(p, v.Signed, out, size)
		return p.operation(o, loop.Foreign{Out: out, Size: func() int { return int(*size) }, Accept: v.Accept})
	}
	add(p, v.Signed, v.Signature, nil)
	n := len(v.Signed)
	return p.operation(o, loop.Foreign{Blank: true,
		Sealed: slices.Concat(v.Signed, v.Signature), Tagged: tamperedTail,
		Open: func(tampered []byte) error {
			other := a.scratch()
			add(other, tampered[:n], tampered[n:], nil)
			defer runtime.KeepAlive(tampered)
			return other.run(o.path, 1)
		}})
}

// slack is how much longer a signature of two numbers in DER can be than another.
const slack = 8

// signingOf prepares the context of a case.
func (a *session) signingOf(c result.Case, v *provider.Vector) signing {
	key := a.privateKey(c, v)
	switch {
	case c.Algorithm == "SM2" && c.Parameters == "":
		return a.messageSigning(c, a.withIdentity(key), a.fetch("EVP_MD_fetch", "SM3"), key)
	case c.Algorithm == "SM2":
		return a.signingWithZA(c, key)
	case c.Algorithm == "Ed25519", strings.HasPrefix(c.Algorithm, "ML-DSA"):
		return a.messageSigning(c, 0, 0, key)
	}
	return a.digestSigning(c, key, signatureSettings(c)...)
}

// signatureSettings are the controls of a signature of a ready digest; SM2 has none.
func signatureSettings(c result.Case) []setting {
	hash := setting{"digest", "SHA256"}
	switch {
	case c.Algorithm == "SM2":
		return nil
	case c.Algorithm == "ECDSA-P-384":
		return []setting{{"digest", "SHA384"}}
	case c.Mode == "PSS-SHA-256":
		return []setting{{"rsa_padding_mode", "pss"}, hash, {"rsa_pss_saltlen", "digest"}}
	case c.Mode == "PKCS1v15-SHA-256":
		return []setting{{"rsa_padding_mode", "pkcs1"}, hash}
	}
	return []setting{hash}
}

// digestSigning signs or verifies ready digests.
func (a *session) digestSigning(c result.Case, key uintptr, settings ...setting) signing {
	if c.Operation == "sign" {
		ctx := a.contextOf(key, "EVP_PKEY_sign_init", settings...)
		return func(p *program, text, signature []byte, size *uint64) {
			p.add("EVP_PKEY_sign", call.One, ctx, p.Bytes(signature), call.Word(size), p.Bytes(text), uintptr(len(text)))
			p.writing(size, len(signature))
		}
	}
	ctx := a.contextOf(key, "EVP_PKEY_verify_init", settings...)
	return func(p *program, text, signature []byte, _ *uint64) {
		p.add("EVP_PKEY_verify", call.One, ctx, p.Bytes(signature), uintptr(len(signature)), p.Bytes(text), uintptr(len(text)))
	}
}

// messageSigning signs or verifies messages, which the scheme or md hashes. The
// context begins anew with each; the key stays.
func (a *session) messageSigning(c result.Case, pkeyCtx, md, key uintptr) signing {
	ctx := a.object("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	if pkeyCtx != 0 {
		a.call("EVP_MD_CTX_set_pkey_ctx", call.Any, ctx, pkeyCtx)
	}
	if c.Operation == "sign" {
		return func(p *program, text, signature []byte, size *uint64) {
			p.add("EVP_DigestSignInit", call.One, ctx, 0, md, 0, key)
			p.add("EVP_DigestSign", call.One, ctx, p.Bytes(signature), call.Word(size), p.Bytes(text), uintptr(len(text)))
			p.writing(size, len(signature))
		}
	}
	return func(p *program, text, signature []byte, _ *uint64) {
		p.add("EVP_DigestVerifyInit", call.One, ctx, 0, md, 0, key)
		p.add("EVP_DigestVerify", call.One, ctx, p.Bytes(signature), uintptr(len(signature)), p.Bytes(text), uintptr(len(text)))
	}
}

// identity is an SM2 signer's where nobody gives one (GM/T 0009-2012 §10).
const identity = "1234567812345678"

// withIdentity is a context of an SM2 key with its owner's identity, which every
// message is hashed with.
func (a *session) withIdentity(key uintptr) uintptr {
	ctx := a.object("EVP_PKEY_CTX_free", "EVP_PKEY_CTX_new_from_pkey", 0, key, 0)
	id := []byte(identity)
	a.call("EVP_PKEY_CTX_set1_id", call.Positive, ctx, a.Bytes(id), uintptr(len(id)))
	return ctx
}

// signingWithZA hashes the digest of the signer's identity, which is there, and the
// message, and signs or verifies that.
func (a *session) signingWithZA(c result.Case, key uintptr) signing {
	md := a.fetch("EVP_MD_fetch", "SM3")
	za := a.za(md, key)
	ctx := a.object("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	digest := a.Room(32)
	sign := a.digestSigning(c, key, signatureSettings(c)...)
	return func(p *program, text, signature []byte, size *uint64) {
		p.add("EVP_DigestInit_ex2", call.One, ctx, md, 0)
		for _, part := range [][]byte{za, text} {
			p.add("EVP_DigestUpdate", call.One, ctx, p.Bytes(part), uintptr(len(part)))
		}
		p.add("EVP_DigestFinal_ex", call.One, ctx, p.Bytes(digest), 0)
		sign(p, digest, signature, size)
	}
}

// The curve of SM2: a, b and the base point (GB/T 32918.5-2017, annex A).
const sm2Curve = "\xff\xff\xff\xfe\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xfc" +
	"\x28\xe9\xfa\x9e\x9d\x9f\x5e\x34\x4d\x5a\x9e\x4b\xcf\x65\x09\xa7\xf3\x97\x89\xf5\x15\xab\x8f\x92\xdd\xbc\xbd\x41\x4d\x94\x0e\x93" +
	"\x32\xc4\xae\x2c\x1f\x19\x81\x19\x5f\x99\x04\x46\x6a\x39\xc9\x94\x8f\xe3\x0b\xbf\xf2\x66\x0b\xe1\x71\x5a\x45\x89\x33\x4c\x74\xc7" +
	"\xbc\x37\x36\xa2\xf4\xf6\x77\x9c\x59\xbd\xce\xe3\x6b\x69\x21\x53\xd0\xa9\x87\x7c\xc6\x2a\x47\x40\x02\xdf\x32\xe5\x21\x39\xf0\xa0"

// za is SM3 of the identity, the curve and the public key (GB/T 32918.2-2016 §5.5).
func (a *session) za(md, key uintptr) []byte {
	_, public, err := a.lib.halves("SM2", key)
	if a.Err = cmp.Or(a.Err, err); a.Err != nil {
		return nil
	}
	text := bytes.Join([][]byte{{0, 8 * byte(len(identity))}, []byte(identity), []byte(sm2Curve), public[1:]}, nil)
	out := a.Room(32)
	a.one("EVP_Digest", a.Bytes(text), uintptr(len(text)), a.Bytes(out), 0, md, 0)
	return out
}
