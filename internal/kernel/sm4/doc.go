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
// Each begins with a check of the stack, where a goroutine can be stopped; kernel.go bounds what one call
// takes, so that the garbage collector, which stops them all, waits for microseconds. ctlint looks for it.
//
// Constant time is checked twice: ctlint reads the kernels' machine code, and taint runs the Go code
// around them, here and in the public package, under valgrind, with model.go in the kernels' place.
// Counters count as public: where one wraps decides how a message is cut. That of a GCM nonce of other
// than 12 bytes is a hash under the key, so there its last 32 bits show in the time of a message that
// makes them wrap.
//
// # What bounds it
//
// make bound measures it for the machine it runs on: the instructions of each kernel, counted from
// the assembly, how long they take when nothing waits (package floor), and how long the kernel does. On an
// AMD EPYC with Zen 4 (family 25, model 17, about 3.65 GHz) 512-bit instructions take two turns in pipes
// of 256 bits: of affine maps, inversions and shuffles one starts in a cycle, of XORs two, of ternary XORs
// five in three cycles, for want of register ports, of stores one in two, of carry-less products one in
// two whatever their width. A round of 64 blocks is 8 inversions and 14 XORs, 11 cycles at best, 11.6 for
// the mix, 12.5 with the four stores of the pair form. In cycles per KiB, all of one run:
//
//	                 floor  kernel    gmsm  gmsm/floor
//	ECB                590     618    2465        4.2  instructions
//	CTR                558     590    6220       11.1  instructions
//	CBC decryption     576     599    2593        4.5  instructions
//	GCM seal           685     709    4952        7.2  instructions
//	GCM open           699     749    4890        7.0  instructions, and the message read twice
//	64 streams         715     931   34587       48    a quarter waits: one set of blocks, none beside it
//	ECB of 4 blocks   3373    4141   13898        4.1  a fifth waits: the chain, some 8 cycles a round
//
// gmsm's kernels are 256 bits wide and lose nothing there, so ratios that a full-width processor reaches
// are out of reach of this form. On a Sapphire Rapids, whose units are 512 bits wide but two instead of
// four, ECB was 4.0, CTR 10.6, CBC decryption 4.0, GCM seal 11.1 and 64 streams 29.8 times gmsm; floors
// were not measured there.
//
// Sixteen messages with a key each (gen/sixteen.go) are in the word form, whose round takes 44 instructions for 64
// blocks, four groups of sixteen, and loads 64 bytes of keys for each group. On a Sapphire Rapids, where two 512-bit
// instructions start in a cycle, that is 22 cycles a round and 704 a KiB; measured, beside other programs, were 245 ns a
// KiB of CTR, 38 of GHASH, 150 for sixteen key schedules and 290 for the masks of the tags with the first 64
// bytes. So instructions bound them there, and the chain of a round, some 11 cycles, where twice as many start. CBC
// of 64 lanes in the slice form waits, as above.
//
// Where every message has 256 bytes more, CTR goes on in the pair form, with a vector of keys for each byte. On the
// Zen 4 above, beside other programs, it took 232 ns a KiB and the word form 275, when the messages didn't lie a
// power of two apart; its table takes 110 once. A round of 64 blocks loads twelve vectors there, where
// one with a single key loads eight; what else it waits for wasn't measured. Beside it were, for sixteen messages: 57 ns
// a KiB of GHASH, 170 for the key schedules, 290 to 350 for the masks with the first 64 bytes, 73 for four powers
// of the hash keys but 8 for the first alone, which does for up to 192 bytes, and 20 for the lengths and the tags.
//
// Slices given to a Kernel have been checked by the caller: dst is as long as src and either the same
// or disjoint.
package sm4

//go:generate go run ./gen
