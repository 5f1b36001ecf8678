// Package aes is the block cipher AES (FIPS 197) at the speed of the vector units: kernels for AVX-512 with VAES
// and VPCLMULQDQ, and the standard library where they are not there.
//
// [NewCipher] is a drop-in for that of crypto/aes. Its result gives cipher.NewGCM, cipher.NewGCMWithNonceSize,
// cipher.NewGCMWithTagSize, cipher.NewCTR, cipher.NewCBCEncrypter and cipher.NewCBCDecrypter their fast modes by
// the methods that package crypto/cipher looks for. cipher.NewGCMWithRandomNonce takes no other block than that of
// crypto/aes: [NewGCMWithRandomNonce] is the same for both. [New] returns a *[Cipher], which has what the standard
// library lacks: CCM, whole blocks at once, and a [CTR] that is read from any place. [NewXTS] is for disks, and
// [SealOnce] for a key that is used once. [SealMany], [OpenMany], [XORKeyStreamMany], [EncryptCBC] and [EncryptCBCKeys] take many
// messages in one call, under kept keys or raw ones.
//
// # When to stay with crypto/aes
//
// These kernels are no validated module of FIPS 140-3, and nobody but their authors has reviewed them. Where a
// certificate is asked for, or maturity counts for more than speed, crypto/aes is the one to use. It is also the
// one for programs that seal little: who seals a thousand messages a second saves less than a thousandth of a CPU.
//
// With GODEBUG=fips140=on or fips140=only no kernel is used and the standard library does the work, its validated
// module where it has one. NewCipher returns the standard library's own block then, so that what the policy allows
// is allowed. The same holds wherever there is no kernel.
//
// # Implementations
//
// A cipher is made for one implementation and stays with it; [Cipher.Implementation] names it.
// [Implementations] lists those of this machine, fastest first, and [NewWith] chooses one:
//
//	avx512+vaes  AVX-512 F BW DQ VL VBMI, VAES, VPCLMULQDQ, BMI2
//	std          crypto/aes and crypto/cipher of the standard library
//
// On other processors than amd64, and with the build tag purego, only std is there. An instruction set that
// GODEBUG=cpu.NAME=off turns off, as golang.org/x/sys/cpu reads it at the start of the program, is not there
// either: cpu.avx512vaes=off, cpu.avx512=off and cpu.aes=off leave std, as in packages sm4 and multibuffer. Nothing
// else chooses an implementation.
//
// # What the implementations promise
//
// Open of GCM by avx512+vaes compares the tag before it writes a byte: dst is as it was when a message is refused.
// The standard library decrypts at the same time, and clears dst then. On amd64 its GCM with tags of 12 to 15
// bytes (cipher.NewGCMWithTagSize) stores up to 3 bytes beyond the end of dst; avx512+vaes stores nothing there.
// The implementation std has no GCM whose nonces and tags are both of another size than 12 and 16 bytes. CCM is ours
// in both, around CTR and single blocks, and writes nothing to dst when a message is refused.
//
// # Security
//
// AES is the processor's own instructions, GHASH its carry-less multiplication: neither keys nor data decide a
// branch or an address. A lint reads the machine code of every kernel and finds no branch, address, table or
// division that depends on what a vector register or secret memory holds, but for the verdict on a tag; it must
// find leaks that are planted for it. Counters count as public. That of a GCM nonce of other than 12 bytes is a hash
// under the key, so there its last 32 bits show in the time of a message that makes them wrap. What the standard
// library does with a secret is its own. Power, radiation and faults are not considered.
//
// A nonce must never be used twice with a key in CTR, GCM or CCM. CBC and CTR don't protect against changes to the
// ciphertext, XTS only against those an attacker would like to choose, EncryptBlocks shows which blocks are equal.
// No more than 2³² messages should be sealed under one key with random 12-byte nonces (SP 800-38D, section 8.3).
//
// Keys in memory: a [Cipher] holds its round keys, and an AEAD of it powers of its hash key, until the garbage
// collector takes them; they are not wiped, since Go may have copied them.
//
// Misuse panics, in the words of the standard library; what an adversary can send is an error. The zero [Cipher] and
// the zero [XTS] can't be used.
//
// # Cost of a key
//
// A Cipher is one object of 512 bytes, with the schedules of both directions. GCM is one more, of less than 512
// bytes, with eight powers of the hash key, which is enough for messages of 112 bytes with their additional data.
// Longer ones are hashed by these powers too, until 8 KiB have been, or are given at once: then a table of 3 KiB is
// made, which takes as long as it saves by then. No call allocates but that one, and CCM by std.
//
// # Many messages
//
// Up to 32 messages run side by side: chains of CBC under one key or a key each, and short messages of GCM and CTR under
// raw keys, with their key schedules. For GCM they are short up to 2 KiB, with at most 64 bytes of additional data, and
// at least four with keys of one length; for CTR up to 256 bytes, and at least eight. All else is done message by message:
// for long messages, and for kept keys in GCM and CTR, lanes gain nothing. Messages of about one length are best, since
// those side by side take as long as the longest. GCM is fastest where all messages of a call have one length, up to 64
// bytes, keys of one length and no additional data: then no schedule is stored. It also pays to have the buffers of all
// results in the order of their addresses, and nothing that is read between them, for then one look tells that none
// overlaps. No message costs an allocation, but where the standard library does the work.
//
// Against the standard library message by message, on one core of an AMD EPYC with Zen 4, whose vector units are half as
// wide as its registers: GCM of 16 messages of 64 bytes with a new key each is sealed 15 to 16 times as fast and opened
// 10 to 12 times; of that time the kernel takes two thirds, bound by the units' instructions. CBC encryption of 64
// messages of 1 KiB is 10 to 11 times as fast under one key and 9 to 10 times with a new key each; the rounds take 70 %.
// On an Intel Xeon of the fifth generation, whose units do half as many rounds in a cycle as a Zen 5's, it is 20 to
// 23 times, 12 times, and 10 to 11 times for streams.
//
// # What the neighbours pay
//
// Some processors run slower for a while when wide registers are used. On an Intel Xeon of the generation that has
// AMX (Sapphire Rapids; two cores of a virtual machine, others at work on them), scalar code ran 0.8 % slower in the
// quarter of a millisecond after GCM by these kernels than after crypto/aes (95 % interval 0.6 to 1.0), and on another
// core no slower beside them (−0.1 to +0.1 %). aesbench -neighbour measures it.
//
// # In programs of others
//
// With this one import changed in github.com/minio/sio v0.4.1, its tests pass, and its benchmarks are 1.4 to 2.2 times
// as fast from 8 KiB to 1 MiB. In github.com/go-jose/go-jose/v4 v4.1.9 the tests pass, too, and messages of 1 KiB gain
// nothing, since encoding them takes most of the time; 1 MiB is sealed 1.5 times as fast. Both on the processor above,
// in nine turns.
//
// # Tests
//
// The vectors of SP 800-38A and 800-38C, IEEE 1619 and the specification of GCM, and Wycheproof's; every length around every
// boundary against the standard library; nonces, tags and additional data of every length; counters that wrap;
// buffers at the edge of unreadable pages; fuzzing; and bugs that are planted in the kernels
// (internal/kernel/mutants), each of which some test must find. Calls on many messages have all of that for every number
// of messages up to 33 and for mixed lengths, keys and forgeries. The assembly is generated, and CI compares it with
// what the generator writes. aesbench measures what it gains, and its worst case.
package aes
