// Package sm4 is the SM4 block cipher (GB/T 32907-2016, ISO/IEC 18033-3) at the speed of the vector
// units: kernels for AVX-512 and AVX2 with GFNI, and github.com/emmansun/gmsm where neither is there.
//
// [NewCipher] is a drop-in for the function of that name in github.com/emmansun/gmsm/sm4 and
// github.com/tjfoc/gmsm/sm4. Its result gives cipher.NewCBCEncrypter, cipher.NewCBCDecrypter, cipher.NewCTR,
// cipher.NewGCM, cipher.NewGCMWithNonceSize and cipher.NewGCMWithTagSize their fast modes by the methods that
// package crypto/cipher looks for, and likewise the constructors of ECB, CCM, XTS, BC and GCM-SIV in package
// cipher of emmansun's gmsm, XTS of GB/T 17964-2021 included; its HCTR, which asks for no such method, is given
// eight blocks at once, and its OFBNLF single ones.
//
// [New] returns the same as a *[Cipher], which has what the standard library lacks: ECB, CCM, many blocks at once,
// the other modes of GB/T 17964-2021, and in [CTR] a key stream from any place on. [NewGCMSIV] bears nonces that
// come back. [NewXTS] and [NewGBXTS] are for disks, and [EncryptCBC] encrypts many messages side by side, the one
// way to make CBC encryption fast: within a message each block waits for the one before. [SealOnce] and [OpenOnce]
// are GCM for a key that is used for one message.
//
// # Modes
//
// In a serial mode a block waits for the one before, some 90 ns, however wide the machine is:
//
//	ECB CTR XTS    parallel
//	CBC CFB BC     encryption serial, decryption parallel
//	OFB            serial
//	OFBNLF         serial, and a key schedule for every block
//	HCTR           parallel: a pass of CTR and two of GHASH
//	GCM, GCM-SIV   parallel
//	CCM            a parallel mode with a serial tag
//
// HCTR hashes the text behind its first block and the tweak, one directly behind the other, as Wang, Feng and Wu
// defined it in 2005 (the standard's example has whole blocks only). That of gmsm v0.44.0 does so where the length of
// the text is a multiple of eight, and hashes something else where it is not: there the two don't understand each
// other.
//
// # Many messages
//
// [SealMany] and [OpenMany] are GCM, [XORKeyStreamMany] is CTR, for any number of independent messages of any lengths in
// one call, under raw keys, whose schedules are made in the call, under ciphers that are kept, or both. [EncryptCBC] does
// CBC for ciphers and [EncryptCBCKeys] for raw keys; [NewCiphers] is [New] for many keys. A result is the same as that
// of one call for each message. Everything is checked before a byte is written, and what a program does wrong panics; a
// message that isn't authentic has an error of its own, keeps its Dst as it was and disturbs no other. No
// message's result depends on another's data, and none may overlap a buffer of another.
//
// A [Coalescer] makes such calls of single ones of many goroutines, each with a message and a raw key of its own. On one
// processor of a Sapphire Rapids 64 goroutines sealed messages of 128 bytes 1.6 times as fast as by SealMany of one
// message, twice as fast as by SealOnce, and of 1 KiB 1.2 and 1.5 times. On two processors, below 113 bytes and under
// kept keys gathering lost, so a Coalescer leaves such calls as they are.
//
// Nonces are the caller's, as everywhere here: two messages of one call under one key with one nonce are not
// noticed.
//
// # Implementations
//
// A cipher is made for one implementation and stays with it; [Cipher.Implementation] names it.
// [Implementations] lists those of this machine, fastest first, and [NewWith] chooses one:
//
//	avx512+gfni  AVX-512 F BW DQ VL, GFNI, VPCLMULQDQ, BMI2
//	avx2+gfni    AVX2, GFNI, PCLMULQDQ, BMI2
//	gmsm         gmsm v0.44.0, by whatever this machine has for it
//
// On other processors than amd64, and with the build tag purego, only gmsm is there. An instruction set
// that GODEBUG=cpu.NAME=off turns off, as golang.org/x/sys/cpu reads it at the start of the program, is
// not there either: cpu.avx512f=off leaves avx2+gfni, cpu.avx2=off and cpu.all=off leave gmsm. The names
// are avx, avx2, bmi2, pclmulqdq, ssse3, avx512, avx512f, avx512bw, avx512dq, avx512vl, avx512gfni and
// avx512vpclmulqdq. Package multibuffer has the same rule. Nothing else chooses an implementation; how gmsm
// does its part also depends on environment variables of its own (DISABLE_SM4NI, FORCE_SM4BLOCK_AESNI).
//
// What a key doesn't need is not made for it: the schedule for decryption, and all but the first powers of the
// hash key of GCM, are when they are first asked for. A message costs no more than one of the next multiple
// of 2 KiB, to 3 %; only XTS whose unit ends within a block takes another block's time, because that block waits
// for the one before, and pieces of one CTR stream that end within 64 bytes take up to 4 % more.
//
// The implementation gmsm keeps every promise made here, and so takes as they are no more of gmsm's than single blocks,
// ECB, CBC, BC, sealing by GCM-SIV, and CTR by the SM4 instructions of arm64; around buffers of its own it takes short
// messages of GCM, and GHASH. Its speed as a multiple of gmsm's own (above 1 is faster), by sm4bench on an AMD EPYC of the
// first generation, which works on AVX2's registers in halves:
//
//	CTR                     1.1 to 1.3, 0.95 at 272 bytes; with its constructor 1.2 to 4.7
//	GCM                     sealing 0.98 to 1.0, with tags of 12 to 15 bytes 0.91 to 0.98; opening 0.93 to 0.97
//	                        below 512 bytes, then 0.97 to 1.0
//	ECB, CBC                0.92 to 0.97 below 128 bytes, then 0.97 to 1.0
//	XTS                     3.0 at 48 bytes, 1.3 at 1 KiB, 1.0 at 8 KiB, 0.95 at 10 MiB
//	CFB, OFB                1.0; CFB decryption 1.1 at 16 bytes, 3.5 at 128, 4.6 from 1 KiB on
//	CCM, HCTR               1.04 to 2.4, 1.03 to 1.5
//	GCM-SIV                 sealing 1.0; opening 0.94 to 0.99 to 8 KiB, 0.89 to 0.95 beyond
//	a new cipher            0.84, two objects in place of one; with GCM of one message of 64 bytes 0.9
//	gmsm's XTS over it      0.75 to 1.0, with its constructor, which makes two ciphers
//	gmsm's OFBNLF over it   0.85 to 0.94: it makes a cipher for every block
//
// GCM and GCM-SIV open into another buffer first, since gmsm decrypts before it compares the tag. Where AVX2's registers
// are worked on whole, CTR is twice as fast as gmsm's, and GCM of more than 2 KiB a fifth to three quarters faster. All
// this is of that implementation alone; over the kernels each of gmsm's constructors is at least as fast as over gmsm's
// cipher, HCTR, which spends its time in gmsm's hash, by a tenth, OFBNLF by nearly half.
//
// # Security
//
// The kernels compute the S-box and have no table: neither keys nor data decide a branch or an address,
// in the key schedule, in single blocks and in GHASH as elsewhere. That is a property of avx512+gfni
// and avx2+gfni; gmsm documents for itself that single blocks look up tables on processors without SM4
// instructions, and they do in the implementation of that name here. GHASH has no tables there either: it
// is gmsm's where that multiplies by instructions (PCLMULQDQ, PMULL), else this package's own in Go.
//
// Open of GCM, CCM and GCM-SIV compares the tag before it writes a byte of plaintext, and in constant time. A
// nonce must never be used twice with a key in CTR, OFB, OFBNLF, GCM or CCM. CBC, CFB, OFB, CTR, BC and OFBNLF
// don't protect against changes to the ciphertext, XTS and HCTR only against those an attacker would like to
// choose: of a block and of the whole text nothing is left. ECB shows which blocks are equal. No more than 2³²
// messages should be sealed under one key with random 12-byte nonces (SP 800-38D, section 8.3).
//
// # What a reviewer would ask
//
// Constant time: a lint (internal/kernel/sm4/ctlint) reads the machine code of every kernel and finds no
// branch, address, table or division that depends on what a vector register or secret memory holds. The
// Go code around them runs under valgrind (internal/kernel/sm4/taint) with keys and data marked as
// undefined, and only the verdict on a tag decides anything. Both must find leaks that are planted for
// them. What gmsm and the standard library do with a secret is theirs. Power, radiation and faults
// are not considered.
//
// Keys in memory: a [Cipher] holds its round keys, and an AEAD of it the powers of its hash key, until
// the garbage collector takes them; they are not wiped, since Go may have copied them and has no way to
// say when the last copy is gone. Where a core dump or swap may be read, keep these from happening.
// Buffers that the implementation gmsm uses again are wiped before, and what the functions for many messages make of
// raw keys before they return; stacks are not.
//
// Nonces: the caller's. Nothing here draws one, counts one or sees that one comes back.
//
// Misuse: what a program does wrong in every run panics (a wrong length, overlapping buffers, an IV of
// the wrong size); what an adversary can send is an error (a text that fails its tag, or is too short
// to have one).
//
// Tests: the vectors of GB/T 32907 and RFC 8998; every length
// around every boundary; every implementation of the machine against gmsm, and OpenSSL where it is
// installed; buffers at the edge of unreadable pages; fuzzing; and bugs that are planted in the kernels
// (internal/kernel/mutants), each of which some test must find. The assembly is generated, and CI compares it with
// what the generator writes.
//
// # Versions and platforms
//
// The module follows semantic import versioning. Packages aes, gauge, multibuffer, result,
// sm4 and stat are its public face. Before v1.0.0 a minor version may change them, and the changelog says how; from then on
// what compiles and passes keeps doing so until /v2. Names of implementations, sizes of a Cipher and
// times are no promise.
//
// Go 1.26 or later. Kernels: amd64, on any operating system that Go has; tested on Linux. Elsewhere gmsm
// does the work; arm64 is tested under emulation.
//
// # Standing
//
// This is new code. Nobody but its authors has reviewed it. It is no validated module, neither by FIPS
// 140-3, which does not know SM4, nor by 商用密码产品认证 (GM/T 0028), and a system that uses it has to say so
// in its 密评 (GB/T 39786). With GODEBUG=fips140=only the constructors of crypto/cipher refuse any cipher
// but AES; the methods of [Cipher] don't ask for that policy. Where a certificate is asked for, use a
// certified product; where maturity counts for more than speed, use gmsm itself, which has the same interface.
//
// # Panics and errors
//
// Panics of the modes that crypto/cipher has are in its words: lengths that aren't whole blocks, an output
// shorter than the input, buffers that overlap but aren't the same. Those of single blocks, [XTS], [HCTR] and
// the functions for many messages begin with "sm4". A key of a wrong length is a [KeySizeError], this package's
// own and not gmsm's of that name, and panics as one where a function for many messages is given it; a message
// that fails its tag is an error that says no more. The zero [Cipher] and the zero [XTS] can't be used.
package sm4
