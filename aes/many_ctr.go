package aes

import (
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// A CTRMessage is one message for [XORKeyStreamMany].
type CTRMessage struct {
	Cipher *Cipher // a key that is kept, or
	Key    []byte  // one of 16, 24 or 32 bytes that is used in this call; exactly one of the two is set
	IV     []byte  // 16 bytes, the first counter block; left as they are
	Dst    []byte  // at least as long as Src; may be Src
	Src    []byte
}

// XORKeyStreamMany XORs each message with the key stream of CTR from its IV on, which encrypts and decrypts. The
// counter is the whole block, modulo 2¹²⁸. Any number of messages and any mixture of lengths and keys is taken. No key
// stream may be used twice: nothing here notices.
//
// It panics where a message has not exactly one of Cipher and Key or an IV of another length, with a [KeySizeError]
// for a key of a wrong length, where Dst is too short, and where what is written overlaps the message's own key, its
// own Src but from the first byte on, or any buffer of another message. Nothing is written then.
func XORKeyStreamMany(messages []CTRMessage) { xorMany(messages, fastest) }

func xorMany(messages []CTRMessage, k kernel.Kernel) {
	var out buffers.Outputs
	var text, iv, key buffers.Hull
	for i := range messages {
		m := &messages[i]
		if m.Cipher != nil || !isKey(m.Key) {
			checkOneKey("aes.XORKeyStreamMany", m.Cipher, m.Key)
		}
		checkIV(m.IV, "aes.XORKeyStreamMany: IV length must equal block size")
		if len(m.Dst) < len(m.Src) {
			panic("crypto/cipher: output smaller than input")
		}
		out = out.With(m.Dst[:len(m.Src)])
		text, iv, key = text.With(buffers.Beyond(m.Src, m.Dst[:len(m.Src)])), iv.With(m.IV), key.With(m.Key)
	}
	b := newBench()
	defer b.done()
	if !out.Clear(text, iv, key) {
		checkStreams(messages)
	}
	if k == kernel.None {
		for i := range messages {
			if m := &messages[i]; len(m.Src) > 0 {
				m.xor(k)
			}
		}
		return
	}
	for first := 0; first < len(messages); first += maxJobs {
		b.xorBatch(messages[first:min(first+maxJobs, len(messages))])
	}
}

// checkStreams panics if what a message writes is read or written by another, or read by itself elsewhere than from
// its first byte on. Its own IV has been read before.
func checkStreams(messages []CTRMessage) {
	d := buffers.NewDisjointness()
	for i := range messages {
		m := &messages[i]
		d.Writes(m.Dst[:len(m.Src)], i)
	}
	d.Order()
	for i := range messages {
		m := &messages[i]
		d.ReadsText(m.Src, m.Dst[:len(m.Src)])
		d.Reads(buffers.Nonce, m.IV, i)
		d.Reads(buffers.Key, m.Key, buffers.Nobody)
	}
	d.Release()
}

// xor does one message by itself.
func (m *CTRMessage) xor(k kernel.Kernel) {
	at := kernel.LoadCounter((*[BlockSize]byte)(m.IV))
	switch {
	case m.Cipher != nil:
		m.Cipher.xorCTR(m.Dst[:len(m.Src)], m.Src, at)
	case k == kernel.None:
		c := mustCipher(m.Key, k)
		c.xorCTR(m.Dst[:len(m.Src)], m.Src, at)
	default:
		var keys kernel.Keys
		keys.ExpandForward(m.Key)
		keys.CTR(m.Dst[:len(m.Src)], m.Src, at)
	}
}

// mustCipher is newCipher for a key whose length has been checked.
func mustCipher(key []byte, k kernel.Kernel) *Cipher {
	c, err := newCipher(key, k)
	if err != nil {
		panic("aes: internal error: " + err.Error())
	}
	return c
}

// NewCiphers is [New] for many keys at once; the first key of a wrong length is the error. The ciphers lie in one
// block of memory, which stays as long as one of them is in use.
func NewCiphers(keys [][]byte) ([]*Cipher, error) {
	for _, key := range keys {
		if err := checkKey(key); err != nil {
			return nil, err
		}
	}
	all, ciphers := make([]Cipher, len(keys)), make([]*Cipher, len(keys))
	for i, key := range keys {
		ciphers[i] = &all[i]
		if err := all[i].init(key, fastest); err != nil {
			return nil, err
		}
	}
	return ciphers, nil
}
