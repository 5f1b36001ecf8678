package machine

import (
	"slices"

	"golang.org/x/sys/cpu"
)

// feature is one that some cipher, hash, multiplication or random number
// generator under test makes use of.
type feature struct {
	name string // as it is reported
	seen bool   // by the runtime; never where x/sys/cpu does not look
}

// featuresOf lists what matters on an architecture, in the order it is
// reported. The list is part of [Key]: another feature makes other keys.
func featuresOf(arch string) []feature {
	x, a := &cpu.X86, &cpu.ARM64
	switch arch {
	case "amd64", "386":
		return []feature{
			{"ssse3", x.HasSSSE3}, {"aes", x.HasAES}, {"pclmulqdq", x.HasPCLMULQDQ},
			{"rdrand", x.HasRDRAND}, {"avx", x.HasAVX}, {"avx2", x.HasAVX2}, {"bmi2", x.HasBMI2},
			{"adx", x.HasADX}, {"sha_ni", false}, {"avx512f", x.HasAVX512F},
			{"avx512bw", x.HasAVX512BW}, {"avx512vl", x.HasAVX512VL}, {"avx512ifma", x.HasAVX512IFMA},
			{"avx512vbmi", x.HasAVX512VBMI}, {"gfni", x.HasAVX512GFNI}, {"vaes", x.HasAVX512VAES},
			{"vpclmulqdq", x.HasAVX512VPCLMULQDQ}, {"sha512", false}, {"sm3", false}, {"sm4", false},
		}
	case "arm64":
		return []feature{
			{"neon", a.HasASIMD}, {"aes", a.HasAES}, {"pmull", a.HasPMULL}, {"sha1", a.HasSHA1},
			{"sha2", a.HasSHA2}, {"sha512", a.HasSHA512}, {"sha3", a.HasSHA3}, {"sm3", a.HasSM3},
			{"sm4", a.HasSM4}, {"sve", a.HasSVE}, {"sve2", a.HasSVE2}, {"sveaes", false},
			{"svesm4", false}, {"rng", false},
		}
	}
	return nil
}

func named(arch string, there func(feature) bool) []string {
	names := []string{} // a list in JSON, though it be empty
	for _, f := range featuresOf(arch) {
		if there(f) {
			names = append(names, f.name)
		}
	}
	return names
}

// features prefers the kernel's list: it knows more names, and leaves out what
// the kernel has switched off.
func features(f Facts, info cpuInfo) []string {
	flags := info.flags()
	if len(flags) == 0 {
		return append([]string{}, f.CPU.Features...)
	}
	return named(f.Arch, func(f feature) bool {
		// /proc/cpuinfo calls neon asimd.
		return slices.Contains(flags, f.name) || f.name == "neon" && slices.Contains(flags, "asimd")
	})
}
