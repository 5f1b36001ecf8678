package sm4

import (
	"crypto/subtle"
	"errors"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// XTS is the mode for storage of IEEE 1619-2018: data units of 16 bytes or more, each with a tweak, its
// place, and as long encrypted as plain. (GB/T 17964-2021 defines a variant with another order of bits
// in the tweak, which is not this one.) It may be used by any number of goroutines at once.
type XTS struct {
	data, tweak Cipher
}

// NewXTS returns XTS for a key of 32 bytes, that of the data and that of the tweak. The two must
// differ, or the mode has a known attack on chosen ciphertexts.
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
	if len(key) != 2*KeySize {
		return nil, KeySizeError(len(key))
	}
	if subtle.ConstantTimeCompare(key[:KeySize], key[KeySize:]) == 1 {
		return nil, errors.New("sm4: the two keys of XTS must differ")
	}
	x := new(XTS)
	if err := x.data.init(key[:KeySize], k); err != nil {
		return nil, err
	}
	if err := x.tweak.initTweak(key[KeySize:], k); err != nil {
		return nil, err
	}
	return x, nil
}

// initTweak is init for a key that encrypts single blocks only.
func (c *Cipher) initTweak(key []byte, k kernel.Kernel) error {
	if k == kernel.None {
		return c.gmsm.initBlock(key)
	}
	return c.init(key, k)
}

// Implementation names what does the work.
func (x *XTS) Implementation() string { return x.data.Implementation() }

// Encrypt encrypts one data unit into dst, which may be the same. The tweak has 16 bytes; for a sector
// these are its number, lowest byte first. It panics where lengths don't fit or buffers overlap.
func (x *XTS) Encrypt(dst, src, tweak []byte) {
	x.check(dst, src, tweak)
	dst = dst[:len(src)]
	whole := len(src) &^ (BlockSize - 1)
	t := x.start(tweak)
	x.data.xts(encrypt, dst[:whole], src[:whole], &t)
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
	x.data.xts(encrypt, before, last[:], &t)
}

// Decrypt is the inverse of Encrypt.
func (x *XTS) Decrypt(dst, src, tweak []byte) {
	x.check(dst, src, tweak)
	dst = dst[:len(src)]
	whole := len(src) &^ (BlockSize - 1)
	rest := len(src) - whole
	t := x.start(tweak)
	if rest == 0 {
		x.data.xts(decrypt, dst, src, &t)
		return
	}
	// Section 5.4.2: the last two tweaks are used in reverse.
	head := whole - BlockSize
	x.data.xts(decrypt, dst[:head], src[:head], &t)
	earlier := t
	advance(&t)
	var last, block [BlockSize]byte
	copy(last[:], src[whole:])
	x.data.xts(decrypt, block[:], src[head:whole], &t)
	copy(last[rest:], block[rest:])
	copy(dst[whole:], block[:rest])
	x.data.xts(decrypt, dst[head:whole], last[:], &earlier)
}

func (x *XTS) check(dst, src, tweak []byte) {
	if len(tweak) != BlockSize {
		panic("sm4: XTS tweak length must equal block size")
	}
	if len(src) < BlockSize {
		panic("sm4: XTS input shorter than a block")
	}
	checkBuffers(dst, src)
}

// start encrypts the tweak.
func (x *XTS) start(tweak []byte) (t [BlockSize]byte) {
	x.tweak.one(&t, tweak)
	return t
}
