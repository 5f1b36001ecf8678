package judge

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/hex"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestKeyScheduleOfRFC9180: appendix A.1 has a suite of the same KEM and KDF with
// AES-128-GCM, whose secrets before the AEAD's come out as printed.
func TestKeyScheduleOfRFC9180(t *testing.T) {
	un := func(s string) []byte { b, _ := hex.DecodeString(s); return b }
	private := un("4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8")
	enc := un("37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431")
	secret, err := kemX25519().shared(private, enc)
	if want := un("fe0e18c9f024ce43799ae393c7e8fe8fce9d218875e8227b0187c04e7d2ea1fc"); err != nil || !bytes.Equal(secret, want) {
		t.Errorf("the shared secret is %x, %v", secret, err)
	}
}

// TestHPKEHoldsBothWays: with an HPKE of another maker's key schedule the envelope
// of the reference would not open: the library opens what the reference seals with
// each KEM, and the sizes are those registered.
func TestHPKEHoldsBothWays(t *testing.T) {
	j := New(provider.Setting{Seed: 5})
	v := vector(t, j, result.Case{Algorithm: algorithm.Envelope, Mode: "HPKE-X25519+AES-256-GCM", Operation: "open", Bytes: 64})
	own, err := x25519Public(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := hpke.DHKEM(ecdh.X25519()).NewPublicKey(own)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := hpke.Seal(public, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, v.Plaintext)
	if err != nil || v.Accept(sealed) != nil {
		t.Errorf("%v, %v", err, v.Accept(sealed))
	}
	if n := reference.MLKEM768().CiphertextSize(); kemMLKEM768().reply != n || kemHybrid().reply != n+32 {
		t.Errorf("ML-KEM-768's ciphertext is %d bytes", n)
	}
}
