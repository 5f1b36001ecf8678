package judge

import (
	"bytes"
	"encoding/asn1"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// The classes of public-key operations that share a vector. Others have one each.
const (
	signature     = "signature" // signing and verifying
	transport     = "transport" // encryption, decryption and unwrapping of a key of 32 bytes
	encapsulation = "encapsulation"
)

func publicMessage(c result.Case) (result.Case, error) {
	a := algorithm.Of(c.Algorithm)
	if !a.Does(c.Operation, c.Mode) && !(c.Operation == algorithm.Unwrap && a.Unwraps(c.Mode)) {
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	}
	switch c.Operation {
	case algorithm.Sign, algorithm.Verify:
		c.Operation = signature
	case algorithm.Encrypt, algorithm.Decrypt, algorithm.Unwrap:
		c.Operation = transport
	case algorithm.Encapsulate, algorithm.Decapsulate:
		c.Operation = encapsulation
	}
	rest := c.Parameters
	switch {
	case a.Kind == algorithm.RSA: // how a key is held or how many are drawn says not what is done
		rest = parameter.Without(rest, parameter.CRT, parameter.Precomputed, parameter.Draws)
		c.Parameters = rest
		if c.Operation != transport || !parameter.Are(rest, parameter.Message) {
			break
		}
		if _, ok := parameter.Message.Read(rest); !ok {
			return c, provider.Unsupported("pair-bytes", c.Parameter(parameter.Message.Name()), parameter.MostMessage)
		}
		rest = ""
	case a.Name == algorithm.SM2 && c.Operation == signature && rest == parameter.PrecomputedZA:
		rest, c.Parameters = "", "" // how it is computed, not what
	}
	if c.Bytes != 0 || rest != "" {
		return c, provider.Unsupported("parameters", c.Name(), "–", rest)
	}
	return c, nil
}

// transportBytes is the length of what public keys encrypt: a key of AES-256.
const transportBytes = 32

// textBytes is how long the message of a case is, or the digest that it is given.
func textBytes(c result.Case) int {
	if n, ok := parameter.Message.Read(c.Parameters); ok {
		return n
	}
	if c.Algorithm == algorithm.ECDSA384 {
		return 48 // a digest of SHA-384
	}
	return transportBytes
}

func (j *Judge) publicVector(c result.Case) (*provider.Vector, error) {
	label := fmt.Sprintf("case/%q/%q/%q", c.Algorithm, c.Mode, c.Operation)
	if s, ok := schemeOf(c.Algorithm); ok {
		return j.seedVector(c, s, label), nil
	}
	if c.Operation != algorithm.Agree && algorithm.Of(c.Algorithm).Kind == algorithm.KeyExchange {
		return j.exchangeVector(c)
	}
	k, err := j.keyOf(c.Algorithm)
	if err != nil {
		return nil, err
	}
	v := &provider.Vector{Key: k.scalar, PKCS8: k.pkcs8}
	switch c.Operation {
	case algorithm.Agree:
		err = j.agree(c, k, label, v)
	case transport:
		v.Plaintext = j.bytes(label, textBytes(c))
		err = j.encrypt(c, k, label, v)
	case signature:
		v.Signed = j.bytes(label, textBytes(c))
		err = j.sign(c, k, label, v)
	case algorithm.Generate:
		if v.Accept = acceptRSAKey(algorithm.RSABits(c.Algorithm)); k.curve != nil {
			v.Accept = acceptPair(k.curve.FieldSize(), curvePublic(k.curve))
		}
	case algorithm.Precompute:
		v.Accept = acceptOwnRSAKey(k)
	}
	return v, err
}

// seedScheme is a signature scheme whose private key is 32 random bytes.
type seedScheme struct {
	public func(seed []byte) []byte
	sign   func(seed, msg, random []byte) []byte
	verify func(public, msg, signature []byte) error
}

func schemeOf(name string) (s seedScheme, ok bool) {
	switch name {
	case algorithm.Ed25519:
		return seedScheme{reference.Ed25519Public,
			func(seed, msg, _ []byte) []byte { return reference.Ed25519Sign(seed, msg) }, reference.Ed25519Verify}, true
	case algorithm.MLDSA44:
		return mldsaScheme(reference.MLDSA44()), true
	case algorithm.MLDSA65:
		return mldsaScheme(reference.MLDSA65()), true
	}
	return s, false
}

func mldsaScheme(m reference.MLDSA) seedScheme {
	return seedScheme{m.Public,
		func(seed, msg, random []byte) []byte { return m.Sign(seed, msg, nil, random) },
		func(public, msg, signature []byte) error { return m.Verify(public, msg, nil, signature) }}
}

func (j *Judge) seedVector(c result.Case, s seedScheme, label string) *provider.Vector {
	const seed = 32
	if c.Operation == algorithm.Generate {
		return &provider.Vector{Accept: acceptPair(seed, func(seed []byte) ([]byte, error) { return s.public(seed), nil })}
	}
	v := &provider.Vector{Key: j.bytes("key/"+c.Algorithm, seed), Signed: j.bytes(label, transportBytes)}
	v.Peer = s.public(v.Key)
	v.Signature = s.sign(v.Key, v.Signed, j.random(label, 32))
	v.Accept = func(got []byte) error { return s.verify(v.Peer, v.Signed, got) }
	return v
}

// acceptPair judges a new key, private‖public: that the one belongs to the other.
func acceptPair(private int, public func(private []byte) ([]byte, error)) func([]byte) error {
	return func(got []byte) error {
		if len(got) <= private {
			return reason.New("no-key")
		}
		want, err := public(got[:private])
		if err != nil {
			return reason.New("bad-private", err)
		}
		return compared(got[private:], want, reason.New("public-private"))
	}
}

// compared returns wrong unless got is want.
func compared(got, want []byte, wrong error) error {
	if bytes.Equal(got, want) {
		return nil
	}
	return wrong
}

// agree is an exchange with a private key that libraries read, too.
func (j *Judge) agree(c result.Case, k *key, label string, v *provider.Vector) (err error) {
	s := j.exchangeOf(c.Algorithm)
	drawn := make([]byte, s.private)
	if k.curve == nil {
		drawn = j.random(label, s.private)
	} else {
		j.scalar(label+"/peer", k.curve).FillBytes(drawn)
	}
	if v.Peer, err = s.public(drawn); err == nil {
		v.Secret, err = s.decapsulate(k.scalar, v.Peer)
	}
	return err
}

func (j *Judge) encrypt(c result.Case, k *key, label string, v *provider.Vector) (err error) {
	var decrypt func([]byte) ([]byte, error)
	switch {
	case c.Algorithm == algorithm.SM2:
		v.Ciphertext = sm2Encrypt(k, j.scalar(label+"/nonce", k.curve), v.Plaintext)
		decrypt = func(got []byte) ([]byte, error) { return reference.SM2Decrypt(k.d, got) }
	case len(v.Plaintext) > rsaRoom(k, c.Mode): // it is for the library to say so
	case c.Mode == algorithm.PKCS1v15:
		filling := j.random(label, k.rsa.N.BitLen()/8-3-len(v.Plaintext))
		for i := range filling {
			filling[i] |= 1 // it must have no zero byte
		}
		v.Ciphertext, err = reference.RSAEncryptPKCS1v15(k.rsa, filling, v.Plaintext)
		decrypt = func(got []byte) ([]byte, error) { return reference.RSADecryptPKCS1v15(k.rsa, got) }
	default:
		hash := reference.SHA256 // for the label and the mask
		if c.Mode == algorithm.OAEPSHA1 {
			hash = reference.SHA1
		}
		v.Ciphertext, err = reference.RSAEncryptOAEP(k.rsa, hash, j.random(label, len(hash(nil))), nil, v.Plaintext)
		decrypt = func(got []byte) ([]byte, error) { return reference.RSADecryptOAEP(k.rsa, hash, nil, got) }
	}
	v.Accept = func(got []byte) error {
		plaintext, err := decrypt(got)
		if err != nil {
			return reason.New("no-decrypt", err)
		}
		return compared(plaintext, v.Plaintext, reason.New("decrypts-other"))
	}
	return err
}

// sm2Encrypt is GB/T 32918.4-2016 §6.1, C1‖C3‖C2, for messages of at most a
// digest's length. The reference must decrypt what it makes.
func sm2Encrypt(k *key, nonce *big.Int, msg []byte) []byte {
	x1, y1 := k.curve.ScalarBaseMult(nonce)
	x2, y2 := k.curve.ScalarMult(k.x, k.y, nonce)
	both := uncompressed(k.curve, x2, y2)[1:]
	mask := reference.SM3(binary.BigEndian.AppendUint32(bytes.Clone(both), 1))
	c3 := reference.SM3(slices.Concat(both[:32], msg, both[32:]))
	out := append(uncompressed(k.curve, x1, y1), c3...)
	for i, b := range msg {
		out = append(out, b^mask[i])
	}
	return out
}

func (j *Judge) sign(c result.Case, k *key, label string, v *provider.Vector) (err error) {
	info := reference.DigestInfoSHA256(v.Signed)
	switch {
	case k.rsa.N != nil && k.rsa.N.BitLen()/8 < 2*pssSalt+2: // it is for the library to say so
	case c.Mode == algorithm.PKCS1v15Sign:
		v.Accept = func(got []byte) error { return reference.RSAVerifyPKCS1v15(k.rsa, info, got) }
		v.Signature, err = reference.RSASignPKCS1v15(k.rsa, info)
	case c.Mode == algorithm.PSS:
		v.Accept = func(got []byte) error { return reference.RSAVerifyPSS(k.rsa, reference.SHA256, pssSalt, v.Signed, got) }
		v.Signature, err = reference.RSASignPSS(k.rsa, reference.SHA256, v.Signed, j.random(label, pssSalt))
	case c.Algorithm == algorithm.SM2:
		v.Accept = twoNumbers(func(r, s *big.Int) error { return reference.SM2Verify(k.x, k.y, sm2Identity, v.Signed, r, s) })
		r, s, signErr := reference.SM2Sign(k.d, j.scalar(label+"/nonce", k.curve), sm2Identity, v.Signed)
		if signErr != nil {
			return signErr
		}
		v.Signature, err = asn1.Marshal(pair{r, s})
	default:
		v.Accept = twoNumbers(func(r, s *big.Int) error { return reference.ECDSAVerify(k.curve, k.x, k.y, v.Signed, r, s) })
		v.Signature, err = asn1.Marshal(ecdsaSign(k, j.scalar(label+"/nonce", k.curve), v.Signed))
	}
	return err
}

// pssSalt is the length of PSS's salt: that of the digest, as RFC 8446 §4.2.3 has it.
const pssSalt = 32

// sm2Identity is the signer's identity where nobody gives one (GM/T 0009-2012 §10).
var sm2Identity = []byte("1234567812345678")

// ecdsaSign is FIPS 186-5 §6.4.1 for digests as long as the order.
func ecdsaSign(k *key, nonce *big.Int, digest []byte) pair {
	n := k.curve.N
	r, _ := k.curve.ScalarBaseMult(nonce)
	r = new(big.Int).Mod(r, n)
	s := new(big.Int).Mul(r, k.d)
	s.Add(s, new(big.Int).SetBytes(digest))
	s.Mul(s, new(big.Int).ModInverse(nonce, n)).Mod(s, n)
	return pair{r, s}
}

// pair is a signature of two numbers, in DER a sequence of them.
type pair struct{ R, S *big.Int }

// twoNumbers reads a signature, strictly, for one that verifies its numbers.
func twoNumbers(verify func(r, s *big.Int) error) func([]byte) error {
	return func(got []byte) error {
		var p pair
		if rest, err := asn1.Unmarshal(got, &p); err != nil || len(rest) > 0 || p.R == nil || p.S == nil {
			return reason.New("signature-der")
		}
		return verify(p.R, p.S)
	}
}

// wrappedVector is a key that is wrapped under another. The reference must unwrap what it makes.
func (j *Judge) wrappedVector(c result.Case) (*provider.Vector, error) {
	label := fmt.Sprintf("case/%q/%q/%q", c.Algorithm, c.Mode, algorithm.Unwrap)
	v := &provider.Vector{Key: j.bytes("key/"+label, algorithm.Of(c.Algorithm).Key), Plaintext: j.bytes(label, transportBytes)}
	b, err := referenceBlock(c.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	v.Ciphertext = reference.WrapKey(b, v.Plaintext)
	return v, nil
}
