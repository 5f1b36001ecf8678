package library

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

var everyPublic = append(slices.Clone(publicOfGo), publicOfGmsm...)

func TestPublicVectorsFollowFromTheSeed(t *testing.T) {
	a, b, other := judge.New(provider.Setting{Seed: 7}), judge.New(provider.Setting{Seed: 7}), judge.New(provider.Setting{Seed: 8})
	for _, c := range everyPublic {
		v, w, x := vector(t, a, c), vector(t, b, c), vector(t, other, c)
		for _, same := range [][2][]byte{{v.Key, w.Key}, {v.PKCS8, w.PKCS8}, {v.Plaintext, w.Plaintext}, {v.Ciphertext, w.Ciphertext},
			{v.Signed, w.Signed}, {v.Signature, w.Signature}, {v.Peer, w.Peer}, {v.Secret, w.Secret}} {
			if !bytes.Equal(same[0], same[1]) {
				t.Errorf("%s %s: the same seed gives another vector", c.Name(), c.Operation)
			}
		}
		if v.Key != nil && bytes.Equal(v.Key, x.Key) || v.Signed != nil && bytes.Equal(v.Signed, x.Signed) || v.Plaintext != nil && bytes.Equal(v.Plaintext, x.Plaintext) {
			t.Errorf("%s %s: another seed gives the same vector", c.Name(), c.Operation)
		}
	}
}

// TestPublicVectorsAreRight: what the reference makes, the reference accepts, and
// nothing near it.
func TestPublicVectorsAreRight(t *testing.T) {
	j := judge.New(provider.Setting{Seed: 1})
	for _, c := range everyPublic {
		v := vector(t, j, c)
		output := v.Signature
		if output == nil {
			output = v.Ciphertext
		}
		if v.Accept == nil {
			continue
		}
		if err := v.Accept(output); err != nil {
			t.Errorf("%s %s: the judge refuses its own output: %v", c.Name(), c.Operation, err)
		}
		wrong := map[string][]byte{"nothing": nil, "one byte more": append(slices.Clone(output), 0), "one byte less": output[:len(output)-1]}
		for _, at := range []int{0, len(output) / 2, len(output) - 1} {
			changed := slices.Clone(output)
			changed[at] ^= 4
			wrong["changed "+string(rune('a'+at%26))] = changed
		}
		for name, output := range wrong {
			if err := v.Accept(output); err == nil {
				t.Errorf("%s %s: %s is accepted", c.Name(), c.Operation, name)
			}
		}
	}
}

// TestKeysAreEncoded: the standard library reads the keys that it knows, and gmsm
// that of SM2.
func TestKeysAreEncoded(t *testing.T) {
	j := judge.New(provider.Setting{Seed: 1})
	for _, c := range publicOfGo {
		if _, err := x509.ParsePKCS8PrivateKey(vector(t, j, c).PKCS8); err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		}
	}
	sm2Vector := vector(t, j, signaturesOfSM2[0])
	read, err := smx509.ParsePKCS8PrivateKey(sm2Vector.PKCS8)
	if key, ok := read.(*sm2.PrivateKey); err != nil || !ok || !bytes.Equal(key.D.FillBytes(make([]byte, 32)), sm2Vector.Key) {
		t.Errorf("SM2: %T, %v", read, err)
	}
}

// wrongKey answers wrongly in the ways that a library could.
type wrongKey struct {
	crypto.Signer
	crypto.Decrypter
	sign    func([]byte) []byte
	decrypt func([]byte, error) ([]byte, error)
}

func (k wrongKey) Public() crypto.PublicKey { return nil }

func (k wrongKey) Sign(random io.Reader, in []byte, opts crypto.SignerOpts) ([]byte, error) {
	signature, err := k.Signer.Sign(random, in, opts)
	return k.sign(signature), err
}

func (k wrongKey) Decrypt(random io.Reader, in []byte, opts crypto.DecrypterOpts) ([]byte, error) {
	return k.decrypt(k.Decrypter.Decrypt(random, in, opts))
}

// planted is a provider of one operation.
type planted struct {
	open func(*provider.Vector) provider.Operation
	provider.Vectors
}

func (planted) Subject() result.Subject {
	return result.Subject{Library: "planted", Version: "1", CallPath: "go"}
}

func (p planted) Open(c result.Case) (provider.Operation, error) {
	v, err := p.Vector(c)
	if err != nil {
		return nil, err
	}
	return p.open(v), nil
}

// TestPlantedKeyPairs: each wrong operation is caught, in words that name what is wrong.
func TestPlantedKeyPairs(t *testing.T) {
	rsaOf := func(v *provider.Vector) *rsa.PrivateKey {
		key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
		if err != nil {
			t.Fatal(err)
		}
		return key.(*rsa.PrivateKey)
	}
	signing := func(twist func([]byte) []byte) func(*provider.Vector) provider.Operation {
		return func(v *provider.Vector) provider.Operation {
			return loop.NewSign(wrongKey{Signer: rsaOf(v), sign: twist}, crypto.SHA256, v)
		}
	}
	verifying := func(decide func(signed, signature []byte, v *provider.Vector) error) func(*provider.Vector) provider.Operation {
		return func(v *provider.Vector) provider.Operation {
			return loop.NewVerify(func(signed, signature []byte) error { return decide(signed, signature, v) }, v)
		}
	}
	encrypting := func(encrypt func([]byte) ([]byte, error)) func(*provider.Vector) provider.Operation {
		return func(v *provider.Vector) provider.Operation { return loop.NewPublicEncrypt(encrypt, v) }
	}
	decrypting := func(twist func([]byte, error) ([]byte, error)) func(*provider.Vector) provider.Operation {
		return func(v *provider.Vector) provider.Operation {
			return loop.NewPrivateDecrypt(wrongKey{Decrypter: rsaOf(v), decrypt: twist}, &rsa.OAEPOptions{Hash: crypto.SHA256}, loop.RefusesTampering, v)
		}
	}
	same := func(b []byte) []byte { return b }
	tests := []struct {
		name, mode, operation string
		open                  func(*provider.Vector) provider.Operation
		want                  string
	}{
		{"right", "PKCS1v15-SHA-256", "sign", signing(same), ""},
		{"a changed signature", "PKCS1v15-SHA-256", "sign", signing(func(b []byte) []byte { b[9] ^= 1; return b }), "signature is of something else"},
		{"no signature", "PKCS1v15-SHA-256", "sign", signing(func([]byte) []byte { return nil }), "not as long as the modulus"},
		{"accepts all", "PKCS1v15-SHA-256", "verify", verifying(func(_, _ []byte, _ *provider.Vector) error { return nil }), "a tampered signature was accepted"},
		{"does not read what was signed", "PKCS1v15-SHA-256", "verify", verifying(func(_, signature []byte, v *provider.Vector) error {
			return v.Accept(signature)
		}), "a tampered signed text was accepted"},
		{"refuses all", "PKCS1v15-SHA-256", "verify", verifying(func(_, _ []byte, _ *provider.Vector) error { return loop.ErrSignature }), "which is valid: the signature is refused"},
		{"does not encrypt", "OAEP-SHA-256", "encrypt", encrypting(func(b []byte) ([]byte, error) { return b, nil }), "does not decrypt"},
		{"right", "OAEP-SHA-256", "decrypt", decrypting(func(b []byte, err error) ([]byte, error) { return b, err }), ""},
		{"a wrong message", "OAEP-SHA-256", "decrypt", decrypting(func(b []byte, err error) ([]byte, error) { return b[:len(b)&^1-1], err }), "the output is"},
		{"refuses nothing", "OAEP-SHA-256", "decrypt", decrypting(func(b []byte, _ error) ([]byte, error) { return b, nil }), "a tampered ciphertext was accepted"},
	}
	judge := judge.New(provider.Setting{Seed: 1})
	for _, test := range tests {
		err := providertest.Verify(planted{test.open, judge}, result.Case{Algorithm: "RSA-2048", Mode: test.mode, Operation: test.operation})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s, %s: got %v, want %q", test.operation, test.name, err, test.want)
		}
	}
	wrongSecret := planted{func(v *provider.Vector) provider.Operation {
		return loop.NewAgree(func() ([]byte, error) { return make([]byte, 32), nil }, v)
	}, judge}
	if err := providertest.Verify(wrongSecret, result.Case{Algorithm: "ECDH-P-256", Operation: "agree"}); err == nil {
		t.Error("agree: a wrong secret passes")
	}
}

// TestPublicRefusals: what has no size is not opened at one, and what nobody
// judges is not opened at all.
func TestPublicRefusals(t *testing.T) {
	j := judge.New(provider.Setting{Seed: 1})
	for _, c := range []result.Case{
		{Algorithm: "RSA-2048", Mode: "OAEP-SHA-256", Operation: "encrypt", Bytes: 32},
		{Algorithm: "RSA-2048", Mode: "OAEP-SHA-256", Operation: "sign"},
		{Algorithm: "RSA-2048", Mode: "OAEP-SHA-512", Operation: "encrypt"},
		{Algorithm: "SM2", Operation: "sign", Parameters: "uid=x"},
		{Algorithm: "SM2", Operation: "agree"},
	} {
		if _, err := j.Vector(c); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%+v: %v, want unsupported", c, err)
		}
		for _, p := range withCiphers(j) {
			if _, err := provider.Prepare(p, c); !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%s, %+v: %v, want unsupported", p.Subject().Library, c, err)
			}
		}
	}
	for c, want := range map[result.Case]bool{
		{Algorithm: "RSA-2048", Mode: "PKCS1v15", Operation: "decrypt"}: true,
		{Algorithm: "SM2", Operation: "encrypt"}:                        true,
		{Algorithm: "X25519", Operation: "agree"}:                       true,
		{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"}:           false,
	} {
		if n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); fixed != want || n != 0 {
			t.Errorf("%s %s: a size of %d that is fixed: %v", c.Name(), c.Operation, n, fixed)
		}
	}
}
