// Package isa answers which instruction-set extensions a library under test can
// use in this process. Libraries don't tell which kernel they run; they choose
// by CPU flags and environment, and this package reads the same ones, so that a
// provider can name the kernel. GODEBUG=cpu.aes=off and the like are honoured, as
// golang.org/x/sys/cpu and the runtime honour them.
package isa

import (
	"bufio"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"
)

// Answer is yes, no or unknown.
type Answer int

// The answers.
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

// SSSE3 is x86's, as are the next five.
func SSSE3() bool { return cpu.X86.HasSSSE3 }

// SSE41 is SSE4.1.
func SSE41() bool { return cpu.X86.HasSSE41 }

// AVX is AVX with support by the OS.
func AVX() bool { return cpu.X86.HasAVX }

// AVX2 is AVX2 with support by the OS.
func AVX2() bool { return cpu.X86.HasAVX2 }

// AVX512 says whether there are the parts of AVX-512 that hashing in lanes takes.
func AVX512() bool {
	return cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL
}

// BMI2 is the second set of bit manipulation instructions.
func BMI2() bool { return cpu.X86.HasBMI2 }

// ADX is the addition with two carries.
func ADX() bool { return cpu.X86.HasADX }

// SM4 is ARMv8.2's instructions for it.
func SM4() bool { return cpu.ARM64.HasSM4 }

// SM3 is ARMv8.2's instructions for it.
func SM3() bool { return cpu.ARM64.HasSM3 }

// SHA256 is SHA-NI or ARMv8's. x/sys does not report SHA-NI, so on x86 it is
// what the kernel of the OS reports.
func SHA256() Answer {
	if ARM64 {
		return answer(cpu.ARM64.HasSHA2)
	}
	if !AMD64 || Off("sha") {
		return No
	}
	return osReports("sha_ni")
}

// GFNI is Galois-field instructions. x/sys reports them only beside AVX-512, and
// many CPUs have them without.
func GFNI() Answer {
	if !AMD64 || Off("gfni") {
		return No
	}
	if cpu.X86.HasAVX512GFNI {
		return Yes
	}
	return osReports("gfni")
}

// Off says whether GODEBUG turns a CPU feature off, as the last setting has it.
func Off(feature string) bool {
	off := false
	for setting := range strings.SplitSeq(os.Getenv("GODEBUG"), ",") {
		switch setting {
		case "cpu." + feature + "=off", "cpu.all=off":
			off = true
		case "cpu." + feature + "=on", "cpu.all=on":
			off = false
		}
	}
	return off
}

func osReports(flag string) Answer {
	flags := osFlags()
	if len(flags) == 0 {
		return Unknown
	}
	return answer(slices.Contains(flags, flag))
}

// osFlags are the CPU flags of /proc/cpuinfo; none where there is no such file.
var osFlags = sync.OnceValue(func() []string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, flags, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "flags" {
			return strings.Fields(flags)
		}
	}
	return nil
})
