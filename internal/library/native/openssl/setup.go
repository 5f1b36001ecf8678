//go:build linux && (amd64 || arm64)

package openssl

import (
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// openSetup is what comes before the first message. A context that is made anew for
// each would have another address each time; it is reset instead, which gives back
// all that it holds but its own 200 bytes, and set up from nothing.
func (o on) openSetup(c result.Case, v *provider.Vector) (provider.Operation, error) {
	a := o.session(o.path)
	ci := a.newCipher(c, loop.Encrypt, v, unpadded)
	ci.noIV = c.Operation == "schedule"
	name, _ := cipherName(c.Algorithm, c.Mode)
	p := a.program()
	if c.Operation == "schedule" {
		p.add("EVP_CipherInit_ex", call.One, ci.ctx, 0, 0, p.Bytes(v.Key), 0, unchanged)
		return p.operation(o, loop.Foreign{Accept: func([]byte) error { return ci.encrypts(v, v.Plaintext, v.Ciphertext) }})
	}
	p.add("EVP_CIPHER_CTX_reset", call.One, ci.ctx)
	p.add("EVP_CipherInit_ex", call.One, ci.ctx, a.fetch("EVP_CIPHER_fetch", name), 0, p.Bytes(v.Key), 0, 1)
	if c.Operation == "new" {
		return p.operation(o, loop.Foreign{Accept: func([]byte) error { return ci.encrypts(v, v.Plaintext, v.Ciphertext) }})
	}
	f := loop.Foreign{Want: v.Ciphertext, Tag: tagSize, Out: a.Room(len(v.Ciphertext))}
	ci.message(p, v.Nonce, v.AAD, v.Plaintext, f.Out, whole)
	return p.operation(o, f)
}

// encrypts proves that the context that was set up last encrypts rightly.
func (ci *cipher) encrypts(v *provider.Vector, in, want []byte) error {
	p := ci.scratch()
	defer p.Close()
	out := p.Room(len(want))
	ci.message(p, v.Nonce, v.AAD, in, out, whole)
	if err := errors.Join(p.run(ci.path, 1), p.Outputs.Check()); err != nil {
		return reason.New("made-last", err)
	}
	if string(out[:len(want)]) != string(want) {
		return reason.New("last-wrong")
	}
	return nil
}
