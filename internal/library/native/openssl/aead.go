//go:build linux && (amd64 || arm64)

package openssl

import (
	stdcipher "crypto/cipher"
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// contexts makes contexts of a cipher under a key.
type contexts struct {
	lib  *Library
	path call.Path
	evp  uintptr
	key  []byte
}

// newAEAD returns what makes the case's cipher under a key.
func (o on) newAEAD(c result.Case) func(key []byte) (stdcipher.AEAD, error) {
	name, _ := cipherName(c.Algorithm, c.Mode)
	return binding.Ciphers(func(key []byte) (binding.Making, error) {
		evp, err := o.fetch("EVP_CIPHER_fetch", name)
		under := &contexts{lib: o.Library, path: o.path, evp: evp, key: key}
		return under.newHandle, err
	})
}

func (p *contexts) newHandle(d loop.Direction) (*binding.Handle, error) {
	w, err := p.newWay(d)
	if err != nil {
		return nil, err
	}
	return &binding.Handle{Crypt: w.crypt, Free: func() { p.lib.call("EVP_CIPHER_CTX_free", w.ctx) }}, nil
}

// oneWay are the calls of a direction: the IV, the additional data, the message, and
// what makes or checks the tag. Their addresses and lengths are those of the last message.
type oneWay struct {
	*contexts
	d      loop.Direction
	ctx    uintptr
	calls  call.Program
	length *uint64

	tagAt, finalAt int // the places of the call with the tag, and of the other of the last two
}

const ( // their places
	atIV = iota
	atAAD
	atText
	atEnd // two calls
)

func (p *contexts) newWay(d loop.Direction) (*oneWay, error) {
	w, a := &oneWay{contexts: p, d: d, length: new(uint64), finalAt: atEnd, tagAt: atEnd + 1}, p.lib.session(p.path)
	w.ctx = a.object("", "EVP_CIPHER_CTX_new")
	direction := uintptr(1)
	if d == loop.Decrypt {
		direction = 0
		w.tagAt, w.finalAt = w.finalAt, w.tagAt
	}
	a.one("EVP_CipherInit_ex", w.ctx, p.evp, 0, a.Bytes(p.key), 0, direction)
	m := a.program()
	m.add("EVP_CipherInit_ex", call.One, w.ctx, 0, 0, 0, 0, unchanged)
	m.add("EVP_CipherUpdate", call.One, w.ctx, 0, call.Word(w.length), 0, 0)
	m.add("EVP_CipherUpdate", call.One, w.ctx, 0, call.Word(w.length), 0, 0)
	tag := func(what uintptr) { m.add("EVP_CIPHER_CTX_ctrl", call.One, w.ctx, what, tagSize, 0) }
	if d == loop.Decrypt {
		tag(ctrlSetTag)
	}
	m.add("EVP_CipherFinal_ex", call.One, w.ctx, 0, call.Word(w.length))
	if d == loop.Encrypt {
		tag(ctrlGetTag)
	}
	if a.Err != nil {
		return nil, a.failed()
	}
	w.calls = m.calls
	w.calls[atText] = w.calls[atText].Expecting(w.length, 0) // the length of each message
	return w, nil
}

// run sets the addresses and lengths of a message and makes its calls.
func (w *oneWay) run(path call.Path, out, in, iv, aad, tag uintptr, n, additional int) error {
	w.calls[atIV].Args[4] = iv
	w.calls[atAAD].Args[3], w.calls[atAAD].Args[4] = aad, uintptr(additional)
	w.calls[atText].Args[1], w.calls[atText].Args[3], w.calls[atText].Args[4] = out, in, uintptr(n)
	w.calls[atText].After[0].Value = uintptr(n)
	w.calls[w.tagAt].Args[3] = tag
	w.calls[w.finalAt].Args[1] = out + uintptr(n)
	if additional > 0 {
		return miscounted(path.Run(w.calls, 1))
	}
	if err := path.Run(w.calls[:atAAD], 1); err != nil {
		return err
	}
	return miscounted(path.Run(w.calls[atText:], 1))
}

// miscounted words the failure of a call that says that it wrote another length than the
// message's.
func miscounted(err error) error {
	if f, ok := errors.AsType[*call.Failure](err); ok && f.Short {
		return provider.Incorrect("says-wrote", "EVP_CipherUpdate", f.Word, f.Want)
	}
	return err
}

// crypt seals or opens a message; what makes or checks the tag is at the end of what is sealed.
func (w *oneWay) crypt(out, in, nonce, aad []byte) error {
	to, from, n := call.Bytes(out), call.Bytes(in), min(len(in), len(out))
	tag := to + uintptr(n)
	if w.d == loop.Decrypt {
		tag = from + uintptr(n)
	}
	err := w.run(w.path, to, from, call.Bytes(nonce), call.Bytes(aad), tag, n, len(aad))
	if err == nil || w.d == loop.Encrypt || errors.Is(err, provider.ErrIncorrect) {
		return err
	}
	w.lib.call("ERR_clear_error")
	return errTag
}

var errTag = reason.New("tag-refused")
