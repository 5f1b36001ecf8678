package sm4_test

import (
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"log"

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

// Many records under one key, each with its own IV: they are encrypted side by side, dozens of times
// faster than one after the other.
// A disk's sector is encrypted under its number; two keys of 16 bytes stand one behind the other.
func ExampleNewXTS() {
	disk, err := sm4.NewXTS([]byte("0123456789abcdeffedcba9876543210"))
	if err != nil {
		log.Fatal(err)
	}
	number := make([]byte, sm4.BlockSize)
	binary.LittleEndian.PutUint64(number, 7)
	sector := make([]byte, 512)
	copy(sector, "the quick brown fox")
	disk.Encrypt(sector, sector, number)
	fmt.Printf("%x\n", sector[:8])
	disk.Decrypt(sector, sector, number)
	fmt.Printf("%s\n", sector[:19])
	// Output:
	// 3b8e0d39c61aa8d5
	// the quick brown fox
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
