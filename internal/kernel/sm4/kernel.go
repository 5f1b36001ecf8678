package sm4

// A Kernel is one implementation in assembly. The zero Kernel is none.
type Kernel uint8

const (
	None   Kernel = iota
	AVX2          // AVX2, GFNI and PCLMULQDQ
	AVX512        // AVX-512 F BW DQ VL, GFNI and VPCLMULQDQ
)

// String names the instruction sets that the kernel is made of.
func (k Kernel) String() string {
	switch k {
	case AVX512:
		return "avx512+gfni"
	case AVX2:
		return "avx2+gfni"
	}
	return "none"
}

// Kernels are those that this processor and operating system can run, fastest first.
func Kernels() []Kernel {
	var ks []Kernel
	for _, k := range []Kernel{AVX512, AVX2} {
		if supported(k) {
			ks = append(ks, k)
		}
	}
	return ks
}

const (
	blockSize = 16
	// shortBytes and flightBytes are what the kernels for short messages take at most, pairBytes one turn of
	// the others. What is longer than a flight and shorter than a pair is cut at halfBytes.
	shortBytes  = 32 * blockSize
	halfBytes   = 64 * blockSize
	flightBytes = 96 * blockSize
	pairBytes   = 128 * blockSize
	// callBytes bounds one call into assembly, which can be stopped at its start only: some 5 µs at 7 GB/s.
	callBytes = 32 * halfBytes
	// serialBlocks does the same for CBC encryption of one message: 15 µs at 65 ns a block.
	serialBlocks = 256
)
