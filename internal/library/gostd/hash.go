package gostd

import (
	"crypto/fips140"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha3"
	stdhash "hash"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// hash returns how a case of a hash is opened, keyed or not, or of what is built
// on one; nil where the library has no such case.
func hash(c result.Case) opener {
	if c.Mode != "" || c.Parameters != "" {
		return nil
	}
	unkeyed := func(make func() stdhash.Hash) opener {
		return func(v *provider.Vector) (provider.Operation, error) { return loop.NewHash(make(), v), nil }
	}
	switch c.Algorithm + " " + c.Operation {
	case "MD5 hash":
		return unkeyed(md5.New)
	case "SHA-256 hash":
		return unkeyed(sha256.New)
	case "SHA3-256 hash":
		return unkeyed(func() stdhash.Hash { return sha3.New256() })
	case "HMAC-SHA-256 mac":
		return func(v *provider.Vector) (provider.Operation, error) {
			return loop.NewHash(hmac.New(sha256.New, v.Key), v), nil
		}
	case "HKDF-SHA-256 derive":
		return func(v *provider.Vector) (provider.Operation, error) { return loop.NewDerive(expand, v), nil }
	}
	return nil
}

func expand(secret, salt, info []byte, n int) ([]byte, error) {
	return hkdf.Key(sha256.New, secret, salt, string(info), n)
}

func allowedHash(c result.Case) error {
	if fips140.Enforced() && c.Algorithm == "MD5" {
		return provider.Unsupported("fips-algorithm", "MD5")
	}
	return nil
}

// hashKernelOf follows sha256block_*.go, sha3_*.go and md5block_decl.go.
func hashKernelOf(algorithm string) string {
	switch algorithm {
	case "MD5":
		if !isa.Assembly {
			return "generic"
		}
		return "assembly"
	case "SHA3-256":
		switch {
		case isa.Assembly && isa.AMD64:
			return "assembly"
		case isa.Assembly && runtime.GOOS == "darwin":
			return "unknown" // the SHA-3 instructions, where the CPU has them
		}
		return "generic"
	}
	return hashKernel()
}

func hashConstantTime() result.ConstantTime { return reason.Timing("yes", "arx-hash") }

func hashNote(c result.Case) string {
	switch c.Operation {
	case "mac":
		return "the key is set before; each message resets the state"
	case "derive":
		return "extract and expand from a secret of 32 bytes, as many bytes as the size says; the result is a new buffer"
	}
	return ""
}
