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
// the assembly, how long they take when nothing waits (package bound), and how long the kernel does. On an
// AMD EPYC with Zen 4 (family 25, model 17, about 3.65 GHz) 512-bit instructions take two turns in pipes
// of 256 bits: of affine maps, inversions and shuffles one starts in a cycle, of XORs two, of ternary XORs
// five in three cycles, for want of register ports, of stores one in two, of carry-less products one in
// two whatever their width. A round of 64 blocks is 8 inversions and 14 XORs, 11 cycles at best, 11.6 for
// the mix, 12.5 with the four stores of the pair form.
//
// On an Intel Xeon of the fifth generation (family 6, model 207, about 2.45 GHz, a processor of a virtual machine)
// units are 512 bits wide, but there are two: two instructions start in a cycle, of which one may be an affine map, an
// inversion, a rotation or a shift, and the other a shuffle or a product; XORs go to either. A round of 64
// blocks is 11 cycles at best there, too, and 11.9 in the pair form. In cycles per KiB, for the Zen 4 of one run, for the
// Xeon the least of five runs of kernels whose 64 streams had an earlier form. What others do on a core raises floors and
// kernels by up to a third on the Zen 4 and a half on the Xeon, and gmsm's times by a twentieth:
//
//	                 Zen 4                        Xeon
//	                 floor  kernel  gmsm/floor    floor  kernel  gmsm/floor
//	ECB                650     659         3.7      501     514         5.2  instructions
//	CTR                604     625        10.2      471     478        13.8  instructions
//	CBC decryption     682     709         3.7      505     525         5.4  instructions
//	GCM seal           791     798         6.1      541     566        15.3  instructions
//	GCM open           757     786         6.3      563     570         8.3  instructions, and the message read twice
//	64 streams         725     858        47        583     688        56    one chain of 64 blocks, none beside it
//	ECB of 4 blocks   3304    4048         4.2     2956    4973         4.2  the chain, 8 to 9 cycles a round
//
// So ratios that a processor with four units of 512 bits reaches (6.5 for ECB, 15 for CTR) are out of reach of this
// form on both: gmsm's kernels, 256 bits wide, spend most of their time waiting, and lose less there than these.
//
// With 64 streams a round takes some 17 cycles on the Xeon and 18 on the Zen 4 instead of 11, for nothing fills its chain
// but the turning of rows (gen/alone.go has the order of its instructions, and why). On the Zen 4 a round was 21 cycles
// before that order, and turning beside it costs 2. One to five instructions more, which shorten the chain by another
// addition or two, gained nothing there. What lies outside the rounds, the first and the last row of a tile and the moving
// of tiles, is some 100 cycles a step on the Xeon and 270 on the Zen 4, which moves 32 bytes at a time.
//
// Sixteen messages with a key each (gen/sixteen.go) are in the word form, whose round takes 44 instructions for 64
// blocks, four groups of sixteen, and loads 64 bytes of keys for each group: 22 cycles a round and 704 a KiB on the Xeon.
// Beside other programs on its predecessor were measured 245 ns a KiB of CTR, 38 of GHASH, 150 for sixteen key schedules
// and 290 for the masks of the tags with the first 64 bytes.
//
// Of calls on many messages these kernels are a part, by samples on the Xeon: of GCM under sixteen new keys two thirds for
// 64 bytes and 85 % for 1350, where the pair form takes most; of CBC under sixteen keys, for 64 messages of 64 bytes, a
// half and of one block a third, the rest being checks of buffers that lie in no order; of sixteen ciphers made at
// once a fifth, the rest being their memory. Since then one look tells of buffers of one length that they lie apart (package
// buffers): on the Zen 4 64 messages of 64 bytes under sixteen keys take 1800 ns in place of 2130, and of one block 1490
// in place of 2470.
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
