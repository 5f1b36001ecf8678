// Package switches holds how libraries are told to do without features of the CPU:
// by variables that only the environment of their worker has. It is what a plan
// turns off and what a report reads an environment as, and nothing else.
//
// A switch that is listed here is what a library documents or reads; whether it has
// an effect on a cipher, on a machine, is for a measurement to tell.
package switches

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

type Feature string

// Features, in the order in which they are shown. Each stands for itself and for
// what builds on it: a CPU without AVX2 has no AVX-512 either.
const (
	AES               Feature = "aes"
	CarrylessMultiply Feature = "clmul"
	SHA               Feature = "sha"
	AVX               Feature = "avx"
	AVX2              Feature = "avx2"
	AVX512            Feature = "avx512"
	VAES              Feature = "vaes" // AES and carry-less multiplication on wide registers
	GFNI              Feature = "gfni"
	All               Feature = "all"
)

func Features() []Feature {
	return []Feature{AES, CarrylessMultiply, SHA, AVX, AVX2, AVX512, VAES, GFNI, All}
}

type Switch struct {
	Feature     Feature
	Environment string // NAME=value, as of a trial's subject
}

// variables are those by which libraries can be told, and what their values mean.
// The order is that of the features.
var variables = []struct {
	libraries []string
	since     int // the first major version of those that read it; 0 where all do
	arch      string
	name      string
	values    []Switch
}{
	// Go's internal/cpu, which crypto and gmsm ask, and golang.org/x/sys/cpu, which
	// golang.org/x/crypto asks, read the same names. What Go's FIPS packages do not ask
	// for has no switch of theirs: AVX-512 is here because people expect one.
	{[]string{subject.Go}, 0, "amd64", parameter.GODEBUG, []Switch{
		{AES, "cpu.aes=off"}, {CarrylessMultiply, "cpu.pclmulqdq=off"}, {SHA, "cpu.sha=off"},
		{AVX, "cpu.avx=off,cpu.avx2=off"}, {AVX2, "cpu.avx2=off"}, {AVX512, "cpu.avx512f=off"}, {All, "cpu.all=off"}}},
	{[]string{subject.Gmsm}, 0, "amd64", parameter.GODEBUG, []Switch{
		{AES, "cpu.aes=off"}, {CarrylessMultiply, "cpu.pclmulqdq=off"}, {AVX, "cpu.avx=off,cpu.avx2=off"}, {AVX2, "cpu.avx2=off"}, {All, "cpu.all=off"}}},
	{[]string{subject.Gmsm}, 0, "amd64", parameter.DisableGFNI, []Switch{{GFNI, "1"}}},
	{[]string{subject.XCrypto}, 0, "amd64", parameter.GODEBUG, []Switch{{AVX, "cpu.avx=off,cpu.avx2=off"}, {AVX2, "cpu.avx2=off"}, {All, "cpu.all=off"}}},
	{[]string{subject.Go, subject.Gmsm}, 0, "arm64", parameter.GODEBUG, []Switch{
		{AES, "cpu.aes=off"}, {CarrylessMultiply, "cpu.pmull=off"}, {SHA, "cpu.sha2=off"}, {All, "cpu.all=off"}}},

	// OPENSSL_ia32cap(3): ~ takes bits away from what CPUID says, of leaf 1 in the first
	// word (EDX, then ECX) and of leaf 7 in the second (EBX, then ECX): of the first, 57
	// is AES, 33 PCLMULQDQ, 60 AVX; of the second, 5 is AVX2, 16, 17, 21, 28, 30 and 31
	// AVX-512, 29 SHA, 41 VAES, 42 VPCLMULQDQ. Without a second word all of leaf 7 is gone.
	{[]string{subject.OpenSSL}, 3, "amd64", parameter.OpenSSLx86, []Switch{
		{AES, "~0x200000000000000:~0x20000000000"}, {CarrylessMultiply, "~0x200000000:~0x40000000000"}, {SHA, ":~0x20000000"},
		{AVX, "~0x1000000000000000:~0xd0230020"}, {AVX2, ":~0xd0230020"}, {AVX512, ":~0xd0230000"}, {VAES, ":~0x60000000000"}, {All, "0x0:0x0"}}},
	// The same on ARM is the whole mask (crypto/arm_arch.h: NEON 1, AES 4, SHA-1 8,
	// SHA-256 0x10, PMULL 0x20), and takes away what is not named.
	{[]string{subject.OpenSSL}, 3, "arm64", parameter.OpenSSLARM, []Switch{
		{AES, "0x39"}, {CarrylessMultiply, "0x1d"}, {SHA, "0x25"}, {All, "0x0"}}},

	// Names that a version does not know are passed over, so each switch takes along
	// what newer versions call the wider forms of the same instructions.
	{[]string{subject.Botan}, 3, "amd64", parameter.BotanClearCPUID, []Switch{
		{AES, "aesni,avx2_aes,avx512_aes"}, {CarrylessMultiply, "clmul,avx2_clmul,avx512_clmul"}, {SHA, "sha,intel_sha"},
		{AVX2, "avx2,avx2_aes,avx2_clmul,avx512,avx512_aes,avx512_clmul"}, {AVX512, "avx512,avx512_aes,avx512_clmul"},
		{VAES, "avx2_aes,avx2_clmul,avx512_aes,avx512_clmul"}, {GFNI, "gfni"},
		{All, "sse2,ssse3,avx2,avx512,bmi2,adx,gfni,aesni,clmul,sha,intel_sha,intel_sha512,intel_sm3,intel_sm4,avx2_aes,avx2_clmul,avx512_aes,avx512_clmul"}}},
	{[]string{subject.Botan}, 3, "arm64", parameter.BotanClearCPUID, []Switch{
		{AES, "armv8aes,arm_aes"}, {CarrylessMultiply, "armv8pmull,arm_pmull"}, {SHA, "armv8sha1,arm_sha1,armv8sha2,arm_sha2"},
		{All, "neon,armv8aes,arm_aes,armv8pmull,arm_pmull,armv8sha1,arm_sha1,armv8sha2,arm_sha2,armv8sha3,armv8sha2_512,armv8sm3,armv8sm4"}}},

	// GCRYCTL_DISABLE_HWF before initialisation; libgcrypt has no variable, so the
	// worker has one.
	{[]string{subject.Libgcrypt}, 0, "amd64", parameter.DisableHWF, []Switch{
		{AES, "intel-aesni"}, {CarrylessMultiply, "intel-pclmul"}, {SHA, "intel-shaext"},
		{AVX, "intel-avx,intel-avx2,intel-vaes-vpclmul"}, {AVX2, "intel-avx2,intel-vaes-vpclmul"}, {VAES, "intel-vaes-vpclmul"}, {All, "all"}}},
	{[]string{subject.Libgcrypt}, 0, "arm64", parameter.DisableHWF, []Switch{
		{AES, "arm-aes"}, {CarrylessMultiply, "arm-pmull"}, {SHA, "arm-sha2"}, {All, "all"}}},
}

// Of lists the switches of a library's version on an architecture, in the order of
// the features. Nil where it has none.
func Of(library, version, arch string) (of []Switch) {
	for _, v := range variables {
		if !slices.Contains(v.libraries, library) || v.arch != arch || major(version) < v.since {
			continue
		}
		for _, s := range v.values {
			of = append(of, Switch{s.Feature, v.name + "=" + s.Environment})
		}
	}
	slices.SortStableFunc(of, func(a, b Switch) int {
		return slices.Index(Features(), a.Feature) - slices.Index(Features(), b.Feature)
	})
	return of
}

// major is the number before a version's first dot; 0 where there is none, as in
// the versions of Go's modules.
func major(version string) int {
	before, _, _ := strings.Cut(version, ".")
	n, _ := strconv.Atoi(before)
	return n
}

// FeatureOf says which feature of a library an environment switches off.
func FeatureOf(library, environment string) (Feature, bool) {
	for _, v := range variables {
		for _, s := range v.values {
			if slices.Contains(v.libraries, library) && environment == v.name+"="+s.Environment {
				return s.Feature, true
			}
		}
	}
	return "", false
}
