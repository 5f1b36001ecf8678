//go:build linux && (amd64 || arm64)

package openssl

import (
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestKernel: what is said of the code that runs follows from the version and what
// the library found of the CPU, and is nothing where either was not examined.
func TestKernel(t *testing.T) {
	wide := cpu{0xfffa3203078bffff, 0x405fc6f1bf07ab} // a Zen 4
	none := cpu{0x078bffff, 0}
	noAES := slices.Clone(wide)
	noAES[0] &^= 1<<bitAESNI | 1<<bitPCLMULQDQ
	gcm := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt"}
	cbc := result.Case{Algorithm: "AES-128", Mode: "CBC", Operation: "decrypt"}
	composite := result.Case{Algorithm: "AES-256", Mode: "CBC+HMAC-SHA-256", Operation: "encrypt", Parameters: "padding=pkcs7"}
	sha := result.Case{Algorithm: "SHA-256", Operation: "hash"}
	sm4 := result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt"}
	rsa := result.Case{Algorithm: "RSA-2048", Mode: "PSS-SHA-256", Operation: "sign"}
	for _, test := range []struct {
		version string
		cpu     cpu
		c       result.Case
		kernel  string
		steady  string // is it constant-time?
	}{
		{"3.0.19", wide, gcm, "aesni+pclmulqdq", "yes"},
		{"3.5.9", wide, gcm, "vaes+vpclmulqdq", "yes"},
		{"3.0.19", wide, cbc, "aesni", "yes"},
		{"3.0.19", wide, composite, "aesni, sha-ni", "yes"},
		{"3.0.19", wide, sha, "sha-ni", "yes"},
		{"3.0.19", wide, sm4, "generic tables", "no"},
		{"3.0.19", wide, rsa, "unknown", "unknown"},
		{"3.0.19", noAES, gcm, "unknown", "unknown"},
		{"3.0.19", none, cbc, "unknown", "unknown"},
		{"3.0.19", none, sha, "unknown", "yes"},
		{"3.9.0", wide, gcm, "unknown", "unknown"},
		{"4.0.0", wide, cbc, "unknown", "unknown"},
		{"3.0.19", nil, cbc, "unknown", "unknown"}, // a library without assembly
		{"3.0.19", nil, sm4, "unknown", "unknown"},
	} {
		o := on{cbinding.Provider{Kind: kindOf}, &Library{&cbinding.Library{Release: test.version}, test.cpu}}
		if got := o.Implementation(test.c); got != test.kernel {
			t.Errorf("%s %s: %s is %q, want %q", test.version, test.c.Operation, test.c.Name(), got, test.kernel)
		}
		if got := o.ConstantTime(test.c); got.Value != test.steady {
			t.Errorf("%s %s: %s is constant-time: %q, want %q", test.version, test.c.Operation, test.c.Name(), got.Value, test.steady)
		}
	}
}
