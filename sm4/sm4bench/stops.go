package main

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/kernel/stopping"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// bulk is what a call works on that the world is stopped in, and bulkCCM what one of CCM does.
const (
	bulk    = 64 << 20
	bulkCCM = 16 << 20
)

// stops prints how long the world takes to stop during every mode of every implementation.
func stops(w io.Writer, c config, implementations []string) error {
	src, dst := make([]byte, bulk), make([]byte, bulk+sm4.BlockSize)
	for _, name := range implementations {
		b, err := newBlocks(name)
		if err != nil {
			return err
		}
		subjects, err := stopped(b.ours, src, dst)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s, %s in a call, %s of CCM\n", name, size(bulk), size(bulkCCM))
		if err := stopping.Report(w, c.perRow, subjects); err != nil {
			return err
		}
	}
	return nil
}

// stopped are the modes of a cipher, from src to dst, which is longer by a tag.
func stopped(c *sm4.Cipher, src, dst []byte) ([]stopping.Subject, error) {
	iv := make([]byte, sm4.BlockSize)
	text := dst[:len(src)]
	x, err := sm4.NewXTSWith([]byte("0123456789abcdefFEDCBA9876543210"), c.Implementation())
	if err != nil {
		return nil, err
	}
	cbc, back, ctr := cipher.NewCBCEncrypter(c, iv), cipher.NewCBCDecrypter(c, iv), cipher.NewCTR(c, iv)
	subjects := []stopping.Subject{
		{Name: "ECB encrypt", Call: func() { c.EncryptBlocks(text, src) }},
		{Name: "ECB decrypt", Call: func() { c.DecryptBlocks(text, src) }},
		{Name: "CBC encrypt", Call: func() { cbc.CryptBlocks(text, src) }},
		{Name: "CBC decrypt", Call: func() { back.CryptBlocks(text, src) }},
		{Name: "CTR", Call: func() { ctr.XORKeyStream(text, src) }},
		{Name: "XTS encrypt", Call: func() { x.Encrypt(text, src, iv) }},
		{Name: "XTS decrypt", Call: func() { x.Decrypt(text, src, iv) }},
		{Name: "GB XTS encrypt", Call: func() { c.NewXTSEncrypter((*[16]byte)(iv), true).CryptBlocks(text, src) }},
	}
	subjects = append(subjects, stoppedOthers(c, src, text, iv)...)
	gcm, err := cipher.NewGCM(c)
	if err != nil {
		return nil, err
	}
	ccm, err := c.NewCCM(11, 16) // with 12 bytes of nonce a message is shorter
	if err != nil {
		return nil, err
	}
	subjects = append(subjects, aead("GCM", gcm, src, dst)...)
	subjects = append(subjects, stopping.Subject{Name: "GCM, additional data",
		Call: func() { gcm.Seal(dst[:0], iv[:12], nil, src) }})
	subjects = append(subjects, aead("CCM", ccm, src[:bulkCCM], dst)...)
	subjects = append(subjects, aead("GCM-SIV", must(c.NewGCMSIV(nil, iv)), src[:bulkCCM], dst)...)
	for _, n := range []int{1, 64} {
		for _, keys := range []int{1, 2} {
			streams, err := cut(c, n, keys, src, text)
			if err != nil {
				return nil, err
			}
			subjects = append(subjects, stopping.Subject{Name: fmt.Sprintf("EncryptCBC, %d streams, %d keys", n, keys),
				Call: func() { sm4.EncryptCBC(streams) }})
		}
	}
	messages := sealedMany(src, text)
	return append(subjects, stopping.Subject{Name: fmt.Sprintf("SealMany, %d new keys", len(messages)),
		Call: func() { sm4.SealMany(messages) }}), nil
}

// sealedMany cuts src and dst into messages of 4 KiB, tags included, with a key each.
func sealedMany(src, dst []byte) (messages []sm4.GCMMessage) {
	const size = 4 << 10
	for i, key := range numberedKeys(len(src) / size) {
		messages = append(messages, sm4.GCMMessage{Key: key, Nonce: make([]byte, 12), Dst: dst[i*size:][:size],
			Src: src[i*size:][:size-sm4.BlockSize]})
	}
	return messages
}

func stoppedOthers(c *sm4.Cipher, src, dst, iv []byte) []stopping.Subject {
	x := must(sm4.NewGBXTSWith([]byte(xtsKey), c.Implementation()))
	h := must(c.NewHCTR(iv))
	return []stopping.Subject{
		{Name: "CFB encrypt", Call: func() { c.NewCFBEncrypter(iv).XORKeyStream(dst, src) }},
		{Name: "CFB decrypt", Call: func() { c.NewCFBDecrypter(iv).XORKeyStream(dst, src) }},
		{Name: "OFB", Call: func() { c.NewOFB(iv).XORKeyStream(dst, src) }},
		{Name: "BC encrypt", Call: func() { c.NewBCEncrypter(iv).CryptBlocks(dst, src) }},
		{Name: "BC decrypt", Call: func() { c.NewBCDecrypter(iv).CryptBlocks(dst, src) }},
		{Name: "OFBNLF encrypt", Call: func() { c.NewOFBNLFEncrypter(iv).CryptBlocks(dst, src) }},
		{Name: "HCTR encrypt", Call: func() { h.Encrypt(dst, src, iv) }},
		{Name: "GB XTS, sectors of 512 B", Call: func() { x.EncryptSectors(dst, src, 0, 512) }},
		{Name: "GB XTS, sectors of 1 MiB", Call: func() { x.DecryptSectors(dst, src, 0, 1<<20) }},
	}
}

func aead(name string, a cipher.AEAD, src, dst []byte) []stopping.Subject {
	nonce := make([]byte, a.NonceSize())
	var sealed []byte
	return []stopping.Subject{
		{Name: name + " seal", Call: func() { a.Seal(dst[:0], nonce, src, nil) }},
		{Name: name + " open", Call: func() {
			if sealed == nil {
				sealed = bytes.Clone(a.Seal(dst[:0], nonce, src, nil))
			}
			if _, err := a.Open(dst[:0], nonce, sealed, nil); err != nil {
				panic("sm4bench: internal error: " + err.Error())
			}
		}},
	}
}

// cut makes n streams of src and dst under keys ciphers, one of which is c.
func cut(c *sm4.Cipher, n, keys int, src, dst []byte) ([]sm4.CBCStream, error) {
	ciphers := []*sm4.Cipher{c}
	for len(ciphers) < keys {
		other, err := sm4.NewWith([]byte("another byte key"), c.Implementation())
		if err != nil {
			return nil, err
		}
		ciphers = append(ciphers, other)
	}
	streams := make([]sm4.CBCStream, n)
	each := len(src) / n
	for i := range streams {
		streams[i] = sm4.CBCStream{Cipher: ciphers[i%keys], IV: make([]byte, sm4.BlockSize),
			Dst: dst[i*each:][:each], Src: src[i*each:][:each]}
	}
	return streams, nil
}
