//go:build linux && (amd64 || arm64)

package openssl

import (
	stdcipher "crypto/cipher"
	"errors"
	"io"
	"runtime"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// OpenScenario prepares what a loop of calls can't ask.
func (o on) OpenScenario(c result.Case) (provider.Scenario, error) {
	kind := kindOf(c)
	switch kind {
	case kindMany, kindCollected:
		if o.path.InC() {
			return nil, provider.Absent("c-loop")
		}
	case kindExposed, kindDraws:
	default:
		return nil, provider.Absent("not-offered", "openssl", c.Name()+" "+c.Operation)
	}
	if kind == kindMany && c.Operation != algorithm.Arrival {
		return nil, provider.Absent("not-offered", "openssl", c.Name()+" "+c.Operation)
	}
	v, err := o.vectors.Vector(provider.Alone(c))
	if err != nil {
		return nil, err
	}
	switch kind {
	case kindMany:
		return binding.ShapedScenario(c, o.vectors, o.newAEAD(c))
	case kindExposed:
		blocks := loop.BlockCipher{ECB: exposedECB, New: func(key []byte) (stdcipher.Block, error) {
			return exposed{o, c, key}, o.offersCipher(c)
		}}
		return blocks.OpenExposure(c, o.vectors)
	case kindDraws:
		return o.openDraws(c, v)
	}
	return o.openCollected(c, v)
}

func (o on) offersCipher(c result.Case) error {
	name, _ := cipherName(c.Algorithm, c.Mode)
	_, err := o.fetch("EVP_CIPHER_fetch", name)
	return err
}

// openCollected asks what a call costs Go's garbage collector.
func (o on) openCollected(c result.Case, v *provider.Vector) (provider.Scenario, error) {
	if c.Operation == "encrypt" {
		return binding.ShapedScenario(c, o.vectors, o.newAEAD(c))
	}
	a := o.session(o.path)
	turn, room := a.turning(provider.Plain(c), v, o.caller())
	if a.Err != nil {
		return nil, a.failed()
	}
	return a.Keyed(c, v, turn, room)
}

// turning returns what makes one text of another with a private key, and how long
// that can be.
func (a *session) turning(c result.Case, v *provider.Vector, x *caller) (turn binding.Turn, room int) {
	key, size := a.privateKey(c, v), a.Word()
	plainly := func(function string, ctx uintptr) binding.Turn {
		return func(out, in []byte) (uint64, error) {
			*size = uint64(len(out))
			err := x.do(function, ctx, call.Bytes(out), call.Word(size), call.Bytes(in), uintptr(len(in)))
			runtime.KeepAlive(out)
			return *size, err
		}
	}
	switch {
	case c.Operation == "decrypt":
		return plainly("EVP_PKEY_decrypt", a.contextOf(key, "EVP_PKEY_decrypt_init", paddingOf(c.Mode)...)), longestCiphertext
	case c.Operation == "agree":
		ctx := a.contextOf(key, "EVP_PKEY_derive_init")
		return func(out, in []byte) (uint64, error) {
			peer := x.call("EVP_PKEY_new")
			defer x.call("EVP_PKEY_free", peer)
			*size = uint64(len(out))
			err := errors.Join(x.do("EVP_PKEY_copy_parameters", peer, key),
				x.do("EVP_PKEY_set1_encoded_public_key", peer, call.Bytes(in), uintptr(len(in))),
				x.do("EVP_PKEY_derive_set_peer", ctx, peer), x.do("EVP_PKEY_derive", ctx, call.Bytes(out), call.Word(size)))
			runtime.KeepAlive(out)
			return *size, err
		}, len(v.Secret)
	case c.Algorithm == "SM2" || c.Algorithm == "Ed25519":
		pkeyCtx, md := uintptr(0), uintptr(0)
		ctx := a.object("EVP_MD_CTX_free", "EVP_MD_CTX_new")
		if c.Algorithm == "SM2" {
			pkeyCtx, md = a.withIdentity(key), a.fetch("EVP_MD_fetch", "SM3")
			a.call("EVP_MD_CTX_set_pkey_ctx", call.Any, ctx, pkeyCtx)
		}
		sign := plainly("EVP_DigestSign", ctx)
		return func(out, in []byte) (uint64, error) {
			if err := x.do("EVP_DigestSignInit", ctx, 0, md, 0, key); err != nil {
				return 0, err
			}
			return sign(out, in)
		}, len(v.Signature) + slack
	}
	return plainly("EVP_PKEY_sign", a.contextOf(key, "EVP_PKEY_sign_init", signatureSettings(c)...)), len(v.Signature) + slack
}

// openDraws is the generation of RSA keys, each a draw of the library's own randomness.
func (o on) openDraws(c result.Case, v *provider.Vector) (provider.Scenario, error) {
	each, err := strconv.Atoi(c.Parameter("draws"))
	if err != nil || each < 1 {
		return nil, provider.Absent("parameters", c.Operation, "draws=N", c.Parameters)
	}
	a := o.session(o.path)
	ctx := a.generator(c.Algorithm)
	if a.Err != nil {
		return nil, a.failed()
	}
	x, at := o.caller(), a.Word()
	s := loop.NewDraws(loop.Draws[*keyPair]{
		Each:     each,
		Generate: func(io.Reader) (*keyPair, error) { return x.generate(ctx, at) },
		Judge: func(k *keyPair) error {
			der, err := k.der()
			if err != nil {
				return err
			}
			return v.Accept(der)
		},
		Source: func(int) io.Reader { return nil },
	})
	return a.Scenario(s, result.ThreadClock), nil
}

// der is the private key as the library writes it, RFC 8017's where it is RSA's.
func (k *keyPair) der() ([]byte, error) {
	if k == nil {
		return nil, reason.New("no-key")
	}
	a := k.made.lib.session(call.Purego)
	defer a.Close()
	n := int32(a.call("i2d_PrivateKey", call.Positive, k.pkey, 0))
	out, at := a.Room(int(max(n, 0))), a.Word()
	*at = uint64(a.Bytes(out))
	a.call("i2d_PrivateKey", call.Positive, k.pkey, call.Word(at))
	runtime.KeepAlive(k)
	return slices.Clone(out), errors.Join(a.Err, a.Outputs.Check())
}

// exposed is a keyed cipher in Go's shapes, each message with a context of its own:
// what a mode gives away has no speed.
type exposed struct {
	o   on
	c   result.Case
	key []byte
}

func (b exposed) BlockSize() int          { return blockSize }
func (b exposed) Encrypt(dst, src []byte) { b.crypt("ECB", nil, dst, src) }
func (b exposed) Decrypt(_, _ []byte)     { panic("openssl: internal error: nothing is decrypted here") }

func (b exposed) NewCBCEncrypter(iv []byte) stdcipher.BlockMode { return exposedMode{b, "CBC", iv} }
func (b exposed) NewCTR(iv []byte) stdcipher.Stream             { return exposedMode{b, "CTR", iv} }

func exposedECB(b stdcipher.Block, _ loop.Direction) stdcipher.BlockMode {
	return exposedMode{b.(exposed), "ECB", nil}
}

type exposedMode struct {
	exposed
	mode string
	iv   []byte
}

func (m exposedMode) CryptBlocks(dst, src []byte)  { m.crypt(m.mode, m.iv, dst, src) }
func (m exposedMode) XORKeyStream(dst, src []byte) { m.crypt(m.mode, m.iv, dst, src) }

func (b exposed) crypt(mode string, iv, dst, src []byte) {
	c := b.c
	c.Mode = mode
	a := b.o.session(call.Purego)
	defer a.Close()
	ci := a.newCipher(c, loop.Encrypt, &provider.Vector{Key: b.key}, unpadded)
	p := a.program()
	out := a.Room(len(src) + blockSize)
	ci.message(p, iv, nil, src, out[:len(src)], whole)
	if err := errors.Join(p.run(call.Purego, 1), a.Outputs.Check()); err != nil {
		panic(err)
	}
	copy(dst, out[:len(src)])
}
