package aes

// A Kernel is one implementation in assembly. The zero Kernel is none.
type Kernel uint8

const (
	None   Kernel = iota
	AVX512        // AVX-512 F BW DQ VL VBMI, VAES, VPCLMULQDQ, BMI2
)

// String names the instruction sets that the kernel is made of.
func (k Kernel) String() string {
	if k == AVX512 {
		return "avx512+vaes"
	}
	return "none"
}

// Kernels are those that this processor and operating system can run, fastest first.
func Kernels() []Kernel {
	if supported() {
		return []Kernel{AVX512}
	}
	return nil
}

const (
	blockSize = 16
	// callBytes bounds one call into assembly, which can be stopped at its start only: 2 to 4 µs.
	callBytes = 64 << 10
	// chainBytes does the same for CBC encryption of one message: 4 µs at 10 ns a block.
	chainBytes = 8 << 10
)
