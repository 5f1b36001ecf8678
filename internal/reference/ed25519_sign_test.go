package reference

import (
	"bytes"
	"crypto/ed25519"
	"testing"
)

// TestEd25519Sign: signatures are deterministic, so those of the standard library are the very same.
func TestEd25519Sign(t *testing.T) {
	for _, n := range []int{0, 1, 32, 200} {
		seed, msg := random(t, 32), random(t, n)
		key := ed25519.NewKeyFromSeed(seed)
		if !bytes.Equal(Ed25519Public(seed), key.Public().(ed25519.PublicKey)) {
			t.Fatal("the public key is wrong")
		}
		got := Ed25519Sign(seed, msg)
		if !bytes.Equal(got, ed25519.Sign(key, msg)) {
			t.Errorf("%d bytes: the signature is another", n)
		}
		if err := Ed25519Verify(Ed25519Public(seed), msg, got); err != nil {
			t.Error(err)
		}
	}
}
