//go:build linux && (amd64 || arm64)

package openssl

import (
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// keyType is what OpenSSL calls the keys of an algorithm, and curve the group where
// the type has several.
func keyType(algorithm string) (name, curve string) {
	switch algorithm {
	case "ECDSA-P-256", "ECDH-P-256":
		return "EC", "P-256"
	case "ECDSA-P-384", "ECDH-P-384":
		return "EC", "P-384"
	case "Ed25519":
		return "ED25519", ""
	}
	if strings.HasPrefix(algorithm, "RSA-") {
		return "RSA", ""
	}
	return algorithm, "" // SM2, X25519, the lattices
}

// privateKey reads a vector's key.
func (a *session) privateKey(c result.Case, v *provider.Vector) uintptr {
	name, _ := keyType(c.Algorithm)
	const free = "EVP_PKEY_free"
	switch {
	case c.Parameters == "crt=no":
		return a.withoutPrimes(v.PKCS8)
	case len(v.PKCS8) > 0 && name != "X25519":
		at := a.Word()
		*at = uint64(a.Bytes(v.PKCS8))
		return a.object(free, "d2i_AutoPrivateKey", 0, call.Word(at), uintptr(len(v.PKCS8)))
	case strings.HasPrefix(name, "ML-"):
		return a.fromData(name, a.parameters().addBytes("seed", v.Key).end())
	}
	return a.object(free, "EVP_PKEY_new_raw_private_key_ex", 0, a.Text(name), 0, a.Bytes(v.Key), uintptr(len(v.Key)))
}

// withoutPrimes is an RSA key of its modulus and exponents alone.
func (a *session) withoutPrimes(pkcs8 []byte) uintptr {
	parsed, err := x509.ParsePKCS8PrivateKey(pkcs8) // which refuses keys that are too short
	k, ok := parsed.(*rsa.PrivateKey)
	if err != nil || !ok {
		a.Err = provider.Refused(err)
		return 0
	}
	return a.fromData("RSA", a.parameters().addNumber("n", k.N).addNumber("e", big.NewInt(int64(k.E))).addNumber("d", k.D).end())
}

// fromData makes a key pair of parameters.
func (a *session) fromData(name string, parameters uintptr) uintptr {
	const keyPair = 0x87 // EVP_PKEY_KEYPAIR of openssl/evp.h
	ctx := a.contextFor(name)
	a.one("EVP_PKEY_fromdata_init", ctx)
	key := a.Word()
	a.one("EVP_PKEY_fromdata", ctx, call.Word(key), keyPair, parameters)
	a.freed("EVP_PKEY_free", uintptr(*key))
	return uintptr(*key)
}

// contextFor makes a context of a type of keys; a version may not have it.
func (a *session) contextFor(name string) uintptr {
	before := a.Err
	ctx := a.object("EVP_PKEY_CTX_free", "EVP_PKEY_CTX_new_from_name", 0, a.Text(name), 0)
	if before == nil && a.Err != nil {
		a.Err = provider.Absent("version-has-no", "OpenSSL", a.lib.version, name)
	}
	return ctx
}

// setting is a control of a context by its name (EVP_PKEY_CTX_ctrl_str).
type setting struct{ name, value string }

// contextOf prepares a context of a key by an init function and controls.
func (a *session) contextOf(key uintptr, init string, settings ...setting) uintptr {
	ctx := a.object("EVP_PKEY_CTX_free", "EVP_PKEY_CTX_new_from_pkey", 0, key, 0)
	a.call(init, call.Positive, ctx)
	a.set(ctx, settings...)
	return ctx
}

func (a *session) set(ctx uintptr, settings ...setting) {
	for _, s := range settings {
		a.call("EVP_PKEY_CTX_ctrl_str", call.Positive, ctx, a.Text(s.name), a.Text(s.value))
	}
}

// generator prepares a context that generates keys.
func (a *session) generator(algorithm string) uintptr {
	name, curve := keyType(algorithm)
	ctx := a.contextFor(name)
	a.call("EVP_PKEY_keygen_init", call.Positive, ctx)
	if curve != "" {
		a.set(ctx, setting{"ec_paramgen_curve", curve})
	}
	if bits, isRSA := strings.CutPrefix(algorithm, "RSA-"); isRSA {
		a.set(ctx, setting{"rsa_keygen_bits", bits})
	}
	return ctx
}

// openGeneration makes a key in each call. The object that holds it is used again,
// which frees what it held.
func (o on) openGeneration(c result.Case, v *provider.Vector) (provider.Operation, error) {
	a := o.session(o.path)
	ctx := a.generator(c.Algorithm)
	key := a.Word()
	p := a.program()
	p.add("EVP_PKEY_generate", call.Positive, ctx, call.Word(key))
	a.Own(func() error { a.lib.call("EVP_PKEY_free", uintptr(*key)); return nil })
	return p.operation(o, loop.Foreign{Accept: func([]byte) error {
		private, public, err := o.halves(c.Algorithm, uintptr(*key))
		if err != nil {
			return err
		}
		return v.Accept(slices.Concat(private, public))
	}})
}

// halves reads a key pair as the judge wants it: a curve's private number and
// point, or the private and public bytes of what has no more.
func (l *Library) halves(algorithm string, key uintptr) (private, public []byte, err error) {
	a := l.session(call.Purego)
	defer a.Close()
	const room = 1 << 13
	buffer, size := a.Room(room), a.Word()
	read := func(function string, args ...uintptr) []byte {
		*size = room
		a.one(function, args...)
		if a.Err = errors.Join(a.Err, binding.Filled(*size, room)); a.Err != nil {
			return nil
		}
		return slices.Clone(buffer[:*size])
	}
	octets := func(name string) []byte {
		return read("EVP_PKEY_get_octet_string_param", key, a.Text(name), a.Bytes(buffer), room, call.Word(size))
	}
	name, curve := keyType(algorithm)
	switch {
	case curve != "" || name == "SM2":
		number := a.Word()
		a.one("EVP_PKEY_get_bn_param", key, a.Text("priv"), call.Word(number))
		a.freed("BN_free", uintptr(*number))
		public = octets("encoded-pub-key")
		if a.Err == nil {
			out := a.Room(len(public) / 2)
			a.call("BN_bn2binpad", call.Positive, uintptr(*number), call.Bytes(out), uintptr(len(out)))
			private = slices.Clone(out)
		}
	case strings.HasPrefix(name, "ML-"):
		private, public = octets("seed"), octets("pub")
	default:
		private = read("EVP_PKEY_get_raw_private_key", key, a.Bytes(buffer), call.Word(size))
		public = read("EVP_PKEY_get_raw_public_key", key, a.Bytes(buffer), call.Word(size))
	}
	return private, public, errors.Join(a.Err, a.Outputs.Check())
}

// agreement is a key pair with a peer, whose key is read and checked before.
func (o on) openAgreement(c result.Case, v *provider.Vector) (provider.Operation, error) {
	a := o.session(o.path)
	key := a.privateKey(c, v)
	ctx := a.contextOf(key, "EVP_PKEY_derive_init")
	a.call("EVP_PKEY_derive_set_peer", call.Positive, ctx, a.peer(key, v.Peer))
	f := loop.Foreign{Want: v.Secret, Out: a.Room(len(v.Secret))}
	size := a.Word()
	p := a.program()
	p.add("EVP_PKEY_derive", call.Positive, ctx, p.Bytes(f.Out), call.Word(size))
	p.writing(size, len(f.Out))
	f.Size = func() int { return int(*size) }
	return p.operation(o, f)
}

// peer reads a public key of the same kind as a private one.
func (a *session) peer(key uintptr, public []byte) uintptr {
	peer := a.object("EVP_PKEY_free", "EVP_PKEY_new")
	a.one("EVP_PKEY_copy_parameters", peer, key)
	a.one("EVP_PKEY_set1_encoded_public_key", peer, a.Bytes(public), uintptr(len(public)))
	return peer
}
