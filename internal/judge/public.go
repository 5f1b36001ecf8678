package judge

import (
	"bytes"
	"encoding/asn1"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// The classes of public-key operations that share a vector.
const (
	signature = "signature" // signing and verifying
	transport = "transport" // encryption and decryption of a key of 32 bytes
	agreement = "agreement"

	generation = "generate"   // a new key
	precompute = "precompute" // what a private key is used with, computed from it
)

// publicModes are the modes of the public-key algorithms but RSA, by class.
var publicModes = map[string]map[string][]string{
	algorithm.ECDSA256: {signature: {""}},
	algorithm.ECDH256:  {agreement: {""}},
	algorithm.X25519:   {agreement: {""}},
	algorithm.SM2:      {signature: {""}, transport: {""}},
}

// IsPublic says whether an algorithm has a private and a public key.
func IsPublic(algorithm string) bool { return modesOf(algorithm) != nil }

func modesOf(algorithm string) map[string][]string {
	if isRSA(algorithm) {
		return rsaModes
	}
	var modes map[string][]string
	for _, some := range []map[string][]string{publicModes[algorithm], signatureModes[algorithm], exchangeClasses(algorithm)} {
		for class, names := range some {
			if modes == nil {
				modes = map[string][]string{}
			}
			modes[class] = names
		}
	}
	return modes
}

// publicMessage is message for the algorithms with a key pair.
func publicMessage(c result.Case) (result.Case, error) {
	asked := c
	switch c.Operation {
	case algorithm.Sign, algorithm.Verify:
		c.Operation = signature
	case algorithm.Encrypt, algorithm.Decrypt:
		c.Operation = transport
	case algorithm.Agree:
		c.Operation = agreement
	case algorithm.Encapsulate, algorithm.Decapsulate:
		c.Operation = encapsulation
	}
	for _, mode := range modesOf(c.Algorithm)[c.Operation] {
		if mode != c.Mode {
			continue
		}
		if isRSA(c.Algorithm) && c.Bytes == 0 {
			return rsaParameters(c)
		}
		if c.Algorithm == algorithm.SM2 && c.Operation == signature && c.Parameters == "za=precomputed" {
			c.Parameters = "" // how it is computed, not what
		}
		if c.Bytes != 0 || c.Parameters != "" {
			return c, provider.Unsupported("parameters", c.Name(), "–", c.Parameters)
		}
		return c, nil
	}
	return c, provider.Unsupported("no-judge-operation", asked.Operation, asked.Name())
}

// transportBytes is the length of what public keys encrypt: a key of AES-256.
const transportBytes = 32

// publicVector makes the vector of a public-key case.
func (j *Judge) publicVector(c result.Case) (*provider.Vector, error) {
	if s, ok := schemeOf(c.Algorithm); ok {
		return j.seedVector(c, s, fmt.Sprintf("case/%q/%q/%q", c.Algorithm, c.Mode, c.Operation)), nil
	}
	if c.Operation != agreement && slices.Contains(exchanges, c.Algorithm) {
		return j.exchangeVector(c)
	}
	k, err := j.keyOf(c.Algorithm)
	if err != nil {
		return nil, err
	}
	label := fmt.Sprintf("case/%q/%q/%q", c.Algorithm, c.Mode, c.Operation)
	v := &provider.Vector{Key: k.scalar, PKCS8: k.pkcs8}
	text := make([]byte, transported(c))
	if c.Algorithm == algorithm.ECDSA384 {
		text = make([]byte, 48) // a digest of SHA-384
	}
	_, _ = seeded.Source(j.seed, label).Read(text)
	switch c.Operation {
	case agreement:
		err = j.agree(k, label, v)
	case transport:
		v.Plaintext = text
		err = j.encrypt(c, k, label, v)
	case signature:
		v.Signed = text
		err = j.sign(c, k, label, v)
	case generation:
		if v.Accept = acceptRSAKey(rsaBits(c.Algorithm)); k.curve != nil {
			v.Accept = acceptCurveKey(k.curve)
		}
	case precompute:
		v.Accept = acceptOwnRSAKey(k)
	}
	return v, err
}

// random returns a source's bytes for what a scheme draws itself.
func (j *Judge) random(label string, n int) []byte {
	b := make([]byte, n)
	_, _ = seeded.Source(j.seed, label+"/random").Read(b)
	return b
}

// agree draws the peer's key.
func (j *Judge) agree(k *key, label string, v *provider.Vector) (err error) {
	if k.curve == nil {
		base := append([]byte{9}, make([]byte, 31)...)
		if v.Peer, err = reference.X25519(j.random(label, 32), base); err == nil {
			v.Secret, err = reference.X25519(k.scalar, v.Peer)
		}
		return err
	}
	x, y := k.curve.ScalarBaseMult(j.scalar(label+"/peer", k.curve))
	v.Peer = uncompressed(k.curve, x, y)
	v.Secret, err = reference.ECDH(k.curve, k.d, x, y)
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
		v.Ciphertext, err = reference.RSAEncryptOAEP(k.rsa, reference.SHA256, j.random(label, 32), nil, v.Plaintext)
		decrypt = func(got []byte) ([]byte, error) {
			return reference.RSADecryptOAEP(k.rsa, reference.SHA256, nil, got)
		}
	}
	v.Accept = func(got []byte) error {
		plaintext, err := decrypt(got)
		switch {
		case err != nil:
			return reason.New("no-decrypt", err)
		case !bytes.Equal(plaintext, v.Plaintext):
			return reason.New("decrypts-other")
		}
		return nil
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
	c3 := reference.SM3(bytes.Join([][]byte{both[:32], msg, both[32:]}, nil))
	out := append(uncompressed(k.curve, x1, y1), c3...)
	for i, b := range msg {
		out = append(out, b^mask[i])
	}
	return out
}

func (j *Judge) sign(c result.Case, k *key, label string, v *provider.Vector) (err error) {
	switch {
	case isRSA(c.Algorithm) && k.rsa.N.BitLen()/8 < 2*pssSalt+2: // it is for the library to say so
	case c.Mode == algorithm.PKCS1v15Sign:
		v.Accept = func(got []byte) error {
			return reference.RSAVerifyPKCS1v15(k.rsa, reference.DigestInfoSHA256(v.Signed), got)
		}
		v.Signature, err = reference.RSASignPKCS1v15(k.rsa, reference.DigestInfoSHA256(v.Signed))
	case c.Mode == algorithm.PSS:
		v.Accept = func(got []byte) error {
			return reference.RSAVerifyPSS(k.rsa, reference.SHA256, pssSalt, v.Signed, got)
		}
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
