//go:build linux && (amd64 || arm64)

package openssl

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// mac is a keyed EVP_MAC_CTX.
type mac struct {
	*session
	ctx    uintptr
	size   int
	length *uint64
}

// newMAC sets the key of HMAC over a hash.
func (a *session) newMAC(hash string, key []byte) *mac {
	m := &mac{session: a, size: 32, length: a.Word()} // SHA-256's and SM3's; longer ones have a test to fail
	evp := a.fetch("EVP_MAC_fetch", "HMAC")
	m.ctx = a.object("EVP_MAC_CTX_free", "EVP_MAC_CTX_new", evp)
	a.one("EVP_MAC_init", m.ctx, a.Bytes(key), uintptr(len(key)), a.parameters().addText("digest", hash).end())
	return m
}

// sum appends the MAC of texts, one after the other.
func (m *mac) sum(p *program, out []byte, texts ...[]byte) {
	p.add("EVP_MAC_init", call.One, m.ctx, 0, 0, 0)
	for _, text := range texts {
		p.add("EVP_MAC_update", call.One, m.ctx, p.Bytes(text), uintptr(len(text)))
	}
	p.add("EVP_MAC_final", call.One, m.ctx, p.Bytes(out), call.Word(m.length), uintptr(len(out)))
	p.expecting(m.length, len(out))
}

// openComposite is CBC with PKCS #7 padding, and then HMAC over IV and ciphertext.
// Opening computes the tag and compares it before it decrypts anything.
func (o on) openComposite(c result.Case, v *provider.Vector) (provider.Operation, error) {
	if _, rest := seeded.MixOf(c); rest != parameter.PKCS7Padding {
		return nil, provider.Absent("parameters", c.Name(), parameter.PKCS7Padding, rest)
	}
	d, err := loop.DirectionOf(c.Operation)
	if err != nil {
		return nil, err
	}
	a := o.session(o.path)
	ci := a.newCipher(c, d, v, pkcs7)
	hash, _ := digestName(strings.TrimPrefix(c.Mode, "CBC+"))
	m := a.newMAC(hash, v.MACKey)
	computed := a.Room(m.size)
	return o.messages(a, d, v, m.size, blockSize, func(p *program, msg binding.Message) {
		in, out := msg.In, msg.Out
		if d == loop.Encrypt {
			body := out[:len(out)-m.size]
			ci.iv(p, msg.Nonce)
			whole := len(in) / blockSize * blockSize
			ci.update(p, call.Bytes(body), in)
			p.expecting(ci.length, whole)
			ci.final(p, call.Bytes(body)+uintptr(whole))
			p.expecting(ci.length, blockSize)
			m.sum(p, out[len(body):], msg.Nonce, body)
			return
		}
		body := in[:len(in)-m.size]
		m.sum(p, computed, msg.Nonce, body)
		p.add("CRYPTO_memcmp", call.Zero, p.Bytes(computed), p.Bytes(in[len(body):]), uintptr(m.size))
		ci.iv(p, msg.Nonce)
		ci.update(p, call.Bytes(out), body)
		p.expecting(ci.length, len(body)-blockSize)
		ci.final(p, call.Bytes(out)+uintptr(len(body)-blockSize))
		p.expecting(ci.length, len(out)-(len(body)-blockSize))
	})
}
