// Package floor tells how fast the kernels of SM4 could be if they waited for nothing, for the benchmark
// program: its functions are the kernels of package internal/kernel/sm4 line by line, but their
// inversions and products don't read what was computed before, so that no round waits for the round
// before, no block for the block before, and no hash. What they compute is nothing; how long they take is
// what this processor needs to carry out the instructions, and no kernel of this form can be faster.
// What a kernel takes beyond that it waits.
//
// The program in gen writes the assembly from that of the kernels, and counts the instructions by
// following the jumps of one turn. What it writes is not kept in the repository: make bound generates it
// and builds the benchmark program with the tag floor.
package floor

//go:generate go run ./gen ../avx512_amd64.s

// Counts are the vector instructions of a loop. An instruction is of one of the first five classes, or
// does nothing but load or store; Load and Store are all that touch memory.
type Counts struct {
	GFNI     int // gf2p8affineqb and gf2p8affineinvqb
	Logic    int // XORs of two or three, shifts, comparisons
	Shuffle  int
	Multiply int // vpclmulqdq
	Copy     int // between registers, which current processors carry out by renaming
	Load     int
	Store    int
}

// A Loop is a kernel and its floor.
type Loop struct {
	Counts
	Turn   int    // bytes that Counts are for
	Bytes  int    // bytes that one call of Kernel or of Floor goes through
	Kernel func() // by way of the methods of kernel.Kernel
	Floor  func()
}
