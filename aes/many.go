package aes

import (
	"crypto/aes"
	"crypto/cipher"
	"sync"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// A GCMMessage is one message for [SealMany] and [OpenMany].
type GCMMessage struct {
	Cipher         *Cipher // a key that is kept, or
	Key            []byte  // one of 16, 24 or 32 bytes that is used in this call; exactly one of the two is set
	Nonce          []byte  // 12 bytes
	AdditionalData []byte  // may be empty
	Dst            []byte  // where the result goes, from its first byte on; may begin where Src begins
	Src            []byte  // of SealMany the plaintext; of OpenMany the ciphertext and behind it its tag of 16 bytes
	Err            error   // set by OpenMany: nil, or that this message is not authentic
}

// SealMany seals each message by GCM: its ciphertext and behind it a tag of 16 bytes are the first len(Src)+16 bytes
// of Dst. Any number of messages and any mixture of lengths and keys is taken. Short messages under raw keys are
// worked on side by side, which is many times as fast as one after the other. The caller sees to it that no nonce
// is used twice with a key: nothing here notices.
//
// It panics where Seal does, where GODEBUG=fips140=only forbids GCM with a nonce of the caller's, where a message has not
// exactly one of Cipher and Key, with a [KeySizeError] for a key of a wrong length, and where the result of a message
// overlaps its own nonce, key or additional data, its own Src but from the first byte on, or any buffer of another
// message. Nothing is written then.
func SealMany(messages []GCMMessage) { sealMany(messages, fastest) }

// OpenMany is the inverse of SealMany: the first len(Src)−16 bytes of Dst are the plaintext of each message that is
// authentic. It sets the Err of every message. Where one is not authentic its Dst stays as it was, the others are
// opened, and the result is the same error; it is nil where all are authentic. It panics where SealMany does.
func OpenMany(messages []GCMMessage) error { return openMany(messages, fastest) }

func sealMany(messages []GCMMessage, k kernel.Kernel) {
	alike := checkSealed(messages)
	b := newBench()
	defer b.done()
	if !(alike && buffers.AlikeApart(asRead(messages), messages[0].result(BlockSize)) || gcmClear(messages, BlockSize)) {
		checkMessages(messages, BlockSize)
	}
	if k == kernel.None {
		for i := range messages {
			messages[i].seal(k)
		}
		return
	}
	if alike {
		messages = b.sealShort(messages)
	}
	for first := 0; first < len(messages); first += maxJobs {
		b.sealBatch(messages[first:min(first+maxJobs, len(messages))])
	}
}

// checkSealed panics where one message by itself can't be sealed, and says whether all are alike enough for
// [bench.sealShort].
func checkSealed(messages []GCMMessage) (alike bool) {
	l := likenessOf(messages)
	for i := range messages {
		m := &messages[i]
		if m.Cipher != nil || !isKey(m.Key) {
			checkOneKey("aes.SealMany", m.Cipher, m.Key)
		}
		checkOnceNonce(m.Nonce)
		if uint64(len(m.Src)) > gcmMaxText {
			panic("crypto/cipher: message too large for GCM")
		}
		if len(m.Dst)-BlockSize < len(m.Src) {
			panic("crypto/cipher: output smaller than input")
		}
		l.differ |= l.from(m)
	}
	return l.short(0)
}

func openMany(messages []GCMMessage, k kernel.Kernel) (err error) {
	alike := checkOpened(messages)
	b := newBench()
	defer b.done()
	if !(alike && buffers.AlikeApart(asRead(messages), messages[0].result(-BlockSize)) || gcmClear(messages, -BlockSize)) {
		checkMessages(messages, -BlockSize)
	}
	for i := range messages {
		m := &messages[i]
		if m.Err = nil; k == kernel.None && (m.refused() || !m.open(k)) {
			m.Err, err = errOpen, errOpen
		}
	}
	if k == kernel.None {
		return err
	}
	if alike {
		messages, err = b.openShort(messages)
	}
	for first := 0; first < len(messages); first += maxJobs {
		if wrong := b.openBatch(messages[first:min(first+maxJobs, len(messages))]); wrong != nil {
			err = wrong
		}
	}
	return err
}

// checkOpened is checkSealed for messages to be opened.
func checkOpened(messages []GCMMessage) (alike bool) {
	l := likenessOf(messages)
	for i := range messages {
		m := &messages[i]
		if m.Cipher != nil || !isKey(m.Key) {
			checkOneKey("aes.OpenMany", m.Cipher, m.Key)
		}
		checkOnceNonce(m.Nonce)
		if len(m.Dst) < m.opened() {
			panic("crypto/cipher: output smaller than input")
		}
		l.differ |= l.from(m)
	}
	return l.short(BlockSize)
}

// refused says whether a message to be opened has a length that none has that was sealed.
func (m *GCMMessage) refused() bool {
	n := len(m.Src) - BlockSize
	return n < 0 || uint64(n) > gcmMaxText
}

// opened is how many bytes of plaintext a message to be opened may have.
func (m *GCMMessage) opened() int {
	if m.refused() {
		return 0
	}
	return len(m.Src) - BlockSize
}

// checkOneKey panics unless exactly one of both is there and can be used.
func checkOneKey(function string, c *Cipher, key []byte) {
	switch {
	case c == nil && key == nil, c != nil && !c.made():
		panic(function + ": message without a key")
	case c != nil && key != nil:
		panic(function + ": message with two keys")
	case c == nil:
		if err := checkKey(key); err != nil {
			panic(err)
		}
	}
}

// made says whether c is what a constructor returned.
func (c *Cipher) made() bool { return c.std != nil || c.keys.Made() }

// gcmClear says that what messages write, which is longer than their Src by so many bytes, is read by none and written by
// no other. Where it doesn't, it isn't known.
func gcmClear(messages []GCMMessage, longer int) bool {
	var out buffers.Outputs
	var text, nonce, key, more buffers.Hull
	for i := range messages {
		m := &messages[i]
		n := m.result(longer)
		out = out.With(m.Dst[:n])
		text, nonce = text.With(buffers.Beyond(m.Src, m.Dst[:n])), nonce.With(m.Nonce)
		key, more = key.With(m.Key), more.With(m.AdditionalData)
	}
	return out.Clear(text, nonce, key, more)
}

// checkMessages panics if what a message writes, which is longer than its Src by so many bytes, is read or written
// by another, or read by itself elsewhere than from its first byte on.
func checkMessages(messages []GCMMessage, longer int) {
	d := buffers.NewDisjointness()
	for i := range messages {
		m := &messages[i]
		d.Writes(m.Dst[:m.result(longer)], i)
	}
	d.Order()
	for i := range messages {
		m := &messages[i]
		d.ReadsText(m.Src, m.Dst[:m.result(longer)])
		d.Reads(buffers.Additional, m.AdditionalData, buffers.Nobody)
		d.Reads(buffers.Nonce, m.Nonce, buffers.Nobody)
		d.Reads(buffers.Key, m.Key, buffers.Nobody)
	}
	d.Release()
}

// result is how many bytes a message writes whose result is longer than its Src by so many, or shorter.
func (m *GCMMessage) result(longer int) int {
	if longer < 0 {
		return m.opened()
	}
	return len(m.Src) + longer
}

// seal seals a message by itself.
func (m *GCMMessage) seal(k kernel.Kernel) {
	out := m.Dst[:len(m.Src)+BlockSize]
	switch {
	case m.Cipher != nil:
		m.Cipher.aead().Seal(out[:0], m.Nonce, m.Src, m.AdditionalData)
	case k == kernel.None:
		stdAEAD(m.Key).Seal(out[:0], m.Nonce, m.Src, m.AdditionalData)
	case kernel.Short(len(m.Src), len(m.AdditionalData)):
		var o kernel.Once
		o.Init(m.Key)
		o.Seal(&out[0], m.Nonce, unsafe.SliceData(m.Src), len(m.Src), unsafe.SliceData(m.AdditionalData), len(m.AdditionalData))
	default:
		o := onceFor(m.Key, len(m.Src)+len(m.AdditionalData))
		o.gcm.sealOut(out, m.Nonce, m.Src, m.AdditionalData)
		o.done()
	}
}

// open opens a message by itself, and leaves Dst alone if it isn't authentic.
func (m *GCMMessage) open(k kernel.Kernel) bool {
	n := len(m.Src) - BlockSize
	out := m.Dst[:n]
	switch {
	case m.Cipher != nil && m.Cipher.std == nil:
		return m.Cipher.aead().(*gcm).open(out, m.Nonce, m.Src, m.AdditionalData)
	case m.Cipher != nil:
		return m.openAside(m.Cipher.aead())
	case k == kernel.None:
		return m.openAside(stdAEAD(m.Key))
	case kernel.Short(n, len(m.AdditionalData)):
		var o kernel.Once
		o.Init(m.Key)
		return o.Open(unsafe.SliceData(out), m.Nonce, &m.Src[0], n, unsafe.SliceData(m.AdditionalData), len(m.AdditionalData))
	default:
		o := onceFor(m.Key, n+len(m.AdditionalData))
		authentic := o.gcm.open(out, m.Nonce, m.Src, m.AdditionalData)
		o.done()
		return authentic
	}
}

// openAside opens by the standard library, which writes before it knows, into other memory first.
func (m *GCMMessage) openAside(a cipher.AEAD) bool {
	aside := asides.Get().(*[]byte)
	defer asides.Put(aside)
	plain, err := a.Open((*aside)[:0], m.Nonce, m.Src, m.AdditionalData)
	if err != nil {
		return false
	}
	copy(m.Dst, plain)
	*aside = plain[:0]
	clear(plain)
	return true
}

var asides = sync.Pool{New: func() any { return new([]byte) }}

// aead is GCM of a kept cipher, made when it is first used in a call on many.
func (c *Cipher) aead() cipher.AEAD {
	if a := c.gcm.Load(); a != nil {
		return *a
	}
	a, err := c.NewGCM(gcmNonceSize, BlockSize)
	if err != nil {
		panic("aes: " + err.Error())
	}
	c.gcm.Store(&a)
	return a
}

// stdAEAD is the standard library's GCM under a key whose length has been checked.
func stdAEAD(key []byte) cipher.AEAD {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic("aes: internal error: " + err.Error())
	}
	a, err := cipher.NewGCM(b)
	if err != nil {
		panic("aes: " + err.Error())
	}
	return a
}

// A once is what a message under a raw key takes that isn't short. It comes from a pool and goes there empty.
type once struct {
	keys  kernel.Keys
	table kernel.Table
	gcm   gcm
}

var onces = sync.Pool{New: func() any { return new(once) }}

// onceFor is GCM under a key for one message of n bytes with its additional data.
func onceFor(key []byte, n int) *once {
	o := onces.Get().(*once)
	o.keys.ExpandForward(key)
	o.gcm.nonceSize, o.gcm.tagSize, o.gcm.direct = gcmNonceSize, BlockSize, true
	o.gcm.InitOnce(&o.keys, &o.table, n)
	return o
}

func (o *once) done() {
	o.gcm.Forget()
	o.keys, o.table = kernel.Keys{}, kernel.Table{}
	onces.Put(o)
}
