package reference

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"
)

// Each target stretches secret to keys and IVs, so every input is a valid call.

func FuzzModes(f *testing.F) {
	f.Add(byte(0), []byte("key"), []byte("sixteen byte IV."), []byte("a message"))
	f.Add(byte(3), []byte{}, bytes.Repeat([]byte{0xff}, 16), make([]byte, 100))
	f.Fuzz(func(t *testing.T, which byte, secret, iv, src []byte) {
		ours, theirs := fuzzPeer(t, which, secret)
		modesAgree(t, ours, theirs, append(iv, make([]byte, 16)...)[:16], src)
	})
}

func FuzzGCM(f *testing.F) {
	f.Add(byte(0), []byte("key"), []byte("twelve bytes"), []byte("a message"), []byte("header"))
	f.Add(byte(3), []byte{}, []byte{1}, make([]byte, 100), []byte{})
	f.Fuzz(func(t *testing.T, which byte, secret, nonce, plaintext, aad []byte) {
		ours, theirs := fuzzPeer(t, which, secret)
		nonce = append(nonce, 0)
		gcmAgrees(t, ours, theirs, nonce, plaintext, aad)
		aead, err := cipher.NewGCMWithNonceSize(theirs, len(nonce))
		if err != nil {
			t.Fatal(err)
		}
		got, gotErr := OpenGCM(ours, nonce, plaintext, aad) // the plaintext as if it were sealed
		want, wantErr := aead.Open(nil, nonce, plaintext, aad)
		acceptSame(t, got, gotErr, want, wantErr)
	})
}

func FuzzCBCHMAC(f *testing.F) {
	f.Add(byte(0), []byte("key"), []byte("another key"), []byte("a message"))
	f.Add(byte(3), []byte{}, make([]byte, 100), make([]byte, 64))
	f.Fuzz(func(t *testing.T, which byte, secret, macKey, plaintext []byte) {
		ours, theirs := fuzzPeer(t, which, secret)
		iv := sha256.Sum256(macKey)
		cbcHMACAgrees(t, ours, theirs, macKey, iv[:16], plaintext)
		if _, err := OpenCBCHMAC(ours, SM3, HashBlockSize, macKey, iv[:16], plaintext); err == nil {
			t.Errorf("%x opens, which nobody sealed", plaintext)
		}
	})
}

func FuzzHashes(f *testing.F) {
	f.Add([]byte("key"), []byte("a message"), byte(40))
	f.Add(make([]byte, 65), make([]byte, 64), byte(0))
	f.Fuzz(func(t *testing.T, key, msg []byte, outputSize byte) { hashesAgree(t, key, msg, int(outputSize)) })
}

func FuzzChaCha20(f *testing.F) {
	f.Add([]byte("key"), []byte("nonce"), uint32(1), []byte("a message"))
	f.Add([]byte{}, []byte{}, uint32(1<<32-1), make([]byte, 64))
	f.Fuzz(func(t *testing.T, secret, nonce []byte, counter uint32, src []byte) {
		key := sha256.Sum256(secret)
		counter = min(counter, uint32(1<<32-1-len(src)/64))
		chacha20Agrees(t, key[:], append(nonce, make([]byte, 12)...)[:12], counter, src)
	})
}

func FuzzChaCha20Poly1305(f *testing.F) {
	f.Add([]byte("key"), []byte("nonce"), []byte("a message"), []byte("header"))
	f.Fuzz(func(t *testing.T, secret, nonce, plaintext, aad []byte) {
		key := sha256.Sum256(secret)
		nonce = append(nonce, make([]byte, 12)...)[:12]
		chachaAgrees(t, key[:], nonce, plaintext, aad)
		aead, err := chacha20poly1305.New(key[:])
		if err != nil {
			t.Fatal(err)
		}
		got, gotErr := OpenChaCha20Poly1305(key[:], nonce, plaintext, aad)
		want, wantErr := aead.Open(nil, nonce, plaintext, aad)
		acceptSame(t, got, gotErr, want, wantErr)
	})
}

func FuzzPadding(f *testing.F) {
	f.Add([]byte("a message"))
	f.Add(bytes.Repeat([]byte{16}, 16))
	f.Fuzz(func(t *testing.T, src []byte) {
		unpadded, err := UnpadPKCS7(PadPKCS7(src))
		if err != nil || !bytes.Equal(unpadded, src) {
			t.Errorf("%x comes back as %x: %v", src, unpadded, err)
		}
		if unpadded, err := UnpadPKCS7(src); err == nil && !bytes.Equal(PadPKCS7(unpadded), src) {
			t.Errorf("%x accepted, but %x is padded otherwise", src, unpadded)
		}
	})
}

func fuzzPeer(t *testing.T, which byte, secret []byte) (Block, cipher.Block) {
	p := peers[int(which)%len(peers)]
	key := sha256.Sum256(secret)
	return p.open(t, key[:p.keySize])
}

func acceptSame(t testing.TB, got []byte, gotErr error, want []byte, wantErr error) {
	t.Helper()
	if (gotErr == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
		t.Errorf("opens to %x (%v), the library to %x (%v)", got, gotErr, want, wantErr)
	}
}
