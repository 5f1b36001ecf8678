package sm4

import (
	"bytes"
	"math/rand/v2"
	"testing"

	gmcipher "github.com/emmansun/gmsm/cipher"
)

// Additional data of 2^16−2^8 bytes and more have a length of six bytes (SP 800-38C, appendix A.2.2).
func TestCCMLongHeaders(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(71, 71))
		c := newTest(t, random(r, KeySize), implementation)
		a, err := c.NewCCM(12, 16)
		if err != nil {
			t.Fatal(err)
		}
		other, err := gmcipher.NewCCM(judge{c})
		if err != nil {
			t.Fatal(err)
		}
		nonce, plain := random(r, 12), random(r, 40)
		for _, n := range []int{13, 14, 15, 30, 1<<16 - 1<<8 - 1, 1<<16 - 1<<8, 1<<16 - 1<<8 + 1, 1 << 16} {
			additional := random(r, n)
			if !bytes.Equal(a.Seal(nil, nonce, plain, additional), other.Seal(nil, nonce, plain, additional)) {
				t.Errorf("%d bytes of additional data: sealed otherwise", n)
			}
		}
	})
}

// What a nonce of 13 bytes leaves no room for is a panic to seal, and no message to open.
func TestCCMLongest(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		a, err := newTest(t, make([]byte, KeySize), implementation).NewCCM(13, 8)
		if err != nil {
			t.Fatal(err)
		}
		nonce := make([]byte, 13)
		sealed := a.Seal(nil, nonce, make([]byte, 1<<16-1), nil)
		if _, err := a.Open(nil, nonce, sealed, nil); err != nil {
			t.Fatal(err)
		}
		mustPanic(t, "seal", "crypto/cipher: message too large for CCM", func() { a.Seal(nil, nonce, make([]byte, 1<<16), nil) })
		if _, err := a.Open(nil, nonce, make([]byte, 1<<16+8), nil); err == nil {
			t.Error("opened a message that nobody can seal")
		}
	})
}
