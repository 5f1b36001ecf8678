package gmsm

import (
	"os"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// The library decides by CPU flags and three variables of the environment when
// it is loaded (internal/sm4/cipher_asm.go). This is the same decision:
//
//	FORCE_SM4BLOCK_AESNI=1   single blocks by instructions rather than tables
//	DISABLE_GFNI=1           no GFNI on x86
//	DISABLE_SM4NI=1          no SM4 instructions on ARM

const tables = "generic tables"

// Implementation names the kernel. Single blocks, and with them CBC encryption,
// CFB and OFB, go through tables in Go unless forced; whole messages through
// wide kernels. On x86 those use GFNI for eight blocks and more, and AES-NI for
// fewer, but for CTR, which always makes eight (*_amd64.s).
func (library) Implementation(c result.Case) string {
	if !isa.AMD64 && !isa.ARM64 {
		return "unknown"
	}
	if keyPair(c) != nil {
		return keyPairKernel(c)
	}
	switch {
	case c.Algorithm == "SM2":
		return sm2Kernel()
	case hashes.Has(c):
		return sm3Kernel()
	case c.Algorithm == algorithm.Envelope:
		return envelopeKernel(c)
	case c.Operation == "schedule":
		return scheduleKernel()
	}
	if n, _ := seeded.MixOf(c); n > 0 {
		return mixed(c)
	}
	switch c.Mode {
	case "ECB":
		return bulk(c.Bytes)
	case "CTR":
		return bulk(wideBytes)
	case "GCM":
		return gcm(c.Bytes)
	case "CBC":
		return cbc(c.Operation, c.Bytes)
	case "CBC+HMAC-SM3":
		return cbc(c.Operation, c.Bytes&^15+16) + ", sm3 " + sm3Kernel()
	}
	return single()
}

// mixed names the kernels of messages of all sizes.
func mixed(c result.Case) string {
	c.Parameters = ""
	of := func(n int64) string { c.Bytes = n; return library{}.Implementation(c) }
	if long, short := of(2*wideBytes), of(16); short != long {
		return long + " (" + short + " below 128 bytes)"
	}
	return of(16)
}

// cbc names the kernel for n bytes of ciphertext.
func cbc(operation string, n int64) string {
	if operation == "decrypt" {
		return bulk(n - 1) // its wide loop leaves the last eight blocks to the narrow one
	}
	return single()
}

func sm4Instructions() bool {
	return isa.Assembly && isa.ARM64 && isa.SM4() && os.Getenv("DISABLE_SM4NI") != "1"
}

// wideBytes is what the kernels with GFNI take at once.
const wideBytes = 128

// bulk is the kernel for whole messages of n bytes.
func bulk(n int64) string {
	switch {
	case sm4Instructions():
		return "sm4ni"
	case !isa.Assembly || !isa.AES():
		return tables
	case isa.ARM64:
		return "neon+aes"
	case !isa.AVX2():
		return "sse+aesni"
	case n < wideBytes:
		return "avx+aesni"
	}
	return "avx2+" + sbox()
}

// single is the kernel for one block.
func single() string {
	switch {
	case sm4Instructions():
		return "sm4ni"
	case !isa.Assembly || !isa.AES() || os.Getenv("FORCE_SM4BLOCK_AESNI") != "1":
		return tables
	case isa.ARM64:
		return "neon+aes single-block"
	case !isa.AVX2():
		return "aesni single-block"
	}
	return sbox() + " single-block"
}

// sbox says with which instructions the kernels substitute bytes, given AVX2.
func sbox() string {
	if os.Getenv("DISABLE_GFNI") == "1" {
		return "aesni"
	}
	switch isa.GFNI() {
	case isa.Yes:
		return "gfni"
	case isa.No:
		return "aesni"
	}
	return "unknown"
}

// scheduleKernel is what expands a key (expandKeyAsm, or Go code).
func scheduleKernel() string {
	switch {
	case sm4Instructions():
		return "sm4ni"
	case !isa.Assembly || !isa.AES():
		return tables
	case isa.ARM64:
		return "neon+aes"
	}
	return "aesni"
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

func sm3Kernel() string {
	switch {
	case !isa.Assembly:
		return "generic"
	case isa.ARM64 && isa.SM3() && os.Getenv("DISABLE_SM3NI") != "1":
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

// ConstantTime is about the kernels: a mode is as good as its weakest part.
func (library) ConstantTime(c result.Case) result.ConstantTime {
	if !isa.AMD64 && !isa.ARM64 {
		return reason.Timing("unknown", "gmsm-unexamined")
	}
	if keyPair(c) != nil {
		return keyPairConstantTime(c)
	}
	if c.Algorithm == "SM2" {
		return sm2ConstantTime(c)
	}
	if hashes.Has(c) {
		return hashConstantTime()
	}
	if c.Algorithm == algorithm.Envelope {
		return library{}.ConstantTime(envelopePayload(c)) // SM2's part is constant-time by gmsm's documentation
	}
	if c.Operation == "schedule" {
		if scheduleKernel() == tables {
			return reason.Timing("no", "schedule-table")
		}
		return reason.Timing("yes", "schedule-instructions", scheduleKernel())
	}
	wide := bulk(c.Bytes) != tables
	constant := single() != tables
	decryptsCBC := (c.Mode == "CBC" || c.Mode == "CBC+HMAC-SM3") && c.Operation == "decrypt"
	switch {
	case wide && c.Mode == "GCM" && !isa.CarrylessMultiply():
		return reason.Timing("no", "ghash-tables")
	case wide && c.Mode == "GCM" && !constant:
		return reason.Timing("no", "mask-tables")
	case wide && (constant || decryptsCBC || c.Mode == "ECB" || c.Mode == "CTR"):
		return reason.Timing("yes", "sbox-vector", library{}.Implementation(c))
	}
	return reason.Timing("no", "single-tables")
}
