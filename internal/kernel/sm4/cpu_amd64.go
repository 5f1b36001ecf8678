//go:build amd64 && !purego

package sm4

import (
	"golang.org/x/sys/cpu"

	"github.com/cryptogauge/cryptogauge/internal/kernel/cpuid"
)

// x/sys/cpu reports GFNI only beside AVX-512, so the bits are read here. What GODEBUG=cpu.NAME=off takes away, x/sys/cpu
// says: see enabled.

// registers are the feature words that a kernel's needs are stated in.
type registers struct{ ecx1, ebx7, ecx7, xcr0 uint32 }

func (have registers) cover(need registers) bool {
	return have.ecx1&need.ecx1 == need.ecx1 && have.ebx7&need.ebx7 == need.ebx7 &&
		have.ecx7&need.ecx7 == need.ecx7 && have.xcr0&need.xcr0 == need.xcr0
}

func readRegisters() (r registers) {
	r.ecx1, r.ebx7, r.ecx7 = cpuid.Features()
	if r.ecx1&(1<<27) != 0 { // OSXSAVE: without it the operating system saves no wide registers
		r.xcr0 = cpuid.Saved()
	}
	return r
}

var machine = readRegisters()

// intel says whether Intel made the processor, by the twelve letters of CPUID's first leaf.
func intel() bool {
	_, b, c, d := cpuid.Read(0, 0)
	return b == 0x756e6547 && d == 0x49656e69 && c == 0x6c65746e // GenuineIntel
}

// HalfWidth says whether the processor works on AVX2's registers in halves: AMD's Zen and Zen+ (family 17h, models below
// 30h), and Hygon's Dhyana, which is one (family 18h, models below 4).
func HalfWidth() bool {
	eax, _, _, _ := cpuid.Read(1, 0)
	return halfWidth(eax)
}

// halfWidth takes leaf 1's EAX. Above 0Fh a family is a sum, and a model two parts; nobody else has families so high.
func halfWidth(eax uint32) bool {
	family, model := eax>>8&0xf+eax>>20&0xff, eax>>4&0xf|eax>>12&0xf0
	return family == 0x17 && model < 0x30 || family == 0x18 && model < 4
}

var (
	needAVX2 = registers{
		ecx1: 1<<1 | 1<<9 | 1<<27 | 1<<28, // PCLMULQDQ SSSE3 OSXSAVE AVX
		ebx7: 1<<5 | 1<<8,                 // AVX2 BMI2
		ecx7: 1 << 8,                      // GFNI
		xcr0: 1<<1 | 1<<2,                 // xmm ymm
	}
	needAVX512 = registers{
		ecx1: needAVX2.ecx1,
		ebx7: needAVX2.ebx7 | 1<<16 | 1<<17 | 1<<30 | 1<<31, // AVX512F DQ BW VL
		ecx7: 1<<8 | 1<<10,                                  // GFNI VPCLMULQDQ
		xcr0: 1<<1 | 1<<2 | 1<<5 | 1<<6 | 1<<7,              // and k, zmm
	}
)

func supported(k Kernel) bool {
	switch k {
	case AVX512:
		return machine.cover(needAVX512) && enabled(k)
	case AVX2:
		return machine.cover(needAVX2) && enabled(k)
	}
	return false
}

// enabled says whether GODEBUG leaves what k needs of what it can name.
func enabled(k Kernel) bool {
	x := &cpu.X86
	if !(x.HasSSSE3 && x.HasPCLMULQDQ && x.HasOSXSAVE && x.HasAVX && x.HasAVX2 && x.HasBMI2) {
		return false
	}
	return k == AVX2 || x.HasAVX512 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL &&
		x.HasAVX512GFNI && x.HasAVX512VPCLMULQDQ
}
