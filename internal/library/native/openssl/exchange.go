//go:build linux && (amd64 || arm64)

package openssl

import (
	"encoding/binary"
	"errors"
	"math/big"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openExchange is a step of a key exchange. Each makes objects of the library's that
// the next is given, so Go calls them one by one.
func (o on) openExchange(c result.Case, v *provider.Vector) (provider.Operation, error) {
	a := o.session(o.path)
	derive := a.deriving(o.caller())
	var e loop.Exchange
	if c.Algorithm == "X25519MLKEM768" {
		e = loop.Hybrid(a.exchange(o, "ML-KEM-768"), a.exchange(o, "X25519"))
	} else {
		e = a.exchange(o, c.Algorithm)
	}
	e.Derive = derive
	if a.Err != nil {
		return nil, a.failed()
	}
	op, err := loop.OpenExchange(e, c, v)
	if err != nil {
		a.Err = err
		return nil, a.failed()
	}
	return a.Operation(op), nil
}

// deriving is HKDF with SHA-256 as sessions have it.
func (a *session) deriving(x *caller) func(secret []byte) ([]byte, error) {
	ctx, _ := a.newHKDF("HKDF-SHA-256", &provider.Vector{})
	each := a.parameters().addBytes("key", []byte{0}).addBytes("info", []byte(provider.SessionInfo))
	at := each.end()
	if err := x.need("EVP_KDF_derive"); err != nil && a.Err == nil {
		a.Err = err
	}
	out := a.Room(provider.SessionBytes)
	return func(secret []byte) ([]byte, error) {
		const data, size = 16, 24 // in the first element, the key's
		binary.NativeEndian.PutUint64(each.array[data:], uint64(call.Bytes(secret)))
		binary.NativeEndian.PutUint64(each.array[size:], uint64(len(secret)))
		err := x.do("EVP_KDF_derive", ctx, call.Bytes(out), uintptr(len(out)), at)
		runtime.KeepAlive(secret)
		return slices.Clone(out), err
	}
}

// party does the steps of one algorithm.
type party struct {
	*caller
	algorithm, name string
	kem             bool
	generator       uintptr
	group           *keyPair // a key whose curve others are read on
	size, other     *uint64  // that calls write
	buffer          []byte   // what was sent or agreed on last
	secret          []byte   // and a KEM's secret
}

// longestHalf is longer than what any scheme sends or agrees on.
const longestHalf = 4096

// exchange prepares the steps of an algorithm.
func (a *session) exchange(o on, algorithm string) loop.Exchange {
	name, _ := keyType(algorithm)
	p := &party{caller: o.caller(), algorithm: algorithm, name: name, kem: strings.HasPrefix(name, "ML-KEM"),
		generator: a.generator(algorithm), size: a.Word(), other: a.Word(), buffer: a.Room(longestHalf),
		secret: a.Room(kemSecret)}
	if a.Err == nil {
		a.Err = p.need("EVP_PKEY_generate", "EVP_PKEY_get_octet_string_param", "EVP_PKEY_derive", "EVP_PKEY_derive_set_peer",
			"EVP_PKEY_encapsulate", "EVP_PKEY_decapsulate", "EVP_PKEY_set1_encoded_public_key")
	}
	if a.Err == nil && name == "EC" {
		p.group, a.Err = p.generate(p.generator, p.size)
	}
	e := loop.Exchange{Generate: p.begin, Read: p.read, Encapsulate: p.answer}
	if p.kem {
		e.Encapsulate = p.encapsulate
	}
	return e
}

// half is a key pair between the steps.
type half struct {
	*keyPair
	p *party
}

func (p *party) begin() (loop.PrivateHalf, error) {
	k, err := p.generate(p.generator, p.size)
	return half{k, p}, err
}

// read makes a key pair of the private bytes that the judge has.
func (p *party) read(private []byte) (loop.PrivateHalf, error) {
	a := p.lib.session(call.Purego)
	var pkey uintptr
	switch {
	case p.kem:
		pkey = a.fromData(p.name, a.parameters().addBytes("seed", private).end())
	case p.name == "EC":
		_, curve := keyType(p.algorithm)
		pkey = a.fromData(p.name, a.parameters().addText("group", curve).addNumber("priv", new(big.Int).SetBytes(private)).end())
	default:
		pkey = a.object("EVP_PKEY_free", "EVP_PKEY_new_raw_private_key_ex", 0, a.Text(p.name), 0, a.Bytes(private), uintptr(len(private)))
	}
	if a.Err != nil {
		return nil, a.failed()
	}
	a.call("EVP_PKEY_up_ref", call.One, pkey) // it outlives the arena
	a.Close()
	return half{p.own(pkey), p}, a.Err
}

// Private is what the judge reads, and nobody times.
func (h half) Private() []byte {
	private, _, err := h.p.lib.halves(h.p.algorithm, h.pkey)
	if err != nil {
		panic(err)
	}
	return private
}

func (h half) Public() []byte {
	p := h.p
	if err := p.do("EVP_PKEY_get_octet_string_param", h.pkey, call.Bytes(encodedPublic), call.Bytes(p.buffer), longestHalf, call.Word(p.size)); err != nil {
		panic(err)
	}
	runtime.KeepAlive(h.keyPair)
	if err := binding.Filled(*p.size, longestHalf); err != nil {
		panic(err)
	}
	return slices.Clone(p.buffer[:*p.size])
}

var encodedPublic = []byte("encoded-pub-key\x00")

// peer reads what the other party sent.
func (p *party) peer(public []byte) (uintptr, error) {
	if p.group == nil {
		name := p.cname()
		pkey := p.call("EVP_PKEY_new_raw_public_key_ex", 0, call.Bytes(name), 0, call.Bytes(public), uintptr(len(public)))
		runtime.KeepAlive(name)
		runtime.KeepAlive(public)
		if pkey == 0 {
			return 0, p.lib.saying("peer-not-key")
		}
		return pkey, nil
	}
	pkey := p.call("EVP_PKEY_new")
	err := p.do("EVP_PKEY_copy_parameters", pkey, p.group.pkey)
	if err == nil {
		err = p.do("EVP_PKEY_set1_encoded_public_key", pkey, call.Bytes(public), uintptr(len(public)))
	}
	runtime.KeepAlive(public)
	if err != nil {
		p.call("EVP_PKEY_free", pkey)
	}
	return pkey, err
}

func (p *party) cname() []byte { return append([]byte(p.name), 0) }

// agree computes the secret of a key pair and what the other party sent.
func (p *party) agree(own *keyPair, public []byte) ([]byte, error) {
	peer, err := p.peer(public)
	if err != nil {
		return nil, err
	}
	ctx := p.call("EVP_PKEY_CTX_new_from_pkey", 0, own.pkey, 0)
	defer func() { p.call("EVP_PKEY_CTX_free", ctx); p.call("EVP_PKEY_free", peer) }()
	*p.size = longestHalf
	for _, step := range []func() error{
		func() error { return p.do("EVP_PKEY_derive_init", ctx) },
		func() error { return p.do("EVP_PKEY_derive_set_peer", ctx, peer) },
		func() error { return p.do("EVP_PKEY_derive", ctx, call.Bytes(p.buffer), call.Word(p.size)) },
		func() error { return binding.Filled(*p.size, longestHalf) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	runtime.KeepAlive(own)
	return slices.Clone(p.buffer[:*p.size]), nil
}

// answer is the second party's step of Diffie-Hellman.
func (p *party) answer(public []byte) (secret, reply []byte, err error) {
	own, err := p.begin()
	if err != nil {
		return nil, nil, err
	}
	secret, err = own.Decapsulate(public)
	return secret, own.Public(), err
}

func (h half) Decapsulate(reply []byte) ([]byte, error) {
	if !h.p.kem {
		return h.p.agree(h.keyPair, reply)
	}
	p := h.p
	ctx := p.call("EVP_PKEY_CTX_new_from_pkey", 0, h.pkey, 0)
	defer p.call("EVP_PKEY_CTX_free", ctx)
	if err := p.do("EVP_PKEY_decapsulate_init", ctx, 0); err != nil {
		return nil, err
	}
	*p.size = longestHalf
	err := p.do("EVP_PKEY_decapsulate", ctx, call.Bytes(p.buffer), call.Word(p.size), call.Bytes(reply), uintptr(len(reply)))
	runtime.KeepAlive(reply)
	runtime.KeepAlive(h.keyPair)
	if err = errors.Join(err, binding.Filled(*p.size, longestHalf)); err != nil {
		return nil, err
	}
	return slices.Clone(p.buffer[:*p.size]), nil
}

// encapsulate is the second party's step of a KEM.
func (p *party) encapsulate(public []byte) (secret, reply []byte, err error) {
	peer, err := p.peer(public)
	if err != nil {
		return nil, nil, err
	}
	ctx := p.call("EVP_PKEY_CTX_new_from_pkey", 0, peer, 0)
	defer func() { p.call("EVP_PKEY_CTX_free", ctx); p.call("EVP_PKEY_free", peer) }()
	if err := p.do("EVP_PKEY_encapsulate_init", ctx, 0); err != nil {
		return nil, nil, err
	}
	*p.size, *p.other = longestHalf, kemSecret
	err = p.do("EVP_PKEY_encapsulate", ctx, call.Bytes(p.buffer), call.Word(p.size), call.Bytes(p.secret),
		call.Word(p.other))
	if err = errors.Join(err, binding.Filled(*p.size, longestHalf), binding.Filled(*p.other, kemSecret)); err != nil {
		return nil, nil, err
	}
	return slices.Clone(p.secret), slices.Clone(p.buffer[:*p.size]), nil
}

// kemSecret is ML-KEM's (FIPS 203 §8).
const kemSecret = 32
