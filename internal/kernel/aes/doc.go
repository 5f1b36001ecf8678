// Package aes holds the kernels of AES (FIPS 197) for processors with AVX-512, VAES and VPCLMULQDQ, and around
// them the Go that cuts a message into calls. It knows nothing of package cipher; the public package of the
// same name builds the modes on it.
//
// AES is the processor's own instructions and GHASH its carry-less multiplication, so that nothing here has a
// table or a branch that depends on a key or on data; a lint of the machine code says the same
// (lint_amd64_test.go). Counters count as public: where one wraps decides how a message is cut.
//
// The assembly is written by the program in gen. Each function begins with a check of the stack, where a
// goroutine can be stopped; what one call takes is bounded, so that the garbage collector, which stops them
// all, waits for microseconds.
//
// # What bounds it
//
// On an AMD EPYC with Zen 5 and full-width units, in cycles per KiB at 16 KiB, beside what the instructions take at
// least: 160 or 224 rounds of four blocks, two of which begin in a cycle, and 50 carry-less multiplications, one
// every other cycle. Both are done by the same two units: a multiplication has one of them for two cycles.
//
//	                 AES-128  at least  AES-256  at least
//	CTR                   86        80      119       112
//	GHASH                100       100      100       100
//	GCM seal             132       130      158       162
//	GCM open             186       180      219       212   both one after the other
//
// On an Intel Xeon of the fifth generation (family 6, model 207), as make bound measures it there (package bound), in
// cycles per KiB: floors are the same instructions where none waits for another. One round of four blocks begins in a
// cycle, half of what the Zen 5 does, while crypto/aes, 128 bits wide, begins two rounds of one block on both.
// Products go to the other unit, beside the rounds.
//
//	                 AES-128  floor  crypto/aes/floor  AES-256  floor  crypto/aes/floor
//	CTR                  157    157               2.2      222    222               2.1
//	CBC decryption       159    157              11.5      222    220               8.6
//	GCM seal             181    175               3.0      234    226               2.8
//	GCM open             246    243               2.1      309    306               1.9
//	ECB                  157    157              10.8      220    220               8.1
//	XTS                  159    159              49        222    221              35
//	CBC of streams       192    190                16      262    260                15
//	GCM seal 1350 B      247    205               3.8      313    259               3.6
//	GCM seal 64 B        726    592               8.3      825    627               8.9
//	16 × 64 B, new keys  685    605                43      822    700                35
//
// So there is nothing left to gain in long texts in this form, and the ratios that the Zen 5 reaches can't be: 4 for
// CTR, 15 for CBC decryption, 4.5 and 3 for GCM. A message of 1350 bytes waits for its first counters and its last
// reduction. What short messages take beyond the kernel is the call: as much as half of it, for checks in Go.
//
// What is serial within a message, CBC encryption and the schedule of a key, is side by side over messages: [Lanes] has
// four to a register and eight registers of them. Texts are read by the cache line and transposed, four lines to four
// registers with a block of each message. GHASH in lanes is Horner's rule, since a new key has no table. Short messages
// of GCM that are alike are done whole by one kernel, whose rounds take each key of the schedule as it is made.
//
// Slices given to a [Kernel] have been checked by the caller: dst is as long as src and either the same
// or disjoint.
package aes

//go:generate go run ./gen
