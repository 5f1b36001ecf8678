//go:build linux && (amd64 || arm64)

package openssl

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// cpu is what the library has found of the CPU, on amd64 the first two of the words
// that OPENSSL_ia32cap(3) describes; nil where it says nothing, as one without
// assembly does.
type cpu []uint64

// Bits of the words, those of the second from 64 on.
const (
	bitPCLMULQDQ  = 33
	bitMOVBE      = 54
	bitAESNI      = 57
	bitAVX        = 60
	bitAVX512F    = 64 + 16
	bitAVX512DQ   = 64 + 17
	bitSHA        = 64 + 29
	bitAVX512BW   = 64 + 30
	bitAVX512VL   = 64 + 31
	bitVAES       = 64 + 41
	bitVPCLMULQDQ = 64 + 42
)

func (c cpu) has(bits ...int) bool {
	return !slices.ContainsFunc(bits, func(b int) bool { return b/64 >= len(c) || c[b/64]>>(b%64)&1 == 0 })
}

// examine reads "OPENSSL_ia32cap=0x…:0x…", what an environment variable has taken
// away being gone already.
func (l *Library) examine() cpu {
	const settings = 1008 // OPENSSL_INFO_CPU_SETTINGS of openssl/crypto.h
	c, line := make(cpu, 2), cbinding.GoString(l.Call("OPENSSL_info", settings))
	if _, err := fmt.Sscanf(line, "OPENSSL_ia32cap=0x%x:0x%x", &c[0], &c[1]); err != nil || runtime.GOARCH != "amd64" {
		return nil
	}
	return c
}

// minor is the version's second number of a version 3, else -1.
func (l *Library) minor() (n int) {
	if _, err := fmt.Sscanf(l.Release, "3.%d", &n); err != nil {
		return -1
	}
	return n
}

// Implementation follows providers/implementations/ciphers/*_hw*.inc and
// crypto/sha/asm/sha512-x86_64.pl from 3.0 to 3.5, where the CPU's features decide.
// What has more kernels than could be told apart from outside is unknown.
func (o on) Implementation(c result.Case) string {
	const lastExamined = 5 // the minor version
	if m := o.lib.minor(); o.lib.cpu == nil || m < 0 || m > lastExamined {
		return "unknown"
	}
	c = provider.Alone(provider.Plain(c))
	block := o.lib.blockKernel(c.Algorithm)
	hash := o.lib.hashKernel(strings.TrimPrefix(c.Mode, "CBC+"))
	switch kind := kindOf(c); {
	case block != "" && c.Mode == algorithm.GCM:
		return o.lib.gcmKernel(c.Algorithm, block)
	case kind == cbinding.Composite && block != "" && hash != "":
		return block + ", " + hash
	case block != "" && kind != cbinding.Composite:
		return block
	case kind.Hashes():
		return cmp.Or(o.lib.hashKernel(c.Algorithm), "unknown")
	}
	return "unknown"
}

func (l *Library) blockKernel(name algorithm.Name) string {
	switch {
	case name == algorithm.SM4:
		return "generic tables"
	case algorithm.Of(name).Kind == algorithm.BlockCipher && l.cpu.has(bitAESNI):
		return "aesni"
	}
	return ""
}

// gcmKernel: one kernel does both parts; since 3.1 there is another with vectors of
// 512 bits.
func (l *Library) gcmKernel(name algorithm.Name, block string) string {
	wide := l.cpu.has(bitAVX512F, bitAVX512DQ, bitAVX512BW, bitAVX512VL, bitVAES, bitVPCLMULQDQ)
	switch {
	case name == algorithm.SM4:
		return "unknown"
	case wide && l.minor() >= 1:
		return "vaes+vpclmulqdq"
	case l.cpu.has(bitPCLMULQDQ, bitAVX, bitMOVBE):
		return block + "+pclmulqdq"
	}
	return "unknown"
}

func (l *Library) hashKernel(name string) string {
	switch digestName(name) {
	case algorithm.SHA256:
		if l.cpu.has(bitSHA) {
			return "sha-ni"
		}
	case algorithm.SM3:
		return "generic"
	case algorithm.MD5:
		return "assembly"
	}
	return ""
}

// ConstantTime says beside what is true of whatever computes the algorithm what was read of the code.
func (o on) ConstantTime(c result.Case) result.ConstantTime {
	c = provider.Alone(provider.Plain(c))
	timing, kernel := o.Provider.ConstantTime(c), o.Implementation(c)
	switch {
	case timing.Value == "yes":
		return timing
	case kindOf(c) >= cbinding.Signature:
		return reason.Timing("unknown", "openssl-unexamined")
	case strings.Contains(kernel, "aes"):
		return reason.Timing("yes", "aes-ni-openssl")
	case strings.Contains(kernel, "tables"):
		return reason.Timing("no", "sm4-c-tables")
	}
	return timing
}

var notes = map[cbinding.Kind]string{
	cbinding.Composite:  "put together: CBC with EVP's own padding, then EVP_MAC's HMAC over IV and ciphertext",
	cbinding.Schedule:   "EVP_CipherInit_ex with a key, for one direction: encryption",
	cbinding.Setup:      "EVP_CIPHER_CTX_reset, all set up from nothing for each message, which is then sealed",
	cbinding.Many:       noteContexts,
	cbinding.Stream:     noteContexts,
	cbinding.MAC:        "EVP_MAC; the key is set before",
	cbinding.Derivation: "EVP_KDF: extract and expand from a secret of 32 bytes, as many bytes as the size says",
	cbinding.Random:     "RAND_bytes of the default context",
	cbinding.Draws:      "draws differ from run to run: the library takes its own randomness",
	cbinding.Exchange:   "what arrives is read and checked inside the call; Go calls EVP step by step",
	cbinding.Agreement:  "the peer's public key was read and checked before",
	cbinding.Envelope: "a key and a nonce of 96 bits are drawn for each message; Go puts EVP's parts together, " +
		"in cryptogauge's own format",
}

const noteContexts = "a context of EVP serves one goroutine at a time: " +
	"a cipher that several share keeps as many as were needed at once"

func (o on) Note(c result.Case) string {
	kind := kindOf(c)
	switch {
	case kind == cbinding.Cipher:
		return messageNote(c)
	case kind == cbinding.Setup && c.Operation == algorithm.New:
		return "EVP_CIPHER_CTX_reset, and all set up from nothing"
	case kind == cbinding.Envelope && c.Parameters == parameter.ReusedKey:
		return "the key is scheduled before; a nonce of 96 bits is drawn for each message"
	case notes[kind] != "":
		return notes[kind]
	}
	return keyPairNote(c)
}

func messageNote(c result.Case) string {
	batch := ""
	if n := parameter.Batch.In(c.Parameters); n > 0 {
		batch = fmt.Sprintf("one call is %d messages and one crossing; ", n)
	}
	switch {
	case c.Mode == algorithm.CCM:
		return batch + "for each message EVP_CipherInit_ex with the nonce, the tag set or read by a control, and one EVP_CipherUpdate"
	case cbinding.Seals(c):
		return batch + "for each message EVP_CipherInit_ex with the nonce, update, final, and a control for the tag"
	case c.Mode == algorithm.ECB || c.Mode == algorithm.OneBlock:
		return batch + "EVP_CipherUpdate"
	case c.Algorithm == algorithm.ChaCha20:
		return batch + "for each message EVP_CipherInit_ex with nonce and counter, then EVP_CipherUpdate"
	}
	return batch + "for each message EVP_CipherInit_ex with the IV, then EVP_CipherUpdate"
}

func keyPairNote(c result.Case) string {
	signs := c.Operation == algorithm.Sign || c.Operation == algorithm.Verify
	switch {
	case c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt:
		if n, given := parameter.Message.Read(c.Parameters); given {
			return fmt.Sprintf("of a message of %d bytes", n)
		}
		return "of a key of 32 bytes"
	case !signs:
		return ""
	case c.Algorithm == algorithm.SM2 && c.Parameters == "":
		return "hashes the signer's identity and a message of 32 bytes with SM3 inside the call"
	case c.Algorithm == algorithm.SM2:
		return "hashes a message of 32 bytes with SM3 inside the call, " +
			"after the digest of the signer's identity, which is there"
	case hashesItself(c):
		return "hashes a message of 32 bytes inside the call, for which EVP begins anew"
	case c.Algorithm == algorithm.ECDSA384:
		return "of a ready SHA-384 digest"
	case c.Parameters == parameter.WithoutCRT:
		return "of a ready SHA-256 digest; " +
			"the key came without its primes, so CRT can't be used"
	}
	return "of a ready SHA-256 digest"
}
