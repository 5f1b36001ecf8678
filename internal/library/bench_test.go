package library

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/x509"
	"fmt"
	"hash"
	"runtime"
	"testing"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// A primitive is an operation of the experiment primitives as anybody would write it,
// without a loop of package provider, a worker or a judge.
type primitive struct {
	library string
	result.Case
	call func()
}

func (p primitive) String() string {
	return fmt.Sprintf("%s/%s/%d/%s", p.Case.Name(), p.Operation, p.Bytes, p.library)
}

// BenchmarkPrimitives times them on the clocks that the laboratory's headlines are on:
// the thread's, reported as cpu-ns/op, and where garbage is collected for a call the
// process's. A benchmark is named as the row, up to its version. TestAgainstBench holds
// both against each other.
func BenchmarkPrimitives(b *testing.B) {
	for _, p := range benchPrimitives(b) {
		b.Run(p.String(), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			took := timed(b.N, p.call)
			b.ReportMetric(float64(took.Thread)/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(took.Process)/float64(b.N), "process-ns/op")
		})
	}
}

// timed is the loop of a benchmark.
func timed(n int, call func()) clock.Reading {
	start := clock.Read()
	for range n {
		call()
	}
	return clock.Read().Sub(start)
}

func benchPrimitives(t testing.TB) []primitive {
	message, out, nonce := make([]byte, 1024), make([]byte, 0, 2048), make([]byte, 12)
	key := []byte("0123456789abcdef")
	block, err := aes.NewCipher(key)
	check(t, err)
	gcm, err := cipher.NewGCM(block)
	check(t, err)
	block4, err := sm4.NewCipher(key)
	check(t, err)
	gcm4, err := cipher.NewGCM(block4)
	check(t, err)
	chacha, err := chacha20poly1305.New(append(key, key...))
	check(t, err)
	iv, buffer := make([]byte, 16), make([]byte, 1024)

	of := func(algorithm, mode, operation string, bytes int64) result.Case {
		return result.Case{Algorithm: algorithm, Mode: mode, Operation: operation, Bytes: bytes}
	}
	all := []primitive{
		{"go", of("AES-128", "block", "encrypt", 16), func() { block.Encrypt(buffer[:16], message[:16]) }},
		{"gmsm", of("SM4", "block", "encrypt", 16), func() { block4.Encrypt(buffer[:16], message[:16]) }},
		{"go", of("AES-128", "CTR", "encrypt", 1024), func() { cipher.NewCTR(block, iv).XORKeyStream(buffer, message) }},
		{"gmsm", of("SM4", "CTR", "encrypt", 1024), func() { cipher.NewCTR(block4, iv).XORKeyStream(buffer, message) }},
		{"go", of("AES-128", "GCM", "encrypt", 1024), func() { out = gcm.Seal(out[:0], nonce, message, nil) }},
		{"gmsm", of("SM4", "GCM", "encrypt", 1024), func() { out = gcm4.Seal(out[:0], nonce, message, nil) }},
		{"xcrypto", of("ChaCha20-Poly1305", "", "encrypt", 1024), func() { out = chacha.Seal(out[:0], nonce, message, nil) }},
		{"go", of("AES-128", "GCM", "new+encrypt", 1024), func() {
			fresh, _ := aes.NewCipher(key)
			a, _ := cipher.NewGCM(fresh)
			out = a.Seal(out[:0], nonce, message, nil)
		}},
	}
	for _, h := range []struct {
		library, name, operation string
		hash                     hash.Hash
	}{
		{"go", "SHA-256", "hash", sha256.New()}, {"go", "SHA3-256", "hash", sha3.New256()}, {"gmsm", "SM3", "hash", sm3.New()},
		{"go", "MD5", "hash", md5.New()}, {"go", "HMAC-SHA-256", "mac", hmac.New(sha256.New, key)},
	} {
		all = append(all, primitive{h.library, of(h.name, "", h.operation, 1024), func() {
			h.hash.Reset()
			h.hash.Write(message)
			out = h.hash.Sum(out[:0])
		}})
	}
	return append(all, signing(t)...)
}

func signing(t testing.TB) []primitive {
	j := judge.New(provider.Setting{Seed: 1})
	rsaCase := result.Case{Algorithm: "RSA-2048", Mode: "PKCS1v15-SHA-256", Operation: "sign"}
	v, err := j.Vector(rsaCase)
	check(t, err)
	parsed, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	check(t, err)
	rsaKey := parsed.(*rsa.PrivateKey)
	sm2Case := result.Case{Algorithm: "SM2", Operation: "sign"}
	v2, err := j.Vector(sm2Case)
	check(t, err)
	sm2Key, err := sm2.NewPrivateKey(v2.Key)
	check(t, err)
	verify := func(c result.Case) result.Case { c.Operation = "verify"; return c }
	return []primitive{
		{"go", rsaCase, func() { _, _ = rsaKey.Sign(rand.Reader, v.Signed, crypto.SHA256) }},
		{"go", verify(rsaCase), func() { _ = rsa.VerifyPKCS1v15(&rsaKey.PublicKey, crypto.SHA256, v.Signed, v.Signature) }},
		{"gmsm", sm2Case, func() { _, _ = sm2Key.Sign(rand.Reader, v2.Signed, sm2.DefaultSM2SignerOpts) }},
		{"gmsm", verify(sm2Case), func() { _ = sm2.VerifyASN1WithSM2(&sm2Key.PublicKey, nil, v2.Signed, v2.Signature) }},
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
