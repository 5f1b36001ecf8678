package gostd

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openCollector opens the gc scenario of what works with key pairs.
func (l library) openCollector(c result.Case) (provider.Scenario, error) {
	if err := allowedPublicKey(c); err != nil {
		return nil, err
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	switch c.Name() + " " + c.Operation {
	case "RSA-2048-PSS-SHA-256 sign", "RSA-2048-OAEP-SHA-256 decrypt":
		key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
		if err != nil {
			return nil, err
		}
		if c.Operation == "sign" {
			return loop.SignGC(c, key.(*rsa.PrivateKey), pss, v)
		}
		return loop.DecryptGC(c, key.(*rsa.PrivateKey), &rsa.OAEPOptions{Hash: crypto.SHA256}, v)
	case "ECDSA-P-256 sign":
		key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), v.Key)
		if err != nil {
			return nil, err
		}
		return loop.SignGC(c, key, crypto.SHA256, v)
	case "ECDH-P-256 agree":
		return agreeCollector(c, ecdh.P256(), v)
	case "X25519 agree":
		return agreeCollector(c, ecdh.X25519(), v)
	}
	return nil, provider.Absent("not-offered", "go", c.Name()+" "+c.Operation)
}

const noteCollectedAgreement = "the peer's public key is read and checked inside the call"

func agreeCollector(c result.Case, curve ecdh.Curve, v *provider.Vector) (provider.Scenario, error) {
	key, err := curve.NewPrivateKey(v.Key)
	if err != nil {
		return nil, err
	}
	return loop.AgreeGC(c, func(peer []byte) ([]byte, error) {
		public, err := curve.NewPublicKey(peer)
		if err != nil {
			return nil, err
		}
		return key.ECDH(public)
	}, v)
}
