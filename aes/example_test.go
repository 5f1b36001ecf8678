package aes_test

import (
	"crypto/cipher"
	"fmt"
	"log"

	"github.com/cryptogauge/cryptogauge/aes"
)

// Code written for crypto/aes changes one import line and keeps the rest. The key and nonce are fixed so that the
// output is; a program draws them from crypto/rand and never seals twice with the same pair.
func ExampleNewCipher() {
	block, err := aes.NewCipher([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	nonce := []byte("once and no more")[:aead.NonceSize()]
	sealed := aead.Seal(nil, nonce, []byte("the quick brown fox"), []byte("header"))
	plain, err := aead.Open(nil, nonce, sealed, []byte("header"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", plain)
	sealed[0] ^= 1
	_, err = aead.Open(nil, nonce, sealed, []byte("header"))
	fmt.Println(err)
	// Output:
	// the quick brown fox
	// cipher: message authentication failed
}

// A sector of a disk is as long encrypted as plain, and its number is its tweak.
func ExampleXTS() {
	x, err := aes.NewXTS([]byte("0123456789abcdefFEDCBA9876543210"))
	if err != nil {
		log.Fatal(err)
	}
	sector := make([]byte, 4096)
	copy(sector, "what lies on the disk")
	x.EncryptSector(sector, sector, 1_000_000)
	x.DecryptSector(sector, sector, 1_000_000)
	fmt.Printf("%s\n", sector[:21])
	// Output:
	// what lies on the disk
}

// A stream that is read from the middle: what comes from an offset on is decrypted by itself.
func ExampleCTR_XORKeyStreamAt() {
	c, err := aes.New([]byte("0123456789abcdef"))
	if err != nil {
		log.Fatal(err)
	}
	stream := c.NewCTR(make([]byte, aes.BlockSize)).(*aes.CTR)
	text := []byte("a long file, of which only the end is read")
	stream.XORKeyStream(text, text)
	end := text[len(text)-11:]
	stream.XORKeyStreamAt(end, end, uint64(len(text)-len(end)))
	fmt.Printf("%s\n", end)
	// Output:
	// end is read
}
