package providers

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
	"hash"
	"runtime"
	"testing"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// BenchmarkPrimitives times the operations of the experiment primitives as anybody
// would write them, without a loop of package provider, a worker or a judge. A
// benchmark is named as the row, up to its version. Both must agree within 5 % on the
// clock of the row's headline: the thread's, reported as cpu-ns/op, or where the
// collector works for a call the process's. TestAgainstBench of cmd/cryptogauge holds
// them against each other, in turns.
func BenchmarkPrimitives(b *testing.B) {
	message, out, nonce := make([]byte, 1024), make([]byte, 0, 2048), make([]byte, 12)
	key := []byte("0123456789abcdef")
	block, err := aes.NewCipher(key)
	check(b, err)
	gcm, err := cipher.NewGCM(block)
	check(b, err)
	block4, err := sm4.NewCipher(key)
	check(b, err)
	gcm4, err := cipher.NewGCM(block4)
	check(b, err)
	chacha, err := chacha20poly1305.New(append(key, key...))
	check(b, err)
	iv, buffer := make([]byte, 16), make([]byte, 1024)

	timed(b, "AES-128-block/encrypt/16/go", func() { block.Encrypt(buffer[:16], message[:16]) })
	timed(b, "SM4-block/encrypt/16/gmsm", func() { block4.Encrypt(buffer[:16], message[:16]) })
	timed(b, "AES-128-CTR/encrypt/1024/go", func() { cipher.NewCTR(block, iv).XORKeyStream(buffer, message) })
	timed(b, "SM4-CTR/encrypt/1024/gmsm", func() { cipher.NewCTR(block4, iv).XORKeyStream(buffer, message) })
	timed(b, "AES-128-GCM/encrypt/1024/go", func() { out = gcm.Seal(out[:0], nonce, message, nil) })
	timed(b, "SM4-GCM/encrypt/1024/gmsm", func() { out = gcm4.Seal(out[:0], nonce, message, nil) })
	timed(b, "ChaCha20-Poly1305/encrypt/1024/xcrypto", func() { out = chacha.Seal(out[:0], nonce, message, nil) })
	timed(b, "AES-128-GCM/new+encrypt/1024/go", func() {
		fresh, _ := aes.NewCipher(key)
		a, _ := cipher.NewGCM(fresh)
		out = a.Seal(out[:0], nonce, message, nil)
	})
	for _, h := range []struct {
		name string
		hash hash.Hash
	}{
		{"SHA-256/hash/1024/go", sha256.New()}, {"SHA3-256/hash/1024/go", sha3.New256()}, {"SM3/hash/1024/gmsm", sm3.New()},
		{"MD5/hash/1024/go", md5.New()}, {"HMAC-SHA-256/mac/1024/go", hmac.New(sha256.New, key)},
	} {
		timed(b, h.name, func() {
			h.hash.Reset()
			h.hash.Write(message)
			out = h.hash.Sum(out[:0])
		})
	}
	benchmarkSignatures(b)
}

func benchmarkSignatures(b *testing.B) {
	j := NewJudge(provider.Setting{Seed: 1})
	v, err := j.Vector(result.Case{Algorithm: "RSA-2048", Mode: "PKCS1v15-SHA-256", Operation: "sign"})
	check(b, err)
	parsed, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	check(b, err)
	rsaKey := parsed.(*rsa.PrivateKey)
	timed(b, "RSA-2048-PKCS1v15-SHA-256/sign/0/go", func() { _, _ = rsaKey.Sign(rand.Reader, v.Signed, crypto.SHA256) })
	timed(b, "RSA-2048-PKCS1v15-SHA-256/verify/0/go", func() { _ = rsa.VerifyPKCS1v15(&rsaKey.PublicKey, crypto.SHA256, v.Signed, v.Signature) })
	v, err = j.Vector(result.Case{Algorithm: "SM2", Operation: "sign"})
	check(b, err)
	sm2Key, err := sm2.NewPrivateKey(v.Key)
	check(b, err)
	timed(b, "SM2/sign/0/gmsm", func() { _, _ = sm2Key.Sign(rand.Reader, v.Signed, sm2.DefaultSM2SignerOpts) })
	timed(b, "SM2/verify/0/gmsm", func() { _ = sm2.VerifyASN1WithSM2(&sm2Key.PublicKey, nil, v.Signed, v.Signature) })
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// timed reports what a call takes on the clocks that the laboratory's headlines are on.
func timed(b *testing.B, name string, call func()) {
	b.Run(name, func(b *testing.B) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		start := clock.Read()
		for range b.N {
			call()
		}
		took := clock.Read().Sub(start)
		b.ReportMetric(float64(took.Thread)/float64(b.N), "cpu-ns/op")
		b.ReportMetric(float64(took.Process)/float64(b.N), "process-ns/op")
	})
}
