//go:build amd64 && !purego

package multibuffer

import (
	"golang.org/x/sys/cpu"

	"github.com/cryptogauge/cryptogauge/internal/kernel/cpuid"
)

// supported also obeys GODEBUG=cpu.NAME=off. Turning AVX or AVX2 off takes what is built on it, as in
// internal/kernel/sm4.
func supported(k Kernel) bool {
	x := &cpu.X86
	switch k {
	case AVX512:
		return x.HasAVX && x.HasAVX2 && x.HasAVX512 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	case SHA:
		return x.HasSSSE3 && x.HasAVX && x.HasAVX2 && hasSHA
	case AVX2:
		return x.HasAVX && x.HasAVX2
	}
	return false
}

// hasSHA says whether there are SHA extensions, which x/sys/cpu doesn't report.
var hasSHA = func() bool {
	_, ebx7, _ := cpuid.Features()
	return ebx7&(1<<29) != 0
}()

//go:noescape
func wideEarliest(end *[64]uint64) (first, lanes uint64)

//go:noescape
func wideFill(l *Lanes, messages *[]byte, eights int) (differences uint64)

//go:noescape
func wideFetch(start *byte)

//go:noescape
func wideMD5Digests(l *Lanes, digests *[64][16]byte)

//go:noescape
func wideLongDigests(state *uint32, digests *[16][32]byte)

//go:noescape
func narrowMD5(state *[64]uint32, from *[16]*byte, blocks int)

//go:noescape
func narrowSM3(state *[64]uint32, from *[8]*byte, blocks int)

//go:noescape
func pairSHA256(state *[16]uint32, from *[2]*byte, blocks int)

//go:noescape
func pairSHA1(state *[10]uint32, from *[2]*byte, blocks int)

//go:noescape
func wideMD516(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideMD532(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideMD548(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideMD564(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideSM316(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideSM332(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideSHA25616(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideSHA25632(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideSHA116(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideSHA132(l *Lanes, clock uint64, blocks int)

//go:noescape
func wideSHA148(l *Lanes, clock uint64, blocks int)
