//go:build purego && valgrind && amd64

// Subject is the program that valgrind runs for taint: every operation of the engine in every
// implementation with secret key and data, and the planted leaks.
package main

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/taint/leaks"
	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/taint/memcheck"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// lengths reach every form of the code: within a block, a short call, a group, a pair of groups, both
// with a tail.
var lengths = []int{13, 16, 45, 100, 256, 391, 1024 + 7, 2048, 2048 + 1024 + 35}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "subject:", err)
		os.Exit(1)
	}
}

func run() error {
	for _, name := range sm4.Implementations() {
		for _, n := range lengths {
			if err := message(name, n); err != nil {
				return fmt.Errorf("%s, %d bytes: %w", name, n, err)
			}
		}
		for _, streams := range []int{3, 20} {
			if err := chains(name, streams); err != nil {
				return fmt.Errorf("%s, %d streams: %w", name, streams, err)
			}
		}
	}
	for _, n := range []int{2, 16, 21} {
		if err := many(n); err != nil {
			return fmt.Errorf("%d messages: %w", n, err)
		}
	}
	for _, l := range leaks.All {
		key := [16]byte(secret(16, 1))
		key[9] |= 1
		memcheck.Poison(key[:])
		l.Run(&key, secret(16, 2))
	}
	return nil
}

// secret makes n secret bytes that are all different from what another seed gives.
func secret(n int, seed byte) []byte {
	b := plain(n, seed)
	memcheck.Poison(b)
	return b
}

func plain(n int, seed byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = seed + byte(i*i>>3)*7
	}
	return b
}

// same reveals what came back and compares it.
func same(what string, got []byte, seed byte) error {
	memcheck.Reveal(got)
	if !bytes.Equal(got, plain(len(got), seed)) {
		return fmt.Errorf("%s: the plaintext didn't come back", what)
	}
	return nil
}

// message goes through every mode there and back. Nonces are public; XTS's place is secret here because
// gmsm's tables lose the taint of the key, and its image has to have one. Counters are public, which
// that of a GCM nonce of other than 12 bytes isn't to valgrind: see the package documentation of the
// kernels.
func message(name string, n int) error {
	c, err := sm4.NewWith(secret(sm4.KeySize, 1), name)
	if err != nil {
		return err
	}
	iv := plain(sm4.BlockSize, 3)
	buf := secret(n, 2)
	cipher.NewCTR(c, iv).XORKeyStream(buf, buf)
	cipher.NewCTR(c, iv).XORKeyStream(buf, buf)
	if err := same("CTR", buf, 2); err != nil {
		return err
	}
	if whole := n &^ (sm4.BlockSize - 1); whole > 0 {
		buf := secret(whole, 2)
		c.EncryptBlocks(buf, buf)
		cipher.NewCBCEncrypter(c, iv).CryptBlocks(buf, buf)
		cipher.NewCBCDecrypter(c, iv).CryptBlocks(buf, buf)
		c.DecryptBlocks(buf, buf)
		if err := same("ECB and CBC", buf, 2); err != nil {
			return err
		}
		if err := chained(c, iv, whole); err != nil {
			return err
		}
	}
	if err := streams(c, iv, n); err != nil {
		return err
	}
	if n >= sm4.BlockSize {
		if err := xts(name, n); err != nil {
			return err
		}
		if err := hctr(c, n); err != nil {
			return err
		}
	}
	ccm, err := c.NewCCM(12, 16)
	if err != nil {
		return err
	}
	gcm, err := c.NewGCM(12, 16)
	if err != nil {
		return err
	}
	siv, err := c.NewGCMSIV(nil, secret(sm4.KeySize, 1))
	if err != nil {
		return err
	}
	for _, a := range []cipher.AEAD{ccm, gcm, siv} {
		if err := seal(a, n); err != nil {
			return err
		}
	}
	return once(n)
}

// once is a message under a key of its own.
func once(n int) error {
	key, iv, additional := secret(sm4.KeySize, 5), plain(12, 3), secret(13, 6)
	sealed, err := sm4.SealOnce(nil, key, iv, secret(n, 2), additional)
	if err != nil {
		return err
	}
	back, err := sm4.OpenOnce(nil, key, iv, sealed, additional)
	if err != nil {
		return err
	}
	return same("a key that is used once", back, 2)
}

func xts(name string, n int) error {
	for _, create := range []func(key []byte, implementation string) (*sm4.XTS, error){sm4.NewXTSWith, sm4.NewGBXTSWith} {
		x, err := create(append(secret(sm4.KeySize, 1), secret(sm4.KeySize, 9)...), name)
		if err != nil {
			return err
		}
		buf, place := secret(n, 2), secret(sm4.BlockSize, 3)
		x.Encrypt(buf, buf, place)
		x.Decrypt(buf, buf, place)
		// The number is public, and so the place's image is not secret over gmsm.
		size := sm4.BlockSize
		whole := buf[:n/size*size]
		x.EncryptSectors(whole, whole, 7, size)
		x.EncryptSectors(buf, buf, 7, n)
		x.DecryptSectors(buf, buf, 7, n)
		x.DecryptSectors(whole, whole, 7, size)
		if err := same("XTS", buf, 2); err != nil {
			return err
		}
	}
	return nil
}

func hctr(c *sm4.Cipher, n int) error {
	h, err := c.NewHCTR(secret(sm4.BlockSize, 9))
	if err != nil {
		return err
	}
	buf, place := secret(n, 2), secret(sm4.BlockSize, 3)
	h.Encrypt(buf, buf, place)
	h.Decrypt(buf, buf, place)
	return same("HCTR", buf, 2)
}

func chained(c *sm4.Cipher, iv []byte, n int) error {
	buf := secret(n, 2)
	c.NewBCEncrypter(iv).CryptBlocks(buf, buf)
	c.NewOFBNLFEncrypter(iv).CryptBlocks(buf, buf)
	c.NewOFBNLFDecrypter(iv).CryptBlocks(buf, buf)
	c.NewBCDecrypter(iv).CryptBlocks(buf, buf)
	return same("BC and OFBNLF", buf, 2)
}

func streams(c *sm4.Cipher, iv []byte, n int) error {
	buf := secret(n, 2)
	at := c.NewCTR(iv).(*sm4.CTR)
	at.XORKeyStreamAt(buf, buf, 21)
	c.NewCFBEncrypter(iv).XORKeyStream(buf, buf)
	c.NewOFB(iv).XORKeyStream(buf, buf)
	c.NewOFB(iv).XORKeyStream(buf, buf)
	c.NewCFBDecrypter(iv).XORKeyStream(buf, buf)
	at.XORKeyStreamAt(buf, buf, 21)
	return same("CFB, OFB and CTR at a place", buf, 2)
}

func seal(a cipher.AEAD, n int) error {
	nonce, additional := plain(a.NonceSize(), 3), secret(29, 4)
	sealed := a.Seal(nil, nonce, secret(n, 2), additional)
	opened, err := a.Open(nil, nonce, sealed, additional)
	if err != nil {
		return err
	}
	if err := same("opening", opened, 2); err != nil {
		return err
	}
	sealed[len(sealed)-1] ^= 1
	if _, err := a.Open(nil, nonce, sealed, additional); err == nil {
		return fmt.Errorf("a wrong tag was accepted")
	}
	return nil
}

// chains encrypts many streams with one key and with a key each.
func chains(name string, n int) error {
	for _, keys := range []int{1, n} {
		var ciphers []*sm4.Cipher
		for i := range keys {
			c, err := sm4.NewWith(secret(sm4.KeySize, byte(i)), name)
			if err != nil {
				return err
			}
			ciphers = append(ciphers, c)
		}
		iv := plain(sm4.BlockSize, 3)
		streams := make([]sm4.CBCStream, n)
		for i := range streams {
			buf := secret((1+i%3)*sm4.BlockSize, 2)
			streams[i] = sm4.CBCStream{Cipher: ciphers[i%keys], IV: iv, Dst: buf, Src: buf}
		}
		sm4.EncryptCBC(streams)
		for _, s := range streams {
			cipher.NewCBCDecrypter(s.Cipher, iv).CryptBlocks(s.Dst, s.Dst)
			if err := same("streams", s.Dst, 2); err != nil {
				return err
			}
		}
	}
	return nil
}

// many goes through the functions for many messages, under raw keys and ciphers.
func many(n int) error {
	messages := make([]sm4.GCMMessage, n)
	streams := make([]sm4.CTRMessage, n)
	chains := make([]sm4.CBCKeyStream, n)
	iv := plain(sm4.BlockSize, 3)
	for i := range messages {
		key, size := secret(sm4.KeySize, byte(i)), 1+16*(i%9)+i%3
		m := sm4.GCMMessage{Key: key, Nonce: iv[:12], Dst: make([]byte, size+16), Src: secret(size, 2), AdditionalData: secret(1+i%20, 4)}
		if i%3 == 1 {
			c, err := sm4.New(key)
			if err != nil {
				return err
			}
			m.Cipher, m.Key = c, nil
		}
		messages[i] = m
		buf, block := secret(size, 2), secret(sm4.BlockSize*(1+i%4), 2)
		streams[i] = sm4.CTRMessage{Cipher: m.Cipher, Key: m.Key, IV: iv, Dst: buf, Src: buf}
		chains[i] = sm4.CBCKeyStream{Key: key, IV: iv, Dst: block, Src: block}
	}
	sm4.SealMany(messages)
	for i := range messages {
		m := &messages[i]
		m.Src, m.Dst = m.Dst, make([]byte, len(m.Dst)-16)
	}
	if err := sm4.OpenMany(messages); err != nil {
		return err
	}
	sm4.XORKeyStreamMany(streams)
	sm4.XORKeyStreamMany(streams)
	sm4.EncryptCBCKeys(chains)
	for i := range messages {
		if err := same("many", messages[i].Dst, 2); err != nil {
			return err
		}
		if err := same("many streams", streams[i].Dst, 2); err != nil {
			return err
		}
	}
	messages[n-1].Src[0] ^= 1
	if err := sm4.OpenMany(messages); err == nil {
		return fmt.Errorf("a forgery among many was accepted")
	}
	return nil
}
