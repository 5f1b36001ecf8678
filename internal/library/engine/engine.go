// Package engine measures our own SM4, package sm4, as any other library: in its
// own ECB and in the modes of crypto/cipher, and SM4-CBC with HMAC-SM3 put together
// with gmsm's SM3; and in hash.go our own hashing of many messages, package
// multibuffer. Each of their kernels is a subject.
package engine

import (
	"crypto/cipher"
	"crypto/fips140"

	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// Providers lists the kernels that this machine can run, fastest first, those of SM4
// before those that hash. Where it can run none of SM4, gmsm does the engine's work,
// and that is the one subject.
func Providers(v provider.Vectors) (ps []provider.Provider) {
	names := sm4.Implementations()
	kernels := names[:len(names)-1] // the last is gmsm, which is measured as itself
	if len(kernels) == 0 {
		kernels = names
	}
	for _, name := range kernels {
		ps = append(ps, library{v, name})
	}
	return append(ps, hashers(v)...)
}

type library struct {
	vectors        provider.Vectors
	implementation string
}

func (l library) Subject() result.Subject {
	return result.Subject{Library: "cryptogauge", Version: provider.ModuleVersion("github.com/cryptogauge/cryptogauge"),
		Implementation: l.implementation, CallPath: "go"}
}

func (l library) cipher() loop.BlockCipher {
	return loop.BlockCipher{
		New:     func(key []byte) (cipher.Block, error) { return sm4.NewWith(key, l.implementation) },
		ECB:     ecb,
		Hash:    sm3.New,
		MAC:     "HMAC-SM3",
		Allowed: allowed,
	}
}

func ecb(b cipher.Block, d loop.Direction) cipher.BlockMode {
	c := b.(*sm4.Cipher)
	if d == loop.Decrypt {
		return c.NewECBDecrypter()
	}
	return c.NewECBEncrypter()
}

func (l library) Open(c result.Case) (provider.Operation, error) {
	if err := offers(c); err != nil {
		return nil, err
	}
	if c.Operation == streaming.Operation {
		return l.openStream(c)
	}
	return l.cipher().Open(c, l.vectors)
}

func (l library) OpenScenario(c result.Case) (provider.Scenario, error) {
	if err := offers(c); err != nil {
		return nil, err
	}
	return l.cipher().OpenScenario(c, l.vectors)
}

// openStream seals a big file in chunks, under GCM.
func (l library) openStream(c result.Case) (provider.Operation, error) {
	if c.Mode != "GCM" {
		return nil, provider.Absent("not-offered", "cryptogauge", c.Name()+" "+c.Operation)
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	return streaming.Open(c, l.vectors, streaming.GCM(l.cipher().New))
}

func offers(c result.Case) error {
	if c.Algorithm != "SM4" {
		return provider.Absent("not-offered", "cryptogauge", c.Algorithm)
	}
	return nil
}

func allowed(result.Case) error {
	if fips140.Enforced() {
		return provider.Unsupported("fips-algorithm", "SM4")
	}
	return nil
}

func (l library) ConstantTime(c result.Case) result.ConstantTime {
	switch {
	case l.implementation == "gmsm":
		return reason.Timing("unknown", "gmsm-works")
	case c.Mode == "CBC+HMAC-SM3":
		return reason.Timing("yes", "gfni-sm3")
	}
	return reason.Timing("yes", "gfni")
}

func (l library) Note(c result.Case) string {
	if c.Operation == streaming.Operation {
		return streaming.Note(c, l.vectors)
	}
	switch c.Operation {
	case "schedule":
		return "sm4.NewCipher, for this kernel"
	case "new", "new+encrypt":
		return "sm4.NewCipher and cipher.NewGCM"
	}
	switch c.Mode {
	case "CFB", "OFB":
		return "crypto/cipher's generic mode around the library's single blocks"
	case "CBC+HMAC-SM3":
		return "put together: PKCS #7 padding, CBC, then HMAC with gmsm's SM3 over IV and ciphertext"
	}
	return ""
}
