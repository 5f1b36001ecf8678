package sm4

import (
	"crypto/cipher"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// NewCiphers is [New] for many keys at once. The ciphers lie in one piece of memory, which is held as long as
// one of them is. A key of a wrong length gives a [KeySizeError] and no ciphers.
func NewCiphers(keys [][]byte) ([]*Cipher, error) { return newCiphers(keys, fastest) }

func newCiphers(keys [][]byte, k kernel.Kernel) ([]*Cipher, error) {
	for _, key := range keys {
		if len(key) != KeySize {
			return nil, KeySizeError(len(key))
		}
	}
	made, ciphers := make([]Cipher, len(keys)), make([]*Cipher, len(keys))
	gmsm := make([]gmsmCipher, 0)
	if k == kernel.None {
		gmsm = make([]gmsmCipher, len(keys))
	}
	for i := range made {
		ciphers[i] = &made[i]
	}
	if k.Fused() {
		expandAll(ciphers, keys, k)
		return ciphers, nil
	}
	for i, key := range keys {
		c := ciphers[i]
		if k == kernel.None {
			c.gmsm = &gmsm[i]
		}
		if err := c.init(key, k); err != nil {
			return nil, err
		}
	}
	return ciphers, nil
}

// expandAll makes the schedules of all keys in lanes.
func expandAll(ciphers []*Cipher, keys [][]byte, k kernel.Kernel) {
	var some [16]*[KeySize]byte
	var schedules [16]*kernel.Schedule
	var zero [16][BlockSize]byte
	for len(keys) > 0 {
		n := min(len(keys), 16)
		for i, c := range ciphers[:n] {
			c.kernel = k
			some[i], schedules[i] = (*[KeySize]byte)(keys[i]), &c.enc
		}
		k.Expand16(some[:n], schedules[:n], &zero)
		for i, c := range ciphers[:n] {
			c.zero = zero[i]
		}
		ciphers, keys = ciphers[n:], keys[n:]
	}
}

// A oneKey has room for what is made of a raw key that is used once, one after the other.
type oneKey struct {
	c      Cipher
	g      gcm
	powers kernel.Powers
	used   bool
}

// wipe leaves nothing of the key.
func (w *oneKey) wipe() {
	if w.used {
		w.used = false
		w.c.enc, w.c.zero, w.c.gmsm = kernel.Schedule{}, [BlockSize]byte{}, nil
		w.powers, w.g.few = kernel.Powers{}, kernel.FewPowers{}
	}
}

// cipherOf is the cipher of a key, which has the right length, until the next one is made.
func (w *oneKey) cipherOf(key []byte, k kernel.Kernel) *Cipher {
	if k == kernel.None {
		return mustNew(key)
	}
	w.used = true
	if err := w.c.init(key, k); err != nil {
		panic("sm4: internal error: " + err.Error())
	}
	return &w.c
}

// gcmOf is its GCM.
func (w *oneKey) gcmOf(key []byte, k kernel.Kernel) cipher.AEAD {
	c := w.cipherOf(key, k)
	if k == kernel.None {
		return newGMSMGCM(c, gcmNonceSize, BlockSize)
	}
	w.g.c, w.g.nonceSize, w.g.tagSize = c, gcmNonceSize, BlockSize
	if k.Fused() {
		k.FewPowers(&w.g.few, &c.zero)
	}
	w.g.powers.Store(nil)
	w.g.makePowers(&w.powers)
	return &w.g
}

// mustNew is gmsm's cipher of a key of the right length.
func mustNew(key []byte) *Cipher {
	c, err := newCipher(key, kernel.None)
	if err != nil {
		panic("sm4: internal error: " + err.Error())
	}
	return c
}
