// Package gostd measures Go's standard library: AES in the modes of crypto/cipher,
// AES-CBC with HMAC-SHA-256 put together from its parts, handshakes of crypto/tls, in
// hash.go its hashes, and in the other files what it has with key pairs.
package gostd

import (
	"crypto"
	"crypto/aes"
	"crypto/fips140"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func Providers(v provider.Vectors) []provider.Provider {
	shared := new(bulkhash.Shared)
	offers := []gobinding.Offer{
		many(md5Loops(), algorithm.MD5, shared), many(sha256Loops, algorithm.SHA256, shared), file(shared),
		gobinding.MACs(algorithm.HMACSHA256, allowedHash, gobinding.HMACs(sha256.New)).By(hashKernel, arx),
		gobinding.Logins(algorithm.PBKDF2SHA256, nil, gobinding.PBKDF2(sha256.New)).By(hashKernel, arx),
		// Opened alone: that a policy forbids GCM with a nonce of the caller's choice is of no matter.
		gobinding.Configurations(nil, aes.NewCipher, algorithm.AES256).By(cipherKernel, cipherTiming),
		rsaKeys(), keyPairs(), hashes(), envelopes(), handshakes(), services(), goroutines(), draws(), blockCipher(),
	}
	if !isa.AMD64 && !isa.ARM64 {
		for i := range offers {
			offers[i].Kernel = gobinding.Always("unknown")
		}
	}
	s := result.Subject{Library: subject.Go, Version: runtime.Version(), CallPath: subject.Direct}
	return []provider.Provider{gobinding.New(s, v, offers...)}
}

// The standard library has no ECB, so the loop over blocks stands for it.
func blockCipher() gobinding.Offer {
	const oneByOne = "one block at a time in both directions"
	bc := loop.BlockCipher{New: aes.NewCipher, Hash: sha256.New, MAC: algorithm.HMACSHA256, Allowed: allowedMode}
	return gobinding.BlockCipher(bc, "aes.NewCipher", gobinding.Notes{
		algorithm.ECB: "Go has no ECB: one call of the block cipher for each block",
		algorithm.CBC: oneByOne, algorithm.CFB: oneByOne, algorithm.OFB: oneByOne,
	}, algorithm.AES128, algorithm.AES192, algorithm.AES256).By(cipherKernel, cipherTiming)
}

func allowedMode(c result.Case) error {
	switch {
	case !fips140.Enforced():
		return nil
	case c.Mode == algorithm.CFB, c.Mode == algorithm.OFB:
		return provider.Unsupported("fips-mode", c.Mode)
	case c.Mode == algorithm.GCM:
		return provider.Unsupported("fips-nonce")
	}
	return nil
}

// cipherKernel follows the dispatch of crypto/internal/fips140/aes (aes_asm.go,
// cbc_noasm.go, ctr_asm.go), and its gcm (gcm_asm.go): one block at a time but for CTR,
// eight at a time, and GCM, which has a kernel of its own if the CPU multiplies
// without carries.
func cipherKernel(c result.Case) string {
	block := "armv8-aes"
	switch {
	case !accelerated():
		block = "generic tables"
	case isa.AMD64:
		block = "aesni"
	}
	switch {
	case c.Mode == algorithm.ECB:
		return block + " block-loop"
	case c.Mode == algorithm.CBCHMACSHA256:
		return block + ", sha256 " + sha256Kernel()
	case !accelerated():
	case c.Mode == algorithm.CTR:
		return block + " 8-block"
	case c.Mode == algorithm.GCM && !isa.CarrylessMultiply():
		return block + ", generic ghash"
	case c.Mode == algorithm.GCM && isa.AMD64:
		return block + "+pclmulqdq"
	case c.Mode == algorithm.GCM:
		return block + "+pmull"
	}
	return block
}

func accelerated() bool { return isa.Assembly && isa.AES() }

// gcm stands for whatever is sealed by GCM.
var gcm = result.Case{Mode: algorithm.GCM}

func cipherTiming(c result.Case) result.ConstantTime {
	switch {
	case !isa.AMD64 && !isa.ARM64:
		return reason.Timing("unknown", "aes-unexamined")
	case !accelerated():
		return reason.Timing("no", "aes-tables")
	case c.Mode == algorithm.GCM && !isa.CarrylessMultiply():
		return reason.Timing("no", "ghash-generic")
	}
	return reason.Timing("yes", "aes-ni")
}

func handshakes() gobinding.Offer {
	return gobinding.Offer{
		Has: func(c result.Case) bool {
			_, ok := handshake.ShapeOf(c)
			return ok
		},
		Open:   gobinding.WithVector(allowedHandshake, handshake.Open),
		Kernel: gobinding.Always("crypto/tls"),
		Timing: gobinding.Always(reason.Timing("unknown", "handshake-parts")),
		Note:   handshake.Note,
	}
}

// allowedHandshake says which handshakes a policy forbids. crypto/tls itself would
// leave out the groups, and the handshake would fail with an alert that says less.
func allowedHandshake(c result.Case) error {
	exchange, _ := algorithm.HandshakeParts(c.Mode)
	switch {
	case fips140.Enforced() && exchange == algorithm.X25519:
		return provider.Unsupported("fips-algorithm", exchange)
	case fips140.Enabled() && exchange == algorithm.X25519:
		return provider.Unsupported("fips-tls")
	case exchange == algorithm.X25519MLKEM768 && setting(parameter.NoMLKEM) == "0":
		return provider.Unsupported("tlsmlkem")
	}
	return nil
}

func setting(name string) string { return parameter.Setting(os.Getenv(parameter.GODEBUG), name) }

func goroutines() gobinding.Offer {
	return gobinding.Offer{
		Has: func(c result.Case) bool { return c.Algorithm == algorithm.Goroutine },
		OpenScenario: func(c result.Case, _ provider.Vectors) (provider.Scenario, error) {
			return bulkhash.OpenGoroutines(c)
		},
		Kernel: gobinding.Always("runtime"),
		Timing: gobinding.Always(reason.Timing("unknown", "no-secret-involved")),
	}
}

// services are those whose connections crypto/tls protects, and those whose answers are sealed by AES.
func services() gobinding.Offer {
	modes := slices.DeleteFunc(algorithm.Payloads(), func(m algorithm.Mode) bool {
		cipher, _, _ := algorithm.PayloadParts(m)
		return cipher != algorithm.AES256
	})
	seal := loop.GCM(aes.NewCipher)
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
func signer(name algorithm.Name, v *provider.Vector) (made service.Signer, err error) {
	key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return made, err
	}
	by, ok := key.(crypto.Signer)
	if !ok {
		return made, reason.New("server-signs", fmt.Sprintf("%T", key))
	}
	var opts crypto.SignerOpts = crypto.SHA256
	if algorithm.RSABits(name) > 0 {
		opts = pss
	}
	made.Sign = func(message []byte) ([]byte, error) {
		digest := sha256.Sum256(message)
		return by.Sign(rand.Reader, digest[:], opts)
	}
	if name == algorithm.Ed25519 {
		made.Sign = func(message []byte) ([]byte, error) { return by.Sign(nil, message, crypto.Hash(0)) }
	}
	made.Public, err = x509.MarshalPKIXPublicKey(by.Public())
	return made, err
}
