//go:build linux && (amd64 || arm64)

package openssl

import (
	"encoding/asn1"
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// envelope seals messages under GCM, each with a key of its own that is wrapped for
// a receiver, or all under one. Go puts the parts together, and EVP does each.
type envelope struct {
	*caller
	seals, opens *oneWay
	wrap, unwrap uintptr // contexts of the receiver's key; 0 under a reused key
	sm2          bool    // whose wrapped key is DER for EVP, and C1‖C3‖C2 in the frame
	wrapped      int     // bytes of the wrapped key in the frame
	key          []byte
	room         []byte // for a wrapped or unwrapped key
	size         *uint64
}

const nonceSize = 12

// openEnvelope seals or opens envelopes.
func (o on) openEnvelope(c result.Case, v *provider.Vector) (provider.Operation, error) {
	a := o.session(o.path)
	e := a.envelope(o, c, v)
	if a.Err != nil {
		return nil, a.failed()
	}
	if c.Operation == "seal" {
		return a.Operation(loop.NewEnvelopeSeal(e.seal, v)), nil
	}
	return a.Operation(loop.NewEnvelopeOpen(e.open, v)), nil
}

func (a *session) envelope(o on, c result.Case, v *provider.Vector) *envelope {
	payload, keyBytes := "AES-256-GCM", 32
	if strings.HasSuffix(c.Mode, "SM4-GCM") {
		payload, keyBytes = "SM4-GCM", 16
	}
	e := &envelope{caller: o.caller(), key: a.Room(keyBytes), room: a.Room(longestCiphertext), size: a.Word()}
	under := &contexts{lib: a.lib, path: a.path, evp: a.fetch("EVP_CIPHER_fetch", payload), key: e.key}
	scheme, _, wraps := strings.Cut(c.Mode, "+")
	if !wraps {
		under.key = v.Key
	} else {
		rsa := strings.TrimSuffix(scheme, "-OAEP")
		receiver, mode := result.Case{Algorithm: rsa}, "OAEP-SHA-256"
		if e.sm2 = scheme == "SM2"; e.sm2 {
			mode = ""
		}
		key := a.receiver(receiver, v)
		e.wrapped = len(v.Ciphertext) - len(v.Plaintext) - nonceSize - tagSize
		e.wrap = a.contextOf(key, "EVP_PKEY_encrypt_init", paddingOf(mode)...)
		e.unwrap = a.contextOf(key, "EVP_PKEY_decrypt_init", paddingOf(mode)...)
	}
	if a.Err == nil {
		a.Err = e.need("RAND_bytes", "EVP_PKEY_encrypt", "EVP_PKEY_decrypt")
	}
	for _, way := range []struct {
		d  loop.Direction
		to **oneWay
	}{{loop.Encrypt, &e.seals}, {loop.Decrypt, &e.opens}} {
		if a.Err != nil {
			return nil
		}
		if *way.to, a.Err = under.newWay(way.d); a.Err == nil {
			a.freed("EVP_CIPHER_CTX_free", (*way.to).ctx)
		}
	}
	return e
}

// receiver reads the receiver's private key, SM2's as a bare number.
func (a *session) receiver(c result.Case, v *provider.Vector) uintptr {
	if c.Algorithm != "SM2" {
		return a.privateKey(c, v)
	}
	return a.sm2Key(v.Key)
}

// seal draws a key and wraps it, draws a nonce, and seals: wrapped key ‖ nonce ‖
// ciphertext ‖ tag.
func (e *envelope) seal(dst, message []byte) ([]byte, error) {
	head := len(dst)
	dst = slices.Grow(dst, e.wrapped+nonceSize+len(message)+tagSize)
	if e.wrap != 0 {
		if err := e.do("RAND_bytes", call.Bytes(e.key), uintptr(len(e.key))); err != nil {
			return nil, err
		}
		wrapped, err := e.turn("EVP_PKEY_encrypt", e.wrap, e.key)
		if err != nil {
			return nil, err
		}
		if e.sm2 {
			if wrapped, err = binding.SM2FromDER(wrapped); err != nil {
				return nil, err
			}
		}
		dst = append(dst, wrapped...)
	}
	dst = dst[:len(dst)+nonceSize]
	nonce := dst[len(dst)-nonceSize:]
	if err := e.do("RAND_bytes", call.Bytes(nonce), nonceSize); err != nil {
		return nil, err
	}
	out := dst[len(dst) : len(dst)+len(message)+tagSize]
	e.underKey(e.seals)
	start := call.Bytes(out)
	err := e.seals.run(e.path, start, call.Bytes(message), call.Bytes(nonce), 0, start+uintptr(len(message)), len(message), 0)
	runtime.KeepAlive(message)
	runtime.KeepAlive(dst)
	return dst[:head+e.wrapped+nonceSize+len(message)+tagSize], err
}

func (e *envelope) open(dst, sealed []byte) ([]byte, error) {
	n := len(sealed) - e.wrapped - nonceSize - tagSize
	if n < 0 {
		return nil, errTag
	}
	if e.unwrap != 0 {
		wrapped := sealed[:e.wrapped]
		if e.sm2 {
			wrapped = binding.SM2ToDER(wrapped)
		}
		key, err := e.turn("EVP_PKEY_decrypt", e.unwrap, wrapped)
		if err != nil || len(key) != len(e.key) {
			return nil, errTag
		}
		copy(e.key, key)
	}
	nonce, text := sealed[e.wrapped:e.wrapped+nonceSize], sealed[e.wrapped+nonceSize:]
	dst = slices.Grow(dst, n)
	out, in := dst[len(dst):len(dst)+n], call.Bytes(text)
	e.underKey(e.opens)
	err := e.opens.run(e.path, call.Bytes(out), in, call.Bytes(nonce), 0, in+uintptr(n), n, 0)
	runtime.KeepAlive(sealed)
	if err != nil {
		clear(out)
		e.lib.call("ERR_clear_error")
		if errors.Is(err, provider.ErrIncorrect) {
			return nil, err
		}
		return nil, errTag
	}
	return dst[:len(dst)+n], nil
}

// underKey has the next message scheduled under the envelope's key; a reused one
// was, before.
func (e *envelope) underKey(w *oneWay) {
	if e.wrap != 0 {
		w.calls[atIV].Args[3] = call.Bytes(e.key)
	}
}

// turn makes one text of another with a context of a key pair, in room that the
// next takes.
func (e *envelope) turn(function string, ctx uintptr, in []byte) ([]byte, error) {
	*e.size = uint64(len(e.room))
	err := e.do(function, ctx, call.Bytes(e.room), call.Word(e.size), call.Bytes(in), uintptr(len(in)))
	runtime.KeepAlive(in)
	if err = errors.Join(err, binding.Filled(*e.size, len(e.room))); err != nil {
		return nil, err
	}
	return e.room[:*e.size], nil
}

// sm2Key makes an SM2 key pair of its private number: RFC 5915's key in PKCS #8,
// whose public half the library computes where it is left out.
func (a *session) sm2Key(private []byte) uintptr {
	inner, err := asn1.Marshal(struct {
		Version    int
		PrivateKey []byte
	}{1, private})
	if err != nil {
		panic("openssl: internal error: " + err.Error()) // a number and bytes can always be written
	}
	type algorithm struct{ Key, Curve asn1.ObjectIdentifier }
	pkcs8, err := asn1.Marshal(struct {
		Version    int
		Algorithm  algorithm
		PrivateKey []byte
	}{0, algorithm{oidEC, oidSM2}, inner})
	if err != nil {
		panic("openssl: internal error: " + err.Error())
	}
	return a.privateKey(result.Case{Algorithm: "SM2"}, &provider.Vector{PKCS8: pkcs8})
}

// Object identifiers of RFC 5480 §2.1.1 and GB/T 35276.
var (
	oidEC  = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidSM2 = asn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301}
)
