package sm4

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"sync"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm4"
)

// TestGCMBeforeAndAfterAPiece: where gmsm's GCM ends and ours begins depends on the machine; both places are right on
// every one.
func TestGCMBeforeAndAfterAPiece(t *testing.T) {
	defer func(seal, open int) { shortSeal, shortOpen = seal, open }(shortSeal, shortOpen)
	r := rand.New(rand.NewPCG(44, 44))
	key := random(r, KeySize)
	block, err := gmsm.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range [][2]int{{1008, 2048}, {pieceBytes, pieceBytes}} {
		shortSeal, shortOpen = most[0], most[1]
		for _, nonceSize := range []int{12, 13} {
			whole, err := cipher.NewGCMWithNonceSize(block, nonceSize)
			if err != nil {
				t.Fatal(err)
			}
			for tag := 12; tag <= 16; tag++ {
				a, err := newTest(t, key, fallback).NewGCM(nonceSize, tag)
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range []int{0, 1, 15, 1007, 1008, 1009, 2047, 2048, 2049, pieceBytes - 1, pieceBytes, pieceBytes + 1} {
					nonce, text, additional := random(r, nonceSize), random(r, n), random(r, n%37)
					want := whole.Seal(nil, nonce, text, additional)[:n+tag]
					sealed := a.Seal(nil, nonce, text, additional)
					if !bytes.Equal(sealed, want) {
						t.Fatalf("%v, nonces of %d, tags of %d, %d bytes: sealed wrong", most, nonceSize, tag, n)
					}
					if got, err := a.Open(nil, nonce, sealed, additional); err != nil || !bytes.Equal(got, text) {
						t.Fatalf("%v, nonces of %d, tags of %d, %d bytes: opened wrong (%v)", most, nonceSize, tag, n, err)
					}
					dst := bytes.Repeat([]byte{1}, n)
					sealed[len(sealed)-1] ^= 1
					if _, err := a.Open(dst[:0], nonce, sealed, additional); err == nil || !bytes.Equal(dst, bytes.Repeat([]byte{1}, n)) {
						t.Fatalf("%v, tags of %d, %d bytes: a forgery is opened, or written", most, tag, n)
					}
				}
			}
		}
	}
}

// TestRoomsAreWiped: nothing of a message is left in a buffer that is used again, authentic or not.
func TestRoomsAreWiped(t *testing.T) {
	one := new(room)
	made := rooms.New
	defer func() { rooms = sync.Pool{New: made} }()
	r := rand.New(rand.NewPCG(45, 45))
	key := random(r, KeySize)
	c := newTest(t, key, fallback)
	for n := range 100 {
		aeads := map[int]cipher.AEAD{}
		for tag := 12; tag <= 16; tag++ {
			a, err := c.NewGCM(12, tag)
			if err != nil {
				t.Fatal(err)
			}
			aeads[tag] = a
		}
		siv, err := c.NewGCMSIV(nil, key)
		if err != nil {
			t.Fatal(err)
		}
		aeads[0] = siv
		for tag, a := range aeads {
			calls := map[string]func(sealed []byte){
				"sealed": func([]byte) { a.Seal(nil, make([]byte, 12), random(r, n), nil) },
				"opened": func(sealed []byte) { _, _ = a.Open(nil, make([]byte, 12), sealed, nil) },
				"forged": func(sealed []byte) { _, _ = a.Open(nil, make([]byte, 12), append(sealed[1:], 0), nil) },
			}
			sealed := a.Seal(nil, make([]byte, 12), random(r, n), nil)
			for name, call := range calls {
				for i := range one {
					one[i] = 0xee
				}
				rooms = sync.Pool{New: func() any { return one }}
				call(bytes.Clone(sealed))
				for i, b := range one {
					if b != 0xee && b != 0 {
						t.Fatalf("%s, %d bytes, tag of %d: byte %d is left", name, n, tag, i)
					}
				}
			}
		}
	}
}
