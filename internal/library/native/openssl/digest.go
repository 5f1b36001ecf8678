//go:build linux && (amd64 || arm64)

package openssl

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

var digests = []algorithm.Name{algorithm.MD5, algorithm.SM3, algorithm.SHA1, algorithm.SHA256, algorithm.SHA384,
	algorithm.SHA512, algorithm.SHA3of256, algorithm.BLAKE2b512}

// digestName is what OpenSSL calls a hash, or the hash of what is built on one; empty
// where it is not asked for it.
func digestName(name algorithm.Name) string {
	hash := strings.TrimPrefix(strings.TrimPrefix(name, "HMAC-"), "HKDF-")
	if slices.Contains(digests, hash) {
		return hash
	}
	return ""
}

func openHash(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	md := fetch(s, "EVP_MD_fetch", digestName(c.Algorithm))
	ctx := s.Get("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	out, p := s.RoomLike(v.Digest, len(v.Digest)), s.Program()
	digest(p, ctx, md, out, v.Plaintext)
	return p.Operation(c.Name(), loop.Foreign{Want: v.Digest, Out: out})
}

func digest(p *cbinding.Program, ctx, md uintptr, out []byte, texts ...[]byte) {
	p.Add("EVP_DigestInit_ex2", ctx, md, 0)
	for _, text := range texts {
		p.Add("EVP_DigestUpdate", ctx, p.Bytes(text), uintptr(len(text)))
	}
	p.Add("EVP_DigestFinal_ex", ctx, p.Bytes(out), 0)
}

// newMAC returns what appends the HMAC of texts, one after the other, under a key that
// was set before.
func newMAC(s *cbinding.Session, hash string, key []byte) cbinding.Summing {
	length := s.Word()
	ctx := s.Get("EVP_MAC_CTX_free", "EVP_MAC_CTX_new", fetch(s, "EVP_MAC_fetch", "HMAC"))
	s.Do("EVP_MAC_init", ctx, s.Bytes(key), uintptr(len(key)), newParameters(s).text("digest", hash).end())
	return func(p *cbinding.Program, out []byte, texts ...[]byte) {
		p.Add("EVP_MAC_init", ctx, 0, 0, 0)
		for _, text := range texts {
			p.Add("EVP_MAC_update", ctx, p.Bytes(text), uintptr(len(text)))
		}
		p.Add("EVP_MAC_final", ctx, p.Bytes(out), call.Word(length), uintptr(len(out))).Expecting(length, uint64(len(out)))
	}
}

// openRandom is RAND_bytes(3), the generator of the default library context.
func openRandom(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	return s.Drawing(c, v, func(p *cbinding.Program, out []byte) { p.Add("RAND_bytes", p.Bytes(out), uintptr(len(out))) })
}

func openMAC(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	out, p := s.RoomLike(v.Digest, len(v.Digest)), s.Program()
	newMAC(s, digestName(c.Algorithm), v.Key)(p, out, v.Plaintext)
	return p.Operation(c.Name(), loop.Foreign{Want: v.Digest, Out: out})
}

// openDerivation is HKDF of a secret, which is extracted from and expanded in each call.
func openDerivation(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	ctx := newHKDF(s, digestName(c.Algorithm))
	out, p := s.RoomLike(v.Secret, len(v.Secret)), s.Program()
	each := newParameters(s).bytes("key", v.Key).bytes("salt", v.Nonce).bytes("info", v.AAD).end()
	p.Add("EVP_KDF_derive", ctx, p.Bytes(out), uintptr(len(out)), each)
	return p.Operation(c.Name(), loop.Foreign{Want: v.Secret, Out: out})
}

func newHKDF(s *cbinding.Session, hash string) uintptr {
	ctx := s.Get("EVP_KDF_CTX_free", "EVP_KDF_CTX_new", fetch(s, "EVP_KDF_fetch", "HKDF"))
	s.Do("EVP_KDF_CTX_set_params", ctx, newParameters(s).text("digest", hash).end())
	return ctx
}

func openComposite(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	const block = cbinding.BlockSize
	ci := newCipher(s, c, cbinding.DirectionOf(c), v.Key, pkcs7)
	crypt := func(p *cbinding.Program, iv, in, out []byte) {
		whole := len(in) / block * block // of these, opening keeps the last for the end
		if ci.d == loop.Decrypt {
			whole -= block
		}
		ci.iv(p, iv)
		ci.update(p, call.Bytes(out), in).Expecting(ci.length, uint64(whole))
		ci.final(p, call.Bytes(out)+uintptr(whole)).Expecting(ci.length, uint64(len(out)-whole))
	}
	sum := newMAC(s, digestName(strings.TrimPrefix(c.Mode, "CBC+")), v.MACKey)
	return s.Composite(c, v, block, crypt, sum, "CRYPTO_memcmp")
}
