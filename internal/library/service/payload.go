package service

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// A body that the application seals is
//
//	nonce ‖ ciphertext ‖ tag
//
// with a nonce of 12 bytes that is drawn for each answer; one that it signs as well is
//
//	nonce ‖ ciphertext ‖ tag ‖ signature ‖ length of the signature in 2 bytes
//
// where all that is before the signature is signed: who verifies it need not open it.

// Signer signs what it is given; Public is its public key, in DER (RFC 5280 §4.1) or, of SM2, the
// uncompressed point.
type Signer struct {
	Sign   func(message []byte) ([]byte, error)
	Public []byte
}

// Sealed is how bodies are sealed and signed, as the client is told.
type Sealed struct {
	By     string         `json:"by"`     // the library that does: the client opens by another
	Cipher algorithm.Name `json:"cipher"` // in GCM
	Key    []byte         `json:"key"`
	Signer algorithm.Name `json:"signer,omitempty"`
	Public []byte         `json:"public,omitempty"`
}

type sealing struct {
	Sealed
	aead    cipher.AEAD
	sign    func(message []byte) ([]byte, error) // nil: unsigned
	buffers sync.Pool
	failed  atomic.Pointer[error] // what the library said or did first
}

// newSealing is nil where bodies are sent as they are.
func (m Maker) newSealing(s Shape, v *provider.Vector) (*sealing, error) {
	if s.Payload == "" {
		return nil, nil
	}
	cipher, signer, _ := algorithm.PayloadParts(s.Payload)
	made := &sealing{Sealed: Sealed{By: m.Library, Cipher: cipher, Key: v.Key, Signer: signer}}
	made.buffers.New = func() any { return new([]byte) }
	return made, provider.Guard(func() (err error) {
		if made.aead, err = m.Seal(v.Key); err != nil || signer == "" {
			return err
		}
		by, err := m.Sign(signer, v)
		made.sign, made.Public = by.Sign, by.Public
		return err
	})
}

func (s *sealing) appendBody(dst, plain []byte) (body []byte, err error) {
	begun := len(dst)
	err = provider.Guard(func() error {
		var nonce [nonceBytes]byte
		_, _ = rand.Read(nonce[:]) // never fails
		body = s.aead.Seal(append(dst, nonce[:]...), nonce[:], plain, nil)
		if s.sign == nil {
			return nil
		}
		signature, err := s.sign(body[begun:])
		body = binary.BigEndian.AppendUint16(append(body, signature...), uint16(len(signature)))
		return err
	})
	if err != nil {
		s.failed.CompareAndSwap(nil, &err)
	}
	return body, err
}

const nonceBytes = 12

// Parts are those of a body.
type Parts struct {
	Nonce, Sealed     []byte // the tag is behind the ciphertext
	Signed, Signature []byte // where there is one
}

// Split finds the parts of a body.
func (s Sealed) Split(body []byte) (p Parts, err error) {
	if s.Signer != "" {
		if len(body) < 2 {
			return p, reason.New("cut-short")
		}
		at := len(body) - 2 - int(binary.BigEndian.Uint16(body[len(body)-2:]))
		if at < 0 {
			return p, reason.New("cut-short")
		}
		p.Signed, p.Signature = body[:at], body[at:len(body)-2]
		body = p.Signed
	}
	if len(body) < nonceBytes {
		return p, reason.New("cut-short")
	}
	p.Nonce, p.Sealed = body[:nonceBytes], body[nonceBytes:]
	return p, nil
}
