//go:build amd64 && !purego

package sm4

import (
	"reflect"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

// Every single bit that a kernel needs counts, the operating system's included.
func TestEveryFeatureCounts(t *testing.T) {
	for name, need := range map[string]registers{"avx2": needAVX2, "avx512": needAVX512} {
		if !need.cover(need) {
			t.Errorf("%s: a processor with exactly what is needed is refused", name)
		}
		for bit := range uint(32) {
			for word := range 4 {
				have := need
				part := []*uint32{&have.ecx1, &have.ebx7, &have.ecx7, &have.xcr0}[word]
				if *part&(1<<bit) == 0 {
					continue
				}
				*part &^= 1 << bit
				if have.cover(need) {
					t.Errorf("%s: bit %d of word %d is not looked at", name, bit, word)
				}
			}
		}
	}
}

// Signatures of processors, as CPUID gives them.
func TestHalfWidth(t *testing.T) {
	for eax, want := range map[uint32]bool{
		0x00800f11: true, 0x00800f12: true, 0x00800f82: true, // Zen, Zen+
		0x00900f01: true,  // Dhyana
		0x00830f10: false, // Zen 2
		0x00a00f11: false, // Zen 3
		0x000806f8: false, // Sapphire Rapids
		0x00050654: false, // Skylake
		0x00010676: false, // of family 6, too
	} {
		if got := halfWidth(eax); got != want {
			t.Errorf("%#x: %t", eax, got)
		}
	}
}

// GODEBUG=cpu.NAME=off clears one field of x/sys/cpu, and cpu.all=off all of them.
func TestWhatGODEBUGTakesAway(t *testing.T) {
	was := cpu.X86
	defer func() { cpu.X86 = was }()
	x := reflect.ValueOf(&cpu.X86).Elem()
	both := []string{"HasSSSE3", "HasPCLMULQDQ", "HasOSXSAVE", "HasAVX", "HasAVX2", "HasBMI2"}
	wide := []string{"HasAVX512", "HasAVX512F", "HasAVX512BW", "HasAVX512DQ", "HasAVX512VL",
		"HasAVX512GFNI", "HasAVX512VPCLMULQDQ"}
	set := func(names []string, on bool) {
		for _, n := range names {
			x.FieldByName(n).SetBool(on)
		}
	}
	set(slices.Concat(both, wide), true)
	if !enabled(AVX2) || !enabled(AVX512) {
		t.Fatal("a processor with everything is refused")
	}
	for _, n := range slices.Concat(both, wide) {
		set([]string{n}, false)
		if enabled(AVX512) || enabled(AVX2) == slices.Contains(both, n) {
			t.Errorf("without %s: avx512 %t, avx2 %t", n, enabled(AVX512), enabled(AVX2))
		}
		set([]string{n}, true)
	}
}
