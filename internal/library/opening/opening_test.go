package opening

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/emmansun/gmsm/sm2"
	gmsm "github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// signing is a signer, and its public key as the client is told it.
type signing struct {
	name   algorithm.Name
	public []byte
	sign   func(message []byte) ([]byte, error)
}

// signers are one of each scheme, and none.
func signers(t *testing.T) []signing {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	standard := func(name algorithm.Name, key crypto.Signer, opts crypto.SignerOpts) signing {
		public, err := x509.MarshalPKIXPublicKey(key.Public())
		must(err)
		return signing{name, public, func(message []byte) ([]byte, error) {
			if opts.HashFunc() != 0 {
				digest := sha256.Sum256(message)
				message = digest[:]
			}
			return key.Sign(rand.Reader, message, opts)
		}}
	}
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	must(err)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	long, err := rsa.GenerateKey(rand.Reader, 2048)
	must(err)
	chinese, err := sm2.GenerateKey(rand.Reader)
	must(err)
	point, err := chinese.ECDH()
	must(err)
	return []signing{
		{},
		standard(algorithm.Ed25519, edwards, crypto.Hash(0)),
		standard(algorithm.ECDSA256, curve, crypto.SHA256),
		standard(algorithm.RSA2048, long, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}),
		{algorithm.SM2, point.PublicKey().Bytes(), func(message []byte) ([]byte, error) {
			return chinese.Sign(rand.Reader, message, sm2.DefaultSM2SignerOpts)
		}},
	}
}

// body seals by std or gmsm, and signs.
func body(t *testing.T, s service.Sealed, by signing, plain []byte) []byte {
	t.Helper()
	newCipher := aes.NewCipher
	if s.Cipher == algorithm.SM4 {
		newCipher = gmsm.NewCipher
	}
	block, err := newCipher(s.Key)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	nonce := []byte("twelve bytes")
	sealed := aead.Seal(slices.Clone(nonce), nonce, plain, nil)
	if by.sign == nil {
		return sealed
	}
	signature, err := by.sign(sealed)
	if err != nil {
		t.Fatal(err)
	}
	return binary.BigEndian.AppendUint16(append(sealed, signature...), uint16(len(signature)))
}

// TestOpens: what is right is opened and proved, whoever sealed it; what is changed anywhere, or cut short, is
// refused by both.
func TestOpens(t *testing.T) {
	plain := []byte(`{"account":10000001,"state":"open"}`)
	for _, by := range signers(t) {
		for _, s := range []service.Sealed{
			{By: subject.Go, Cipher: algorithm.AES256, Key: bytes.Repeat([]byte{7}, 32)},
			{By: subject.Gmsm, Cipher: algorithm.SM4, Key: bytes.Repeat([]byte{7}, 16)},
			{By: subject.Engine, Cipher: algorithm.SM4, Key: bytes.Repeat([]byte{7}, 16)},
		} {
			s.Signer, s.Public = by.name, by.public
			o, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			right := body(t, s, by, plain)
			got, err := o.Open(nil, right)
			if err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%s by %s, %s: %v", s.Cipher, s.By, s.Signer, err)
			}
			if err := o.Prove(right, plain); err != nil {
				t.Errorf("%s by %s, %s: %v", s.Cipher, s.By, s.Signer, err)
			}
			if o.Prove(right, []byte("another")) == nil {
				t.Errorf("%s by %s, %s: any text is proved", s.Cipher, s.By, s.Signer)
			}
			for at := 0; at < len(right); at += 9 {
				wrong := slices.Clone(right)
				wrong[at] ^= 0x10
				if _, err := o.Open(nil, wrong); err == nil {
					t.Errorf("%s by %s, %s: byte %d changed, and opened", s.Cipher, s.By, s.Signer, at)
				}
			}
			signed := slices.Clone(right)
			signed[len(signed)/2] ^= 1
			if o.Prove(signed, plain) == nil {
				t.Errorf("%s by %s, %s: changed, and proved", s.Cipher, s.By, s.Signer)
			}
			for _, length := range []int{0, 1, 2, 11, 12, len(right) - 1} {
				if _, err := o.Open(nil, right[:length]); err == nil || o.Prove(right[:length], plain) == nil {
					t.Errorf("%s by %s, %s: %d bytes are enough", s.Cipher, s.By, s.Signer, length)
				}
			}
		}
	}
}

// TestForeignSignature: one by another key is refused.
func TestForeignSignature(t *testing.T) {
	mine, others := signers(t), signers(t)
	for i, by := range mine[1:] {
		s := service.Sealed{By: subject.Go, Cipher: algorithm.AES256, Key: make([]byte, 32), Signer: by.name, Public: by.public}
		o, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		foreign := body(t, s, others[i+1], []byte("{}"))
		if _, err := o.Open(nil, foreign); err == nil || o.Prove(foreign, []byte("{}")) == nil {
			t.Errorf("%s: a foreign signature is accepted", by.name)
		}
	}
}

func TestRefusesKeys(t *testing.T) {
	for _, s := range []service.Sealed{
		{Cipher: algorithm.AES256, Key: []byte("short")},
		{Cipher: algorithm.SM4, Key: []byte("short")},
		{Cipher: algorithm.AES256, Key: make([]byte, 32), Signer: algorithm.Ed25519, Public: []byte("no key")},
		{Cipher: algorithm.SM4, Key: make([]byte, 16), Signer: algorithm.SM2, Public: []byte("no key")},
	} {
		if _, err := New(s); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}
