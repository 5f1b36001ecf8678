package gostd

import (
	"crypto"
	"crypto/aes"
	"crypto/ed25519"
	"crypto/fips140"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// services are those whose connections crypto/tls protects, and those whose answers are sealed by AES.
func services() gobinding.Offer {
	modes := slices.DeleteFunc(algorithm.Payloads(), func(m algorithm.Mode) bool {
		cipher, _, _ := algorithm.PayloadParts(m)
		return cipher != algorithm.AES256
	})
	seal := gobinding.NewBlock(aes.NewCipher).GCM()
	o := gobinding.Services(service.Maker{Library: subject.Go, Allowed: allowedService, Seal: seal, Sign: signer},
		append(modes, algorithm.Cleartext, algorithm.ByTLS, algorithm.ByMutual, algorithm.ByHybrid)...)
	o.Kernel = func(c result.Case) string {
		_, signer, sealed := algorithm.PayloadParts(c.Mode)
		switch {
		case !sealed:
			return "net/http"
		case signer == "":
			return cipherKernel(gcm)
		}
		return cipherKernel(gcm) + " / " + keyKernel(signer)
	}
	return o
}

func allowedService(c result.Case) error {
	_, _, sealed := algorithm.PayloadParts(c.Mode)
	switch {
	case c.Mode == algorithm.ByHybrid && setting(parameter.NoMLKEM) == "0":
		return provider.Unsupported("tlsmlkem")
	case sealed && fips140.Enforced():
		return provider.Unsupported("fips-nonce")
	case !sealed && c.Mode != algorithm.Cleartext && fips140.Enabled():
		return provider.Unsupported("fips-tls")
	}
	return nil
}

// signer signs by a key of the vector: RSA by PSS, and a digest where the scheme takes one.
func signer(_ algorithm.Name, v *provider.Vector) (made service.Signer, err error) {
	key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return made, err
	}
	by, ok := key.(crypto.Signer)
	if !ok {
		return made, reason.New("server-signs", fmt.Sprintf("%T", key))
	}
	made.Sign = func(message []byte) ([]byte, error) {
		digest := sha256.Sum256(message)
		return by.Sign(rand.Reader, digest[:], crypto.SHA256)
	}
	switch key.(type) {
	case ed25519.PrivateKey:
		made.Sign = func(message []byte) ([]byte, error) { return by.Sign(nil, message, crypto.Hash(0)) }
	case *rsa.PrivateKey:
		made.Sign = func(message []byte) ([]byte, error) {
			digest := sha256.Sum256(message)
			return by.Sign(rand.Reader, digest[:], pss)
		}
	}
	made.Public, err = x509.MarshalPKIXPublicKey(by.Public())
	return made, err
}
