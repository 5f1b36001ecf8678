//go:build linux && (amd64 || arm64)

package openssl

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func openExchange(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	derive := deriving(s)
	e := exchange(s, c.Algorithm)
	e.Derive = derive
	return s.Exchange(c, v, e)
}

// deriving is HKDF with SHA-256 as sessions have it.
func deriving(s *cbinding.Session) func(secret []byte) ([]byte, error) {
	ctx, x := newHKDF(s, algorithm.SHA256), s.Caller(0)
	each := newParameters(s).bytes("key", []byte{0}).bytes("info", []byte(provider.SessionInfo))
	at, out := each.end(), s.Room(provider.SessionBytes)
	return func(secret []byte) ([]byte, error) {
		const data, size = 2, 3 // in the first element, the key's
		each.array[data], each.array[size] = uint64(call.Bytes(secret)), uint64(len(secret))
		err := x.Try("EVP_KDF_derive", ctx, call.Bytes(out), uintptr(len(out)), at)
		runtime.KeepAlive(secret)
		return slices.Clone(out), err
	}
}

type party struct {
	*cbinding.Caller
	encoded, nameText uintptr           // C strings
	group             *cbinding.KeyPair // a key whose curve others are read on
	other             *uint64           // that calls write
	secret            []byte            // a KEM's
}

// longestSent is longer than what any scheme sends or agrees on.
const longestSent = 4096

func exchange(s *cbinding.Session, name algorithm.Name) loop.Exchange {
	if name == algorithm.X25519MLKEM768 {
		return loop.Hybrid(exchange(s, algorithm.MLKEM768), exchange(s, algorithm.X25519))
	}
	const kemSecret = 32 // ML-KEM's (FIPS 203 §8)
	kind, _ := keyType(name)
	p := &party{Caller: s.Caller(longestSent), encoded: s.Text("encoded-pub-key"),
		nameText: s.Text(kind), other: s.Word(), secret: s.Room(kemSecret)}
	s.Fail(s.Need("EVP_PKEY_new", "EVP_PKEY_generate", "EVP_PKEY_get_octet_string_param",
		"EVP_PKEY_derive", "EVP_PKEY_derive_set_peer", "EVP_PKEY_encapsulate", "EVP_PKEY_decapsulate", "EVP_PKEY_set1_encoded_public_key"))
	steps := &cbinding.Steps{Library: s.Library, Of: name,
		Generate: generate(p.Caller, name), Public: p.public, Agree: p.agree}
	if strings.HasPrefix(kind, "ML-KEM") {
		steps.Encapsulate, steps.Agree = p.encapsulate, p.decapsulate
	}
	if s.Err == nil && kind == "EC" {
		p.group, s.Err = steps.Generate()
	}
	return steps.Exchange()
}

func (p *party) public(k *cbinding.KeyPair) ([]byte, error) {
	return p.Output("EVP_PKEY_get_octet_string_param", k.Handle, p.encoded, p.Out, longestSent, p.Size)
}

func (p *party) peer(public []byte) (uintptr, error) {
	defer runtime.KeepAlive(public)
	if p.group == nil {
		key := p.Result("EVP_PKEY_new_raw_public_key_ex", 0, p.nameText, 0, call.Bytes(public), uintptr(len(public)))
		if key == 0 {
			return 0, saying(p.Library, errPeer)
		}
		return key, nil
	}
	key := p.Result("EVP_PKEY_new")
	err := p.Try("EVP_PKEY_copy_parameters", key, p.group.Handle)
	if err == nil {
		err = p.Try("EVP_PKEY_set1_encoded_public_key", key, call.Bytes(public), uintptr(len(public)))
	}
	if err != nil {
		p.Result(freeKey, key)
	}
	return key, err
}

// with gives a context of a key, for what an init function prepares it for.
func (p *party) with(key uintptr, init string, do func(ctx uintptr) error) error {
	ctx := p.Result("EVP_PKEY_CTX_new_from_pkey", 0, key, 0)
	defer p.Result("EVP_PKEY_CTX_free", ctx)
	if err := p.Try(init, ctx, 0); err != nil {
		return err
	}
	return do(ctx)
}

func (p *party) agree(own *cbinding.KeyPair, public []byte) (secret []byte, err error) {
	peer, err := p.peer(public)
	if err != nil {
		return nil, err
	}
	defer p.Result(freeKey, peer)
	err = p.with(own.Handle, "EVP_PKEY_derive_init", func(ctx uintptr) error {
		if err := p.Try("EVP_PKEY_derive_set_peer", ctx, peer); err != nil {
			return err
		}
		secret, err = p.Output("EVP_PKEY_derive", ctx, p.Out, p.Size)
		return err
	})
	return secret, err
}

func (p *party) decapsulate(own *cbinding.KeyPair, reply []byte) (secret []byte, err error) {
	err = p.with(own.Handle, "EVP_PKEY_decapsulate_init", func(ctx uintptr) error {
		secret, err = p.Output("EVP_PKEY_decapsulate", ctx, p.Out, p.Size, call.Bytes(reply), uintptr(len(reply)))
		return err
	})
	return secret, err
}

func (p *party) encapsulate(public []byte) (secret, reply []byte, err error) {
	peer, err := p.peer(public)
	if err != nil {
		return nil, nil, err
	}
	defer p.Result(freeKey, peer)
	err = p.with(peer, "EVP_PKEY_encapsulate_init", func(ctx uintptr) error {
		*p.other = uint64(len(p.secret))
		reply, err = p.Output("EVP_PKEY_encapsulate", ctx, p.Out, p.Size, call.Bytes(p.secret), call.Word(p.other))
		return cmp.Or(err, cbinding.Filled(*p.other, len(p.secret)))
	})
	return slices.Clone(p.secret), slices.Clone(reply), err
}

var (
	errTag  = reason.New("tag-refused")
	errPeer = reason.New("peer-not-key")
)

// envelope seals messages under GCM, each with a key of its own that is wrapped for
// a receiver, or all under one. Go puts the parts together, and EVP does each.
type envelope struct {
	*cbinding.Caller
	algorithm.EnvelopeScheme
	seals, opens *cbinding.OneWay
	wrap, unwrap uintptr // contexts of the receiver's key; 0 under a reused key
	key          []byte
}

const nonceSize, overhead = cbinding.NonceSize, cbinding.NonceSize + cbinding.TagSize

func openEnvelope(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	e := &envelope{Caller: s.Caller(cbinding.LongestCiphertext)}
	e.EnvelopeScheme, _ = algorithm.EnvelopeOf(c.Mode)
	if e.key = v.Key; e.Wrapped > 0 {
		e.key = s.Room(algorithm.Of(e.Cipher).Key)
		key, wrapping := receiver(s, e.Wrapping, v)
		e.wrap = contextOf(s, key, "EVP_PKEY_encrypt_init", settingsOf(wrapping)...)
		e.unwrap = contextOf(s, key, "EVP_PKEY_decrypt_init", settingsOf(wrapping)...)
	}
	payload := result.Case{Algorithm: e.Cipher, Mode: algorithm.GCM}
	e.seals, e.opens = newOneWay(s, payload, e.key, loop.Encrypt), newOneWay(s, payload, e.key, loop.Decrypt)
	if e.Wrapped > 0 { // each message has the key scheduled that is there then; a reused one was, before
		e.seals.Calls[0].Args[3], e.opens.Calls[0].Args[3] = call.Bytes(e.key), call.Bytes(e.key)
	}
	s.Fail(s.Need("RAND_bytes", "EVP_PKEY_encrypt", "EVP_PKEY_decrypt"))
	if c.Operation == algorithm.Seal {
		return s.With(c.Name(), loop.NewEnvelopeSeal(e.seal, v))
	}
	return s.With(c.Name(), loop.NewEnvelopeOpen(e.open, v))
}

// receiver reads the receiver's private key, SM2's as a bare number: RFC 5915's key in
// PKCS #8 (RFC 5958), whose public half the library computes where it is left out. The
// curve's identifier is of GB/T 35276.
func receiver(s *cbinding.Session, wrapping string, v *provider.Vector) (key uintptr, c result.Case) {
	if rsa, ok := strings.CutSuffix(wrapping, "-OAEP"); ok {
		c = result.Case{Algorithm: rsa, Mode: algorithm.OAEP}
		return privateKey(s, c, v), c
	}
	const head = "\x30\x41\x02\x01\x00\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01" + // EC
		"\x06\x08\x2a\x81\x1c\xcf\x55\x01\x82\x2d\x04\x27\x30\x25\x02\x01\x01\x04\x20" // SM2, a key of 32 bytes
	return fromPKCS8(s, append([]byte(head), v.Key...)), result.Case{Algorithm: algorithm.SM2}
}

// seal draws a key and wraps it, draws a nonce, and seals: wrapped key ‖ nonce ‖
// ciphertext ‖ tag.
func (e *envelope) seal(dst, message []byte) ([]byte, error) {
	dst = slices.Grow(dst, e.Wrapped+len(message)+overhead)
	if e.wrap != 0 {
		if err := e.Try("RAND_bytes", call.Bytes(e.key), uintptr(len(e.key))); err != nil {
			return nil, err
		}
		wrapped, err := e.turn("EVP_PKEY_encrypt", e.wrap, e.key)
		if err == nil && e.Cipher == algorithm.SM4 { // DER for EVP, and C1‖C3‖C2 in the frame
			wrapped, err = cbinding.SM2FromDER(wrapped)
		}
		if err != nil {
			return nil, err
		}
		dst = append(dst, wrapped...)
	}
	sealed := dst[len(dst) : len(dst)+len(message)+overhead]
	nonce := sealed[:nonceSize]
	if err := e.Try("RAND_bytes", call.Bytes(nonce), nonceSize); err != nil {
		return nil, err
	}
	err := e.seals.Crypt(sealed[nonceSize:], message, nonce, nil)
	runtime.KeepAlive(message)
	runtime.KeepAlive(dst)
	return dst[:len(dst)+len(sealed)], err
}

func (e *envelope) open(dst, sealed []byte) ([]byte, error) {
	n := len(sealed) - e.Wrapped - overhead
	if n < 0 {
		return nil, errTag
	}
	if e.unwrap != 0 {
		wrapped := sealed[:e.Wrapped]
		if e.Cipher == algorithm.SM4 {
			wrapped = cbinding.SM2ToDER(wrapped)
		}
		key, err := e.turn("EVP_PKEY_decrypt", e.unwrap, wrapped)
		if err != nil || len(key) != len(e.key) {
			return nil, errTag
		}
		copy(e.key, key)
	}
	dst = slices.Grow(dst, n)
	out, text := dst[len(dst):len(dst)+n], sealed[e.Wrapped:]
	err := e.opens.Crypt(out, text[nonceSize:], text[:nonceSize], nil)
	runtime.KeepAlive(sealed)
	switch {
	case errors.Is(err, provider.ErrIncorrect):
		return nil, err
	case err != nil:
		clear(out)
		return nil, errTag
	}
	return dst[:len(dst)+n], nil
}

func (e *envelope) turn(function string, ctx uintptr, in []byte) ([]byte, error) {
	defer runtime.KeepAlive(in)
	return e.Output(function, ctx, e.Out, e.Size, call.Bytes(in), uintptr(len(in)))
}
