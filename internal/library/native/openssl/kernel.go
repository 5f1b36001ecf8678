//go:build linux && (amd64 || arm64)

package openssl

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// cpu is what the library has found of the CPU, on amd64 the first two of the words
// that OPENSSL_ia32cap(3) describes; false where it says nothing, as one without
// assembly does.
type cpu struct {
	words [2]uint64
	known bool
}

// Bits of the words.
const (
	bitPCLMULQDQ  = 33
	bitMOVBE      = 54
	bitAESNI      = 57
	bitAVX        = 60
	bitAVX512F    = 16
	bitAVX512DQ   = 17
	bitSHA        = 29
	bitAVX512BW   = 30
	bitAVX512VL   = 31
	bitVAES       = 41
	bitVPCLMULQDQ = 42
)

func (c cpu) first(bits ...int) bool  { return has(c.words[0], bits) }
func (c cpu) second(bits ...int) bool { return has(c.words[1], bits) }

func has(word uint64, bits []int) bool {
	for _, b := range bits {
		if word>>b&1 == 0 {
			return false
		}
	}
	return true
}

// examine reads "OPENSSL_ia32cap=0x…:0x…", what an environment variable has taken
// away being gone already.
func (l *Library) examine() (c cpu) {
	const settings = 1008 // OPENSSL_INFO_CPU_SETTINGS of openssl/crypto.h
	line, found := strings.CutPrefix(binding.GoString(l.call("OPENSSL_info", settings)), "OPENSSL_ia32cap=")
	if !found || runtime.GOARCH != "amd64" {
		return c
	}
	line, _, _ = strings.Cut(line, " ")
	for i, word := range strings.Split(line, ":") {
		n, err := strconv.ParseUint(strings.TrimPrefix(word, "0x"), 16, 64)
		if err != nil {
			return cpu{}
		}
		if i < len(c.words) {
			c.words[i] = n
		}
	}
	c.known = true
	return c
}

// minor is the version's second number of a version 3, else -1.
func (l *Library) minor() int {
	rest, three := strings.CutPrefix(l.version, "3.")
	digits, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(digits)
	if !three || err != nil {
		return -1
	}
	return n
}

// lastExamined is the last minor version of which the dispatch was read.
const lastExamined = 5

// Implementation follows providers/implementations/ciphers/*_hw*.inc and
// crypto/sha/asm/sha512-x86_64.pl from 3.0 to 3.5, where the CPU's features decide.
// What has more kernels than could be told apart from outside is unknown.
func (o on) Implementation(c result.Case) string {
	c = provider.Alone(provider.Plain(c))
	if m := o.minor(); !o.cpu.known || m < 0 || m > lastExamined {
		return "unknown"
	}
	block := o.blockKernel(c.Algorithm)
	hash := o.hashKernel(strings.TrimPrefix(c.Mode, "CBC+"))
	switch kind := kindOf(c); {
	case block != "" && c.Mode == "GCM":
		return o.gcmKernel(c.Algorithm, block)
	case kind == kindComposite && block != "" && hash != "":
		return block + ", " + hash
	case block != "" && kind != kindComposite:
		return block
	case kind == kindHash || kind == kindMAC || kind == kindDerivation:
		if hash := o.hashKernel(c.Algorithm); hash != "" {
			return hash
		}
	}
	return "unknown"
}

func (o on) blockKernel(algorithm string) string {
	switch {
	case algorithm == "SM4":
		return "generic tables"
	case strings.HasPrefix(algorithm, "AES-") && o.cpu.first(bitAESNI):
		return "aesni"
	}
	return ""
}

// gcmKernel: one kernel does both parts; since 3.1 there is another with vectors of
// 512 bits.
func (o on) gcmKernel(algorithm, block string) string {
	wide := o.cpu.second(bitAVX512F, bitAVX512DQ, bitAVX512BW, bitAVX512VL, bitVAES, bitVPCLMULQDQ)
	switch {
	case algorithm == "SM4":
		return "unknown"
	case wide && o.minor() >= 1:
		return "vaes+vpclmulqdq"
	case o.cpu.first(bitPCLMULQDQ, bitAVX, bitMOVBE):
		return block + "+pclmulqdq"
	}
	return "unknown"
}

func (o on) hashKernel(algorithm string) string {
	switch strings.TrimPrefix(strings.TrimPrefix(algorithm, "HMAC-"), "HKDF-") {
	case "SHA-256":
		if o.cpu.second(bitSHA) {
			return "sha-ni"
		}
	case "SM3":
		return "generic"
	case "MD5":
		return "assembly"
	}
	return ""
}

// ConstantTime says no more than what was read of the code, or is true of whatever
// computes the algorithm.
func (o on) ConstantTime(c result.Case) result.ConstantTime {
	c = provider.Alone(provider.Plain(c))
	alone, _ := provider.AloneOnCPU(c)
	switch kind := kindOf(alone); {
	case kind == kindHash || kind == kindMAC || kind == kindDerivation:
		return reason.Timing("yes", "arx-hash")
	case c.Operation == "verify":
		return reason.Timing("yes", "public-key")
	case kind >= kindSignature:
		return reason.Timing("unknown", "openssl-unexamined")
	case strings.HasPrefix(c.Algorithm, "ChaCha20"):
		return reason.Timing("yes", "arx-chacha")
	}
	switch kernel := o.Implementation(c); {
	case strings.Contains(kernel, "aes"):
		return reason.Timing("yes", "aes-ni-openssl")
	case strings.Contains(kernel, "tables"):
		return reason.Timing("no", "sm4-c-tables")
	}
	return reason.Timing("unknown", "kernel-inside")
}

// Note says how an operation is put together.
func (o on) Note(c result.Case) string {
	switch kindOf(c) {
	case kindMessage:
		return messageNote(c)
	case kindComposite:
		return "put together: CBC with EVP's own padding, then EVP_MAC's HMAC over IV and ciphertext"
	case kindSetup:
		switch c.Operation {
		case "schedule":
			return "EVP_CipherInit_ex with a key, for one direction: encryption"
		case "new":
			return "EVP_CIPHER_CTX_reset, and all set up from nothing"
		}
		return "EVP_CIPHER_CTX_reset, all set up from nothing for each message, which is then sealed"
	case kindMany, kindStream:
		return "a context of EVP serves one goroutine at a time: a cipher that several share keeps as many as were needed at once"
	case kindMAC:
		return "EVP_MAC; the key is set before"
	case kindDerivation:
		return "EVP_KDF: extract and expand from a secret of 32 bytes, as many bytes as the size says"
	case kindDraws:
		return "draws differ from run to run: the library takes its own randomness"
	case kindExchange:
		return "what arrives is read and checked inside the call; Go calls EVP step by step"
	case kindEnvelope:
		if c.Parameters == parameter.ReusedKey {
			return "the key is scheduled before; a nonce of 96 bits is drawn for each message"
		}
		return "a key and a nonce of 96 bits are drawn for each message; Go puts EVP's parts together, framed by the laboratory"
	case kindAgreement:
		return "the peer's public key was read and checked before"
	}
	return keyPairNote(c)
}

func messageNote(c result.Case) string {
	batch := ""
	if n := c.Parameter("batch"); n != "" {
		batch = "one call is " + n + " messages and one crossing; "
	}
	switch {
	case seals(c):
		return batch + "for each message EVP_CipherInit_ex with the nonce, update, final, and a control for the tag"
	case c.Mode == "ECB" || c.Mode == algorithm.OneBlock:
		return batch + "EVP_CipherUpdate"
	case c.Algorithm == "ChaCha20":
		return batch + "for each message EVP_CipherInit_ex with nonce and counter, then EVP_CipherUpdate"
	}
	return batch + "for each message EVP_CipherInit_ex with the IV, then EVP_CipherUpdate"
}

func keyPairNote(c result.Case) string {
	switch {
	case c.Operation != "sign" && c.Operation != "verify":
		if c.Operation == "encrypt" || c.Operation == "decrypt" {
			if n := c.Parameter("message"); n != "" {
				return "of a message of " + n + " bytes"
			}
			return "of a key of 32 bytes"
		}
		return ""
	case c.Algorithm == "SM2" && c.Parameters == "":
		return "hashes the signer's identity and a message of 32 bytes with SM3 inside the call"
	case c.Algorithm == "SM2":
		return "hashes a message of 32 bytes with SM3 inside the call, after the digest of the signer's identity, which is there"
	case c.Algorithm == "Ed25519", strings.HasPrefix(c.Algorithm, "ML-DSA"):
		return "hashes a message of 32 bytes inside the call, for which EVP begins anew"
	case c.Algorithm == "ECDSA-P-384":
		return "of a ready SHA-384 digest"
	case c.Parameters == "crt=no":
		return "of a ready SHA-256 digest; the key came without its primes, so that nothing can be split by them"
	}
	return "of a ready SHA-256 digest"
}
