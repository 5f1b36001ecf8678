// Package gostd measures Go's standard library: AES in the modes of
// crypto/cipher, AES-CBC with HMAC-SHA-256 put together from its parts, in hash.go
// its hashes, and in public.go what it has with key pairs.
package gostd

import (
	"crypto/aes"
	"crypto/fips140"
	"crypto/sha256"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Providers lists what the library offers.
func Providers(v provider.Vectors) []provider.Provider { return []provider.Provider{library{v}} }

type library struct{ vectors provider.Vectors }

func (library) Subject() result.Subject {
	return result.Subject{Library: "go", Version: runtime.Version(), CallPath: "go"}
}

// The standard library has no ECB, so the loop over blocks stands for it.
var blockCipher = loop.BlockCipher{New: aes.NewCipher, Hash: sha256.New, MAC: "HMAC-SHA-256", Allowed: allowed}

func (l library) Open(c result.Case) (provider.Operation, error) {
	if isBulk(c) {
		return l.openBulk(c)
	}
	if open := publicKey(c); open != nil {
		return l.open(c, allowedPublicKey, open)
	}
	if open := hash(c); open != nil {
		return l.open(c, allowedHash, open)
	}
	if open := envelope(c); open != nil {
		return l.open(c, allowedEnvelope, open)
	}
	if _, ok := handshake.ShapeOf(c); ok {
		return l.open(c, allowedHandshake, func(v *provider.Vector) (provider.Operation, error) { return handshake.Open(c, v) })
	}
	if err := offers(c); err != nil {
		return nil, err
	}
	if c.Operation == streaming.Operation {
		return openStream(c, l.vectors)
	}
	return blockCipher.Open(c, l.vectors)
}

// open asks the policy before it asks for a vector, which may take long to make.
func (l library) open(c result.Case, allowed func(result.Case) error, open opener) (provider.Operation, error) {
	if err := allowed(c); err != nil {
		return nil, err
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	return open(v)
}

// opener makes an operation of a case's vector.
type opener func(*provider.Vector) (provider.Operation, error)

func (l library) OpenScenario(c result.Case) (provider.Scenario, error) {
	if c.Algorithm == algorithm.Goroutine {
		return bulkhash.OpenGoroutines(c)
	}
	if c.Operation == "generate" && c.Parameter("draws") != "" {
		return l.openDraws(c)
	}
	if c != provider.Plain(c) && publicKey(provider.Plain(c)) != nil {
		return l.openCollector(c)
	}
	if err := offers(c); err != nil {
		return nil, err
	}
	return blockCipher.OpenScenario(c, l.vectors)
}

// openStream seals a big file in chunks, under GCM.
func openStream(c result.Case, v provider.Vectors) (provider.Operation, error) {
	if c.Mode != "GCM" {
		return nil, provider.Absent("not-offered", "go", c.Name()+" "+c.Operation)
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	return streaming.Open(c, v, streaming.GCM(aes.NewCipher))
}

func offers(c result.Case) error {
	switch c.Algorithm {
	case "AES-128", "AES-192", "AES-256":
		return nil
	}
	return provider.Absent("not-offered", "go", c.Algorithm)
}

func allowed(c result.Case) error {
	if !fips140.Enforced() {
		return nil
	}
	switch c.Mode {
	case "CFB", "OFB":
		return provider.Unsupported("fips-mode", c.Mode)
	case "GCM":
		return provider.Unsupported("fips-nonce")
	}
	return nil
}

// Implementation follows the dispatch of crypto/internal/fips140/aes (aes_asm.go,
// cbc_noasm.go, ctr_asm.go), its gcm (gcm_asm.go) and sha256 (sha256block_*.go):
// one block at a time but for CTR, eight at a time, and GCM, which has a kernel
// of its own if the CPU multiplies without carries.
func (library) Implementation(c result.Case) string {
	if !isa.AMD64 && !isa.ARM64 {
		return "unknown"
	}
	if isPublicKey(provider.Plain(c)) {
		return publicKernel(c.Algorithm)
	}
	if hash(c) != nil || isBulk(c) {
		return hashKernelOf(c.Algorithm)
	}
	if c.Algorithm == algorithm.Goroutine {
		return "runtime"
	}
	if envelope(c) != nil {
		return envelopeKernel(c)
	}
	if _, ok := handshake.ShapeOf(c); ok {
		return "crypto/tls"
	}
	block := blockKernel()
	switch c.Mode {
	case "ECB":
		return block + " block-loop"
	case algorithm.OneBlock:
		return block
	case "CTR":
		if accelerated() {
			return block + " 8-block"
		}
	case "GCM":
		switch {
		case accelerated() && isa.CarrylessMultiply() && isa.AMD64:
			return block + "+pclmulqdq"
		case accelerated() && isa.CarrylessMultiply():
			return block + "+pmull"
		case accelerated():
			return block + ", generic ghash"
		}
	case "CBC+HMAC-SHA-256":
		return block + ", sha256 " + hashKernel()
	}
	return block
}

func accelerated() bool { return isa.Assembly && isa.AES() }

func blockKernel() string {
	switch {
	case !accelerated():
		return "generic tables"
	case isa.AMD64:
		return "aesni"
	}
	return "armv8-aes"
}

func hashKernel() string {
	if !isa.Assembly {
		return "generic"
	}
	if isa.ARM64 {
		if isa.SHA256() == isa.Yes {
			return "armv8-sha2"
		}
		return "generic"
	}
	if isa.AVX() && isa.SSE41() && isa.SSSE3() {
		switch isa.SHA256() {
		case isa.Yes:
			return "sha-ni"
		case isa.Unknown:
			return "unknown"
		}
	}
	if isa.AVX() && isa.AVX2() && isa.BMI2() {
		return "avx2"
	}
	return "generic"
}

func (library) ConstantTime(c result.Case) result.ConstantTime {
	switch {
	case isPublicKey(provider.Plain(c)):
		return publicConstantTime(c)
	case hash(c) != nil || isBulk(c):
		return hashConstantTime()
	case c.Algorithm == algorithm.Goroutine:
		return reason.Timing("unknown", "no-secret-involved")
	case c.Algorithm == algorithm.TLS13:
		return handshakeConstantTime()
	case envelope(c) != nil:
		return library{}.ConstantTime(payloadOf) // all that wraps is said to be constant-time
	case !isa.AMD64 && !isa.ARM64:
		return reason.Timing("unknown", "aes-unexamined")
	case !accelerated():
		return reason.Timing("no", "aes-tables")
	case c.Mode == "GCM" && !isa.CarrylessMultiply():
		return reason.Timing("no", "ghash-generic")
	}
	return reason.Timing("yes", "aes-ni")
}

func (l library) Note(c result.Case) string {
	if c.Operation == streaming.Operation {
		return streaming.Note(c, l.vectors)
	}
	if c.Operation == algorithm.HashFile {
		return bulkhash.FileNote(c, l.vectors)
	}
	if isBulk(c) {
		return bulkhash.Note(c)
	}
	if c != provider.Plain(c) && c.Operation == "agree" {
		return noteCollectedAgreement
	}
	if isPublicKey(provider.Plain(c)) {
		return publicNote(c)
	}
	if hash(c) != nil {
		return hashNote(c)
	}
	if envelope(c) != nil {
		return envelopeNote(c)
	}
	if c.Algorithm == algorithm.TLS13 {
		return handshake.Note(c)
	}
	switch c.Operation {
	case "schedule":
		return "aes.NewCipher"
	case "new":
		return "aes.NewCipher and cipher.NewGCM"
	case "new+encrypt":
		return "aes.NewCipher and cipher.NewGCM for each message, then Seal"
	}
	switch c.Mode {
	case "ECB":
		return "Go has no ECB: one call of the block cipher for each block"
	case "CBC", "CFB", "OFB":
		return "one block at a time in both directions"
	case "CBC+HMAC-SHA-256":
		return "put together: PKCS #7 padding, CBC, then HMAC over IV and ciphertext"
	}
	return ""
}
