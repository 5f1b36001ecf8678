package reference

import (
	"math/big"
	"testing"
)

// The judge may be slow, but a run waits for it: 64 KiB, the largest message it is asked about.
func Benchmark(b *testing.B) {
	aes, sm4 := aesBlockFor(b, make([]byte, 32)), sm4BlockFor(b, make([]byte, 16))
	key, iv, src := make([]byte, 32), make([]byte, 16), make([]byte, 64<<10)
	for _, v := range []struct {
		name string
		run  func()
	}{
		{"AES-256-ECB/encrypt", func() { EncryptECB(aes, src) }},
		{"AES-256-CBC/encrypt", func() { EncryptCBC(aes, iv, src) }},
		{"AES-256-CBC/decrypt", func() { DecryptCBC(aes, iv, src) }},
		{"AES-256-CTR", func() { CTR(aes, iv, src) }},
		{"AES-256-GCM/seal", func() { SealGCM(aes, iv[:12], src, nil) }},
		{"SM4-ECB/encrypt", func() { EncryptECB(sm4, src) }},
		{"SM4-CBC/encrypt", func() { EncryptCBC(sm4, iv, src) }},
		{"SM4-CBC/decrypt", func() { DecryptCBC(sm4, iv, src) }},
		{"SM4-CFB/encrypt", func() { EncryptCFB(sm4, iv, src) }},
		{"SM4-OFB", func() { OFB(sm4, iv, src) }},
		{"SM4-CTR", func() { CTR(sm4, iv, src) }},
		{"SM4-GCM/seal", func() { SealGCM(sm4, iv[:12], src, nil) }},
		{"SM4-CBC-HMAC-SM3/seal", func() { SealCBCHMAC(sm4, SM3, HashBlockSize, key, iv, src) }},
		{"SHA-256", func() { SHA256(src) }},
		{"MD5", func() { MD5(src) }},
		{"SHA-1", func() { SHA1(src) }},
		{"SHA-512", func() { SHA512(src) }},
		{"SHA3-256", func() { SHA3of256(src) }},
		{"BLAKE2b-512", func() { BLAKE2b512(src) }},
		{"SM3", func() { SM3(src) }},
		{"ChaCha20-Poly1305/seal", func() { SealChaCha20Poly1305(key, iv[:12], src, nil) }},
	} {
		b.Run(v.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				v.run()
			}
		})
	}
}

// One operation with a key is asked of it a few times a run.
func BenchmarkPublicKey(b *testing.B) {
	k, _ := rsaTestKey(b, 2048)
	digest := SHA256(nil)
	signature, err := RSASignPSS(k, SHA256, digest, digest)
	if err != nil {
		b.Fatal(err)
	}
	r, s, err := SM2Sign(sm2ExampleD, sm2ExampleK, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	p256, p384, one := P256(), P384(), big.NewInt(1)
	base := edwardsBase().encode()
	ed25519Signature := append(edwardsBase().encode(), littleEndian32(new(big.Int).Sub(edwardsOrder(), one))...)
	for _, v := range []struct {
		name string
		run  func()
	}{
		{"RSA-2048-PSS/sign", func() { RSASignPSS(k, SHA256, digest, digest) }},
		{"RSA-2048-PSS/verify", func() { RSAVerifyPSS(k, SHA256, 32, digest, signature) }},
		{"ECDSA-P-256/verify", func() { ECDSAVerify(p256, p256.Gx, p256.Gy, digest, one, r) }},
		{"ECDSA-P-384/verify", func() { ECDSAVerify(p384, p384.Gx, p384.Gy, digest, one, r) }},
		{"ECDH-P-256", func() { ECDH(p256, r, p256.Gx, p256.Gy) }},
		{"SM2/sign", func() { SM2Sign(sm2ExampleD, sm2ExampleK, nil, nil) }},
		{"SM2/verify", func() { SM2Verify(sm2ExampleX, sm2ExampleY, nil, nil, r, s) }},
		{"X25519", func() { X25519(digest, base) }},
		{"Ed25519/verify", func() { Ed25519Verify(base, nil, ed25519Signature) }},
	} {
		b.Run(v.name, func(b *testing.B) {
			for b.Loop() {
				v.run()
			}
		})
	}
}
