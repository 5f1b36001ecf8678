package sm4

import (
	"crypto/subtle"
	"encoding/binary"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// GCM where the kernel takes a short message in one call.

// sealFused encrypts plaintext into out, which is longer by the tag.
func (g *gcm) sealFused(out, nonce, plaintext, additional []byte) {
	if len(plaintext)+len(additional) == 0 {
		tag := g.emptyTag(nonce)
		copy(out, tag[:g.tagSize])
		return
	}
	var m kernel.Message
	g.start(&m, nonce)
	if rest := fusedRest(len(plaintext)); rest < len(plaintext) {
		ctr := g.firstCounter(nonce)
		increment(&ctr)
		whole := len(plaintext) - rest
		g.hash(&m.Hash, additional)
		g.c.kernel.Seal(&g.c.enc, g.allPowers(), &m.Hash, out[:whole], plaintext[:whole], &ctr)
		m.Counter = binary.BigEndian.Uint32(ctr[12:])
		g.prepare(&m, out[whole:], plaintext[whole:], nil)
	} else {
		g.prepare(&m, out, plaintext, additional)
	}
	m.Lengths = lengths(len(plaintext), len(additional))
	m.Seal()
	tag := out[len(plaintext):]
	if len(tag) == BlockSize {
		*(*[BlockSize]byte)(tag) = m.Tag
		return
	}
	copy(tag, m.Tag[:])
}

// openFused decrypts at most kernel.MaxMessage bytes, if the tag is right.
func (g *gcm) openFused(out, nonce, text, tag, additional []byte) bool {
	if len(text)+len(additional) == 0 {
		expected := g.emptyTag(nonce)
		return subtle.ConstantTimeCompare(expected[:g.tagSize], tag) == 1
	}
	var m kernel.Message
	g.start(&m, nonce)
	g.prepare(&m, out, text, additional)
	m.Lengths = lengths(len(text), len(additional))
	m.SetTag(tag)
	return m.Open()
}

// emptyTag is the tag of nothing, whose hash is 0: the image of the first counter alone.
func (g *gcm) emptyTag(nonce []byte) (tag [BlockSize]byte) {
	first := g.firstCounter(nonce)
	g.c.one(&tag, first[:])
	return tag
}

func (g *gcm) start(m *kernel.Message, nonce []byte) {
	if len(nonce) == gcmNonceSize {
		m.SetNonce((*[gcmNonceSize]byte)(nonce))
		return
	}
	first := g.firstCounter(nonce)
	m.SetFirst(&first)
}

// fusedRest is what the fused kernel is left of n bytes: never more than it takes, and something, because
// the mask of the tag comes with it.
func fusedRest(n int) int {
	const bulk, half = 2048, 1024
	if n <= kernel.MaxMessage {
		return n
	}
	rest := (n-1)%bulk + 1
	if rest > kernel.MaxMessage {
		rest -= half
	}
	return rest
}

// prepare fills in what the text is, and what is hashed before it if that isn't short.
func (g *gcm) prepare(m *kernel.Message, dst, src, additional []byte) {
	m.Schedule = &g.c.enc
	m.SetText(dst, src)
	few, all := kernel.Fits(len(src), len(additional))
	switch {
	case len(additional) > kernel.MaxAdditional || !all:
		g.hash(&m.Hash, additional)
		few, _ = kernel.Fits(len(src), 0)
	case len(additional) > 0:
		m.SetAdditional(additional)
	}
	if few {
		m.SetFewPowers(&g.few)
	} else {
		m.SetPowers(g.allPowers())
	}
}

// lengths is the block that ends every hash, as the fused kernel takes it.
func lengths(text, additional int) [2]uint64 {
	return [2]uint64{uint64(text) * 8, uint64(additional) * 8}
}
