package sm4

import (
	"crypto/cipher"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// A GCMMessage is one message for [SealMany] and [OpenMany]. Exactly one of Cipher and Key is set.
type GCMMessage struct {
	Cipher         *Cipher // a key that is kept: messages may share one or have one each
	Key            []byte  // a raw key of 16 bytes, whose schedule is made in the call
	Nonce          []byte  // 12 bytes
	AdditionalData []byte  // may be empty
	Dst            []byte  // where the result goes, from its first byte on; may begin where Src begins
	Src            []byte  // SealMany: the plaintext. OpenMany: the ciphertext and behind it a tag of 16 bytes
	Err            error   // set by OpenMany: nil, or that this message isn't authentic
}

// SealMany encrypts independent messages by GCM with tags of 16 bytes. It writes len(Src) + 16 bytes to
// each Dst, what
//
//	aead, err := cipher.NewGCM(m.Cipher)
//	aead.Seal(m.Dst[:0], m.Nonce, m.Src, m.AdditionalData)
//
// writes, but with avx512+gfni sixteen messages run side by side where that is faster, each with a key of
// its own, and their key schedules too. Any number and any mixture of lengths and of raw and kept keys is
// taken. Nothing is allocated for a message; a Cipher makes what GCM needs once, when it is first used here.
// (The implementation gmsm makes a cipher for each raw key.)
//
// Everything is checked before a byte is written. It panics where these lines do; where a message has no
// key or two; where a key has a wrong length, with a [KeySizeError]; where Dst is shorter than the result;
// and where a result overlaps its own message's key, nonce or additional data, its Src but for the start, or any
// buffer of another message. Inputs may overlap each other as they like.
//
// Nonces are the caller's: two messages under one key with one nonce are not noticed, and give up their
// plaintexts and the key of authentication.
func SealMany(messages []GCMMessage) { sealMany(messages, fastest) }

// OpenMany is the inverse of SealMany: it decrypts the messages that are authentic, len(Src) − 16 bytes to each
// Dst. It sets Err of every message. Where one fails, or is shorter than a tag, its Dst is not written to, and the
// others are opened all the same. The result is nil if all are authentic, and else the error of those that aren't.
//
// It panics where SealMany does, before a byte is written.
func OpenMany(messages []GCMMessage) error { return openMany(messages, fastest) }

// sealMany takes k for raw keys.
func sealMany(messages []GCMMessage, k kernel.Kernel) {
	sealChecked(messages, k, checkSealMany(messages))
}

func sealChecked(messages []GCMMessage, k kernel.Kernel, l likeness) {
	w := newManyWork()
	for l == alike && k.Fused() && len(messages) >= len(inOrder) {
		w.sealLanes(messages, inOrder[:], rawKey)
		messages = messages[len(inOrder):]
	}
	for i := range messages {
		m := &messages[i]
		if s := w.sorterFor(m.Cipher, k, len(m.Src)); s != nil {
			s.add(i, len(m.Src))
		} else {
			w.seal(m, k)
		}
	}
	single := func(i int) { w.seal(&messages[i], k) }
	w.raw.each(rawCost, single, func(group []uint32) { w.sealLanes(messages, group, rawKey) })
	w.kept.each(keptCost, single, func(group []uint32) { w.sealLanes(messages, group, keptKey) })
	w.release()
}

func openMany(messages []GCMMessage, k kernel.Kernel) error {
	openChecked(messages, k, checkOpenMany(messages))
	for i := range messages {
		if messages[i].Err != nil {
			return messages[i].Err
		}
	}
	return nil
}

func openChecked(messages []GCMMessage, k kernel.Kernel, l likeness) {
	w := newManyWork()
	for l == alike && k.Fused() && len(messages) >= len(inOrder) {
		w.openLanes(messages, inOrder[:], rawKey)
		messages = messages[len(inOrder):]
	}
	for i := range messages {
		m := &messages[i]
		if s := w.sorterFor(m.Cipher, k, len(m.Src)-BlockSize); s != nil && m.opens() {
			s.add(i, len(m.Src)-BlockSize)
		} else {
			m.Err = w.open(m, k)
		}
	}
	single := func(i int) { messages[i].Err = w.open(&messages[i], k) }
	w.raw.each(rawCost, single, func(group []uint32) { w.openLanes(messages, group, rawKey) })
	w.kept.each(keptCost, single, func(group []uint32) { w.openLanes(messages, group, keptKey) })
	w.release()
}

// A keyForm says whether the keys of a group are raw ones.
type keyForm bool

const (
	rawKey  keyForm = true
	keptKey keyForm = false
)

// sealLanes seals up to sixteen messages side by side.
func (w *manyWork) sealLanes(messages []GCMMessage, group []uint32, form keyForm) {
	w.lanes.Reset()
	for _, i := range group {
		m := &messages[i]
		w.add(m, m.Dst[:len(m.Src)], m.Src)
	}
	w.keys(form)
	w.lanes.Seal()
	for lane, i := range group {
		m := &messages[i]
		*(*[BlockSize]byte)(m.Dst[len(m.Src):]) = *w.lanes.SealedTag(lane)
	}
}

func (w *manyWork) openLanes(messages []GCMMessage, group []uint32, form keyForm) {
	w.lanes.Reset()
	for _, i := range group {
		m := &messages[i]
		n := len(m.Src) - BlockSize
		w.lanes.Tag[w.add(m, m.Dst[:n], m.Src[:n])] = [BlockSize]byte(m.Src[n:])
	}
	w.keys(form)
	w.lanes.Open()
	for lane, i := range group {
		messages[i].Err = errOpen
		if w.lanes.Authentic[lane] {
			messages[i].Err = nil
		}
	}
}

// add puts a message into the next lane.
func (w *manyWork) add(m *GCMMessage, dst, src []byte) int {
	lane := w.lanes.AddGCM((*[gcmNonceSize]byte)(m.Nonce), dst, src, m.AdditionalData)
	w.addKey(lane, m.Cipher, m.Key)
	return lane
}

// A likeness is whether messages are so alike that any sixteen of them are best done side by side.
type likeness bool

const (
	alike  likeness = true
	unlike likeness = false
)

// checkSealMany panics where SealMany does.
func checkSealMany(messages []GCMMessage) likeness {
	for i := range messages {
		m := &messages[i]
		checkManyKey(m.Cipher, m.Key, "sm4.SealMany")
		checkGCMNonce(m.Nonce, gcmNonceSize)
		if uint64(len(m.Src)) > gcmMaxText {
			panic("crypto/cipher: message too large for GCM")
		}
		checkOutput(m.Dst, m.Src, m.sealed())
	}
	l := sealLikeness(messages)
	checkApart(messages, (*GCMMessage).sealed, l)
	return l
}

func checkOpenMany(messages []GCMMessage) likeness {
	for i := range messages {
		m := &messages[i]
		checkManyKey(m.Cipher, m.Key, "sm4.OpenMany")
		checkGCMNonce(m.Nonce, gcmNonceSize)
		checkOutput(m.Dst, m.Src, m.opened())
	}
	l := openLikeness(messages)
	checkApart(messages, (*GCMMessage).opened, l)
	return l
}

// sealLikeness is that of messages to be sealed, openLikeness of messages to be opened.
func sealLikeness(messages []GCMMessage) likeness { return likenessOf(messages, laneMost) }

func openLikeness(messages []GCMMessage) likeness {
	if len(messages) > 0 && !messages[0].opens() {
		return unlike
	}
	return likenessOf(messages, laneMost+BlockSize)
}

// likenessOf finds messages alike that all have raw keys, a Src of one length up to most, and no additional data.
func likenessOf(messages []GCMMessage, most int) likeness {
	if len(messages) == 0 || len(messages[0].Src) > most {
		return unlike
	}
	n, differ := len(messages[0].Src), 0
	for i := range messages {
		m := &messages[i]
		if m.Cipher != nil {
			return unlike
		}
		differ |= len(m.Src) ^ n | len(m.AdditionalData)
	}
	return differ == 0
}

// checkApart panics if what one message writes, so many bytes, another reads or writes.
func checkApart(messages []GCMMessage, written func(m *GCMMessage) int, like likeness) {
	if like == alike && buffers.AlikeApart(asRead(messages), written(&messages[0])) {
		return
	}
	l := newLayout()
	for i := range messages {
		m := &messages[i]
		m.place(&l, m.Dst[:written(m)])
	}
	if !l.clear() {
		checkDisjoint(messages, written)
	}
}

// asRead are messages as package buffers reads them.
func asRead(messages []GCMMessage) []buffers.GCMMessage {
	return unsafe.Slice((*buffers.GCMMessage)(unsafe.Pointer(&messages[0])), len(messages))
}

// place names all buffers of a message that writes to out.
func (m *GCMMessage) place(l *layout, out []byte) {
	l.text(out, m.Src)
	l.input(buffers.Nonce, m.Nonce)
	l.input(buffers.Additional, m.AdditionalData)
	l.input(buffers.Key, m.Key)
}

// sealed is the length of the result of SealMany.
func (m *GCMMessage) sealed() int { return len(m.Src) + BlockSize }

// opened is the length of the plaintext, 0 if there can't be one.
func (m *GCMMessage) opened() int {
	if !m.opens() {
		return 0
	}
	return len(m.Src) - BlockSize
}

// opens says whether Src has a length that a sealed message has.
func (m *GCMMessage) opens() bool {
	return len(m.Src) >= BlockSize && uint64(len(m.Src)) <= gcmMaxText+BlockSize
}

// checkOutput is the part of dst that is written.
func checkOutput(dst, src []byte, n int) []byte {
	if len(dst) < n {
		panic("crypto/cipher: output smaller than input")
	}
	if buffers.InexactOverlap(dst[:n], src) {
		panic(buffers.Overlap)
	}
	return dst[:n]
}

// checkDisjoint panics if what one message writes, so many bytes, another reads or writes.
func checkDisjoint(messages []GCMMessage, written func(m *GCMMessage) int) {
	d := buffers.NewDisjointness()
	for i := range messages {
		m := &messages[i]
		d.Writes(m.Dst[:written(m)], i)
	}
	d.Order()
	for i := range messages {
		m := &messages[i]
		d.ReadsText(m.Src, m.Dst[:written(m)])
		d.Reads(buffers.Nonce, m.Nonce, buffers.Nobody)
		d.Reads(buffers.Additional, m.AdditionalData, buffers.Nobody)
		d.Reads(buffers.Key, m.Key, buffers.Nobody)
	}
	d.Release()
}

// checkManyKey panics, in the name of a function, unless a message has one key.
func checkManyKey(c *Cipher, key []byte, function string) {
	switch {
	case c == nil && key == nil || c != nil && !c.made():
		panic(function + ": message without a key")
	case c != nil && key != nil:
		panic(function + ": message with two keys")
	case c == nil && len(key) != KeySize:
		panic(KeySizeError(len(key)))
	}
}

// seal is one message by itself.
func (w *oneKey) seal(m *GCMMessage, k kernel.Kernel) {
	if m.Cipher == nil && k.Fused() && once(len(m.Src), len(m.AdditionalData)) {
		var f kernel.Message
		out := m.Dst[:len(m.Src)+BlockSize]
		prepareOnce(&f, m.Nonce, out, m.Src, m.AdditionalData)
		f.SealOnce((*[KeySize]byte)(m.Key))
		*(*[BlockSize]byte)(out[len(m.Src):]) = f.Tag
		return
	}
	w.aead(m, k).Seal(m.Dst[:0], m.Nonce, m.Src, m.AdditionalData)
}

func (w *oneKey) open(m *GCMMessage, k kernel.Kernel) error {
	if !m.opens() {
		return errOpen
	}
	n := len(m.Src) - BlockSize
	if m.Cipher == nil && k.Fused() && once(n, len(m.AdditionalData)) {
		var f kernel.Message
		prepareOnce(&f, m.Nonce, m.Dst[:n], m.Src[:n], m.AdditionalData)
		f.SetTag(m.Src[n:])
		if !f.OpenOnce((*[KeySize]byte)(m.Key)) {
			return errOpen
		}
		return nil
	}
	_, err := w.aead(m, k).Open(m.Dst[:0], m.Nonce, m.Src, m.AdditionalData)
	return err
}

func (w *oneKey) aead(m *GCMMessage, k kernel.Kernel) cipher.AEAD {
	if m.Cipher != nil {
		return m.Cipher.keptGCM()
	}
	return w.gcmOf(m.Key, k)
}

// keptGCM is GCM under c with the usual sizes, made when it is first asked for.
func (c *Cipher) keptGCM() cipher.AEAD {
	if a := c.kept.Load(); a != nil {
		return *a
	}
	a, err := c.NewGCM(gcmNonceSize, BlockSize)
	if err != nil {
		panic("sm4: internal error: " + err.Error())
	}
	c.kept.Store(&a)
	return a
}

// A CTRMessage is one message for [XORKeyStreamMany]. Exactly one of Cipher and Key is set.
type CTRMessage struct {
	Cipher *Cipher // a key that is kept
	Key    []byte  // a raw key of 16 bytes
	IV     []byte  // 16 bytes, the counter of the first block; left as they are
	Dst    []byte  // at least as long as Src; may be Src
	Src    []byte  // of any length
}

// XORKeyStreamMany encrypts or decrypts independent messages by CTR. Each result is what
//
//	cipher.NewCTR(m.Cipher, m.IV).XORKeyStream(m.Dst, m.Src)
//
// writes. It panics where that line and [SealMany] do; nothing is written then. Nonces are the caller's, and
// nothing here protects against changes to a ciphertext.
func XORKeyStreamMany(messages []CTRMessage) { xorKeyStreamMany(messages, fastest) }

func xorKeyStreamMany(messages []CTRMessage, k kernel.Kernel) {
	checkCTRMany(messages)
	w := newManyWork()
	for i := range messages {
		m := &messages[i]
		if s := w.sorterFor(m.Cipher, k, len(m.Src)); s != nil && kernel.UntilWrap((*[BlockSize]byte)(m.IV), len(m.Src)) == len(m.Src) {
			s.add(i, len(m.Src))
		} else {
			w.xorKeyStream(m, k)
		}
	}
	single := func(i int) { w.xorKeyStream(&messages[i], k) }
	lanes := func(form keyForm) func([]uint32) {
		return func(group []uint32) {
			w.lanes.Reset()
			for _, i := range group {
				m := &messages[i]
				lane := w.lanes.Add(m.Dst[:len(m.Src)], m.Src)
				w.lanes.SetCounter(lane, (*[BlockSize]byte)(m.IV))
				w.addKey(lane, m.Cipher, m.Key)
			}
			w.keys(form)
			w.lanes.XORKeyStream()
		}
	}
	w.raw.each(rawCost, single, lanes(rawKey))
	w.kept.each(ctrCost, single, lanes(keptKey))
	w.release()
}

func checkCTRMany(messages []CTRMessage) {
	l := newLayout()
	for i := range messages {
		m := &messages[i]
		checkManyKey(m.Cipher, m.Key, "sm4.XORKeyStreamMany")
		checkIV(m.IV, "sm4.XORKeyStreamMany: IV length must equal block size")
		l.text(checkOutput(m.Dst, m.Src, len(m.Src)), m.Src)
		l.input(buffers.Nonce, m.IV)
		l.input(buffers.Key, m.Key)
	}
	if l.clear() {
		return
	}
	d := buffers.NewDisjointness()
	for i := range messages {
		m := &messages[i]
		d.Writes(m.Dst[:len(m.Src)], i)
	}
	d.Order()
	for i := range messages {
		m := &messages[i]
		d.ReadsText(m.Src, m.Dst[:len(m.Src)])
		d.Reads(buffers.Nonce, m.IV, buffers.Nobody)
		d.Reads(buffers.Key, m.Key, buffers.Nobody)
	}
	d.Release()
}

func (w *oneKey) xorKeyStream(m *CTRMessage, k kernel.Kernel) {
	c := m.Cipher
	if c == nil {
		c = w.cipherOf(m.Key, k)
	}
	ctr := [BlockSize]byte(m.IV)
	c.xorCTR(m.Dst[:len(m.Src)], m.Src, &ctr)
}
