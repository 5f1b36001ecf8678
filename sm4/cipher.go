package sm4

import (
	"crypto/cipher"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

const (
	// BlockSize is the size of a block in bytes.
	BlockSize = 16
	// KeySize is the size of a key in bytes.
	KeySize = 16
)

// KeySizeError is the length in bytes of a key that isn't KeySize long.
type KeySizeError int

func (k KeySizeError) Error() string { return "sm4: invalid key size " + strconv.Itoa(int(k)) }

// A Cipher is SM4 with one key. It may be used by any number of goroutines at once.
type Cipher struct {
	enc    kernel.Schedule
	zero   [BlockSize]byte // the image of zeros, if the kernel has Fused
	kernel kernel.Kernel   // None: gmsm below does the work
	dec    atomic.Pointer[kernel.Schedule]
	kept   atomic.Pointer[cipher.AEAD] // GCM of many messages
	gmsm   *gmsmCipher
}

// fallback names the implementation that every machine has.
const fallback = "gmsm"

// Implementations are the names of those this machine can run, fastest first.
func Implementations() []string {
	var names []string
	for _, k := range kernel.Kernels() {
		names = append(names, k.String())
	}
	return append(names, fallback)
}

// NewCipher returns SM4 with a key of 16 bytes, in the fastest implementation of this machine. Any
// other length gives a [KeySizeError].
func NewCipher(key []byte) (cipher.Block, error) {
	c, err := New(key)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// New is NewCipher with the type of its result.
func New(key []byte) (*Cipher, error) {
	return newCipher(key, fastest)
}

// fastest is decided once: it depends on nothing but the processor.
var fastest = func() kernel.Kernel {
	if ks := kernel.Kernels(); len(ks) > 0 {
		return ks[0]
	}
	return kernel.None
}()

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
	for _, k := range kernel.Kernels() {
		if k.String() == implementation {
			return k, nil
		}
	}
	have := strings.Join(Implementations(), ", ")
	return kernel.None, fmt.Errorf("sm4: no implementation %q here, only %s", implementation, have)
}

func newCipher(key []byte, k kernel.Kernel) (*Cipher, error) {
	var c *Cipher
	if k == kernel.None {
		both := new(struct {
			Cipher
			gmsmCipher
		})
		c, both.gmsm = &both.Cipher, &both.gmsmCipher
	} else {
		c = new(Cipher)
	}
	if err := c.init(key, k); err != nil {
		return nil, err
	}
	return c, nil
}

// init makes c what newCipher returns. For gmsm it has room for it.
func (c *Cipher) init(key []byte, k kernel.Kernel) error {
	if len(key) != KeySize {
		return KeySizeError(len(key))
	}
	c.kernel = k
	if k != kernel.None {
		k.Expand((*[KeySize]byte)(key), &c.enc, &c.zero)
		return nil
	}
	return c.gmsm.init(key)
}

// made says whether a constructor has made c.
func (c *Cipher) made() bool { return c.kernel != kernel.None || c.gmsm != nil }

// decryption is the schedule for decryption, made when it is first asked for.
func (c *Cipher) decryption() *kernel.Schedule {
	s := c.dec.Load()
	if s == nil {
		s = new(kernel.Schedule)
		c.enc.Reverse(s)
		c.dec.Store(s)
	}
	return s
}

// Implementation names what does the work: see the package documentation.
func (c *Cipher) Implementation() string {
	if c.kernel == kernel.None {
		return fallback
	}
	return c.kernel.String()
}

// BlockSize returns 16.
func (c *Cipher) BlockSize() int { return BlockSize }

// Encrypt encrypts the first block of src into dst, as cipher.Block says.
func (c *Cipher) Encrypt(dst, src []byte) {
	checkBlock(dst, src)
	if c.kernel == kernel.None {
		c.gmsm.block.Encrypt(dst, src)
		return
	}
	c.kernel.ECB(&c.enc, dst[:BlockSize], src[:BlockSize])
}

// Decrypt decrypts the first block of src into dst, as cipher.Block says.
func (c *Cipher) Decrypt(dst, src []byte) {
	checkBlock(dst, src)
	if c.kernel == kernel.None {
		c.gmsm.block.Decrypt(dst, src)
		return
	}
	c.kernel.ECB(c.decryption(), dst[:BlockSize], src[:BlockSize])
}

func checkBlock(dst, src []byte) {
	if len(src) < BlockSize {
		panic("sm4: input not full block")
	}
	if len(dst) < BlockSize {
		panic("sm4: output not full block")
	}
	if buffers.InexactOverlap(dst[:BlockSize], src[:BlockSize]) {
		panic("sm4: invalid buffer overlap")
	}
}
