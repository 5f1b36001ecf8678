//go:build linux && (amd64 || arm64)

package openssl

import (
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openHash digests whole messages: the state is reset, the message given, the sum taken.
func (o on) openHash(c result.Case, v *provider.Vector) (provider.Operation, error) {
	name, _ := digestName(c.Algorithm)
	a := o.session(o.path)
	md := a.fetch("EVP_MD_fetch", name)
	ctx := a.object("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	out := a.Room(len(v.Digest))
	p := a.program()
	p.add("EVP_DigestInit_ex2", call.One, ctx, md, 0)
	p.add("EVP_DigestUpdate", call.One, ctx, p.Bytes(v.Plaintext), uintptr(len(v.Plaintext)))
	p.add("EVP_DigestFinal_ex", call.One, ctx, p.Bytes(out), 0)
	return p.operation(o, loop.Foreign{Want: v.Digest, Out: out})
}

// openMAC is HMAC under a key that was set before.
func (o on) openMAC(c result.Case, v *provider.Vector) (provider.Operation, error) {
	name, _ := digestName(c.Algorithm)
	a := o.session(o.path)
	m := a.newMAC(name, v.Key)
	out := a.Room(len(v.Digest))
	p := a.program()
	m.sum(p, out, v.Plaintext)
	return p.operation(o, loop.Foreign{Want: v.Digest, Out: out})
}

// openDerivation is HKDF of a secret, which is extracted from and expanded in each call.
func (o on) openDerivation(c result.Case, v *provider.Vector) (provider.Operation, error) {
	a := o.session(o.path)
	ctx, each := a.newHKDF(c.Algorithm, v)
	out := a.Room(len(v.Secret))
	p := a.program()
	p.add("EVP_KDF_derive", call.One, ctx, p.Bytes(out), uintptr(len(out)), each)
	return p.operation(o, loop.Foreign{Want: v.Secret, Out: out})
}

// newHKDF makes a context with the hash set, and what each derivation is given: the
// secret, the salt and the info.
func (a *session) newHKDF(algorithm string, v *provider.Vector) (ctx, each uintptr) {
	name, _ := digestName(algorithm)
	ctx = a.object("EVP_KDF_CTX_free", "EVP_KDF_CTX_new", a.fetch("EVP_KDF_fetch", "HKDF"))
	a.one("EVP_KDF_CTX_set_params", ctx, a.parameters().addText("digest", name).end())
	return ctx, a.parameters().addBytes("key", v.Key).addBytes("salt", v.Nonce).addBytes("info", v.AAD).end()
}
