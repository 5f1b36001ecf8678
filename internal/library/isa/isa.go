// Package isa answers which instruction-set extensions a library under test can
// use in this process. Libraries don't tell which kernel they run; they choose
// by CPU flags and environment, and this package reads the same ones, so that a
// provider can name the kernel. GODEBUG=cpu.aes=off and the like are honoured, as
// golang.org/x/sys/cpu and the runtime honour them.
package isa

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

type Answer int

const (
	No Answer = iota
	Yes
	Unknown
)

func answer(b bool) Answer {
	if b {
		return Yes
	}
	return No
}

// AMD64 and ARM64 say what the program runs on; on others no kernel is named.
const (
	AMD64 = runtime.GOARCH == "amd64"
	ARM64 = runtime.GOARCH == "arm64"
)

// AES is AES-NI with the SSE that Go's and gmsm's kernels need, or ARMv8's.
func AES() bool {
	return cpu.X86.HasAES && cpu.X86.HasSSE41 && cpu.X86.HasSSSE3 || cpu.ARM64.HasAES
}

// CarrylessMultiply is PCLMULQDQ or PMULL, for GHASH.
func CarrylessMultiply() bool { return cpu.X86.HasPCLMULQDQ || cpu.ARM64.HasPMULL }

// What x86 has, as far as the OS supports it; of AVX-512 the parts that hashing in
// lanes takes.

func SSSE3() bool { return cpu.X86.HasSSSE3 }
func SSE41() bool { return cpu.X86.HasSSE41 }
func AVX() bool   { return cpu.X86.HasAVX }
func AVX2() bool  { return cpu.X86.HasAVX2 }
func BMI2() bool  { return cpu.X86.HasBMI2 }
func ADX() bool   { return cpu.X86.HasADX }
func AVX512() bool {
	return cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL
}

// ARMv8.2's instructions.

func SM4() bool { return cpu.ARM64.HasSM4 }
func SM3() bool { return cpu.ARM64.HasSM3 }

// SHA256 is SHA-NI or ARMv8's. x/sys does not report SHA-NI, so on x86 it is
// what the kernel of the OS reports.
func SHA256() Answer {
	if ARM64 {
		return answer(cpu.ARM64.HasSHA2)
	}
	return reported("sha", "sha_ni")
}

// GFNI is Galois-field instructions. x/sys reports them only beside AVX-512, and
// many CPUs have them without.
func GFNI() Answer {
	if AMD64 && !off("gfni") && cpu.X86.HasAVX512GFNI {
		return Yes
	}
	return reported("gfni", "gfni")
}

// off says whether GODEBUG turns a CPU feature off, as the last setting has it.
func off(feature string) bool {
	off := false
	for setting := range strings.SplitSeq(os.Getenv(parameter.GODEBUG), ",") {
		name, value, _ := strings.Cut(setting, "=")
		if (name == "cpu."+feature || name == "cpu.all") && (value == "on" || value == "off") {
			off = value == "off"
		}
	}
	return off
}

// reported says whether x86 has a feature, by the name of the OS for its flag, that
// GODEBUG does not turn off.
func reported(feature, flag string) Answer {
	switch flags := osFlags(); {
	case !AMD64 || off(feature):
		return No
	case len(flags) == 0:
		return Unknown
	default:
		return answer(slices.Contains(flags, flag))
	}
}

// osFlags are the CPU flags of /proc/cpuinfo; none where there is no such file.
var osFlags = sync.OnceValue(func() []string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, flags, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "flags" {
			return strings.Fields(flags)
		}
	}
	return nil
})
