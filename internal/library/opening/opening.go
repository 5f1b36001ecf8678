// Package opening opens and verifies the bodies that a service seals and signs (internal/library/service), for
// its client: each by another library than the one that sealed it, and those that are to be proved by the
// reference, too.
package opening

import (
	"bytes"
	"crypto"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"math/big"

	"github.com/emmansun/gmsm/sm2"
	gmsm "github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// Opener opens the bodies of one service. Any number of goroutines may use it.
type Opener struct {
	sealed service.Sealed
	aead   cipher.AEAD
	verify func(message, signature []byte) bool
	prove  func(message, signature []byte) error
}

// New makes one. Signatures are verified by a library that may be the one that made them, with another key and by
// other code than the signer's, and those that are proved by the reference.
func New(s service.Sealed) (*Opener, error) {
	newCipher := aes.NewCipher // which leaves the work to the standard library where it has no kernel
	switch {
	case s.Cipher == algorithm.SM4 && s.By == subject.Engine:
		newCipher = gmsm.NewCipher
	case s.Cipher == algorithm.SM4:
		newCipher = sm4.NewCipher // and this to gmsm
	}
	block, err := newCipher(s.Key)
	if err != nil {
		return nil, err
	}
	o := &Opener{sealed: s}
	if o.aead, err = cipher.NewGCM(block); err != nil {
		return nil, err
	}
	switch s.Signer {
	case "":
	case algorithm.SM2:
		err = o.bySM2()
	default:
		err = o.byStandard()
	}
	return o, err
}

// Open verifies a body and opens it behind what is in dst.
func (o *Opener) Open(dst, body []byte) ([]byte, error) {
	p, err := o.sealed.Split(body)
	if err != nil {
		return nil, err
	}
	if o.verify != nil && !o.verify(p.Signed, p.Signature) {
		return nil, reason.New("signature-refused")
	}
	return o.aead.Open(dst, p.Nonce, p.Sealed, nil)
}

// mostProved is up to which length the reference opens a body: it takes 0.1 s for a mebibyte.
const mostProved = 64 << 10

// Prove holds a body against the reference: its signature, and what is in it.
func (o *Opener) Prove(body, want []byte) error {
	p, err := o.sealed.Split(body)
	if err != nil {
		return err
	}
	if o.prove != nil {
		if err := o.prove(p.Signed, p.Signature); err != nil {
			return err
		}
	}
	if len(want) > mostProved {
		return nil
	}
	newCipher := reference.NewAES
	if o.sealed.Cipher == algorithm.SM4 {
		newCipher = reference.NewSM4
	}
	block, err := newCipher(o.sealed.Key)
	if err != nil {
		return err
	}
	opened, err := reference.OpenGCM(block, p.Nonce, p.Sealed, nil)
	if err == nil && !bytes.Equal(opened, want) {
		err = reason.New("other-plaintext")
	}
	return err
}

// bySM2 verifies by gmsm.
func (o *Opener) bySM2() error {
	key, err := sm2.NewPublicKey(o.sealed.Public)
	if err != nil {
		return err
	}
	o.verify = func(message, signature []byte) bool { return sm2.VerifyASN1WithSM2(key, nil, message, signature) }
	o.prove = func(message, signature []byte) error {
		var pair struct{ R, S *big.Int }
		if rest, err := asn1.Unmarshal(signature, &pair); err != nil || len(rest) > 0 {
			return reason.New("signature-der")
		}
		x, y := new(big.Int).SetBytes(o.sealed.Public[1:33]), new(big.Int).SetBytes(o.sealed.Public[33:])
		identity := []byte("1234567812345678") // GB/T 35276-2017's
		return reference.SM2Verify(x, y, identity, message, pair.R, pair.S)
	}
	return nil
}

// byStandard verifies by the standard library.
func (o *Opener) byStandard() error {
	public, err := x509.ParsePKIXPublicKey(o.sealed.Public)
	if err != nil {
		return err
	}
	switch key := public.(type) {
	case ed25519.PublicKey:
		o.verify = func(message, signature []byte) bool { return ed25519.Verify(key, message, signature) }
	case *ecdsa.PublicKey:
		o.verify = func(message, signature []byte) bool {
			digest := sha256.Sum256(message)
			return ecdsa.VerifyASN1(key, digest[:], signature)
		}
	case *rsa.PublicKey:
		o.verify = func(message, signature []byte) bool {
			digest := sha256.Sum256(message)
			return rsa.VerifyPSS(key, crypto.SHA256, digest[:], signature, nil) == nil
		}
	default:
		return reason.New("no-keys", o.sealed.Signer)
	}
	o.prove = func(message, signature []byte) error { return handshake.Prove(public, message, signature) }
	return nil
}
