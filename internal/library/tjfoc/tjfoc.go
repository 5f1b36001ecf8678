// Package tjfoc measures github.com/tjfoc/gmsm twice over: its SM4 block cipher
// in the modes of crypto/cipher, with SM2 signatures, and its own helpers, one call
// each.
package tjfoc

import (
	"crypto/fips140"

	"github.com/tjfoc/gmsm/sm3"
	"github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Providers lists what the library offers: the block cipher, then the helpers.
func Providers(v provider.Vectors) []provider.Provider {
	return []provider.Provider{library{v}, helpers{v}}
}

type library struct{ vectors provider.Vectors }

func (library) Subject() result.Subject {
	return result.Subject{Library: "tjfoc", Version: provider.ModuleVersion("github.com/tjfoc/gmsm"), CallPath: "go"}
}

// Its own ECB pads and schedules the key in the call, so here a loop over blocks
// stands for ECB.
var blockCipher = loop.BlockCipher{New: sm4.NewCipher, Hash: sm3.New, MAC: "HMAC-SM3", Allowed: allowed}

func (l library) Open(c result.Case) (provider.Operation, error) {
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
	}
	return blockCipher.Open(c, l.vectors)
}

// OpenScenario asks what garbage costs, and nothing else: what a mode gives away
// is asked of the libraries with modes of their own.
func (l library) OpenScenario(c result.Case) (provider.Scenario, error) {
	switch {
	case c == provider.Plain(c) || c.Algorithm != "SM2" && c.Algorithm != "SM4":
		return nil, provider.Absent("not-offered", "tjfoc", c.Operation)
	case c.Algorithm == "SM2":
		return l.openCollector(c)
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

func offers(c result.Case) error {
	switch c.Algorithm {
	case "SM4":
		return nil
	case "SM2":
		return offersSM2(c)
	case "SM3", "HMAC-SM3":
		return hashes.Offers(c)
	}
	return provider.Absent("not-offered", "tjfoc", c.Algorithm)
}

func allowed(c result.Case) error {
	if fips140.Enforced() {
		return provider.Unsupported("fips-algorithm", c.Algorithm)
	}
	return nil
}

const tables = "generic tables"

// Implementation: there is one kernel, in Go, on every machine.
func (library) Implementation(c result.Case) string {
	if keyPair(c) != nil {
		return "generic"
	}
	if c.Algorithm == "SM2" || hashes.Has(c) {
		return "generic"
	}
	switch c.Mode {
	case "ECB":
		return tables + " block-loop"
	case "CBC+HMAC-SM3":
		return tables + ", sm3 generic"
	}
	return tables
}

func constantTime() result.ConstantTime { return reason.Timing("no", "sbox-table-go") }

func (library) ConstantTime(c result.Case) result.ConstantTime {
	if keyPair(c) != nil {
		return sm2ConstantTime(c)
	}
	if c.Algorithm == "SM2" {
		return sm2ConstantTime(c)
	}
	if hashes.Has(c) {
		return hashConstantTime()
	}
	return constantTime()
}

func (library) Note(c result.Case) string {
	if keyPair(c) != nil {
		return keyPairNote(c)
	}
	if c.Algorithm == "SM2" {
		return noteSM2
	}
	if hashes.Has(c) {
		return hashes.Note(c)
	}
	if note := setupNote(c); note != "" {
		return note
	}
	switch c.Mode {
	case algorithm.OneBlock:
		return "one goroutine at a time may use the library's cipher"
	case "ECB":
		return "one call of the block cipher for each block"
	case "CBC+HMAC-SM3":
		return "put together: PKCS #7 padding, CBC, then HMAC over IV and ciphertext"
	}
	return "crypto/cipher's generic mode around the library's single blocks, which one goroutine at a time may use"
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
