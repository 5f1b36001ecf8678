package gmsm

import (
	"os"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// The library decides by CPU flags and variables of the environment when it is loaded
// (internal/sm4/cipher_asm.go, internal/sm3). This is the same decision: on x86
// FORCE_SM4BLOCK_AESNI takes instructions for single blocks rather than tables, and
// DISABLE_GFNI leaves out GFNI; on ARM DISABLE_SM4NI and DISABLE_SM3NI leave out the
// instructions for SM4 and SM3.
func isSet(variable string) bool { return os.Getenv(variable) == "1" }

const (
	tables       = "generic tables"
	instructions = "sm4ni"
)

// cipherKernel names SM4's. Single blocks, and with them CBC encryption, CFB and OFB,
// go through tables in Go unless forced; whole messages through wide kernels. On x86
// those use GFNI for eight blocks and more, and AES-NI for fewer, but for CTR, which
// always makes eight (*_amd64.s).
func cipherKernel(c result.Case) string {
	if c.Operation == algorithm.Schedule {
		return scheduleKernel()
	}
	if n, _ := seeded.MixOf(c); n > 0 { // messages of all sizes
		c.Parameters = ""
		of := func(n int64) string { c.Bytes = n; return cipherKernel(c) }
		if long, short := of(2*wideBytes), of(16); short != long {
			return long + " (" + short + " below 128 bytes)"
		}
		return of(16)
	}
	switch c.Mode {
	case algorithm.ECB:
		return bulk(c.Bytes)
	case algorithm.CTR:
		return bulk(wideBytes)
	case algorithm.GCM:
		return gcm(c.Bytes)
	case algorithm.CBC:
		return cbc(c.Operation, c.Bytes)
	case algorithm.CBCHMACSM3:
		return cbc(c.Operation, c.Bytes&^15+16) + ", sm3 " + sm3Kernel(c)
	}
	return single()
}

func cbc(operation algorithm.Operation, n int64) string {
	if operation == algorithm.Decrypt {
		return bulk(n - 1) // its wide loop leaves the last eight blocks to the narrow one
	}
	return single()
}

// scheduleKernel is what expands a key (expandKeyAsm, or Go code): the instructions that the
// kernels for messages are made of, too.
func scheduleKernel() string {
	switch {
	case isa.Assembly && isa.ARM64 && isa.SM4() && !isSet(parameter.DisableSM4NI):
		return instructions
	case !isa.Assembly || !isa.AES():
		return tables
	case isa.ARM64:
		return "neon+aes"
	}
	return "aesni"
}

// wideBytes is what the kernels with GFNI take at once.
const wideBytes = 128

func bulk(n int64) string {
	switch kernel := scheduleKernel(); {
	case !isa.AMD64 || kernel == tables:
		return kernel
	case !isa.AVX2():
		return "sse+aesni"
	case n < wideBytes:
		return "avx+aesni"
	}
	return "avx2+" + sbox()
}

func single() string {
	kernel := scheduleKernel()
	switch {
	case kernel == instructions:
		return kernel
	case kernel == tables || !isSet(parameter.ForceSM4AESNI):
		return tables
	case isa.AVX2():
		kernel = sbox()
	}
	return kernel + " single-block"
}

// sbox says with which instructions the kernels substitute bytes, given AVX2.
func sbox() string {
	if isSet(parameter.DisableGFNI) {
		return "aesni"
	}
	return map[isa.Answer]string{isa.Yes: "gfni", isa.No: "aesni", isa.Unknown: "unknown"}[isa.GFNI()]
}

func gcm(n int64) string {
	switch {
	case bulk(n) == tables:
		return tables
	case !isa.CarrylessMultiply():
		return bulk(wideBytes) + ", generic ghash" // that path always makes eight blocks
	case isa.ARM64:
		return bulk(n) + "+pmull"
	}
	return bulk(n) + "+pclmulqdq"
}

func sm3Kernel(result.Case) string {
	switch {
	case !isa.Assembly:
		return "generic"
	case isa.ARM64 && isa.SM3() && !isSet(parameter.DisableSM3NI):
		return "sm3ni"
	case isa.ARM64:
		return "neon"
	case isa.AVX2() && isa.BMI2():
		return "avx2"
	case isa.SSSE3():
		return "ssse3"
	}
	return "generic"
}

// sm2Kernel follows internal/sm2ec/sm2p256_asm.go: assembly on both architectures,
// with two carry chains where the CPU has them.
func sm2Kernel(result.Case) string {
	switch {
	case !isa.Assembly:
		return "generic"
	case isa.AMD64 && isa.ADX() && isa.BMI2():
		return "adx+bmi2"
	}
	return "assembly"
}

// latticeKernel follows mldsa/field_*.go and mlkem/field_*.go.
func latticeKernel(result.Case) string {
	switch {
	case !isa.Assembly:
		return "generic"
	case isa.ARM64:
		return "neon"
	case isa.AMD64 && isa.AVX2():
		return "avx2"
	}
	return "generic"
}

// cipherTiming is about SM4's kernels: a mode is as good as its weakest part.
func cipherTiming(c result.Case) result.ConstantTime {
	wide := bulk(c.Bytes) != tables
	constant := single() != tables
	decryptsCBC := (c.Mode == algorithm.CBC || c.Mode == algorithm.CBCHMACSM3) && c.Operation == algorithm.Decrypt
	switch {
	case c.Operation == algorithm.Schedule && scheduleKernel() == tables:
		return reason.Timing("no", "schedule-table")
	case c.Operation == algorithm.Schedule:
		return reason.Timing("yes", "schedule-instructions", scheduleKernel())
	case wide && c.Mode == algorithm.GCM && !isa.CarrylessMultiply():
		return reason.Timing("no", "ghash-tables")
	case wide && c.Mode == algorithm.GCM && !constant:
		return reason.Timing("no", "mask-tables")
	case wide && (constant || decryptsCBC || c.Mode == algorithm.ECB || c.Mode == algorithm.CTR):
		kernel, _, _ := strings.Cut(cipherKernel(c), ",") // without that of the MAC, which has no S-box
		return reason.Timing("yes", "sbox-vector", kernel)
	}
	return reason.Timing("no", "single-tables")
}
