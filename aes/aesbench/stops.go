package main

import (
	"crypto/cipher"
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/stopping"
)

// bulk is what a call works on that the world is stopped in.
const bulk = 64 << 20

// stops prints how long the world takes to stop during every mode.
func stops(w io.Writer, c config) error {
	b, err := aes.NewWith(keyOf(256), c.implementation)
	if err != nil {
		return err
	}
	x, err := aes.NewXTSWith(append(keyOf(256), make([]byte, 32)...), c.implementation)
	if err != nil {
		return err
	}
	src, dst, iv := make([]byte, bulk), make([]byte, bulk+16), make([]byte, 16)
	text := dst[:bulk]
	cbc, back, ctr := cipher.NewCBCEncrypter(b, iv), cipher.NewCBCDecrypter(b, iv), cipher.NewCTR(b, iv)
	gcm := aead(b)
	var sealed []byte
	streams, sealing := make([]aes.CBCStream, 64), make([]aes.GCMMessage, bulk/1024)
	for i := range streams {
		at := bulk / len(streams) * i
		streams[i] = aes.CBCStream{Cipher: b, IV: iv, Dst: text[at:][:bulk/len(streams)], Src: src[at:][:bulk/len(streams)]}
	}
	for i := range sealing {
		at := 1024 * i
		sealing[i] = aes.GCMMessage{Key: keyOf(256), Nonce: iv[:12], Dst: text[at:][:1024], Src: src[at:][:1024-16]}
	}
	fmt.Fprintf(w, "%s, 64 MiB in a call\n", c.implementation)
	return stopping.Report(w, c.perRow, []stopping.Subject{
		{Name: "ECB encrypt", Call: func() { b.EncryptBlocks(text, src) }},
		{Name: "ECB decrypt", Call: func() { b.DecryptBlocks(text, src) }},
		{Name: "CBC encrypt", Call: func() { cbc.CryptBlocks(text, src) }},
		{Name: "CBC encrypt, 64 streams", Call: func() { aes.EncryptCBC(streams) }},
		{Name: "CBC decrypt", Call: func() { back.CryptBlocks(text, src) }},
		{Name: "CTR", Call: func() { ctr.XORKeyStream(text, src) }},
		{Name: "XTS encrypt", Call: func() { x.Encrypt(text, src, iv) }},
		{Name: "XTS decrypt", Call: func() { x.Decrypt(text, src, iv) }},
		{Name: "GCM seal", Call: func() { gcm.Seal(dst[:0], iv[:12], src, nil) }},
		{Name: "GCM seal, 65536 messages", Call: func() { aes.SealMany(sealing) }},
		{Name: "GCM, additional data", Call: func() { gcm.Seal(dst[:0], iv[:12], nil, src) }},
		{Name: "GCM open", Call: func() {
			if sealed == nil {
				sealed = gcm.Seal(nil, iv[:12], src, nil)
			}
			must(gcm.Open(dst[:0], iv[:12], sealed, nil))
		}},
	})
}
