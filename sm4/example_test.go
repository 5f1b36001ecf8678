package sm4_test

import (
	"bytes"
	"context"
	"crypto/cipher"
	"fmt"
	"log"
	"sync"

	"github.com/cryptogauge/cryptogauge/sm4"
)

// The key and nonce are fixed so that the output is; a program draws them from crypto/rand and never
// seals twice with the same pair.
func ExampleNewCipher_gcm() {
	block, err := sm4.NewCipher([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	nonce := []byte("once and no more")[:aead.NonceSize()]
	sealed := aead.Seal(nil, nonce, []byte("the quick brown fox"), []byte("header"))
	fmt.Printf("%x\n", sealed)

	plain, err := aead.Open(nil, nonce, sealed, []byte("header"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", plain)
	sealed[0] ^= 1
	_, err = aead.Open(nil, nonce, sealed, []byte("header"))
	fmt.Println(err)
	// Output:
	// 6bd9558c6681eaf65c050a9d470a3b425d26be04065e20dff026c271d0efb617ea87c2
	// the quick brown fox
	// cipher: message authentication failed
}

// Code written for another library changes one import line:
//
//   - "github.com/tjfoc/gmsm/sm4"        or  "github.com/emmansun/gmsm/sm4"
//   - "github.com/cryptogauge/cryptogauge/sm4"
//
// and keeps the rest, which is this.
func ExampleNewCipher_replacingAnotherLibrary() {
	block, err := sm4.NewCipher([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	iv := make([]byte, sm4.BlockSize)
	text := []byte("two blocks, precisely 32 bytes..")
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(text, text)
	fmt.Printf("%x\n", text)
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(text, text)
	fmt.Printf("%s\n", text)
	// Output:
	// 0f552eb2a3dc75bd2aa2ac5fe93f42176a2693abfab8e34ee388dfa22186224f
	// two blocks, precisely 32 bytes..
}

// A disk's sectors are encrypted under their numbers; two keys of 16 bytes stand one behind the other.
func ExampleNewXTS() {
	disk, err := sm4.NewXTS([]byte("0123456789abcdeffedcba9876543210"))
	if err != nil {
		log.Fatal(err)
	}
	const size = 512
	sectors := make([]byte, 8*size)
	copy(sectors, "the quick brown fox")
	disk.EncryptSectors(sectors, sectors, 7, size)
	fmt.Printf("%x\n", sectors[:8])
	// Any of them comes back alone.
	first := sectors[:size]
	disk.DecryptSectors(first, first, 7, size)
	fmt.Printf("%s\n", first[:19])
	// Output:
	// 3b8e0d39c61aa8d5
	// the quick brown fox
}

// A page that is rewritten under the same place shows in XTS which of its blocks have changed, in HCTR only that
// something has.
func ExampleCipher_NewHCTR() {
	c, err := sm4.New([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	pages, err := c.NewHCTR([]byte("another key of16"))
	if err != nil {
		log.Fatal(err)
	}
	place := make([]byte, sm4.BlockSize)
	before, after := make([]byte, 4096), make([]byte, 4096)
	after[4095] = 1
	pages.Encrypt(before, before, place)
	pages.Encrypt(after, after, place)
	same := 0
	for i := 0; i < len(after); i += sm4.BlockSize {
		if bytes.Equal(before[i:i+sm4.BlockSize], after[i:i+sm4.BlockSize]) {
			same++
		}
	}
	pages.Decrypt(after, after, place)
	fmt.Println("blocks that stayed:", same, "came back:", after[4095])
	// Output: blocks that stayed: 0 came back: 1
}

// The end of a long ciphertext is decrypted without what is before it.
func ExampleCTR_XORKeyStreamAt() {
	c, err := sm4.New([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	stream := c.NewCTR(make([]byte, sm4.BlockSize)).(*sm4.CTR)
	text := []byte("the quick brown fox jumps over the lazy dog")
	stream.XORKeyStream(text, text)
	end := text[len(text)-8:]
	stream.XORKeyStreamAt(end, end, uint64(len(text)-len(end)))
	fmt.Printf("%s\n", end)
	// Output: lazy dog
}

// What the standard library lacks: CCM, for RFC 8998's TLS suites.
func ExampleCipher_NewCCM() {
	c, err := sm4.New([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	aead, err := c.NewCCM(12, 16)
	if err != nil {
		log.Fatal(err)
	}
	nonce := []byte("once no more")
	sealed := aead.Seal(nil, nonce, []byte("the quick brown fox"), nil)
	sealed[0] ^= 1
	_, err = aead.Open(nil, nonce, sealed, nil)
	fmt.Println(len(sealed), err)
	// Output: 35 cipher: message authentication failed
}

// A test holds every implementation of the machine against the others.
func ExampleNewWith() {
	key, block := []byte("0123456789abcdef"), []byte("exactly 16 bytes")
	seen := map[string]bool{}
	for _, name := range sm4.Implementations() {
		c, err := sm4.NewWith(key, name)
		if err != nil {
			log.Fatal(err)
		}
		out := make([]byte, sm4.BlockSize)
		c.Encrypt(out, block)
		seen[string(out)] = true
	}
	fmt.Println("outputs that differ:", len(seen)-1)
	// Output: outputs that differ: 0
}

// Many records under one key, each with its own IV: they are encrypted side by side, dozens of times
// faster than one after the other.
func ExampleEncryptCBC() {
	c, err := sm4.New([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	streams := make([]sm4.CBCStream, 100)
	for i := range streams {
		iv := make([]byte, sm4.BlockSize)
		iv[0] = byte(i) // a program draws it from crypto/rand
		record := make([]byte, 64*(1+i%3))
		streams[i] = sm4.CBCStream{Cipher: c, IV: iv, Dst: record, Src: record}
	}
	sm4.EncryptCBC(streams)
	fmt.Printf("%x\n", streams[99].Dst[:16])
	// Output:
	// c1228d01aed50230fe23bd291201b251
}

// Messages of many sessions, each under a key of its own; one of them was tampered with.
func ExampleSealMany() {
	messages := make([]sm4.GCMMessage, 20)
	for i := range messages {
		key := fmt.Appendf(nil, "key number %5d", i) // a program draws it from crypto/rand
		text := fmt.Appendf(nil, "message %d", i)
		messages[i] = sm4.GCMMessage{Key: key, Nonce: make([]byte, 12), Dst: make([]byte, len(text)+16), Src: text}
	}
	sm4.SealMany(messages)
	messages[7].Dst[0] ^= 1

	for i := range messages {
		m := &messages[i]
		m.Src, m.Dst = m.Dst, make([]byte, len(m.Dst)-16)
	}
	if err := sm4.OpenMany(messages); err != nil {
		for i, m := range messages {
			if m.Err != nil {
				fmt.Println(i, m.Err)
			}
		}
	}
	fmt.Printf("%s\n", messages[19].Dst)
	// Output:
	// 7 cipher: message authentication failed
	// message 19
}

// A server has one Coalescer for all its goroutines, each of which seals a message under a key of its own.
func ExampleCoalescer() {
	var c sm4.Coalescer
	messages := make([]sm4.GCMMessage, 20)
	var handlers sync.WaitGroup
	for i := range messages {
		handlers.Go(func() {
			key := fmt.Appendf(nil, "key number %5d", i) // a program draws it from crypto/rand
			text := fmt.Appendf(nil, "message %0200d", i)
			m := sm4.GCMMessage{Key: key, Nonce: make([]byte, 12), Dst: make([]byte, len(text)+16), Src: text}
			if err := c.Seal(context.Background(), &m); err != nil {
				log.Fatal(err)
			}
			messages[i] = m
		})
	}
	handlers.Wait()

	m := messages[19]
	m.Src, m.Dst = m.Dst, make([]byte, len(m.Dst)-16)
	if err := c.Open(context.Background(), &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", m.Dst[200:])
	// Output: 00000019
}
