// Package gmsm measures github.com/emmansun/gmsm: SM4 in its own ECB and in the
// modes of crypto/cipher, which hand CBC, CTR and GCM over to it, SM4-CBC with
// HMAC-SM3 put together from its parts, SM2, and in keypairs.go and exchange.go key
// generation, ML-DSA, ML-KEM and SM2's key exchange.
package gmsm

import (
	"crypto/cipher"
	"crypto/fips140"

	smcipher "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Providers lists what the library offers.
func Providers(v provider.Vectors) []provider.Provider { return []provider.Provider{library{v}} }

type library struct{ vectors provider.Vectors }

func (library) Subject() result.Subject {
	return result.Subject{Library: "gmsm", Version: provider.ModuleVersion("github.com/emmansun/gmsm"), CallPath: "go"}
}

var blockCipher = loop.BlockCipher{New: sm4.NewCipher, ECB: ecb, Hash: sm3.New, MAC: "HMAC-SM3", Allowed: allowed}

func ecb(b cipher.Block, d loop.Direction) cipher.BlockMode {
	if d == loop.Decrypt {
		return smcipher.NewECBDecrypter(b)
	}
	return smcipher.NewECBEncrypter(b)
}

func (l library) Open(c result.Case) (provider.Operation, error) {
	if c.Operation == algorithm.HashMany {
		return l.openBulk(c)
	}
	if open := keyPair(c); open != nil {
		return l.openKeyPair(c, open)
	}
	if err := offers(c); err != nil {
		return nil, err
	}
	switch c.Algorithm {
	case "SM2":
		return l.open(c, openSM2)
	case "SM3", "HMAC-SM3":
		return l.open(c, hashes.Open)
	case algorithm.Envelope:
		return l.open(c, openEnvelope)
	}
	if c.Operation == streaming.Operation {
		return openStream(c, l.vectors)
	}
	return blockCipher.Open(c, l.vectors)
}

func (l library) OpenScenario(c result.Case) (provider.Scenario, error) {
	if c.Algorithm == "SM2" {
		return l.openCollector(c)
	}
	if err := offers(c); err != nil {
		return nil, err
	}
	return blockCipher.OpenScenario(c, l.vectors)
}

func (l library) open(c result.Case, open func(result.Case, *provider.Vector) (provider.Operation, error)) (provider.Operation, error) {
	if err := allowed(c); err != nil {
		return nil, err
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	return open(c, v)
}

// openStream seals a big file in chunks, under GCM.
func openStream(c result.Case, v provider.Vectors) (provider.Operation, error) {
	if c.Mode != "GCM" {
		return nil, provider.Absent("not-offered", "gmsm", c.Name()+" "+c.Operation)
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	return streaming.Open(c, v, streaming.GCM(sm4.NewCipher))
}

func offers(c result.Case) error {
	switch c.Algorithm {
	case "SM4":
		return nil
	case "SM2":
		return offersSM2(c)
	case "SM3", "HMAC-SM3":
		return hashes.Offers(c)
	case algorithm.Envelope:
		return offersEnvelope(c)
	}
	return provider.Absent("not-offered", "gmsm", c.Algorithm)
}

func allowed(c result.Case) error {
	if fips140.Enforced() && c.Algorithm == algorithm.Envelope {
		return provider.Unsupported("fips-sm2-sm4")
	}
	if fips140.Enforced() {
		return provider.Unsupported("fips-algorithm", c.Algorithm)
	}
	return nil
}

func (l library) Note(c result.Case) string {
	if c.Operation == streaming.Operation {
		return streaming.Note(c, l.vectors)
	}
	if c.Operation == algorithm.HashMany {
		return bulkhash.Note(c)
	}
	if keyPair(c) != nil {
		return keyPairNote(c)
	}
	if c.Algorithm == "SM2" {
		return sm2Note(c)
	}
	if hashes.Has(c) {
		return hashes.Note(c)
	}
	if c.Algorithm == algorithm.Envelope {
		return envelopeNote(c)
	}
	if note := setupNote(c); note != "" {
		return note
	}
	switch c.Mode {
	case "CFB", "OFB":
		return "crypto/cipher's generic mode around the library's single blocks"
	case "CBC+HMAC-SM3":
		return "put together: PKCS #7 padding, CBC, then HMAC over IV and ciphertext"
	}
	return ""
}

// setupNote says what a case without a message, or with a cipher for each, does.
func setupNote(c result.Case) string {
	switch c.Operation {
	case "schedule":
		return "sm4.NewCipher"
	case "new":
		return "sm4.NewCipher and cipher.NewGCM"
	case "new+encrypt":
		return "sm4.NewCipher and cipher.NewGCM for each message, then Seal"
	}
	return ""
}
