//go:build linux && (amd64 || arm64)

package botan

import (
	"cmp"
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

// keyKind is how Botan's functions name a key (botan_privkey_load_…), how its
// botan_privkey_create does, and its parameters: a curve where there are several, RSA's bits.
type keyKind struct{ load, create, parameters string }

var keyKinds = map[algorithm.Name]keyKind{
	algorithm.ECDSA256: {"ecdsa", "ECDSA", "secp256r1"},
	algorithm.ECDSA384: {"ecdsa", "ECDSA", "secp384r1"},
	algorithm.ECDH256:  {"ecdh", "ECDH", "secp256r1"},
	algorithm.ECDH384:  {"ecdh", "ECDH", "secp384r1"},
	algorithm.SM2:      {"sm2", "SM2", "sm2p256v1"},
	algorithm.Ed25519:  {"ed25519", "Ed25519", ""},
	algorithm.X25519:   {"x25519", "Curve25519", ""}, // which 3 takes too
}

func keyKindOf(name algorithm.Name) keyKind {
	if bits, ok := strings.CutPrefix(name, "RSA-"); ok {
		return keyKind{"rsa", "RSA", bits}
	}
	return keyKinds[name]
}

// paddingOf is what Botan calls a scheme of signatures or of encryption. RSA and
// ECDSA are given digests, hence Raw; SM2 is told the signer's identity, of
// GM/T 0009-2012 §10. flags say that a signature is a DER sequence.
func paddingOf(c result.Case) (padding string, flags uintptr) {
	const der = 1 // BOTAN_PUBKEY_DER_FORMAT_SIGNATURE
	kind := keyKindOf(c.Algorithm).load
	switch {
	case kind == "rsa":
		return map[algorithm.Mode]string{algorithm.PKCS1v15Sign: "PKCS1v15(Raw,SHA-256)", algorithm.PSS: "PSSR_Raw(SHA-256)",
			algorithm.OAEP: "OAEP(SHA-256)", algorithm.PKCS1v15: "PKCS1v15"}[c.Mode], 0
	case kind == "sm2" && (c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt):
		return "SM3", 0
	case kind == "sm2":
		return "1234567812345678,SM3", der
	case kind == "ecdsa":
		return "Raw", der
	case c.Operation == algorithm.Agree:
		return "Raw", 0
	}
	return "Pure", 0 // Ed25519
}

const freeKey = "botan_privkey_destroy"

// random makes a random number generator: the system's, which asks the kernel each
// time it is asked.
func random(s *cbinding.Session) uintptr {
	return s.Make("botan_rng_destroy", "botan_rng_init", s.Text("system"))
}

// privateKey reads a vector's key.
//
//	int botan_privkey_load(botan_privkey_t *key, botan_rng_t rng, const uint8_t bits[], size_t len, const char *password)
//	int botan_privkey_load_ecdsa(botan_privkey_t *key, const botan_mp_t scalar, const char *curve)   and ecdh, sm2, sm2_enc
//	int botan_privkey_load_ed25519(botan_privkey_t *key, const uint8_t privkey[32])   and x25519
func privateKey(s *cbinding.Session, c result.Case, v *provider.Vector) uintptr {
	kind := keyKindOf(c.Algorithm)
	switch {
	case kind.load == "rsa":
		return s.Make(freeKey, "botan_privkey_load", random(s), s.Bytes(v.PKCS8), uintptr(len(v.PKCS8)), 0)
	case kind.parameters == "":
		return s.Make(freeKey, "botan_privkey_load_"+kind.load, s.Bytes(v.Key))
	case kind.load == "sm2" && (c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt):
		kind.load = "sm2_enc" // 2.19 has two kinds of key of SM2; 3 has one, by both names
	}
	number := s.Make("botan_mp_destroy", "botan_mp_init")
	s.Do("botan_mp_from_bin", number, s.Bytes(v.Key), uintptr(len(v.Key)))
	return s.Make(freeKey, "botan_privkey_load_"+kind.load, number, s.Text(kind.parameters))
}

func publicKey(s *cbinding.Session, private uintptr) uintptr {
	return s.Make("botan_pubkey_destroy", "botan_privkey_export_pubkey", private)
}

// operation makes what does an operation with a key: a botan_pk_op_sign_t and its like.
func operation(s *cbinding.Session, kind string, c result.Case, key uintptr) uintptr {
	padding, flags := paddingOf(c)
	return s.Make("botan_pk_op_"+kind+"_destroy", "botan_pk_op_"+kind+"_create", key, s.Text(padding), flags)
}

// openSignature signs or verifies a digest, or a message of schemes that hash themselves.
func openSignature(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	key := privateKey(s, c, v)
	if c.Operation == algorithm.Sign {
		signer, rng := operation(s, "sign", c, key), random(s)
		return s.Signature(c, v, func(p *cbinding.Program, text, signature []byte, size *uint64) *call.Call {
			p.Add("botan_pk_op_sign_update", signer, p.Bytes(text), uintptr(len(text)))
			return p.Add("botan_pk_op_sign_finish", signer, rng, p.Bytes(signature), call.Word(size))
		})
	}
	verifier := operation(s, "verify", c, publicKey(s, key))
	return s.Signature(c, v, func(p *cbinding.Program, text, signature []byte, _ *uint64) *call.Call {
		p.Add("botan_pk_op_verify_update", verifier, p.Bytes(text), uintptr(len(text)))
		return p.Add("botan_pk_op_verify_finish", verifier, p.Bytes(signature), uintptr(len(signature)))
	})
}

func openTransport(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	key, size, rng := privateKey(s, c, v), s.Word(), random(s)
	encrypter, decrypter := operation(s, "encrypt", c, publicKey(s, key)), operation(s, "decrypt", c, key)
	return s.Transport(c, v, size, func(p *cbinding.Program, in, out []byte) *call.Call {
		return p.Add("botan_pk_op_encrypt", encrypter, rng, p.Bytes(out), call.Word(size), p.Bytes(in), uintptr(len(in)))
	}, func(p *cbinding.Program, in, out []byte) *call.Call {
		return p.Add("botan_pk_op_decrypt", decrypter, p.Bytes(out), call.Word(size), p.Bytes(in), uintptr(len(in)))
	})
}

// openAgreement agrees with a peer, whose key is read and checked in each call:
// Botan's interface takes it as bytes.
//
//	int botan_pk_op_key_agreement(botan_pk_op_ka_t op, uint8_t out[], size_t *out_len,
//	    const uint8_t other_key[], size_t other_key_len, const uint8_t salt[], size_t salt_len)
func openAgreement(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	agreement := operation(s, "key_agreement", c, privateKey(s, c, v))
	out, size, p := s.Room(len(v.Secret)), s.Word(), s.Program()
	p.Add("botan_pk_op_key_agreement", agreement, s.Bytes(out), call.Word(size),
		s.Bytes(v.Peer), uintptr(len(v.Peer)), 0, 0).Setting(size, uint64(len(out)))
	return p.Operation(c.Name(), loop.Foreign{Want: v.Secret, Out: out, Size: size})
}

// askPrivate asks what a call with a private key costs Go's garbage collector.
func askPrivate(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Scenario, error) {
	key, x := privateKey(s, c, v), s.Caller(0)
	switch c.Operation {
	case algorithm.Decrypt:
		return s.Keyed(c, v, x.Turn("botan_pk_op_decrypt", operation(s, "decrypt", c, key)))
	case algorithm.Agree:
		return s.Keyed(c, v, x.Turn("botan_pk_op_key_agreement", operation(s, "key_agreement", c, key), 0, 0))
	}
	signer, rng, size := operation(s, "sign", c, key), random(s), s.Word()
	return s.Keyed(c, v, func(out, in []byte) (uint64, error) {
		if err := x.Try("botan_pk_op_sign_update", signer, call.Bytes(in), uintptr(len(in))); err != nil {
			return 0, err
		}
		*size = uint64(len(out))
		err := x.Try("botan_pk_op_sign_finish", signer, rng, call.Bytes(out), call.Word(size))
		runtime.KeepAlive(out)
		return *size, err
	})
}

func halves(s *cbinding.Session, name algorithm.Name, key uintptr) (private, public []byte) {
	switch name {
	case algorithm.Ed25519:
		both := s.Room(64)
		s.Do("botan_privkey_ed25519_get_privkey", key, s.Bytes(both))
		return both[:32], both[32:]
	case algorithm.X25519:
		private, public = s.Room(32), s.Room(32)
		s.Do("botan_privkey_x25519_get_privkey", key, s.Bytes(private))
		s.Do("botan_pubkey_x25519_get_pubkey", publicKey(s, key), s.Bytes(public))
		return private, public
	}
	n := algorithm.Of(name).Public / 2 // of an uncompressed point, SEC 1 §2.3.3
	return field(s, key, "x", n), slices.Concat([]byte{4}, field(s, key, "public_x", n), field(s, key, "public_y", n))
}

// field is a number of a key.
func field(s *cbinding.Session, key uintptr, name string, n int) []byte {
	number, size, out := s.Make("botan_mp_destroy", "botan_mp_init"), s.Word(), s.Room(n)
	s.Do("botan_privkey_get_field", number, key, s.Text(name))
	s.Do("botan_mp_num_bytes", number, call.Word(size))
	if int(*size) > n {
		s.Fail(reason.New("key-number"))
		return nil
	}
	s.Do("botan_mp_to_bin", number, s.Bytes(out[n-int(*size):]))
	return out
}

const createKey = "botan_privkey_create"

// creation are the arguments of the call that makes a key.
func creation(x *cbinding.Caller, name algorithm.Name) []uintptr {
	kind := keyKindOf(name)
	return []uintptr{call.Word(x.At), x.Text(kind.create), x.Text(kind.parameters), random(x.Session)}
}

func generate(x *cbinding.Caller, name algorithm.Name) func() (*cbinding.KeyPair, error) {
	args := creation(x, name)
	return func() (*cbinding.KeyPair, error) { return x.Pair(createKey, args...) }
}

// openGeneration makes a key in each call. The one before is destroyed in the same time.
func openGeneration(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	x := s.Caller(0)
	args := creation(x, c.Algorithm)
	s.Make(freeKey, createKey, args[1:]...) // one that refuses does so now
	var last uintptr
	s.Own(func() error { return x.Try(freeKey, last) }) // which does nothing where there is none
	return s.With(c.Name(), loop.NewGenerate(func() (key uintptr, err error) {
		x.Do(freeKey, last)
		last, err = x.Object(createKey, args...)
		return last, err
	}, func(key uintptr) error { return s.Accept(c, v, key) }))
}

// askDraws is the generation of RSA keys.
func askDraws(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Scenario, error) {
	const longestKey = 1 << 13
	x := s.Caller(longestKey)
	return s.Draws(c, v, generate(x, c.Algorithm), func(k *cbinding.KeyPair) ([]byte, error) {
		der, err := x.Output("botan_privkey_rsa_get_privkey", k.Handle, x.Out, x.Size, 0)
		return der, cmp.Or(err, s.Outputs.Check())
	})
}

// longestSent is longer than what any curve sends or agrees on.
const longestSent = 256

func openExchange(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	x, derived := s.Caller(longestSent), s.Room(provider.SessionBytes)
	raw, hkdf, info := s.Text("Raw"), s.Text("HKDF(SHA-256)"), s.Text(provider.SessionInfo)
	steps := cbinding.Steps{Library: s.Library, Of: c.Algorithm, Generate: generate(x, c.Algorithm)}
	steps.Public = func(k *cbinding.KeyPair) ([]byte, error) {
		return x.Output("botan_pk_op_key_agreement_export_public", k.Handle, x.Out, x.Size)
	}
	steps.Agree = func(k *cbinding.KeyPair, reply []byte) ([]byte, error) {
		op, err := x.Object("botan_pk_op_key_agreement_create", call.Word(x.At), k.Handle, raw, 0)
		if err != nil {
			return nil, err
		}
		secret, err := x.Output("botan_pk_op_key_agreement", op, x.Out, x.Size, call.Bytes(reply), uintptr(len(reply)), 0, 0)
		return secret, cmp.Or(err, x.Try("botan_pk_op_key_agreement_destroy", op))
	}
	e := steps.Exchange()
	e.Derive = func(secret []byte) ([]byte, error) { // HKDF with SHA-256 as sessions have it
		err := x.Try("botan_kdf", hkdf, call.Bytes(derived), uintptr(len(derived)),
			call.Bytes(secret), uintptr(len(secret)), 0, 0,
			info, uintptr(len(provider.SessionInfo)))
		runtime.KeepAlive(secret)
		return slices.Clone(derived), err
	}
	return s.Exchange(c, v, e)
}
