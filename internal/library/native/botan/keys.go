//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// random makes a random number generator: the system's, which asks the kernel each
// time it is asked.
//
//	int botan_rng_init(botan_rng_t *rng, const char *rng_type)
func (s *session) random() uintptr {
	return s.object("botan_rng_init", "botan_rng_destroy", s.Text("system"))
}

// privateKey reads a vector's key.
//
//	int botan_privkey_load(botan_privkey_t *key, botan_rng_t rng, const uint8_t bits[], size_t len, const char *password)
//	int botan_privkey_load_ecdsa(botan_privkey_t *key, const botan_mp_t scalar, const char *curve_name)   and ecdh, sm2, sm2_enc
//	int botan_privkey_load_ed25519(botan_privkey_t *key, const uint8_t privkey[32])   and x25519
//	int botan_mp_init(botan_mp_t *mp), botan_mp_from_bin(const botan_mp_t mp, const uint8_t vec[], size_t vec_len)
func (s *session) privateKey(c result.Case, key, pkcs8 []byte) uintptr {
	const destroy = "botan_privkey_destroy"
	if strings.HasPrefix(c.Algorithm, "RSA-") {
		return s.object("botan_privkey_load", destroy, s.random(), s.Bytes(pkcs8), uintptr(len(pkcs8)), 0)
	}
	kind, curve := keyType(c.Algorithm)
	if curve == "" {
		return s.object("botan_privkey_load_"+kind, destroy, s.Bytes(key))
	}
	if kind == "sm2" && (c.Operation == "encrypt" || c.Operation == "decrypt") {
		kind = "sm2_enc" // 2.19 has two kinds of key of SM2; 3 has one, by both names
	}
	number := s.object("botan_mp_init", "botan_mp_destroy")
	s.do("botan_mp_from_bin", number, s.Bytes(key), uintptr(len(key)))
	return s.object("botan_privkey_load_"+kind, destroy, number, s.Text(curve))
}

// publicKey is the public half.
func (s *session) publicKey(private uintptr) uintptr {
	return s.object("botan_privkey_export_pubkey", "botan_pubkey_destroy", private)
}

// slack is how much longer a signature in DER can be than another one.
const slack = 16

// tamperedTail is the end of a signature or a ciphertext, in which a flipped bit
// leaves it one, though not a valid one.
const tamperedTail = 16

// openSignature signs or verifies what the vector says is signed: a digest, or of
// schemes that hash themselves a message.
//
//	int botan_pk_op_sign_create(botan_pk_op_sign_t *op, botan_privkey_t key, const char *hash_and_padding, uint32_t flags)
//	int botan_pk_op_sign_update(botan_pk_op_sign_t op, const uint8_t in[], size_t in_len)
//	int botan_pk_op_sign_finish(botan_pk_op_sign_t op, botan_rng_t rng, uint8_t sig[], size_t *sig_len)
//	int botan_pk_op_verify_create(botan_pk_op_verify_t *op, botan_pubkey_t key, const char *hash_and_padding, uint32_t flags)
//	int botan_pk_op_verify_update(botan_pk_op_verify_t op, const uint8_t in[], size_t in_len)
//	int botan_pk_op_verify_finish(botan_pk_op_verify_t op, const uint8_t sig[], size_t sig_len)
func (o on) openSignature(c result.Case, v *provider.Vector) (provider.Operation, error) {
	if v.Accept == nil || v.Signature == nil {
		return nil, provider.Unsupported("key-short", c.Algorithm, c.Mode)
	}
	s := o.session()
	padding, flags := paddingOf(c)
	key := s.privateKey(c, v.Key, v.PKCS8)
	if c.Operation == "sign" {
		signer := s.object("botan_pk_op_sign_create", "botan_pk_op_sign_destroy", key, s.Text(padding), flags)
		out, size := s.Room(len(v.Signature)+slack), s.Word()
		return s.operation(c.Name(), call.Program{
			s.step("botan_pk_op_sign_update", signer, s.Bytes(v.Signed), uintptr(len(v.Signed))),
			s.step("botan_pk_op_sign_finish", signer, s.random(), s.Bytes(out), call.Word(size)).Setting(size, uint64(len(out))),
		}, loop.Foreign{Out: out, Size: func() int { return int(*size) }, Accept: v.Accept})
	}
	verifier := s.object("botan_pk_op_verify_create", "botan_pk_op_verify_destroy", s.publicKey(key), s.Text(padding), flags)
	verify := func(signed, signature []byte) call.Program {
		return call.Program{
			s.step("botan_pk_op_verify_update", verifier, call.Bytes(signed), uintptr(len(signed))),
			s.step("botan_pk_op_verify_finish", verifier, call.Bytes(signature), uintptr(len(signature))),
		}
	}
	s.Keep(v)
	n, head := len(v.Signed), v.Signature[:len(v.Signature)-tamperedTail]
	return s.operation(c.Name(), verify(v.Signed, v.Signature), loop.Foreign{
		Blank: true, Sealed: slices.Concat(v.Signed, v.Signature[len(head):]), Tagged: tamperedTail,
		Open: func(tampered []byte) error {
			signature := slices.Concat(head, tampered[n:])
			defer runtime.KeepAlive(signature)
			return s.run(verify(tampered[:n], signature), 1)
		},
	})
}

// openTransport encrypts under a public key or decrypts with a private one.
//
//	int botan_pk_op_encrypt_create(botan_pk_op_encrypt_t *op, botan_pubkey_t key, const char *padding, uint32_t flags)
//	int botan_pk_op_encrypt(botan_pk_op_encrypt_t op, botan_rng_t rng, uint8_t out[], size_t *out_len, const uint8_t in[], size_t in_len)
//	int botan_pk_op_decrypt_create(botan_pk_op_decrypt_t *op, botan_privkey_t key, const char *padding, uint32_t flags)
//	int botan_pk_op_decrypt(botan_pk_op_decrypt_t op, uint8_t out[], size_t *out_len, const uint8_t in[], size_t in_len)
func (o on) openTransport(c result.Case, v *provider.Vector) (provider.Operation, error) {
	s := o.session()
	padding, _ := paddingOf(c)
	key := s.privateKey(c, v.Key, v.PKCS8)
	out, size := s.Room(longestCiphertext), s.Word()
	f := loop.Foreign{Out: out, Size: func() int { return int(*size) }}
	encrypter := s.object("botan_pk_op_encrypt_create", "botan_pk_op_encrypt_destroy", s.publicKey(key), s.Text(padding), 0)
	encrypt := call.Program{s.step("botan_pk_op_encrypt", encrypter, s.random(), s.Bytes(out), call.Word(size), s.Bytes(v.Plaintext), uintptr(len(v.Plaintext))).
		Setting(size, longestCiphertext)}
	if s.Err == nil {
		s.Err = s.run(encrypt, 1) // which refuses a message that is too long for the padding
	}
	if c.Operation == "encrypt" {
		if f.Accept = v.Accept; c.Algorithm == "SM2" {
			f.Accept = binding.SM2Accept(v.Accept)
		}
		return s.operation(c.Name(), encrypt, f)
	}
	sealed := v.Ciphertext
	if c.Algorithm == "SM2" {
		sealed = binding.SM2ToDER(sealed)
	}
	s.Keep(sealed)
	decrypter := s.object("botan_pk_op_decrypt_create", "botan_pk_op_decrypt_destroy", key, s.Text(padding), 0)
	decrypt := func(in []byte) call.Program {
		return call.Program{s.step("botan_pk_op_decrypt", decrypter, s.Bytes(out), call.Word(size), call.Bytes(in), uintptr(len(in))).
			Setting(size, longestCiphertext)}
	}
	f.Want = v.Plaintext
	if c.Mode != "PKCS1v15" { // which finds most changes and promises nothing
		f.Sealed, f.Tagged = sealed, tamperedTail
		f.Open = func(tampered []byte) error {
			defer runtime.KeepAlive(tampered)
			return s.run(decrypt(tampered), 1)
		}
	}
	return s.operation(c.Name(), decrypt(sealed), f)
}

// longestCiphertext is of RSA with 8192 bits, and longer than SM2's of a key.
const longestCiphertext = 1024

// openAgreement agrees with a peer, whose key is read and checked in each call:
// Botan's interface takes it as bytes.
//
//	int botan_pk_op_key_agreement_create(botan_pk_op_ka_t *op, botan_privkey_t key, const char *kdf, uint32_t flags)
//	int botan_pk_op_key_agreement(botan_pk_op_ka_t op, uint8_t out[], size_t *out_len, const uint8_t other_key[], size_t other_key_len,
//	    const uint8_t salt[], size_t salt_len)
func (o on) openAgreement(c result.Case, v *provider.Vector) (provider.Operation, error) {
	s := o.session()
	agreement := s.object("botan_pk_op_key_agreement_create", "botan_pk_op_key_agreement_destroy", s.privateKey(c, v.Key, v.PKCS8), s.Text("Raw"), 0)
	out, size := s.Room(len(v.Secret)), s.Word()
	return s.operation(c.Name(), call.Program{
		s.step("botan_pk_op_key_agreement", agreement, s.Bytes(out), call.Word(size), s.Bytes(v.Peer), uintptr(len(v.Peer)), 0, 0).
			Setting(size, uint64(len(out))),
	}, loop.Foreign{Want: v.Secret, Out: out, Size: func() int { return int(*size) }})
}

// halves reads a key pair as the judge wants it: of a curve the private number and
// the point, of the others their bytes.
//
//	int botan_privkey_get_field(botan_mp_t output, botan_privkey_t key, const char *field_name)
//	int botan_privkey_ed25519_get_privkey(botan_privkey_t key, uint8_t output[64])
//	int botan_privkey_x25519_get_privkey(botan_privkey_t key, uint8_t output[32])
//	int botan_pubkey_x25519_get_pubkey(botan_pubkey_t key, uint8_t pubkey[32])
func (l *Library) halves(algorithm string, key uintptr) (private, public []byte, err error) {
	s := &session{lib: l, path: call.Purego}
	defer s.Close()
	defer func() { err = errors.Join(err, s.Outputs.Check()) }()
	kind, curve := keyType(algorithm)
	switch {
	case kind == "ed25519":
		both := s.Room(64)
		s.do("botan_privkey_ed25519_get_privkey", key, s.Bytes(both))
		return slices.Clone(both[:32]), slices.Clone(both[32:]), s.Err
	case curve == "":
		private, public = s.Room(32), s.Room(32)
		s.do("botan_privkey_x25519_get_privkey", key, s.Bytes(private))
		s.do("botan_pubkey_x25519_get_pubkey", s.publicKey(key), s.Bytes(public))
		return slices.Clone(private), slices.Clone(public), s.Err
	}
	n := 32
	if strings.HasSuffix(algorithm, "P-384") {
		n = 48
	}
	public = []byte{4} // uncompressed, SEC 1 §2.3.3
	for _, field := range []string{"public_x", "public_y"} {
		public = append(public, s.field(key, field, n)...)
	}
	return s.field(key, "x", n), public, s.Err
}

// field is a number of a key.
//
//	int botan_mp_num_bytes(const botan_mp_t n, size_t *bytes), botan_mp_to_bin(const botan_mp_t mp, uint8_t vec[])
func (s *session) field(key uintptr, name string, n int) []byte {
	number, size := s.object("botan_mp_init", "botan_mp_destroy"), s.Word()
	s.do("botan_privkey_get_field", number, key, s.Text(name))
	s.do("botan_mp_num_bytes", number, call.Word(size))
	out := s.Room(n)
	if s.Err == nil && int(*size) > n {
		s.Err = reason.New("key-number")
	}
	if s.Err == nil {
		s.do("botan_mp_to_bin", number, s.Bytes(out[n-int(*size):]))
	}
	return slices.Clone(out)
}
