package aes

import (
	"crypto/cipher"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// A CBCStream is one message for [EncryptCBC].
type CBCStream struct {
	Cipher *Cipher // its key; streams may share one or have one each
	IV     []byte  // 16 bytes, left as they are
	Dst    []byte  // at least as long as Src; may be Src
	Src    []byte  // whole blocks; may be empty
}

// EncryptCBC encrypts independent messages by CBC. Each result is what
//
//	cipher.NewCBCEncrypter(s.Cipher, s.IV).CryptBlocks(s.Dst, s.Src)
//
// writes, but up to 32 messages run side by side, which is where CBC's speed is: within one message every block
// waits for the one before. Any number and any mixture of lengths is taken, and the long ones are begun first. One
// key for all is faster than a key each.
//
// It panics where that line does, where a stream has no Cipher, and where the Dst of one stream overlaps a buffer of
// another, its IV included; nothing is written then.
func EncryptCBC(streams []CBCStream) {
	if !levelStreams(streams) {
		checkCiphersStreams(streams)
	}
	b := newBench()
	defer b.done()
	for first := 0; first < len(streams); first += maxJobs {
		b.encryptBatch(streams[first:min(first+maxJobs, len(streams))])
	}
}

// levelStreams says whether one look tells that streams keep to all that checkCiphersStreams demands.
func levelStreams(streams []CBCStream) bool {
	for i := range streams {
		if c := streams[i].Cipher; c == nil || !c.made() {
			return false
		}
	}
	if len(streams) == 0 {
		return true
	}
	_, level := buffers.LevelOf((*buffers.Stream)(unsafe.Pointer(&streams[0].IV)), unsafe.Sizeof(streams[0]), len(streams))
	return level
}

// A CBCKeyStream is one message for [EncryptCBCKeys].
type CBCKeyStream struct {
	Key []byte // 16, 24 or 32 bytes, used in this call
	IV  []byte // 16 bytes, left as they are
	Dst []byte // at least as long as Src; may be Src
	Src []byte // whole blocks; may be empty
}

// EncryptCBCKeys is [EncryptCBC] for streams with raw keys, whose schedules are made side by side, too. It panics
// where that does, with a [KeySizeError] for a key of a wrong length, and where a stream without a key is given or a
// Dst overlaps a key.
func EncryptCBCKeys(streams []CBCKeyStream) { encryptKeys(streams, fastest) }

func encryptKeys(streams []CBCKeyStream, k kernel.Kernel) {
	if !levelKeyStreams(streams) {
		checkKeysStreams(streams)
	}
	b := newBench()
	defer b.done()
	if k == kernel.None {
		for i := range streams {
			s := &streams[i]
			mustCipher(s.Key, k).encryptCBC(s.Dst[:len(s.Src)], s.Src, s.IV)
		}
		return
	}
	for first := 0; first < len(streams); first += maxJobs {
		b.encryptKeysBatch(streams[first:min(first+maxJobs, len(streams))])
	}
}

func levelKeyStreams(streams []CBCKeyStream) bool {
	var keys buffers.Hull
	for i := range streams {
		if !isKey(streams[i].Key) {
			return false
		}
		keys = keys.With(streams[i].Key)
	}
	if len(streams) == 0 {
		return true
	}
	written, level := buffers.LevelOf((*buffers.Stream)(unsafe.Pointer(&streams[0].IV)), unsafe.Sizeof(streams[0]), len(streams))
	return level && written.Misses(keys, func(i int) []byte { return streams[i].Key })
}

// checkCiphersStreams panics where EncryptCBC does.
func checkCiphersStreams(streams []CBCStream) {
	var out buffers.Outputs
	var text, iv buffers.Hull
	for i := range streams {
		s := &streams[i]
		if s.Cipher == nil || !s.Cipher.made() {
			panic("aes.EncryptCBC: stream without a Cipher")
		}
		checkIV(s.IV, "aes.EncryptCBC: IV length must equal block size")
		if len(s.Src)%BlockSize != 0 || len(s.Dst) < len(s.Src) {
			buffers.CheckBlocks(s.Dst, s.Src)
		}
		out = out.With(s.Dst[:len(s.Src)])
		text, iv = text.With(buffers.Beyond(s.Src, s.Dst[:len(s.Src)])), iv.With(s.IV)
	}
	if out.Clear(text, iv) {
		return
	}
	d := buffers.NewDisjointness()
	for i := range streams {
		s := &streams[i]
		d.Writes(s.Dst[:len(s.Src)], i)
	}
	d.Order()
	for i := range streams {
		s := &streams[i]
		d.ReadsText(s.Src, s.Dst[:len(s.Src)])
		d.Reads(buffers.Nonce, s.IV, i)
	}
	d.Release()
}

// checkKeysStreams panics where EncryptCBCKeys does.
func checkKeysStreams(streams []CBCKeyStream) {
	var out buffers.Outputs
	var text, iv, key buffers.Hull
	for i := range streams {
		s := &streams[i]
		if !isKey(s.Key) {
			checkOneKey("aes.EncryptCBCKeys", nil, s.Key)
		}
		checkIV(s.IV, "aes.EncryptCBCKeys: IV length must equal block size")
		if len(s.Src)%BlockSize != 0 || len(s.Dst) < len(s.Src) {
			buffers.CheckBlocks(s.Dst, s.Src)
		}
		out = out.With(s.Dst[:len(s.Src)])
		text, iv, key = text.With(buffers.Beyond(s.Src, s.Dst[:len(s.Src)])), iv.With(s.IV), key.With(s.Key)
	}
	if out.Clear(text, iv, key) {
		return
	}
	d := buffers.NewDisjointness()
	for i := range streams {
		s := &streams[i]
		d.Writes(s.Dst[:len(s.Src)], i)
	}
	d.Order()
	for i := range streams {
		s := &streams[i]
		d.ReadsText(s.Src, s.Dst[:len(s.Src)])
		d.Reads(buffers.Nonce, s.IV, i)
		d.Reads(buffers.Key, s.Key, buffers.Nobody)
	}
	d.Release()
}

// encryptCBC encrypts one message.
func (c *Cipher) encryptCBC(dst, src, iv []byte) {
	if c.std != nil {
		cipher.NewCBCEncrypter(c.std, iv).CryptBlocks(dst, src)
		return
	}
	own := [BlockSize]byte(iv)
	c.keys.CBCEncrypt(dst, src, &own)
}
