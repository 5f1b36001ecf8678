package gmsm

import (
	"crypto/cipher"
	"crypto/rand"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// The envelope of the Chinese standards: SM4's key encrypted by SM2. Its parts are
// those of GB/T 35275-2017's enveloped data; its framing is the laboratory's.
const sm2Envelope = "SM2+SM4-GCM"

func offersEnvelope(c result.Case) error {
	sealed := c.Operation == "seal" || c.Operation == "open"
	if sealed && (c.Mode == sm2Envelope && c.Parameters == "" || c.Mode == "SM4-GCM" && c.Parameters == parameter.ReusedKey) {
		return nil
	}
	return provider.Absent("not-offered", "gmsm", c.Name())
}

func openEnvelope(c result.Case, v *provider.Vector) (provider.Operation, error) {
	seals := underSM2
	if c.Parameters == parameter.ReusedKey {
		seals = underReusedKey
	}
	seal, open, err := seals(v)
	if err != nil {
		return nil, err
	}
	if c.Operation == "seal" {
		return loop.NewEnvelopeSeal(seal, v), nil
	}
	return loop.NewEnvelopeOpen(open, v), nil
}

const (
	sm4Key     = 16
	nonceSize  = 12
	wrappedKey = 65 + 32 + sm4Key // C1‖C3‖C2, C1 uncompressed
)

func underKey(key []byte) (cipher.AEAD, error) {
	b, err := sm4.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

// sealWith draws a nonce, writes it, and seals.
func sealWith(a cipher.AEAD, dst, message []byte) []byte {
	var nonce [nonceSize]byte
	_, _ = rand.Read(nonce[:]) // never fails
	return a.Seal(append(dst, nonce[:]...), nonce[:], message, nil)
}

func openWith(a cipher.AEAD, dst, sealed []byte) ([]byte, error) {
	return a.Open(dst, sealed[:nonceSize], sealed[nonceSize:], nil)
}

func underReusedKey(v *provider.Vector) (seal, open loop.EnvelopeFunc, err error) {
	a, err := underKey(v.Key)
	if err != nil {
		return nil, nil, err
	}
	seal = func(dst, message []byte) ([]byte, error) { return sealWith(a, dst, message), nil }
	open = func(dst, sealed []byte) ([]byte, error) { return openWith(a, dst, sealed) }
	return seal, open, nil
}

func underSM2(v *provider.Vector) (seal, open loop.EnvelopeFunc, err error) {
	private, err := sm2.NewPrivateKey(v.Key)
	if err != nil {
		return nil, nil, err
	}
	seal = func(dst, message []byte) ([]byte, error) {
		key := make([]byte, sm4Key)
		_, _ = rand.Read(key) // never fails
		wrapped, err := sm2.Encrypt(rand.Reader, &private.PublicKey, key, nil)
		if err != nil {
			return nil, err
		}
		a, err := underKey(key)
		if err != nil {
			return nil, err
		}
		return sealWith(a, append(dst, wrapped...), message), nil
	}
	open = func(dst, sealed []byte) ([]byte, error) {
		key, err := private.Decrypt(rand.Reader, sealed[:wrappedKey], nil)
		if err != nil {
			return nil, err
		}
		a, err := underKey(key)
		if err != nil {
			return nil, err
		}
		return openWith(a, dst, sealed[wrappedKey:])
	}
	return seal, open, nil
}

func envelopeNote(c result.Case) string {
	if c.Parameters == parameter.ReusedKey {
		return "the key is scheduled before; a nonce of 96 bits is drawn for each message"
	}
	return "a key of 128 bits and a nonce of 96 bits are drawn for each message; the key is encrypted by SM2, C1‖C3‖C2; framed by the laboratory, not as GB/T 35275"
}

// envelopeKernel names what wraps and what encrypts the payload.
func envelopeKernel(c result.Case) string {
	if c.Parameters == parameter.ReusedKey {
		return gcm(c.Bytes)
	}
	return sm2Kernel() + " / " + gcm(c.Bytes)
}

// envelopePayload is the payload of an envelope as a case of its own.
func envelopePayload(c result.Case) result.Case {
	return result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: c.Bytes}
}
