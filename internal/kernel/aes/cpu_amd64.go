//go:build amd64 && !purego

package aes

import "golang.org/x/sys/cpu"

// supported asks x/sys/cpu, which knows what the processor and the operating system have and what
// GODEBUG=cpu.NAME=off takes away.
func supported() bool {
	x := &cpu.X86
	return x.HasAES && x.HasPCLMULQDQ && x.HasSSSE3 && x.HasSSE41 && x.HasOSXSAVE && x.HasAVX && x.HasAVX2 && x.HasBMI2 &&
		x.HasAVX512 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VBMI &&
		x.HasAVX512VAES && x.HasAVX512VPCLMULQDQ
}
