package machine

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// feature is one that some cipher, hash, multiplication or random number
// generator under test makes use of.
type feature struct {
	name string // as it is reported
	flag string // as /proc/cpuinfo calls it
	seen bool   // by the runtime; never where x/sys/cpu does not look
}

// featuresOf lists what matters on an architecture, in the order it is
// reported. The list is part of [Key]: another feature makes other keys.
func featuresOf(arch string) []feature {
	switch arch {
	case "amd64", "386":
		return featuresX86()
	case "arm64":
		return featuresARM64()
	}
	return nil
}

func featuresX86() []feature {
	x := &cpu.X86
	return []feature{
		{"ssse3", "ssse3", x.HasSSSE3},
		{"aes", "aes", x.HasAES},
		{"pclmulqdq", "pclmulqdq", x.HasPCLMULQDQ},
		{"rdrand", "rdrand", x.HasRDRAND},
		{"avx", "avx", x.HasAVX},
		{"avx2", "avx2", x.HasAVX2},
		{"bmi2", "bmi2", x.HasBMI2},
		{"adx", "adx", x.HasADX},
		{"sha_ni", "sha_ni", false},
		{"avx512f", "avx512f", x.HasAVX512F},
		{"avx512bw", "avx512bw", x.HasAVX512BW},
		{"avx512vl", "avx512vl", x.HasAVX512VL},
		{"avx512ifma", "avx512ifma", x.HasAVX512IFMA},
		{"avx512vbmi", "avx512vbmi", x.HasAVX512VBMI},
		{"gfni", "gfni", x.HasAVX512GFNI},
		{"vaes", "vaes", x.HasAVX512VAES},
		{"vpclmulqdq", "vpclmulqdq", x.HasAVX512VPCLMULQDQ},
		{"sha512", "sha512", false},
		{"sm3", "sm3", false},
		{"sm4", "sm4", false},
	}
}

func featuresARM64() []feature {
	x := &cpu.ARM64
	return []feature{
		{"neon", "asimd", x.HasASIMD},
		{"aes", "aes", x.HasAES},
		{"pmull", "pmull", x.HasPMULL},
		{"sha1", "sha1", x.HasSHA1},
		{"sha2", "sha2", x.HasSHA2},
		{"sha512", "sha512", x.HasSHA512},
		{"sha3", "sha3", x.HasSHA3},
		{"sm3", "sm3", x.HasSM3},
		{"sm4", "sm4", x.HasSM4},
		{"sve", "sve", x.HasSVE},
		{"sve2", "sve2", x.HasSVE2},
		{"sveaes", "sveaes", false},
		{"svesm4", "svesm4", false},
		{"rng", "rng", false},
	}
}

// runtimeFeatures are those that x/sys/cpu sees on this machine.
func runtimeFeatures() []string {
	var names []string
	for _, f := range featuresOf(runtime.GOARCH) {
		if f.seen {
			names = append(names, f.name)
		}
	}
	return names
}

// features prefers the kernel's list: it knows more names, and leaves out what
// the kernel has switched off.
func features(p Program, info cpuInfo) []string {
	names := []string{} // a list in JSON, though it be empty
	flags, ok := info.flags()
	if !ok {
		return append(names, p.Features...)
	}
	for _, f := range featuresOf(p.Arch) {
		if flags[f.flag] {
			names = append(names, f.name)
		}
	}
	return names
}
