package gmsm

import (
	"crypto/rand"

	"github.com/emmansun/gmsm/sm2"

	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// offersSM2 says whether a case is one of SM2's: signatures and encryption.
func offersSM2(c result.Case) error {
	switch c.Operation {
	case "sign", "verify", "encrypt", "decrypt":
		if c.Mode == "" && c.Parameters == "" {
			return nil
		}
	}
	return provider.Absent("not-offered", "gmsm", c.Name()+" "+c.Operation)
}

// openSM2 signs messages for the usual identity and encrypts to C1‖C3‖C2, as the
// library does where nothing else is asked for.
func openSM2(c result.Case, v *provider.Vector) (provider.Operation, error) {
	key, err := sm2.NewPrivateKey(v.Key)
	if err != nil {
		return nil, err
	}
	switch c.Operation {
	case "sign":
		return loop.NewSign(key, sm2.DefaultSM2SignerOpts, v), nil
	case "verify":
		return loop.NewVerify(func(message, signature []byte) error {
			if !sm2.VerifyASN1WithSM2(&key.PublicKey, nil, message, signature) {
				return loop.ErrSignature
			}
			return nil
		}, v), nil
	case "encrypt":
		return loop.NewPublicEncrypt(func(message []byte) ([]byte, error) {
			return sm2.Encrypt(rand.Reader, &key.PublicKey, message, nil)
		}, v), nil
	}
	return loop.NewPrivateDecrypt(key, nil, loop.RefusesTampering, v), nil
}

// openCollector asks what a signature's garbage costs.
func (l library) openCollector(c result.Case) (provider.Scenario, error) {
	if c == provider.Plain(c) || c.Mode != "" || c.Operation != "sign" {
		return nil, provider.Absent("not-offered", "gmsm", c.Name()+" "+c.Operation)
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	key, err := sm2.NewPrivateKey(v.Key)
	if err != nil {
		return nil, err
	}
	return loop.SignGC(c, key, sm2.DefaultSM2SignerOpts, v)
}

// sm2Kernel follows internal/sm2ec/sm2p256_asm.go: assembly on both
// architectures, with two carry chains where the CPU has them.
func sm2Kernel() string {
	switch {
	case !isa.Assembly:
		return "generic"
	case isa.AMD64 && isa.ADX() && isa.BMI2():
		return "adx+bmi2"
	}
	return "assembly"
}

func sm2ConstantTime(c result.Case) result.ConstantTime {
	if c.Operation == "verify" {
		return reason.Timing("yes", "public-key")
	}
	return reason.Timing("yes", "private-gmsm")
}

const (
	noteSM2Signature  = "hashes the signer's identity and a message of 32 bytes with SM3 inside the call"
	noteSM2Encryption = "of a key of 32 bytes"
)

func sm2Note(c result.Case) string {
	if c.Operation == "sign" || c.Operation == "verify" {
		return noteSM2Signature
	}
	return noteSM2Encryption
}
