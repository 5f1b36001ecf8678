package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// XTS is the mode for storage: data units of 16 bytes or more, each with a tweak, its place, and as long
// encrypted as plain. It may be used by any number of goroutines at once.
type XTS struct {
	data, tweak Cipher
	order       bitOrder
}

// NewXTS returns XTS of IEEE 1619-2018 for a key of 32 bytes, that of the data and that of the tweak. The two
// must differ, or the mode has a known attack on chosen ciphertexts.
func NewXTS(key []byte) (*XTS, error) { return newXTS(key, fastest, ieee) }

// NewGBXTS returns XTS of GB/T 17964-2021, which has another order of bits in the tweak: only the first block of
// a data unit is the same as that of NewXTS.
func NewGBXTS(key []byte) (*XTS, error) { return newXTS(key, fastest, gb) }

// NewXTSWith is NewXTS with an implementation by name, as NewWith.
func NewXTSWith(key []byte, implementation string) (*XTS, error) {
	return newXTSWith(key, implementation, ieee)
}

// NewGBXTSWith is NewGBXTS with an implementation by name, as NewWith.
func NewGBXTSWith(key []byte, implementation string) (*XTS, error) {
	return newXTSWith(key, implementation, gb)
}

func newXTSWith(key []byte, implementation string, o bitOrder) (*XTS, error) {
	k, err := kernelNamed(implementation)
	if err != nil {
		return nil, err
	}
	return newXTS(key, k, o)
}

func newXTS(key []byte, k kernel.Kernel, o bitOrder) (*XTS, error) {
	if len(key) != 2*KeySize {
		return nil, KeySizeError(len(key))
	}
	if subtle.ConstantTimeCompare(key[:KeySize], key[KeySize:]) == 1 {
		return nil, errors.New("sm4: the two keys of XTS must differ")
	}
	var x *XTS
	if k == kernel.None {
		both := new(struct {
			XTS
			forData, forTweak gmsmCipher
		})
		x = &both.XTS
		x.data.gmsm, x.tweak.gmsm = &both.forData, &both.forTweak
	} else {
		x = new(XTS)
	}
	x.order = o
	if err := x.data.init(key[:KeySize], k); err != nil {
		return nil, err
	}
	if err := x.tweak.init(key[KeySize:], k); err != nil {
		return nil, err
	}
	return x, nil
}

// Implementation names what does the work.
func (x *XTS) Implementation() string { return x.data.Implementation() }

// Encrypt encrypts one data unit into dst, which may be the same. The tweak has 16 bytes. It panics where lengths
// don't fit or buffers overlap.
func (x *XTS) Encrypt(dst, src, tweak []byte) {
	checkTweak(tweak)
	checkUnit(dst, src)
	t := x.start(tweak)
	x.data.encryptUnit(dst[:len(src)], src, &t, x.order)
}

// Decrypt is the inverse of Encrypt.
func (x *XTS) Decrypt(dst, src, tweak []byte) {
	checkTweak(tweak)
	checkUnit(dst, src)
	t := x.start(tweak)
	x.data.decryptUnit(dst[:len(src)], src, &t, x.order)
}

// encryptUnit encrypts a data unit, t being its tweak encrypted, and advances t by its whole blocks.
func (c *Cipher) encryptUnit(dst, src []byte, t *[BlockSize]byte, o bitOrder) {
	whole := len(src) &^ (BlockSize - 1)
	c.xts(encrypt, dst[:whole], src[:whole], t, o)
	rest := len(src) - whole
	if rest == 0 {
		return
	}
	// Section 5.3.2: the last whole block lends the end of its ciphertext to what remains.
	var last [BlockSize]byte
	before := dst[whole-BlockSize : whole]
	copy(last[:], src[whole:])
	copy(last[rest:], before[rest:])
	copy(dst[whole:], before[:rest])
	c.xts(encrypt, before, last[:], t, o)
}

// decryptUnit is the inverse of encryptUnit.
func (c *Cipher) decryptUnit(dst, src []byte, t *[BlockSize]byte, o bitOrder) {
	whole := len(src) &^ (BlockSize - 1)
	rest := len(src) - whole
	if rest == 0 {
		c.xts(decrypt, dst, src, t, o)
		return
	}
	// Section 5.4.2: the last two tweaks are used in reverse.
	head := whole - BlockSize
	c.xts(decrypt, dst[:head], src[:head], t, o)
	var earlier, last, block [BlockSize]byte
	tweaks(earlier[:], t, o)
	copy(last[:], src[whole:])
	c.xts(decrypt, block[:], src[head:whole], t, o)
	copy(last[rest:], block[rest:])
	copy(dst[whole:], block[:rest])
	c.xts(decrypt, dst[head:whole], last[:], &earlier, o)
}

// A bitOrder says which bit of a tweak's byte is its lowest coefficient.
type bitOrder bool

const (
	ieee bitOrder = false // IEEE 1619-2018: the lowest bit
	gb   bitOrder = true  // GB/T 17964-2021: the highest
)

// tweaks fills dst, whole blocks, with t and its products by α, and advances it, without a branch on it:
// IEEE 1619-2018, section 5.2.
func tweaks(dst []byte, t *[BlockSize]byte, o bitOrder) {
	if o == gb {
		high, low := binary.BigEndian.Uint64(t[:]), binary.BigEndian.Uint64(t[8:])
		for ; len(dst) >= BlockSize; dst = dst[BlockSize:] {
			binary.BigEndian.PutUint64(dst, high)
			binary.BigEndian.PutUint64(dst[8:], low)
			over := -(low & 1) & (0xe1 << 56)
			high, low = high>>1^over, high<<63|low>>1
		}
		binary.BigEndian.PutUint64(t[:], high)
		binary.BigEndian.PutUint64(t[8:], low)
		return
	}
	low, high := binary.LittleEndian.Uint64(t[:]), binary.LittleEndian.Uint64(t[8:])
	for ; len(dst) >= BlockSize; dst = dst[BlockSize:] {
		binary.LittleEndian.PutUint64(dst, low)
		binary.LittleEndian.PutUint64(dst[8:], high)
		over := -(high >> 63) & 0x87
		low, high = low<<1^over, high<<1|low>>63
	}
	binary.LittleEndian.PutUint64(t[:], low)
	binary.LittleEndian.PutUint64(t[8:], high)
}

func checkTweak(tweak []byte) {
	if len(tweak) != BlockSize {
		panic("sm4: XTS tweak length must equal block size")
	}
}

func checkUnit(dst, src []byte) {
	if len(src) < BlockSize {
		panic("sm4: XTS input shorter than a block")
	}
	buffers.Check(dst, src)
}

// NewXTSEncrypter is what package cipher of gmsm looks for, in NewXTSEncrypter and in NewGBXTSEncrypter,
// which say isGB for the bits' order of GB/T 17964-2021. The tweak has been encrypted. A call whose length
// isn't whole blocks ends the data unit.
func (c *Cipher) NewXTSEncrypter(encryptedTweak *[BlockSize]byte, isGB bool) cipher.BlockMode {
	return &xtsMode{c, encrypt, bitOrder(isGB), *encryptedTweak}
}

// NewXTSDecrypter is NewXTSEncrypter for the inverse.
func (c *Cipher) NewXTSDecrypter(encryptedTweak *[BlockSize]byte, isGB bool) cipher.BlockMode {
	return &xtsMode{c, decrypt, bitOrder(isGB), *encryptedTweak}
}

// An xtsMode is XTS for gmsm: one data unit, whose length need not be whole blocks.
type xtsMode struct {
	c     *Cipher
	d     direction
	order bitOrder
	tweak [BlockSize]byte // of the next block, encrypted
}

func (*xtsMode) BlockSize() int { return BlockSize }

func (x *xtsMode) CryptBlocks(dst, src []byte) {
	checkUnit(dst, src)
	if x.d == encrypt {
		x.c.encryptUnit(dst[:len(src)], src, &x.tweak, x.order)
		return
	}
	x.c.decryptUnit(dst[:len(src)], src, &x.tweak, x.order)
}

// start encrypts the tweak.
func (x *XTS) start(tweak []byte) (t [BlockSize]byte) {
	x.tweak.one(&t, tweak)
	return t
}
