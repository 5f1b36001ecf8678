package suite

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"runtime"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/clock"
)

// BenchmarkRSA is crypto/rsa as go test -bench measures it, with the thread's CPU
// time beside the wall time, to hold the experiment rsa against.
func BenchmarkRSA(b *testing.B) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		b.Fatal(err)
	}
	digest := make([]byte, sha256.Size)
	pss := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}
	signature, err := key.Sign(rand.Reader, digest, pss)
	if err != nil {
		b.Fatal(err)
	}
	ciphertext, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, digest, nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"sign":   func() error { _, err := key.Sign(rand.Reader, digest, pss); return err },
		"verify": func() error { return rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest, signature, pss) },
		"encrypt": func() error {
			_, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, digest, nil)
			return err
		},
		"decrypt": func() error {
			_, err := key.Decrypt(rand.Reader, ciphertext, &rsa.OAEPOptions{Hash: crypto.SHA256})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			begun := clock.Thread()
			for b.Loop() {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(clock.Thread()-begun)/float64(b.N), "cpu-ns/op")
		})
	}
}
