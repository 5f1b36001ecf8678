package subject

import (
	"slices"
	"strings"
)

// kernelWords are what the names of kernels are made of, on every machine: "avx2+aesni, sm3 avx2".
var kernelWords = []string{
	// Instruction sets, of x86 and of ARM.
	"sse", "ssse3", "sse4.1", "avx", "avx2", "avx512", "aesni", "vaes", "gfni", "pclmulqdq", "vpclmulqdq", "sha-ni", "adx", "bmi2",
	"neon", "aes", "pmull", "armv8-aes", "armv8-sha2", "sm3ni", "sm4ni",
	// How code is made, and what computes which part.
	"generic", "tables", "assembly", "unknown", "serial", "lanes", "8", "16", "single-block", "block-loop", "8-block", "ghash",
	"chacha20", "poly1305", "x25519", "ml-kem", "sha256", "sm3", "below", "128", "bytes",
	// Packages, and ways of calling a library.
	"crypto/tls", "crypto/md5", "crypto/rand", "runtime", "gmsm", "helpers", "oneshot", "coalesced", "final", "ctr-bypass",
}

// KernelWords are the words that the names of kernels are made of.
func KernelWords() []string { return slices.Clone(kernelWords) }

// InKernel are the words of a kernel's name.
func InKernel(name string) []string {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" +,()", r) })
	return slices.DeleteFunc(words, func(w string) bool { return w == "/" })
}
