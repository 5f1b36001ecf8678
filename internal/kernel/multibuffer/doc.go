// Package multibuffer holds kernels that hash many messages at once, one in each 32-bit lane of the
// vector registers: assembly for amd64, and the little Go that chooses the function for a call. It
// decides nothing about which message goes into which lane; the public package of the same name does.
//
// The assembly is written by the program in gen.
//
//	.s file           needs                  functions
//	avx512_amd64.s    AVX-512 F BW DQ VL     wide…    MD5, SM3, SHA-256, SHA-1
//	avx2_amd64.s      AVX2                   narrow…  MD5, SM3
//	sha_amd64.s       the SHA extensions     pair…    SHA-256, SHA-1
//
// No kernel has a table or a branch that depends on data, so a key that is hashed (HMAC) doesn't show
// in time. Lengths do.
package multibuffer

//go:generate go run ./gen
