package loop

import (
	"crypto"
	"crypto/rand"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// EncryptFunc encrypts a message under a public key, into a buffer of the
// library's own.
type EncryptFunc func(message []byte) ([]byte, error)

// NewPublicEncrypt encrypts the vector's plaintext under a public key. The
// ciphertexts are random; the vector's Accept decrypts them.
func NewPublicEncrypt(encrypt EncryptFunc, v *provider.Vector) provider.Operation {
	return &publicEncrypt{drawn: drawn{accept: v.Accept}, encrypt: encrypt, in: v.Plaintext}
}

type publicEncrypt struct {
	drawn
	encrypt EncryptFunc
	in      []byte
}

func (o *publicEncrypt) Run(n int) error {
	o.ran = n > 0
	for range n {
		got, err := o.encrypt(o.in)
		if err != nil {
			return err
		}
		o.got = got
	}
	return nil
}

func (o *publicEncrypt) Check() error { return o.check() }
func (o *publicEncrypt) Close() error { return nil }
func (o *publicEncrypt) Loop() string { return LoopPublicEncrypt }

// Integrity says whether a scheme's decryption refuses what was tampered with.
type Integrity bool

// PKCS #1 v1.5 decryption finds most changes and promises nothing.
const (
	RefusesTampering Integrity = true
	NoIntegrity      Integrity = false
)

// NewPrivateDecrypt decrypts the vector's ciphertext with a private key. Where
// the scheme refuses tampered text, Check proves that this decryption does.
func NewPrivateDecrypt(d crypto.Decrypter, opts crypto.DecrypterOpts, integrity Integrity, v *provider.Vector) provider.Operation {
	return &privateDecrypt{output: newOutput(v.Plaintext, 0), decrypter: d, opts: opts, integrity: integrity, in: v.Ciphertext}
}

type privateDecrypt struct {
	output
	decrypter crypto.Decrypter
	opts      crypto.DecrypterOpts
	integrity Integrity
	in        []byte
	checks    int
}

func (o *privateDecrypt) Run(n int) error {
	o.ran = n > 0
	for i := range n {
		got, err := o.decrypter.Decrypt(rand.Reader, o.in, o.opts)
		if err != nil {
			return reason.New("decrypting", i+1, n, err)
		}
		o.got = got
	}
	return nil
}

func (o *privateDecrypt) Check() error {
	if err := o.check(); err != nil || o.blank || o.integrity == NoIntegrity {
		return err
	}
	o.checks++
	return tampered(reason.Cause("ciphertext"), o.in, o.checks-1, func(changed []byte) error {
		_, err := o.decrypter.Decrypt(rand.Reader, changed, o.opts)
		return err
	})
}

func (o *privateDecrypt) Close() error { return nil }
func (o *privateDecrypt) Loop() string { return LoopPrivateDecrypt }
