// Package sm4 holds the kernels of the SM4 block cipher (GB/T 32907-2016): assembly for amd64 with
// GFNI, and around it the Go that cuts a message into calls. It knows nothing of package cipher; the
// public package of the same name builds the modes on it.
//
// No kernel has a table or a branch that depends on a key or on data. The S-box is computed, as an
// inversion in GF(2⁸) between two affine maps, by gf2p8affineinvqb. The state is kept in the domain of
// the first of these maps all along, and round keys are prepared so that adding one costs nothing: see
// [Schedule], and for the two forms of the kernel gen/word.go and gen/slice.go.
//
// The assembly is written by the program in gen, which derives its constants from the standard's S-box.
//
//	.s file           needs                                   functions
//	avx512_amd64.s    AVX-512 F BW DQ VL, GFNI, VPCLMULQDQ    wide…
//	gfni_amd64.s      AVX2, GFNI, PCLMULQDQ                   narrow…
//
// Constant time is checked twice: ctlint reads the kernels' machine code, and taint runs the Go code
// around them, here and in the public package, under valgrind, with model.go in the kernels' place.
// Counters count as public: where one wraps decides how a message is cut. That of a GCM nonce of other
// than 12 bytes is a hash under the key, so there its last 32 bits show in the time of a message that
// makes them wrap.
//
// Slices given to a Kernel have been checked by the caller: dst is as long as src and either the same
// or disjoint.
package sm4

//go:generate go run ./gen
