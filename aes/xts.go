package aes

import (
	"crypto/subtle"
	"encoding/binary"
	"errors"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// XTS is the mode for storage of IEEE 1619-2018 and SP 800-38E: data units of 16 bytes or more, each with a
// tweak, its place, and as long encrypted as plain. It may be used by any number of goroutines at once.
type XTS struct {
	data, tweak Cipher
}

// NewXTS returns XTS for a key of 32 or 64 bytes, that of the data and that of the tweak, for AES-128 or AES-256.
// (48 bytes give AES-192, which neither standard names.) The two must differ, or the mode has a known attack on
// chosen ciphertexts.
func NewXTS(key []byte) (*XTS, error) { return newXTS(key, fastest) }

// NewXTSWith is NewXTS with an implementation by name, as NewWith.
func NewXTSWith(key []byte, implementation string) (*XTS, error) {
	k, err := kernelNamed(implementation)
	if err != nil {
		return nil, err
	}
	return newXTS(key, k)
}

func newXTS(key []byte, k kernel.Kernel) (*XTS, error) {
	half := len(key) / 2
	if len(key) != 2*half {
		return nil, KeySizeError(len(key))
	}
	x := new(XTS)
	if err := x.data.init(key[:half], k); err != nil {
		return nil, err
	}
	if err := x.tweak.init(key[half:], k); err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(key[:half], key[half:]) == 1 {
		return nil, errors.New("aes: the two keys of XTS must differ")
	}
	return x, nil
}

// Implementation names what does the work.
func (x *XTS) Implementation() string { return x.data.Implementation() }

// EncryptSector is Encrypt with the number of a sector as its tweak, the lowest byte first: section 5.1.
func (x *XTS) EncryptSector(dst, src []byte, sector uint64) {
	checkUnit(dst, src)
	x.encrypt(dst[:len(src)], src, sectorTweak(sector))
}

// DecryptSector is the inverse of EncryptSector.
func (x *XTS) DecryptSector(dst, src []byte, sector uint64) {
	checkUnit(dst, src)
	x.decrypt(dst[:len(src)], src, sectorTweak(sector))
}

func sectorTweak(sector uint64) (t [BlockSize]byte) {
	binary.LittleEndian.PutUint64(t[:], sector)
	return t
}

// Encrypt encrypts one data unit into dst, which may be the same. The tweak has 16 bytes. It panics where
// lengths don't fit or buffers overlap.
func (x *XTS) Encrypt(dst, src, tweak []byte) {
	checkTweak(tweak)
	checkUnit(dst, src)
	x.encrypt(dst[:len(src)], src, [BlockSize]byte(tweak))
}

// Decrypt is the inverse of Encrypt.
func (x *XTS) Decrypt(dst, src, tweak []byte) {
	checkTweak(tweak)
	checkUnit(dst, src)
	x.decrypt(dst[:len(src)], src, [BlockSize]byte(tweak))
}

func (x *XTS) encrypt(dst, src []byte, t [BlockSize]byte) {
	x.tweak.one(&t)
	whole := len(src) &^ (BlockSize - 1)
	rest := len(src) - whole
	x.data.xtsEncrypt(dst[:whole], src[:whole], &t)
	if rest == 0 {
		return
	}
	// Section 5.3.2: the last whole block lends the end of its ciphertext to what remains.
	var last [BlockSize]byte
	before := dst[whole-BlockSize : whole]
	copy(last[:], src[whole:])
	copy(last[rest:], before[rest:])
	copy(dst[whole:], before[:rest])
	x.data.xtsEncrypt(before, last[:], &t)
}

func (x *XTS) decrypt(dst, src []byte, t [BlockSize]byte) {
	x.tweak.one(&t)
	whole := len(src) &^ (BlockSize - 1)
	rest := len(src) - whole
	if rest == 0 {
		x.data.xtsDecrypt(dst, src, &t)
		return
	}
	// Section 5.4.2: the last two tweaks are used in reverse.
	head := whole - BlockSize
	x.data.xtsDecrypt(dst[:head], src[:head], &t)
	earlier := t
	double(&t)
	var last, block [BlockSize]byte
	copy(last[:], src[whole:])
	x.data.xtsDecrypt(block[:], src[head:whole], &t)
	copy(last[rest:], block[rest:])
	copy(dst[whole:], block[:rest])
	x.data.xtsDecrypt(dst[head:whole], last[:], &earlier)
}

// double replaces a tweak by its product with α, without a branch on it: section 5.2.
func double(t *[BlockSize]byte) {
	low, high := binary.LittleEndian.Uint64(t[:]), binary.LittleEndian.Uint64(t[8:])
	carry := high >> 63
	binary.LittleEndian.PutUint64(t[8:], high<<1|low>>63)
	binary.LittleEndian.PutUint64(t[:], low<<1^carry*0x87)
}

// xtsEncrypt encrypts whole blocks and advances the tweak.
func (c *Cipher) xtsEncrypt(dst, src []byte, t *[BlockSize]byte) {
	if c.std == nil {
		c.keys.XTSEncrypt(dst, src, t)
		return
	}
	c.xtsBlocks(encrypt, dst, src, t)
}

// xtsDecrypt is the inverse of xtsEncrypt.
func (c *Cipher) xtsDecrypt(dst, src []byte, t *[BlockSize]byte) {
	if c.std == nil {
		c.keys.XTSDecrypt(dst, src, t)
		return
	}
	c.xtsBlocks(decrypt, dst, src, t)
}

type direction bool

const (
	encrypt direction = false
	decrypt direction = true
)

// xtsBlocks is XTS over single blocks of the standard library.
func (c *Cipher) xtsBlocks(d direction, dst, src []byte, t *[BlockSize]byte) {
	b := blocks.Get().(*[BlockSize]byte)
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		subtle.XORBytes(b[:], src, t[:])
		if d == encrypt {
			c.std.Encrypt(b[:], b[:])
		} else {
			c.std.Decrypt(b[:], b[:])
		}
		subtle.XORBytes(dst, b[:], t[:])
		double(t)
	}
	clear(b[:])
	blocks.Put(b)
}

func checkTweak(tweak []byte) {
	if len(tweak) != BlockSize {
		panic("aes: XTS tweak length must equal block size")
	}
}

func checkUnit(dst, src []byte) {
	if len(src) < BlockSize {
		panic("aes: XTS input shorter than a block")
	}
	buffers.Check(dst, src)
}
