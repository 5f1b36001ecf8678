package aes

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/fips140"
	"fmt"
	"strings"
	"sync/atomic"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// BlockSize is the size of a block in bytes.
const BlockSize = aes.BlockSize

// KeySizeError is the length in bytes of a key that isn't 16, 24 or 32 bytes long. It is that of crypto/aes.
type KeySizeError = aes.KeySizeError

// A Cipher is AES with one key. It may be used by any number of goroutines at once.
type Cipher struct {
	keys kernel.Keys
	std  cipher.Block                // does the work where it isn't nil, and keys are not made
	gcm  atomic.Pointer[cipher.AEAD] // for calls on many messages, made by the first
}

// fallback names the implementation that every machine has.
const fallback = "std"

// Implementations are the names of those this machine can run, fastest first.
func Implementations() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.String())
	}
	return append(names, fallback)
}

// kernels are those that may be used: none where the program asks for FIPS 140-3, for they are no validated
// module.
func kernels() []kernel.Kernel {
	if fips140.Enabled() {
		return nil
	}
	return kernel.Kernels()
}

// fastest is decided once: it depends on nothing but the processor and GODEBUG at the start.
var fastest = func() kernel.Kernel {
	if ks := kernels(); len(ks) > 0 {
		return ks[0]
	}
	return kernel.None
}()

// NewCipher is crypto/aes.NewCipher for keys of 16, 24 and 32 bytes; any other length gives a [KeySizeError].
// Where this machine or FIPS 140-3 leaves the work to the standard library, the result is the standard
// library's own; else it is a *[Cipher].
func NewCipher(key []byte) (cipher.Block, error) {
	if fastest == kernel.None {
		return aes.NewCipher(key)
	}
	c, err := newCipher(key, fastest)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// New is NewCipher with the type of its result, whatever does the work.
func New(key []byte) (*Cipher, error) { return newCipher(key, fastest) }

// NewWith is New with an implementation by name, for tests and measurements.
func NewWith(key []byte, implementation string) (*Cipher, error) {
	k, err := kernelNamed(implementation)
	if err != nil {
		return nil, err
	}
	return newCipher(key, k)
}

func kernelNamed(implementation string) (kernel.Kernel, error) {
	if implementation == fallback {
		return kernel.None, nil
	}
	for _, k := range kernels() {
		if k.String() == implementation {
			return k, nil
		}
	}
	have := strings.Join(Implementations(), ", ")
	return kernel.None, fmt.Errorf("aes: no implementation %q here, only %s", implementation, have)
}

func newCipher(key []byte, k kernel.Kernel) (*Cipher, error) {
	c := new(Cipher)
	if err := c.init(key, k); err != nil {
		return nil, err
	}
	return c, nil
}

// init makes c what newCipher returns.
func (c *Cipher) init(key []byte, k kernel.Kernel) (err error) {
	if err := checkKey(key); err != nil {
		return err
	}
	if k == kernel.None {
		c.std, err = aes.NewCipher(key)
		return err
	}
	c.keys.Expand(key)
	return nil
}

func checkKey(key []byte) error {
	if !isKey(key) {
		return KeySizeError(len(key))
	}
	return nil
}

// isKey says whether a key has a length that AES has.
func isKey(key []byte) bool { return len(key) == 16 || len(key) == 24 || len(key) == 32 }

// Implementation names what does the work: see the package documentation.
func (c *Cipher) Implementation() string {
	if c.std != nil {
		return fallback
	}
	return kernel.AVX512.String()
}

// BlockSize returns 16.
func (c *Cipher) BlockSize() int { return BlockSize }

// Encrypt encrypts the first block of src into dst, as cipher.Block says.
func (c *Cipher) Encrypt(dst, src []byte) {
	if c.std != nil {
		c.std.Encrypt(dst, src)
		return
	}
	checkBlock(dst, src)
	c.keys.Encrypt((*[BlockSize]byte)(dst), (*[BlockSize]byte)(src))
}

// Decrypt decrypts the first block of src into dst, as cipher.Block says.
func (c *Cipher) Decrypt(dst, src []byte) {
	if c.std != nil {
		c.std.Decrypt(dst, src)
		return
	}
	checkBlock(dst, src)
	c.keys.Decrypt((*[BlockSize]byte)(dst), (*[BlockSize]byte)(src))
}

// checkBlock panics in the words of crypto/aes.
func checkBlock(dst, src []byte) {
	if len(src) < BlockSize {
		panic("crypto/aes: input not full block")
	}
	if len(dst) < BlockSize {
		panic("crypto/aes: output not full block")
	}
	if buffers.InexactOverlap(dst[:BlockSize], src[:BlockSize]) {
		panic("crypto/aes: invalid buffer overlap")
	}
}

// fewBlocks are so many bytes that single blocks are faster than the kernel for many.
const fewBlocks = 2 * BlockSize

// EncryptBlocks encrypts the blocks of src one by one into dst, which may be the same: electronic
// codebook, a step for building modes and no mode to encrypt messages with, because equal blocks stay
// equal. It panics as cipher.BlockMode does.
func (c *Cipher) EncryptBlocks(dst, src []byte) {
	buffers.CheckBlocks(dst, src)
	if c.std == nil && len(src) > fewBlocks {
		c.keys.EncryptBlocks(dst, src)
		return
	}
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		c.Encrypt(dst, src)
	}
}

// DecryptBlocks is the inverse of EncryptBlocks.
func (c *Cipher) DecryptBlocks(dst, src []byte) {
	buffers.CheckBlocks(dst, src)
	if c.std == nil && len(src) > fewBlocks {
		c.keys.DecryptBlocks(dst, src)
		return
	}
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		c.Decrypt(dst, src)
	}
}
