// Package multibuffer hashes many messages at once: MD5, SM3, SHA-1 and SHA-256 with a message in each
// lane of the vector registers. One message can't be split, since every block waits for the one before,
// but messages don't wait for each other. With AVX-512, a core hashes 64 messages by MD5 in the time of
// three or four.
//
//	digests := make([][md5.Size]byte, len(messages))
//	multibuffer.SumMD5(digests, messages)
//
// Messages may be of any lengths and any number, in any order; what comes out is what crypto/md5,
// github.com/emmansun/gmsm/sm3, crypto/sha1 and crypto/sha256 compute. A call allocates nothing and uses
// one core. Where lanes don't pay, those packages do the work: for one message, or a few, for what is left
// when all messages but a long one have ended, and on processors without the instructions. One long
// message alone is no faster than with them, on any processor.
//
// [ReadMD5] and its like hash what comes from readers, in step, for messages that don't fit in memory.
// [Coalescer] gathers the calls of many goroutines. [HMAC] authenticates many messages, under one key or a
// key for each, and verifies their MACs.
//
// # Implementations
//
// [Implementations] lists those of this machine, fastest first; [Hasher.Implementation] names the one
// that a Hasher has. The functions of the package use the first. There is no global switch;
// [NewWith] chooses for tests and measurements. An instruction set that GODEBUG=cpu.NAME=off turns off,
// as golang.org/x/sys/cpu reads it at the start of the program, is not there: avx512, avx512f, avx512bw,
// avx512dq, avx512vl; avx, avx2 or ssse3, and what is built on them; or all. The SHA instructions have no name
// there. Package sm4 has the same rule.
//
//	               needs                 MD5        SM3        SHA-256    SHA-1
//	avx512         AVX-512 F BW DQ VL    64 lanes   32 lanes   32 lanes   48 lanes
//	avx2+sha-ni    AVX2, SHA             16 lanes   8 lanes    2 lanes    2 lanes
//	avx2           AVX2                  16 lanes   8 lanes    serial     serial
//	serial                               crypto/md5, gmsm's sm3, crypto/sha256, crypto/sha1
//
// With AVX-512, lanes are faster than the SHA instructions that crypto/sha256 and crypto/sha1 use: on an AMD Zen 4
// twice to nearly four times, and three to four times, from sixteen messages on; on an AMD Zen 5 SHA-256 four times.
// Where SHA instructions are there, fewer than fourteen messages by SHA-256 and than eleven by SHA-1 take turns two and two
// with them, and without AVX-512 all do, since the instructions for one message wait for
// each other: on the Zen 4 two to thirteen messages of up to 64 bytes are hashed 1.1 to 2.3 times as fast as by
// crypto/sha256, and from 256 bytes on 1.2 (three messages) to 2.0 times, by SHA-1 up to 2.5 times. On a first-generation
// AMD EPYC 64 messages are hashed 2.0 times (empty), 1.9 times (64 B), 1.8 times (1 KiB and 64 KiB) as fast as by
// crypto/sha256, and by SHA-1 2.4, 2.0, 1.6 and 1.5 times. Up to seven messages of which one is much longer than the
// others are left to the standard library. With AVX2 alone it does all the work. On other processors than amd64, and with the
// build tag purego, only serial is there. With GODEBUG=fips140=only too: what crypto/md5 and crypto/sha1
// refuse then is refused here in their way.
//
// The first call in a goroutine may grow its stack to 32 KiB. However long messages are, a call can be
// preempted every few tens of microseconds, so that it doesn't hold up the garbage collector: program
// mbbench measures that with -stops.
//
// # Security
//
// MD5 and SHA-1 are fingerprints against accidents, not against an adversary: anyone can make two
// messages with the same digest. Where somebody may gain by that, use SM3 or SHA-256.
//
// No kernel has a table or a branch that depends on the bytes of a message or a key, so that these don't
// show in the time a call takes. Lengths do show. After a call, its stack still holds words of the
// messages, and of the states after a key, which are worth as much as the key; an [HMAC] holds these as
// long as it lives.
//
// # Versions and platforms
//
// The module follows semantic import versioning. Packages aes, gauge, multibuffer, result,
// sm4 and stat are its public face. Before v1.0.0 a minor version may change them, and the changelog says how; from then on
// what compiles and passes keeps doing so until /v2. Names of implementations, numbers of lanes and
// times are no promise.
//
// Go 1.26 or later. Lanes: amd64, on any operating system that Go has; tested on Linux. Elsewhere the
// serial packages do the work.
//
// # Standing
//
// This is new code. Nobody but its authors has reviewed it. It is no validated module, neither by FIPS
// 140-3 nor by 商用密码产品认证 (GM/T 0028), and a 密评 (GB/T 39786) has to be told so. Where a certificate is
// asked for, use crypto/sha256 in Go's FIPS 140-3 mode, or a certified product for SM3.
package multibuffer
