//go:build linux && (amd64 || arm64)

package openssl

import (
	"cmp"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"math/big"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

const freeKey = "EVP_PKEY_free"

// keyType is what OpenSSL calls the keys of an algorithm, and curve the group where
// the type has several.
func keyType(name algorithm.Name) (kind, curve string) {
	switch name {
	case algorithm.ECDSA256, algorithm.ECDH256:
		return "EC", "P-256"
	case algorithm.ECDSA384, algorithm.ECDH384:
		return "EC", "P-384"
	case algorithm.Ed25519:
		return "ED25519", ""
	}
	if algorithm.RSABits(name) > 0 {
		return "RSA", ""
	}
	return name, "" // SM2, X25519, the lattices
}

func privateKey(s *cbinding.Session, c result.Case, v *provider.Vector) uintptr {
	name, curve := keyType(c.Algorithm)
	switch {
	case c.Parameters == parameter.WithoutCRT:
		return withoutPrimes(s, v.PKCS8)
	case len(v.PKCS8) > 0 && c.Algorithm != algorithm.X25519:
		return fromPKCS8(s, v.PKCS8)
	case strings.HasPrefix(name, "ML-"):
		return fromData(s, name, newParameters(s).bytes("seed", v.Key))
	case curve != "":
		return fromData(s, name, newParameters(s).text("group", curve).number("priv", new(big.Int).SetBytes(v.Key)))
	}
	return s.Get(freeKey, "EVP_PKEY_new_raw_private_key_ex", 0, s.Text(name), 0, s.Bytes(v.Key), uintptr(len(v.Key)))
}

func fromPKCS8(s *cbinding.Session, der []byte) uintptr {
	at := s.Word()
	*at = uint64(s.Bytes(der))
	return s.Get(freeKey, "d2i_AutoPrivateKey", 0, call.Word(at), uintptr(len(der)))
}

func withoutPrimes(s *cbinding.Session, pkcs8 []byte) uintptr {
	parsed, err := x509.ParsePKCS8PrivateKey(pkcs8) // which refuses keys that are too short
	k, ok := parsed.(*rsa.PrivateKey)
	if err != nil || !ok {
		s.Err = provider.Refused(err)
		return 0
	}
	return fromData(s, "RSA", newParameters(s).number("n", k.N).number("e", big.NewInt(int64(k.E))).number("d", k.D))
}

func fromData(s *cbinding.Session, name string, p *parameters) uintptr {
	const keyPair = 0x87 // EVP_PKEY_KEYPAIR of openssl/evp.h
	ctx, key := contextFor(s, name), s.Word()
	s.Do("EVP_PKEY_fromdata_init", ctx)
	s.Do("EVP_PKEY_fromdata", ctx, call.Word(key), keyPair, p.end())
	return s.Owned(freeKey, uintptr(*key))
}

// contextFor makes a context of a type of keys; a version may not have it.
func contextFor(s *cbinding.Session, name string) uintptr {
	before := s.Err
	ctx := s.Get("EVP_PKEY_CTX_free", "EVP_PKEY_CTX_new_from_name", 0, s.Text(name), 0)
	if before == nil && s.Err != nil {
		s.Err = provider.Absent("version-has-no", s.Title, s.Release, name)
	}
	return ctx
}

// setting is a control of a context by its name (EVP_PKEY_CTX_ctrl_str).
type setting struct{ name, value string }

// contextOf prepares a context of a key by an init function and controls.
func contextOf(s *cbinding.Session, key uintptr, init string, settings ...setting) uintptr {
	ctx := s.Get("EVP_PKEY_CTX_free", "EVP_PKEY_CTX_new_from_pkey", 0, key, 0)
	s.Do(init, ctx)
	set(s, ctx, settings...)
	return ctx
}

func set(s *cbinding.Session, ctx uintptr, settings ...setting) {
	for _, to := range settings {
		s.Do("EVP_PKEY_CTX_ctrl_str", ctx, s.Text(to.name), s.Text(to.value))
	}
}

func generator(s *cbinding.Session, name algorithm.Name) uintptr {
	kind, curve := keyType(name)
	ctx := contextFor(s, kind)
	s.Do("EVP_PKEY_keygen_init", ctx)
	if curve != "" {
		set(s, ctx, setting{"ec_paramgen_curve", curve})
	}
	if bits, isRSA := strings.CutPrefix(name, "RSA-"); isRSA {
		set(s, ctx, setting{"rsa_keygen_bits", bits})
	}
	return ctx
}

func generate(x *cbinding.Caller, name algorithm.Name) func() (*cbinding.KeyPair, error) {
	ctx := generator(x.Session, name)
	return func() (*cbinding.KeyPair, error) { return x.Pair("EVP_PKEY_generate", ctx, call.Word(x.At)) }
}

// openGeneration makes a key in each call. The object that holds it is used again,
// which frees what it held.
func openGeneration(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	ctx, key, p := generator(s, c.Algorithm), s.Word(), s.Program()
	p.Add("EVP_PKEY_generate", ctx, call.Word(key))
	s.Own(func() error { s.Library.Call(freeKey, uintptr(*key)); return nil })
	return p.Operation(c.Name(), loop.Foreign{Accept: func([]byte) error { return s.Accept(c, v, uintptr(*key)) }})
}

func halves(s *cbinding.Session, algorithm string, key uintptr) (private, public []byte) {
	const room = 1 << 13
	x := s.Caller(room)
	read := func(function string, args ...uintptr) []byte {
		out, err := x.Output(function, args...)
		s.Err = cmp.Or(s.Err, err)
		return slices.Clone(out)
	}
	octets := func(name string) []byte {
		return read("EVP_PKEY_get_octet_string_param", key, s.Text(name), x.Out, room, x.Size)
	}
	name, curve := keyType(algorithm)
	switch {
	case curve != "" || name == "SM2":
		number := s.Word()
		s.Do("EVP_PKEY_get_bn_param", key, s.Text("priv"), call.Word(number))
		s.Owned("BN_free", uintptr(*number))
		public = octets("encoded-pub-key")
		private = s.Room(len(public) / 2)
		s.Do("BN_bn2binpad", uintptr(*number), call.Bytes(private), uintptr(len(private)))
	case strings.HasPrefix(name, "ML-"):
		private, public = octets("seed"), octets("pub")
	default:
		private = read("EVP_PKEY_get_raw_private_key", key, x.Out, x.Size)
		public = read("EVP_PKEY_get_raw_public_key", key, x.Out, x.Size)
	}
	return private, public
}

// openAgreement is a key pair with a peer, whose key is read and checked before.
func openAgreement(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	key, peer := privateKey(s, c, v), s.Get(freeKey, "EVP_PKEY_new")
	s.Do("EVP_PKEY_copy_parameters", peer, key)
	s.Do("EVP_PKEY_set1_encoded_public_key", peer, s.Bytes(v.Peer), uintptr(len(v.Peer)))
	ctx := contextOf(s, key, "EVP_PKEY_derive_init")
	s.Do("EVP_PKEY_derive_set_peer", ctx, peer)
	size, p, out := s.Word(), s.Program(), s.Room(len(v.Secret))
	p.Add("EVP_PKEY_derive", ctx, p.Bytes(out), call.Word(size)).Setting(size, uint64(len(out)))
	return p.Operation(c.Name(), loop.Foreign{Want: v.Secret, Out: out, Size: size})
}

// settingsOf are the controls of a case's padding, or of the signature of a ready digest; SM2 has none to choose.
func settingsOf(c result.Case) []setting {
	hash := setting{"digest", "SHA256"}
	switch {
	case c.Algorithm == algorithm.SM2:
		return nil
	case c.Algorithm == algorithm.ECDSA384:
		return []setting{{"digest", "SHA384"}}
	case c.Mode == algorithm.OAEP:
		return []setting{{"rsa_padding_mode", "oaep"}, {"rsa_oaep_md", "SHA256"}, {"rsa_mgf1_md", "SHA256"}}
	case c.Mode == algorithm.PKCS1v15:
		return []setting{{"rsa_padding_mode", "pkcs1"}}
	case c.Mode == algorithm.PSS:
		return []setting{{"rsa_padding_mode", "pss"}, hash, {"rsa_pss_saltlen", "digest"}}
	case c.Mode == algorithm.PKCS1v15Sign:
		return []setting{{"rsa_padding_mode", "pkcs1"}, hash}
	}
	return []setting{hash}
}

func openTransport(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	key, size := privateKey(s, c, v), s.Word()
	crypting := func(function string) cbinding.Transporting {
		ctx := contextOf(s, key, function+"_init", settingsOf(c)...)
		return func(p *cbinding.Program, in, out []byte) *call.Call {
			return p.Add(function, ctx, p.Bytes(out), call.Word(size), p.Bytes(in), uintptr(len(in)))
		}
	}
	return s.Transport(c, v, size, crypting("EVP_PKEY_encrypt"), crypting("EVP_PKEY_decrypt"))
}

// askPrivate asks what a call with a private key costs Go's garbage collector.
func askPrivate(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Scenario, error) {
	plain := provider.Plain(c)
	key, x := privateKey(s, plain, v), s.Caller(0)
	switch {
	case c.Operation == algorithm.Agree:
		ctx := contextOf(s, key, "EVP_PKEY_derive_init")
		derive := x.Turn("EVP_PKEY_derive", ctx) // which takes no input: that is the peer's key
		return s.Keyed(c, v, func(out, in []byte) (uint64, error) {
			peer := x.Result("EVP_PKEY_new")
			defer x.Result(freeKey, peer)
			if err := cmp.Or(x.Try("EVP_PKEY_copy_parameters", peer, key),
				x.Try("EVP_PKEY_set1_encoded_public_key", peer, call.Bytes(in), uintptr(len(in))),
				x.Try("EVP_PKEY_derive_set_peer", ctx, peer)); err != nil {
				return 0, err
			}
			return derive(out, nil)
		})
	case hashesItself(plain):
		ctx, md := messageContext(s, plain, key)
		sign := x.Turn("EVP_DigestSign", ctx)
		return s.Keyed(c, v, func(out, in []byte) (uint64, error) {
			if err := x.Try("EVP_DigestSignInit", ctx, 0, md, 0, key); err != nil {
				return 0, err
			}
			return sign(out, in)
		})
	}
	function := "EVP_PKEY_" + c.Operation
	return s.Keyed(c, v, x.Turn(function, contextOf(s, key, function+"_init", settingsOf(c)...)))
}

// askDraws is the generation of RSA keys, which are read in RFC 8017's form.
func askDraws(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Scenario, error) {
	return s.Draws(c, v, generate(s.Caller(0), c.Algorithm), func(k *cbinding.KeyPair) ([]byte, error) {
		s := s.Session(call.Purego)
		defer s.Close()
		n := int32(s.DoBy(call.Positive, "i2d_PrivateKey", k.Handle, 0))
		out, at := s.Room(int(max(n, 0))), s.Word()
		*at = uint64(s.Bytes(out))
		s.Do("i2d_PrivateKey", k.Handle, call.Word(at))
		runtime.KeepAlive(k)
		return slices.Clone(out), cmp.Or(s.Err, s.Outputs.Check())
	})
}

func openSignature(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	key := privateKey(s, c, v)
	var add cbinding.Signing
	switch {
	case hashesItself(c):
		ctx, md := messageContext(s, c, key)
		function := map[algorithm.Operation]string{
			algorithm.Sign: "EVP_DigestSign", algorithm.Verify: "EVP_DigestVerify"}[c.Operation]
		add = func(p *cbinding.Program, text, signature []byte, size *uint64) *call.Call {
			p.Add(function+"Init", ctx, 0, md, 0, key)
			return addSignature(p, function, ctx, text, signature, size)
		}
	case c.Algorithm == algorithm.SM2:
		add = signingWithZA(s, c, key)
	default:
		add = digestSigning(s, c, key)
	}
	return s.Signature(c, v, add)
}

// addSignature appends the call of a function that signs a text or, where no size is to be left, verifies it.
func addSignature(p *cbinding.Program, function string, ctx uintptr, text, signature []byte, size *uint64) *call.Call {
	length := uintptr(len(signature))
	if size != nil {
		length = call.Word(size)
	}
	return p.Add(function, ctx, p.Bytes(signature), length, p.Bytes(text), uintptr(len(text)))
}

// hashesItself says whether a scheme is given messages: SM2 is where the digest of the
// signer's identity is not given either.
func hashesItself(c result.Case) bool {
	return c.Algorithm == algorithm.Ed25519 || strings.HasPrefix(c.Algorithm, "ML-DSA") ||
		c.Algorithm == algorithm.SM2 && c.Parameters == ""
}

func digestSigning(s *cbinding.Session, c result.Case, key uintptr) cbinding.Signing {
	function := "EVP_PKEY_" + c.Operation
	ctx := contextOf(s, key, function+"_init", settingsOf(c)...)
	return func(p *cbinding.Program, text, signature []byte, size *uint64) *call.Call {
		return addSignature(p, function, ctx, text, signature, size)
	}
}

// identity is an SM2 signer's where nobody gives one (GM/T 0009-2012 §10).
const identity = "1234567812345678"

// messageContext is a context for messages, which the scheme or md hashes, of SM2 with
// its owner's identity. It begins anew with each; the key stays.
func messageContext(s *cbinding.Session, c result.Case, key uintptr) (ctx, md uintptr) {
	ctx = s.Get("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	if c.Algorithm == algorithm.SM2 {
		md = fetch(s, "EVP_MD_fetch", algorithm.SM3)
		of := s.Get("EVP_PKEY_CTX_free", "EVP_PKEY_CTX_new_from_pkey", 0, key, 0)
		s.Do("EVP_PKEY_CTX_set1_id", of, s.Text(identity), uintptr(len(identity)))
		s.DoBy(call.Any, "EVP_MD_CTX_set_pkey_ctx", ctx, of)
	}
	return ctx, md
}

// signingWithZA hashes the digest of the signer's identity, which is there, and the
// message, and signs or verifies that.
func signingWithZA(s *cbinding.Session, c result.Case, key uintptr) cbinding.Signing {
	md := fetch(s, "EVP_MD_fetch", algorithm.SM3)
	za, hash := zaOf(s, md, key), s.Room(32)
	ctx := s.Get("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	sign := digestSigning(s, c, key)
	return func(p *cbinding.Program, text, signature []byte, size *uint64) *call.Call {
		digest(p, ctx, md, hash, za, text)
		return sign(p, hash, signature, size)
	}
}

// The curve of SM2: a, b and the base point (GB/T 32918.5-2017, annex A).
const sm2Curve = "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc" +
	"28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93" +
	"32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7" +
	"bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"

// zaOf is SM3 of the identity, the curve and the public key (GB/T 32918.2-2016 §5.5).
func zaOf(s *cbinding.Session, md, key uintptr) []byte {
	_, public, err := s.Halves(algorithm.SM2, key)
	if s.Err = cmp.Or(s.Err, err); s.Err != nil {
		return nil
	}
	curve, _ := hex.DecodeString(sm2Curve)
	text := slices.Concat([]byte{0, 8 * byte(len(identity))}, []byte(identity), curve, public[1:])
	out := s.Room(32)
	s.Do("EVP_Digest", s.Bytes(text), uintptr(len(text)), s.Bytes(out), 0, md, 0)
	return out
}
