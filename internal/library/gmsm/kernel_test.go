package gmsm

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestKernels states the dispatch for a CPU with AVX2, GFNI and PCLMULQDQ. The
// names were verified by time: on a Xeon with GFNI, ECB of 4 KiB takes 3.4 µs and
// 6.5 µs with DISABLE_GFNI=1, and of 64 bytes 0.26 µs either way.
func TestKernels(t *testing.T) {
	if !isa.AMD64 || !isa.Assembly || !isa.AES() || !isa.AVX2() || !isa.BMI2() || !isa.CarrylessMultiply() || isa.GFNI() != isa.Yes {
		t.Skip("another CPU has other kernels")
	}
	tests := []struct {
		mode, operation       string
		bytes                 int64
		plain, noGFNI, forced string
		constant, constForced string
	}{
		{"ECB", "encrypt", 127, "avx+aesni", "avx+aesni", "avx+aesni", "yes", "yes"},
		{"ECB", "encrypt", 128, "avx2+gfni", "avx2+aesni", "avx2+gfni", "yes", "yes"},
		{"CTR", "encrypt", 16, "avx2+gfni", "avx2+aesni", "avx2+gfni", "yes", "yes"},
		{"CBC", "encrypt", 1024, "generic tables", "generic tables", "gfni single-block", "no", "yes"},
		{"CBC", "decrypt", 128, "avx+aesni", "avx+aesni", "avx+aesni", "yes", "yes"},
		{"CBC", "decrypt", 144, "avx2+gfni", "avx2+aesni", "avx2+gfni", "yes", "yes"},
		{"CFB", "decrypt", 1024, "generic tables", "generic tables", "gfni single-block", "no", "yes"},
		{"OFB", "encrypt", 1024, "generic tables", "generic tables", "gfni single-block", "no", "yes"},
		{"GCM", "encrypt", 64, "avx+aesni+pclmulqdq", "avx+aesni+pclmulqdq", "avx+aesni+pclmulqdq", "no", "yes"},
		{"GCM", "decrypt", 1024, "avx2+gfni+pclmulqdq", "avx2+aesni+pclmulqdq", "avx2+gfni+pclmulqdq", "no", "yes"},
		{"CBC+HMAC-SM3", "encrypt", 64, "generic tables, sm3 avx2", "generic tables, sm3 avx2", "gfni single-block, sm3 avx2", "no", "yes"},
		{"CBC+HMAC-SM3", "decrypt", 112, "avx+aesni, sm3 avx2", "avx+aesni, sm3 avx2", "avx+aesni, sm3 avx2", "yes", "yes"},
		{"CBC+HMAC-SM3", "decrypt", 128, "avx2+gfni, sm3 avx2", "avx2+aesni, sm3 avx2", "avx2+gfni, sm3 avx2", "yes", "yes"},
	}
	mixed := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 5000, Parameters: "messages=9,sizes=mix"}
	if got, want := cipherKernel(mixed), "avx2+gfni+pclmulqdq (avx+aesni+pclmulqdq below 128 bytes)"; got != want {
		t.Errorf("messages of all sizes: %s, want %s", got, want)
	}
	for _, environment := range []string{"", "DISABLE_GFNI", "FORCE_SM4BLOCK_AESNI"} {
		t.Run(environment, func(t *testing.T) {
			t.Setenv("DISABLE_GFNI", "")
			t.Setenv("FORCE_SM4BLOCK_AESNI", "")
			if environment != "" {
				t.Setenv(environment, "1")
			}
			for _, test := range tests {
				want, constant := test.plain, test.constant
				switch environment {
				case "DISABLE_GFNI":
					want = test.noGFNI
				case "FORCE_SM4BLOCK_AESNI":
					want, constant = test.forced, test.constForced
				}
				c := result.Case{Algorithm: "SM4", Mode: test.mode, Operation: test.operation, Bytes: test.bytes}
				if got := cipherKernel(c); got != want {
					t.Errorf("%s %s of %d bytes: %s, want %s", c.Name(), c.Operation, c.Bytes, got, want)
				}
				if got := cipherTiming(c); got.Value != constant {
					t.Errorf("%s %s of %d bytes: constant-time %s, want %s", c.Name(), c.Operation, c.Bytes, got.Value, constant)
				}
			}
		})
	}
}
